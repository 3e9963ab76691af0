package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/ide"
	"github.com/purecl/purecl/internal/lsp/protocol"
)

// everywhere returns the references, in all open documents, to the object at a position of a document, with the
// snapshot of each.
func (s *features) everywhere(p place, u *unit) (list []ide.Reference, by []*ide.Snapshot) {
	seen := map[ide.Range]bool{}
	add := func(snap *ide.Snapshot, refs []ide.Reference) {
		for _, r := range refs {
			if !seen[r.Range] {
				seen[r.Range] = true
				list, by = append(list, r), append(by, snap)
			}
		}
	}
	add(u.Snapshot, u.References(p.path, p.off))
	defs := u.Definition(p.path, p.off)
	if len(defs) == 0 || p.isGo() {
		return list, by
	}
	for _, d := range s.docs.all() {
		if d == p.document || d.isGo() {
			continue
		}
		units, err := d.compiled()
		if err != nil || !slices.Contains(units[0].Files(), defs[0].File) {
			continue
		}
		add(units[0].Snapshot, units[0].ReferencesTo(defs[0]))
	}
	return list, by
}

func (s *features) references(params json.RawMessage) (work, error) {
	var q protocol.ReferenceParams
	if err := decode(params, &q); err != nil {
		return nil, err
	}
	return s.onUnit(params, func(_ context.Context, p place, u *unit) (any, error) {
		out := []protocol.Location{}
		list, by := s.everywhere(p, u)
		for i, r := range list {
			if !r.Declares || q.Context.IncludeDeclaration {
				out = append(out, s.location(by[i], r.Range))
			}
		}
		return out, nil
	})
}

func (s *features) highlight(params json.RawMessage) (work, error) {
	return s.onUnit(params, func(_ context.Context, p place, u *unit) (any, error) {
		out := []protocol.DocumentHighlight{}
		for _, r := range u.References(p.path, p.off) {
			if r.File == p.path {
				out = append(out, protocol.DocumentHighlight{Range: p.lines.span(r.Start, r.End, s.encoding), Kind: protocol.DocumentHighlightKindText})
			}
		}
		return out, nil
	})
}

func (s *features) prepareRename(params json.RawMessage) (work, error) {
	return s.onUnit(params, func(_ context.Context, p place, u *unit) (any, error) {
		at, err := u.Nameable(p.path, p.off)
		if err != nil {
			return nil, err
		}
		return p.lines.span(at.Start, at.End, s.encoding), nil
	})
}

func (s *features) rename(params json.RawMessage) (work, error) {
	var q protocol.RenameParams
	if err := decode(params, &q); err != nil {
		return nil, err
	}
	return s.onUnit(params, func(_ context.Context, p place, u *unit) (any, error) {
		if _, err := u.Rename(p.path, p.off, q.NewName); err != nil {
			return nil, err
		}
		out := protocol.WorkspaceEdit{Changes: map[string][]protocol.TextEdit{}}
		list, by := s.everywhere(p, u)
		for i, r := range list {
			at := s.location(by[i], r.Range)
			out.Changes[at.Uri] = append(out.Changes[at.Uri], protocol.TextEdit{Range: at.Range, NewText: q.NewName})
		}
		return out, nil
	})
}

func (s *features) codeAction(params json.RawMessage) (work, error) {
	var p protocol.CodeActionParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	d, part, err := s.part(params)
	if err != nil {
		return nil, err
	}
	if len(p.Context.Only) > 0 && !slices.ContainsFunc(p.Context.Only, func(k protocol.CodeActionKind) bool {
		return k == "" || k == protocol.CodeActionKindQuickFix
	}) {
		return func(context.Context) (any, error) { return []protocol.CodeAction{}, nil }, nil
	}
	return func(context.Context) (any, error) {
		units, err := d.unitsOf()
		if err != nil {
			return nil, err
		}
		out := []protocol.CodeAction{}
		explained := map[string]bool{}
		for _, u := range units {
			for _, x := range u.Diagnostics() {
				if x.File != d.path || x.End < part.Start || x.Start > part.End {
					continue
				}
				of := s.diagnostic(u.Snapshot, &x)
				if x.Fix != nil {
					at := s.location(u.Snapshot, x.Fix.Range)
					out = append(out, protocol.CodeAction{Title: fixTitle(u.Snapshot, x.Fix), Kind: protocol.CodeActionKindQuickFix, Diagnostics: []protocol.Diagnostic{of}, IsPreferred: true,
						Edit: &protocol.WorkspaceEdit{Changes: map[string][]protocol.TextEdit{at.Uri: {{Range: at.Range, NewText: x.Fix.Text}}}}})
				}
				if x.Code != "" && !explained[x.Code] && ide.Explain(x.Code) != "" {
					explained[x.Code] = true
					code, _ := json.Marshal(x.Code)
					title := "explain " + x.Code
					out = append(out, protocol.CodeAction{Title: title, Kind: protocol.CodeActionKindQuickFix, Diagnostics: []protocol.Diagnostic{of},
						Command: &protocol.Command{Title: title, Command: ExplainCommand, Arguments: []protocol.LSPAny{code}}})
				}
			}
		}
		return out, nil
	}, nil
}

// fixTitle describes a fix.
func fixTitle(u *ide.Snapshot, e *ide.Edit) string {
	old := ""
	if text := u.FileText(e.File); e.End <= len(text) {
		old = string(text[e.Start:e.End])
	}
	switch {
	case old == "":
		return fmt.Sprintf("insert '%s'", e.Text)
	case e.Text == "":
		return fmt.Sprintf("remove '%s'", old)
	}
	return fmt.Sprintf("replace '%s' by '%s'", old, e.Text)
}

func (s *features) codeLens(params json.RawMessage) (work, error) {
	d, err := s.document(params)
	if err != nil {
		return nil, err
	}
	return func(context.Context) (any, error) {
		out := []protocol.CodeLens{}
		if !s.settings().CodeLens || d.isGo() {
			return out, nil
		}
		units, err := d.unitsOf()
		if err != nil {
			return nil, err
		}
		uri, _ := json.Marshal(d.uri)
		for _, u := range units {
			for _, k := range u.Kernels(d.path) {
				name, _ := json.Marshal(k.Name)
				out = append(out, protocol.CodeLens{Range: d.lines.span(k.At.Start, k.At.End, s.encoding),
					Command: &protocol.Command{Title: "run " + k.Name, Command: RunCommand, Arguments: []protocol.LSPAny{uri, name}}})
			}
		}
		return out, nil
	}, nil
}

func (s *features) executeCommand(params json.RawMessage) (work, error) {
	var p protocol.ExecuteCommandParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	if p.Command != ExplainCommand {
		return nil, invalid("the server has no command %q; it has %q", p.Command, ExplainCommand)
	}
	var code string
	if len(p.Arguments) != 1 || json.Unmarshal(p.Arguments[0], &code) != nil {
		return nil, invalid("%s takes the code of a diagnostic, such as [\"undeclared-identifier\"]", ExplainCommand)
	}
	text := ide.Explain(code)
	if text == "" {
		return nil, invalid("there is no diagnostic %q", code)
	}
	return func(context.Context) (any, error) { return text, nil }, nil
}

// formatting formats a document or a range of it with clang-format.
func (s *features) formatting(params json.RawMessage) (work, error) {
	d, part, err := s.part(params)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) {
		if s.formatter == "" {
			return nil, errors.New("formatting needs clang-format, which is not installed; the setting purecl.clangFormat names it where it is not in the PATH")
		}
		if d.isGo() {
			return []protocol.TextEdit{}, nil
		}
		args := []string{"--assume-filename=" + filepath.FromSlash(d.path)}
		if part.Start > 0 || part.End < len(d.text) {
			from, to := d.lines.position(part.Start, s.encoding), d.lines.position(part.End, s.encoding)
			if to.Character == 0 && to.Line > from.Line {
				to.Line--
			}
			args = append(args, fmt.Sprintf("--lines=%d:%d", from.Line+1, to.Line+1))
		}
		c := exec.CommandContext(ctx, s.formatter, args...)
		if dir := path.Dir(d.path); path.IsAbs(dir) {
			c.Dir = filepath.FromSlash(dir)
		}
		c.Stdin = bytes.NewReader(d.text)
		var out, errs bytes.Buffer
		c.Stdout, c.Stderr = &out, &errs
		if err := c.Run(); err != nil {
			return nil, fmt.Errorf("clang-format: %w: %s", err, strings.TrimSpace(errs.String()))
		}
		return s.difference(d, out.Bytes()), nil
	}, nil
}

// difference returns the edits that change a document's text to text, without the common prefix and suffix.
func (s *features) difference(d *document, text []byte) []protocol.TextEdit {
	old := d.text
	if bytes.Equal(old, text) {
		return []protocol.TextEdit{}
	}
	start := 0
	for start < len(old) && start < len(text) && old[start] == text[start] {
		start++
	}
	for start > 0 && old[start-1] != '\n' { // whole lines, so that no character is split
		start--
	}
	end := 0
	for end < len(old)-start && end < len(text)-start && old[len(old)-1-end] == text[len(text)-1-end] {
		end++
	}
	for end > 0 && old[len(old)-end] != '\n' {
		end--
	}
	return []protocol.TextEdit{{Range: d.lines.span(start, len(old)-end, s.encoding), NewText: string(text[start : len(text)-end])}}
}

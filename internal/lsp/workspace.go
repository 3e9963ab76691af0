package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"github.com/purecl/purecl/internal/ide"
	"github.com/purecl/purecl/internal/lsp/protocol"
)

// A workspace is the client's view of the files: the open documents, the folder, the settings and the unit of columns. It
// finds the build options of documents, and must not send messages.
type workspace struct {
	docsCtx  context.Context // the parent of each document's context
	docs     open
	root     string // the folder, "" if there is none
	encoding encoding

	configuring sync.Mutex // guards config
	config      Settings
}

// settings returns the client's settings.
func (s *workspace) settings() Settings {
	s.configuring.Lock()
	defer s.configuring.Unlock()
	return s.config
}

// setSettings replaces the client's settings. Documents that are compiled later see them.
func (s *workspace) setSettings(config Settings) {
	s.configuring.Lock()
	defer s.configuring.Unlock()
	s.config = config
}

// maxParents is the number of folders above a file in which its purecl.toml may be.
const maxParents = 64

// projectOf reads the purecl.toml that applies to a file; p is nil if there is none.
func (s *workspace) projectOf(file string) (p *project, dir string, err error) {
	if !path.IsAbs(file) && !filepath.IsAbs(filepath.FromSlash(file)) {
		return nil, "", nil
	}
	dir = path.Dir(file)
	for range maxParents {
		name := path.Join(dir, ConfigFile)
		text, err := s.readFile(name)
		switch {
		case err == nil:
			if p, err = parseProject(text); err != nil {
				e := &projectError{file: name, err: err}
				var at toml.ParseError
				if errors.As(err, &at) {
					e.line, e.err = at.Position.Line, errors.New(at.Message)
				}
				return nil, dir, e
			}
			return p, dir, nil
		case !errors.Is(err, fs.ErrNotExist):
			return nil, dir, &projectError{file: name, err: err}
		}
		up := path.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return nil, "", nil
}

// buildOf returns the build options of a file with the given text.
func (s *workspace) buildOf(file string, text []byte) (list []ide.Build, err error) {
	if o := s.settings().Options; o != "" {
		list = append(list, ide.Build{Options: o, Dir: s.root})
	}
	p, dir, err := s.projectOf(file)
	if p != nil {
		rel := strings.TrimPrefix(strings.TrimPrefix(file, dir), "/")
		if o := p.optionsOf(rel); o != "" {
			list = append(list, ide.Build{Options: o, Dir: dir})
		}
	}
	if o := ide.CommentOptions(text); o != "" {
		list = append(list, ide.Build{Options: o, Dir: path.Dir(file)})
	}
	return list, err
}

// maxFile is the size in bytes of the largest readable file.
const maxFile = 256 << 20

// readFile reads a file. For an open document it returns the editor's text.
func (s *workspace) readFile(name string) ([]byte, error) {
	name = path.Clean(name)
	if !path.IsAbs(name) && s.root != "" && !filepath.IsAbs(filepath.FromSlash(name)) {
		name = path.Join(s.root, name)
	}
	if d := s.docs.byPath(name); d != nil {
		return d.text, nil
	}
	disk := filepath.FromSlash(name)
	st, err := os.Stat(disk)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	if st.Size() > maxFile {
		return nil, fmt.Errorf("%s is larger than %d MiB", name, maxFile>>20)
	}
	return os.ReadFile(disk)
}

// listDir lists a directory for the completion of include paths.
func (s *workspace) listDir(name string) (names []string) {
	if !path.IsAbs(name) && s.root != "" {
		name = path.Join(s.root, name)
	}
	list, err := os.ReadDir(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if e.IsDir() {
			names = append(names, e.Name()+"/")
		} else {
			names = append(names, e.Name())
		}
	}
	return names
}

// newDocument returns a version of a document.
func (s *workspace) newDocument(uri, lang string, version int32, text []byte) *document {
	d := &document{uri: uri, path: pathOf(uri), lang: lang, version: version, text: text, lines: newLines(text), workspace: s}
	d.ctx, d.cancel = context.WithCancel(s.docsCtx)
	return d
}

// linesOf returns the lines of a file: an open document, a file of the snapshot or a file on disk.
func (s *workspace) linesOf(u *ide.Snapshot, file string) *lines {
	if d := s.docs.byPath(file); d != nil {
		return d.lines
	}
	if u != nil {
		if text := u.FileText(file); text != nil {
			return newLines(text)
		}
	}
	text, err := s.readFile(file)
	if err != nil {
		return newLines(nil)
	}
	return newLines(text)
}

// uriOf returns the URI of a file, in the client's spelling if it is open.
func (s *workspace) uriOf(file string) string {
	if d := s.docs.byPath(file); d != nil {
		return d.uri
	}
	return uriOf(file)
}

// location converts a range for the client.
func (s *workspace) location(u *ide.Snapshot, r ide.Range) protocol.Location {
	return protocol.Location{Uri: s.uriOf(r.File), Range: s.linesOf(u, r.File).span(r.Start, r.End, s.encoding)}
}

// change applies a notification's changes to a text.
func (s *workspace) change(text []byte, changes []protocol.TextDocumentContentChangeEvent) ([]byte, error) {
	for _, raw := range changes {
		var c struct {
			Range *protocol.Range `json:"range"`
			Text  *string         `json:"text"`
		}
		if err := decode(raw, &c); err != nil {
			return nil, err
		}
		if c.Text == nil {
			return nil, invalid("a change of a document has no text")
		}
		if c.Range == nil {
			text = []byte(*c.Text)
			continue
		}
		l := newLines(text)
		from, to := l.offset(c.Range.Start, s.encoding), l.offset(c.Range.End, s.encoding)
		if to < from {
			return nil, invalid("the range of a change ends at %d:%d, before it begins", c.Range.End.Line, c.Range.End.Character)
		}
		out := make([]byte, 0, len(text)+len(*c.Text))
		text = append(append(append(out, text[:from]...), *c.Text...), text[to:]...)
	}
	return text, nil
}

// summary returns a diagnostic for a file with errors, with the position of each error; ok is false if there are
// none.
func (s *workspace) summary(snap *ide.Snapshot, name string) (out protocol.Diagnostic, ok bool) {
	n := 0
	for _, x := range snap.Diagnostics() {
		if x.Severity != ide.Error {
			continue
		}
		if n++; n == 1 {
			out.Message = fmt.Sprintf("%s does not compile: %s", name, x.Message)
		}
		out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{Location: s.location(snap, x.Range), Message: x.Message})
	}
	out.Severity, out.Source = protocol.DiagnosticSeverityError, "purecl"
	return out, n > 0
}

// diagnostic converts a diagnostic for the client.
func (s *workspace) diagnostic(u *ide.Snapshot, x *ide.Diagnostic) protocol.Diagnostic {
	out := protocol.Diagnostic{Range: s.linesOf(u, x.File).span(x.Start, x.End, s.encoding), Severity: protocol.DiagnosticSeverity(x.Severity),
		Source: "purecl", Message: x.Message}
	if x.Code != "" {
		out.Code = x.Code
	}
	if x.Unused {
		out.Tags = []protocol.DiagnosticTag{protocol.DiagnosticTagUnnecessary}
	}
	for _, r := range x.Related {
		out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{Location: s.location(u, r.Range), Message: r.Message})
	}
	return out
}

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/purecl/purecl/internal/ide"
	"github.com/purecl/purecl/internal/ide/machine"
	"github.com/purecl/purecl/internal/lsp/protocol"
)

// features answer the client's requests.
type features struct {
	publisher
	formatter string // path of clang-format, "" if there is none
}

// requests are the methods of the client's requests. Each looks up its document at once and returns the remaining
// work.
var requests = map[string]func(s *features, params json.RawMessage) (work, error){
	"textDocument/hover":               (*features).hover,
	"textDocument/completion":          (*features).completion,
	"completionItem/resolve":           (*features).resolveCompletion,
	"textDocument/signatureHelp":       (*features).signatureHelp,
	"textDocument/definition":          (*features).definition,
	"textDocument/typeDefinition":      (*features).typeDefinition,
	"textDocument/references":          (*features).references,
	"textDocument/documentHighlight":   (*features).highlight,
	"textDocument/prepareRename":       (*features).prepareRename,
	"textDocument/rename":              (*features).rename,
	"textDocument/documentSymbol":      (*features).documentSymbol,
	"textDocument/semanticTokens/full": (*features).semanticTokens, "textDocument/semanticTokens/range": (*features).semanticTokens,
	"textDocument/inlayHint":       (*features).inlayHint,
	"textDocument/codeAction":      (*features).codeAction,
	"textDocument/codeLens":        (*features).codeLens,
	"textDocument/formatting":      (*features).formatting,
	"textDocument/rangeFormatting": (*features).formatting,
	"workspace/executeCommand":     (*features).executeCommand,
}

// ExplainCommand is the command that returns the explanation of a diagnostic code as Markdown.
const ExplainCommand = "purecl.explain"

// RunCommand is the client's command to run a kernel. Its arguments are the file's URI and the kernel's name.
const RunCommand = "purecl.run"

// capabilities returns the server's capabilities.
func (s *features) capabilities() protocol.ServerCapabilities {
	format := s.formatter != ""
	return protocol.ServerCapabilities{
		PositionEncoding:          protocol.PositionEncodingKind(s.encoding),
		TextDocumentSync:          protocol.TextDocumentSyncOptions{OpenClose: true, Change: protocol.TextDocumentSyncKindIncremental},
		HoverProvider:             true,
		CompletionProvider:        &protocol.CompletionOptions{TriggerCharacters: []string{".", ">", "\"", "<", "/", "#"}, ResolveProvider: true},
		SignatureHelpProvider:     &protocol.SignatureHelpOptions{TriggerCharacters: []string{"(", ","}},
		DefinitionProvider:        true,
		TypeDefinitionProvider:    true,
		ReferencesProvider:        true,
		DocumentHighlightProvider: true,
		RenameProvider:            protocol.RenameOptions{PrepareProvider: true},
		DocumentSymbolProvider:    true,
		SemanticTokensProvider: protocol.SemanticTokensOptions{
			Legend: protocol.SemanticTokensLegend{TokenTypes: ide.TokenKinds[:], TokenModifiers: ide.TokenFlagNames[:]},
			Full:   true, Range: true,
		},
		InlayHintProvider:               true,
		CodeActionProvider:              protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix}},
		CodeLensProvider:                &protocol.CodeLensOptions{},
		DocumentFormattingProvider:      format,
		DocumentRangeFormattingProvider: format,
		ExecuteCommandProvider:          &protocol.ExecuteCommandOptions{Commands: []string{ExplainCommand}},
	}
}

// A place is an offset in an open document.
type place struct {
	*document
	off int
}

// at decodes the document and position of a request.
func (s *features) at(params json.RawMessage) (place, error) {
	var p protocol.HoverParams // all of these requests have these parameters
	if err := decode(params, &p); err != nil {
		return place{}, err
	}
	d, err := s.opened(p.TextDocument.Uri)
	if err != nil {
		return place{}, err
	}
	return place{d, d.lines.offset(p.Position, s.encoding)}, nil
}

func (s *features) opened(uri string) (*document, error) {
	d := s.docs.get(uri)
	if d == nil {
		return nil, invalid("%s is not open", uri)
	}
	return d, nil
}

// onUnit returns the work of a request for a position. Outside of OpenCL C its result is nil.
func (s *features) onUnit(params json.RawMessage, do func(ctx context.Context, p place, u *unit) (any, error)) (work, error) {
	p, err := s.at(params)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) {
		u, err := p.unitAt(p.off)
		if err != nil || u == nil {
			return nil, err
		}
		return do(ctx, p, u)
	}, nil
}

func markdown(text string) protocol.MarkupContent {
	return protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}
}

func (s *features) hover(params json.RawMessage) (work, error) {
	return s.onUnit(params, func(_ context.Context, p place, u *unit) (any, error) {
		h := u.Hover(p.path, p.off)
		if h == nil {
			return nil, nil
		}
		at := p.lines.span(h.Start, h.End, s.encoding)
		return protocol.Hover{Contents: markdown(h.Text), Range: &at}, nil
	})
}

// completionKinds are the protocol's completion kinds.
var completionKinds = [...]protocol.CompletionItemKind{
	ide.VariableCompletion: protocol.CompletionItemKindVariable, ide.FunctionCompletion: protocol.CompletionItemKindFunction,
	ide.TypeCompletion: protocol.CompletionItemKindClass, ide.StructCompletion: protocol.CompletionItemKindStruct,
	ide.FieldCompletion: protocol.CompletionItemKindField, ide.ConstantCompletion: protocol.CompletionItemKindConstant,
	ide.KeywordCompletion: protocol.CompletionItemKindKeyword, ide.MacroCompletion: protocol.CompletionItemKindText,
	ide.FileCompletion: protocol.CompletionItemKindFile, ide.FolderCompletion: protocol.CompletionItemKindFolder,
	ide.OptionCompletion: protocol.CompletionItemKindValue,
}

// maxItems bounds the completions in a response; the client asks again after more letters.
const maxItems = 300

func (s *features) completion(params json.RawMessage) (work, error) {
	return s.onUnit(params, func(_ context.Context, p place, u *unit) (any, error) {
		list := u.Complete(p.path, p.off)
		list = slices.DeleteFunc(list, func(c ide.Completion) bool { return !fits(c.Label, string(p.text[c.Replace.Start:p.off])) })
		sort.SliceStable(list, func(i, j int) bool { return list[i].Order < list[j].Order })
		out := protocol.CompletionList{Items: []protocol.CompletionItem{}, IsIncomplete: true}
		data, _ := json.Marshal(p.uri)
		for i, c := range list {
			if i == maxItems {
				break
			}
			item := protocol.CompletionItem{Label: c.Label, Kind: completionKinds[c.Kind], Detail: c.Detail, SortText: fmt.Sprintf("%04d", i), Data: data}
			text := c.Text
			if c.Call && s.client.TextDocument.Completion.CompletionItem.SnippetSupport && (p.off >= len(p.text) || p.text[p.off] != '(') {
				text, item.InsertTextFormat = c.Text+"($0)", protocol.InsertTextFormatSnippet
			}
			item.TextEdit = protocol.TextEdit{Range: p.lines.span(c.Replace.Start, c.Replace.End, s.encoding), NewText: text}
			if c.Before != nil {
				item.AdditionalTextEdits = []protocol.TextEdit{{Range: p.lines.span(c.Before.Start, c.Before.End, s.encoding), NewText: c.Before.Text}}
			}
			out.Items = append(out.Items, item)
		}
		return out, nil
	})
}

// fits reports whether the letters of written occur in label in this order, ignoring case, with the first one at
// the start or after an underscore.
func fits(label, written string) bool {
	if written == "" {
		return true
	}
	label, written = strings.ToLower(label), strings.ToLower(written)
	for i := range len(label) {
		if label[i] != written[0] || i > 0 && label[i-1] != '_' && !strings.HasPrefix(label[i:], written) {
			continue
		}
		k := 0
		for j := i; j < len(label) && k < len(written); j++ {
			if label[j] == written[k] {
				k++
			}
		}
		if k == len(written) {
			return true
		}
	}
	return false
}

func (s *features) resolveCompletion(params json.RawMessage) (work, error) {
	var item protocol.CompletionItem
	if err := decode(params, &item); err != nil {
		return nil, err
	}
	var uri string
	_ = json.Unmarshal(item.Data, &uri)
	d := s.docs.get(uri)
	return func(context.Context) (any, error) {
		if d == nil {
			return item, nil
		}
		units, err := d.compiled()
		if err != nil {
			return item, nil // return it unchanged
		}
		for _, u := range units {
			if text := u.Document(item.Label); text != "" {
				item.Documentation = markdown(text)
				break
			}
		}
		return item, nil
	}, nil
}

func (s *features) signatureHelp(params json.RawMessage) (work, error) {
	return s.onUnit(params, func(_ context.Context, p place, u *unit) (any, error) {
		help := u.Signatures(p.path, p.off)
		if help == nil {
			return nil, nil
		}
		out := protocol.SignatureHelp{ActiveParameter: uint32(help.Active)}
		for _, sig := range help.List {
			info := protocol.SignatureInformation{Label: sig.Text, Parameters: []protocol.ParameterInformation{}}
			if sig.Doc != "" {
				info.Documentation = markdown(sig.Doc)
			}
			for _, r := range sig.Params {
				info.Parameters = append(info.Parameters, protocol.ParameterInformation{Label: [2]int{utf16Len(sig.Text[:r[0]]), utf16Len(sig.Text[:r[1]])}})
			}
			out.Signatures = append(out.Signatures, info)
		}
		return out, nil
	})
}

// utf16Len returns the length of a text in UTF-16 units.
func utf16Len(text string) (n int) {
	for _, r := range text {
		n += encoding(protocol.PositionEncodingKindUTF16).width(r, 0)
	}
	return n
}

// locations converts ranges for the client; it never returns nil.
func (s *features) locations(u *ide.Snapshot, list []ide.Range) []protocol.Location {
	out := []protocol.Location{}
	for _, r := range list {
		out = append(out, s.location(u, r))
	}
	return out
}

func (s *features) definition(params json.RawMessage) (work, error) {
	return s.onUnit(params, func(_ context.Context, p place, u *unit) (any, error) {
		return s.locations(u.Snapshot, u.Definition(p.path, p.off)), nil
	})
}

func (s *features) typeDefinition(params json.RawMessage) (work, error) {
	return s.onUnit(params, func(_ context.Context, p place, u *unit) (any, error) {
		return s.locations(u.Snapshot, u.TypeDefinition(p.path, p.off)), nil
	})
}

// symbolKinds are the protocol's symbol kinds.
var symbolKinds = [...]protocol.SymbolKind{
	ide.KernelSymbol: protocol.SymbolKindMethod, ide.FunctionSymbol: protocol.SymbolKindFunction, ide.VariableSymbol: protocol.SymbolKindVariable,
	ide.ConstantSymbol: protocol.SymbolKindConstant, ide.StructSymbol: protocol.SymbolKindStruct, ide.EnumSymbol: protocol.SymbolKindEnum,
	ide.EnumConstantSymbol: protocol.SymbolKindEnumMember, ide.FieldSymbol: protocol.SymbolKindField, ide.TypedefSymbol: protocol.SymbolKindClass,
	ide.MacroSymbol: protocol.SymbolKindString,
}

// document decodes the document of a request for a whole document.
func (s *features) document(params json.RawMessage) (*document, error) {
	var p protocol.DocumentSymbolParams // all of these requests have these parameters
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	return s.opened(p.TextDocument.Uri)
}

// unitsOf returns the units of a document: its own or, for a header, those that include it.
func (d *document) unitsOf() ([]*unit, error) {
	if d.isGo() {
		return d.compiled()
	}
	u, err := d.unitAt(0)
	if err != nil || u == nil {
		return nil, err
	}
	return []*unit{u}, nil
}

func (s *features) documentSymbol(params json.RawMessage) (work, error) {
	d, err := s.document(params)
	if err != nil {
		return nil, err
	}
	return func(context.Context) (any, error) {
		units, err := d.unitsOf()
		if err != nil {
			return nil, err
		}
		out := []protocol.DocumentSymbol{}
		for _, u := range units {
			out = append(out, s.symbols(d, u.Symbols(d.path))...)
		}
		return out, nil
	}, nil
}

func (s *features) symbols(d *document, list []ide.Symbol) (out []protocol.DocumentSymbol) {
	for _, x := range list {
		out = append(out, protocol.DocumentSymbol{Name: x.Name, Detail: x.Detail, Kind: symbolKinds[x.Kind],
			Range: d.lines.span(x.Whole.Start, x.Whole.End, s.encoding), SelectionRange: d.lines.span(x.At.Start, x.At.End, s.encoding),
			Children: s.symbols(d, x.Children)})
	}
	return out
}

// part decodes the document and range of a request. The range defaults to the whole document.
func (s *features) part(params json.RawMessage) (*document, ide.Range, error) {
	var p struct {
		TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
		Range        *protocol.Range                 `json:"range"`
	}
	if err := decode(params, &p); err != nil {
		return nil, ide.Range{}, err
	}
	d, err := s.opened(p.TextDocument.Uri)
	if err != nil {
		return nil, ide.Range{}, err
	}
	r := ide.Range{File: d.path, Start: 0, End: len(d.text)}
	if p.Range != nil {
		r.Start, r.End = d.lines.offset(p.Range.Start, s.encoding), d.lines.offset(p.Range.End, s.encoding)
	}
	return d, r, nil
}

func (s *features) semanticTokens(params json.RawMessage) (work, error) {
	d, part, err := s.part(params)
	if err != nil {
		return nil, err
	}
	return func(context.Context) (any, error) {
		units, err := d.unitsOf()
		if err != nil {
			return nil, err
		}
		out := protocol.SemanticTokens{Data: []uint32{}}
		var last protocol.Position
		for _, u := range units {
			for _, t := range u.Tokens(part) {
				s.eachLine(d, t, func(at protocol.Range) {
					line, column := at.Start.Line-last.Line, at.Start.Character
					if line == 0 {
						column -= last.Character
					}
					out.Data = append(out.Data, line, column, at.End.Character-at.Start.Character, uint32(t.Kind), uint32(t.Flags))
					last = at.Start
				})
			}
		}
		return out, nil
	}, nil
}

// eachLine calls do with the range of a token on each line.
func (s *features) eachLine(d *document, t ide.Token, do func(protocol.Range)) {
	for from := t.Start; from < t.End; {
		to := from
		for to < t.End && d.text[to] != '\n' && d.text[to] != '\r' {
			to++
		}
		if to > from {
			do(d.lines.span(from, to, s.encoding))
		}
		for to < t.End && (d.text[to] == '\n' || d.text[to] == '\r') {
			to++
		}
		from = to
	}
}

// machineHints are the hints about a document's machine code for a level, computed once.
type machineHints struct {
	once sync.Once
	done chan struct{}
	list []ide.Hint
}

func (s *features) inlayHint(params json.RawMessage) (work, error) {
	d, part, err := s.part(params)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) {
		units, err := d.unitsOf()
		if err != nil {
			return nil, err
		}
		settings := s.settings()
		out := []protocol.InlayHint{}
		add := func(h ide.Hint) {
			if h.At.File != d.path || h.At.Start < part.Start || h.At.Start > part.End {
				return
			}
			out = append(out, protocol.InlayHint{Position: d.lines.position(h.At.Start, s.encoding), Label: h.Text, Tooltip: markdown(h.Doc),
				PaddingLeft: h.After, PaddingRight: !h.After})
		}
		for _, u := range units {
			if settings.Conversions {
				for _, h := range u.Conversions(part) {
					add(h)
				}
			}
		}
		if (settings.Accesses || settings.Spills) && !d.isGo() && len(units) == 1 && units[0].Name == d.path {
			for _, h := range s.machineHints(ctx, d, units[0], settings) {
				if h.After && settings.Spills || !h.After && settings.Accesses {
					add(h)
				}
			}
		}
		return out, nil
	}, nil
}

// machineHints returns the hints about a document's machine code. If the client supports refresh requests, it
// returns nil while they are being computed.
func (s *features) machineHints(ctx context.Context, d *document, u *unit, settings Settings) []ide.Hint {
	lv, err := machine.Level(settings.Level)
	if err != nil || !u.Clean() {
		return nil
	}
	d.mu.Lock()
	h := d.hints[lv.Name]
	if h == nil {
		h = &machineHints{done: make(chan struct{})}
		if d.hints == nil {
			d.hints = map[string]*machineHints{}
		}
		d.hints[lv.Name] = h
	}
	d.mu.Unlock()
	refresh := s.client.Workspace.InlayHint.RefreshSupport
	h.once.Do(func() {
		s.later(func() {
			func() {
				defer close(h.done) // before the refresh request
				defer s.survive("machine code of " + d.uri)
				h.list, _ = machine.Hints(d.ctx, u.Snapshot, lv) // without code there are no hints
			}()
			if refresh && d.ctx.Err() == nil && len(h.list) > 0 {
				_ = s.ask("workspace/inlayHint/refresh", nil, nil)
			}
		})
	})
	select {
	case <-h.done:
		return h.list
	default:
	}
	if refresh {
		return nil
	}
	select {
	case <-h.done:
		return h.list
	case <-ctx.Done():
	case <-d.ctx.Done():
	}
	return nil
}

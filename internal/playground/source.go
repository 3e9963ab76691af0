package playground

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ide"
	"github.com/purecl/purecl/internal/run/argument"
	"github.com/purecl/purecl/internal/run/program"
)

// maxSource bounds the source text, in bytes.
const maxSource = 4 << 20

// A Source is a text with the page's build options, which follow those in its comments.
type Source struct {
	Text    string `json:"text"`
	Options string `json:"options"`
}

// check rejects texts that would take too long.
func (s *Source) check() error {
	if len(s.Text) > maxSource {
		return fmt.Errorf("the source has %d bytes; the playground takes %d MiB at most", len(s.Text), maxSource>>20)
	}
	return nil
}

func (s *Source) options() string {
	return strings.TrimSpace(ide.CommentOptions([]byte(s.Text)) + " " + s.Options)
}

// A sourceCache keeps the results for the latest source: requests come in groups for one text.
type sourceCache struct {
	of       Source
	snapshot *ide.Snapshot
	units    *units

	built   buildKey
	program *program.Module
}

// A buildKey is the key of a compiled program.
type buildKey struct {
	Source
	watched, plain bool
}

// snapshot returns the snapshot of a source.
func (p *Playground) snapshot(s *Source) (*ide.Snapshot, *units, error) {
	if err := s.check(); err != nil {
		return nil, nil, err
	}
	c := &p.source
	if c.snapshot == nil || c.of != *s {
		snap, err := ide.New(context.Background(), FileName, []byte(s.Text), ide.Options{Build: []ide.Build{{Options: s.options()}}})
		if err != nil {
			return nil, nil, err
		}
		c.of, c.snapshot, c.units = *s, snap, newUnits(s.Text)
	}
	return c.snapshot, c.units, nil
}

// build compiles a source: watched for launches with checks, plain without optimisations.
func (p *Playground) build(s *Source, watched, plain bool) (*program.Module, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	c, key := &p.source, buildKey{*s, watched, plain}
	if c.program != nil && c.built == key {
		return c.program, nil
	}
	opts, err := buildOptions(s.options(), plain)
	if err != nil {
		return nil, err
	}
	m, err := program.Compile(program.Source{Name: FileName, Text: s.Text, FS: embed.FS{}, Watched: watched}, opts)
	var be *program.Error
	if errors.As(err, &be) {
		return nil, errors.New(strings.TrimPrefix(be.Error(), "purecl: "))
	}
	if err != nil {
		return nil, err
	}
	c.built, c.program = key, m
	return m, nil
}

func buildOptions(text string, plain bool) (*option.Build, error) {
	o, err := option.ParseArgs(nil, text)
	if err != nil {
		var oe *option.Error
		if errors.As(err, &oe) && oe.Hint != "" {
			return nil, fmt.Errorf("build option '%s': %s; did you mean '%s'?", oe.Option, oe.Reason, oe.Hint)
		}
		return nil, fmt.Errorf("build options: %w", err)
	}
	o.OptDisable = o.OptDisable || plain
	o.ReadFile = noFiles
	return o, nil
}

// noFiles is a reader for sources without include files.
func noFiles(string) ([]byte, error) { return nil, fs.ErrNotExist }

// A Place is a range of the source.
type Place struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// A Diagnostic is an error or warning.
type Diagnostic struct {
	Place
	Severity string    `json:"severity"` // "error", "warning" or "info"
	Code     string    `json:"code"`
	Message  string    `json:"message"`
	Related  []Related `json:"related,omitempty"`
	Fix      *Edit     `json:"fix,omitempty"`
}

// A Related is a secondary position of a diagnostic.
type Related struct {
	Place
	Message string `json:"message"`
}

// An Edit replaces a part of the source.
type Edit struct {
	Place
	Text string `json:"text"`
}

// A Token is a name with its kind, for colours.
type Token struct {
	Place
	Kind string `json:"kind"`
}

var severities = [...]string{ide.Error: "error", ide.Warning: "warning", ide.Information: "info"}

func (p *Playground) diagnose(s *Source, _ map[string][]byte) (Reply, error) {
	snap, u, err := p.snapshot(s)
	if err != nil {
		return Reply{}, err
	}
	list := []Diagnostic{}
	for _, x := range snap.Diagnostics() {
		y := Diagnostic{Place: u.place(x.Range), Severity: severities[x.Severity], Code: x.Code, Message: x.Message}
		for _, r := range x.Related {
			if r.File == FileName {
				y.Related = append(y.Related, Related{u.place(r.Range), r.Message})
			}
		}
		if x.Fix != nil && x.Fix.File == FileName {
			y.Fix = &Edit{u.place(x.Fix.Range), x.Fix.Text}
		}
		list = append(list, y)
	}
	return Reply{Value: list}, nil
}

// tokens returns the source's tokens. It is slower than diagnose: the page shows colours after diagnostics.
func (p *Playground) tokens(s *Source, _ map[string][]byte) (Reply, error) {
	snap, u, err := p.snapshot(s)
	if err != nil {
		return Reply{}, err
	}
	list := []Token{}
	for _, t := range snap.Tokens(ide.Range{File: FileName, Start: 0, End: len(snap.Text)}) {
		list = append(list, Token{u.place(t.Range), ide.TokenKinds[t.Kind]})
	}
	return Reply{Value: list}, nil
}

// A Position is a request for an offset of a source.
type Position struct {
	Source
	At int `json:"at"`
}

// A Hover is the description of a position, as Markdown.
type Hover struct {
	Place
	Text string `json:"text"`
}

func (p *Playground) hover(at *Position, _ map[string][]byte) (Reply, error) {
	snap, u, err := p.snapshot(&at.Source)
	if err != nil {
		return Reply{}, err
	}
	h := snap.Hover(FileName, u.bytes(at.At))
	if h == nil {
		return Reply{}, nil
	}
	return Reply{Value: Hover{u.place(h.Range), h.Text}}, nil
}

// A Completion is a text that can be inserted.
type Completion struct {
	Label  string `json:"label"`
	Kind   string `json:"kind"`
	Detail string `json:"detail,omitempty"`
	Edit          // of the word being written
	Order  int    `json:"order"`
	Before *Edit  `json:"before,omitempty"`
	Call   bool   `json:"call,omitempty"`
}

// completionKinds are the names of kinds for which CodeMirror has icons.
var completionKinds = map[ide.CompletionKind]string{ide.VariableCompletion: "variable", ide.FunctionCompletion: "function", ide.TypeCompletion: "type", ide.StructCompletion: "class",
	ide.FieldCompletion: "property", ide.ConstantCompletion: "constant", ide.KeywordCompletion: "keyword", ide.MacroCompletion: "constant", ide.FileCompletion: "text", ide.FolderCompletion: "text", ide.OptionCompletion: "text"}

func (p *Playground) complete(at *Position, _ map[string][]byte) (Reply, error) {
	snap, u, err := p.snapshot(&at.Source)
	if err != nil {
		return Reply{}, err
	}
	list := []Completion{}
	for _, c := range snap.Complete(FileName, u.bytes(at.At)) {
		y := Completion{Label: c.Label, Kind: completionKinds[c.Kind], Detail: c.Detail, Edit: Edit{u.place(c.Replace), c.Text}, Order: c.Order, Call: c.Call}
		if c.Before != nil {
			y.Before = &Edit{u.place(c.Before.Range), c.Before.Text}
		}
		list = append(list, y)
	}
	return Reply{Value: list}, nil
}

// A Kernel is a kernel of the source.
type Kernel struct {
	Name  string  `json:"name"`
	Args  []Param `json:"args"`
	Alone string  `json:"alone,omitempty"` // reason why it must run on one worker
}

// A Param is a parameter of a kernel.
type Param struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Kind     string `json:"kind"`  // "value", "buffer", "local", "image", "sampler" or "struct"
	Elem     string `json:"elem"`  // of values and buffers: the component type, "" for structs
	Lanes    int    `json:"lanes"` // components
	Writable bool   `json:"writable"`
	Default  string `json:"default"` // a suitable argument
}

// kernels returns the kernels of a source that compiles.
func (p *Playground) kernels(s *Source, _ map[string][]byte) (Reply, error) {
	snap, _, err := p.snapshot(s)
	if err != nil {
		return Reply{}, err
	}
	if !snap.Clean() {
		return Reply{}, errors.New("the source has errors")
	}
	m, err := p.build(s, false, false)
	if err != nil {
		return Reply{}, err
	}
	list := []Kernel{}
	for _, name := range program.Kernels(m.Module.Module) {
		f := m.Func(name)
		k := Kernel{Name: name, Args: []Param{}, Alone: alone(f)}
		for _, a := range argument.Params(f) {
			k.Args = append(k.Args, describe(&a))
		}
		list = append(list, k)
	}
	return Reply{Value: list}, nil
}

// A Code names a diagnostic.
type Code struct {
	Code string `json:"code"`
}

func (p *Playground) explain(c *Code, _ map[string][]byte) (Reply, error) {
	text := ide.Explain(strings.TrimPrefix(strings.Trim(strings.TrimSpace(c.Code), "[]"), "-W"))
	if text == "" {
		return Reply{}, fmt.Errorf("there is no code %q; the codes stand in brackets behind diagnostics, such as [out-of-bounds]", c.Code)
	}
	return Reply{Value: text}, nil
}

// units converts offsets between bytes and UTF-16 code units.
type units struct {
	text string
	at   []int32 // code units before each byte; nil if the text is ASCII
}

func newUnits(text string) *units {
	u := &units{text: text}
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return u
	}
	u.at = make([]int32, len(text)+1)
	n := int32(0)
	for i, r := range text {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		for k := range size {
			u.at[i+k] = n
		}
		if n++; r > 0xFFFF {
			n++
		}
	}
	u.at[len(text)] = n
	return u
}

// units returns the number of code units before a byte offset.
func (u *units) units(off int) int {
	off = min(max(off, 0), len(u.text))
	if u.at == nil {
		return off
	}
	return int(u.at[off])
}

// bytes returns the byte offset after a number of code units.
func (u *units) bytes(n int) int {
	if u.at == nil {
		return min(max(n, 0), len(u.text))
	}
	lo, hi := 0, len(u.text)
	for lo < hi {
		if mid := (lo + hi) / 2; int(u.at[mid]) < n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (u *units) place(r ide.Range) Place { return Place{u.units(r.Start), u.units(r.End)} }

// lineOf returns the line number of a byte offset, from 1.
func lineOf(text string, off int) int {
	return 1 + bytes.Count([]byte(text[:min(max(off, 0), len(text))]), []byte("\n"))
}

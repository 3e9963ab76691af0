package ide

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/token"
)

// Options are the options of a snapshot.
type Options struct {
	// Build lists build options, in order.
	Build []Build
	// ReadFile reads an included file, like option.Source.ReadFile; nil means that there are no files.
	ReadFile func(name string) ([]byte, error)
	// ListDir returns the names in a directory, with a final slash for directories, for completions of include
	// paths; nil means no completions.
	ListDir func(name string) []string
}

// A Build is a text of build options, in clBuildProgram's syntax. Relative -I directories are relative to Dir if
// that is not empty.
type Build struct {
	Options string
	Dir     string
}

// A Range is a range of bytes in a file; the end is exclusive.
type Range struct {
	File       string
	Start, End int
}

// IsValid reports whether the range is not the zero Range.
func (r Range) IsValid() bool { return r.File != "" }

// Contains reports whether an offset is in the range or at its end.
func (r Range) Contains(off int) bool { return r.Start <= off && off <= r.End }

// A Snapshot is a source file at one moment, with its included files.
type Snapshot struct {
	Name string
	Text []byte

	opts    Options
	compile *compile.Options
	badOpts *Diagnostic

	diagnosed *compile.Result
	failure   error // the compiler's error

	once sync.Once
	view
}

// A view is the result of the error-tolerant compilation.
type view struct {
	src     *diag.Source
	main    *diag.File
	toks    []token.Token
	tree    *syntax.File
	info    *check.Info
	record  *preprocess.Record
	scopes  []span    // blocks, functions and loops
	refs    fileIndex // of all files
	crashed error     // an internal error; the view has the results before it

	nestOnce sync.Once // guards nested
	nested   scopes    // scopes, as parts of files
}

// New compiles a file for its diagnostics. The error is the context's.
func New(ctx context.Context, name string, text []byte, opts Options) (*Snapshot, error) {
	s := &Snapshot{Name: name, Text: text, opts: opts}
	co, err := parseBuild(opts.Build)
	if err != nil {
		s.badOpts = &Diagnostic{Range: Range{name, 0, 0}, Severity: Error, Code: "build-options", Message: err.Error()}
		co = &compile.Options{}
	}
	co.Source.ReadFile = opts.ReadFile
	co.Until = compile.Check
	co.KeepProgram = false
	s.compile = co
	res, err := compile.Compile(ctx, name, text, co)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.diagnosed = res
	var list *diag.List
	if err != nil && !errors.As(err, &list) {
		s.failure = err
	}
	return s, nil
}

// parseBuild parses build options, with the directories of each part relative to its own Dir.
func parseBuild(parts []Build) (*compile.Options, error) {
	var words []string
	var dirs []string
	for _, p := range parts {
		o, err := compile.ParseOptions(p.Options)
		if err != nil {
			return nil, err
		}
		words = append(words, p.Options)
		for _, d := range o.Source.IncludeDirs {
			if p.Dir != "" && !path.IsAbs(d) && !(len(d) > 1 && d[1] == ':') {
				d = path.Join(p.Dir, d)
			}
			dirs = append(dirs, d)
		}
	}
	o, err := compile.ParseOptions(strings.Join(words, " "))
	if err != nil {
		return nil, err
	}
	o.Source.IncludeDirs = dirs
	return o, nil
}

// CompileOptions returns the options to compile the file to code.
func (s *Snapshot) CompileOptions() *compile.Options {
	o := *s.compile
	o.Until = compile.All
	return &o
}

// Clean reports whether the file has no errors, so that code can be generated.
func (s *Snapshot) Clean() bool {
	if s.badOpts != nil || s.failure != nil {
		return false
	}
	for _, d := range s.diagnosed.Diags {
		if d.Severity >= diag.Error {
			return false
		}
	}
	return true
}

// inspect runs the error-tolerant compilation once.
func (s *Snapshot) inspect() *view {
	s.once.Do(func() {
		defer fpenv.Enter().Leave() // the compiler folds floating-point constants
		s.view.fill(s)
		s.refs = newIndex(&s.view)
	})
	return &s.view
}

// fill preprocesses, parses and checks. If a step panics, the results of the earlier steps remain.
func (v *view) fill(s *Snapshot) {
	v.src = diag.NewSource()
	v.info, v.record, v.tree = &check.Info{}, &preprocess.Record{}, &syntax.File{}
	defer func() {
		if r := recover(); r != nil {
			v.crashed = fmt.Errorf("%v\n%s", r, debug.Stack())
		}
	}()
	var ok bool
	if v.main, ok = v.src.AddFile(s.Name, s.Text, 0); !ok {
		return
	}
	opts := s.compile.Source
	rep := diag.NewReporter(v.src, diag.Config{NoWarnings: true, MaxErrors: -1})
	unit := (&preprocess.Memory{Record: v.record}).Run(v.src, v.main, &opts, rep)
	v.toks = unit.Tokens
	v.tree = new(syntax.Memory).Parse(v.src, unit, &opts, rep)
	v.scopes = scopesOf(v.tree)
	check.Inspect(v.tree, v.src, &opts, rep, v.info)
}

// InternalError returns the compiler's internal error for the file, or nil.
func (s *Snapshot) InternalError() error {
	if err := s.inspect().crashed; err != nil {
		return err
	}
	return s.failure
}

// Files returns the names of the snapshot's files, the source file first.
func (s *Snapshot) Files() []string {
	names := []string{s.Name}
	for _, i := range s.inspect().record.Includes {
		if i.Found != "" && !contains(names, i.Found) {
			names = append(names, i.Found)
		}
	}
	return names
}

// FileText returns the text of a file of the snapshot, nil for another file.
func (s *Snapshot) FileText(name string) []byte {
	if name == s.Name {
		return s.Text
	}
	for p := diag.Pos(1); ; {
		f, _ := s.inspect().src.File(p)
		if f == nil {
			break
		}
		if f.Name == name {
			return f.Src
		}
		p = f.Pos(len(f.Src)) + 1
	}
	for _, r := range s.refs.files {
		if r.file.Name == name {
			return r.file.Src
		}
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// rangeOf returns the range in a file of a span. For text from a macro it is the invocation's.
func rangeOf(src *diag.Source, sp diag.Span) Range {
	at := src.FileSpan(sp)
	f, off := src.File(at.Pos)
	if f == nil || synthetic(f.Name) {
		return Range{}
	}
	end := min(off+int(at.End-at.Pos), len(f.Src))
	if sp.End <= sp.Pos { // a position between tokens
		end = off
	}
	return Range{f.Name, min(off, end), end}
}

// synthetic reports whether a file name denotes text of the compiler.
func synthetic(name string) bool { return strings.HasPrefix(name, "<") && strings.HasSuffix(name, ">") }

// word returns the identifier around an offset of a text and its range.
func word(text []byte, off int) (string, int, int) {
	if off < 0 || off > len(text) {
		return "", off, off
	}
	from, to := off, off
	for from > 0 && isWord(text[from-1]) {
		from--
	}
	for to < len(text) && isWord(text[to]) {
		to++
	}
	return string(text[from:to]), from, to
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Depends reports whether a change of a file could change the snapshot: the file is included, or has the name of a
// header that was not found.
func (s *Snapshot) Depends(file string) bool {
	for _, i := range s.inspect().record.Includes {
		if i.Found == file || i.Found == "" && path.Base(i.Name) == path.Base(file) {
			return true
		}
	}
	return false
}

package diag

import (
	"bytes"
	"fmt"
	"sort"
	"sync"
)

// A Pos is a position in a Source: a byte of a file, or a byte of a token that a
// macro expansion produced. Positions of one token are consecutive, so Pos+len is
// the token's end in both cases. 0 is no position.
type Pos uint32

// IsValid reports whether p is a position.
func (p Pos) IsValid() bool { return p != 0 }

// A Span is the half-open range of positions [Pos, End).
type Span struct{ Pos, End Pos }

// Join returns the smallest span that covers s and t; an invalid one is ignored.
func (s Span) Join(t Span) Span {
	if !s.Pos.IsValid() {
		return t
	}
	if !t.Pos.IsValid() {
		return s
	}
	return Span{s.Pos, t.End}
}

// IsValid reports whether the span has a position.
func (s Span) IsValid() bool { return s.Pos.IsValid() }

// A File is one source text.
type File struct {
	Name    string
	Src     []byte
	Include Pos // of the #include directive that includes it; 0 for a main file
	base    Pos
	once    sync.Once // guards lines
	lines   []uint32  // offsets of line starts, computed on first use
	remaps  []remap   // #line directives in order of offset
	config  *Config   // the build options for diagnostics
}

type remap struct {
	off  uint32 // from the line after this offset on …
	line int    // … lines count from here
	name string
}

// A Body is the common part of a macro's expansions: its name, the position of its definition and its replacement
// tokens. The expansions of an object-like macro share one Body; each invocation of a function-like macro has its
// own.
type Body struct {
	Macro  string
	Def    Span     // of the #define from the macro's name on; zero for a built-in macro
	Starts []uint32 // offset of each token from the expansion's first position, ascending
	Spell  []Pos    // position at which each token was spelled: inside Def or, for an argument, at the call
}

// An Expansion is one macro invocation.
type Expansion struct {
	Macro string // the macro's name
	Def   Pos    // of the name in its #define; 0 for a built-in macro
	Call  Span   // the invocation: name, and arguments where it has them
	Arg   bool   // the requested position comes from an argument, not from the definition
}

// An entry is a range of the position space: a file or an expansion.
type entry struct {
	base Pos
	call Span
	file *File
	body *Body
}

// A Source holds every file and macro expansion of a compilation and resolves positions in them. Several goroutines
// may read it once nothing is added to it.
type Source struct {
	entries []entry
	next    Pos
	config  *Config              // of files added later, never nil
	points  map[Pos][]levelPoint // positions at which pragmas change them, by entry, in order
}

// NewSource returns an empty Source.
func NewSource() *Source { return &Source{next: 1, config: &Config{}} }

// AddFile adds a file and returns it; its bytes occupy the next len(src)+1 positions. ok is false if the
// position space (4 GiB) is exhausted.
func (s *Source) AddFile(name string, src []byte, include Pos) (f *File, ok bool) {
	if uint64(s.next)+uint64(len(src))+1 > 1<<32-1 {
		return nil, false
	}
	f = &File{Name: name, Src: src, Include: include, base: s.next, config: s.config}
	s.entries = append(s.entries, entry{base: s.next, file: f})
	s.next += Pos(len(src)) + 1
	return f, true
}

// AddExpansion adds an invocation, at call, of the macro that body describes. The expansion occupies size
// positions; token i of it starts at base+body.Starts[i]. ok is false if the position space is exhausted.
func (s *Source) AddExpansion(body *Body, call Span, size uint32) (base Pos, ok bool) {
	if uint64(s.next)+uint64(size)+1 > 1<<32-1 {
		return 0, false
	}
	base = s.next
	s.entries = append(s.entries, entry{base: base, call: call, body: body})
	s.next += Pos(size) + 1
	return base, true
}

// Pos returns the position of the byte at offset off.
func (f *File) Pos(off int) Pos { return f.base + Pos(off) }

// SetLine records a #line directive that ends at offset off: the following line has number line and, unless
// name is empty, belongs to the file name.
func (f *File) SetLine(off, line int, name string) {
	if name == "" {
		name = f.Name
		if n := len(f.remaps); n > 0 {
			name = f.remaps[n-1].name
		}
	}
	f.remaps = append(f.remaps, remap{uint32(off), line, name})
}

func (s *Source) find(p Pos) *entry {
	if p == 0 || p >= s.next {
		return nil
	}
	i := sort.Search(len(s.entries), func(i int) bool { return s.entries[i].base > p }) - 1
	if i < 0 {
		return nil
	}
	return &s.entries[i]
}

// spelled returns the position at which position p of the expansion e was spelled, and whether that is in an
// argument.
func (e *entry) spelled(p Pos) (q Pos, arg bool) {
	b, off := e.body, uint32(p-e.base)
	i := sort.Search(len(b.Starts), func(i int) bool { return b.Starts[i] > off }) - 1
	if i < 0 {
		return e.call.Pos, true
	}
	q = b.Spell[i]
	arg = q < b.Def.Pos || q >= b.Def.End
	return q + Pos(off-b.Starts[i]), arg
}

// Expansion returns the macro expansion that contains p and the position at which the byte was spelled, or nil
// and p if p is in a file.
func (s *Source) Expansion(p Pos) (*Expansion, Pos) {
	e := s.find(p)
	if e == nil || e.file != nil {
		return nil, p
	}
	q, arg := e.spelled(p)
	return &Expansion{Macro: e.body.Macro, Def: e.body.Def.Pos, Call: e.call, Arg: arg}, q
}

// Outermost returns the position in a file for p: p itself; for a position in a macro argument the argument's
// position; else the beginning of the outermost macro invocation that produced p.
func (s *Source) Outermost(p Pos) Pos {
	for {
		e := s.find(p)
		if e == nil || e.file != nil {
			return p
		}
		if q, arg := e.spelled(p); arg {
			p = q
		} else {
			p = e.call.Pos
		}
	}
}

// FileSpan returns the part of one file for the span sp, resolved like Outermost. It is at least one byte wide.
func (s *Source) FileSpan(sp Span) Span {
	if !sp.Pos.IsValid() {
		return sp
	}
	begin, end := s.Outermost(sp.Pos), sp.End
	if end > sp.Pos {
		for end--; ; {
			e := s.find(end)
			if e == nil {
				break
			}
			if e.file != nil {
				end++
				break
			}
			if q, arg := e.spelled(end); arg {
				end = q
			} else {
				end = e.call.End - 1
			}
		}
	}
	if f, _ := s.File(begin); f == nil || end <= begin || end > f.Pos(len(f.Src)) {
		end = begin + 1
	}
	return Span{begin, end}
}

// Spelling returns the position in a file at which the text at p was spelled.
func (s *Source) Spelling(p Pos) Pos {
	for {
		x, q := s.Expansion(p)
		if x == nil {
			return p
		}
		p = q
	}
}

// File returns the file that contains the file position p and its offset there, or nil.
func (s *Source) File(p Pos) (*File, int) {
	e := s.find(p)
	if e == nil || e.file == nil {
		return nil, 0
	}
	return e.file, int(p - e.base)
}

// A Location is a position for display: line and column count from 1, the column in bytes.
type Location struct {
	File   string
	Line   int
	Column int
}

// String returns "file:line:column", "" of the zero Location.
func (l Location) String() string {
	if l.Line == 0 {
		return l.File
	}
	return fmt.Sprintf("%s:%d:%d", l.File, l.Line, l.Column)
}

// Location resolves p as Outermost does. #line directives are honoured.
func (s *Source) Location(p Pos) Location {
	f, off := s.File(s.Outermost(p))
	if f == nil {
		return Location{}
	}
	return f.location(off)
}

func (f *File) location(off int) Location {
	line, col := f.LineCol(off)
	i := sort.Search(len(f.remaps), func(i int) bool { return int(f.remaps[i].off) > off }) - 1
	if i < 0 {
		return Location{f.Name, line, col}
	}
	r := f.remaps[i]
	at, _ := f.LineCol(int(r.off))
	if at == line { // the rest of the directive's own line
		if i--; i < 0 {
			return Location{f.Name, line, col}
		}
		r = f.remaps[i]
		at, _ = f.LineCol(int(r.off))
	}
	return Location{r.name, r.line + line - at - 1, col}
}

// LineCol returns the physical line and the byte column, both from 1, of offset off.
func (f *File) LineCol(off int) (line, col int) {
	f.index()
	i := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > uint32(off) }) - 1
	return i + 1, off - int(f.lines[i]) + 1
}

// Line returns the text of physical line n (from 1) without its line end.
func (f *File) Line(n int) []byte {
	f.index()
	if n < 1 || n > len(f.lines) {
		return nil
	}
	b := f.Src[f.lines[n-1]:]
	if n < len(f.lines) {
		b = b[:f.lines[n]-f.lines[n-1]]
	}
	return bytes.TrimRight(b, "\r\n")
}

func (f *File) index() {
	f.once.Do(func() {
		f.lines = append(f.lines, 0)
		for i, c := range f.Src {
			if c == '\n' || c == '\r' && (i+1 == len(f.Src) || f.Src[i+1] != '\n') {
				f.lines = append(f.lines, uint32(i)+1)
			}
		}
	})
}

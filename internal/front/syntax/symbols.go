package syntax

import (
	"sync"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/token"
)

// A symbol is the current meaning of an identifier in the parser.
type symbol struct {
	kind    token.Kind // Ident or a keyword
	meaning meaning
}

// namesType reports whether the identifier names a type or is a word of a type's name.
func (s symbol) namesType() bool {
	return s.kind == token.Ident && s.meaning >= typeName || s.kind == kwImage || kindClass[s.kind]&clsWord != 0
}

// A meaning is the class of an identifier's current meaning, as far as the grammar depends on it (the typedef-name
// problem, C99 6.7.7).
type meaning uint8

const (
	undeclared meaning = iota
	ordinary           // object, function, enumeration constant
	typeName
	vectorType // a type name that is known to be a vector type
)

// symbols keeps the scopes of identifiers' meanings.
type symbols struct {
	names *token.Names
	list  []symbol // by Sym; [0] is unused
	std   opencl.Version
	undo  []rebinding // of all open scopes
}

type rebinding struct {
	sym Sym
	old meaning
}

// begin initialises the meanings of a unit's identifiers for a version of the language.
func (y *symbols) begin(names *token.Names, std opencl.Version) {
	y.names, y.std, y.list, y.undo = names, std, append(y.list[:0], symbol{}), y.undo[:0]
	y.extend()
}

// extend initialises the meanings of new identifiers in names.
func (y *symbols) extend() {
	v := vocabulary()
	for n := len(y.list); n < y.names.Len(); n++ {
		s := symbol{kind: token.Ident}
		if w := v.Find(y.names.At(uint32(n))); w != nil && w.since <= y.std {
			s = w.symbol
		}
		y.list = append(y.list, s)
	}
}

// open begins a scope and returns the argument for the close that ends it.
func (y *symbols) open() int { return len(y.undo) }

func (y *symbols) close(mark int) {
	for i := len(y.undo) - 1; i >= mark; i-- {
		y.list[y.undo[i].sym].meaning = y.undo[i].old
	}
	y.undo = y.undo[:mark]
}

// declare sets the meaning of sym until the current scope ends.
func (y *symbols) declare(sym Sym, m meaning) {
	s := &y.list[sym]
	if s.meaning != m {
		y.undo = append(y.undo, rebinding{sym, s.meaning})
		s.meaning = m
	}
}

// types returns every visible type name, builtin and declared, and the words of the basic types: the candidates for
// a misspelled type.
func (y *symbols) types() []string {
	var out []string
	add := func(name string, s symbol) {
		if s.namesType() && name[0] != '_' {
			out = append(out, name)
		}
	}
	v := vocabulary()
	v.All(func(name string, w *languageWord) {
		if n := y.names.Find(name); n != 0 { // it may be hidden
			add(name, y.list[n])
		} else if w.since <= y.std {
			add(name, w.symbol)
		}
	})
	for n := 1; n < len(y.list); n++ {
		if name, hash := y.names.At(uint32(n)); v.Find(name, hash) == nil {
			add(name, y.list[n])
		}
	}
	return out
}

// A languageWord is a keyword or a predeclared type name.
type languageWord struct {
	symbol
	since opencl.Version
}

// vocabulary returns all words of all versions.
var vocabulary = sync.OnceValue(func() *token.Dictionary[languageWord] {
	d := &token.Dictionary[languageWord]{}
	add := func(name string, kind token.Kind, m meaning, since opencl.Version) {
		d.Add(name, languageWord{symbol{kind, m}, since})
	}
	for _, of := range [...]struct {
		since    opencl.Version
		keywords []keyword
	}{{0, keywords}, {opencl.CL20, keywordsSince20}} {
		for _, k := range of.keywords {
			for _, s := range k.names {
				add(s, k.kind, undeclared, of.since)
			}
		}
	}
	for i := range opencl.TypeNames {
		t := &opencl.TypeNames[i]
		add(t.Name, token.Ident, typeName, t.Since)
	}
	for i := range opencl.ImageTypes {
		add(opencl.ImageTypes[i].Name, kwImage, undeclared, 0)
	}
	for s := opencl.Char; s < opencl.NumScalars; s++ {
		for _, n := range opencl.VectorLengths {
			add(s.String()+opencl.VectorSuffixes[n], token.Ident, vectorType, 0)
		}
	}
	for _, s := range [...]opencl.Scalar{opencl.UChar, opencl.UShort, opencl.UInt, opencl.ULong} { // the others are keywords
		add(s.String(), token.Ident, typeName, 0)
	}
	return d
})

// Words calls f for each keyword and predeclared type name of a version of the language; isType is set if it is a
// type's name or a word of one.
func Words(std opencl.Version, f func(word string, isType bool)) {
	vocabulary().All(func(text string, w *languageWord) {
		if w.since <= std.OrDefault() && w.kind != kwForeign {
			f(text, w.namesType())
		}
	})
}

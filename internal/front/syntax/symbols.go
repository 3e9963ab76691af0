package syntax

import (
	"math/rand/v2"
	"sync"

	"github.com/purecl/purecl/internal/base/opencl"
)

// A symbol is an identifier of the translation unit: what it means to the preprocessor,
// and to the parser at the current point of the program.
type symbol struct {
	name    string
	hash    uint32
	predef  int16 // row of ppPredefined + 1 that is still to be defined, or 0
	poison  bool
	kind    Kind // Ident or a keyword
	meaning meaning
	macro   *ppMacro
}

// A meaning is what an identifier stands for at a point of the program, as far as the
// grammar depends on it (the typedef-name problem, C99 6.7.7).
type meaning uint8

const (
	undeclared meaning = iota
	ordinary           // object, function, enumeration constant
	typeName
	vectorType // a type name that is known to be a vector type
)

// symbols interns identifiers, by open addressing, and keeps the scopes of their
// meanings. A name's meaning in the language (keyword, builtin, attribute) is looked up when the
// name first occurs, so that a unit pays for no other names.
type symbols struct {
	list  []symbol // by Sym; [0] is none
	slots []uint32 // numbers, at the places that hashes say; a power of two long
	std   opencl.Version
	undo  []rebinding // of all open scopes
}

type rebinding struct {
	sym Sym
	old meaning
}

const minSlots = 256

// begin empties the table, for a unit in a version of the language.
func (y *symbols) begin(std opencl.Version) {
	if cap(y.slots) == 0 {
		y.list, y.slots = make([]symbol, 1, minSlots/2), make([]uint32, minSlots)
	}
	y.list, y.slots = y.list[:1], y.slots[:minSlots]
	clear(y.slots)
	y.std, y.undo = std, y.undo[:0]
}

// Hash of an identifier: FNV-1a, folded into the scan of its characters. It starts anew in
// each process: names that are made to have one hash would make of each look-up a search.
var hashInit = rand.Uint32()

const hashPrime = 16777619

func hashOf(s string) uint32 {
	h := hashInit
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * hashPrime
	}
	return h
}

// slotOf is where the search for a hash begins in a table.
func slotOf(h, mask uint32) uint32 { return (h ^ h>>15) & mask }

// intern returns the number of the identifier name whose hash is h.
func (y *symbols) intern(name string, h uint32) uint32 {
	mask := uint32(len(y.slots) - 1)
	for i := slotOf(h, mask); ; i = (i + 1) & mask {
		n := y.slots[i]
		if n == 0 {
			return y.add(name, h, i)
		}
		if e := &y.list[n]; e.hash == h && e.name == name {
			return n
		}
	}
}

// add numbers a new identifier, whose place in the table is slot.
func (y *symbols) add(name string, h, slot uint32) uint32 {
	n := uint32(len(y.list))
	s := symbol{name: name, hash: h, kind: Ident}
	if w := vocabulary().find(name, h); w != nil {
		s.predef = w.predef
		if w.builtin != 0 {
			s.macro = &ppMacro{name: name, builtin: w.builtin}
		}
		if w.since <= y.std {
			s.kind, s.meaning = w.kind, w.meaning
		}
	}
	y.list = append(y.list, s)
	y.slots[slot] = n
	if 2*len(y.list) > len(y.slots) {
		y.grow()
	}
	return n
}

func (y *symbols) grow() {
	size := 2 * len(y.slots)
	if size <= cap(y.slots) {
		y.slots = y.slots[:size]
		clear(y.slots)
	} else {
		y.slots = make([]uint32, size)
	}
	mask := uint32(size - 1)
	for n := 1; n < len(y.list); n++ {
		i := slotOf(y.list[n].hash, mask)
		for y.slots[i] != 0 {
			i = (i + 1) & mask
		}
		y.slots[i] = uint32(n)
	}
}

// open begins a scope and returns what close takes to end it.
func (y *symbols) open() int { return len(y.undo) }

func (y *symbols) close(mark int) {
	for i := len(y.undo) - 1; i >= mark; i-- {
		y.list[y.undo[i].sym].meaning = y.undo[i].old
	}
	y.undo = y.undo[:mark]
}

// declare gives sym a meaning until the current scope ends.
func (y *symbols) declare(sym Sym, m meaning) {
	s := &y.list[sym]
	if s.meaning != m {
		y.undo = append(y.undo, rebinding{sym, s.meaning})
		s.meaning = m
	}
}

// types returns every type name that is visible, built-in and declared, and the
// words of the basic types: the candidates for a misspelled type.
func (y *symbols) types() []string {
	var out []string
	add := func(name string, kind Kind, m meaning) {
		if kind == Ident && m >= typeName || kindClass[kind]&clsWord != 0 && name[0] != '_' {
			out = append(out, name)
		}
	}
	v := vocabulary()
	for i := range v.words {
		w := &v.words[i]
		if n := y.find(w.name); n != 0 { // it may be hidden
			add(w.name, y.list[n].kind, y.list[n].meaning)
		} else if w.since <= y.std {
			add(w.name, w.kind, w.meaning)
		}
	}
	for i := range y.list {
		if s := &y.list[i]; v.find(s.name, s.hash) == nil {
			add(s.name, s.kind, s.meaning)
		}
	}
	return out
}

// find returns the number of the identifier name, or 0.
func (y *symbols) find(name string) uint32 {
	h, mask := hashOf(name), uint32(len(y.slots)-1)
	for i := slotOf(h, mask); ; i = (i + 1) & mask {
		if n := y.slots[i]; n == 0 || y.list[n].name == name {
			return n
		}
	}
}

// A word is a name that the language defines.
type word struct {
	name    string
	predef  int16     // row of ppPredefined + 1, or 0
	builtin ppSymKind // a macro whose value the preprocessor computes, or 0
	kind    Kind      // Ident or a keyword
	meaning meaning
	since   opencl.Version // from which it has kind and meaning
}

// A dictionary is words with a hash table, as in symbols.
type dictionary struct {
	words []word
	slots [2048]uint16 // index into words + 1
}

// vocabulary returns all words of all versions.
var vocabulary = sync.OnceValue(func() *dictionary {
	d := &dictionary{words: make([]word, 0, 640)}
	for i, rows := 0, ppPredefined(); i < len(rows); i++ {
		d.add(word{name: rows[i].macroName(), predef: int16(i + 1), kind: Ident})
	}
	for _, b := range ppBuiltins {
		d.add(word{name: b.name, builtin: b.kind, kind: Ident})
	}
	for _, of := range [...]struct {
		since    opencl.Version
		keywords []keyword
	}{{0, keywords}, {opencl.CL20, keywordsSince20}} {
		for _, k := range of.keywords {
			for _, s := range k.names {
				d.add(word{name: s, kind: k.kind, since: of.since})
			}
		}
	}
	for i := range opencl.TypeNames {
		t := &opencl.TypeNames[i]
		d.add(word{name: t.Name, kind: Ident, meaning: typeName, since: t.Since})
	}
	for i := range opencl.ImageTypes {
		d.add(word{name: opencl.ImageTypes[i].Name, kind: Ident, meaning: typeName})
	}
	for s := opencl.Char; s < opencl.NumScalars; s++ {
		for _, n := range opencl.VectorLengths {
			d.add(word{name: s.String() + opencl.VectorSuffixes[n], kind: Ident, meaning: vectorType})
		}
	}
	for _, s := range [...]opencl.Scalar{opencl.UChar, opencl.UShort, opencl.UInt, opencl.ULong} { // others are keywords
		d.add(word{name: s.String(), kind: Ident, meaning: typeName})
	}
	return d
})

func (d *dictionary) add(w word) {
	const mask = uint32(len(d.slots) - 1)
	i := slotOf(hashOf(w.name), mask)
	for d.slots[i] != 0 {
		i = (i + 1) & mask
	}
	d.words = append(d.words, w)
	d.slots[i] = uint16(len(d.words))
}

// find returns the word name, whose hash is h, or nil.
func (d *dictionary) find(name string, h uint32) *word {
	const mask = uint32(len(d.slots) - 1)
	for i := slotOf(h, mask); d.slots[i] != 0; i = (i + 1) & mask {
		if w := &d.words[d.slots[i]-1]; w.name == name {
			return w
		}
	}
	return nil
}

package token

import "math/rand/v2"

// A Unit is the tokens of a translation unit, EOF last, and its identifiers.
type Unit struct {
	Tokens []Token
	Names  *Names // by Token.Sym
}

// Names numbers the identifiers of a translation unit: equal spellings have equal numbers, from 1 on in the order
// of first occurrence. It is a hash table with open addressing. Begin must be called before use.
type Names struct {
	list  []name   // by number; [0] is unused
	slots []uint32 // hash table of numbers; its length is a power of two
}

// A name is the spelling of an identifier with its hash.
type name struct {
	text string
	hash uint32
}

const minSlots = 256

// Begin empties the table for another unit.
func (y *Names) Begin() {
	if cap(y.slots) == 0 {
		y.list, y.slots = make([]name, 1, minSlots/2), make([]uint32, minSlots)
	}
	y.list, y.slots = y.list[:1], y.slots[:minSlots]
	clear(y.slots)
}

// HashInit and HashPrime define the hash of an identifier, FNV-1a. A scanner computes it in its loop over the
// characters as h = (h ^ c) * HashPrime, starting with HashInit. HashInit is random in each process: an attacker
// who knew it could create names with equal hashes, which make each lookup linear.
var HashInit = rand.Uint32()

// HashPrime is the factor of the hash; see [HashInit].
const HashPrime = 16777619

// NameHash returns the hash of an identifier.
func NameHash(s string) uint32 {
	h := HashInit
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * HashPrime
	}
	return h
}

// slotOf returns the first slot to search for a hash.
func slotOf(h, mask uint32) uint32 { return (h ^ h>>15) & mask }

// Intern returns the number of the identifier text, whose hash is h. A new identifier gets the number that Len
// returned before.
func (y *Names) Intern(text string, h uint32) uint32 {
	mask := uint32(len(y.slots) - 1)
	for i := slotOf(h, mask); ; i = (i + 1) & mask {
		n := y.slots[i]
		if n == 0 {
			n = uint32(len(y.list))
			y.list = append(y.list, name{text, h})
			y.slots[i] = n
			if 2*len(y.list) > len(y.slots) {
				y.grow()
			}
			return n
		}
		if e := &y.list[n]; e.hash == h && e.text == text {
			return n
		}
	}
}

func (y *Names) grow() {
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

// Find returns the number of the identifier text, or 0.
func (y *Names) Find(text string) uint32 {
	h, mask := NameHash(text), uint32(len(y.slots)-1)
	for i := slotOf(h, mask); ; i = (i + 1) & mask {
		if n := y.slots[i]; n == 0 || y.list[n].text == text {
			return n
		}
	}
}

// Len returns the greatest number of an identifier plus 1.
func (y *Names) Len() int { return len(y.list) }

// At returns the spelling and the hash of identifier n.
func (y *Names) At(n uint32) (text string, hash uint32) { return y.list[n].text, y.list[n].hash }

// A Dictionary maps the words of the language to the data of a phase.
type Dictionary[V any] struct {
	words []word[V]
	slots [2048]uint16 // index into words + 1
}

type word[V any] struct {
	text  string
	value V
}

// Add adds a word that is not in the dictionary.
func (d *Dictionary[V]) Add(text string, v V) {
	const mask = uint32(len(d.slots) - 1)
	i := slotOf(NameHash(text), mask)
	for d.slots[i] != 0 {
		i = (i + 1) & mask
	}
	d.words = append(d.words, word[V]{text, v})
	d.slots[i] = uint16(len(d.words))
}

// Find returns the data of the word text, whose hash is h, or nil.
func (d *Dictionary[V]) Find(text string, h uint32) *V {
	const mask = uint32(len(d.slots) - 1)
	for i := slotOf(h, mask); d.slots[i] != 0; i = (i + 1) & mask {
		if w := &d.words[d.slots[i]-1]; w.text == text {
			return &w.value
		}
	}
	return nil
}

// All calls f for each word in the order in which they were added.
func (d *Dictionary[V]) All(f func(text string, v *V)) {
	for i := range d.words {
		f(d.words[i].text, &d.words[i].value)
	}
}

// Package slab allocates many small values that die together, and reuses their memory afterwards.
//
// Input: requests for zeroed values of one type. Output: pointers and slices into blocks of about a hundred values,
// with one allocation for each block. Reset frees all values for reuse. The caller of Reset must hold no pointers
// into the slab: a stale one reads other values. Objects that dead values point to stay alive until the slab reuses
// or drops that memory. No type here is safe for concurrent use.
//
// Reuse saves cache misses more than garbage collection: fresh memory is not in the processor's caches, and a
// compiler that fills megabytes of it with every source spends half of its time waiting for memory.
package slab

import (
	"reflect"
	"slices"
)

// MaxBlock is the number of values in a full-sized block.
const MaxBlock = 128

// blocks is the memory of the values of type T, block after block.
type blocks[T any] struct {
	block []T // the block that values are allocated from
	n     int // number of allocated values in block
	all   [][]T
	used  int // number of blocks that were begun
}

// next begins a block with room for at least least values. It reports whether the block was used before, so that
// its values are not zero.
func (b *blocks[T]) next(least int) (used bool) {
	size := max(min(8<<min(b.used, 8), MaxBlock), least)
	switch {
	case b.used == len(b.all):
		b.all = append(b.all, make([]T, size))
	case len(b.all[b.used]) < least:
		b.all[b.used] = make([]T, size)
	default:
		used = true
	}
	b.block, b.n = b.all[b.used], 0
	b.used++
	return used
}

// Reset makes the memory of all values available again.
func (b *blocks[T]) Reset() { b.block, b.n, b.used = nil, 0, 0 }

// An Of is a slab of values of type T. The zero Of is ready for use.
type Of[T any] struct{ blocks[T] }

// New returns a zeroed value that lives until Reset.
func (s *Of[T]) New() *T {
	if s.n == len(s.block) && s.next(1) {
		clear(s.block) // clear it now, so that it is in the cache when values are written
	}
	p := &s.block[s.n]
	s.n++
	return p
}

// Lists collects sequences of unknown length that may nest, on one stack, and cuts
// each off into a slice of its own. The zero Lists is ready for use.
type Lists[T any] struct {
	stack []T
	blocks[T]
}

// Mark begins a sequence.
func (l *Lists[T]) Mark() int { return len(l.stack) }

// Push adds an element to the innermost sequence.
func (l *Lists[T]) Push(x T) { l.stack = append(l.stack, x) }

// Since returns the elements pushed since mark. They are valid until the next Push or Drop.
func (l *Lists[T]) Since(mark int) []T { return l.stack[mark:] }

// Drop ends the sequence that began at mark.
func (l *Lists[T]) Drop(mark int) {
	clear(l.stack[mark:])
	l.stack = l.stack[:mark]
}

// Cut ends the sequence that began at mark and returns it, nil if it is empty.
func (l *Lists[T]) Cut(mark int) []T {
	s := l.Keep(l.stack[mark:])
	l.Drop(mark)
	return s
}

// Keep returns a copy of s that lives until Reset, nil if s is empty.
func (l *Lists[T]) Keep(s []T) []T {
	if len(s) == 0 {
		return nil
	}
	if len(s) > len(l.block)-l.n {
		l.next(len(s))
	}
	out := l.block[l.n : l.n+len(s) : l.n+len(s)]
	l.n += len(s)
	copy(out, s)
	return out
}

// Make returns n zeroed values that live until Reset.
func (l *Lists[T]) Make(n int) []T {
	if n > len(l.block)-l.n {
		l.next(n)
	}
	out := l.block[l.n : l.n+n : l.n+n]
	l.n += n
	clear(out)
	return out
}

// Reset makes the memory of all slices available again.
func (l *Lists[T]) Reset() {
	l.Drop(0)
	l.blocks.Reset()
}

// A Resetter is any slab.
type Resetter interface{ Reset() }

// Reset resets all slabs of the list.
func Reset(list []Resetter) {
	for _, s := range list {
		s.Reset()
	}
}

// Unlisted returns the names of the slabs that are fields of the struct that p points to but not in the list. It is
// for tests of packages that keep such lists: reflection would be too slow for the first compilation of a process.
func Unlisted(p any, list []Resetter) (names []string) {
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		// reflect needs the address, because the fields are not exported.
		s, ok := reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Interface().(Resetter)
		if ok && !slices.Contains(list, s) {
			names = append(names, v.Type().Field(i).Name)
		}
	}
	return names
}

package interp

import "math/bits"

// A clockMap is an immutable map from numbers to clocks; absent numbers have clock 0. put and join return
// another map that shares parts of this one, so that a work-item's knowledge of all others costs only its
// changes. It is a Patricia trie (C. Okasaki and A. Gill, "Fast Mergeable Integer Maps", 1998); nil is the
// empty map.
type clockMap struct {
	key         uint64 // of a leaf; of a fork: the common prefix of its keys, with zeros below
	bit         uint64 // the bit in which a fork's sides differ; 0 for a leaf
	clock       uint32
	left, right *clockMap // the maps with the bit clear and set
}

// at returns the clock of a key.
func (m *clockMap) at(key uint64) uint32 {
	for m != nil && m.bit != 0 {
		if key&m.bit == 0 {
			m = m.left
		} else {
			m = m.right
		}
	}
	if m == nil || m.key != key {
		return 0
	}
	return m.clock
}

// has reports whether a key of a fork's prefix may be in it.
func (m *clockMap) has(key uint64) bool { return key&^(m.bit<<1-1) == m.key }

// fork joins two maps whose prefixes differ.
func fork(a, b *clockMap) *clockMap {
	bit := uint64(1) << (bits.Len64(a.key^b.key) - 1)
	if a.key&bit != 0 {
		a, b = b, a
	}
	return &clockMap{key: a.key &^ (bit<<1 - 1), bit: bit, left: a, right: b}
}

// put returns m with the key's clock at least c.
func (m *clockMap) put(key uint64, c uint32) *clockMap {
	return m.join(&clockMap{key: key, clock: c})
}

// join returns the greater clock of each key.
func (m *clockMap) join(n *clockMap) *clockMap {
	switch {
	case n == nil || m == n:
		return m
	case m == nil:
		return n
	case m.bit == 0 && n.bit == 0 && m.key == n.key:
		if m.clock >= n.clock {
			return m
		}
		return n
	case m.bit == n.bit && m.key == n.key:
		return m.with(m.left.join(n.left), m.right.join(n.right), n)
	case m.bit > n.bit && m.has(n.key):
		if n.key&m.bit == 0 {
			return m.with(m.left.join(n), m.right, nil)
		}
		return m.with(m.left, m.right.join(n), nil)
	case n.bit > m.bit && n.has(m.key):
		if m.key&n.bit == 0 {
			return n.with(n.left.join(m), n.right, nil)
		}
		return n.with(n.left, n.right.join(m), nil)
	}
	return fork(m, n)
}

// with returns a fork like m with the given sides; m itself, or other, if those are its own.
func (m *clockMap) with(left, right, other *clockMap) *clockMap {
	switch {
	case left == m.left && right == m.right:
		return m
	case other != nil && left == other.left && right == other.right:
		return other
	}
	return &clockMap{key: m.key, bit: m.bit, left: left, right: right}
}

// A knowledge is the set of accesses that happen before some point: for each work-group a clock that bounds
// those of all its work-items, and larger clocks for single work-items.
type knowledge struct{ groups, items *clockMap }

// itemKey returns the key of a work-item; a group has fewer than 1<<16.
func itemKey(group uint64, item uint32) uint64 { return group<<16 | uint64(item) }

// covers reports whether k includes a work-item's accesses at that clock.
func (k *knowledge) covers(group uint64, item, clock uint32) bool {
	return k.groups.at(group) >= clock || k.items.at(itemKey(group, item)) >= clock
}

func (k *knowledge) join(o knowledge) {
	k.groups, k.items = k.groups.join(o.groups), k.items.join(o.items)
}

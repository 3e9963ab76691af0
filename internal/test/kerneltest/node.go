package kerneltest

import (
	"slices"
	"strings"
)

// A node is a part of a kernel's text: an expression, a statement or a list of such.
type node struct {
	parts []any  // string or *node
	typ   Type   // of an expression; the zero Type for statements
	least string // the simplest text that can stand in its place
	gone  bool   // least stands in its place
}

func (n *node) write(b *strings.Builder) {
	if n.gone {
		b.WriteString(n.least)
		return
	}
	for _, p := range n.parts {
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case *node:
			p.write(b)
		}
	}
}

func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

// children returns the nodes directly below.
func (n *node) children() (list []*node) {
	for _, p := range n.parts {
		if c, ok := p.(*node); ok {
			list = append(list, c)
		}
	}
	return list
}

// statement makes a node of a statement, which may be left out.
func statement(parts ...any) *node { return &node{parts: parts} }

// fixed makes a node that stays as long as what it belongs to.
func fixed(parts ...any) *node { return &node{parts: parts, typ: Type{N: -1}} }

// Reduce makes the kernel smaller as long as keep says of what is left that it still
// shows what it is wanted for. keep sees kernels that do not compile.
func (k *Kernel) Reduce(keep func(k *Kernel) bool) {
	for again := true; again; {
		again = k.reduceRange(keep)
		// Breadth first: great parts before those within them.
		for list := []*node{k.tree}; len(list) > 0; {
			var next []*node
			for _, n := range list {
				if n.gone {
					continue
				}
				if n.typ.N >= 0 && n.simplify(k, keep) {
					again = true
				}
				if !n.gone {
					next = append(next, n.children()...)
				}
			}
			list = next
		}
	}
}

// simplify tries to put something simpler in the place of n.
func (n *node) simplify(k *Kernel, keep func(k *Kernel) bool) bool {
	if len(n.parts) == 1 && n.parts[0] == n.least {
		return false
	}
	n.gone = true
	if keep(k) {
		return true
	}
	n.gone = false
	// A part of its own kind in its place.
	old := *n
	for _, c := range old.children() {
		if c.typ != n.typ || c.gone {
			continue
		}
		*n = *c
		if keep(k) {
			return true
		}
		*n = old
	}
	return false
}

// reduceRange tries smaller launches, of less data.
func (k *Kernel) reduceRange(keep func(k *Kernel) bool) (smaller bool) {
	try := func(change func()) {
		old := *k
		change()
		if keep(k) {
			smaller = true
		} else {
			*k = old
		}
	}
	for i := range k.Args {
		if data := k.Args[i].Data; !zero(data) {
			try(func() {
				k.Args = slices.Clone(k.Args)
				k.Args[i].Data = make([]byte, len(data))
			})
		}
	}
	if k.Local != nil {
		try(func() { k.Local = nil })
	}
	for d := range k.Global {
		for _, n := range []int{1, k.Global[d] / 2, k.Global[d] - 1} {
			if n < 1 || n >= k.Global[d] {
				continue
			}
			try(func() {
				k.Global = append([]int(nil), k.Global...)
				k.Global[d] = n
			})
		}
		if k.Offset != nil && k.Offset[d] > 0 {
			try(func() {
				k.Offset = append([]int(nil), k.Offset...)
				k.Offset[d] = 0
			})
		}
	}
	return smaller
}

func zero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

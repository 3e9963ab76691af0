package kerneltest

import (
	"slices"
	"strings"
)

// A node is a part of a kernel's text: an expression, a statement or a list of either.
type node struct {
	parts []any  // string or *node
	typ   Type   // of an expression; the zero Type for statements
	least string // the simplest text that can replace the node
	gone  bool   // least replaces the node
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

// statement returns the node of a statement, which may be removed.
func statement(parts ...any) *node { return &node{parts: parts} }

// fixed returns a node that stays as long as its parent.
func fixed(parts ...any) *node { return &node{parts: parts, typ: Type{N: -1}} }

// Reduce makes the kernel smaller as long as keep returns true for the smaller kernel. keep is also called with
// kernels that do not compile.
func (k *Kernel) Reduce(keep func(k *Kernel) bool) {
	for again := true; again; {
		again = k.reduceRange(keep)
		// Breadth first: large parts before the parts nested in them.
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

// simplify tries to replace n by something simpler.
func (n *node) simplify(k *Kernel, keep func(k *Kernel) bool) bool {
	if len(n.parts) == 1 && n.parts[0] == n.least {
		return false
	}
	n.gone = true
	if keep(k) {
		return true
	}
	n.gone = false
	// Try to replace n by a child of the same type.
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

// reduceRange tries smaller launches, and launches with zeros as data.
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

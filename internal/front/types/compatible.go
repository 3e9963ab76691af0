package types

// A Comparison compares types of different translation units, each with its own Context. The zero value is ready
// for use.
type Comparison struct {
	open map[[2]*Type]bool // records assumed to be equal while their members are compared
}

// Same reports whether a and b are the same type for declarations of one entity in two translation units (C99
// 6.2.7). Records are the same if their tags and members are; a declared but undefined record matches any record
// with its tag.
func (c *Comparison) Same(a, b QType) bool {
	if a.Quals != b.Quals {
		return false
	}
	x, y := a.Type, b.Type
	if x == y {
		return true
	}
	if x == nil || y == nil || x.Kind != y.Kind {
		return false
	}
	switch x.Kind {
	case Pointer, Atomic:
		return c.Same(x.Elem, y.Elem)
	case Array:
		return (x.Len == y.Len || x.Len < 0 || y.Len < 0) && c.Same(x.Elem, y.Elem)
	case Func:
		return c.sameFunc(x, y)
	case Record:
		return c.sameRecord(x, y)
	case Enum:
		return x.Name == y.Name && x.Under == y.Under
	}
	return x.Name == y.Name // placeholders
}

func (c *Comparison) sameFunc(x, y *Type) bool {
	if !c.Same(x.Elem, y.Elem) || len(x.Params) != len(y.Params) || (x.Flags^y.Flags)&Variadic != 0 {
		return false
	}
	for i := range x.Params {
		if !c.Same(x.Params[i], y.Params[i]) {
			return false
		}
	}
	return true
}

func (c *Comparison) sameRecord(x, y *Type) bool {
	r, s := x.Rec, y.Rec
	if x.Name != y.Name || r.Union != s.Union {
		return false
	}
	if !r.Complete || !s.Complete || c.open[[2]*Type{x, y}] {
		return true
	}
	if len(r.Fields) != len(s.Fields) || r.Size != s.Size || r.Align != s.Align {
		return false
	}
	if c.open == nil {
		c.open = map[[2]*Type]bool{}
	}
	c.open[[2]*Type{x, y}] = true
	for i := range r.Fields {
		f, g := &r.Fields[i], &s.Fields[i]
		if f.Name != g.Name || f.Offset != g.Offset || f.Bits != g.Bits || f.BitOff != g.BitOff || !c.Same(f.Type, g.Type) {
			return false
		}
	}
	return true
}

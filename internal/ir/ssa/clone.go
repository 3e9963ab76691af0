package ssa

import (
	"fmt"

	"github.com/purecl/purecl/internal/front/diag"
)

// A Cloner copies blocks of one function into another, possibly of another module.
type Cloner struct {
	Dst *Func
	// Symbol maps the Sym of a copied value; nil keeps it.
	Symbol func(sym any) any
	// Pos is the position of the copies of values without one; ForcePos is the position of all copies.
	Pos      diag.Pos
	ForcePos bool

	values []*Value // by ID of the source's value
	blocks []*Block
	ahead  []*Value // source values with arguments that were not yet copied
}

// Clone copies the blocks of src to the end of c.Dst.Blocks. Parameter i becomes args[i]; if args is nil the
// parameters are copied too. Clone returns the copied blocks in the order of src.Blocks, with the terminators
// of src, returns included. An alloca is copied into the block that corresponds to its own.
func (c *Cloner) Clone(src *Func, args []*Value) []*Block {
	c.values = grow(c.values, src.NumValues())
	c.blocks = grow(c.blocks, src.NumBlocks())
	if args != nil {
		for i, p := range src.Params {
			c.values[p.ID] = args[i]
		}
	}
	first := len(c.Dst.Blocks)
	for _, b := range src.Blocks {
		nb := c.Dst.NewBlock(b.Name)
		nb.Unroll = b.Unroll
		nb.Values = make([]*Value, 0, len(b.Values)+1)
		c.blocks[b.ID] = nb
		for _, v := range b.Values {
			if v.Op == OpParam && args != nil {
				continue
			}
			w := nb.Append(c.copy(v))
			c.values[v.ID] = w
			if !c.arguments(w, v) {
				c.ahead = append(c.ahead, v)
			}
		}
	}
	for _, v := range c.ahead {
		c.arguments(c.values[v.ID], v)
	}
	clear(c.ahead)
	c.ahead = c.ahead[:0]
	for _, b := range src.Blocks {
		nb := c.blocks[b.ID]
		nb.Preds = c.mapBlocks(b.Preds)
		nb.Succs = c.mapBlocks(b.Succs)
	}
	if src.Debug != nil {
		value := func(v *Value) *Value { return c.values[v.ID] }
		if args != nil {
			c.Dst.inline(src, c.Pos, value)
		} else {
			c.Dst.Debug = src.Debug.copied(value)
		}
	}
	return c.Dst.Blocks[first:]
}

// arguments gives w the copies of v's arguments. It reports whether all of them have been copied.
func (c *Cloner) arguments(w, v *Value) (all bool) {
	w.SetArgs(v.Args...)
	all = true
	for i, a := range w.Args {
		x := c.values[a.ID]
		w.Args[i] = x
		all = all && x != nil
	}
	return all
}

func (c *Cloner) copy(v *Value) *Value {
	pos := v.Pos
	if c.ForcePos || !pos.IsValid() {
		pos = c.Pos
	}
	w := c.Dst.NewValue(v.Op, v.Type, pos)
	w.Flags, w.Aux, w.Bits, w.Lanes, w.Sym = v.Flags, v.Aux, v.Bits, v.Lanes, v.Sym
	if v.Sym != nil && c.Symbol != nil {
		w.Sym = c.Symbol(v.Sym)
	}
	return w
}

func (c *Cloner) mapBlocks(list []*Block) []*Block {
	if len(list) == 0 {
		return nil
	}
	out := make([]*Block, len(list))
	for i, b := range list {
		out[i] = c.blocks[b.ID]
	}
	return out
}

// Absorb moves the blocks of g to the end of f's and returns them; g is empty afterwards. Parameter i becomes a
// copy of args[i] (see [Func.ReplaceCopies]); values without a position get pos.
func (f *Func) Absorb(g *Func, args []*Value, pos diag.Pos) []*Block {
	for i, p := range g.Params {
		p.BecomeCopy(args[i])
	}
	for _, b := range g.Blocks {
		b.Func, b.ID = f, f.nextBlock
		f.nextBlock++
		for _, v := range b.Values {
			v.ID = f.nextValue
			f.nextValue++
			if !v.Pos.IsValid() {
				v.Pos = pos
			}
		}
	}
	f.inline(g, pos, func(v *Value) *Value { return v })
	n := len(f.Blocks)
	f.Blocks = append(f.Blocks, g.Blocks...)
	g.Blocks, g.Params = nil, nil
	return f.Blocks[n:]
}

// grow returns a cleared slice of n elements.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// A Linker imports functions of other modules into a module, with everything that they refer to. Imported
// values have no positions, because positions belong to another Source; inlining gives them the position of the
// call.
type Linker struct {
	M *Module
	// Lookup finds the definition of an external function: a function of M or of
	// another module, or nil.
	Lookup func(x *Extern) *Func

	funcs   map[*Func]*Func
	globals map[*Global]*Global
	names   map[string]bool
}

// Link replaces every OpExtern of the module that Lookup finds by an OpCall. It imports the callees with all
// functions that they call. It keeps an OpExtern that Lookup does not find. An error reports a definition whose
// type does not match a call.
func (l *Linker) Link() error {
	if l.names == nil {
		l.funcs, l.globals, l.names = map[*Func]*Func{}, map[*Global]*Global{}, map[string]bool{}
		for _, f := range l.M.Funcs {
			l.names[f.Name] = true
		}
		for _, g := range l.M.Globals {
			l.names[g.Name] = true
		}
	}
	for i := 0; i < len(l.M.Funcs); i++ { // grows
		f := l.M.Funcs[i]
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				if v.Op != OpExtern {
					continue
				}
				def := l.Lookup(v.Sym.(*Extern))
				if def == nil {
					continue
				}
				v.Op, v.Sym = OpCall, l.fn(def)
				if !typedCall(v) {
					return fmt.Errorf("@%s: the call of @%s does not fit its definition: %s", f.Name, def.Name, describe(v))
				}
			}
		}
	}
	return nil
}

// fn returns the module's copy of a function, to be completed if it is new.
func (l *Linker) fn(src *Func) *Func {
	if src.Module == l.M {
		return src
	}
	if f := l.funcs[src]; f != nil {
		return f
	}
	// The functions that src calls are added before they are copied, so that recursion depth does not matter.
	root := l.enter(src)
	work := []*Func{src}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		c := Cloner{Dst: l.funcs[s], ForcePos: true, Symbol: func(sym any) any {
			switch x := sym.(type) {
			case *Global:
				return l.global(x)
			case *Func:
				if f := l.funcs[x]; f != nil {
					return f
				}
				work = append(work, x)
				return l.enter(x)
			}
			return sym
		}}
		blocks := c.Clone(s, nil)
		c.Dst.Params = blocks[0].Values[:len(s.Params):len(s.Params)]
		c.Dst.Params = append([]*Value(nil), c.Dst.Params...)
		for i, p := range c.Dst.Params {
			p.Aux = int64(i)
		}
	}
	return root
}

// enter adds an empty copy of src to the module.
func (l *Linker) enter(src *Func) *Func {
	f := l.M.NewFunc(l.unique(src.Name), src.Result)
	f.Attrs = src.Attrs
	l.funcs[src] = f
	return f
}

func (l *Linker) global(src *Global) *Global {
	work := []*Global{}
	get := func(s *Global) *Global {
		g := l.globals[s]
		if g == nil {
			c := *s
			g = &c
			g.Name, g.Pos = l.unique(s.Name), 0
			g.Relocs = append([]Reloc(nil), s.Relocs...)
			l.globals[s] = g
			l.M.Globals = append(l.M.Globals, g)
			work = append(work, g)
		}
		return g
	}
	root := get(src)
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		for i := range g.Relocs {
			g.Relocs[i].Target = get(g.Relocs[i].Target)
		}
	}
	return root
}

func (l *Linker) unique(name string) string {
	n := name
	for i := 1; l.names[n]; i++ {
		n = fmt.Sprintf("%s.%d", name, i)
	}
	l.names[n] = true
	return n
}

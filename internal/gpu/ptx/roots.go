package ptx

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A root is a memory object that the compiler knows: an argument's object, a variable or a private object.
type root struct {
	space string // "global", "shared" or "local"
	kind  ssa.Kind
	block int   // offset of its entry in the parameter block, -1 for a private object
	size  int64 // size in bytes, -1 if unknown
	align int64 // alignment of its first byte
	off   int64 // of a private object: offset in private memory
	index int   // of a private object: index in Kernel.Allocas
}

// top is the root of pointers that the analysis has not reached yet.
var top = new(root)

func (g *operandTable) argRoot(k ssa.ArgKind, off int) *root {
	r := &root{space: "global", kind: ssa.PtrGlobal, block: off, size: -1, align: 16}
	switch k {
	case ssa.ArgLocal:
		r.space, r.kind, r.align = "shared", ssa.PtrLocal, 128
	case ssa.ArgConstant, ssa.ArgStruct:
		r.kind = ssa.PtrConstant
	}
	if g.opts.Unaligned && r.space == "global" {
		r.align = 1
	}
	return r
}

func (g *operandTable) globalRoot(x *ssa.Global) *root {
	r := g.byGlobal[x]
	if r == nil {
		r = &root{space: "global", kind: x.Kind, block: (g.k.Block + 7) &^ 7, size: x.Size, align: 16}
		if x.Kind == ssa.PtrLocal {
			r.space, r.align = "shared", 128
		}
		g.k.Block = r.block + RootSize
		g.k.Globals = append(g.k.Globals, GlobalRoot{x, r.block})
		g.byGlobal[x] = r
	}
	return r
}

func (g *operandTable) allocaRoot(v *ssa.Value) *root {
	r := g.byAlloca[v]
	if r == nil {
		a := v.Sym.(*ssa.Alloca)
		align := max(a.Align, 1)
		off := (g.k.Private + align - 1) / align * align
		if a.Size < 0 || off+a.Size > 1<<18 {
			g.refuse(v, "its private memory is more than 256 KiB for each work-item")
		}
		r = &root{space: "local", kind: ssa.PtrPrivate, block: -1, size: a.Size, align: min(align, 16), off: off, index: len(g.k.Allocas)}
		g.k.Private = off + a.Size
		g.k.Allocas = append(g.k.Allocas, Alloca{a, off})
		g.byAlloca[v] = r
	}
	return r
}

// findRoots finds the pointers whose object is known.
func (g *operandTable) findRoots() {
	for _, b := range g.flow.Order {
		for _, v := range b.Values {
			if v.Type.K.IsPtr() && v.Type.N == 1 {
				g.roots[v.ID] = top
			}
			if v.Op == ssa.OpAlloca {
				g.allocaRoot(v) // objects are numbered in this order, including unused ones
			}
		}
	}
	for _, p := range g.f.Params {
		g.roots[p.ID] = g.byParam[p]
	}
	for changed := true; changed; {
		changed = false
		for _, b := range g.flow.Order {
			for _, v := range b.Values {
				if g.roots[v.ID] == nil || v.Op == ssa.OpParam {
					continue
				}
				if r := g.rootOf(v); r != g.roots[v.ID] {
					g.roots[v.ID] = r
					changed = true
				}
			}
		}
	}
	for i, r := range g.roots {
		if r == top { // unreachable
			g.roots[i] = nil
		}
	}
}

// rootOf returns the root of a pointer from the roots of its operands, nil if it is unknown.
func (g *operandTable) rootOf(v *ssa.Value) *root {
	meet := func(args []*ssa.Value) *root {
		r := top
		for _, a := range args {
			switch x := g.roots[a.ID]; {
			case x == top:
			case r == top:
				r = x
			case r != x:
				return nil
			}
			if r == nil {
				return nil
			}
		}
		return r
	}
	switch v.Op {
	case ssa.OpGlobalAddr:
		return g.globalRoot(v.Sym.(*ssa.Global))
	case ssa.OpAlloca:
		return g.allocaRoot(v)
	case ssa.OpPtrAdd, ssa.OpCopy:
		return g.roots[v.Args[0].ID]
	case ssa.OpPtrCast:
		r := g.roots[v.Args[0].ID]
		if r != nil && r != top && v.Type.K != ssa.PtrGeneric && v.Args[0].Type.K == ssa.PtrGeneric && r.kind != v.Type.K {
			return nil // the result is null
		}
		return r
	case ssa.OpPhi:
		return meet(v.Args)
	case ssa.OpSelect:
		if v.Args[0].Type.N == 1 {
			return meet(v.Args[1:])
		}
	}
	return nil
}

// offset returns the register with the offset of a pointer into a known object.
func (g *operandTable) offset(v *ssa.Value) string { return g.vals[v.ID][0] }

// pointer returns the bits of a pointer into r at an offset.
func (g *operandTable) pointer(r *root, off string) string {
	first := g.rootField(r, RootPtr)
	if off == "0" {
		return first
	}
	return g.set(b64, "or.b64", first, g.masked(off))
}

// masked returns the low 40 bits of an offset.
func (g *operandTable) masked(off string) string {
	return g.set(b64, "and.b64", off, fmt.Sprint(ssa.OffsetMask))
}

// rootField returns a field of a root, loaded once.
func (g *operandTable) rootField(r *root, field int) string {
	if r.block >= 0 && field == RootBase && r.space == "shared" { // the field is relative to the block's shared memory
		return g.once(fmt.Sprint("base", r.block), func() string {
			return g.set(b64, "add.s64", g.set(b64, "mov.u64", "pcl_shared"), g.loadHead(b64, r.block+field))
		})
	}
	if r.block >= 0 {
		return g.head(b64, r.block+field)
	}
	return g.once(fmt.Sprint("private", r.index, " ", field), func() string {
		switch field {
		case RootPtr: // private objects have the last numbers
			n := g.set(b32, "sub.u32", g.loadHead(b32, HeadNumObjects), fmt.Sprint(len(g.k.Allocas)-r.index))
			wide := g.set(b64, "cvt.u64.u32", n)
			return g.set(b64, "shl.b64", wide, fmt.Sprint(ssa.ObjectShift))
		case RootBase:
			d := g.set(b64, "mov.u64", "pcl_private")
			return g.set(b64, "add.s64", d, fmt.Sprint(r.off))
		}
		return g.set(b64, "mov.u64", fmt.Sprint(r.size))
	})
}

package opt

import (
	"github.com/purecl/purecl/internal/ir/ssa"
)

// simplify folds ops on constants by ssa.Eval and applies the identities of rules_int.go, rules_float.go,
// rules_vector.go and rules_memory.go. It visits values in reverse post-order, so that arguments are simplified
// before their users.
//
// Requires: cfg. Breaks: dce (unused values), cfg (constant conditions).
func simplify(s *state) {
	if !s.dirty {
		return
	}
	s.dirty = false
	z := simplifier{s: s, f: s.f}
	z.r = rewriter{s: s, f: s.f}
	for _, b := range s.dom().Order {
		z.r.begin(b)
		for _, v := range b.Values {
			z.r.cur = v
			z.put(v)
		}
		z.r.end()
	}
	if z.copies {
		s.f.ResolvePhis() // other uses come after the copy and are already updated
	}
}

// maxSteps bounds the rewrites of one value.
const maxSteps = 16

type simplifier struct {
	s *state
	f *ssa.Func
	r rewriter

	copies bool // a value became a copy
}

// put simplifies v in place, appends it to the list unless it has become a copy, and returns the value that
// represents it.
func (z *simplifier) put(v *ssa.Value) *ssa.Value {
	if z.value(v); v.Op == ssa.OpCopy {
		return v.Source()
	}
	return z.r.keep(v)
}

// value simplifies v in place as far as possible. It inserts new operands before v.
func (z *simplifier) value(v *ssa.Value) {
	if v.Op == ssa.OpCopy {
		z.copies = true
		return
	}
	for range maxSteps {
		constant := len(v.Args) > 0
		for i, a := range v.Args {
			if a.Op == ssa.OpCopy {
				a = a.Source()
				v.Args[i] = a
			}
			constant = constant && a.Op == ssa.OpConst
		}
		if constant && v.Op.Has(ssa.Pure) && v.Op != ssa.OpPhi {
			if bits, ok := ssa.Eval(v, z.s.bits); ok {
				z.s.bits = bits
				v.BecomeConst(z.f, bits)
				return
			}
		}
		if !z.step(v) {
			return
		}
		if v.Op == ssa.OpCopy {
			z.copies = true
			return // a phi that copies a constant must stay among the phis
		}
	}
}

// step applies one rule to v and reports whether it did.
func (z *simplifier) step(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpConst, ssa.OpCopy, ssa.OpParam, ssa.OpUndef, ssa.OpAlloca, ssa.OpGlobalAddr:
		return false
	case ssa.OpPhi:
		return z.phi(v)
	case ssa.OpWorkItem:
		if ssa.WorkItemQuery(v.Aux) != ssa.MaxSubGroupSize || z.f.Kernel == nil {
			return false
		}
		return z.becomeConst(v, uint64(z.f.Kernel.SubGroupSize()))
	case ssa.OpSelect:
		return z.selects(v)
	case ssa.OpConvert:
		return z.converts(v)
	case ssa.OpBitcast:
		return z.bitcasts(v)
	case ssa.OpVec, ssa.OpExtract, ssa.OpExtractDyn, ssa.OpInsert, ssa.OpInsertDyn, ssa.OpShuffle, ssa.OpSplat:
		return z.vectors(v)
	case ssa.OpPtrAdd, ssa.OpPtrCast, ssa.OpLoad, ssa.OpStore, ssa.OpMemCopy, ssa.OpMemZero, ssa.OpAsyncEvent, ssa.OpAsyncCopy, ssa.OpAsyncWait, ssa.OpFenceFlags, ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
		return z.memory(v)
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
		return z.compares(v) || z.splats(v)
	}
	if !v.Op.Has(ssa.Elementwise) {
		return false
	}
	if v.Type.K.Num().IsFloat() {
		return z.floats(v) || z.splats(v)
	}
	return z.integers(v) || z.splats(v)
}

// become makes v a copy of x.
func become(v, x *ssa.Value) bool {
	v.BecomeCopy(x)
	return true
}

// becomeConst makes v a constant with all elements equal.
func (z *simplifier) becomeConst(v *ssa.Value, bits uint64) bool {
	v.BecomeConst(z.f, []uint64{bits})
	return true
}

// change replaces v's op and arguments; the type stays.
func change(v *ssa.Value, op ssa.Op, args ...*ssa.Value) bool {
	v.Op, v.Aux, v.Lanes = op, 0, nil
	v.SetArgs(args...)
	return true
}

// splatConst returns the bits of a constant with all elements equal.
func splatConst(v *ssa.Value) (bits uint64, ok bool) {
	if v.Op != ssa.OpConst {
		return 0, false
	}
	for _, b := range v.Bits[1:] {
		if b != v.Bits[0] {
			return 0, false
		}
	}
	return v.Bits[0], true
}

// ones returns the bits of -1 of kind k, or of true for Bool.
func ones(k ssa.Kind) uint64 { return ^uint64(0) >> (64 - k.Num().Bits()) }

// phi replaces a phi whose arguments are all one value or the phi itself. An undefined argument counts as a
// distinct value.
func (z *simplifier) phi(v *ssa.Value) bool {
	var x *ssa.Value
	for _, a := range v.Args {
		if a.Op == ssa.OpCopy {
			a = a.Source()
		}
		if a == v || a == x {
			continue
		}
		if x != nil {
			return false
		}
		x = a
	}
	if x == nil {
		return false
	}
	return become(v, x)
}

func (z *simplifier) selects(v *ssa.Value) bool {
	c, x, y := v.Args[0], v.Args[1], v.Args[2]
	if x == y && c.Op != ssa.OpUndef {
		return become(v, x)
	}
	if b, ok := splatConst(c); ok {
		return become(v, v.Args[2-b])
	}
	if c.Op == ssa.OpConst { // a blend
		lanes := make([]uint8, v.Type.N)
		for i := range lanes {
			if lanes[i] = uint8(i); c.Bits[i] == 0 {
				lanes[i] += v.Type.N
			}
		}
		change(v, ssa.OpShuffle, x, y)
		v.Lanes = lanes
		return true
	}
	if c.Op == ssa.OpNot {
		return change(v, ssa.OpSelect, c.Args[0], y, x)
	}
	if c.Op == ssa.OpSplat {
		return change(v, ssa.OpSelect, c.Args[0], x, y)
	}
	if x.Op == ssa.OpSelect && x.Args[0] == c {
		return change(v, ssa.OpSelect, c, x.Args[1], y)
	}
	if y.Op == ssa.OpSelect && y.Args[0] == c {
		return change(v, ssa.OpSelect, c, x, y.Args[2])
	}
	if v.Type.K == ssa.Bool && c.Type == v.Type {
		a, xok := splatConst(x)
		b, yok := splatConst(y)
		switch {
		case xok && yok && a == b: // the constants are equal
			return become(v, x)
		case xok && yok && a == 1:
			return become(v, c)
		case xok && yok:
			return change(v, ssa.OpNot, c)
		case xok && a == 1:
			return change(v, ssa.OpOr, c, y)
		case yok && b == 0:
			return change(v, ssa.OpAnd, c, x)
		}
	}
	return z.chooses(v)
}

// splats computes an elementwise op on splats once: op(splat x, splat y) is splat(op(x, y)).
func (z *simplifier) splats(v *ssa.Value) bool {
	if !v.Type.IsVec() || v.Op == ssa.OpCopy {
		return false
	}
	any := false
	for _, a := range v.Args {
		if a.Op == ssa.OpSplat {
			any = true
		} else if _, ok := splatConst(a); !ok {
			return false
		}
	}
	if !any {
		return false
	}
	var buf [3]*ssa.Value
	args := buf[:0]
	for _, a := range v.Args {
		if a.Op == ssa.OpSplat {
			args = append(args, a.Args[0])
		} else {
			args = append(args, z.r.constant(a.Type.Elem(), a.Bits[0]))
		}
	}
	x := z.f.NewValue(v.Op, v.Type.Elem(), v.Pos, args...)
	x.Aux, x.Flags = v.Aux, v.Flags
	x = z.put(x) // a scalar, so that the recursion ends
	v.Flags = 0
	return change(v, ssa.OpSplat, x)
}

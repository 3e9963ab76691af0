package interp

import (
	"bytes"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// The uninitialised-value observer. Private and local memory carry a shadow byte for
// each byte: 1 once it is written. A load from there, an undefined lane of a shuffle and
// OpUndef make a value that may be undefined; registers that may hold one have a taint
// column beside them, 1 where the lane's value is undefined. Rearranging ops, selects,
// phis and stores to private and local memory hand taints on; every other use of a
// tainted lane is reported.

// findPoison finds the values that may hold undefined elements.
func (l *lowerer) findPoison() {
	l.poison = make([]bool, l.f.NumValues())
	for changed := true; changed; {
		changed = false
		for _, b := range l.flow.Order {
			for _, v := range b.Values {
				if !l.poison[v.ID] && l.isPoison(v) {
					l.poison[v.ID] = true
					changed = true
				}
			}
		}
	}
}

func (l *lowerer) isPoison(v *ssa.Value) bool {
	any := func(args []*ssa.Value) bool {
		for _, a := range args {
			if l.poison[a.ID] {
				return true
			}
		}
		return false
	}
	switch v.Op {
	case ssa.OpUndef:
		return true
	case ssa.OpLoad:
		k := v.Args[0].Type.K
		return k == ssa.PtrPrivate || k == ssa.PtrLocal || k == ssa.PtrGeneric
	case ssa.OpShuffle:
		return bytes.IndexByte(v.Lanes, ssa.ShuffleUndef) >= 0 || any(v.Args)
	case ssa.OpSelect:
		return any(v.Args[1:])
	case ssa.OpExtractDyn:
		return any(v.Args[:1])
	case ssa.OpInsertDyn:
		return l.poison[v.Args[0].ID] || l.poison[v.Args[2].ID]
	case ssa.OpPtrCast:
		return rearrangesPointer(v) && any(v.Args)
	case ssa.OpPhi, ssa.OpCopy, ssa.OpBitcast, ssa.OpSplat, ssa.OpVec, ssa.OpExtract, ssa.OpInsert:
		return any(v.Args)
	}
	return false
}

// rearrangesPointer reports whether a PtrCast leaves the bits alone.
func rearrangesPointer(v *ssa.Value) bool {
	return v.Type.K == ssa.PtrGeneric || v.Type.K == v.Args[0].Type.K
}

func (l *lowerer) mayPoison(v *ssa.Value) bool { return l.poison != nil && l.poison[v.ID] }

// taint returns the taint register of element i of v, or none.
func (l *lowerer) taint(v *ssa.Value, i int) reg {
	if ts := l.taints[v.ID]; ts != nil {
		return ts[i]
	}
	return noReg
}

// use guards the use of all elements of a by v.
func (l *lowerer) use(v, a *ssa.Value, uniform bool) {
	if l.taints[a.ID] == nil {
		return
	}
	for i := range int(a.Type.N) {
		l.useElem(v, a, i, uniform)
	}
}

// useElem guards the use of element i of a by v.
func (l *lowerer) useElem(v, a *ssa.Value, i int, uniform bool) {
	t := l.taint(a, i)
	for _, g := range l.guards {
		if t != noReg && g.taint == t {
			return // the same operand again
		}
	}
	if t != noReg {
		l.guard(v, kTaintGuard, uniform, t).taint = t
	}
}

// kTaintGuard reports lanes whose operand is undefined.
func kTaintGuard(v *view, in *inst) {
	for _, s := range v.act {
		t := at[uint8](v, in.a, s)
		for i := 0; ; i++ {
			k := bytes.IndexByte(t[i:], 1)
			if k < 0 {
				break
			}
			i += k
			v.x.report(Uninitialized, in, v.lane(s, i), nil, 0, 0)
		}
	}
}

// initialized reports whether all n bytes at off are.
func (x *worker) initialized(o *object, lane int, off, n uint64) bool {
	sh := x.initShadow(o, lane)
	return sh == nil || bytes.IndexByte(sh[off:off+n], 0) < 0
}

// initShadow returns the shadow bytes of o for the lane, nil where it has none.
func (x *worker) initShadow(o *object, lane int) []byte {
	if !o.shadowed {
		return nil
	}
	if o.private {
		k := uint64(lane)*x.privStride + o.off
		return x.privInit[k : k+o.size]
	}
	return x.localInit[o.off : o.off+o.size]
}

// markInit says that n bytes at off hold a value, or nothing defined.
func (x *worker) markInit(o *object, lane int, off, n uint64, defined bool) {
	sh := x.initShadow(o, lane)
	if sh == nil {
		return
	}
	b := byte(0)
	if defined {
		b = 1
	}
	sh = sh[off : off+n]
	for i := range sh {
		sh[i] = b
	}
}

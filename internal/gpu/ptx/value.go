package ptx

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// values emits the code of each value that is neither a phi nor a terminator.
type values struct{ subGroups }

// value emits a value that is neither a phi nor a terminator.
func (g *values) value(v *ssa.Value) {
	g.finishBefore(v)
	switch v.Op {
	case ssa.OpConst, ssa.OpUndef, ssa.OpParam:
	case ssa.OpGlobalAddr, ssa.OpAlloca:
		g.put(v, "0")
	case ssa.OpCopy:
		g.each(v, func(i int) string { return g.raw(v.Args[0], i) })
	case ssa.OpPtrAdd:
		g.pointerAdd(v)
	case ssa.OpPtrCast:
		g.pointerCast(v)
	case ssa.OpSplat:
		g.each(v, func(int) string { return g.arg(v, 0, 0) })
	case ssa.OpVec:
		g.each(v, func(i int) string { return g.arg(v, i, 0) })
	case ssa.OpExtract:
		g.put(v, g.arg(v, 0, int(v.Aux)))
	case ssa.OpInsert:
		g.each(v, func(i int) string {
			if i == int(v.Aux) {
				return g.arg(v, 1, 0)
			}
			return g.arg(v, 0, i)
		})
	case ssa.OpExtractDyn:
		g.extractDyn(v)
	case ssa.OpInsertDyn:
		g.insertDyn(v)
	case ssa.OpShuffle:
		g.shuffle(v)
	case ssa.OpSelect:
		g.selection(v)
	case ssa.OpBitcast:
		g.bitcast(v)
	case ssa.OpConvert:
		g.each(v, func(i int) string { return g.convert(v, g.arg(v, 0, i)) })
	case ssa.OpAny:
		r := g.arg(v, 0, 0)
		for i := 1; i < int(v.Args[0].Type.N); i++ {
			r = g.set(pred, "or.pred", r, g.arg(v, 0, i))
		}
		g.put(v, r)
	case ssa.OpLoad:
		g.load(v)
	case ssa.OpStore:
		g.store(v)
	case ssa.OpMemCopy:
		g.memCopy(v)
	case ssa.OpMemZero:
		g.memZero(v)
	case ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
		g.atomic(v)
	case ssa.OpFence:
		_, order, scope := ssa.AtomicParts(v.Aux)
		g.fence(order, scope)
	case ssa.OpWorkItem:
		g.workItem(v)
	case ssa.OpBarrier:
		g.barrier(v)
	case ssa.OpPrintf:
		g.printf(v)
	case ssa.OpAsyncLimit:
		g.asyncLimit(v)
	case ssa.OpImageRead, ssa.OpImageWrite:
		g.outsideImage(v)
	case ssa.OpSubGroupExchange, ssa.OpSubGroupBallot, ssa.OpSubGroupBarrier:
		g.subGroupOp(v)
	default:
		if v.Op.Has(ssa.Elementwise) {
			g.elementwise(v)
			return
		}
		if n, ok := ssa.CheckersOnly(v); ok {
			g.put(v, g.arg(v, n, 0))
			return
		}
		g.refuse(v, "it has a %v", v.Op)
	}
}

func (g *values) pointerAdd(v *ssa.Value) {
	if g.roots[v.ID] != nil {
		by, from := g.arg(v, 1, 0), g.offset(v.Args[0])
		if from == "0" {
			g.put(v, g.set(b64, "mov.b64", by))
			return
		}
		g.put(v, g.set(b64, "add.s64", from, by))
		return
	}
	g.each(v, func(i int) string {
		p := g.arg(v, 0, i)
		off := g.masked(g.set(b64, "add.s64", p, g.arg(v, 1, i)))
		object := g.set(b64, "and.b64", p, fmt.Sprint(^int64(ssa.OffsetMask)))
		return g.set(b64, "or.b64", object, off)
	})
}

// pointerCast emits an OpPtrCast. A generic pointer to another address space becomes null.
func (g *values) pointerCast(v *ssa.Value) {
	if g.roots[v.ID] != nil {
		g.put(v, g.offset(v.Args[0]))
		return
	}
	if r := g.roots[v.Args[0].ID]; r != nil && v.Type.K != ssa.PtrGeneric && v.Args[0].Type.K == ssa.PtrGeneric {
		g.put(v, "0")
		return
	}
	g.each(v, func(i int) string {
		p := g.arg(v, 0, i)
		if v.Args[0].Type.K != ssa.PtrGeneric || v.Type.K == ssa.PtrGeneric {
			return p
		}
		d, on := g.reg(b64), g.label("R")
		g.emit("mov.b64 %s, 0", d)
		n := g.set(b32, "cvt.u32.u64", g.set(b64, "shr.u64", p, fmt.Sprint(ssa.ObjectShift)))
		g.emit("@%s bra %s", g.set(pred, "setp.ge.u32", n, g.head(b32, HeadNumObjects)), on)
		entry := g.set(b64, "mad.wide.u32", n, fmt.Sprint(ObjectEntry), g.head(b64, HeadObjects))
		kind := g.reg(b32)
		g.emit("ld.global.u32 %s, [%s+%d]", kind, entry, ObjectKind)
		g.emit("selp.b64 %s, %s, 0, %s", d, p, g.set(pred, "setp.eq.u32", kind, fmt.Sprint(uint8(v.Type.K))))
		g.mark(on)
		return d
	})
}

func (g *values) extractDyn(v *ssa.Value) {
	x, index := v.Args[0], g.arg(v, 1, 0)
	c := classOf(v.Type.K)
	r := g.constant(v.Type.K, 0)
	for i := range int(x.Type.N) {
		r = g.choose(c, g.set(pred, "setp.eq.u64", index, fmt.Sprint(i)), g.elem(x, i), r)
	}
	g.put(v, r)
}

func (g *values) insertDyn(v *ssa.Value) {
	index, x := g.arg(v, 1, 0), g.arg(v, 2, 0)
	g.each(v, func(i int) string {
		return g.choose(classOf(v.Type.K), g.set(pred, "setp.eq.u64", index, fmt.Sprint(i)), x, g.arg(v, 0, i))
	})
}

func (g *values) shuffle(v *ssa.Value) {
	n := int(v.Args[0].Type.N)
	g.each(v, func(i int) string {
		switch l := int(v.Lanes[i]); {
		case l == ssa.ShuffleUndef:
			return g.constant(v.Type.K, 0)
		case l < n:
			return g.arg(v, 0, l)
		default:
			return g.arg(v, 1, l-n)
		}
	})
}

func (g *values) selection(v *ssa.Value) {
	c := classOf(v.Type.K)
	if r := g.roots[v.ID]; r != nil {
		g.put(v, g.chooseBy(v.Args[0], b64, g.arg(v, 0, 0), g.offset(v.Args[1]), g.offset(v.Args[2])))
		return
	}
	g.each(v, func(i int) string {
		k := 0
		if v.Args[0].Type.N > 1 {
			k = i
		}
		return g.chooseBy(v.Args[0], c, g.arg(v, 0, k), g.arg(v, 1, i), g.arg(v, 2, i))
	})
}

// bitcast emits an OpBitcast: it splits and joins elements in memory order.
func (g *values) bitcast(v *ssa.Value) {
	x := v.Args[0]
	from, to := x.Type.K, v.Type.K
	fs, ts := from.Num().Size(), to.Num().Size()
	if fs == ts {
		g.each(v, func(i int) string {
			if from == to {
				return g.arg(v, 0, i)
			}
			return g.fromBits(to, g.toBits(from, g.arg(v, 0, i)))
		})
		return
	}
	unit := min(fs, ts) // the size of the pieces
	var pieces []string
	for i := range int(x.Type.N) {
		bits := g.toBits(from, g.arg(v, 0, i))
		if signed, ok := widened(x, i); ok && to == ssa.F16 && ts < fs {
			pieces = append(pieces, g.splitWidened(bits, fs, signed)...)
			continue
		}
		pieces = append(pieces, g.split(bits, fs, unit)...)
	}
	per := ts / unit
	g.each(v, func(i int) string { return g.fromBits(to, g.join(pieces[i*per:(i+1)*per], unit, ts)) })
}

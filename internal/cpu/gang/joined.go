package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A join is a load whose address is one of several, by lane. All lanes load from all addresses. Then each lane keeps one element. A
// leaf has an address; other joins have a choice.
type join struct {
	choice  *ssa.Value
	x, y    *join // of the choice's alternatives
	off     Reg
	uniform bool
}

// joinOf builds the addresses of an access in the pattern Joined, with some choices picked, and the checks that the elements of
// all lanes at each address are in bounds.
func joinOf(b *accesses, w *fastPath, picks lanes.Picks) *join {
	choice, stride, _ := b.p.Facts.NextChoice(&w.Address, picks)
	j := &join{choice: choice, uniform: stride == 0}
	if choice != nil {
		x, y := lanes.Alternatives(choice)
		picks[choice] = x
		j.x = joinOf(b, w, picks)
		picks[choice] = y
		j.y = joinOf(b, w, picks)
		delete(picks, choice)
		return j
	}
	for _, o := range w.Terms {
		r := b.asOffset(i64, o, firstOf(b, o, picks))
		if len(w.Terms) > 1 && b.p.Varying[o.ID] {
			// A term within ±MaxDisp wraps in no lane.
			x := b.plus(idType, b.each(ssa.OpBitcast, idType, 0, r), lanes.MaxDisp)
			w.checks = append(w.checks, b.holds(ssa.OpLt, x, b.constant(idType, 2*lanes.MaxDisp)))
		}
		j.off = b.add(i64, j.off, r)
	}
	j.off = b.plus(i64, j.off, w.Disp)
	size := w.Type.Size()
	if !j.uniform {
		size *= b.o.Lanes
	}
	w.checks = append(w.checks, check{Inst{Op: OpCheck, Root: int32(w.root), Args: b.regs(j.off), Size: int32(size)}, 1})
	return j
}

// firstOf returns what an integer would be in the first lane if choices were as picked.
func firstOf(b *accesses, v *ssa.Value, picks lanes.Picks) Reg {
	v = b.p.Facts.Source(v)
	f := b.p.Facts.Of(v)
	switch {
	case picks[v] != nil:
		return firstOf(b, picks[v], picks)
	case !b.p.Varying[v.ID] || f.Shape == lanes.Affine && f.Order == nil:
		return b.scalar(v, 0)
	}
	args := b.regsOf(len(v.Args))
	for k, a := range v.Args {
		args[k] = firstOf(b, a, picks)
	}
	return b.each(v.Op, Type{Scalar, v.Type.K, 1}, v.Aux, args...)
}

// load loads the elements into register d. If d is 0 it makes a register.
func (j *join) load(b *accesses, w *fastPath, d Reg, t Type) Reg {
	if d == 0 {
		d = b.f.NewReg(t)
	}
	if j.choice == nil {
		shape := Contiguous
		if j.uniform {
			shape = Broadcast
		}
		b.emit(Inst{Op: OpLoad, Shape: shape, Dst: d, Args: b.regs(j.off), Root: int32(w.root)})
		return d
	}
	x, y := j.x.load(b, w, 0, t), j.y.load(b, w, 0, t)
	b.emit(Inst{Op: OpEach, Each: ssa.OpSelect, Dst: d, Args: b.regs(isFirst(b, j.choice), x, y)})
	return d
}

// isFirst returns the lanes in which a choice is its first alternative.
func isFirst(b *accesses, v *ssa.Value) Reg {
	if v.Op == ssa.OpSelect {
		return b.vector(v.Args[0], 0)
	}
	x, y := v.Args[0], v.Args[1]
	if v.Op == ssa.OpMax {
		x, y = y, x
	}
	return b.each(ssa.OpLe, predicate, 0, b.vector(x, 0), b.vector(y, 0))
}

// findJoined finds the values that only addresses of joins depend on: vectors of them are built where a check fails.
func findJoined(b *accesses) {
	if !slices.ContainsFunc(b.p.Order, func(x *ssa.Block) bool { return slices.ContainsFunc(x.Values, b.p.Facts.IsChoice) }) {
		return
	}
	b.joinOnly = make([]bool, b.p.F.NumValues())
	uses := make([]int32, b.p.F.NumValues())
	for _, x := range slices.Backward(b.p.Order) {
		for _, v := range slices.Backward(x.Values) {
			switch v.Op {
			case ssa.OpLoad:
				if b.p.Varying[v.Args[0].ID] && b.patterns.Access(v, true).Pattern == lanes.Joined {
					uses[v.Args[0].ID]++
				}
			case ssa.OpPtrAdd, ssa.OpConvert, ssa.OpBitcast, ssa.OpMul, ssa.OpShl, ssa.OpAdd, ssa.OpSub, ssa.OpSelect, ssa.OpMin, ssa.OpMax:
				if b.joinOnly[v.ID] = uses[v.ID] > 0 && uses[v.ID] == b.uses[v.ID]; b.joinOnly[v.ID] {
					for _, a := range v.Args {
						uses[a.ID]++
					}
				}
			}
		}
	}
}

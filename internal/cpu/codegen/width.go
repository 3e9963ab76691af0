package codegen

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Lanes returns how many work-items a gang of the kernel should have: as many as the
// registers allow, because the rounds of a long gang overlap, its narrow elements fill
// registers, and what is uniform is computed once for all. Where lanes part, masks take
// up registers of their own, and lanes wait for each other; but gangs wait for each other
// at barriers.
func Lanes(p *spmd.Plan, lv *Level) int {
	if p.F.CountValues() > largeKernel {
		return lv.Lanes
	}
	most, parted := 4, 2
	summed := summed(p, lv)
	for _, b := range p.Order {
		for _, v := range b.Values {
			switch v.Op {
			case ssa.OpBarrier:
				parted = 4
			case ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
				if !summed(v) {
					most = 1
				}
			}
		}
	}
	for _, b := range p.Order {
		if p.Split[b.ID] && !p.Rare(b) {
			most = min(most, parted)
		}
	}
	d := demandOf(p)
	for m := most; m > 1; m /= 2 {
		if d.fits(lv, m*lv.Lanes) {
			return m * lv.Lanes
		}
	}
	return lv.Lanes
}

// largeKernel is how many values a kernel has for which code is made for short gangs only:
// that is made sooner, and where so much is computed nothing else is saved by long ones.
const largeKernel = 4000

// A demand is how many values are live at once where most are.
type demand struct {
	uniform int    // in vector registers
	varying [9]int // by size of an element
	masks   int    // there, or where in loops most of them are
	weight  int
}

// fits reports whether a level has registers for gangs of so many lanes.
func (d *demand) fits(lv *Level, lanes int) bool {
	regs := 14
	if lv.AVX512 {
		regs = 28
	}
	need := d.uniform
	for size, n := range d.varying {
		need += n * max(1, size*lanes/int(lv.VL))
	}
	masks := d.masks * lanes / lv.Lanes
	if !lv.AVX512 {
		need, masks = need+masks, 0
	}
	return need <= regs && masks <= 6
}

// demandOf estimates how many values are live at once.
func demandOf(p *spmd.Plan) demand {
	n := p.F.NumValues()
	words := (n + 63) / 64
	even := evenValues(p)
	live := make([][]uint64, p.F.NumBlocks())
	for i := range live {
		live[i] = make([]uint64, words)
	}
	var best, now demand
	masks := 0 // where in loops most of them are
	add := func(s []uint64, v *ssa.Value) {
		if bit := uint64(1) << (v.ID & 63); !v.IsConst() && s[v.ID>>6]&bit == 0 {
			s[v.ID>>6] |= bit
			now.change(p, even, v.ID, 1)
		}
	}
	s := make([]uint64, words)
	scan := func(b *ssa.Block, measure bool) bool {
		clear(s)
		now = demand{}
		for _, t := range b.Succs {
			for i, w := range live[t.ID] {
				for x := w &^ s[i]; x != 0; x &= x - 1 {
					now.change(p, even, int32(i<<6+bits.TrailingZeros64(x)), 1)
				}
				s[i] |= w
			}
			for i, q := range t.Preds {
				if q == b {
					for _, v := range t.Phis() {
						add(s, v.Args[i])
					}
				}
			}
		}
		for k := len(b.Values) - 1; k >= 0; k-- {
			v := b.Values[k]
			if measure {
				if now.weight > best.weight {
					best = now
				}
				if p.Loops.Of(b) != nil {
					masks = max(masks, now.masks)
				}
			}
			if bit := uint64(1) << (v.ID & 63); s[v.ID>>6]&bit != 0 {
				s[v.ID>>6] &^= bit
				now.change(p, even, v.ID, -1)
			}
			if v.Op == ssa.OpPhi {
				continue
			}
			for _, a := range v.Args {
				add(s, a)
			}
		}
		if slices.Equal(live[b.ID], s) {
			return false
		}
		copy(live[b.ID], s)
		return true
	}
	for changed := true; changed; {
		changed = false
		for k := len(p.Order) - 1; k >= 0; k-- {
			changed = scan(p.Order[k], false) || changed
		}
	}
	for _, b := range p.Order {
		if !p.Rare(b) {
			scan(b, true)
		}
	}
	best.masks = max(best.masks, masks)
	return best
}

// change counts a value that becomes live (by is 1) or dead (-1).
func (d *demand) change(p *spmd.Plan, even *evenness, id int32, by int) {
	v := even.byID[id]
	if v == nil || even.even[id] {
		return
	}
	by *= int(v.Type.N)
	switch {
	case v.Type.K == ssa.Bool && !p.Varying[id]: // in a general register, or flags
	case v.Type.K == ssa.Bool:
		d.masks += by
		d.weight += by
	case p.Varying[id]:
		d.varying[size(v.Type.K)] += by
		d.weight += by * size(v.Type.K)
	case !inGeneral(v.Type.K):
		d.uniform += by
		d.weight += by
	}
}

// An evenness says which values need no vector register: those of which the first lane's
// tells the others.
type evenness struct {
	byID []*ssa.Value
	even []bool
}

func evenValues(p *spmd.Plan) *evenness {
	n := p.F.NumValues()
	e := &evenness{make([]*ssa.Value, n), make([]bool, n)}
	for _, b := range p.Order {
		for _, v := range b.Values {
			e.byID[v.ID] = v
			if v.Type.K.IsPtr() {
				e.even[v.ID] = true
				continue
			}
			if !inGeneral(v.Type.K) || v.Type.K == ssa.Bool || v.Type.N != 1 {
				continue
			}
			if !p.Varying[v.ID] {
				e.even[v.ID] = true
				continue
			}
			switch v.Op {
			case ssa.OpWorkItem:
				e.even[v.ID] = true
			case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpShl, ssa.OpConvert, ssa.OpCopy, ssa.OpBitcast, ssa.OpPhi:
				ok := true
				for i, a := range v.Args {
					known := a.IsConst() || e.byID[a.ID] == nil || e.even[a.ID]
					ok = ok && known && (i == 0 || v.Op != ssa.OpMul && v.Op != ssa.OpShl || !p.Varying[a.ID])
				}
				e.even[v.ID] = ok
			}
		}
	}
	return e
}

package codegen

import (
	"math/bits"

	"github.com/purecl/purecl/internal/spmd"
	"github.com/purecl/purecl/internal/ssa"
)

// Lanes returns how many work-items a gang of the kernel should have: as many as the
// registers allow, because the rounds of a long gang overlap, its narrow elements fill
// registers, and what is uniform is computed once for all. Where lanes part, masks take
// up registers of their own, and lanes wait for each other; but gangs wait for each other
// at barriers.
func Lanes(p *spmd.Plan, lv *Level) int {
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
	regs := 14
	if lv.AVX512 {
		regs = 28
	}
	d := demandOf(p)
	for m := most; m > 1; m /= 2 {
		need := d.uniform
		for size, n := range d.varying {
			need += n * max(1, size*lv.Lanes*m/int(lv.VL))
		}
		masks := d.masks * m
		if !lv.AVX512 {
			need, masks = need+masks, 0
		}
		if need <= regs && masks <= 6 {
			return m * lv.Lanes
		}
	}
	return lv.Lanes
}

// A demand is how many values are live at once where most are.
type demand struct {
	uniform int         // in vector registers
	varying map[int]int // by size of an element
	masks   int
}

func (d *demand) weight() int {
	n := d.uniform + d.masks
	for size, k := range d.varying {
		n += k * size
	}
	return n
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
	add := func(s []uint64, v *ssa.Value) {
		if !v.IsConst() {
			s[v.ID>>6] |= 1 << (v.ID & 63)
		}
	}
	var best demand
	scan := func(b *ssa.Block, measure bool) bool {
		s := make([]uint64, words)
		for _, t := range b.Succs {
			for i, w := range live[t.ID] {
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
				if d := count(p, s, even); d.weight() > best.weight() {
					best = d
				}
			}
			s[v.ID>>6] &^= 1 << (v.ID & 63)
			if v.Op == ssa.OpPhi {
				continue
			}
			for _, a := range v.Args {
				add(s, a)
			}
		}
		changed := false
		for i, w := range s {
			if live[b.ID][i] != w {
				changed = true
				live[b.ID][i] = w
			}
		}
		return changed
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
	return best
}

// count adds up a set of live values.
func count(p *spmd.Plan, live []uint64, even *evenness) demand {
	d := demand{varying: map[int]int{}}
	for i, w := range live {
		for ; w != 0; w &= w - 1 {
			id := i<<6 + bits.TrailingZeros64(w)
			v := even.byID[id]
			switch {
			case v == nil || even.even[id]:
			case v.Type.K == ssa.Bool:
				d.masks += int(v.Type.N)
			case p.Varying[id]:
				d.varying[size(v.Type.K)] += int(v.Type.N)
			case !inGeneral(v.Type.K):
				d.uniform += int(v.Type.N)
			}
		}
	}
	return d
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

package lanes

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/target"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Width returns the length of gangs for the kernel: as long as the registers allow. In a long gang iterations
// overlap, narrow elements fill registers, and uniform values are computed once for all. Under divergence gangs
// stay shorter: masks take registers of their own and lanes wait for each other. Kernels with barriers get
// longer ones even then, because their gangs wait for each other.
func (f *Facts) Width(t *target.Target) int {
	if f.F.CountValues() > largeKernel {
		return t.Lanes
	}
	most, divergent := 4, 2
	reductions := f.Reductions(t)
	reduces := func(v *ssa.Value) bool {
		v = f.origin(v)
		return slices.ContainsFunc(reductions, func(r Reduction) bool { return r.Op == v && !r.Elements })
	}
	for v := range f.Values() {
		switch v.Op {
		case ssa.OpBarrier:
			divergent = 4
		case ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
			if !reduces(v) {
				most = 1
			}
		}
	}
	for _, b := range f.Order {
		if f.Split[b.ID] && !f.rare(b) {
			most = min(most, divergent)
		}
	}
	d := f.demand()
	for m := most; m > 1; m /= 2 {
		if d.fits(t, m*t.Lanes) {
			return m * t.Lanes
		}
	}
	return t.Lanes
}

func (f *Facts) rare(b *ssa.Block) bool { return f.Rare != nil && f.Rare(b) }

// largeKernel is the number of values from which gangs are kept short: code is ready sooner, and long gangs
// would save little else.
const largeKernel = 4000

// InVector reports whether the lanes of a value need vector or mask registers. Uniform integers and pointers do
// not, nor do affine ones.
func (f *Facts) InVector(v *ssa.Value) bool {
	switch {
	case v.IsConst() || v.Type.K == ssa.Void:
		return false
	case f.Of(v).Shape == Uniform:
		return !Scalar(v.Type.K)
	case v.Type.K.IsPtr():
		return false // split into terms
	}
	return f.Of(v).Shape != Affine
}

// A demand is the number of simultaneously live values at the point of highest pressure.
type demand struct {
	uniform int    // uniform values in vector registers
	varying [9]int // by size of an element in bytes
	masks   int    // masks at that point; at least the most in a loop
	weight  int
	inLoop  bool // that point is in a loop
}

// LiveBytes returns the bytes per lane of the varying values at the point of highest pressure.
func (f *Facts) LiveBytes() (n int) {
	for size, values := range f.demand().varying {
		n += size * values
	}
	return n
}

// fits reports whether the machine has enough registers for gangs of that length.
func (d *demand) fits(t *target.Target, lanes int) bool {
	need := d.uniform
	for size, n := range d.varying {
		need += n * max(1, size*lanes/t.VectorBytes)
	}
	masks := d.masks * lanes / t.Lanes
	regs := t.VectorRegs
	if lanes == 2*t.Lanes && !d.inLoop && 2*d.varying[8] <= d.varying[4] {
		regs += t.SpillRegs
	}
	if t.MaskRegs == 0 {
		return need+masks <= regs
	}
	return need <= regs && masks <= t.MaskRegs
}

// change counts a value that becomes live (by is 1) or dead (-1).
func (d *demand) change(v *ssa.Value, varying bool, by int) {
	by *= int(v.Type.N)
	weight := by
	switch {
	case !varying:
		d.uniform += by
	case v.Type.K == ssa.Bool:
		d.masks += by
	default:
		d.varying[size(v.Type.K)] += by
		weight *= size(v.Type.K)
	}
	d.weight += weight
}

// A liveness computes the demand.
type liveness struct {
	f     *Facts
	byID  []*ssa.Value // the values that need vector or mask registers
	live  [][]uint64   // by block ID: live at its start
	now   demand
	best  demand
	masks int // most masks live in loops
	set   []uint64
}

// demand estimates the register pressure.
func (f *Facts) demand() demand {
	n := f.F.NumValues()
	words := (n + 63) / 64
	l := &liveness{f: f, byID: make([]*ssa.Value, n), live: make([][]uint64, f.F.NumBlocks()), set: make([]uint64, words)}
	all := make([]uint64, words*len(l.live))
	for i := range l.live {
		l.live[i] = all[i*words:][:words]
	}
	for v := range f.Values() {
		if f.InVector(v) {
			l.byID[v.ID] = v
		}
	}
	for changed := true; changed; {
		changed = false
		for k := len(f.Order) - 1; k >= 0; k-- {
			changed = l.scan(f.Order[k], false) || changed
		}
	}
	for _, b := range f.Order {
		if !f.rare(b) {
			l.scan(b, true)
		}
	}
	l.best.masks = max(l.best.masks, l.masks)
	return l.best
}

func (l *liveness) change(id int32, by int) {
	if v := l.byID[id]; v != nil {
		l.now.change(v, l.f.Varying[id], by)
	}
}

func (l *liveness) add(v *ssa.Value) {
	if bit := uint64(1) << (v.ID & 63); l.byID[v.ID] != nil && l.set[v.ID>>6]&bit == 0 {
		l.set[v.ID>>6] |= bit
		l.change(v.ID, 1)
	}
}

// scan walks a block backwards and reports whether its live-in set has changed.
func (l *liveness) scan(b *ssa.Block, measure bool) bool {
	clear(l.set)
	l.now = demand{}
	for _, t := range b.Succs {
		for i, w := range l.live[t.ID] {
			for x := w &^ l.set[i]; x != 0; x &= x - 1 {
				l.change(int32(i<<6+bits.TrailingZeros64(x)), 1)
			}
			l.set[i] |= w
		}
		for i, q := range t.Preds {
			if q == b {
				for _, v := range t.Phis() {
					l.add(v.Args[i])
				}
			}
		}
	}
	for k := len(b.Values) - 1; k >= 0; k-- {
		v := b.Values[k]
		if measure {
			inLoop := l.f.Loops.Of(b) != nil
			if l.now.weight > l.best.weight {
				l.best = l.now
				l.best.inLoop = inLoop
			}
			if inLoop {
				l.masks = max(l.masks, l.now.masks)
			}
		}
		if bit := uint64(1) << (v.ID & 63); l.set[v.ID>>6]&bit != 0 {
			l.set[v.ID>>6] &^= bit
			l.change(v.ID, -1)
		}
		if v.Op == ssa.OpPhi {
			continue
		}
		for _, a := range v.Args {
			l.add(a)
		}
	}
	if slices.Equal(l.live[b.ID], l.set) {
		return false
	}
	copy(l.live[b.ID], l.set)
	return true
}

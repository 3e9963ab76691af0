package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Accesses in the pattern Spread of package lanes.

// loadSpread builds a load of the vectors around the elements of each cluster of lanes, and permutes the elements.
func loadSpread(b *accesses, v *ssa.Value, w *fastPath, whole Type, slow func(d Reg)) {
	es := whole.Size()
	regs := b.newRegs(whole.N, Type{Vector, whole.K, 1})
	set := func(d Reg) {
		for c, r := range regs {
			b.emit(Inst{Op: OpCopy, Dst: r, Args: b.regs(b.partOf(d, c))})
		}
	}
	spread(b, w, func(list []lanes.Cluster, offs []Reg) {
		var vectors []Reg
		from := make([][]uint64, len(regs)) // by element and lane: the number of the element in vectors
		for c := range from {
			from[c] = make([]uint64, b.o.Lanes)
		}
		for k := range list {
			at := lanes.Windows(&w.Access, &list[k], b.o.Lanes)
			for lane, d := range list[k].Apart {
				for c := range from {
					e := d + int64(c*es)
					n, begins := slices.BinarySearch(at, e)
					if !begins {
						n--
					}
					from[c][list[k].First+lane] = uint64((len(vectors)+n)*b.o.Lanes) + uint64(e-at[n])/uint64(es)
				}
			}
			for _, disp := range at {
				vectors = append(vectors, b.inst(Inst{Op: OpLoad, Shape: Contiguous, Args: b.regs(offs[k]), Root: int32(w.root), Imm: disp}, Type{Vector, whole.K, 1}))
			}
		}
		for c, r := range regs {
			permuteAll(b, r, vectors, from[c])
		}
	}, func() {
		byLane := func() { d := b.f.NewReg(whole); slow(d); set(d) }
		if b.mask(b.src) == 0 { // a lane is out of bounds
			byLane()
			return
		}
		b.hard(v, w, func(second *fastPath) { d := b.f.NewReg(whole); b.emit(second.load(d)); set(d) }, byLane)
	})
	b.setRead(v, false, regs)
}

// permuteAll sets d to the elements of vectors, one after the other, that have the numbers from.
func permuteAll(b *accesses, d Reg, vectors []Reg, from []uint64) {
	n := uint64(b.o.Lanes)
	x := vectors[0]
	for k := range max(1, len(vectors)-1) {
		last := min(k+1, len(vectors)-1)
		cases := make([]uint64, n)
		for lane, f := range from {
			switch cases[lane] = uint64(lane); {
			case k == 0 && f < n:
				cases[lane] = f
			case f/n == uint64(last):
				cases[lane] = n + f%n
			}
		}
		to := d
		if last < len(vectors)-1 {
			to = b.f.NewReg(b.f.Type(d))
		}
		b.emit(Inst{Op: OpPermute, Dst: to, Args: b.regs(x, vectors[last]), Cases: cases})
		x = to
	}
}

// storeSpread builds a store of the elements of each cluster of lanes.
func storeSpread(b *accesses, w *fastPath, whole Reg, slow func()) {
	spread(b, w, func(list []lanes.Cluster, offs []Reg) {
		for k, c := range list {
			cases := slices.Repeat([]uint64{NotStored}, b.o.Lanes)
			for lane, d := range c.Apart {
				cases[c.First+lane] = uint64(d)
			}
			b.emit(Inst{Op: OpStore, Shape: Spread, Args: b.regs(offs[k], whole), Root: int32(w.root), Cases: cases})
		}
	}, slow)
}

// spread builds fast, which gets the clusters of lanes and the offset of each one's first lane, and slow for the case that an element may
// be out of bounds.
func spread(b *accesses, w *fastPath, fast func(list []lanes.Cluster, offs []Reg), slow func()) {
	list, _ := b.p.Facts.Clusters(&w.Access, b.o.Lanes)
	wraps, _ := b.p.Facts.ClusterWraps(&w.Access, &list[0])
	offsets := func(no *Block) (offs []Reg) {
		for k := range list {
			off := b.plus(i64, b.sum(i64, 0, w.Terms, func(o *ssa.Value) Reg { return inLane(b, o, list[k].First) }), w.Disp)
			if no != nil {
				for _, x := range wraps {
					// Near 0 it wraps in no lane of the cluster.
					near := b.plus(i64, b.each(ssa.OpConvert, i64, 0, inLane(b, x, list[k].First)), lanes.MaxApart)
					b.unless(b.holds(ssa.OpLt, b.each(ssa.OpBitcast, idType, 0, near), b.constant(idType, 2*lanes.MaxApart)), no)
				}
				b.unless(check{Inst{Op: OpCheck, Root: int32(w.root), Args: b.regs(off), Size: int32(list[k].Span(&w.Access)), Write: w.Write}, 1}, no)
			}
			offs = append(offs, off)
		}
		return offs
	}
	if w.Certain || w.tested && len(wraps) == 0 {
		w.checked = lanes.Nowhere
		fast(list, offsets(nil))
		return
	}
	b.either(func(no *Block) { fast(list, offsets(no)) }, slow)
}

// A laneValue is the value of an integer in one lane.
type laneValue struct {
	v    *ssa.Value
	lane int
}

// inLane returns what an integer that follows from ids is in a lane. It is computed once, where the integer is.
func inLane(b *accesses, v *ssa.Value, lane int) Reg {
	v = b.p.Facts.Source(v)
	f, affine := b.p.Facts.Of(v), false
	if !b.p.Varying[v.ID] {
		return b.scalar(v, 0)
	}
	if affine = f.Shape == lanes.Affine && f.Order == nil; affine && lane == 0 {
		return b.scalar(v, 0)
	}
	key := laneValue{v, lane}
	if r := b.lanes[key]; r != 0 {
		return r
	}
	t := Type{Scalar, v.Type.K, 1}
	i := Inst{Op: OpEach, Each: ssa.OpAdd}
	if affine {
		i.Args = b.regs(b.scalar(v, 0), b.constant(t, uint64(f.Stride*int64(lane))))
	} else {
		i.Each, i.Aux, i.Args = v.Op, v.Aux, b.argsOf(v, func(a *ssa.Value) Reg { return inLane(b, a, lane) })
	}
	i.Dst = b.f.NewReg(t)
	b.insertLate(&b.vals[v.ID], i)
	if b.lanes == nil {
		b.lanes = map[laneValue]Reg{}
	}
	b.lanes[key] = i.Dst
	return i.Dst
}

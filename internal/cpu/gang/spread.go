package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Accesses in the patterns Spread and Window of package lanes.

// loadSpread builds a load of the vectors around the elements of each cluster of lanes, and permutes the elements.
func loadSpread(b *accesses, v *ssa.Value, w *fastPath, whole Type, slow func(d Reg)) {
	es, shape := int64(whole.Size()), Contiguous
	regs := b.newRegs(whole.N, Type{Vector, whole.K, 1})
	list := b.patterns.Clusters(&w.Access)
	length := es * int64(b.o.Lanes)
	if list[0].Alike {
		shape, length = Broadcast, es
	}
	otherwise := func(load func(d Reg)) {
		if len(regs) == 1 {
			load(regs[0])
			return
		}
		d := b.f.NewReg(whole)
		load(d)
		for c, r := range regs {
			b.emit(Inst{Op: OpCopy, Dst: r, Args: b.regs(b.partOf(d, c))})
		}
	}
	spread(b, w, list, func(offs []Reg) {
		if cases := halves(b, w, &list[0]); cases != nil {
			b.emit(Inst{Op: OpLoad, Shape: Spread, Dst: regs[0], Args: b.regs(offs[0]), Root: int32(w.root), Cases: cases})
			return
		}
		var vectors []Reg
		from := make([][]uint64, len(regs)) // by element and lane: the number of the element in vectors
		for c := range from {
			from[c] = make([]uint64, b.o.Lanes)
		}
		for k, x := range list {
			for lane, d := range x.Apart {
				for c := range from {
					e := d + int64(c)*es
					n := slices.IndexFunc(x.At, func(at int64) bool { return at <= e && e < at+length })
					from[c][x.First+lane] = uint64((len(vectors)+n)*b.o.Lanes) + uint64((e-x.At[n])/es)
				}
			}
			for _, disp := range x.At {
				vectors = append(vectors, b.inst(Inst{Op: OpLoad, Shape: shape, Args: b.regs(offs[k]), Root: int32(w.root), Imm: disp}, Type{Vector, whole.K, 1}))
			}
		}
		for c, r := range regs {
			permuteAll(b, r, vectors, from[c])
		}
	}, func() {
		if w.Pattern == lanes.Spread && b.mask(b.src) == 0 { // a lane is out of bounds
			otherwise(slow)
			return
		}
		b.hard(v, w, func(second *fastPath) { otherwise(func(d Reg) { b.emit(second.load(d)) }) }, func() { otherwise(slow) })
	})
	b.setRead(v, false, regs)
}

// halves returns the distances of lanes from the first one if a window has two vectors, but each half of a register has lanes side by
// side, else nil. To load the halves is cheaper: the vectors are rarely aligned, and no permutation follows.
func halves(b *accesses, w *fastPath, c *lanes.Cluster) (cases []uint64) {
	half := b.o.Target.VectorBytes / 2 / w.Type.Size()
	if w.Pattern != lanes.Window || c.Alike || len(c.At) == 1 || b.o.Lanes%half != 0 {
		return nil
	}
	for lane, at := range c.Apart {
		if at != c.Apart[lane&^(half-1)]+int64(lane&(half-1)*w.Type.Size()) {
			return nil
		}
		cases = append(cases, uint64(at))
	}
	return cases
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
	list := b.patterns.Clusters(&w.Access)
	spread(b, w, list, func(offs []Reg) {
		for k, c := range list {
			cases := slices.Repeat([]uint64{NotStored}, b.o.Lanes)
			for lane, d := range c.Apart {
				cases[c.First+lane] = uint64(d)
			}
			b.emit(Inst{Op: OpStore, Shape: Spread, Args: b.regs(offs[k], whole), Root: int32(w.root), Cases: cases})
		}
	}, slow)
}

// spread builds fast, which gets the offset of the first lane of each cluster, and slow for the case that an element may be out of bounds.
func spread(b *accesses, w *fastPath, list []lanes.Cluster, fast func(offs []Reg), slow func()) {
	wraps, _ := b.p.Facts.ClusterWraps(&w.Access, &list[0])
	at, known := b.p.Facts.FixedFirst(&w.Address)
	offset := func(lane int) Reg {
		if known && lane == 0 {
			return b.constant(i64, uint64(at))
		}
		return b.plus(i64, b.sum(i64, 0, w.Terms, func(o *ssa.Value) Reg { return inLane(b, o, lane) }), w.Disp)
	}
	offsets := func(no *Block) (offs []Reg) {
		for k := range list {
			off := offset(list[k].First)
			if no != nil {
				for _, x := range wraps {
					// Near 0 it wraps in no lane of the cluster.
					b.unless(b.between(b.each(ssa.OpConvert, i64, 0, inLane(b, x, list[k].First)), -lanes.MaxApart, lanes.MaxApart), no)
				}
				b.unless(check{Inst{Op: OpCheck, Root: int32(w.root), Args: b.regs(off), Size: int32(list[k].Bytes), Write: w.Write}, 1}, no)
			}
			offs = append(offs, off)
		}
		return offs
	}
	inside := known && len(list) == 1 && lanes.Holds(w.Access.Root, at, int(list[0].Bytes))
	if w.Certain || inside || w.tested && w.Pattern == lanes.Spread && len(wraps) == 0 {
		fast(offsets(nil))
		return
	}
	b.either(func(no *Block) { fast(offsets(no)) }, slow)
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

package interp

import (
	"unsafe"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// kMove copies column a to d (or a cell to a cell).
func kMove[T word](v *view, in *inst) {
	for _, s := range v.act {
		copy(at[T](v, in.d, s), at[T](v, in.a, s))
	}
}

// kSpread copies cell a to every active lane of column d.
func kSpread[T word](v *view, in *inst) {
	val := *cell[T](&v.x.columns, in.a)
	for _, s := range v.act {
		spread(at[T](v, in.d, s), val)
	}
}

func bcastKernel(size uint8) kernel {
	return bySize(size, kSpread[uint8], kSpread[uint16], kSpread[uint32], kSpread[uint64])
}

// moveKernel returns the kernel that moves a register of this size.
func moveKernel(size uint8, dstUniform, srcUniform bool) kernel {
	if srcUniform && !dstUniform {
		return bcastKernel(size)
	}
	return bySize(size, kMove[uint8], kMove[uint16], kMove[uint32], kMove[uint64])
}

// resizeKernel changes the width of an integer whose low byte alone is used.
func resizeKernel(to, from uint8) kernel {
	switch from {
	case 1:
		return resizeFrom[uint8](to)
	case 2:
		return resizeFrom[uint16](to)
	case 4:
		return resizeFrom[uint32](to)
	}
	return resizeFrom[uint64](to)
}

func resizeFrom[S word](to uint8) kernel {
	return bySize(to, kResize[uint8, S], kResize[uint16, S], kResize[uint32, S], kResize[uint64, S])
}

func kResize[D, S word](v *view, in *inst) {
	for _, s := range v.act {
		d := at[D](v, in.d, s)
		for i, a := range at[S](v, in.a, s)[:len(d)] {
			d[i] = D(a)
		}
	}
}

// A recast is a reinterpretation between elements of these sizes in bytes.
type recast struct{ dst, src uint8 }

// kRecast reinterprets the vector in.src as the vector in.dst, in memory order.
func kRecast(v *view, in *inst) {
	r := in.ext.(*recast)
	var buf [16 * 8]byte
	for _, s := range v.act {
		for lane := s.lo; lane < s.hi; lane++ {
			one := span{lane, lane + 1}
			for k, u := range in.src {
				copy(buf[k*int(r.src):], elementBytes(v, u, one, r.src))
			}
			for k, u := range in.dst {
				copy(elementBytes(v, u, one, r.dst), buf[k*int(r.dst):])
			}
		}
	}
}

// elementBytes returns the bytes of one lane's element of a column.
func elementBytes(v *view, u int32, s span, size uint8) []byte {
	p := unsafe.Add(v.base, int(u)*v.w+int(s.lo)*int(size))
	return unsafe.Slice((*byte)(p), size)
}

// columnBytes returns the bytes of span s of a column.
func columnBytes(v *view, u int32, s span, size int) []byte {
	p := unsafe.Add(v.base, int(u)*v.w+int(s.lo)*size)
	n := int(s.hi-s.lo) * size
	return unsafe.Slice((*byte)(p), n)
}

// conversion lowers OpConvert.
func (l *lowerer) conversion(v *ssa.Value, uniform bool) {
	a := v.Args[0]
	sat, round := ssa.ConvParts(v.Aux)
	conv := &numeric.Conversion{Dst: v.Type.K.Num(), Src: a.Type.K.Num(), Sat: sat, Round: round}
	if v.Type.K == ssa.Void || a.Type.K == ssa.Void || v.Type.K.IsPtr() || a.Type.K.IsPtr() {
		l.c.fail(l.f, v.Pos, "no conversion from %s to %s", a.Type, v.Type)
	}
	run := convertKernel(conv)
	regs := l.list(int(v.Type.N))
	for i := range regs {
		l.useElem(v, a, i, uniform)
		r := l.comps[a.ID][i]
		if l.checks() >= exec.ChecksAll && conv.MayBeOutOfRange() {
			l.guard(v, kConvertGuard, uniform, r).ext = conv
		}
		regs[i] = l.newReg(elemSize(v.Type), uniform)
		in := l.opTo(v, run, uniform, regs[i], r)
		in.ext = conv
		in.keep = conv.Dst.Size() != conv.Src.Size() || conv.Src == numeric.F16 || conv.Dst == numeric.F16
	}
	l.comps[v.ID] = regs
}

// convertKernel returns the kernel of a conversion: a plain loop if Go has the conversion, else one that calls
// package numeric.
func convertKernel(c *numeric.Conversion) kernel {
	type pair struct{ d, s numeric.Kind }
	if !c.Sat && c.Dst.IsInt() && c.Src.IsInt() {
		switch (pair{c.Dst, c.Src}) {
		case pair{numeric.I64, numeric.I32}, pair{numeric.U64, numeric.I32}:
			return kCast[int64, int32]
		case pair{numeric.I64, numeric.U32}, pair{numeric.U64, numeric.U32}:
			return kCast[uint64, uint32]
		case pair{numeric.I32, numeric.I64}, pair{numeric.I32, numeric.U64}, pair{numeric.U32, numeric.I64}, pair{numeric.U32, numeric.U64}:
			return kCast[uint32, uint64]
		case pair{numeric.I32, numeric.U8}, pair{numeric.U32, numeric.U8}:
			return kCast[uint32, uint8]
		}
	}
	return kConvert
}

func kCast[D, S numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[D](v, in.d, s)
		for i, a := range at[S](v, in.a, s)[:len(d)] {
			d[i] = D(a)
		}
	}
}

func kConvert(v *view, in *inst) {
	c := in.ext.(*numeric.Conversion)
	for _, s := range v.act {
		c.Apply(columnBytes(v, in.d, s, c.Dst.Size()), columnBytes(v, in.a, s, c.Src.Size()))
	}
}

// workItemKernel returns the kernel of a work-item query with a dimension known only at
// run time.
func workItemKernel(size uint8) kernel {
	if size == 4 {
		return kWorkItem[uint32]
	}
	return kWorkItem[uint64]
}

func kWorkItem[T uint32 | uint64](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		for i, dim := range at[uint32](v, in.a, s)[:len(d)] {
			d[i] = T(v.x.query(ssa.WorkItemQuery(in.imm), uint64(dim), v.lane(s, i)))
		}
	}
}

// A callTo is a call of a function.
type callTo struct {
	target *ssa.Func
	fn     *fn
}

// kCall runs a function for the active lanes.
func kCall(v *view, in *inst) {
	x := v.x
	f := in.ext.(*callTo).fn
	act := v.act
	for i, u := range f.params {
		moveColumn(v, u, in.src[i], f.paramSizes[i])
	}
	x.exec(f, 1)
	if v.act = act; x.stops.n > 0 { // lanes may have stopped in the callee
		x.stops.fresh = true
		_, v.act = x.splitStopped(act)
	}
	for i, u := range in.dst {
		moveColumn(v, u, f.results[i], f.resultSize)
	}
}

func moveColumn(v *view, d, s int32, size uint8) {
	for _, sp := range v.act {
		copy(columnBytes(v, d, sp, int(size)), columnBytes(v, s, sp, int(size)))
	}
}

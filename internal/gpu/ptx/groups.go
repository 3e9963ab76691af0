package ptx

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// workItem emits a work-item query.
func (g *values) workItem(v *ssa.Value) {
	q, dim := ssa.WorkItemQuery(v.Aux), v.Args[0]
	fit := func(x string) string {
		if wide(v.Type.K) {
			return g.set(b64, "cvt.u64.u32", x)
		}
		return x
	}
	switch q {
	case ssa.WorkDim:
		g.put(v, fit(g.head(b32, HeadDims)))
		return
	case ssa.MaxSubGroupSize:
		g.put(v, fmt.Sprint(g.f.Kernel.SubGroupSize()))
		return
	case ssa.LocalLinearID:
		g.put(v, fit(g.linearID()))
		return
	case ssa.GlobalLinearID:
		x := g.globalLinear()
		if !wide(v.Type.K) {
			x = g.set(b32, "cvt.u32.u64", x)
		}
		g.put(v, x)
		return
	}
	beyond := "0"
	switch q {
	case ssa.GlobalSize, ssa.LocalSize, ssa.EnqueuedLocalSize, ssa.NumGroups:
		beyond = "1"
	}
	if dim.IsConst() {
		if d := dim.Bits[0]; d < 3 {
			g.put(v, fit(g.query(q, int(d))))
			return
		}
		g.put(v, beyond)
		return
	}
	r, n := beyond, g.elem(dim, 0)
	for d := range 3 {
		r = g.set(b32, "selp.b32", g.query(q, d), r, g.set(pred, "setp.eq.u32", n, fmt.Sprint(d)))
	}
	g.put(v, fit(r))
}

// barrier emits an OpBarrier.
func (g *values) barrier(v *ssa.Value) {
	_, _, scope := ssa.AtomicParts(v.Aux)
	if scope > ssa.ScopeWorkGroup {
		g.fence(ssa.AcqRel, scope)
	}
	switch {
	case g.k.Compares:
		g.compareBarriers(v)
	case g.trusts: // threads of a warp may part if the program breaks its promise
		g.emit("barrier.sync 0")
	default:
		g.emit("bar.sync 0")
	}
	if scope > ssa.ScopeWorkGroup {
		g.fence(ssa.AcqRel, scope)
	}
}

// compareBarriers emits a barrier in divergent control flow. Each work-item that still runs waits at some barrier. Each writes
// the number of its barrier to one word of shared memory, and reads the word behind the barrier. A work-item that reads
// another number has parted from others. The next barrier tells all work-items, and they record a finding for the barrier
// before. A work-item that ends without a next barrier records its finding at its end. Two words take turns: one is
// written again behind the next barrier, when all have read it. Threads that have ended do not take part. An end is no barrier:
// with barriers at ends, random kernels on an H200 acted as if threads of a warp that wait at two reductions got wrong
// results. Threads in endless loops end when the host stops the launch.
func (g *values) compareBarriers(v *ssa.Value) {
	g.aBarrier = g.access(v) + 1
	number := g.set(b32, "mov.b32", fmt.Sprint(g.aBarrier))
	g.emit("st.volatile.shared.u32 [%%slot], %s", number)
	g.emit("@%s bra %s", g.set(pred, "barrier.red.or.pred", "0", "%parted"), g.partedLabel())
	last := g.reg(b32)
	g.emit("ld.volatile.shared.u32 %s, [%%slot]", last)
	g.emit("setp.ne.u32 %%parted, %s, %s", last, number)
	g.emit("mov.b32 %%before, %s", number)
	g.emit("xor.b32 %%slot, %%slot, 4")
}

// partedLabel returns the label of the slow path of work-items that have parted at the barrier %before.
func (g *memory) partedLabel() string {
	const label = "$PARTED"
	if g.parts {
		return label
	}
	g.parts = true
	g.at(&g.slow, func() {
		g.mark(label)
		access := g.set(b32, "mad.lo.u32", "%before", fmt.Sprint(NumBad), fmt.Sprint(BadBarrier-NumBad))
		g.modes |= 1 << modeRecord
		g.call("pcl_access", map[int]any{framePtr: "0", frameMode: modeRecord, frameAccess: access, frameX: "0"})
		g.emit("exit")
	})
	return label
}

// startComparing emits the first values of the registers of compareBarriers.
func (g *memory) startComparing() {
	g.emit("mov.u32 %%slot, pcl_shared")
	g.emit("mov.b32 %%before, %d", g.aBarrier) // none yet: some barrier, should a work-item be told at its first that it has parted
	g.emit("setp.eq.u32 %%parted, %%before, 0")
}

// asyncLimit emits exec.AsyncLimit.
func (g *values) asyncLimit(v *ssa.Value) {
	behind := func(p *ssa.Value) string {
		at := g.elem(p, 0)
		n := g.label("R")
		size, off := g.reg(b64), g.masked(at)
		g.emit("mov.b64 %s, 0", size)
		number := g.set(b32, "cvt.u32.u64", g.set(b64, "shr.u64", at, fmt.Sprint(ssa.ObjectShift)))
		g.emit("@%s bra %s", g.set(pred, "setp.ge.u32", number, g.head(b32, HeadNumObjects)), n)
		entry := g.set(b64, "mad.wide.u32", number, fmt.Sprint(ObjectEntry), g.head(b64, HeadObjects))
		g.emit("ld.global.u64 %s, [%s+%d]", size, entry, ObjectLen)
		g.mark(n)
		return g.set(b64, "sub.u64", size, g.set(b64, "min.u64", off, size))
	}
	limit := func(bytes, pitch string) (n, zero string) {
		zero = g.set(pred, "setp.eq.u64", pitch, "0")
		q := g.set(b64, "div.u64", bytes, g.set(b64, "selp.b64", "1", pitch, zero))
		return g.set(b64, "selp.b64", "0", g.set(b64, "add.u64", q, "2"), zero), zero
	}
	dst, noDst := limit(behind(v.Args[0]), g.arg(v, 3, 0))
	src, noSrc := limit(behind(v.Args[1]), g.arg(v, 4, 0))
	most := g.set(b64, "max.u64", dst, src)
	most = g.set(b64, "selp.b64", "1", most, g.set(pred, "and.pred", noDst, noSrc))
	g.put(v, g.set(b64, "min.u64", g.arg(v, 2, 0), most))
}

// printf emits an OpPrintf whose format is a constant. It writes the arguments to a buffer, from which the host
// prints them.
func (g *values) printf(v *ssa.Value) {
	format, ok := ConstantString(v.Args[0])
	if !ok {
		g.refuse(v, "the format of a printf is not a constant string")
	}
	if !exec.NewPrintfCall(v).Check(format) {
		g.put(v, "-1")
		return
	}
	g.put(v, "0")
	call := len(g.k.Printfs)
	g.k.Printfs = append(g.k.Printfs, v)
	n := 0
	for _, a := range v.Args[1:] {
		n += int(a.Type.N)
	}
	size := PrintArgs + 8*n
	to, on := g.head(b64, HeadPrint), g.label("R")
	g.emit("@%s bra %s", g.set(pred, "setp.eq.u64", to, "0"), on)
	at := g.set(b64, "atom.relaxed.gpu.global.add.u64", "["+to+"]", fmt.Sprint(size))
	end := g.set(b64, "add.s64", at, fmt.Sprint(size))
	g.emit("@%s bra %s", g.set(pred, "setp.gt.u64", end, g.head(b64, HeadPrintSize)), on)
	at = g.set(b64, "add.s64", at, to)
	field := func(typ string, off int, x string) {
		g.emit("st.global.%s [%s+%d], %s", typ, at, PrintHead+off, x)
	}
	field("u32", PrintBytes, g.set(b32, "mov.b32", fmt.Sprint(size)))
	field("u32", PrintCall, g.set(b32, "mov.b32", fmt.Sprint(call)))
	field("u64", PrintItem, g.itemKey())
	n = 0
	for _, a := range v.Args[1:] {
		for i := range int(a.Type.N) {
			x := g.elem(a, i)
			switch classOf(a.Type.K) {
			case pred:
				x = g.set(b64, "selp.b64", "1", "0", x)
			case b16, b32:
				x = g.set(b64, "cvt.u64.u32", g.set(b32, "mov.b32", g.toBits(a.Type.K, x)))
			}
			field("u64", PrintArgs+8*n, x)
			n++
		}
	}
	g.mark(on)
}

// ConstantString returns the string that a constant variable begins with.
func ConstantString(p *ssa.Value) (string, bool) {
	off := int64(0)
	for {
		switch p.Op {
		case ssa.OpPtrCast, ssa.OpCopy:
			p = p.Args[0]
			continue
		case ssa.OpPtrAdd:
			if p.Args[1].IsConst() {
				off += int64(p.Args[1].Bits[0])
				p = p.Args[0]
				continue
			}
		case ssa.OpGlobalAddr:
			x := p.Sym.(*ssa.Global)
			if x.Kind != ssa.PtrConstant || off < 0 || off >= x.Size {
				return "", false
			}
			mem := make([]byte, x.Size)
			copy(mem, x.Init)
			return exec.CString(mem[off:])
		}
		return "", false
	}
}

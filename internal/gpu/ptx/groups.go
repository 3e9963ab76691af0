package ptx

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// thread returns the index of the thread in its block.
func (g *generator) thread() string {
	return g.once("thread", func() string {
		x := g.set(b32, "mov.u32", "%tid.x")
		if g.k.Linear {
			return x
		}
		yz := g.set(b32, "mad.lo.u32", g.set(b32, "mov.u32", "%tid.z"), g.set(b32, "mov.u32", "%ntid.y"), g.set(b32, "mov.u32", "%tid.y"))
		return g.set(b32, "mad.lo.u32", yz, g.set(b32, "mov.u32", "%ntid.x"), x)
	})
}

// threads returns the number of threads in the block.
func (g *generator) threads() string {
	return g.once("threads", func() string {
		x := g.set(b32, "mov.u32", "%ntid.x")
		if g.k.Linear {
			return x
		}
		return g.set(b32, "mul.lo.u32", g.set(b32, "mul.lo.u32", x, g.set(b32, "mov.u32", "%ntid.y")), g.set(b32, "mov.u32", "%ntid.z"))
	})
}

const dimNames = "xyz"

// group returns the work-group's id in dimension d.
func (g *generator) group(d int) string {
	return g.once(fmt.Sprint("group", d), func() string {
		return g.set(b32, "add.u32", g.set(b32, "mov.u32", "%ctaid."+dimNames[d:d+1]), g.loadHead(b32, HeadFirst+4*d))
	})
}

// groupStart returns the number of work-items before the work-group in dimension d.
func (g *generator) groupStart(d int) string {
	return g.once(fmt.Sprint("start", d), func() string {
		return g.set(b32, "mul.lo.u32", g.group(d), g.head(b32, HeadLocal+4*d))
	})
}

// localSize returns the size of this work-group in dimension d, which is smaller at the range's edge.
func (g *generator) localSize(d int) string {
	if !g.o.Uneven || g.o.Row && d > 0 {
		return g.head(b32, HeadLocal+4*d)
	}
	return g.once(fmt.Sprint("size", d), func() string {
		left := g.set(b32, "sub.u32", g.head(b32, HeadGlobal+4*d), g.groupStart(d))
		return g.set(b32, "min.u32", left, g.head(b32, HeadLocal+4*d))
	})
}

// localID returns the work-item's local id in dimension d.
func (g *generator) localID(d int) string {
	return g.once(fmt.Sprint("local", d), func() string {
		switch {
		case !g.k.Linear:
			return g.set(b32, "mov.u32", "%tid."+dimNames[d:d+1])
		case d == 0:
			return g.set(b32, "rem.u32", g.thread(), g.localSize(0))
		}
		rows := g.set(b32, "div.u32", g.thread(), g.localSize(0))
		if d == 1 {
			return g.set(b32, "rem.u32", rows, g.localSize(1))
		}
		return g.set(b32, "div.u32", rows, g.localSize(1))
	})
}

// items returns the number of work-items in the work-group.
func (g *generator) items() string {
	return g.once("items", func() string {
		return g.set(b32, "mul.lo.u32", g.set(b32, "mul.lo.u32", g.localSize(0), g.localSize(1)), g.localSize(2))
	})
}

// linearID returns the work-item's linear local id.
func (g *generator) linearID() string {
	if g.k.Linear {
		return g.thread()
	}
	return g.once("linear", func() string {
		yz := g.set(b32, "mad.lo.u32", g.localID(2), g.localSize(1), g.localID(1))
		return g.set(b32, "mad.lo.u32", yz, g.localSize(0), g.localID(0))
	})
}

// globalID returns the work-item's global id in dimension d; launches keep it below 2^32.
func (g *generator) globalID(d int) string {
	item := 0
	if d == 0 {
		item = g.item
	}
	return g.once(fmt.Sprint("global", d, " ", item), func() string {
		start := g.groupStart(d)
		if d == 0 && g.o.Items > 1 { // the group's threads run several groups' work-items
			start = g.set(b32, "mul.lo.u32", start, fmt.Sprint(g.o.Items))
		}
		at := g.set(b32, "add.u32", start, g.localID(d))
		if item > 0 {
			at = g.set(b32, "mad.lo.u32", g.head(b32, HeadLocal), fmt.Sprint(item), at)
		}
		return g.set(b32, "add.u32", at, g.head(b32, HeadOffset+4*d))
	})
}

// leaveEdges emits the exit of threads that are no work-items.
func (g *generator) leaveEdges() {
	if g.k.Linear {
		g.emit("@%s exit", g.set(pred, "setp.ge.u32", g.thread(), g.items()))
		return
	}
	outside := ""
	for d := range 3 {
		if g.o.Row && d > 0 {
			break
		}
		at := g.set(b32, "add.u32", g.groupStart(d), g.localID(d))
		if d == 0 {
			outside = g.set(pred, "setp.ge.u32", at, g.head(b32, HeadGlobal))
		} else {
			outside = g.set(pred, "setp.ge.or.u32", at, g.head(b32, HeadGlobal+4*d), outside)
		}
	}
	g.emit("@%s exit", outside)
}

// workItem emits a work-item query.
func (g *generator) workItem(v *ssa.Value) {
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

// query returns the operand of a query for dimension d.
func (g *generator) query(q ssa.WorkItemQuery, d int) string {
	switch q {
	case ssa.GlobalSize:
		return g.head(b32, HeadGlobal+4*d)
	case ssa.GlobalID:
		return g.globalID(d)
	case ssa.LocalSize:
		return g.localSize(d)
	case ssa.EnqueuedLocalSize:
		return g.head(b32, HeadLocal+4*d)
	case ssa.LocalID:
		return g.localID(d)
	case ssa.NumGroups:
		return g.head(b32, HeadGroups+4*d)
	case ssa.GroupID:
		return g.group(d)
	}
	return g.head(b32, HeadOffset+4*d)
}

func (g *generator) globalLinear() string {
	return g.once("globallinear", func() string {
		at := func(d int) string {
			return g.set(b64, "cvt.u64.u32", g.set(b32, "add.u32", g.groupStart(d), g.localID(d)))
		}
		size := func(d int) string { return g.set(b64, "cvt.u64.u32", g.head(b32, HeadGlobal+4*d)) }
		yz := g.set(b64, "mad.lo.u64", at(2), size(1), at(1))
		return g.set(b64, "mad.lo.u64", yz, size(0), at(0))
	})
}

// barrier emits an OpBarrier.
func (g *generator) barrier(v *ssa.Value) {
	_, _, scope := ssa.AtomicParts(v.Aux)
	if scope > ssa.ScopeWorkGroup {
		g.fence(ssa.AcqRel, scope)
	}
	if g.k.Compares {
		g.compareBarriers(v)
	} else {
		g.emit("bar.sync 0")
	}
	if scope > ssa.ScopeWorkGroup {
		g.fence(ssa.AcqRel, scope)
	}
}

// compareBarriers emits a barrier in divergent control flow. Each work-item that still runs waits at some barrier,
// so that each writes the number of its barrier to a minimum and a maximum in shared memory. Different values are
// the finding. Threads that have ended do not take part; threads in endless loops end when the host stops the
// launch.
func (g *generator) compareBarriers(v *ssa.Value) {
	number := fmt.Sprint(g.access(v) + 1)
	apart, on := g.label("S"), g.label("R")
	least, greatest := g.reg(b32), g.reg(b32)
	id := g.set(b32, "mov.b32", number)
	g.emit("red.relaxed.cta.shared.min.u32 [pcl_shared], %s", id)
	g.emit("red.relaxed.cta.shared.max.u32 [pcl_shared+4], %s", id)
	g.emit("barrier.sync 0")
	g.emit("ld.volatile.shared.u32 %s, [pcl_shared]", least)
	g.emit("ld.volatile.shared.u32 %s, [pcl_shared+4]", greatest)
	g.emit("barrier.sync 0")
	g.emit("st.volatile.shared.u32 [pcl_shared], -1")
	g.emit("st.volatile.shared.u32 [pcl_shared+4], 0")
	g.emit("barrier.sync 0")
	g.emit("@%s bra %s", g.set(pred, "setp.ne.u32", least, greatest), apart)
	g.mark(on)
	g.at(&g.slow, func() {
		g.mark(apart)
		g.callRecord(v, BadBarrier, "0", "0")
		g.emit("exit")
	})
}

// fence emits a memory fence.
func (g *generator) fence(order ssa.Order, scope ssa.Scope) {
	switch order {
	case ssa.Relaxed:
	case ssa.SeqCst:
		g.emit("fence.sc.%s", scopeName(scope))
	default:
		g.emit("fence.acq_rel.%s", scopeName(scope))
	}
}

func scopeName(s ssa.Scope) string {
	switch s {
	case ssa.ScopeDevice:
		return "gpu"
	case ssa.ScopeAll:
		return "sys"
	}
	return "cta"
}

// subGroupOp emits an operation of a sub-group.
func (g *generator) subGroupOp(v *ssa.Value) {
	switch v.Op {
	case ssa.OpSubGroupExchange:
		g.exchange(v)
	case ssa.OpSubGroupBallot:
		g.put(v, g.ballot(g.set(pred, "setp.ne.s32", g.arg(v, 0, 0), "0")))
	case ssa.OpSubGroupBarrier:
		together{g}.subGroupBarrier(v)
	}
}

// subGroup returns the warp lane of the sub-group's first work-item, and the number of its work-items.
func (g *generator) subGroup() (first, count string) {
	size := g.f.Kernel.SubGroupSize()
	first = g.once("subfirst", func() string {
		return g.set(b32, "and.b32", g.set(b32, "mov.u32", "%laneid"), fmt.Sprint(32-size))
	})
	count = g.once("subcount", func() string {
		start := g.set(b32, "and.b32", g.thread(), fmt.Sprint(-size))
		return g.set(b32, "min.u32", g.set(b32, "sub.u32", g.items(), start), fmt.Sprint(size))
	})
	return first, count
}

// members returns the lane mask of the sub-group.
func (g *generator) members() string {
	first, count := g.subGroup()
	return g.once("members", func() string {
		ones := g.set(b32, "shr.u32", "0xffffffff", g.set(b32, "sub.u32", "32", count))
		return g.set(b32, "shl.b32", ones, first)
	})
}

func (g *generator) ballot(p string) string {
	first, _ := g.subGroup()
	all := g.set(b32, "vote.sync.ballot.b32", p, together{g}.lanes())
	return g.set(b32, "shr.u32", all, first)
}

// exchange emits a sub-group exchange: reading from a work-item that does not exist gives 0.
func (g *generator) exchange(v *ssa.Value) {
	first, count := g.subGroup()
	from := g.arg(v, 1, 0)
	there := g.set(pred, "setp.lt.u32", from, count)
	lane := ""
	if g.masks != nil {
		there, lane = together{g}.reachable(from)
	} else {
		lane = g.set(b32, "add.u32", g.set(b32, "selp.b32", from, "0", there), first)
	}
	shuffle := func(x string) string {
		y := g.set(b32, "shfl.sync.idx.b32", x, lane, "31", together{g}.lanes())
		return g.set(b32, "selp.b32", y, "0", there)
	}
	k := v.Type.K
	g.each(v, func(i int) string {
		x := g.arg(v, 0, i)
		switch {
		case k == ssa.Bool:
			return g.set(pred, "setp.ne.u32", shuffle(g.set(b32, "selp.b32", "1", "0", x)), "0")
		case wide(k):
			lo := shuffle(g.set(b32, "cvt.u32.u64", x))
			hi := shuffle(g.set(b32, "cvt.u32.u64", g.set(b64, "shr.u64", x, "32")))
			return g.join([]string{lo, hi}, 4, 8)
		}
		return g.fromBits(k, shuffle(g.set(b32, "mov.b32", g.toBits(k, x))))
	})
}

// asyncLimit emits exec.AsyncLimit.
func (g *generator) asyncLimit(v *ssa.Value) {
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
func (g *generator) printf(v *ssa.Value) {
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

// itemKey returns group<<ItemBits | thread, the work-item's key in records.
func (g *generator) itemKey() string {
	return g.once("item", func() string {
		groups := func(d int) string { return g.set(b64, "cvt.u64.u32", g.head(b32, HeadGroups+4*d)) }
		at := func(d int) string { return g.set(b64, "cvt.u64.u32", g.group(d)) }
		yz := g.set(b64, "mad.lo.u64", at(2), groups(1), at(1))
		key := g.set(b64, "shl.b64", g.set(b64, "mad.lo.u64", yz, groups(0), at(0)), fmt.Sprint(ItemBits))
		return g.set(b64, "or.b64", key, g.set(b64, "cvt.u64.u32", g.thread()))
	})
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

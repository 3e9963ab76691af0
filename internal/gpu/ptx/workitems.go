package ptx

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// workItems emits the position of a work-item in its work-group and in the launch.
type workItems struct {
	arithmetic
	item int // the work-item, of several that a thread runs, that is emitted
}

// thread returns the index of the thread in its block.
func (g *workItems) thread() string {
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
func (g *workItems) threads() string {
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
func (g *workItems) group(d int) string {
	return g.once(fmt.Sprint("group", d), func() string {
		return g.set(b32, "add.u32", g.set(b32, "mov.u32", "%ctaid."+dimNames[d:d+1]), g.loadHead(b32, HeadFirst+4*d))
	})
}

// groupStart returns the number of work-items before the work-group in dimension d.
func (g *workItems) groupStart(d int) string {
	return g.once(fmt.Sprint("start", d), func() string {
		return g.set(b32, "mul.lo.u32", g.group(d), g.head(b32, HeadLocal+4*d))
	})
}

// localSize returns the size of this work-group in dimension d, which is smaller at the range's edge.
func (g *workItems) localSize(d int) string {
	if !g.opts.Uneven || g.opts.Row && d > 0 {
		return g.head(b32, HeadLocal+4*d)
	}
	return g.once(fmt.Sprint("size", d), func() string {
		left := g.set(b32, "sub.u32", g.head(b32, HeadGlobal+4*d), g.groupStart(d))
		return g.set(b32, "min.u32", left, g.head(b32, HeadLocal+4*d))
	})
}

// localID returns the work-item's local id in dimension d.
func (g *workItems) localID(d int) string {
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
func (g *workItems) items() string {
	return g.once("items", func() string {
		return g.set(b32, "mul.lo.u32", g.set(b32, "mul.lo.u32", g.localSize(0), g.localSize(1)), g.localSize(2))
	})
}

// linearID returns the work-item's linear local id.
func (g *workItems) linearID() string {
	if g.k.Linear {
		return g.thread()
	}
	return g.once("linear", func() string {
		yz := g.set(b32, "mad.lo.u32", g.localID(2), g.localSize(1), g.localID(1))
		return g.set(b32, "mad.lo.u32", yz, g.localSize(0), g.localID(0))
	})
}

// globalID returns the work-item's global id in dimension d; launches keep it below 2^32.
func (g *workItems) globalID(d int) string {
	item := 0
	if d == 0 {
		item = g.item
	}
	return g.once(fmt.Sprint("global", d, " ", item), func() string {
		start := g.groupStart(d)
		if d == 0 && g.opts.Items > 1 { // the group's threads run several groups' work-items
			start = g.set(b32, "mul.lo.u32", start, fmt.Sprint(g.opts.Items))
		}
		at := g.set(b32, "add.u32", start, g.localID(d))
		if item > 0 {
			at = g.set(b32, "mad.lo.u32", g.head(b32, HeadLocal), fmt.Sprint(item), at)
		}
		return g.set(b32, "add.u32", at, g.head(b32, HeadOffset+4*d))
	})
}

// leaveEdges emits the exit of threads that are no work-items.
func (g *workItems) leaveEdges() {
	if g.k.Linear {
		g.emit("@%s exit", g.set(pred, "setp.ge.u32", g.thread(), g.items()))
		return
	}
	outside := ""
	for d := range 3 {
		if g.opts.Row && d > 0 {
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

// query returns the operand of a query for dimension d.
func (g *workItems) query(q ssa.WorkItemQuery, d int) string {
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

func (g *workItems) globalLinear() string {
	return g.once("globallinear", func() string {
		at := func(d int) string {
			return g.set(b64, "cvt.u64.u32", g.set(b32, "add.u32", g.groupStart(d), g.localID(d)))
		}
		size := func(d int) string { return g.set(b64, "cvt.u64.u32", g.head(b32, HeadGlobal+4*d)) }
		yz := g.set(b64, "mad.lo.u64", at(2), size(1), at(1))
		return g.set(b64, "mad.lo.u64", yz, size(0), at(0))
	})
}

// itemKey returns group<<ItemBits | thread, the work-item's key in records.
func (g *workItems) itemKey() string {
	return g.once("item", func() string {
		groups := func(d int) string { return g.set(b64, "cvt.u64.u32", g.head(b32, HeadGroups+4*d)) }
		at := func(d int) string { return g.set(b64, "cvt.u64.u32", g.group(d)) }
		yz := g.set(b64, "mad.lo.u64", at(2), groups(1), at(1))
		key := g.set(b64, "shl.b64", g.set(b64, "mad.lo.u64", yz, groups(0), at(0)), fmt.Sprint(ItemBits))
		return g.set(b64, "or.b64", key, g.set(b64, "cvt.u64.u32", g.thread()))
	})
}

package ptx

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// atomic emits an atomic op. Private memory belongs to one work-item, so that plain loads and stores suffice there.
func (g *memory) atomic(v *ssa.Value) {
	t := v.Type
	if v.Op == ssa.OpAtomicStore {
		t = v.Args[1].Type
	}
	if t.N != 1 {
		g.refuse(v, "it has atomic operations on %s", t)
	}
	size := int64(t.Size())
	args := make([]string, len(v.Args)-1)
	for i := range args {
		args[i] = g.elem(v.Args[i+1], 0)
	}
	result := ""
	if v.Op != ssa.OpAtomicStore {
		result = g.reg(classOf(t.K))
	}
	at := g.locate(v.Args[0], size, size, v.Op != ssa.OpAtomicLoad)
	on := g.guard(&at, func() { g.atomicSlow(v, t, &at, args, result) })
	done := g.label("R")
	if at.space == "" && g.k.Private > 0 { // a generic pointer may point to private memory, which has no atomic instructions
		other := g.label("P")
		g.emit("@%s bra %s", g.set(pred, "isspacep.local", at.addr), other)
		g.at(&g.slow, func() {
			g.mark(other)
			g.atomicOwn(v, t, at.space, at.addr, args, result)
			g.emit("bra %s", done)
		})
	}
	if at.space == ".local" {
		g.atomicOwn(v, t, at.space, at.addr, args, result)
	} else {
		g.atomicShared(v, t, at, args, result)
	}
	g.mark(done)
	g.mark(on)
	if result != "" {
		g.put(v, result)
	}
}

// atomicSlow emits an atomic op that faults or whose address is misaligned for the hardware. One lock around all
// such operations makes them atomic among each other.
func (g *memory) atomicSlow(v *ssa.Value, t ssa.Type, at *place, args []string, result string) {
	size, mode := int64(t.Size()), modeWrite
	if v.Op == ssa.OpAtomicLoad {
		mode = modeRead
	}
	if result != "" {
		g.emit("mov.%s %s, %s", classTypes[classOf(t.K)], result, zero(t.K))
	}
	ok, end := g.reg(b32), g.label("R")
	ptr := g.pointerOf(at)
	g.callAccess(mode, v, ptr, size)
	g.emit("ld.local.u32 %s, [pcl_frame+%d]", ok, frameOK)
	g.emit("@%s bra %s", g.set(pred, "setp.eq.u32", ok, "0"), end)
	g.call("pcl_lock", nil)
	typ := memType(t.K)
	if result != "" {
		g.callAccess(modeLoad, v, ptr, size)
		g.emit("ld.local.%s %s, [pcl_frame]", typ, result)
	}
	if mode == modeWrite {
		next := ""
		if v.Op == ssa.OpAtomicStore {
			next = args[0]
		} else {
			next = g.updated(v, t.K, result, args)
		}
		if !strings.HasPrefix(next, "%") {
			next = g.set(classOf(t.K), "mov."+classTypes[classOf(t.K)], next)
		}
		g.emit("st.local.%s [pcl_frame], %s", typ, next)
		g.callAccess(modeStore, v, ptr, size)
	}
	g.call("pcl_unlock", nil)
	g.mark(end)
}

// zero returns the operand of a mov that clears a register of kind k.
func zero(k ssa.Kind) string {
	if k == ssa.F16 {
		return "0x0"
	}
	return "0"
}

// atomicOwn emits an atomic op on memory that no other work-item accesses.
func (g *memory) atomicOwn(v *ssa.Value, t ssa.Type, space, addr string, a []string, result string) {
	typ := memType(t.K)
	if v.Op == ssa.OpAtomicStore {
		g.emit("st%s.%s [%s], %s", space, typ, addr, a[0])
		return
	}
	g.emit("ld%s.%s %s, [%s]", space, typ, result, addr)
	if v.Op == ssa.OpAtomicLoad {
		return
	}
	g.emit("st%s.%s [%s], %s", space, typ, addr, g.updated(v, t.K, result, a))
}

// updated emits the new value that an atomic op stores, from the old one.
func (g *memory) updated(v *ssa.Value, k ssa.Kind, old string, a []string) string {
	c := classOf(k)
	b := classTypes[c]
	if v.Op == ssa.OpAtomicCAS {
		x, y := old, a[0]
		if c == b16 {
			x, y = g.toBits(k, x), g.toBits(k, y)
		}
		t := "u64"
		if c != b64 {
			t = "u32"
		}
		return g.set(c, "selp."+b, a[1], old, g.set(pred, "setp.eq."+t, x, y))
	}
	rmw, _, _ := ssa.AtomicParts(v.Aux)
	op, ok := rmwOps[rmw]
	if !ok {
		return a[0]
	}
	like := &ssa.Value{Op: op, Type: v.Type, Args: []*ssa.Value{v, v}}
	if k.Num().IsFloat() {
		return g.float(like, k, []string{old, a[0]})
	}
	return g.integer(like, k, []string{old, a[0]})
}

var rmwOps = map[ssa.RMW]ssa.Op{ssa.RMWAdd: ssa.OpAdd, ssa.RMWSub: ssa.OpSub, ssa.RMWAnd: ssa.OpAnd, ssa.RMWOr: ssa.OpOr,
	ssa.RMWXor: ssa.OpXor, ssa.RMWMin: ssa.OpMin, ssa.RMWMax: ssa.OpMax}

// atomicShared emits an atomic op on memory that other work-items access.
func (g *memory) atomicShared(v *ssa.Value, t ssa.Type, at place, a []string, result string) {
	rmw, order, scope := ssa.AtomicParts(v.Aux)
	k := t.K
	size := 8 * t.Size()
	where := "." + scopeName(scope) + at.space
	if v.Op == ssa.OpAtomicCAS {
		order = max(order, ssa.FailureOrder(v.Aux))
	}
	if order == ssa.SeqCst { // the fence releases
		g.fence(order, scope)
	}
	sem := map[ssa.Order]string{ssa.Relaxed: ".relaxed", ssa.Acquire: ".acquire", ssa.Release: ".release", ssa.AcqRel: ".acq_rel", ssa.SeqCst: ".acquire"}[order]
	switch v.Op {
	case ssa.OpAtomicLoad:
		if sem = ".acquire"; order == ssa.Relaxed {
			sem = ".relaxed"
		}
		g.emit("ld%s%s.b%d %s, [%s]", sem, where, size, result, at.addr)
		return
	case ssa.OpAtomicStore:
		if sem = ".release"; order == ssa.Relaxed || order == ssa.SeqCst {
			sem = ".relaxed"
		}
		g.emit("st%s%s.b%d [%s], %s", sem, where, size, at.addr, a[0])
		return
	case ssa.OpAtomicCAS:
		g.emit("atom%s%s.cas.b%d %s, [%s], %s, %s", sem, where, size, result, at.addr, a[0], a[1])
		return
	}
	name := ssa.RMWNames[rmw]
	switch {
	case k == ssa.F16, k.Num().IsFloat() && rmw != ssa.RMWXchg && !(k == ssa.F64 && (rmw == ssa.RMWAdd || rmw == ssa.RMWSub)):
		g.exchangeLoop(v, k, sem, where, at.addr, a, result) // the hardware's instruction flushes subnormals or does not exist
		return
	case rmw == ssa.RMWXchg:
		name = fmt.Sprint("exch.b", size)
	case rmw == ssa.RMWSub && k == ssa.F64:
		a[0] = g.set(b64, "xor.b64", a[0], "0x8000000000000000")
		name = "add.f64"
	case k == ssa.F64:
		name = "add.f64"
	case rmw == ssa.RMWSub:
		a[0] = g.negated(classOf(k), a[0])
		name = fmt.Sprint("add.u", size)
	case rmw == ssa.RMWAdd:
		name = fmt.Sprint("add.u", size)
	case rmw == ssa.RMWMin, rmw == ssa.RMWMax:
		name += "." + intType(k)
	default:
		name += fmt.Sprint(".b", size)
	}
	g.emit("atom%s%s.%s %s, [%s], %s", sem, where, name, result, at.addr, a[0])
}

// exchangeLoop emits an atomic op as a compare-and-exchange loop.
func (g *memory) exchangeLoop(v *ssa.Value, k ssa.Kind, sem, where, addr string, a []string, result string) {
	c := classOf(k)
	b := classTypes[c]
	again := g.label("A")
	g.emit("ld.relaxed%s.%s %s, [%s]", where, b, result, addr)
	seen := g.reg(c)
	g.mark(again)
	g.emit("mov.%s %s, %s", b, seen, result)
	next := g.updated(v, k, seen, a)
	g.emit("atom%s%s.cas.%s %s, [%s], %s, %s", sem, where, b, result, addr, seen, next)
	x, y, t := result, seen, "u"+b[1:]
	if c == b16 {
		x, y, t = g.toBits(k, x), g.toBits(k, y), "u32"
	}
	g.emit("@%s bra %s", g.set(pred, "setp.ne."+t, x, y), again)
}

// fence emits a memory fence.
func (g *memory) fence(order ssa.Order, scope ssa.Scope) {
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

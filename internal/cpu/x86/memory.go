package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// memory generates loads, stores and atomic operations of any object.
type memory struct {
	*privates
	sums []sum // by number of Code.Sums
}

// mostMasked is how many lanes a mask in a general register has.
const mostMasked = 64

// loads are the functions for loads by the pattern in which lanes reach memory.
var loads = [...]func(l *memory, v *ssa.Value, a *access, m mask, slow stub){
	lanes.Pointers: (*memory).loadByPointers, lanes.Broadcast: (*memory).loadBroadcast, lanes.Contiguous: (*memory).loadContiguous,
	lanes.Reversed: (*memory).loadReversed, lanes.Permuted: (*memory).loadFlipped, lanes.Strided: (*memory).loadStrided,
	lanes.Records: (*memory).loadRecords, lanes.Fields: (*memory).loadByPointers, lanes.Rows: (*memory).loadRows, lanes.Lookup: (*memory).lookUp, lanes.Runs: (*memory).loadRuns,
	lanes.Pieces: (*memory).loadPieces,
	lanes.Gather: (*memory).gather, lanes.Own: (*memory).loadOwn, lanes.OwnGather: (*memory).privateGather,
}

func (l *memory) load(v *ssa.Value) {
	a := l.accessOf(v)
	if l.loadedBefore(v, &a) {
		return
	}
	l.note(v, &a, shapes[a.Pattern])
	m := l.mask(l.block)
	slow := stub{kind: sLoad, size: v.Type.Size(), step: lanes.ArrayStride(v.Type)}
	loads[a.Pattern](l, v, &a, m, slow)
	l.fixBool(v)
}

// loadByPointers lowers a load through the lanes' pointers. If the pointers are uniform, one lane's access serves
// all.
func (l *memory) loadByPointers(v *ssa.Value, _ *access, m mask, slow stub) {
	if l.plan.Varying[v.ID] {
		l.vals[v.ID].v = l.loadSlowly(v, m, slow)
		return
	}
	l.call(v, v.Args[0], m, slow)
	es := size(v.Type.K)
	first := l.firstLane(m, slow)
	d, general := l.uniformRegs(v)
	l.loadUniform(d, general, es, first)
	l.setUniform(v, d, general, es)
}

// loadBroadcast lowers a load from one address.
func (l *memory) loadBroadcast(v *ssa.Value, a *access, m mask, slow stub) {
	if l.loadAlike(v, a, m, slow) {
		return
	}
	es := size(v.Type.K)
	d, general := l.uniformRegs(v)
	q, join := l.check(a, func() {
		l.call(v, v.Args[0], m, slow)
		l.loadUniform(d, general, es, l.firstLane(m, slow))
	})
	l.loadUniform(d, general, es, q)
	l.place(join)
	l.setUniform(v, d, general, es)
}

// loadContiguous lowers a load by lanes side by side.
func (l *memory) loadContiguous(v *ssa.Value, a *access, m mask, slow stub) {
	es, n := size(v.Type.K), int(v.Type.N)
	x := &l.vals[v.ID]
	if n == 3 {
		raw := l.rawVec(es, 4)
		q, join := l.check(a, func() {
			l.call(v, v.Args[0], m, slow)
			l.loadRaw(raw, ctxAt(CtxVals), es, 4)
		})
		l.loadRaw(raw, q, es, 4)
		l.place(join)
		x.v = l.components(raw, es, 4)[:3]
		return
	}
	raw := l.rawVec(es, n)
	load := l.loadWide(v, raw, n)
	failed := func() {
		l.call(v, v.Args[0], m, slow)
		load(ctxAt(CtxVals))
	}
	low := 0
	if _, wider := l.wanted[v]; m != nil && !wider {
		low = l.lowBytes(a, es)
	}
	if _, wider := l.wanted[v]; m != nil && n == 1 && v.Type.K != ssa.Bool && !wider && l.lv.Target().Masks.Has(es) {
		hard := failed
		failed = func() { l.loadActive(a, raw, es, m, hard) }
	}
	q, join := l.check(a, failed)
	if low > 0 {
		l.loadLow(raw[0], q, low)
	} else {
		load(q)
	}
	l.place(join)
	if n == 1 {
		x.v = []vec{raw}
	} else {
		x.f = raw
	}
}

func (l *memory) store(v *ssa.Value) {
	a, m := l.accessOf(v), l.mask(l.block)
	if _, ok := l.rowsIn[v]; ok && m == nil {
		a.Pattern = lanes.Rows
	}
	l.note(v, &a, shapes[a.Pattern])
	val := v.Args[1]
	es, n := size(val.Type.K), int(val.Type.N)
	var put func(q mem)
	if l.scalar {
		put = l.oneElement(val)
	}
	slow := func() {
		if put != nil {
			put(ctxAt(CtxVals))
		} else if raw := l.vals[l.real(val).ID].f; raw != nil && n > 1 {
			// The elements are in memory order already, so the hot code does not deinterleave them.
			l.within(l.n*n, func() { l.storeParts(ctxAt(CtxVals), raw, es) })
		} else {
			l.storeElements(ctxAt(CtxVals), l.elements(val), es)
		}
		l.call(v, v.Args[0], m, stub{kind: sStore, size: val.Type.Size(), step: lanes.ArrayStride(val.Type)})
	}
	switch a.Pattern {
	case lanes.Broadcast:
		l.storeBroadcast(val, &a, slow)
	case lanes.Contiguous:
		if n == 3 {
			l.storeTriples(val, &a, slow)
			return
		}
		raw := l.rawOf(val)
		q, join := l.check(&a, slow)
		if m == nil {
			l.within(l.n*n, func() { l.storeWhole(a.root, q, raw, es) })
		} else if low := l.lowBytes(&a, es); low > 0 {
			l.storeLow(q, raw[0], low)
		} else {
			l.storeMasked(q, raw, es, m)
		}
		l.place(join)
	case lanes.Reversed:
		l.storeReversed(val, &a, slow)
	case lanes.Rows:
		l.storeRows(v, &a)
	case lanes.Records:
		l.storeRecords(val, &a, slow)
	case lanes.Fields:
		l.storeFields(val, &a, slow)
	case lanes.Permuted:
		l.storeFlipped(v, &a, m, slow)
	case lanes.Runs:
		l.storeRuns(v, &a, slow)
	case lanes.Pieces:
		l.storePieces(v, &a, m, slow)
	case lanes.Gather:
		l.put(v, &a, m, slow)
	case lanes.Own, lanes.OwnGather:
		l.privateStore(val, &a, m, slow)
	default:
		slow()
	}
}

// storeBroadcast lowers a store of one value to one address.
func (l *memory) storeBroadcast(val *ssa.Value, a *access, slow func()) {
	if l.scalar {
		put := l.oneElement(val)
		q, join := l.check(a, slow)
		put(q)
		l.place(join)
		return
	}
	es := size(val.Type.K)
	gs := make([]reg, val.Type.N)
	for c := range gs {
		gs[c] = l.G(val, c)
		l.V(val, c)
	}
	q, join := l.check(a, slow)
	for _, g := range gs {
		l.st(q, asm.Width(es), g)
		q.disp += int32(es)
	}
	l.place(join)
}

// bytes lowers the copying and zeroing of blocks of memory, lane by lane through the
// context.
func (l *memory) bytes(v *ssa.Value) {
	n := int(v.Aux)
	if v.Op == ssa.OpMemZero && l.privateZero(v) {
		return
	}
	if n > MaxStep {
		refuse("%v of more than %d bytes", v.Op, MaxStep)
	}
	if n == 0 {
		return
	}
	step := (n + 7) &^ 7
	m := l.mask(l.block)
	a := l.accessOf(v)
	l.note(v, &a, LaneByLane)
	if v.Op == ssa.OpMemCopy {
		l.call(v, v.Args[1], m, stub{kind: sLoad, size: n, step: step})
	} else {
		z := l.constV(1, 0)[0]
		for at := 0; at < step*l.n; at += 16 {
			l.vstore(asm.VMOVUPSST, 16, ctxAt(int32(CtxVals+at)), z, 0)
		}
	}
	l.call(v, v.Args[0], m, stub{kind: sStore, size: n, step: step})
}

package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// memory makes loads, stores and atomic operations of any object.
type memory struct {
	*privates
	sums []sum // by number of Code.Sums
}

// mostMasked is how many lanes a mask in a general register has.
const mostMasked = 64

func (l *memory) load(v *ssa.Value) {
	if l.privateLoad(v) {
		return
	}
	t := v.Type
	es, n := size(t.K), int(t.N)
	total := t.Size()
	step := total
	if n == 3 {
		step = 4 * es
	}
	a := l.address(v.Args[0])
	m := l.mask(l.block)
	x := &l.vals[v.ID]
	if l.loadedBefore(v, &a, step) {
		return
	}
	slow := stub{kind: sLoad, size: total, step: step}
	if l.plan.Varying[v.ID] && t.K != ssa.Bool && l.loadStrided(v, &a, m, slow) {
		return
	}
	uniform := a.root >= 0 && a.Even && a.Stride == 0
	switch {
	case uniform:
		l.note(v, &a, Uniform)
		general := !l.plan.Varying[v.ID] && inGeneral(t.K)
		var d []reg
		for range n {
			if general {
				d = append(d, l.g())
			} else {
				d = append(d, l.vr())
			}
		}
		q, join := l.check(&a, total, false, func() {
			l.call(v, v.Args[0], m, slow)
			l.loadUniform(d, general, es, l.firstLane(m, slow))
		})
		l.loadUniform(d, general, es, q)
		l.place(join)
		l.setUniform(v, d, general, es)
		return
	case !l.plan.Varying[v.ID]:
		// One address for all lanes, in an object that is not known: the first lane's
		// access stands for all.
		l.note(v, &a, LaneByLane)
		l.call(v, v.Args[0], m, slow)
		first := l.firstLane(m, slow)
		general := inGeneral(t.K)
		var d []reg
		for range n {
			if general {
				d = append(d, l.g())
			} else {
				d = append(d, l.vr())
			}
		}
		l.loadUniform(d, general, es, first)
		l.setUniform(v, d, general, es)
		return
	case a.root >= 0 && a.Regular() && a.Stride == int64(step) && n != 3:
		l.note(v, &a, Contiguous)
		raw := l.rawVec(es, n)
		load := l.loadWide(v, raw, n)
		failed := func() {
			l.call(v, v.Args[0], m, slow)
			load(ctxAt(CtxVals))
		}
		if _, wider := l.wanted[v]; m != nil && n == 1 && t.K != ssa.Bool && !wider && (l.lv.AVX512 || es >= 4) {
			hard := failed
			failed = func() { l.loadActive(&a, raw, es, m, hard) }
		}
		q, join := l.check(&a, step*l.n, false, failed)
		load(q)
		l.place(join)
		if n == 1 {
			x.v = []vec{raw}
			break
		}
		x.f = raw
	case a.root >= 0 && a.Regular() && a.Stride == int64(step):
		l.note(v, &a, Contiguous)
		raw := l.rawVec(es, 4)
		q, join := l.check(&a, step*l.n, false, func() {
			l.call(v, v.Args[0], m, slow)
			l.loadRaw(raw, ctxAt(CtxVals), es, 4)
		})
		l.loadRaw(raw, q, es, 4)
		l.place(join)
		x.v = l.components(raw, es, 4)[:3]
	case l.loadFlipped(v, &a, m, slow), l.loadRows(v, &a, m):
	case a.root >= 0 && l.lookUp(v, &a, m, slow):
	case a.root >= 0:
		l.note(v, &a, l.gatherShape(v, &a, m))
		l.gather(v, &a, m, slow)
	default:
		l.note(v, &a, LaneByLane)
		l.call(v, v.Args[0], m, slow)
		x.v = l.loadElements(ctxAt(CtxVals), es, n)
	}
	l.fixBool(v)
}

func (l *memory) store(v *ssa.Value) {
	if l.privateStore(v) {
		return
	}
	val := v.Args[1]
	t := val.Type
	es, n := size(t.K), int(t.N)
	total := t.Size()
	step := total
	if n == 3 {
		step = 4 * es
	}
	a := l.address(v.Args[0])
	m := l.mask(l.block)
	slow := func() {
		if raw := l.vals[l.real(val).ID].f; raw != nil && n > 1 {
			// In memory order already: nothing to take apart in the hot code.
			l.within(l.n*n, func() { l.storeParts(ctxAt(CtxVals), raw, es) })
		} else {
			l.storeElements(ctxAt(CtxVals), l.elements(val), es)
		}
		l.call(v, v.Args[0], m, stub{kind: sStore, size: total, step: step})
	}
	if l.storeRows(v, &a, m) || m == nil && l.storeStrided(v, &a, slow) {
		return
	}
	switch {
	case a.root >= 0 && a.Even && a.Stride == 0 && !l.plan.Varying[val.ID] && t.K != ssa.Bool:
		l.note(v, &a, Uniform)
		gs := make([]reg, n)
		for c := range n {
			gs[c] = l.G(val, c)
			l.V(val, c)
		}
		q, join := l.check(&a, total, true, slow)
		for c := range n {
			l.st(q, asm.Width(es), gs[c])
			q.disp += int32(es)
		}
		l.place(join)
	case a.root >= 0 && a.Regular() && a.Stride == int64(step) && n != 3 && (m == nil || n == 1 && (l.lv.AVX512 || es >= 4)):
		l.note(v, &a, Contiguous)
		raw := l.rawOf(val)
		q, join := l.check(&a, step*l.n, true, slow)
		if m == nil {
			l.within(l.n*n, func() { l.storeWhole(a.root, q, raw, es) })
		} else {
			l.storeMasked(q, raw, es, m)
		}
		l.place(join)
	case l.storeFlipped(v, &a, m, slow):
	case a.root >= 0:
		l.note(v, &a, Scattered)
		l.put(v, &a, m, slow)
	default:
		l.note(v, &a, LaneByLane)
		slow()
	}
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
	a := l.address(v.Args[0])
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

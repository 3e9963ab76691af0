package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// assign evaluates L = X. It returns the value only if want is set.
func (ev *evaluator) assign(x *check.Assign, want bool) *ssa.Value {
	v := ev.value(x.X)
	p := ev.lvalue(x.L)
	if isRecord(x.T.Type) {
		ev.Pos = x.S.Pos
		to := ev.addr(&p)
		if v != to {
			ev.memCopy(to, v, x.T.Size(), p.volatile)
		}
		return to
	}
	ev.store(&p, v)
	if want {
		return ev.stored(&p, v)
	}
	return nil
}

// compoundAssign evaluates L Op= Y.
func (ev *evaluator) compoundAssign(x *check.CompoundAssign, want bool) *ssa.Value {
	y := ev.value(x.Y)
	p := ev.lvalue(x.L)
	v := ev.combine(x, ev.load(&p), y)
	ev.store(&p, v)
	if want {
		return ev.stored(&p, v)
	}
	return nil
}

// incDec evaluates ++L, --L, L++ and L--.
func (ev *evaluator) incDec(x *check.IncDec, want bool) *ssa.Value {
	p := ev.lvalue(x.L)
	old := ev.load(&p)
	v := ev.step(x, old)
	ev.store(&p, v)
	switch {
	case !want:
		return nil
	case x.Post:
		return old
	}
	return ev.stored(&p, v)
}

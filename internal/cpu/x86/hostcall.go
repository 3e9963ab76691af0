package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
)

// Host calls: operations that the launch executes in Go for the active lanes. They are copies of large blocks,
// images, printf, and pure operations without instructions. Code.Ops lists them. Memory at Code.Area in the
// context holds the bits of the active lanes, then the arguments in order: 8 bytes per lane and component.
// Elements of smaller types are packed, and a Bool has one bit per lane. Results overwrite the first arguments.

// layoutHostCalls reserves memory in the context for the operands of host calls.
func (l *lowerer) layoutHostCalls() {
	slots := 0
	for _, b := range l.f.Blocks {
		for k := range b.Insts {
			if i := &b.Insts[k]; i.Op == gang.OpCall || (i.Op == gang.OpCopyPtr || i.Op == gang.OpZeroPtr) && i.Size > MaxStep {
				slots = max(slots, 1+len(i.Args), 1+int(l.f.Type(i.Dst).N))
			}
		}
	}
	l.out.Area = (l.out.CtxSize + 63) &^ 63
	if slots > 0 {
		l.out.CtxSize = l.out.Area + 8*l.n*slots
	}
}

// yield has the launch execute an operation.
func (l *lowerer) yield(o HostOp) {
	l.emit(inst{kind: kYield, imm: int64(len(l.out.Ops))})
	l.out.Ops = append(l.out.Ops, o)
}

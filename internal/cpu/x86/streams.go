package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Streams: stores that go around the caches (docs/decisions/0008). A store that fills whole
// lines need not read them first, and what nobody reads soon need not push out what is in the
// caches. That pays where a launch writes more than they hold, which the launch knows: it has
// code with Options.Streams then.
//
// Such stores become visible in any order, when the code returns at the latest. Nobody can
// tell: the kernel has no barriers, fences and atomic operations, and reads nothing of the
// object; the launch ensures that no other argument is the same memory.

const lineSize = 64 // bytes of a line of the caches

// streams reports whether a store to a root, of so many bytes of the gang side by side, may go
// around the caches: of all lanes, once for each work-item.
func (l *accesses) streams(root, bytes int) bool {
	return l.opts.Full && l.written[l.roots.List[root]] && bytes%lineSize == 0 && l.plan.Loops.Of(l.block) == nil && !l.plan.Rare(l.block)
}

// storeWhole stores elements of all lanes side by side.
func (l *accesses) storeWhole(root int, m mem, p vec, es int) {
	bytes := es * l.n
	if !l.streams(root, bytes) {
		l.storeParts(m, p, es)
		return
	}
	if !slices.Contains(l.out.Streams, root) {
		l.out.Streams = append(l.out.Streams, root)
	}
	l.out.StreamBytes += bytes / l.opts.Lanes
	if !l.opts.Streams {
		l.storeParts(m, p, es)
		return
	}
	l.around = true
	l.lea(rAX, m)
	l.emit(inst{op: asm.TESTIMM, w: 4, rm: rAX, imm: lineSize - 1})
	join := l.apart(asm.JNE, func() { l.storeParts(m, p, es) })
	l.storePartsBy(asm.VMOVNTPS, m, p, es)
	l.place(join)
}

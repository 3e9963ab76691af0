package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Non-temporal stores (docs/decisions/0008). A store of whole cache lines need not read them first, and data that
// is not read soon need not evict other lines. That pays if a launch writes more than the caches hold. The launch
// decides, and then uses code with Options.Streams.
//
// Non-temporal stores become visible in any order, at the latest when the code returns. The kernel cannot observe
// the order: it has no barriers, fences or atomic operations, and does not read the object. The launch ensures
// that no other argument is the same memory.

const lineSize = 64 // bytes of a cache line

// storeLines stores whole lines, which may be a non-temporal store.
func (l *accesses) storeLines(root int, m mem, p vec, es int) {
	bytes := es * l.n
	if !slices.Contains(l.out.Streams, root) {
		l.out.Streams = append(l.out.Streams, root)
	}
	l.out.StreamBytes += bytes / l.lanes
	if !l.opts.Streams {
		l.storeParts(m, p, es)
		return
	}
	l.nonTemporal = true
	l.lea(rAX, m)
	l.emit(inst{op: asm.TESTIMM, w: 4, rm: rAX, imm: lineSize - 1})
	join := l.apart(asm.JNE, func() { l.storeParts(m, p, es) })
	l.eachStored(m, p, es, func(q mem, r reg, n int) { l.vstore(asm.VMOVNTPS, asm.Width(n), q, r, 0) })
	l.place(join)
}

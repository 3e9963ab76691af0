package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Layout of a gang's private memory. It begins with the objects whose bytes are contiguous per lane; Code.Stride
// is the distance of lanes. The interleaved objects, whose roots have Elem, follow: a row holds one element of all lanes,
// so that lanes with the same index access contiguous memory.

// maxPrivate bounds the size of a gang's private memory, so that offsets fit 32 bits.
const maxPrivate = 1 << 30

// layoutPrivate assigns offsets to the private objects.
func (l *memory) layoutPrivate() {
	l.private = make([]int, len(l.f.Roots))
	for _, rows := range []bool{false, true} {
		for k := range l.f.Roots {
			r := &l.f.Roots[k]
			if r.Kind != gang.RootPrivate || r.Elem > 0 != rows {
				continue
			}
			if r.Size > maxPrivate || l.out.Private > maxPrivate {
				gang.Refuse("private memory of more than %d bytes", maxPrivate)
			}
			al := max(r.Align, 8)
			off := (l.out.Private + al - 1) / al * al
			l.out.Private = off + r.Size
			l.private[k] = off
		}
		l.out.Private = (l.out.Private + 15) &^ 15
		if !rows {
			l.out.Stride = l.out.Private
		}
	}
	if l.out.Private*l.n > maxPrivate {
		gang.Refuse("private memory of more than %d bytes", maxPrivate)
	}
	for k := range l.f.Roots {
		if r := &l.f.Roots[k]; r.Kind == gang.RootPrivate {
			l.out.Privates = append(l.out.Privates, PrivateObject{k, l.private[k]})
			if r.Elem > 0 {
				l.private[k] *= l.n
			}
		}
	}
}

// storeRow stores an element of each lane of m to a row. It may write the other lanes' elements, because no other
// thread accesses this memory.
func (l *memory) storeRow(q mem, p vec, es int, m mask) {
	switch {
	case m == nil:
		l.storeElements(q, []vec{p}, es)
	case l.lv.Target().Masks.Has(es):
		l.storeMasked(q, p, es, m)
	default:
		l.storeElements(q, []vec{l.choose(m, p, l.loadParts(q, es), es)}, es)
	}
}

// zeroAlone zeroes n bytes in scalar code.
func (l *memory) zeroAlone(q mem, n int) {
	l.clear(q, n&^7)
	q.disp += int32(n &^ 7)
	zero := l.newConst(0)
	chunks(n&7, func(off, w int) {
		l.st(q, asm.Width(w), zero)
		q.disp += int32(w)
	})
}

// clear zeroes n bytes; n is a multiple of 8.
func (l *memory) clear(q mem, n int) {
	z := l.constV(1, 0)[0]
	w := int(l.lv.VL)
	l.strides(q, n/w*w, w, func(q mem) { l.storeLow(q, z, w) })
	q.disp += int32(n / w * w)
	for _, s := range []int{32, 16, 8} {
		if n%w&s == 0 {
			continue
		}
		l.storeLow(q, z, s)
		q.disp += int32(s)
	}
}

// strides calls f for the operands q, q+step, … of n bytes. Long sequences become a loop.
func (l *memory) strides(q mem, n, step int, f func(q mem)) {
	if n <= 8*step {
		for ; n > 0; n -= step {
			f(q)
			q.disp += int32(step)
		}
		return
	}
	p, end := l.g(), l.g()
	l.lea(p, q)
	l.movi(end, uint64(n))
	l.op2(asm.ADD, 8, end, p)
	loop := l.newBlock(l.cur.depth + 1)
	loop.cold = l.cur.cold
	l.place(loop)
	f(at(p, 0))
	l.opi(asm.ADDIMM, 8, p, int64(step))
	l.cmp(8, p, end)
	l.jcc(asm.JB, loop)
}

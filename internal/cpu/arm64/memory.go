package arm64

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/gang"
)

// root returns the address of a root's first byte.
func (s *selector) root(n int32) reg { return s.context(ctxRoots + rootSize*int(n) + rootBase) }

// address returns a root's address plus a scalar offset and a number.
func (s *selector) address(i *gang.Inst) reg {
	p := s.g3(ADD, 8, s.root(i.Root), s.use(i.Args[0])[0])
	switch {
	case i.Imm == 0:
	case i.Imm > 0 && i.Imm < 4096:
		d := s.g()
		s.emit(inst{op: ADDI, w: 8, d: d, n: p, imm: i.Imm})
		p = d
	default:
		p = s.g3(ADD, 8, p, s.number(uint64(i.Imm)))
	}
	return p
}

var (
	loads  = map[int]op{1: LDRB, 2: LDRH, 4: LDRW, 8: LDRX}
	stores = map[int]op{1: STRB, 2: STRH, 4: STRW, 8: STRX}
)

// load selects a load of a root.
func (s *selector) load(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	es := t.Size()
	switch i.Shape {
	case gang.Uniform, gang.Broadcast:
		p, x := s.address(i), s.g()
		if t.N > 1 {
			gang.Refuse("a broadcast of several elements")
		}
		s.emit(inst{op: loads[es], d: x, n: p})
		if isGeneral(t) {
			s.define(i.Dst, []reg{x})
			return
		}
		d := s.v()
		s.emit(inst{op: VDUP, t: log2(es), d: d, n: x})
		list := make([]reg, number(t))
		for k := range list {
			list[k] = s.v()
			s.moveV(list[k], d)
		}
		s.define(i.Dst, list)
	case gang.Contiguous:
		p := s.address(i)
		list := make([]reg, number(t))
		for k := range list {
			list[k] = s.v()
			s.emit(inst{op: LDRQ, d: list[k], n: p, imm: int64(16 * k)})
		}
		s.define(i.Dst, list)
	case gang.Strided, gang.Permuted, gang.Gather, gang.Own, gang.OwnGather:
		list := make([]reg, number(t))
		for k := range list {
			list[k] = s.v()
			s.emit(inst{op: VMOVI0, d: list[k]})
		}
		s.lanes(i, func(lane int, p reg) {
			for c := range int(t.N) {
				at := lane*int(t.N) + c
				x := s.g()
				s.emit(inst{op: loads[es], d: x, n: p, imm: int64(c * es)})
				s.emit(inst{op: VINS, t: log2(es), d: list[at*es/16], n: x, imm: int64(at % (16 / es))})
			}
		})
		s.define(i.Dst, list)
	default:
		gang.Refuse("a load of the shape %v", i.Shape)
	}
}

// lanes calls f with each lane's address. A lane outside the mask of a gather has the address of the context's
// arguments, where a load is harmless.
func (s *selector) lanes(i *gang.Inst, f func(lane int, p reg)) {
	switch i.Shape {
	case gang.Strided, gang.Own:
		apart := i.Aux
		if i.Shape == gang.Own {
			apart = int64(s.f.Roots[i.Root].Size)
		}
		p, step := s.address(i), s.number(uint64(apart))
		for lane := range Lanes {
			if f(lane, p); lane+1 < Lanes {
				p = s.g3(ADD, 8, p, step)
			}
		}
		return
	case gang.Permuted:
		val := i.Dst
		if i.Op == gang.OpStore {
			val = i.Args[1]
		}
		t := s.f.Type(val)
		p, size, by := s.address(i), s.number(uint64(t.Size()*int(t.N))), s.g()
		s.emit(inst{op: UBFM, w: 8, d: by, n: s.use(i.Args[len(i.Args)-1])[0], imm2: int64(bits.TrailingZeros(Lanes) - 1)})
		for lane := range Lanes {
			place := s.g3(EOR, 8, by, s.number(uint64(lane)))
			f(lane, s.g3(ADD, 8, p, s.g3(MUL, 8, place, size)))
		}
		return
	}
	base := s.root(i.Root)
	if i.Imm != 0 {
		base = s.g3(ADD, 8, base, s.number(uint64(i.Imm)))
	}
	off := s.use(i.Args[0])
	var step reg
	if i.Shape == gang.OwnGather {
		step = s.number(uint64(s.f.Roots[i.Root].Size))
	}
	for lane := range Lanes {
		x := s.g()
		s.emit(inst{op: VUMOV, t: 3, d: x, n: off[lane/2], imm: int64(lane % 2)})
		p := s.g3(ADD, 8, base, x)
		if i.Mask != 0 && i.Op == gang.OpLoad {
			on, q := s.g(), s.g()
			s.emit(inst{op: VUMOV, d: on, n: s.use(i.Mask)[0], imm: int64(lane)})
			s.emit(inst{op: CMPI, w: 4, n: on})
			s.emit(inst{op: CSEL, w: 8, d: q, n: p, m: rCtx, imm: condNE})
			p = q
		}
		f(lane, p)
		if step != 0 {
			base = s.g3(ADD, 8, base, step)
		}
	}
}

// store selects a store to a root.
func (s *selector) store(i *gang.Inst) {
	t := s.f.Type(i.Args[1])
	es := t.Size()
	val := s.use(i.Args[1])
	switch i.Shape {
	case gang.Uniform:
		x := val[0]
		if !isGeneral(t) {
			x = s.g()
			s.emit(inst{op: VUMOV, t: log2(es), d: x, n: val[0]})
		}
		s.emit(inst{op: stores[es], d: x, n: s.address(i)})
	case gang.Contiguous:
		s.storeContiguous(i, t, val)
	case gang.Strided, gang.Permuted, gang.Gather, gang.Own, gang.OwnGather:
		s.lanes(i, func(lane int, p reg) {
			s.ifLane(i.Mask, lane, func() { s.storeLane(t, val, lane, p, 0) })
		})
	default:
		gang.Refuse("a store of the shape %v", i.Shape)
	}
}

// storeLane stores a lane's elements at an address.
func (s *selector) storeLane(t gang.Type, val []reg, lane int, p reg, off int) {
	es := t.Size()
	for c := range int(t.N) {
		at := lane*int(t.N) + c
		s.emit(inst{op: VUMOV, t: log2(es), d: rTmp, n: val[at*es/16], imm: int64(at % (16 / es))})
		s.emit(inst{op: stores[es], d: rTmp, n: p, imm: int64(off + c*es)})
	}
}

// ifLane emits code that runs if a lane is in a mask.
func (s *selector) ifLane(mask gang.Reg, lane int, f func()) {
	if mask == 0 {
		f()
		return
	}
	do, on := &block{depth: s.cur.depth, cold: s.cur.cold}, &block{depth: s.cur.depth, cold: s.cur.cold}
	s.emit(inst{op: VUMOV, d: rTmp, n: s.use(mask)[0], imm: int64(lane)})
	s.branch(inst{op: CBZ, w: 4, n: rTmp}, on)
	s.jump(do)
	s.place(do)
	f()
	s.jump(on)
	s.place(on)
}

// storeContiguous stores whole registers if all lanes are in the mask.
func (s *selector) storeContiguous(i *gang.Inst, t gang.Type, val []reg) {
	p := s.address(i)
	on := &block{depth: s.cur.depth, cold: s.cur.cold}
	if i.Mask != 0 {
		some := &block{depth: s.cur.depth, cold: true}
		whole := &block{depth: s.cur.depth, cold: s.cur.cold}
		s.branch(inst{op: CBZ, w: 4, n: s.across(VUMINV, s.use(i.Mask)[0])}, some)
		s.jump(whole)
		s.place(some)
		for lane := range Lanes {
			s.ifLane(i.Mask, lane, func() { s.storeLane(t, val, lane, p, lane*int(t.N)*t.Size()) })
			s.cur.cold = true
		}
		s.jump(on)
		s.place(whole)
	}
	for k, x := range val {
		s.emit(inst{op: STRQ, d: x, n: p, imm: int64(16 * k)})
	}
	s.jump(on)
	s.place(on)
}

// inside selects the bounds check of each lane's offset.
func (s *selector) inside(i *gang.Inst) {
	limit := s.limit(i)
	fits := s.g()
	s.emit(inst{op: CSINC, w: 4, d: fits, n: rZero, m: rZero, imm: condLO}) // 1 if an offset is in bounds
	s.emit(inst{op: SUB, w: 4, d: rTmp, n: rZero, m: fits})
	all := s.v()
	s.emit(inst{op: VDUP, d: all, n: rTmp})
	most := s.v()
	s.emit(inst{op: VDUP, t: 3, d: most, n: limit})
	in := s.reduced(s.all(s.use(i.Args[0]), func(x reg) reg { return s.v3(VCMHS, 3, most, x) }))
	in = s.v3(VAND, 0, in, all)
	if i.Mask != 0 {
		in = s.v3(VAND, 0, in, s.use(i.Mask)[0])
	}
	s.define(i.Dst, []reg{in})
}

// splat selects the replication of a scalar. All registers of the vector are the same one if nothing else
// writes them.
func (s *selector) splat(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	d := s.operand(i.Args[0])[0]
	if !isGeneral(s.f.Type(i.Args[0])) && s.defs[i.Args[0]] > 1 {
		d = s.copied([]reg{d})[0]
	}
	list := make([]reg, number(t))
	for k := range list {
		list[k] = d
	}
	s.define(i.Dst, list)
}

// ramp selects first + lane · imm.
func (s *selector) ramp(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	if t.K.IsPtr() {
		s.host(i)
		return
	}
	first, es := s.use(i.Args[0])[0], t.Size()
	list := make([]reg, number(t))
	if es == 8 {
		step, x := s.number(uint64(i.Imm)), first
		for k := range list {
			list[k] = s.v()
			s.emit(inst{op: VDUP, t: 3, d: list[k], n: x})
			x = s.g3(ADD, 8, x, step)
			s.emit(inst{op: VINS, t: 3, d: list[k], n: x, imm: 1})
			if k+1 < len(list) {
				x = s.g3(ADD, 8, x, step)
			}
		}
		s.define(i.Dst, list)
		return
	}
	n := log2(es)
	base, step := s.v(), s.everywhere(n, uint64(i.Imm))
	s.emit(inst{op: VDUP, t: n, d: base, n: first})
	for k := range list {
		lanes := s.v()
		s.emit(inst{op: LDRQ, d: lanes, n: rCtx, imm: int64(iotaAt(n) + 16*k)})
		list[k] = s.v3(VADD, n, base, s.v3(VMUL, n, lanes, step))
	}
	s.define(i.Dst, list)
}

// part selects the extraction of one of several elements of each lane.
func (s *selector) part(i *gang.Inst) {
	from := s.f.Type(i.Args[0])
	list, es := s.use(i.Args[0]), from.Size()
	if from.Class == gang.Predicate {
		s.define(i.Dst, s.copied(list[i.Imm:][:1]))
		return
	}
	n, c := int(from.N), int(i.Imm)
	if n == 1 {
		s.define(i.Dst, s.copied(list))
		return
	}
	if n&(n-1) != 0 {
		out := make([]reg, es)
		for k := range out {
			out[k] = s.v()
			s.emit(inst{op: VMOVI0, d: out[k]})
		}
		for lane := range Lanes {
			s.element(out, lane, list, lane*n+c, es)
		}
		s.define(i.Dst, out)
		return
	}
	for ; n > 1; n, c = n/2, c/2 { // every other element
		o := VUZP1
		if c&1 != 0 {
			o = VUZP2
		}
		half := make([]reg, len(list)/2)
		for k := range half {
			half[k] = s.v3(o, log2(es), list[2*k], list[2*k+1])
		}
		list = half
	}
	s.define(i.Dst, list)
}

// element copies element n of es bytes in the list from to element at in the list to.
func (s *elements) element(to []reg, at int, from []reg, n, es int) {
	t, per := log2(es), 16/es
	s.emit(inst{op: VUMOV, t: t, d: rTmp, n: from[n/per], imm: int64(n % per)})
	s.emit(inst{op: VINS, t: t, d: to[at/per], n: rTmp, imm: int64(at % per)})
}

// join selects the interleaving of several vectors' elements in each lane.
func (s *selector) join(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	n, es := len(i.Args), t.Size()
	if t.Class == gang.Predicate {
		list := make([]reg, n)
		for k, a := range i.Args {
			list[k] = s.copied(s.use(a))[0]
		}
		s.define(i.Dst, list)
		return
	}
	if n&(n-1) != 0 {
		out := make([]reg, number(t))
		for k := range out {
			out[k] = s.v()
			s.emit(inst{op: VMOVI0, d: out[k]})
		}
		for lane := range Lanes {
			for c, a := range i.Args {
				s.element(out, lane*n+c, s.use(a), lane, es)
			}
		}
		s.define(i.Dst, out)
		return
	}
	if n == 1 {
		s.define(i.Dst, s.copied(s.use(i.Args[0])))
		return
	}
	// First join elements whose numbers differ in the highest bit.
	lists := make([][]reg, n)
	for k, a := range i.Args {
		lists[k] = s.use(a)
	}
	for range bits.TrailingZeros(uint(n)) {
		half := len(lists) / 2
		next := make([][]reg, half)
		for k := range half {
			a, b := lists[k], lists[k+half]
			for r := range a {
				next[k] = append(next[k], s.v3(VZIP1, log2(es), a[r], b[r]), s.v3(VZIP2, log2(es), a[r], b[r]))
			}
		}
		lists = next
	}
	s.define(i.Dst, lists[0])
}

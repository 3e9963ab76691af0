package opt

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// sroa splits an alloca with constant offsets in all accesses into slices that no access straddles. If all
// accesses of a slice have one type, or are parts of one vector, the slice gets that type and every access
// accesses the whole slice: a store of a component becomes load, insert, store, a load of it an extract. Copies
// between variables, and between a variable and other memory, are split at the slices' borders.
//
// Requires: cfg, simplify (constant offsets). Breaks: mem2reg, which it prepares.
func sroa(s *state) {
	if !s.mem.allocas {
		return
	}
	p := splitter{s: s, f: s.f}
	if !p.candidates() {
		return
	}
	p.propagate()
	any := false
	for _, o := range p.objects {
		if !o.bad {
			o.bad = !p.partition(o)
		}
		any = any || !o.bad
	}
	// To a variable that is split, one that is not split is other memory.
	if any {
		for _, v := range p.copies {
			p.pieces(v, p.demote)
		}
		p.rewrite()
		s.dirty = true
	}
}

// demote makes a slice untyped memory if a copy, split at the borders of the other side's slices, would move a
// part of it that is not a vector.
func (p *splitter) demote(_ *ssa.Value, ds, ss *slice, doff, soff, _, n int64) {
	for _, x := range []struct {
		s   *slice
		off int64
	}{{ds, doff}, {ss, soff}} {
		s := x.s
		if s == nil || s.base == ssa.TVoid || x.off == s.lo && x.off+n == s.hi {
			continue
		}
		e := int64(s.base.K.Num().Size())
		if s.base.K == ssa.Bool || (x.off-s.lo)%e != 0 || n%e != 0 || typeOf(s.base.K, n/e) == ssa.TVoid {
			s.base = ssa.TVoid
		}
	}
}

// Limits of splitting: larger objects are arrays, which stay in memory.
const (
	maxObject   = 4096 // bytes
	maxAccesses = 1 << 14
)

// A part is a typed range of an object.
type part struct {
	off  int64
	size int64
	typ  ssa.Type
}

// A slice is a range of an object that becomes an alloca of its own.
type slice struct {
	lo, hi int64
	base   ssa.Type // Void if it stays memory
	alloca *ssa.Value
}

// An object is an alloca being split.
type object struct {
	alloca *ssa.Value
	size   int64
	bad    bool
	parts  []part     // loads and stores
	ranges [][2]int64 // memcopy and memzero
	slices []slice
}

// A pointer is the target of a value: offset off in object number n - 1.
type pointer struct {
	n   int32
	off int64
}

type splitter struct {
	s       *state
	f       *ssa.Func
	objects []*object
	at      []pointer // by value ID
	copies  []*ssa.Value
	order   []*ssa.Block
	rw      rewriter
}

func (p *splitter) find(v *ssa.Value) (o *object, off int64) {
	if int(v.ID) >= len(p.at) || p.at[v.ID].n == 0 {
		return nil, 0
	}
	o = p.objects[p.at[v.ID].n-1]
	if o.bad {
		return nil, 0
	}
	return o, p.at[v.ID].off
}

// candidates collects the accesses of every alloca.
func (p *splitter) candidates() bool {
	p.s.mem.allocas = false
	for _, v := range p.f.Blocks[0].Values {
		if v.Op != ssa.OpAlloca {
			continue
		}
		p.s.mem.allocas = true
		if a := v.Sym.(*ssa.Alloca); a.Size > 0 && a.Size <= maxObject {
			if p.at == nil {
				p.s.pointers = cleared(p.s.pointers, p.f.NumValues())
				p.at = p.s.pointers
			}
			p.objects = append(p.objects, &object{alloca: v, size: a.Size})
			p.at[v.ID] = pointer{n: int32(len(p.objects))}
		}
	}
	if len(p.objects) == 0 {
		return false
	}
	p.order = p.s.dom().Order
	for _, b := range p.order {
		for _, v := range b.Values {
			for k, a := range v.Args {
				if n := p.at[a.ID].n; n != 0 {
					if o := p.objects[n-1]; !o.bad {
						o.bad = !p.access(o, p.at[a.ID].off, v, k)
					}
				}
			}
		}
	}
	// A phi may precede its arguments.
	for _, b := range p.order {
		for _, v := range b.Phis() {
			for _, a := range v.Args {
				if n := p.at[a.ID].n; n != 0 {
					p.objects[n-1].bad = true
				}
			}
		}
	}
	return slices.ContainsFunc(p.objects, func(o *object) bool { return !o.bad })
}

// access records v's use of the pointer at off in o as argument k. ok is false if the object cannot be split.
func (p *splitter) access(o *object, off int64, v *ssa.Value, k int) (ok bool) {
	inside := func(n int64) bool { return off >= 0 && n <= o.size && off <= o.size-n }
	switch v.Op {
	case ssa.OpPtrAdd:
		c := v.Args[1]
		if k != 0 || c.Op != ssa.OpConst {
			return false
		}
		to := off + int64(c.Bits[0])
		if to < 0 || to > o.size {
			return false
		}
		p.at[v.ID] = pointer{p.at[v.Args[0].ID].n, to}
		return true
	case ssa.OpPtrCast:
		p.at[v.ID] = pointer{p.at[v.Args[0].ID].n, off}
		return v.Type.K == ssa.PtrGeneric || v.Type.K == ssa.PtrPrivate
	case ssa.OpLoad, ssa.OpStore:
		t := v.Type
		if v.Op == ssa.OpStore {
			t = v.Args[1].Type
		}
		if k != 0 || v.Flags&ssa.Volatile != 0 || !inside(int64(t.Size())) || len(o.parts) > maxAccesses {
			return false
		}
		o.parts = append(o.parts, part{off, int64(t.Size()), t})
		return true
	case ssa.OpMemZero, ssa.OpMemCopy:
		if !inside(v.Aux) || v.Flags&ssa.Volatile != 0 || len(o.ranges) > maxAccesses {
			return false
		}
		if v.Op == ssa.OpMemCopy {
			if p.at[v.Args[0].ID].n == p.at[v.Args[1].ID].n {
				return false
			}
			// A copy from or to other memory would keep only its used parts.
			if p.s.cfg.KeepAccesses && p.at[v.Args[1-k].ID].n == 0 {
				return false
			}
			if k == 0 {
				p.copies = append(p.copies, v)
			}
		}
		o.ranges = append(o.ranges, [2]int64{off, off + v.Aux})
		return true
	}
	return false
}

// propagate copies the typed parts of variables along copies between them, so that both sides are split alike.
func (p *splitter) propagate() {
	type key struct {
		o    *object
		part part
	}
	seen := map[key]bool{}
	for _, o := range p.objects {
		o.parts = unique(o.parts)
	}
	for range 8 {
		changed := false
		for _, v := range p.copies {
			to, toff := p.find(v.Args[0])
			from, foff := p.find(v.Args[1])
			if to == nil || from == nil {
				continue
			}
			carry := func(x, y *object, xoff, yoff int64) {
				for _, q := range x.parts {
					if q.off >= xoff && q.off+q.size <= xoff+v.Aux {
						q.off += yoff - xoff
						if k := (key{y, q}); !seen[k] && len(y.parts) < maxAccesses {
							seen[k] = true
							if !slices.Contains(y.parts, q) {
								y.parts = append(y.parts, q)
								changed = true
							}
						}
					}
				}
			}
			carry(to, from, toff, foff)
			carry(from, to, foff, toff)
		}
		if !changed {
			return
		}
	}
}

func unique(parts []part) []part {
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(b.size, a.size), cmp.Compare(a.typ.K, b.typ.K), cmp.Compare(a.typ.N, b.typ.N))
	})
	return slices.Compact(parts)
}

// partition chooses the slices of o and reports whether that pays.
func (p *splitter) partition(o *object) bool {
	o.parts = unique(o.parts)
	for i := 0; i < len(o.parts); {
		lo, hi := o.parts[i].off, o.parts[i].off+o.parts[i].size
		k := i + 1
		for ; k < len(o.parts) && o.parts[k].off < hi; k++ {
			hi = max(hi, o.parts[k].off+o.parts[k].size)
		}
		o.slices = append(o.slices, slice{lo: lo, hi: hi, base: p.base(o, lo, hi, o.parts[i:k])})
		i = k
	}
	p.gaps(o)
	// A single slice that stays memory, or that has the object's own type, is no gain; mem2reg handles the
	// latter.
	if len(o.slices) == 1 {
		s := o.slices[0]
		if s.base == ssa.TVoid && s.lo == 0 {
			return false
		}
		if len(o.parts) == 1 && len(o.ranges) == 0 && s.lo == 0 {
			return false
		}
	}
	return true
}

// maxTypedGap bounds the contiguous bytes that are only copied and become values.
const maxTypedGap = 128

// gaps adds slices for bytes that are only copied or zeroed: padding, and otherwise unused fields. A short gap
// becomes values, like fields; a longer one stays memory.
func (p *splitter) gaps(o *object) {
	if len(o.ranges) == 0 {
		return
	}
	var all []slice
	at := int64(0)
	add := func(lo, hi int64) {
		if lo >= hi || !slices.ContainsFunc(o.ranges, func(r [2]int64) bool { return r[0] < hi && r[1] > lo }) {
			return
		}
		if hi-lo > maxTypedGap {
			all = append(all, slice{lo: lo, hi: hi, base: ssa.TVoid})
			return
		}
		for lo < hi {
			to := hi // a slice must not contain a copy's border
			for _, r := range o.ranges {
				for _, x := range r {
					if lo < x && x < to {
						to = x
					}
				}
			}
			t := gapType(lo, to)
			all = append(all, slice{lo: lo, hi: lo + int64(t.Size()), base: t})
			lo += int64(t.Size())
		}
	}
	for _, s := range o.slices {
		add(at, s.lo)
		all = append(all, s)
		at = s.hi
	}
	add(at, o.size)
	o.slices = all
}

// gapType returns the type of the first value in [lo, hi), aligned relative to the object.
func gapType(lo, hi int64) ssa.Type {
	e := int64(4)
	for lo%e != 0 || hi-lo < e {
		e /= 2
	}
	n := int64(16)
	for n*e > hi-lo {
		n /= 2
	}
	return typeOf([5]ssa.Kind{1: ssa.U8, 2: ssa.U16, 4: ssa.U32}[e], n)
}

// base chooses the type of a slice: every access must be all of it or some consecutive elements.
func (p *splitter) base(o *object, lo, hi int64, parts []part) ssa.Type {
	whole := parts[0].typ
	one, bools := true, false
	e := int64(8)
	for _, q := range parts {
		one = one && q.typ == whole && q.off == lo && q.off+q.size == hi
		e = gcd(e, gcd(int64(q.typ.K.Num().Size()), q.off-lo))
		bools = bools || q.typ.K == ssa.Bool
	}
	cut := func(at int64) int64 {
		if at <= lo || at >= hi {
			return 0
		}
		return at - lo
	}
	for _, r := range o.ranges {
		if c := cut(r[0]) | cut(r[1]); c != 0 {
			one = false
			e = gcd(gcd(e, cut(r[0])), cut(r[1]))
		}
	}
	if one {
		return whole
	}
	if bools {
		return ssa.TVoid
	}
	kind := [9]ssa.Kind{1: ssa.U8, 2: ssa.U16, 4: ssa.U32, 8: ssa.U64}[e]
	for _, q := range parts {
		if int64(q.typ.K.Num().Size()) == e && (ssa.Type{K: q.typ.K, N: 2}).Valid() {
			kind = q.typ.K
			break
		}
	}
	t := typeOf(kind, (hi-lo)/e)
	for _, q := range parts {
		if typeOf(kind, q.size/e) == ssa.TVoid {
			return ssa.TVoid
		}
	}
	for _, r := range o.ranges {
		if a, b := max(r[0], lo), min(r[1], hi); a < b && typeOf(kind, (b-a)/e) == ssa.TVoid {
			return ssa.TVoid
		}
	}
	return t
}

// typeOf returns the type of n elements, or Void.
func typeOf(k ssa.Kind, n int64) ssa.Type {
	if n < 1 || n > 16 || !(ssa.Type{K: k, N: uint8(n)}).Valid() {
		return ssa.TVoid
	}
	return ssa.Vec(k, int(n))
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// rewrite replaces the objects by their slices.
func (p *splitter) rewrite() {
	p.rw = rewriter{s: p.s, f: p.f}
	e := p.f.Blocks[0]
	var fresh []*ssa.Value
	for _, o := range p.objects {
		if !o.bad {
			fresh = append(fresh, p.allocas(o)...)
		}
	}
	for _, b := range p.order {
		p.rw.begin(b)
		for i, v := range b.Values {
			if b == e && i == len(p.f.Params) {
				for _, a := range fresh {
					p.rw.keep(a)
				}
			}
			p.rw.cur = v
			p.value(v)
		}
		p.rw.end()
	}
	p.f.ReplaceCopies()
}

// allocas makes the allocas of o's slices.
func (p *splitter) allocas(o *object) (list []*ssa.Value) {
	a := o.alloca.Sym.(*ssa.Alloca)
	for i := range o.slices {
		s := &o.slices[i]
		align := a.Align
		for s.lo%align != 0 {
			align /= 2
		}
		n := &ssa.Alloca{Name: a.Name, Size: s.hi - s.lo, Align: align, Type: a.Type}
		if s.hi-s.lo != o.size {
			n.Type = ""
			if s.lo > 0 {
				n.Name = fmt.Sprintf("%s+%d", a.Name, s.lo)
			}
		}
		v := p.f.NewValue(ssa.OpAlloca, ssa.Scalar(ssa.PtrPrivate), o.alloca.Pos)
		v.Sym = n
		s.alloca = v
		list = append(list, v)
	}
	return list
}

// value keeps v, or inserts its replacement.
func (p *splitter) value(v *ssa.Value) {
	if o, _ := p.find(v); o != nil {
		return // the alloca, or a pointer into it: all uses are replaced
	}
	if len(v.Args) == 0 {
		p.rw.keep(v)
		return
	}
	o, off := p.find(v.Args[0])
	switch {
	case v.Op == ssa.OpLoad && o != nil:
		x := p.read(o.slice(off), off, v.Type, v.Aux)
		v.BecomeCopy(x)
		p.rw.keep(v)
	case v.Op == ssa.OpStore && o != nil:
		p.write(o.slice(off), off, v.Args[1], v.Aux)
	case v.Op == ssa.OpMemZero && o != nil:
		p.zero(o, off, v)
	case v.Op == ssa.OpMemCopy:
		from, _ := p.find(v.Args[1])
		if o == nil && from == nil {
			p.rw.keep(v)
			return
		}
		p.pieces(v, p.piece)
	default:
		p.rw.keep(v)
	}
}

// slice returns the slice of o that holds the byte at off.
func (o *object) slice(off int64) *slice {
	i, _ := slices.BinarySearchFunc(o.slices, off, func(s slice, off int64) int {
		if s.hi <= off {
			return -1
		}
		return 1
	})
	return &o.slices[i]
}

// pointer returns a pointer to base moved by off bytes.
func (p *splitter) pointer(base *ssa.Value, off int64) *ssa.Value {
	if off == 0 {
		return base
	}
	return p.rw.value(ssa.OpPtrAdd, base.Type, base, p.rw.constant(ssa.TI64, uint64(off)))
}

// read loads a value of type t at offset off of the object to which s belongs.
func (p *splitter) read(s *slice, off int64, t ssa.Type, align int64) *ssa.Value {
	if s.base == ssa.TVoid {
		return p.rw.aux(ssa.OpLoad, t, align, p.pointer(s.alloca, off-s.lo))
	}
	w := p.rw.aux(ssa.OpLoad, s.base, s.align(), s.alloca)
	if s.base == t {
		return w
	}
	k, m := s.elements(off, t)
	switch {
	case m == int(s.base.N):
	case m == 1:
		w = p.rw.aux(ssa.OpExtract, s.base.Elem(), int64(k), w)
	default:
		lanes := make([]uint8, m)
		for i := range lanes {
			lanes[i] = uint8(k + i)
		}
		w = p.rw.shuffle(w, w, lanes)
	}
	return p.rw.bitcast(w, t)
}

// write stores x at offset off of the object to which s belongs.
func (p *splitter) write(s *slice, off int64, x *ssa.Value, align int64) {
	if s.base == ssa.TVoid {
		p.rw.aux(ssa.OpStore, ssa.TVoid, align, p.pointer(s.alloca, off-s.lo), x)
		return
	}
	if x.Type != s.base {
		k, m := s.elements(off, x.Type)
		x = p.rw.bitcast(x, ssa.Vec(s.base.K, m))
		if n := int(s.base.N); m != n {
			w := p.rw.aux(ssa.OpLoad, s.base, s.align(), s.alloca)
			if m == 1 {
				x = p.rw.aux(ssa.OpInsert, s.base, int64(k), w, x)
			} else {
				lanes := make([]uint8, n)
				for i := range lanes {
					if lanes[i] = uint8(i); i >= k && i < k+m {
						lanes[i] = uint8(n + i - k)
					}
				}
				x = p.rw.shuffle(w, x, lanes)
			}
		}
	}
	p.rw.aux(ssa.OpStore, ssa.TVoid, s.align(), s.alloca, x)
}

func (s *slice) align() int64 { return s.alloca.Sym.(*ssa.Alloca).Align }

// elements returns the elements of the slice's type that an access covers: m elements from k on.
func (s *slice) elements(off int64, t ssa.Type) (k, m int) {
	e := int64(s.base.K.Num().Size())
	return int((off - s.lo) / e), int(int64(t.Size()) / e)
}

// pieceType returns the type for moving bytes [lo, hi) of the object.
func (s *slice) pieceType(lo, hi int64) ssa.Type {
	if s.base == ssa.TVoid || lo == s.lo && hi == s.hi {
		return s.base
	}
	return ssa.Vec(s.base.K, int((hi-lo)/int64(s.base.K.Num().Size())))
}

// zero zeroes the slices that v covers.
func (p *splitter) zero(o *object, off int64, v *ssa.Value) {
	end := off + v.Aux
	for i := range o.slices {
		s := &o.slices[i]
		lo, hi := max(s.lo, off), min(s.hi, end)
		if lo >= hi {
			continue
		}
		t := s.pieceType(lo, hi)
		switch {
		case t == ssa.TVoid || lo == s.lo && hi == s.hi:
			z := p.rw.aux(ssa.OpMemZero, ssa.TVoid, hi-lo, p.pointer(s.alloca, lo-s.lo))
			z.Flags = v.Flags
		case v.Flags&ssa.Implicit != 0:
			undef := p.rw.value(ssa.OpUndef, t)
			undef.Sym = s.alloca.Sym // for reports
			p.write(s, lo, undef, 1)
		default:
			p.write(s, lo, p.rw.constant(t, 0), 1)
		}
	}
}

// pieces calls do for each part of a memcopy that is within one slice on either side.
func (p *splitter) pieces(v *ssa.Value, do func(v *ssa.Value, ds, ss *slice, doff, soff, at, n int64)) {
	to, toff := p.find(v.Args[0])
	from, foff := p.find(v.Args[1])
	for at := int64(0); at < v.Aux; {
		n := v.Aux - at
		var ds, ss *slice
		ds, n = next(to, toff+at, n)
		ss, n = next(from, foff+at, n)
		if to != nil && ds == nil || from != nil && ss == nil {
			at += n // otherwise unused bytes
			continue
		}
		do(v, ds, ss, toff+at, foff+at, at, n)
		at += n
	}
}

// next returns the slice of o at off, nil in a gap or if o is nil, and n limited to the end of the slice or
// gap.
func next(o *object, off, n int64) (*slice, int64) {
	if o == nil {
		return nil, n
	}
	for i := range o.slices {
		s := &o.slices[i]
		if off < s.lo {
			return nil, min(n, s.lo-off)
		}
		if off < s.hi {
			return s, min(n, s.hi-off)
		}
	}
	return nil, n
}

// piece copies n bytes from slice ss, or v's source memory, to slice ds, or v's destination memory.
func (p *splitter) piece(v *ssa.Value, ds, ss *slice, doff, soff, at, n int64) {
	t := ssa.TVoid
	if ds != nil {
		t = ds.pieceType(doff, doff+n)
	}
	if t == ssa.TVoid && ss != nil {
		t = ss.pieceType(soff, soff+n)
	}
	if t == ssa.TVoid {
		dst, src := v.Args[0], v.Args[1]
		if ds != nil {
			dst = p.pointer(ds.alloca, doff-ds.lo)
		} else {
			dst = p.pointer(dst, at)
		}
		if ss != nil {
			src = p.pointer(ss.alloca, soff-ss.lo)
		} else {
			src = p.pointer(src, at)
		}
		p.rw.aux(ssa.OpMemCopy, ssa.TVoid, n, dst, src)
		return
	}
	var x *ssa.Value
	if ss != nil {
		x = p.read(ss, soff, t, 1)
	} else {
		x = p.rw.aux(ssa.OpLoad, t, 1, p.pointer(v.Args[1], at))
	}
	if ds != nil {
		p.write(ds, doff, x, 1)
	} else {
		p.rw.aux(ssa.OpStore, ssa.TVoid, 1, p.pointer(v.Args[0], at), x)
	}
}

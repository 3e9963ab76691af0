package irgen

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// memory reads and writes places: whole objects, components of vectors, bit-fields (bitfield.go) and atomic objects
// (atomic.go). It does not know which expression a place comes from.
type memory struct {
	operators
}

// addr returns the place's address.
func (m *memory) addr(p *place) *ssa.Value {
	ptr := p.ptr
	if ptr == nil {
		// A value without an address: store a copy of it.
		ptr = m.temp(p.typ)
		m.Store(ptr, p.reg, p.typ.Align())
		return ptr
	}
	switch {
	case p.part == lanes:
		return m.offset(ptr, p.off+int64(p.lanes[0])*elemSize(p.typ))
	case p.part == dynamic:
		return m.Value(ssa.OpPtrAdd, ptr.Type, m.offset(ptr, p.off), m.scale(p.index, elemSize(p.typ)))
	}
	return m.offset(ptr, p.off)
}

// load returns the value at p, for a record its address.
func (m *memory) load(p *place) *ssa.Value {
	m.Pos = p.pos
	switch p.part {
	case lanes:
		return m.loadLanes(p)
	case dynamic:
		v := m.loadWhole(p)
		if p.lanes != nil {
			v = m.pick(v, p.lanes)
		}
		return m.Value(ssa.OpExtractDyn, v.Type.Elem(), v, p.index)
	case bits:
		return m.loadBits(p)
	}
	return m.loadWhole(p)
}

// loadWhole returns the value of the whole object at p.
func (m *memory) loadWhole(p *place) *ssa.Value {
	switch {
	case p.reg != nil:
		return p.reg
	case isRecord(p.typ):
		return m.offset(p.ptr, p.off)
	case p.typ.Kind == types.Atomic:
		return m.atomicLoad(p)
	}
	return m.loadAt(p, 0, ssaType(p.typ), min(p.align, p.typ.Align()))
}

func (m *memory) loadAt(p *place, off int64, t ssa.Type, align int64) *ssa.Value {
	v := m.Load(t, m.offset(p.ptr, p.off+off), align)
	if p.volatile {
		v.Flags |= ssa.Volatile
	}
	return v
}

func (m *memory) storeAt(p *place, off int64, x *ssa.Value, align int64) {
	v := m.Store(m.offset(p.ptr, p.off+off), x, align)
	if p.volatile {
		v.Flags |= ssa.Volatile
	}
}

// loadLanes loads components. If the memory may be shared, it reads only the required components, provided that
// they are contiguous.
func (m *memory) loadLanes(p *place) *ssa.Value {
	if p.reg == nil && !p.auto && runOf(p.lanes) == len(p.lanes) && int(p.lanes[0])+len(p.lanes) <= p.typ.Lanes() {
		size := elemSize(p.typ)
		off := int64(p.lanes[0]) * size
		t := ssa.Vec(ssa.Kind(p.typ.Num()), len(p.lanes))
		return m.loadAt(p, off, t, alignAt(min(p.align, int64(t.Size())&-int64(t.Size())), off))
	}
	return m.pick(m.loadWhole(p), p.lanes)
}

// pick returns the listed components of the vector v; one past the end is undefined.
func (m *memory) pick(v *ssa.Value, list []uint8) *ssa.Value {
	n := int(v.Type.N)
	if len(list) == 1 {
		if int(list[0]) >= n {
			return m.Value(ssa.OpUndef, v.Type.Elem())
		}
		if n == 1 {
			return v
		}
		return m.Extract(v, int(list[0]))
	}
	same, undef := len(list) == n, false
	for i, l := range list {
		same = same && int(l) == i
		undef = undef || int(l) >= n
	}
	if same {
		return v
	}
	if undef {
		list = append([]uint8(nil), list...)
		for i, l := range list {
			if int(l) >= n {
				list[i] = ssa.ShuffleUndef
			}
		}
	}
	return m.Shuffle(v, v, list)
}

// store stores x at p.
func (m *memory) store(p *place, x *ssa.Value) {
	m.Pos = p.pos
	if p.reg != nil {
		panic(&Bug{diag.Span{Pos: p.pos, End: p.pos}, "irgen: store to a variable that check said is never assigned"})
	}
	switch p.part {
	case lanes:
		m.storeLanes(p, x)
		return
	case dynamic:
		m.storeDynamic(p, x)
		return
	case bits:
		m.storeBits(p, x)
		return
	}
	if p.typ.Kind == types.Atomic {
		m.atomicStore(p, x)
		return
	}
	m.storeAt(p, 0, x, min(p.align, p.typ.Align()))
}

// storeLanes stores components of a vector. In an automatic variable it stores the whole vector, so that the variable
// can become an SSA value. In other objects it stores each run of neighbouring components separately.
func (m *memory) storeLanes(p *place, x *ssa.Value) {
	n := p.typ.Lanes()
	if p.auto {
		m.storeAt(p, 0, m.blend(p, x, n), min(p.align, p.typ.Align()))
		return
	}
	size := elemSize(p.typ)
	for i := 0; i < len(p.lanes); {
		run := runOf(p.lanes[i:])
		first := int(p.lanes[i])
		for first+run > n && run > 1 { // the undefined component of a vector of 3
			run--
		}
		if first < n {
			v := x
			if run < len(p.lanes) {
				v = m.pick(x, iota8[i:i+run])
			}
			off := int64(first) * size
			bytes := int64(v.Type.Size())
			m.storeAt(p, off, v, alignAt(min(p.align, bytes&-bytes), off))
		}
		i += run
	}
}

// blend returns the vector of n components at p, with the components p.lanes replaced by those of x.
func (m *memory) blend(p *place, x *ssa.Value, n int) *ssa.Value {
	if len(p.lanes) == 1 {
		v := m.loadWhole(p)
		if int(p.lanes[0]) >= n {
			return v
		}
		return m.Aux(ssa.OpInsert, v.Type, int64(p.lanes[0]), v, x)
	}
	list := make([]uint8, n) // source of each component of the new vector
	for i := range list {
		list[i] = uint8(i)
	}
	set := 0
	for i, l := range p.lanes {
		if int(l) < n {
			list[l] = uint8(n + i)
			set++
		}
	}
	if set == n { // no old component remains
		for i := range list {
			list[i] -= uint8(n)
		}
		return m.pick(x, list)
	}
	return m.Shuffle(m.loadWhole(p), x, list)
}

func (m *memory) storeDynamic(p *place, x *ssa.Value) {
	switch {
	case p.lanes != nil:
		q := *p
		q.part = lanes
		v := m.loadLanes(&q)
		m.storeLanes(&q, m.Value(ssa.OpInsertDyn, v.Type, v, p.index, x))
	case p.auto:
		v := m.loadWhole(p)
		m.storeAt(p, 0, m.Value(ssa.OpInsertDyn, v.Type, v, p.index, x), min(p.align, p.typ.Align()))
	default:
		v := m.Store(m.addr(p), x, min(p.align, elemSize(p.typ)))
		if p.volatile {
			v.Flags |= ssa.Volatile
		}
	}
}

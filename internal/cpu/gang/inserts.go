package gang

import "slices"

// An insert is an instruction to add at an earlier place.
type insert struct {
	at   int
	inst Inst
}

// insertAt adds an instruction at an earlier place, before instruction number at.
func (b *emitter) insertAt(x *Block, at int, i Inst) {
	i.Pos = b.pos
	b.insert(x, at, i)
}

// insert queues an instruction for insertion before instruction number at of x.
func (b *emitter) insert(x *Block, at int, i Inst) {
	if x.inserts == nil {
		b.mem.inserting = append(b.mem.inserting, x)
	}
	x.inserts = append(b.mem.inserts.Extend(x.inserts, 1), insert{at, i})
}

// merge adds the pending inserts to their blocks.
func (b *emitter) merge() {
	for _, x := range b.mem.inserting {
		x.Insts = b.mem.merged(x.Insts, x.inserts)
		x.inserts = nil
	}
	clear(b.mem.inserting)
	b.mem.inserting = b.mem.inserting[:0]
}

// merged returns the list with the inserts, those for one place in their order.
func (m *memory) merged(list []Inst, inserts []insert) []Inst {
	order := m.order[:0] // place << 32 | index in inserts
	for k := range inserts {
		order = append(order, uint64(inserts[k].at)<<32|uint64(k))
	}
	slices.Sort(order)
	m.order = order
	n := len(list)
	list = m.insts.Extend(list, len(order))[:n+len(order)]
	for to := len(list); len(order) > 0; order = order[:len(order)-1] {
		x := &inserts[uint32(order[len(order)-1])]
		to -= n - x.at
		copy(list[to:], list[x.at:n])
		n = x.at
		to--
		list[to] = x.inst
	}
	return list
}

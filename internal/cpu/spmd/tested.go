package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Accesses whose bounds the launch tests (extent.go), during the symbolic execution of a work-group (evaluate.go).

// maxHoisted bounds the loads that are executed once for all work-groups.
const maxHoisted = 64

// A loadKey identifies the loads of one value: they have one address and type.
type loadKey struct {
	address *ssa.Value
	off     uint64
	t       ssa.Type
}

// forgetLoads forgets the loads so far: memory may have changed, or their results may not dominate what follows.
func (e *evaluation) forgetLoads() { e.loads = map[loadKey]*symbol{} }

// whole makes an access of all lanes of a gang, at the address p.
func (e *evaluation) whole(w *ssa.Value, p *symbol, key loadKey) *symbol {
	e.join()
	x := ofValue(w)
	t, _ := w.AccessType()
	tested := e.extents != nil && w.Flags&ssa.Volatile == 0 && p.val != nil && e.extents.add(p.val, p.off, t, w.Op == ssa.OpStore) >= 0
	if tested {
		w.Flags |= ssa.Tested
		w.Args[0] = e.summed(p)
	}
	e.cur.Append(w)
	switch {
	case w.Op == ssa.OpStore:
		e.stores(w)
	case tested:
		e.loads[key] = x
	}
	return x
}

// testMasked lets the launch test the bounds of an access under a mask in all lanes. If the test succeeds, the access is in bounds
// in the lanes of the mask.
func (e *evaluation) testMasked(w *ssa.Value, p *symbol) {
	if e.extents == nil || !e.o.TestMasked || e.checkMasked || w.Flags&ssa.Volatile != 0 || p.val == nil {
		return
	}
	if t, _ := w.AccessType(); e.extents.add(p.val, p.off, t, w.Op == ssa.OpStore) >= 0 {
		e.extents.masked = true
		w.Flags |= ssa.Tested
		w.Args[0] = e.summed(p)
	}
}

// stores notes a store to memory.
func (e *evaluation) stores(w *ssa.Value) {
	e.forgetLoads()
	if e.extents == nil {
		return
	}
	if o, ok := accessed(w); !ok {
		e.extents.unknown = true
	} else if !slices.Contains(e.extents.written, o) {
		e.extents.written = append(e.extents.written, o)
	}
}

// accessed returns the object of an access. ok is false if it is unknown.
func accessed(w *ssa.Value) (o Object, ok bool) {
	root := w.Args[0]
	for root.Op == ssa.OpPtrAdd || root.Op == ssa.OpPtrCast || root.Op == ssa.OpCopy {
		root = root.Args[0]
	}
	if root.Op != ssa.OpParam && root.Op != ssa.OpGlobalAddr {
		return o, false
	}
	return objectOf(root), true
}

// hoistLoads moves loads that are the same for all work-groups, from objects that the kernel does not write, to the first
// block, which is then executed once. Loads that are as cheap as those of a spilled register stay.
func (e *evaluation) hoistLoads() {
	x, f := e.extents, e.gangs.f
	if x.unknown {
		return
	}
	entry, left := f.Blocks[0], maxHoisted
	for _, b := range f.Blocks[1:] {
		for _, v := range slices.Clone(b.Values) {
			if left == 0 || v.Op != ssa.OpLoad || v.Flags&ssa.Tested == 0 {
				continue
			}
			n := x.term(v.Args[0], maxTermDepth)
			if n < 0 || v.Type.K.Num().Size() < 4 {
				continue
			}
			if t := &x.terms[n]; !t.same || slices.Contains(x.written, t.object) || t.regular && (t.stride == 0 || t.stride == int64(v.Type.Size()) && v.Type.N == 1) {
				continue
			} else if !slices.Contains(x.apart, t.object) {
				x.apart = append(x.apart, t.object)
			}
			left--
			x.once = true
			hoistTo(entry, v)
		}
	}
}

// hoistTo moves a value, and what it needs, to the end of a block that dominates it.
func hoistTo(b *ssa.Block, v *ssa.Value) {
	if v.Block == nil || v.Block == b {
		return
	}
	for _, a := range v.Args {
		hoistTo(b, a)
	}
	v.Block.Remove(v)
	b.InsertBeforeTerm(v)
}

// sinkLoads moves loads that the launch has tested to where their results are first used: fewer registers are then in use at a
// time. A load's components go with it. Loads pass blocks of accesses under a mask. Many loads also pass stores, if the kernel does
// not write their objects. The launch then tests that no written object overlaps these.
func (e *evaluation) sinkLoads() {
	k := sinking{evaluation: e, waits: map[*ssa.Value]bool{}}
	carried := map[*ssa.Block][]*ssa.Value{}
	done := map[*ssa.Block]bool{}
	for _, b := range e.gangs.f.Blocks[1:] {
		k.b, k.out, k.list = b, nil, carried[b]
		done[b] = true
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpLoad && v.Flags&ssa.Tested != 0, v.Op == ssa.OpExtract && k.waits[v.Args[0]]:
				k.waits[v] = true
				k.list = append(k.list, v)
				continue
			case v.Op.Has(ssa.Terminator):
				side, next := maskedBlock(b)
				if next == nil || done[side] || done[next] {
					k.releaseAll()
					break
				}
				if slices.ContainsFunc(side.Values, func(v *ssa.Value) bool { return v.Op.Has(ssa.Writes) }) {
					k.write()
				}
				k.releaseFor(side.Values)
				k.releaseFor(next.Phis())
				carried[next] = k.list
			case v.Op.Has(ssa.Writes):
				k.write()
			}
			k.place(v)
		}
		b.Values = k.out
	}
}

// maskedBlock returns the successors of a block if one has accesses under a mask, and the other joins it to b; else nil.
func maskedBlock(b *ssa.Block) (side, next *ssa.Block) {
	if len(b.Succs) != 2 {
		return nil, nil
	}
	side, next = b.Succs[0], b.Succs[1]
	if len(side.Preds) != 1 || len(side.Succs) != 1 || side.Succs[0] != next || len(next.Preds) != 2 {
		return nil, nil
	}
	return side, next
}

// sinking is the state of sinkLoads.
type sinking struct {
	*evaluation
	b     *ssa.Block
	out   []*ssa.Value // the values of b so far
	list  []*ssa.Value // the values that have waited
	waits map[*ssa.Value]bool
}

// place appends a value after those that it needs and that wait.
func (k *sinking) place(v *ssa.Value) {
	k.releaseFor([]*ssa.Value{v})
	v.Block = k.b
	k.out = append(k.out, v)
}

// releaseFor appends those values that others need and that wait.
func (k *sinking) releaseFor(list []*ssa.Value) {
	for _, v := range list {
		for _, a := range v.Args {
			k.release(a)
		}
	}
}

// release appends a value if it waits.
func (k *sinking) release(v *ssa.Value) {
	if k.waits[v] {
		delete(k.waits, v)
		k.place(v)
	}
}

// releaseAll appends all values that wait.
func (k *sinking) releaseAll() {
	for _, v := range k.list {
		k.release(v)
	}
	k.list = nil
}

// write prepares for a store: values that may not pass it wait no longer.
func (k *sinking) write() {
	k.list = slices.DeleteFunc(k.list, func(v *ssa.Value) bool { return !k.waits[v] })
	many := 2*len(k.list) > k.o.Registers
	var pass []*ssa.Value
	for _, v := range k.list {
		if v.Op == ssa.OpLoad && k.passes(v, many) || v.Op == ssa.OpExtract && slices.Contains(pass, v.Args[0]) {
			pass = append(pass, v)
		} else {
			k.release(v)
		}
	}
	k.list = pass
}

// passes reports whether a load may pass stores. It may if the kernel does not write its object, and the launch tests that no written
// object overlaps it. add allows the launch to test one more object.
func (k *sinking) passes(v *ssa.Value, add bool) bool {
	x := k.extents
	o, ok := accessed(v)
	if !ok || x.unknown || slices.Contains(x.written, o) {
		return false
	}
	if add && !slices.Contains(x.apart, o) {
		x.apart = append(x.apart, o)
	}
	return slices.Contains(x.apart, o)
}

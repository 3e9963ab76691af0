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

// stores notes a store to memory.
func (e *evaluation) stores(w *ssa.Value) {
	e.forgetLoads()
	if e.extents == nil {
		return
	}
	root := w.Args[0]
	for root.Op == ssa.OpPtrAdd || root.Op == ssa.OpPtrCast || root.Op == ssa.OpCopy {
		root = root.Args[0]
	}
	if x := e.extents; root.Op != ssa.OpParam && root.Op != ssa.OpGlobalAddr {
		x.unknown = true
	} else if o := objectOf(root); !slices.Contains(x.written, o) {
		x.written = append(x.written, o)
	}
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
			} else if !slices.Contains(x.hoisted, t.object) {
				x.hoisted = append(x.hoisted, t.object)
			}
			left--
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

// sinkLoads moves loads that the launch has tested to where their results are first used, but behind no store: fewer
// registers are then in use at a time. A load's components go with it.
func sinkLoads(f *ssa.Func) {
	for _, b := range f.Blocks[1:] {
		k := sinking{waits: map[*ssa.Value]bool{}}
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpLoad && v.Flags&ssa.Tested != 0, v.Op == ssa.OpExtract && k.waits[v.Args[0]]:
				k.waits[v] = true
				k.list = append(k.list, v)
				continue
			case v.Op.Has(ssa.Writes) || v.Op.Has(ssa.Terminator):
				for _, w := range k.list {
					k.release(w)
				}
				k.list = nil
			}
			k.place(v)
		}
		b.Values = k.out
	}
}

// sinking is the state of sinkLoads in a block.
type sinking struct {
	out   []*ssa.Value
	list  []*ssa.Value // the values that have waited since the last store
	waits map[*ssa.Value]bool
}

// place appends a value after those that it needs and that wait.
func (k *sinking) place(v *ssa.Value) {
	for _, a := range v.Args {
		k.release(a)
	}
	k.out = append(k.out, v)
}

// release appends a value if it waits.
func (k *sinking) release(v *ssa.Value) {
	if k.waits[v] {
		delete(k.waits, v)
		k.place(v)
	}
}

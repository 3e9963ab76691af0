//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"cmp"
	"encoding/binary"
	"runtime"
	"slices"

	"github.com/purecl/purecl/internal/cpu/codegen"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// findings are what a worker found: the first occurrence, in order of work-groups, at
// each place.
type findings struct {
	x    *execution
	list map[findingKey]*found
	seq  int
}

type findingKey struct {
	kind exec.FindingKind
	pos  diag.Pos
	id   int32 // tells places without a position apart
}

type found struct {
	exec.Finding
	group, item uint64
	seq         int
}

func (f *found) before(g *found) bool {
	return f.group < g.group || f.group == g.group && (f.item < g.item || f.item == g.item && f.seq < g.seq)
}

func (fs *findings) add(k findingKey, f *found) {
	if fs.list == nil {
		fs.list = map[findingKey]*found{}
	}
	fs.seq++
	f.seq = fs.seq
	old := fs.list[k]
	if old == nil {
		fs.list[k] = f
		return
	}
	n := old.Count + f.Count
	if f.before(old) {
		old = f
		fs.list[k] = f
	}
	old.Count = n
}

// value returns the access of that number.
func (x *execution) value(n uint64) *ssa.Value {
	if n&1 == 0 {
		return x.full.Accesses[n/2]
	}
	return x.partial.Accesses[n/2]
}

// drain takes the records that machine code has left.
func (fs *findings) drain(w *worker) {
	recs := w.recs[:*word(w.mem, codegen.CtxRecords)-uint64(address(w.recs))]
	if len(recs) == 0 {
		return
	}
	var list [][]byte
	for r := range slices.Chunk(recs, codegen.RecordSize) {
		list = append(list, r)
	}
	get := binary.LittleEndian.Uint64
	slices.SortFunc(list, func(a, b []byte) int { return cmp.Compare(get(a[codegen.RecTime:]), get(b[codegen.RecTime:])) })
	for _, r := range list {
		of := get(r[codegen.RecOf:])
		rest := get(r[codegen.RecRest:])
		fs.violation(fs.x.value(of/codegen.NumBad), get(r[codegen.RecPtr:]), [3]uint64{get(r[codegen.RecGlobal:]), uint64(uint32(rest)), rest >> 32}, get(r[codegen.RecCount:]))
		clear(w.recOf[4*of:][:4])
	}
	*word(w.mem, codegen.CtxRecords) = uint64(address(w.recs))
}

// violation adds the finding for bad accesses, n of them and the first at the pointer p.
func (fs *findings) violation(v *ssa.Value, p uint64, global [3]uint64, n uint64) {
	x := fs.x
	num, off := p>>ssa.ObjectShift, p&ssa.OffsetMask
	t := v.Type
	f := &found{}
	f.Count, f.Pos = n, v.Pos
	switch v.Op {
	case ssa.OpLoad:
		f.Access = "load"
	case ssa.OpStore:
		f.Access, t = "store", v.Args[1].Type
	case ssa.OpMemCopy, ssa.OpMemZero, ssa.OpPrintf:
		f.Access = v.Op.String()
	default:
		f.Access = "atomic access"
		if v.Op == ssa.OpAtomicStore {
			t = v.Args[1].Type
		}
	}
	f.Size = uint64(t.Size())
	if v.Op == ssa.OpMemCopy || v.Op == ssa.OpMemZero {
		f.Size = uint64(v.Aux)
	} else if v.Op == ssa.OpPrintf {
		f.Size = 1
	}
	signed := off
	if off > ssa.OffsetMask/2 {
		signed |= ^ssa.OffsetMask
	}
	f.Offset = signed
	switch {
	case num == 0:
		f.Kind = exec.NullPointer
	case num >= uint64(len(x.objects)):
		f.Kind = exec.WildPointer
	default:
		f.Kind = exec.OutOfBounds
		e := x.objects[num]
		if off+f.Size <= e.size {
			f.Kind, f.Offset = exec.ConstantWrite, off
		}
		f.Extent = e.size
		if int(num) < x.allocaAt {
			o := &x.env.Objects[num]
			f.Object, f.What, f.Space = o.Name, o.WhereMsg, o.Space
		} else {
			a := x.full.Allocas[int(num)-x.allocaAt].Sym.(*ssa.Alloca)
			f.Object, f.What, f.Space = a.Name, "variable", ssa.PtrPrivate
		}
	}
	x.place(f, global)
	k := findingKey{f.Kind, f.Pos, 0}
	if f.Pos == 0 {
		k.id = v.ID
	}
	fs.add(k, f)
}

// place fills in the work-item, of which it takes the id in the execution's range.
func (x *execution) place(f *found, global [3]uint64) {
	rg := x.asked
	global = swapped(global, x.c.form.along)
	groups := swapped(x.groups, x.c.form.along)
	f.Global = global
	var size [3]uint64
	for d := range 3 {
		at := global[d] - rg.Offset[d]
		f.Group[d], f.Local[d] = at/rg.Local[d], at%rg.Local[d]
		size[d] = min(rg.Local[d], rg.Global[d]-f.Group[d]*rg.Local[d])
	}
	f.group = (f.Group[2]*groups[1]+f.Group[1])*groups[0] + f.Group[0]
	f.item = (f.Local[2]*size[1]+f.Local[1])*size[0] + f.Local[0]
}

// diverged adds the finding of gangs that wait at different barriers.
func (w *worker) diverged() {
	x := w.x
	f := &found{}
	f.Kind, f.Count = exec.BarrierDivergence, 1
	for _, b := range x.c.f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpBarrier && f.Pos == 0 {
				f.Pos = v.Pos
			}
		}
	}
	// The first gang that has not returned was the first to arrive.
	at := 0
	for *word(w.frame, at+codegen.FrameResume) == 0 {
		at += int(x.stride)
	}
	var id [3]uint64
	for d := range 3 {
		id[d] = *word(w.frame, at+codegen.FrameGlobal+8*d)
	}
	f.Note = w.arrivals(at)
	x.place(f, id)
	w.found.add(findingKey{f.Kind, f.Pos, 0}, f)
}

// arrivals says how many work-items wait at the barrier of the gang whose frame is at first,
// and where the others are.
func (w *worker) arrivals(first int) string {
	barrier := *word(w.frame, first+codegen.FrameArrived)
	size := int(*word(w.mem, codegen.CtxEnd) - *word(w.mem, codegen.CtxFirst))
	arrived, waiting, returned := 0, 0, 0
	for at := 0; at < size; at += int(w.x.stride) {
		lanes := int(*word(w.frame, at+codegen.FrameLanes))
		switch {
		case *word(w.frame, at+codegen.FrameResume) == 0:
			returned += lanes
		case *word(w.frame, at+codegen.FrameArrived) == barrier:
			arrived += lanes
		default:
			waiting += lanes
		}
	}
	return exec.BarrierNote(arrived, arrived+waiting+returned, waiting, returned)
}

// Findings merges what the workers found.
func (x *execution) Findings(workers []exec.BatchWorker) []*exec.Finding {
	if !slices.ContainsFunc(workers, func(b exec.BatchWorker) bool { return len(b.(*worker).found.list) > 0 }) {
		return nil
	}
	all := findings{x: x}
	for _, b := range workers {
		for k, f := range b.(*worker).found.list {
			seq := f.seq
			all.add(k, f)
			f.seq = seq
		}
	}
	var list []*found
	for _, f := range all.list {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b *found) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.item, b.item), cmp.Compare(a.seq, b.seq), cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Kind, b.Kind))
	})
	out := make([]*exec.Finding, 0, len(list))
	for _, f := range list {
		out = append(out, &f.Finding)
	}
	return out
}

// restingWorkers is how many a kernel keeps, with their memory, for later launches.
var restingWorkers = max(16, 2*runtime.NumCPU())

// End lets go of the workers and the execution. One of the workers stays with it.
func (x *execution) End(workers []exec.BatchWorker) {
	c := x.c
	first := x.first.Load()
	for _, b := range workers {
		w := b.(*worker)
		w.end()
		if first == nil && w.err == nil {
			first = w
		}
	}
	c.mu.Lock()
	for _, b := range workers {
		if w := b.(*worker); w != first && w.err == nil && len(c.free) < restingWorkers {
			c.free = append(c.free, w)
		}
	}
	if len(c.ended) < restingWorkers {
		*x = execution{objects: x.objects[:0], locals: x.locals[:0]}
		x.first.Store(first)
		c.ended = append(c.ended, x)
	}
	c.mu.Unlock()
}

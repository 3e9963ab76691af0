package gangexec

import (
	"cmp"
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// findings are what a worker found: the first occurrence, in order of work-groups, at each place.
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

func (f *found) compare(g *found) int {
	return cmp.Or(cmp.Compare(f.group, g.group), cmp.Compare(f.item, g.item), cmp.Compare(f.seq, g.seq))
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
	if f.compare(old) < 0 {
		old = f
		fs.list[k] = f
	}
	old.Count = n
}

// violation adds the finding for a bad access at the pointer p.
func (fs *findings) violation(r *gang.Request, p uint64, global [3]uint64, kind accessKind) {
	x := fs.x
	v := x.c.fullFunc.Accesses[r.Access].Value
	num, off := p>>ssa.ObjectShift, p&ssa.OffsetMask
	f := &found{}
	f.Count, f.Pos, f.Size = 1, v.Pos, uint64(r.Size)
	switch v.Op {
	case ssa.OpLoad, ssa.OpStore, ssa.OpMemCopy, ssa.OpMemZero:
		f.Access = v.Op.String()
	default:
		f.Access = "atomic access"
	}
	if f.Offset = off; off > ssa.OffsetMask/2 {
		f.Offset |= ^ssa.OffsetMask
	}
	switch {
	case num == 0:
		f.Kind = exec.NullPointer
	case num >= uint64(len(x.objects)):
		f.Kind = exec.WildPointer
	default:
		f.Kind = exec.OutOfBounds
		o := &x.objects[num]
		if off+f.Size <= o.size {
			f.Kind, f.Offset = exec.ConstantWrite, off
		}
		f.Extent = o.size
		if int(num) < x.first {
			e := &x.env.Objects[num]
			f.Object, f.What, f.Space = e.Name, e.WhereMsg, e.Space
		} else {
			f.Object, f.What, f.Space = x.c.allocas[int(num)-x.first].Name, "variable", ssa.PtrPrivate
		}
	}
	x.place(f, global)
	k := findingKey{f.Kind, f.Pos, 0}
	if f.Pos == 0 {
		k.id = v.ID
	}
	fs.add(k, f)
}

// place fills in the work-item.
func (x *execution) place(f *found, global [3]uint64) {
	rg := &x.env.Range
	f.Global = global
	var size [3]uint64
	for d := range 3 {
		at := global[d] - rg.Offset[d]
		f.Group[d], f.Local[d] = at/rg.Local[d], at%rg.Local[d]
		size[d] = min(rg.Local[d], rg.Global[d]-f.Group[d]*rg.Local[d])
	}
	f.group = (f.Group[2]*x.groups[1]+f.Group[1])*x.groups[0] + f.Group[0]
	f.item = (f.Local[2]*size[1]+f.Local[1])*size[0] + f.Local[0]
}

// Findings merges what the workers found.
func (x *execution) Findings(workers []exec.BatchWorker) []*exec.Finding {
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
		return cmp.Or(a.compare(b), cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Kind, b.Kind))
	})
	out := make([]*exec.Finding, 0, len(list))
	for _, f := range list {
		out = append(out, &f.Finding)
	}
	return out
}

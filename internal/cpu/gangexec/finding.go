package gangexec

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A findingKey says which violations count as one.
type findingKey struct {
	kind exec.FindingKind
	pos  diag.Pos
	id   int32 // tells places without a position apart
}

// violation logs a bad access of a work-item at the pointer p.
func (w *worker) violation(r *gang.Request, p uint64, global [3]uint64) {
	x := w.x
	v := x.c.fullFunc.Accesses[r.Access].Value
	f := exec.Finding{Pos: v.Pos, Size: uint64(r.Size), Global: global, Access: "atomic access"}
	switch v.Op {
	case ssa.OpLoad, ssa.OpStore, ssa.OpMemCopy, ssa.OpMemZero:
		f.Access = v.Op.String()
	}
	num, off := p>>ssa.ObjectShift, p&ssa.OffsetMask
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
	k := findingKey{f.Kind, f.Pos, 0}
	if f.Pos == 0 {
		k.id = v.ID
	}
	group, item := x.place(&f)
	if first := w.log.Record(k, group, item, 1); first != nil {
		f.Count = first.Count
		*first = f
	}
}

// place fills in the work-item's group and local id, and returns both as numbers.
func (x *execution) place(f *exec.Finding) (group, item uint64) {
	rg := &x.env.Range
	var size [3]uint64
	for d := range 3 {
		at := f.Global[d] - rg.Offset[d]
		f.Group[d], f.Local[d] = at/rg.Local[d], at%rg.Local[d]
		size[d] = min(rg.Local[d], rg.Global[d]-f.Group[d]*rg.Local[d])
	}
	return (f.Group[2]*x.groups[1]+f.Group[1])*x.groups[0] + f.Group[0], (f.Local[2]*size[1]+f.Local[1])*size[0] + f.Local[0]
}

// Findings merges what the workers found.
func (x *execution) Findings(workers []exec.BatchWorker) []*exec.Finding {
	logs := make([]*exec.FindingLog[findingKey], len(workers))
	for i, b := range workers {
		logs[i] = &b.(*worker).log
	}
	return exec.MergeFindings(logs)
}

package gangexec

import (
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

// report adds a finding at v of a work-item.
func (w *worker) report(v *ssa.Value, f exec.Finding, global [3]uint64) {
	item := w.x.env.Range.WorkItem(global)
	f.Pos, f.Global, f.Local, f.Group = v.Pos, item.Global, item.Local, item.Group
	k := findingKey{f.Kind, f.Pos, 0}
	if f.Pos == 0 {
		k.id = v.ID
	}
	if first := w.log.Record(k, item.GroupNumber, item.ItemNumber, 1); first != nil {
		f.Count = first.Count
		*first = f
	}
}

// violation reports a bad access of a work-item at the pointer p.
func (w *worker) violation(v *ssa.Value, size, p uint64, global [3]uint64) {
	x := w.x
	f := exec.Finding{Size: size, Access: "atomic access"}
	switch v.Op {
	case ssa.OpLoad, ssa.OpStore, ssa.OpMemCopy, ssa.OpMemZero, ssa.OpPrintf:
		f.Access = v.Op.String()
	}
	num, off := p>>ssa.ObjectShift, p&ssa.OffsetMask
	if f.Offset = off; off > ssa.OffsetMask/2 {
		f.Offset |= ^ssa.OffsetMask
	}
	o := w.object(p)
	switch {
	case num == 0:
		f.Kind = exec.NullPointer
	case o == nil:
		f.Kind = exec.WildPointer
	default:
		f.Kind = exec.OutOfBounds
		if off+f.Size <= o.size {
			f.Kind, f.Offset = exec.ConstantWrite, off
		}
		f.Extent = o.size
		if o.private {
			f.Object, f.What, f.Space = o.name, "variable", ssa.PtrPrivate
		} else {
			e := &x.env.Objects[num]
			f.Object, f.What, f.Space = e.Name, e.WhereMsg, e.Space
		}
	}
	w.report(v, f, global)
}

// Findings merges what the workers found.
func (x *execution) Findings(workers []exec.BatchWorker) []*exec.Finding {
	logs := make([]*exec.FindingLog[findingKey], len(workers))
	for i, b := range workers {
		logs[i] = &b.(*worker).log
	}
	return exec.MergeFindings(logs)
}

package gangexec

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// report adds a finding of a work-item at v.
func (w *worker) report(v *ssa.Value, f exec.Finding, global [3]uint64) {
	item := w.x.env.Range.WorkItem(global)
	f.Pos, f.Global, f.Local, f.Group = v.Pos, item.Global, item.Local, item.Group
	if first := w.log.Record(f.AccessKey(v), item.GroupNumber, item.ItemNumber, 1); first != nil {
		f.Count = first.Count
		*first = f
	}
}

// violation reports a work-item's bad access of size bytes at the pointer p.
func (w *worker) violation(v *ssa.Value, size, p uint64, global [3]uint64) {
	f := exec.BadAccess(v, p)
	f.Size = size
	if o := w.object(p); o != nil {
		f.In(p, o.size)
		if o.private {
			f.OfVariable(o.name)
		} else {
			f.Of(&w.x.env.Objects[p>>ssa.ObjectShift])
		}
	}
	w.report(v, f, global)
}

// Findings merges the workers' findings.
func (x *execution) Findings(workers []exec.BatchWorker) []*exec.Finding {
	logs := make([]*exec.FindingLog[exec.AccessKey], len(workers))
	for i, b := range workers {
		logs[i] = &b.(*worker).log
	}
	return exec.MergeFindings(logs)
}

package jit

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// report adds f.Count findings at v to the log; the first one is by the work-item with that global id.
func (w *worker) report(v *ssa.Value, f exec.Finding, global [3]uint64) {
	item := w.x.workItem(global)
	f.Global, f.Local, f.Group = item.Global, item.Local, item.Group
	if r := w.log.Record(f.AccessKey(v), item.GroupNumber, item.ItemNumber, f.Count); r != nil {
		f.Count = r.Count
		*r = f
	}
}

// value returns the access with number n.
func (x *execution) value(n uint64) *ssa.Value {
	if n&1 == 0 {
		return x.full.Accesses[n/2].Value
	}
	return x.partial.Accesses[n/2].Value
}

// drainRecords reports the violations that machine code has recorded, in order of time.
func (w *worker) drainRecords() {
	recs := w.recs[:*word(w.mem, x86.CtxRecords)-uint64(address(w.recs))]
	if len(recs) == 0 {
		return
	}
	var list [][]byte
	for r := range slices.Chunk(recs, x86.RecordSize) {
		list = append(list, r)
	}
	get := binary.LittleEndian.Uint64
	slices.SortFunc(list, func(a, b []byte) int { return cmp.Compare(get(a[x86.RecTime:]), get(b[x86.RecTime:])) })
	for _, r := range list {
		of := get(r[x86.RecOf:])
		rest := get(r[x86.RecRest:])
		w.violation(w.x.value(of/x86.NumBad), get(r[x86.RecPtr:]), [3]uint64{get(r[x86.RecGlobal:]), uint64(uint32(rest)), rest >> 32}, get(r[x86.RecCount:]))
		clear(w.recOf[4*of:][:4])
	}
	*word(w.mem, x86.CtxRecords) = uint64(address(w.recs))
}

// violation reports n bad accesses of v. The first one is through the pointer p, by the work-item with that
// global id.
func (w *worker) violation(v *ssa.Value, p uint64, global [3]uint64, n uint64) {
	x := w.x
	f := exec.BadAccess(v, p)
	f.Count = n
	if num := p >> ssa.ObjectShift; num > 0 && num < uint64(len(x.objects)) {
		f.In(p, x.objects[num].size)
		if int(num) < x.allocaAt {
			f.Of(&x.env.Objects[num])
		} else {
			f.OfVariable(x.full.Roots[x.full.Privates[int(num)-x.allocaAt].Root].Name)
		}
	}
	w.report(v, f, global)
}

// workItem returns the work-item with a global id.
func (x *execution) workItem(id [3]uint64) exec.WorkItem {
	return x.asked.WorkItem(x.v.key.globalID(x.asked, id))
}

// reportDivergence reports that gangs wait at different barriers.
func (w *worker) reportDivergence() {
	x := w.x
	f := exec.Finding{Kind: exec.BarrierDivergence, Count: 1}
	for _, b := range x.c.source.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpBarrier && f.Pos == 0 {
				f.Pos = v.Pos
			}
		}
	}
	// The first gang that has not returned was the first to arrive.
	at := 0
	for *word(w.frame, at+x86.FrameResume) == 0 {
		at += int(x.stride)
	}
	var id [3]uint64
	for d := range 3 {
		id[d] = *word(w.frame, at+x86.FrameGlobal+8*d)
	}
	f.Note = w.arrivals(at)
	w.report(nil, f, id)
}

// arrivals describes how many work-items wait at the barrier of the gang whose frame is at first, and the state
// of the others.
func (w *worker) arrivals(first int) string {
	barrier := *word(w.frame, first+x86.FrameArrived)
	size := int(*word(w.mem, x86.CtxEnd) - *word(w.mem, x86.CtxFirst))
	arrived, waiting, returned := 0, 0, 0
	for at := 0; at < size; at += int(w.x.stride) {
		lanes := int(*word(w.frame, at+x86.FrameLanes))
		switch {
		case *word(w.frame, at+x86.FrameResume) == 0:
			returned += lanes
		case *word(w.frame, at+x86.FrameArrived) == barrier:
			arrived += lanes
		default:
			waiting += lanes
		}
	}
	return exec.BarrierNote(arrived, arrived+waiting+returned, waiting, returned)
}

// Findings merges the workers' findings.
func (x *execution) Findings(workers []exec.BatchWorker) []*exec.Finding {
	logs := make([]*exec.FindingLog[exec.AccessKey], len(workers))
	for i, w := range workers {
		logs[i] = &w.(*worker).log
	}
	return exec.MergeFindings(logs)
}

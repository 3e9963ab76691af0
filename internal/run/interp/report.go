package interp

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/exec"
)

// A findingKey identifies findings that count as one.
type findingKey struct {
	kind   exec.FindingKind
	pos    diag.Pos
	inst   int32 // distinguishes positions without a source position
	other  diag.Pos
	object uint32 // of races
	name   string // of uninitialised variables
}

// A reporter collects what a batch reports: findings, and the output of printf. In strict mode it stops the lanes that
// have an error. It knows nothing of other work-items' accesses.
type reporter struct {
	columns
	objects

	findings exec.FindingLog[findingKey]
	stops    stops // lanes stopped in strict mode
	text     exec.Printed
}

// report records a finding for a lane (for all active lanes if the instruction is uniform). It returns the record
// if it is new or now has an earlier work-item, else nil. o may be nil.
func (x *reporter) report(kind exec.FindingKind, in *inst, lane int, o *object, off, size uint64) *exec.Finding {
	if x.stops.on && kind.IsError() && kind != exec.BarrierDivergence && !x.stop(in, lane) {
		return nil
	}
	key := findingKey{kind: kind, pos: in.pos}
	if in.pos == 0 {
		key.inst = in.id
	}
	return x.record(key, in, x.times(in), lane, o, off, size)
}

// times returns the number of work-items for which an execution of an instruction counts.
func (x *reporter) times(in *inst) uint64 {
	if in.uniform {
		return uint64(count(x.cols.act))
	}
	return 1
}

func (x *reporter) record(key findingKey, in *inst, n uint64, lane int, o *object, off, size uint64) *exec.Finding {
	g, item := x.groups[lane], x.items[lane]
	f := x.findings.Record(key, g, uint64(item), n)
	if f == nil {
		return nil
	}
	*f = exec.Finding{Kind: key.kind, Pos: in.pos, Count: f.Count, Size: size, Offset: off}
	f.Group = x.groupID(g)
	f.Local = x.localID(g, item)
	f.Global = x.globalID(g, item)
	if in.mem != nil {
		f.Access = in.mem.note
	}
	if o != nil {
		f.Object, f.What, f.Space, f.Extent = o.desc.Name, o.desc.WhereMsg, o.space, o.size
	}
	return f
}

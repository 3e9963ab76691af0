package interp

import (
	"bytes"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A LaneStatus is the status of a work-item.
type LaneStatus uint8

// The states.
const (
	LaneRuns    LaneStatus = iota
	LaneWaits              // at a barrier
	LaneEnded              // it has returned from the kernel
	LaneFaulted            // it was stopped because of a finding
)

// A Frame is an activation of a function.
type Frame struct {
	Func      *ssa.Func
	Pos       diag.Pos // of the next instruction, or of the call being executed
	Statement int      // the statement that contains Pos, -1 if there is none
}

// Lanes returns the number of the work-group's work-items.
func (s *Stepper) Lanes() int { return s.x.n }

// Range returns the index space.
func (s *Stepper) Range() exec.NDRange { return s.run.env.Range }

// Item returns the ids of a work-item of the group.
func (s *Stepper) Item(lane int) (global, local, group [3]uint64) {
	g, item := s.x.groups[lane], s.x.items[lane]
	return s.x.globalID(g, item), s.x.localID(g, item), s.x.groupID(g)
}

// Lane returns the lane of a local id, -1 if the group has none.
func (s *Stepper) Lane(local [3]uint64) int {
	size := s.x.groupSize(s.x.groupID(s.x.group0))
	if local[0] >= size[0] || local[1] >= size[1] || local[2] >= size[2] {
		return -1
	}
	return int(local[0] + size[0]*(local[1]+size[1]*local[2]))
}

// Status returns a work-item's status and its activations, innermost first.
func (s *Stepper) Status(lane int) (LaneStatus, []Frame) {
	status, at := LaneEnded, s.ended[lane]
	if s.faulted[lane] {
		status = LaneFaulted
	}
	for i := range s.clusters {
		if c := &s.clusters[i]; holds(c.act, lane) {
			status, at = LaneRuns, c.at
			if c.parked {
				status = LaneWaits
			}
		}
	}
	var frames []Frame
	for at.call != nil {
		frames = append(frames, s.frame(at))
		at = at.call.caller
	}
	return status, frames
}

// frame describes the activation of a position.
func (s *Stepper) frame(at position) Frame {
	f := Frame{Func: at.call.fn.ssa, Statement: int(s.statements[at.call.fn.index][at.block][at.inst])}
	b := &at.call.fn.blocks[at.block]
	for i := int(at.inst); i < len(b.insts) && !f.Pos.IsValid(); i++ {
		f.Pos = b.insts[i].pos
	}
	if !f.Pos.IsValid() {
		f.Pos = b.pos
	}
	return f
}

// Chosen returns the activation that Next chose, and the depth of its call.
func (s *Stepper) Chosen() (f Frame, depth int) {
	c := &s.clusters[s.cur]
	return s.frame(c.at), c.at.call.depth
}

// Arriving returns the statement of the instruction that Next chose, and appends to lanes the work-items that enter
// it.
func (s *Stepper) Arriving(lanes []int) (statement int, _ []int) {
	c := &s.clusters[s.cur]
	n := s.statements[c.at.call.fn.index][c.at.block][c.at.inst]
	if n < 0 {
		return -1, lanes
	}
	for _, p := range s.chosen() {
		for i := p.lo; i < p.hi; i++ {
			if s.statement[i] != n {
				lanes = append(lanes, int(i))
			}
		}
	}
	return int(n), lanes
}

// Each calls f with the lanes whose instruction Next chose.
func (s *Stepper) Each(f func(lane int)) { each(s.chosen(), f) }

// Found returns the new findings since the last call.
func (s *Stepper) Found() []*exec.Finding {
	list := s.x.findings.New
	s.x.findings.New = nil
	return list
}

// Findings returns all findings so far.
func (s *Stepper) Findings() []*exec.Finding {
	log := s.x.findings.Clone()
	return exec.MergeFindings([]*exec.FindingLog[findingKey]{&log})
}

// An Access is a work-item's access to memory.
type Access struct {
	Lane   int
	Object uint32
	Offset uint64
	Size   uint64
	Write  bool
}

// Accesses calls f with the accesses that the chosen instruction is about to make. It returns false if they cannot
// be determined in advance.
func (s *Stepper) Accesses(f func(a Access)) (known bool) {
	c := &s.clusters[s.cur]
	b := &c.at.call.fn.blocks[c.at.block]
	if int(c.at.inst) == len(b.insts) {
		return true
	}
	in := &b.insts[c.at.inst]
	m := in.mem
	if m == nil {
		return true
	}
	v, act := &s.x.cols, s.chosen()
	tell := func(lane int, p, size uint64, write bool) {
		f(Access{lane, uint32(p >> ssa.ObjectShift), p & ssa.OffsetMask, size, write})
	}
	switch {
	case m.base != noReg:
		for _, p := range act {
			v.act = act
			for i, a := range v.addresses(m, p) {
				lane := int(p.lo) + i
				switch op, _ := in.ext.(*atomicFn); {
				case op != nil:
					tell(lane, a, m.size, !op.load)
				default:
					tell(lane, a, m.size, m.kind == accWrite)
				}
			}
		}
	case m.note == ssa.OpMemZero.String() || m.note == ssa.OpMemCopy.String():
		for _, p := range act {
			for i, a := range at[uint64](v, in.a, p) {
				tell(int(p.lo)+i, a, in.imm, true)
			}
			if m.note == ssa.OpMemCopy.String() {
				for i, a := range at[uint64](v, in.b, p) {
					tell(int(p.lo)+i, a, in.imm, false)
				}
			}
		}
	default:
		return m.note == "printf"
	}
	return true
}

// An Object describes memory that pointers refer to by number.
type Object struct {
	Name  string
	What  string // such as "argument 2"
	Space ssa.Kind
	Size  uint64
}

// Objects returns the number of objects; number 0 is null.
func (s *Stepper) Objects() int { return len(s.x.objs) }

// Object describes object n.
func (s *Stepper) Object(n uint32) Object {
	if int(n) >= len(s.x.objs) {
		return Object{}
	}
	o := &s.x.objs[n]
	return Object{o.desc.Name, o.desc.WhereMsg, o.space, o.size}
}

// Bytes returns the bytes of object n for a work-item, used in place. For private and local memory, written has a
// byte for each that is 0 if it has not been written.
func (s *Stepper) Bytes(lane int, n uint32) (data, written []byte) {
	if int(n) >= len(s.x.objs) || s.x.objs[n].size == 0 {
		return nil, nil
	}
	o := &s.x.objs[n]
	return unsafe.Slice((*byte)(s.x.memory(o, lane, 0)), o.size), s.x.initShadow(o, lane)
}

// VariableObject returns the object number of a variable: an [ssa.Alloca] or [ssa.Global] of the program.
func (s *Stepper) VariableObject(sym any) (n uint32, ok bool) {
	switch sym := sym.(type) {
	case *ssa.Alloca:
		for i := range s.x.p.allocas {
			if s.x.p.allocas[i].Alloca == sym {
				return s.run.allocaBase + uint32(i), true
			}
		}
	case *ssa.Global:
		n, ok = s.run.env.Globals[sym]
	}
	return n, ok
}

// An Expression is a function that Evaluate runs for a work-item: a kernel whose first parameter points to memory
// for its result, followed by the addresses of private variables.
type Expression struct {
	Program *Program
	Params  []uint64               // pointers, except the first
	Globals map[*ssa.Global]uint32 // object numbers in the launch
	Own     map[*ssa.Global][]byte // variables of the expression, such as strings
	Limit   time.Duration          // longest duration

	x      *worker // created by the first evaluation
	result []byte
}

// Evaluate runs an expression for a work-item without changing its state: all memory except the result is
// read-only. found are the findings of the evaluation; stopped is set if it took too long.
func (s *Stepper) Evaluate(e *Expression, lane, size int) (result []byte, found []*exec.Finding, stopped bool) {
	main := s.x
	if e.x == nil {
		s.prepare(e, size)
	}
	x := e.x
	x.run.stop.Store(false)
	timer := time.AfterFunc(e.Limit, func() { x.run.stop.Store(true) })
	defer timer.Stop()
	stride := s.run.privStride
	copy(x.priv, main.priv[uint64(lane)*stride:][:stride])
	if main.privInit != nil {
		copy(x.privInit, main.privInit[uint64(lane)*stride:][:stride])
	}
	clear(e.result)
	x.findings.Clear()
	beOne(x, main, lane)
	defer fpenv.EnterKernel(e.Program.Kernel.Kernel.FlushSubnormals).Leave()
	x.exec(e.Program.fns[0], 0)
	return bytes.Clone(e.result), exec.MergeFindings([]*exec.FindingLog[findingKey]{&x.findings}), x.run.stop.Load()
}

// prepare creates the worker that evaluates an expression, with a result of size bytes.
func (s *Stepper) prepare(e *Expression, size int) {
	main, p := s.x, e.Program
	env := *s.run.env
	env.Faults, env.Globals, env.Printf, env.Stop = exec.Strict, map[*ssa.Global]uint32{}, nil, nil
	r := &Run{p: p, env: &env, workers: 1, groups: s.run.groups, nGroups: s.run.nGroups, perItem: s.run.perItem, lanes: 8, uneven: s.run.uneven, stop: new(atomic.Bool), localSize: s.run.localSize}
	for _, o := range main.objs {
		o.readOnly = true
		r.objs = append(r.objs, o)
	}
	add := func(o object) uint32 {
		o.number = uint32(len(r.objs))
		r.objs = append(r.objs, o)
		return o.number
	}
	for g, n := range e.Globals {
		env.Globals[g] = n
	}
	for g, data := range e.Own {
		env.Globals[g] = add(object{bytes: data, size: uint64(len(data)), space: g.Kind, readOnly: true, desc: &exec.Object{Name: g.Name}})
	}
	e.result = make([]byte, size)
	to := add(object{bytes: e.result, size: uint64(size), space: ssa.PtrGlobal, desc: &exec.Object{Name: "the result"}})
	r.allocaBase = uint32(len(r.objs))
	for _, a := range p.allocas {
		add(object{size: uint64(a.Size), space: ssa.PtrPrivate, private: true, shadowed: true, off: s.run.privStride + uint64(a.off), desc: &exec.Object{Name: a.Name}})
	}
	r.privStride = s.run.privStride + uint64(alignUp(p.PrivateSize, 16))
	env.Params = [][]uint64{{uint64(to) << ssa.ObjectShift}}
	for _, a := range e.Params {
		env.Params = append(env.Params, []uint64{a})
	}
	x := r.NewWorker(0).(*worker)
	x.local, x.localInit = main.local, main.localInit
	x.placeLocal()
	e.x = x
}

// beOne sets the worker x up for a single work-item of another worker's group.
func beOne(x, main *worker, lane int) {
	x.group0, x.item0 = main.groups[lane], uint64(main.items[lane])
	x.n, x.live, x.aborted = 1, 1, false
	x.stops.begin(x.run)
	x.base = main.base
	x.groups[0], x.items[0] = main.groups[lane], main.items[lane]
	for i := range x.p.queries {
		q := &x.p.queries[i]
		x.fill(q.cell, q.col, q.size, x.query(q.query, uint64(q.dim), 0), span{0, 1})
	}
	x.cols.act = append(x.cols.act[:0], span{0, 1})
}

package interp

import (
	"errors"
	"slices"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A Stepper runs a launch for a debugger: one work-group after the other, one instruction at a time. Each work-item
// has its own position: a stepped program has no uniform values, so that work-items may diverge anywhere. A run is
// deterministic: it depends only on the launch and on the work-items passed to Next as preferred.
//
// Work-items at one position run together, as a cluster. Without a preference the clusters run in the reference
// executor's order: the deepest call first, and in it the earliest block.
type Stepper struct {
	run   *Run
	x     *worker
	group int64 // the current work-group
	on    bool  // it has begun and not ended

	clusters []cluster
	cur      int        // the cluster that Next chose
	single   int        // its only lane that runs, -1 for all
	ended    []position // by lane: where it ended; without a call if it has not
	faulted  []bool     // by lane: it ended because of a finding
	mixed    bool       // lanes have run in a different order since the group was last together
	calls    map[callKey]*callContext
	top      *callContext

	statements [][][]int32 // by function, block and instruction: index of the statement, -1 if none
	statement  []int32     // by lane: its current statement; entering if the next one is new
	Printed    []byte      // output of printf; the user removes it
}

// A cluster is a set of lanes at one position.
type cluster struct {
	at     position
	act    []span
	parked bool // waits at a barrier
}

// A position is an instruction or a terminator in an activation.
type position struct {
	call        *callContext
	block, inst int32
}

// A callContext is a chain of calls of a function.
type callContext struct {
	fn     *fn
	caller position // position of the call; its call is nil for the kernel
	depth  int
	id     int
}

type callKey struct {
	caller position
	fn     *fn
}

// entering is the statement of a lane that is about to enter a new one.
const entering = -2

// CompileStepped compiles a kernel for a Stepper.
func CompileStepped(f *ssa.Func, checks exec.Checks) (*Program, error) {
	return compile(f, checks, true)
}

// NewStepper prepares a launch of a stepped program. statement returns the index of the statement that contains a
// position of a function, -1 if there is none.
func NewStepper(p *Program, env *exec.Env, statement func(f *ssa.Func, pos diag.Pos) int) (*Stepper, error) {
	if !p.stepped {
		return nil, errors.New("the program was not compiled for a debugger")
	}
	r, err := NewRun(p, env, 1)
	if err != nil {
		return nil, err
	}
	s := &Stepper{run: r, x: r.NewWorker(0).(*worker), group: -1, calls: map[callKey]*callContext{}}
	s.x.findings.Watched = true
	s.top = s.call(p.fns[0], position{})
	s.statement = make([]int32, s.x.w)
	s.ended, s.faulted = make([]position, s.x.w), make([]bool, s.x.w)
	for _, f := range p.fns {
		blocks := make([][]int32, len(f.blocks))
		for i := range f.blocks {
			b := &f.blocks[i]
			list := make([]int32, len(b.insts)+1)
			for k := range b.insts {
				list[k] = int32(statement(f.ssa, b.insts[k].pos))
			}
			list[len(b.insts)] = int32(statement(f.ssa, b.pos))
			blocks[i] = list
		}
		s.statements = append(s.statements, blocks)
	}
	return s, nil
}

// Enter sets the thread's floating-point environment to the kernel's until leave is called.
func (s *Stepper) Enter() (leave func()) {
	state := fpenv.EnterKernel(s.x.p.Kernel.Kernel.FlushSubnormals)
	return func() { state.Leave() }
}

// call returns the context of a call.
func (s *Stepper) call(f *fn, caller position) *callContext {
	k := callKey{caller, f}
	c := s.calls[k]
	if c == nil {
		c = &callContext{fn: f, caller: caller, id: len(s.calls)}
		if caller.call != nil {
			c.depth = caller.call.depth + 1
		}
		s.calls[k] = c
	}
	return c
}

// Groups returns the number of work-groups.
func (s *Stepper) Groups() int64 { return s.run.batches }

// Group returns the number of the current work-group; ok is false before the first and after the last one.
func (s *Stepper) Group() (n int64, ok bool) { return s.group, s.on }

// NextGroup begins the next work-group. It returns false if there is none.
func (s *Stepper) NextGroup() bool {
	s.on, s.clusters = false, s.clusters[:0]
	for s.group+1 < s.run.batches {
		s.group++
		if !s.x.begin(s.group) {
			continue
		}
		s.on, s.mixed = true, false
		for i := range s.x.n {
			s.statement[i], s.ended[i], s.faulted[i] = entering, position{}, false
		}
		s.clusters = append(s.clusters, cluster{at: position{call: s.top}, act: []span{{0, int32(s.x.n)}}})
		return true
	}
	s.group = s.run.batches
	return false
}

// Stop ends the launch: no work-group runs after it.
func (s *Stepper) Stop() { s.on, s.clusters, s.group = false, nil, s.run.batches }

// waits reports whether a cluster is at an instruction at which other lanes must arrive first.
func (s *Stepper) waits(c *cluster) bool {
	if !s.mixed {
		return false // the reference executor's order brings together all lanes that can be
	}
	b := &c.at.call.fn.blocks[c.at.block]
	return int(c.at.inst) < len(b.insts) && b.insts[c.at.inst].waits != waitsForNone
}

// before reports whether a cluster at p runs before one at q.
func (p *position) before(q *position) bool {
	switch {
	case p.call != q.call:
		if p.call.depth != q.call.depth {
			return p.call.depth > q.call.depth
		}
		return p.call.id < q.call.id
	case p.block != q.block:
		return p.block < q.block
	}
	return p.inst < q.inst
}

// Next chooses the work-items whose instruction Run executes: the preferred lane alone if it is not -1 and can run,
// else the first cluster. It returns false if the work-group has ended.
func (s *Stepper) Next(prefer int) bool {
	s.single = -1
	for len(s.clusters) > 0 {
		best, waiting := -1, -1
		for i := range s.clusters {
			switch c := &s.clusters[i]; {
			case c.parked:
			case s.waits(c):
				if waiting < 0 || c.at.before(&s.clusters[waiting].at) {
					waiting = i
				}
			case prefer >= 0 && holds(c.act, prefer):
				s.cur, s.single = i, prefer
				return true
			case best < 0 || c.at.before(&s.clusters[best].at):
				best = i
			}
		}
		if best < 0 {
			best = waiting
		}
		if best >= 0 {
			s.cur = best
			return true
		}
		s.release()
	}
	if s.on {
		s.on = false
		if !s.x.aborted {
			s.x.leftCopies()
		}
	}
	return false
}

func holds(act []span, lane int) bool {
	return slices.ContainsFunc(act, func(p span) bool { return int(p.lo) <= lane && lane < int(p.hi) })
}

// without returns the lanes of act except one.
func without(act []span, lane int) []span {
	var out []span
	for _, p := range act {
		if lane < int(p.lo) || lane >= int(p.hi) {
			out = append(out, p)
			continue
		}
		if int(p.lo) < lane {
			out = append(out, span{p.lo, int32(lane)})
		}
		if lane+1 < int(p.hi) {
			out = append(out, span{int32(lane) + 1, p.hi})
		}
	}
	return out
}

// chosen returns the lanes that Next chose.
func (s *Stepper) chosen() []span {
	if s.single >= 0 {
		return []span{{int32(s.single), int32(s.single) + 1}}
	}
	return s.clusters[s.cur].act
}

// take removes the lanes that Next chose from their cluster.
func (s *Stepper) take() cluster {
	c := cluster{at: s.clusters[s.cur].at, act: s.chosen()}
	rest := []span(nil)
	if s.single >= 0 {
		rest = without(s.clusters[s.cur].act, s.single)
		s.mixed = s.mixed || len(s.clusters) > 1 || len(rest) > 0
	}
	if len(rest) > 0 {
		s.clusters[s.cur].act = rest
	} else {
		s.clusters = slices.Delete(s.clusters, s.cur, s.cur+1)
	}
	return c
}

// Run executes the instruction that Next chose.
func (s *Stepper) Run() {
	x := s.x
	c := s.take()
	if n := s.statements[c.at.call.fn.index][c.at.block][c.at.inst]; n >= 0 {
		each(c.act, func(lane int) { s.statement[lane] = n })
	}
	x.cols.act = c.act
	b := &c.at.call.fn.blocks[c.at.block]
	if int(c.at.inst) == len(b.insts) {
		s.terminator(&c, b)
	} else {
		s.instruction(&c, &b.insts[c.at.inst])
	}
	if x.aborted {
		s.abandon(c.at)
	}
}

func (s *Stepper) instruction(c *cluster, in *inst) {
	x := s.x
	if to, ok := in.ext.(*callTo); ok {
		for i, u := range to.fn.params {
			moveColumn(&x.cols, u, in.src[i], to.fn.paramSizes[i])
		}
		c.at = position{call: s.call(to.fn, c.at)}
		each(c.act, func(lane int) { s.statement[lane] = entering })
		s.put(c)
		return
	}
	if in.uniform {
		in.run(&x.cells, in)
	} else {
		in.run(&x.cols, in)
	}
	s.Printed = append(s.Printed, x.text.Drain()...)
	if x.stops.fresh {
		all := c.act
		x.drop()
		each(all, func(lane int) {
			if x.stops.lanes[lane] {
				s.ended[lane], s.faulted[lane] = c.at, true
			}
		})
		c.act = x.cols.act
	}
	c.at.inst++
	s.put(c)
}

// put adds a cluster, or its lanes to the cluster at the same position.
func (s *Stepper) put(c *cluster) {
	if len(c.act) == 0 {
		return
	}
	for i := range s.clusters {
		if d := &s.clusters[i]; d.at == c.at && d.parked == c.parked {
			d.act = merge(nil, d.act, c.act)
			return
		}
	}
	s.clusters = append(s.clusters, *c)
}

// terminator executes the terminator of the cluster's block.
func (s *Stepper) terminator(c *cluster, b *block) {
	x := s.x
	switch b.term {
	case termJump, termLatch:
		s.follow(c, &b.succs[0])
	case termBranch:
		s.branch(c, b)
	case termSwitch:
		s.choose(c, b)
	case termReturn:
		s.leave(c)
	case termBarrier:
		if count(c.act) == x.live {
			x.missing(b)
			s.pass(c, b)
			return
		}
		c.parked = true
		for i := range s.clusters {
			if d := &s.clusters[i]; d.at == c.at && d.parked && !s.mixed && !c.at.call.fn.irreducible {
				x.cols.act = merge(nil, d.act, c.act)
				x.diverged(b, s.parkings(), "in different iterations of a loop")
				x.aborted = true
				return
			}
		}
		s.put(c)
	}
}

// follow moves the cluster along an edge.
func (s *Stepper) follow(c *cluster, e *edge) {
	s.x.cols.act = c.act
	s.x.moves(e)
	if e.back {
		each(c.act, func(lane int) { s.statement[lane] = entering })
	}
	s.put(&cluster{at: position{call: c.at.call, block: e.to}, act: c.act})
}

func (s *Stepper) branch(c *cluster, b *block) {
	if b.uniform {
		k := 1
		if *cell[uint8](&s.x.columns, b.cond) != 0 {
			k = 0
		}
		s.follow(c, &b.succs[k])
		return
	}
	yes, no := sides(&s.x.columns, b, nil, nil)
	if len(yes) > 0 && len(no) > 0 && s.x.splits != nil {
		s.x.split(b, yes, no)
	}
	for k, act := range [][]span{yes, no} {
		if len(act) > 0 {
			s.follow(&cluster{at: c.at, act: act}, &b.succs[k])
		}
	}
}

func (s *Stepper) choose(c *cluster, b *block) {
	v := &s.x.cols
	if b.uniform {
		s.follow(c, &b.succs[caseOf(b, bitsAt(&s.x.cells, b, 0))])
		return
	}
	cases := make([][]span, len(b.succs))
	each(c.act, func(lane int) {
		k := caseOf(b, bitsAt(v, b, int32(lane)))
		cases[k] = merge(nil, cases[k], []span{{int32(lane), int32(lane) + 1}})
	})
	if s.x.splits != nil {
		s.x.split(b, cases...)
	}
	for k, act := range cases {
		if len(act) > 0 {
			s.follow(&cluster{at: c.at, act: act}, &b.succs[k])
		}
	}
}

// leave returns from a function, or ends the cluster's work-items.
func (s *Stepper) leave(c *cluster) {
	x, caller := s.x, c.at.call.caller
	if caller.call == nil {
		each(c.act, func(lane int) { s.ended[lane] = c.at })
		x.live -= count(c.act)
		if x.gone != nil {
			x.leave()
		}
		return
	}
	f := c.at.call.fn
	in := &caller.call.fn.blocks[caller.block].insts[caller.inst]
	for i, u := range in.dst {
		moveColumn(&x.cols, u, f.results[i], f.resultSize)
	}
	n := s.statements[caller.call.fn.index][caller.block][caller.inst]
	each(c.act, func(lane int) { s.statement[lane] = n })
	caller.inst++
	s.put(&cluster{at: caller, act: c.act})
}

// pass lets the work-group continue from a barrier.
func (s *Stepper) pass(c *cluster, b *block) {
	x := s.x
	x.cols.act = c.act
	flags, _, scope := ssa.AtomicParts(b.fence)
	x.passBarrier(x.takeFlags(int64(flags)), max(scope, ssa.ScopeWorkGroup))
	x.passCopies(flags&ssa.WaitCopies != 0)
	s.mixed = false
	s.follow(c, &b.succs[0])
}

// release is called when all work-items that have not ended wait at barriers. If it is one barrier, they continue;
// from several barriers they cannot.
func (s *Stepper) release() {
	c := s.clusters[0]
	b := &c.at.call.fn.blocks[c.at.block]
	s.x.cols.act = c.act
	if len(s.clusters) == 1 {
		s.clusters = s.clusters[:0]
		s.x.missing(b)
		c.parked = false
		s.pass(&c, b)
		return
	}
	if d := s.x.diverged(b, s.parkings(), ""); d != nil {
		other := s.clusters[1].at
		d.AddPlace(other.call.fn.blocks[other.block].pos, "others are at this barrier")
	}
	s.x.aborted = true
	s.abandon(c.at)
}

// parkings returns the waiting work-items in the form of the executor's scheduler.
func (s *Stepper) parkings() *lanes {
	st := &lanes{}
	for _, c := range s.clusters {
		if c.parked {
			st.parked = append(st.parked, parking{c.at.block, c.act})
		}
	}
	return st
}

// abandon ends the work-group early.
func (s *Stepper) abandon(at position) {
	for _, c := range s.clusters {
		each(c.act, func(lane int) { s.ended[lane], s.faulted[lane] = c.at, true })
	}
	for i := range s.x.n {
		if s.ended[i].call == nil {
			s.ended[i], s.faulted[i] = at, true
		}
	}
	s.clusters = s.clusters[:0]
}

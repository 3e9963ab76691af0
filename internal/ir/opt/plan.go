package opt

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A plan is the order in which functions are optimised. The bodies that a function inlines depend only on the
// positions in that order. Functions that do not call each other, directly or indirectly, can therefore be
// optimised concurrently.
type plan struct {
	cfg    *Config
	order  []*ssa.Func            // callees before callers
	calls  [][]*ssa.Func          // by place: the function's callees before optimisation
	place  map[*ssa.Func]int      // by function: its position in order
	called map[*ssa.Func]int      // by function: number of its calls before optimisation
	raw    map[*ssa.Func]struct{} // functions inlined into their only caller before they are optimised
	info   []calleeInfo           // by place: optimised functions

	watched bool // inlining might exceed the module's budget, so that grown must be counted
	grown   int  // values of inlined copies
}

// newPlan makes the plan for the functions that the roots reach.
func newPlan(cfg *Config, roots []*ssa.Func) *plan {
	if cfg.InlineBudget == 0 {
		cfg.InlineBudget = 200_000
	}
	if cfg.ModuleBudget == 0 {
		cfg.ModuleBudget = 2_000_000
	}
	order, calls := bottomUp(roots)
	p := &plan{cfg: cfg, order: order, calls: calls, place: make(map[*ssa.Func]int, len(order)), called: make(map[*ssa.Func]int, len(order)), info: make([]calleeInfo, len(order))}
	for i, f := range order {
		p.place[f] = i
		for _, g := range calls[i] {
			p.called[g]++
		}
	}
	return p
}

// before returns f's position, and whether f is optimised before the function at the other position.
func (p *plan) before(f *ssa.Func, other int) (place int, ok bool) {
	place, ok = p.place[f]
	return place, ok && place < other
}

// calledOnce returns the functions with a single call and no other use: they can become part of their caller
// before they are optimised.
func (p *plan) calledOnce(roots []*ssa.Func) map[*ssa.Func]struct{} {
	root := make(map[*ssa.Func]bool, len(roots))
	for _, f := range roots {
		root[f] = true
	}
	once := map[*ssa.Func]struct{}{}
	depth := make([]int, len(p.order))
	for at, f := range p.order {
		for _, g := range p.calls[at] {
			if _, raw := once[g]; raw {
				depth[at] = max(depth[at], depth[p.place[g]]+1)
			}
		}
		if p.called[f] == 1 && !root[f] && f.Attrs&ssa.NoInline == 0 && depth[at] < maxRawDepth {
			once[f] = struct{}{}
		}
	}
	return once
}

// maxRawDepth bounds chains of functions that are inlined into each other before any is optimised, because each
// carries all earlier ones with it. The last of a chain is optimised, and then small.
const maxRawDepth = 16

// states is a pool of states, for their scratch memory.
var states = sync.Pool{New: func() any { return new(state) }}

func (p *plan) newState() *state {
	s := states.Get().(*state)
	s.cfg, s.plan = p.cfg, p
	return s
}

func (s *state) release() {
	s.f, s.cfg, s.plan, s.slabs = nil, nil, nil, ssa.Slabs{}
	states.Put(s)
}

// run optimises the functions. Raw ones go through the first passes, and through the others if they remain in
// the module.
func (p *plan) run(passes, raw []*Pass) error {
	if err := p.all(passes, raw); err != nil {
		return err
	}
	s := p.newState()
	defer s.release()
	for place, f := range p.order {
		// A function that was to be inlined, but would have made its caller too large.
		if _, raw := p.raw[f]; raw && len(f.Blocks) > 0 {
			delete(p.raw, f)
			s.at = len(p.order)
			if err := s.optimise(f, passes); err != nil {
				return err
			}
			p.info[place] = infoOf(f)
		}
	}
	return nil
}

// few is the number of values below which concurrency does not pay.
const few = 5000

// outgrows reports whether the functions, with copies of all their callees, could exceed twice the module's
// budget. It counts unoptimised functions; optimised ones are usually smaller.
func (p *plan) outgrows() bool {
	most := 2 * p.cfg.ModuleBudget
	total, sizes := 0, make([]int, len(p.order))
	for at, f := range p.order {
		size := f.CountValues()
		for _, g := range p.calls[at] {
			if place, ok := p.before(g, at); ok {
				size = min(size+sizes[place], most+1)
			}
		}
		sizes[at] = size
		if _, raw := p.raw[f]; !raw {
			total = min(total+size, most+1)
		}
	}
	return total > most
}

// all optimises the functions, concurrently if that pays and the configuration permits it.
func (p *plan) all(passes, raw []*Pass) error {
	if p.watched = p.outgrows(); p.watched {
		return p.inTurn(passes, raw) // so that the budget always excludes the same functions
	}
	threads := min(runtime.GOMAXPROCS(0), len(p.order))
	if threads > 1 && p.cfg.Dump == nil && p.cfg.Time == nil && p.larger(few) {
		return p.sideBySide(threads, passes, raw)
	}
	return p.inTurn(passes, raw)
}

// larger reports whether the functions have more than n values in total.
func (p *plan) larger(n int) bool {
	for _, f := range p.order {
		if n -= f.CountValues(); n < 0 {
			return true
		}
	}
	return false
}

// inTurn optimises the functions one after the other.
func (p *plan) inTurn(passes, raw []*Pass) error {
	s := p.newState()
	defer s.release()
	for i := range p.order {
		if err := p.one(s, i, passes, raw); err != nil {
			return err
		}
	}
	return nil
}

// one optimises the function at a position.
func (p *plan) one(s *state, place int, passes, raw []*Pass) error {
	f := p.order[place]
	if _, is := p.raw[f]; is {
		passes = raw
	}
	s.at = place
	err := s.optimise(f, passes)
	p.info[place] = infoOf(f)
	return err
}

// A queue hands out functions whose callees have been optimised, by position.
type queue struct {
	mu      sync.Mutex
	more    sync.Cond
	ready   []int   // in descending order
	running int     // functions in progress
	waiting []int   // by place: callees not yet optimised
	callers [][]int // by place: callers
	first   failure // the failure of the earliest function so far
}

// A failure is an error or panic in a function's optimisation.
type failure struct {
	place int
	err   error
	panic any
}

// sideBySide optimises the functions on several threads. A function is ready when its callees are done; ready
// functions are taken in the plan's order.
func (p *plan) sideBySide(threads int, passes, raw []*Pass) error {
	q := p.queue()
	work := func() {
		s := p.newState()
		defer s.release()
		for {
			place, ok := q.take()
			if !ok {
				return
			}
			f := failure{place: place}
			func() {
				defer func() { f.panic = recover() }()
				f.err = p.one(s, place, passes, raw)
			}()
			q.done(f)
		}
	}
	var w sync.WaitGroup
	for range threads - 1 {
		w.Go(work)
	}
	work()
	w.Wait()
	if q.first.panic != nil {
		panic(q.first.panic)
	}
	return q.first.err
}

// queue makes the plan's queue.
func (p *plan) queue() *queue {
	n := len(p.order)
	q := &queue{waiting: make([]int, n), callers: make([][]int, n), first: failure{place: n}}
	q.more.L = &q.mu
	for at, list := range p.calls {
		places := make([]int, 0, len(list))
		for _, g := range list {
			if place, ok := p.before(g, at); ok {
				places = append(places, place)
			}
		}
		slices.Sort(places)
		for _, c := range slices.Compact(places) {
			q.callers[c] = append(q.callers[c], at)
			q.waiting[at]++
		}
	}
	for at := n - 1; at >= 0; at-- {
		if q.waiting[at] == 0 {
			q.ready = append(q.ready, at)
		}
	}
	return q
}

// take waits for a ready function and returns the earliest position; ok is false at the end.
func (q *queue) take() (place int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if last := len(q.ready) - 1; last >= 0 && q.ready[last] < q.first.place {
			place, q.ready = q.ready[last], q.ready[:last]
			q.running++
			return place, true
		}
		if q.running == 0 {
			return 0, false
		}
		q.more.Wait()
	}
}

// done records the end of a function's optimisation. After a failure only functions at earlier positions are
// still optimised, so that the reported failure is always the first.
func (q *queue) done(f failure) {
	q.mu.Lock()
	defer q.mu.Unlock()
	defer q.more.Broadcast()
	q.running--
	if (f.err != nil || f.panic != nil) && f.place < q.first.place {
		q.first = f
	}
	for _, c := range q.callers[f.place] {
		if q.waiting[c]--; q.waiting[c] > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(q.ready, c, func(x, c int) int { return c - x })
		q.ready = slices.Insert(q.ready, at, c)
	}
}

// A Panic is the value with which Run panics after a panic in a pass.
type Panic struct {
	Where string // the pass and the function
	Cause any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("%s: %v", p.Where, p.Cause) }

// blame converts a panic into a Panic.
func (s *state) blame() {
	if r := recover(); r != nil {
		where := "before the passes on " + s.f.Name
		if s.pass != "" {
			where = "pass " + s.pass + " on " + s.f.Name
		}
		panic(&Panic{where, r, debug.Stack()})
	}
}

package spmd

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// A Config controls the passes. The zero value runs the whole pipeline.
type Config struct {
	Disable map[string]bool                // passes to skip, by name
	Dump    func(pass string, f *ssa.Func) // called after each pass that changed something
	Verify  bool                           // verify after each pass
}

// A Pass is a row of the table of passes. A pass that cannot transform the function leaves it unchanged.
type Pass struct {
	Name     string
	Doc      string
	Requires []string                   // passes that must come earlier in the pipeline
	Breaks   []string                   // passes that must run again later
	Always   bool                       // the plan needs it, so that it cannot be disabled
	Versions bool                       // runs only with Options.Versions
	run      func(*state) (bool, error) // reports whether it changed the function
}

// Passes is the table of passes.
var Passes = []*Pass{
	{Name: "fills", Doc: "divides the iterations of loops in which each work-item fills all of a local array among the work-items of a work-group of known size", Breaks: []string{"canonical"}, run: divideFills},
	{Name: "collapse", Doc: "computes ids from linear ids in work-groups of known size, which get one dimension", Breaks: []string{"canonical"}, Always: true, run: collapseGroups},
	{Name: "expand", Doc: "replaces linear ids, queries for computed dimensions, elements by number and undefined values by simpler operations", Breaks: []string{"canonical"}, Always: true, run: expanded},
	{Name: "flat", Doc: "computes group ids and local ids from global ids, so that gangs may ignore work-groups", Requires: []string{"expand"}, Breaks: []string{"canonical"}, Always: true, run: flatten},
	{Name: "lane-dim", Doc: "exchanges two dimensions, so that lanes are consecutive in another dimension than the first", Requires: []string{"expand"}, Breaks: []string{"canonical"}, Always: true, run: setLaneDim},
	{Name: "canonical", Doc: "makes control flow canonical: one return, no critical edges, loops with one latch and one entering edge, loop-closed form", Always: true, run: canonical},
	{Name: "bound", Doc: "rejects functions whose divergent branches would take too long to analyse", Requires: []string{"canonical"}, run: bound},
	{Name: "group-tests", Doc: "replaces tests and quotients of ids around barriers by ones that are uniform for the work-group", Requires: []string{"canonical"}, run: groupTests},
	{Name: "evaluate", Doc: "makes a kernel with barriers a function of one work-group of known size by symbolic execution, with local arrays in registers", Requires: []string{"canonical"}, Breaks: []string{"canonical"}, run: evaluate},
	{Name: "unfold", Doc: "makes a kernel with barriers a function of one work-group of known size, without loops over gangs", Requires: []string{"canonical"}, Breaks: []string{"canonical"}, run: unfoldGroup},
	{Name: "gangs", Doc: "makes a kernel with barriers a function of the work-group, in which gangs follow each other from barrier to barrier", Requires: []string{"canonical"}, Breaks: []string{"canonical"}, run: gangsOfGroup},
	{Name: "inductions", Doc: "splits counters that begin at an id into the id and a uniform counter", Requires: []string{"canonical"}, run: inductions},
	{Name: "trips", Doc: "gives loops whose begin and end differ by a uniform value a uniform number of iterations", Requires: []string{"canonical", "inductions"}, Breaks: []string{"canonical"}, run: trips},
	{Name: "promote", Doc: "keeps an element that a work-item reads and writes in a loop in a register, in gangs of several rows", Requires: []string{"canonical"}, Breaks: []string{"canonical"}, run: promote},
	{Name: "coarsen", Doc: "makes gangs do the work-items of several rows together if these share enough", Requires: []string{"canonical", "inductions"}, Breaks: []string{"canonical"}, run: coarsen},
	{Name: "offsets", Doc: "shares sums between the offsets of accesses to local memory that differ by constants", Requires: []string{"canonical", "inductions"}, run: shareOffsets},
	{Name: "quotients", Doc: "versions the code after a division for gangs whose lanes have one quotient", Requires: []string{"canonical", "inductions"}, Breaks: []string{"canonical"}, Versions: true, run: divideOnce},
	{Name: "peel", Doc: "peels the iterations of loops that all lanes execute together", Requires: []string{"canonical", "inductions"}, Breaks: []string{"canonical"}, Versions: true, run: peelLoops},
	{Name: "guard", Doc: "versions the code after a test of ids for gangs whose lanes agree", Requires: []string{"canonical", "inductions"}, Breaks: []string{"canonical"}, Versions: true, run: guardTests},
	{Name: "index-sets", Doc: "splits loops with clamped indices, so that iterations in which none is clamped have a version", Requires: []string{"canonical", "inductions"}, Breaks: []string{"canonical"}, Versions: true, run: splitIndexSets},
	{Name: "unclamp", Doc: "versions accesses for gangs in which no index is clamped", Requires: []string{"canonical", "inductions"}, Breaks: []string{"canonical"}, Versions: true, run: unclampIndices},
	{Name: "quotients-apart", Doc: "versions the code after a division for gangs whose lanes have one quotient, where data have parted the lanes", Requires: []string{"canonical", "guard"}, Breaks: []string{"canonical"}, Versions: true, run: divideApart},
	{Name: "nests", Doc: "blocks nests of loops for registers: several columns at once, memory kept in registers", Requires: []string{"canonical", "peel"}, Breaks: []string{"canonical"}, Versions: true, run: blockNests},
	{Name: "rows", Doc: "versions loops in which each lane accesses successive elements of a row, to access several elements of each row at once", Requires: []string{"canonical", "peel"}, Breaks: []string{"canonical"}, Versions: true, run: versionRows},
	{Name: "hoist", Doc: "versions loops of scalar code to load from unchanged addresses before them", Requires: []string{"canonical"}, Breaks: []string{"canonical"}, Versions: true, run: hoistLoads},
	{Name: "inside", Doc: "versions loops for the case that all their accesses are in bounds", Requires: []string{"canonical", "peel"}, Breaks: []string{"canonical"}, Versions: true, run: checkLoops},
	{Name: "merge-checks", Doc: "versions blocks to check neighbouring accesses together", Requires: []string{"canonical", "inside"}, Breaks: []string{"canonical"}, Versions: true, run: mergeChecks},
	{Name: "invariants", Doc: "moves uniform integers that loops around loops do not change before them", Requires: []string{"canonical"}, Versions: true, run: hoistInvariants},
	{Name: "sink", Doc: "moves integers that only rare gangs need to the blocks for these", Requires: []string{"canonical"}, run: sinkToRare},
	{Name: "estimates", Doc: "computes quotients and square roots that may have a rounding error by estimates", Requires: []string{"canonical"}, run: estimates},
	{Name: "schedule", Doc: "computes masks, the blocks at which lanes wait, and the order of execution", Requires: []string{"canonical"}, Always: true, run: schedule},
}

// A Stage is a step of the pipeline: passes that run one after the other on one analysis, repeated while they
// change something, up to a limit.
type Stage struct {
	Passes []string
	Rounds int
}

// Pipeline is the order of the passes.
var Pipeline = []Stage{
	{[]string{"fills"}, 1}, {[]string{"collapse"}, 1}, {[]string{"expand"}, 1}, {[]string{"flat"}, 1}, {[]string{"lane-dim"}, 1}, {[]string{"canonical"}, 1}, {[]string{"bound"}, 1}, {[]string{"group-tests"}, 1},
	{[]string{"evaluate"}, 1}, {[]string{"unfold"}, 1}, {[]string{"gangs"}, 1}, {[]string{"canonical"}, 1},
	{[]string{"inductions"}, 1}, {[]string{"trips"}, 1}, {[]string{"promote"}, mostPromoted}, {[]string{"coarsen"}, 1}, {[]string{"canonical"}, 1}, {[]string{"offsets"}, 1},
	{[]string{"quotients", "peel", "guard", "index-sets", "unclamp", "quotients-apart"}, 4}, {[]string{"nests"}, 1}, {[]string{"rows"}, 1}, {[]string{"hoist"}, 1}, {[]string{"inside"}, 1}, {[]string{"merge-checks"}, 1}, {[]string{"canonical"}, 1},
	{[]string{"invariants"}, 1}, {[]string{"sink"}, 1}, {[]string{"estimates"}, 1}, {[]string{"schedule"}, 1},
}

// Find returns the pass of that name or nil.
func Find(name string) *Pass {
	for _, p := range Passes {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// A state is a kernel in the pipeline.
type state struct {
	src *ssa.Func
	o   Options
	f   *ssa.Func

	canonical  bool // no pass has broken the canonical form
	slots      map[*ssa.Alloca]bool
	unfolded   *unfolder
	groupTests bool // a test or quotient has become uniform for the work-group
	shared     bool // offsets share sums
	aligned    bool // see Plan.Aligned
	versions   *versions

	plan *Plan // of f, nil if it is stale
	u    *uniform.Analysis
}

// Prepare makes the plan of a kernel and leaves the kernel unchanged. An error is the reason why gangs cannot
// run it.
func Prepare(src *ssa.Func, o Options) (*Plan, error) {
	s := &state{src: src, o: o, f: clone(src)}
	s.versions = &versions{done: map[*ssa.Block]bool{}, cold: map[*ssa.Block]bool{}, wide: map[*ssa.Block]bool{}, blocked: map[*ssa.Block]bool{}, record: o.Rows, rows: 1, budget: maxCopied, nearBudget: maxNear}
	for _, stage := range Pipeline {
		if err := s.stage(stage); err != nil {
			return nil, err
		}
	}
	return s.plan, nil
}

// Evaluate makes the plan of a kernel for work-groups of known size, with local arrays in registers. It returns nil if
// none can be. The machine must be able to permute lanes.
func Evaluate(src *ssa.Func, o Options) *Plan {
	o.Evaluate = true
	if p, err := Prepare(src, o); err == nil {
		return p
	}
	return nil
}

// stage runs a stage.
func (s *state) stage(x Stage) error {
	for range x.Rounds {
		changed := false
		for _, name := range x.Passes {
			c, err := s.pass(Find(name))
			if err != nil {
				return err
			}
			changed = changed || c
		}
		if !changed {
			return nil
		}
		if x.Rounds > 1 || Find(x.Passes[0]).Versions {
			if err := s.canonicalise(); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass runs a pass unless it is disabled.
func (s *state) pass(p *Pass) (changed bool, err error) {
	cfg := &s.o.Config
	if cfg.Disable[p.Name] && !p.Always || p.Versions && !s.o.Versions {
		return false, nil
	}
	changed, err = p.run(s)
	if err != nil {
		return false, err
	}
	if changed && cfg.Dump != nil {
		cfg.Dump(p.Name, s.f)
	}
	if cfg.Verify {
		if err := ssa.VerifyPlan(s.f); err != nil {
			return false, fmt.Errorf("after pass %s on @%s: %w", p.Name, s.f.Name, err)
		}
	}
	return changed, nil
}

// analysed returns the plan and the uniformity of the current function.
func (s *state) analysed() (*Plan, *uniform.Analysis) {
	if s.plan == nil {
		s.plan, s.u = analyse(s.f, s.o)
		if x := s.unfolded; x != nil {
			s.plan.copies = copies{origin: x.origin, gang: x.gang, unfolding: s.o.Unfold, row: s.o.usedRow(), Unfolded: true, Forms: Unfolded, Extents: x.extents, Once: x.extents != nil && x.extents.once}
		}
	}
	return s.plan, s.u
}

// canonicalise transforms the function into canonical form and analyses it again. It keeps the record of
// copies.
func (s *state) canonicalise() error {
	if err := canonicalForm(s.f); err != nil {
		return err
	}
	s.canonical = true
	if old := s.plan; old != nil {
		s.plan, s.u = analyse(s.f, s.o)
		s.plan.copies = old.copies
	}
	return nil
}

// attempt runs a transformation that may fail halfway; it then restores the function.
func (s *state) attempt(transform func(f *ssa.Func) bool) (bool, error) {
	if transform(s.f) {
		s.canonical = false
		return true, nil
	}
	s.f = clone(s.src)
	for _, pass := range []func(*state) (bool, error){divideFills, collapseGroups, expanded, flatten, setLaneDim, canonical, groupTests} {
		if _, err := pass(s); err != nil {
			return false, err
		}
	}
	return false, nil
}

func expanded(s *state) (bool, error) {
	s.canonical = false
	return expand(s.f), nil
}

func flatten(s *state) (bool, error) {
	if !s.o.Flat {
		return false, nil
	}
	s.canonical = false
	if _, ok := flattenIDs(s.f, s.o.Local); !ok {
		return false, fmt.Errorf("kernel %s depends on work-groups", s.f.Name)
	}
	return true, nil
}

func setLaneDim(s *state) (bool, error) {
	if s.o.LaneDim == 0 {
		return false, nil
	}
	s.canonical = false
	return exchangeDims(s.f, s.o.LaneDim), nil
}

func canonical(s *state) (bool, error) {
	if s.canonical {
		return false, nil
	}
	return true, s.canonicalise()
}

// A divergent branch costs time proportional to the blocks between it and its join. The sum is bounded; it
// cannot be large in a function with few blocks.
const (
	maxVisits  = 1 << 24
	manyBlocks = 1 << 12
)

var errParts = errors.New("too many divergent paths")

func bound(s *state) (bool, error) {
	if s.f.NumBlocks() > manyBlocks {
		if _, u := analyseUpTo(s.f, s.o, maxVisits); u.Visits > maxVisits {
			return false, errParts
		}
	}
	return false, nil
}

// barriers reports whether the kernel has barriers and a function of the work-group is requested.
func (s *state) barriers() bool { return s.o.Gangs && slices.ContainsFunc(s.f.Blocks, hasBarrier) }

var errMemory = errors.New("no local array can live in registers")

// evaluate fails where local arrays stay in memory: the code without it is simpler.
func evaluate(s *state) (bool, error) {
	if !s.o.Evaluate {
		return false, nil
	}
	if s.barriers() {
		s.unfolded = evaluateGroup(s.f, s.o.Unfold)
	}
	if s.canonical = false; s.unfolded == nil {
		return false, errMemory
	}
	return true, nil
}

func unfoldGroup(s *state) (bool, error) {
	if s.unfolded != nil || s.o.Unfold.gangs() == 0 || !s.barriers() || s.o.Unfold.tooLong(s.f) {
		return false, nil
	}
	return s.attempt(func(f *ssa.Func) bool {
		s.unfolded = unfold(f, s.o.Unfold)
		return s.unfolded != nil
	})
}

func gangsOfGroup(s *state) (bool, error) {
	if s.unfolded != nil || !s.barriers() {
		return false, nil
	}
	return s.attempt(func(f *ssa.Func) bool {
		slots := map[*ssa.Alloca]bool{}
		if !formGangs(f, slots) {
			return false
		}
		s.slots = slots
		return true
	})
}

func inductions(s *state) (bool, error) {
	p, _ := s.analysed()
	if !splitInductions(p) {
		return false, nil
	}
	s.plan = nil
	return true, nil
}

func trips(s *state) (bool, error) {
	p, _ := s.analysed()
	if !countTrips(p) {
		return false, nil
	}
	s.canonical = false
	return true, s.canonicalise()
}

// mostPromoted is the largest number of objects with an element in a register.
const mostPromoted = 4

func promote(s *state) (bool, error) {
	if s.o.Coarsen.Registers == 0 || s.barriers() {
		return false, nil
	}
	if p, u := s.analysed(); !promoteCell(p, u) {
		return false, nil
	}
	s.canonical = false
	return true, s.canonicalise()
}

// coarsen fails where there is no gain: the code without it is there already.
func coarsen(s *state) (bool, error) {
	if s.o.Coarsen.Registers == 0 {
		return false, nil
	}
	p, _ := s.analysed()
	n := coarsenRows(p, &s.o.Coarsen)
	if n == 0 {
		return false, errCoarse
	}
	s.canonical, s.plan = false, nil
	s.versions.rows, s.versions.budget = n, maxCopied*n
	return true, nil
}

// change runs a transformation that makes versions.
func (s *state) change(transform func(g *versions) bool) (bool, error) {
	g := s.versions
	g.Plan, g.u = s.analysed()
	g.survey()
	return transform(g), nil
}

// divideOnce ends the analysis of the round after a change: conditions and addresses outside of the copies may
// then use values of new blocks.
func divideOnce(s *state) (bool, error) { return s.divide((*versions).quotientsAll) }

// divideApart is divideOnce where lanes have parted.
func divideApart(s *state) (bool, error) { return s.divide(quotientsApart) }

func (s *state) divide(all func(g *versions) bool) (bool, error) {
	changed, err := s.change(all)
	if err == nil && changed {
		err = s.canonicalise()
	}
	return changed, err
}

func peelLoops(s *state) (bool, error)  { return s.change((*versions).peelAll) }
func guardTests(s *state) (bool, error) { return s.change((*versions).guardAll) }

func hoistInvariants(s *state) (bool, error) {
	return s.move(hoistNumbers)
}

func sinkToRare(s *state) (bool, error) {
	if !s.o.Versions {
		return false, nil
	}
	return s.move(sink)
}

// move runs a transformation that moves values between blocks.
func (s *state) move(transform func(g *versions) bool) (bool, error) {
	changed, err := s.change(transform)
	if changed {
		s.plan.Facts = nil
	}
	return changed, err
}

func splitIndexSets(s *state) (bool, error) { return s.change(splitIndices) }
func unclampIndices(s *state) (bool, error) { return s.change((*versions).unclampAll) }

// blockNests runs with the pass rows: objects may be large in the other code.
func blockNests(s *state) (bool, error) {
	if s.o.Rows == 0 {
		return false, nil
	}
	return s.change(func(g *versions) bool { return g.nestAll(s.o.Rows / 2) })
}

func versionRows(s *state) (bool, error) {
	if s.o.Rows == 0 {
		return false, nil
	}
	return s.change(func(g *versions) bool { return g.versionRows(s.o.Rows) })
}

func hoistLoads(s *state) (bool, error) {
	if !s.o.Scalar {
		return false, nil
	}
	return s.change((*versions).hoistLoads)
}

func checkLoops(s *state) (bool, error)  { return s.change((*versions).checkOnce) }
func mergeChecks(s *state) (bool, error) { return s.change((*versions).mergeChecks) }

func schedule(s *state) (bool, error) {
	p, u := s.analysed()
	p.cold = s.versions.cold
	p.findRare()
	if p.Rows = s.versions.rows; p.Rows > 1 {
		p.Forms |= Coarse
	}
	p.Gangs, p.Kept = s.slots != nil || s.unfolded != nil, s.slots
	p.schedule(u)
	if s.groupTests {
		p.Forms |= GroupTests
	}
	if s.shared {
		p.Forms |= Offsets
	}
	p.Aligned = s.aligned
	if s.o.Collapse {
		p.Forms |= Collapsed
	}
	if s.o.Scalar {
		p.Forms |= Single
	}
	if s.unfolded != nil {
		p.Forms |= s.unfolded.forms
	}
	if p.Extents != nil {
		p.Forms |= Prechecked
	}
	if p.Once {
		p.Forms |= Once
	}
	if p.Facts != nil {
		p.Facts = p.Facts.Updated(p.input())
	}
	p.facts()
	p.dropTests()
	for _, b := range p.Order {
		for _, v := range b.Values {
			if v.Op == ssa.OpBarrier && p.Divergent[b.ID] && p.awaited(b) {
				return false, ErrBarrier
			}
		}
	}
	return false, nil
}

package debug

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/interp"
)

// A goal is called before each chosen step. A non-nil Stop ends the run there.
type goal func() *Stop

// Continue runs until something stops the launch.
func (s *Session) Continue() *Stop {
	s.prefer(-1)
	return s.run(nil)
}

// run steps until the goal, a breakpoint, a finding, a pause or the end.
func (s *Session) run(reached goal) *Stop {
	s.pause.Store(false)
	s.addRaces()
	if s.finished && !s.prepare() {
		return s.stop(&Stop{Reason: AtEnd, Text: "the launch has ended", Item: s.Item})
	}
	defer s.step.Enter()()
	for {
		if !s.prepare() {
			return s.stop(&Stop{Reason: AtEnd, Text: "the launch has ended", Item: s.Item})
		}
		if stop := s.look(reached); stop != nil {
			return s.stop(stop)
		}
		before := s.watchBefore()
		chosen, _ := s.step.Chosen()
		s.advance()
		if stop := s.lookBack(before); stop != nil {
			place := s.frame(&chosen)
			stop.Place = &place
			return s.stop(stop)
		}
	}
}

// look returns the reason to stop before the chosen step, or nil.
func (s *Session) look(reached goal) *Stop {
	if s.pause.Swap(false) {
		return &Stop{Reason: Paused, Text: "paused", Item: s.Item}
	}
	if s.reported != s.tick {
		if stop := s.hit(); stop != nil {
			s.reported = s.tick
			return stop
		}
	}
	for _, m := range s.marks {
		if m.tick == s.tick && s.reported != s.tick {
			s.reported = s.tick
			return &Stop{Reason: Explaining, Text: m.text, Item: m.item}
		}
	}
	if len(s.raceStops) > 0 && s.reported != s.tick {
		if stop := s.hitRace(); stop != nil {
			s.reported = s.tick
			return stop
		}
	}
	if reached != nil {
		return reached()
	}
	return nil
}

// lookBack returns the reason to stop after a step, or nil. before is the result of watchBefore.
func (s *Session) lookBack(before []watchHit) *Stop {
	if stop := s.watched(before); stop != nil {
		return stop
	}
	found := s.step.Found()
	for i, f := range found {
		if _, wanted := f.Severity(s.src); !wanted || s.ignore[f.Kind.String()] || s.ignore["all"] {
			continue
		}
		stop := &Stop{Reason: AtFinding, Text: f.Message(), Finding: f, Item: s.step.Lane(f.Local)}
		if more := len(found) - i - 1; more > 0 {
			stop.Text += fmt.Sprintf(" (and %d more)", more)
		}
		return stop
	}
	return nil
}

// A Kind is the extent of a step.
type Kind uint8

// The kinds of steps.
const (
	Into Kind = iota // to the next line, also in called functions
	Over             // to the next line of the same function or of a caller
	Out              // to the return from the function
)

// Step runs the selected work-item to another line, alone or, if together is set, with its work-group.
func (s *Session) Step(kind Kind, together bool) *Stop {
	if s.finished && !s.prepare() {
		return s.stop(&Stop{Reason: AtEnd, Text: "the launch has ended", Item: s.Item})
	}
	from, status := s.at()
	group, _ := s.step.Group()
	if status >= interp.LaneEnded {
		return s.stop(&Stop{Reason: ItemEnded, Text: s.describe(s.Item) + " has ended: \"continue\" lets the others go on, \"item\" selects another", Item: s.Item})
	}
	item := s.Item
	if s.prefer(-1); !together {
		s.prefer(item)
	}
	return s.run(func() *Stop { return s.stepped(kind, from, item, group) })
}

// stepped is the goal of a step of a work-item; from is its line and group its work-group at the start.
func (s *Session) stepped(kind Kind, from line, item int, group int64) *Stop {
	if now, _ := s.step.Group(); now != group {
		return &Stop{Reason: ItemEnded, Text: "the work-group has ended, the next one begins", Item: 0}
	}
	mine := false
	s.step.Each(func(lane int) { mine = mine || lane == item })
	if !mine {
		if status, _ := s.step.Status(item); status >= interp.LaneEnded {
			return &Stop{Reason: ItemEnded, Text: s.describe(item) + " has ended", Item: item}
		}
		return nil
	}
	f, depth := s.step.Chosen()
	depth++
	if f.Func.Debug == nil {
		return nil
	}
	stop := &Stop{Reason: Stepped, Item: item}
	if kind == Out {
		if depth < from.depth {
			return stop
		}
		return nil
	}
	if kind == Over && depth > from.depth {
		return nil
	}
	n, lanes := s.arriving()
	if n < 0 || !slices.Contains(lanes, item) {
		return nil
	}
	t := &s.statements[n]
	if depth != from.depth || t.File != from.file || t.From.Line != from.line {
		stop.Items = slices.Clone(lanes)
		return stop
	}
	return nil
}

// To runs until the work-item with a global id begins the kernel.
func (s *Session) To(global [3]uint64) (*Stop, error) {
	r := s.Range()
	var group, local [3]uint64
	for d := range global {
		if global[d] < r.Offset[d] || global[d] >= r.Offset[d]+r.Global[d] {
			return nil, fmt.Errorf("no work-item %s: global ids are %s to %s", ids(global, r.Dims), ids(r.Offset, r.Dims), ids([3]uint64{r.Offset[0] + r.Global[0] - 1, r.Offset[1] + r.Global[1] - 1, r.Offset[2] + r.Global[2] - 1}, r.Dims))
		}
		group[d], local[d] = (global[d]-r.Offset[d])/r.Local[d], (global[d]-r.Offset[d])%r.Local[d]
	}
	return s.toGroup(group, func() int { return s.step.Lane(local) })
}

// ToGroup runs until a work-group begins.
func (s *Session) ToGroup(group [3]uint64) (*Stop, error) {
	r := s.Range()
	n := r.Groups()
	if group[0] >= n[0] || group[1] >= n[1] || group[2] >= n[2] {
		return nil, fmt.Errorf("no work-group %s: there are %s", ids(group, s.Range().Dims), ids(n, s.Range().Dims))
	}
	return s.toGroup(group, func() int { return 0 })
}

// toGroup runs to a work-group; lane returns the work-item to select there.
func (s *Session) toGroup(group [3]uint64, lane func() int) (*Stop, error) {
	r := s.Range()
	n := r.Groups()
	want := int64(group[0] + n[0]*(group[1]+n[1]*group[2]))
	at, running := s.step.Group()
	if running && at == want {
		s.Item, s.Frame = lane(), 0
		return s.Last, nil
	}
	if at > want || !running && s.finished {
		if s.history.off {
			return nil, s.noHistory()
		}
		s.restart()
	}
	s.prefer(-1)
	return s.run(func() *Stop {
		if n, _ := s.arriving(); n < 0 {
			return nil
		}
		if now, _ := s.step.Group(); now != want {
			return nil
		}
		return &Stop{Reason: Stepped, Text: "the work-group begins", Item: lane()}
	}), nil
}

// restart returns to the start of the launch, where breakpoints have not been reported.
func (s *Session) restart() {
	s.rewind()
	s.reported = -1
}

// Restart returns to the start of the launch, before its first step.
func (s *Session) Restart() (*Stop, error) {
	if s.history.off {
		return nil, s.noHistory()
	}
	s.restart()
	return s.stop(&Stop{Reason: AtStart, Text: "the start of the launch", Item: 0}), nil
}

// back returns to the last earlier step for which reached returns a Stop, or to the start. It replays the launch
// one snapshot interval at a time, from the latest to the first, and calls reached before each step.
func (s *Session) back(reached func() *Stop) (*Stop, error) {
	if s.history.off {
		return nil, s.noHistory()
	}
	s.pause.Store(false)
	now := s.tick
	for end := now; ; {
		i := s.history.before(end - 1)
		s.tick = s.history.restore(max(i, 0))
		s.chosen = false
		begin := s.tick
		var found *Stop
		at := int64(-1)
		leave := s.step.Enter()
		for s.tick < end && s.prepare() {
			if stop := reached(); stop != nil {
				found, at = stop, s.tick
			}
			s.advance()
			s.step.Found()
			if s.pause.Load() {
				break
			}
		}
		leave()
		switch {
		case s.pause.Swap(false):
			s.goTo(now)
			return s.stop(&Stop{Reason: Paused, Text: "paused", Item: s.Item}), nil
		case found != nil:
			s.goTo(at)
			s.reported = s.tick
			return s.stop(found), nil
		case begin == 0:
			s.goTo(0)
			s.begin()
			return s.stop(&Stop{Reason: AtStart, Text: "the start of the launch", Item: s.Item}), nil
		}
		end = begin
	}
}

// StepBack returns to the last step at which the selected work-item was at another line of its function or of a
// caller.
func (s *Session) StepBack() (*Stop, error) {
	from, _ := s.at()
	item := s.Item
	group, running := s.step.Group()
	return s.back(func() *Stop {
		if now, _ := s.step.Group(); running && now != group {
			return nil
		}
		_, depth := s.step.Chosen()
		if depth++; depth > from.depth && from.depth > 0 {
			return nil
		}
		n, lanes := s.arriving()
		if n < 0 || !slices.Contains(lanes, item) {
			return nil
		}
		return &Stop{Reason: Stepped, Item: item}
	})
}

// ReverseContinue returns to the last breakpoint, or to the start.
func (s *Session) ReverseContinue() (*Stop, error) {
	hits := make([]int, len(s.breakpoints))
	for i, b := range s.breakpoints {
		hits[i] = b.Hits
	}
	here := int64(-1) // the step of the present stop
	if s.Last != nil && s.Last.Place != nil && s.Last.Tick == s.tick {
		here = s.tick - 1
	}
	stop, err := s.back(func() *Stop {
		if stop := s.hit(); stop != nil {
			return stop
		}
		if s.tick == here {
			return nil
		}
		if before := s.watchBefore(); len(before) > 0 {
			return s.watched(before)
		}
		return nil
	})
	for i, b := range s.breakpoints {
		b.Hits = hits[i]
	}
	return stop, err
}

// WhoWrote returns to the last write of bytes of an object.
func (s *Session) WhoWrote(object uint32, off, size uint64, item int) (*Stop, error) {
	private := s.step.Object(object).Space == ssa.PtrPrivate
	return s.back(func() *Stop {
		var stop *Stop
		s.step.Accesses(func(a interp.Access) {
			if stop == nil && a.Write && a.Object == object && a.Offset < off+size && off < a.Offset+a.Size && (!private || a.Lane == item) {
				stop = &Stop{Reason: AtAccess, Text: s.describe(a.Lane) + " writes it here", Item: a.Lane}
			}
		})
		return stop
	})
}

// Finish runs the launch to its end, without stops.
func (s *Session) Finish() {
	for len(s.breakpoints) > 0 {
		s.Delete(s.breakpoints[0].ID)
	}
	s.marks, s.raceStops, s.races.added = nil, nil, true
	s.IgnoreFindings([]string{"all"})
	for !s.finished {
		s.Continue()
	}
}

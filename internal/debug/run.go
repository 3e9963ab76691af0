package debug

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// A goal ends a run before a step that has been chosen, where it returns a Stop.
type goal func() *Stop

// Continue runs until something stops the launch.
func (s *Session) Continue() *Stop {
	s.prefer(-1)
	return s.run(nil)
}

// run makes steps until the goal, a breakpoint, a finding, a pause or the end.
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

// look returns why the launch stops before the step that has been chosen, or nil.
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

// lookBack returns why the launch stops after a step, or nil. before is what watchBefore returned.
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

// stop ends a run: it selects the work-item.
func (s *Session) stop(stop *Stop) *Stop {
	if stop.Item >= 0 && stop.Item < s.step.Lanes() {
		s.Item = stop.Item
	}
	s.Item = max(0, min(s.Item, s.step.Lanes()-1))
	s.Frame = 0
	s.Last, stop.Tick = stop, s.tick
	return stop
}

// IgnoreFindings says which findings do not stop the launch: codes, or "all".
func (s *Session) IgnoreFindings(codes []string) {
	s.ignore = map[string]bool{}
	for _, c := range codes {
		s.ignore[c] = true
	}
}

// line is what a step leaves: a line of a function's activation.
type line struct {
	file        string
	line, depth int
}

// at returns the selected work-item's line and whether it can go on.
func (s *Session) at() (l line, status interp.LaneStatus) {
	status, frames := s.step.Status(s.Item)
	l.depth = len(frames)
	if len(frames) > 0 {
		loc := s.src.Location(frames[0].Pos)
		l.file, l.line = loc.File, loc.Line
		if n := frames[0].Statement; n >= 0 {
			l.line = s.statements[n].From.Line
		}
	}
	return l, status
}

// A Kind says how far a step goes.
type Kind uint8

// The kinds of steps.
const (
	Into Kind = iota // to the next line, in functions that are called too
	Over             // to the next line of the same function, or of one that called it
	Out              // to the end of the function
)

// Step lets the selected work-item go on to another line: alone, or with its work-group where together
// is true.
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

// stepped is the goal of a step of a work-item, which began at a line of a work-group.
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
	n, lanes := s.step.Arriving(s.lanes[:0])
	s.lanes = lanes
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

// To runs until a work-item, given by its global id, begins the kernel.
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

// toGroup runs to a work-group; lane gives the work-item to select there.
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
		if n, _ := s.step.Arriving(nil); n < 0 {
			return nil
		}
		if now, _ := s.step.Group(); now != want {
			return nil
		}
		return &Stop{Reason: Stepped, Text: "the work-group begins", Item: lane()}
	}), nil
}

// restart goes back to the start of the launch.
func (s *Session) restart() {
	s.tick = s.history.restore(0)
	s.chosen, s.finished, s.reported = false, false, -1
	s.begin()
}

// begin goes from the launch's first step to its first statement.
func (s *Session) begin() {
	defer s.step.Enter()()
	for s.prepare() {
		if n, _ := s.step.Arriving(nil); n >= 0 {
			return
		}
		s.advance()
	}
}

// Restart goes back to the start of the launch, before its first step.
func (s *Session) Restart() (*Stop, error) {
	if s.history.off {
		return nil, s.noHistory()
	}
	s.restart()
	return s.stop(&Stop{Reason: AtStart, Text: "the start of the launch", Item: 0}), nil
}

// noHistory says why nothing leads back.
func (s *Session) noHistory() error {
	if s.cfg.History < 0 {
		return errors.New("going back is switched off (--history)")
	}
	return fmt.Errorf("going back takes a copy of the %d bytes that the kernel may write, more than the %d that --history allows", s.history.bytes, s.history.limit)
}

// to replays the launch up to a step at or after the snapshot that it is at.
func (s *Session) to(tick int64) {
	defer s.step.Enter()()
	for s.tick < tick && s.prepare() {
		s.advance()
	}
	s.step.Found() // they are known
	s.prepare()
}

// back goes back to the last step before the present for which reached returns a Stop; to the start
// where there is none. Reached is asked before each step, and after it with before false.
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

// goTo goes to a step, by replay.
func (s *Session) goTo(tick int64) {
	if tick < s.tick || s.finished {
		s.tick = s.history.restore(s.history.before(tick))
		s.chosen, s.finished = false, false
	}
	s.to(tick)
}

// StepBack goes back to where the selected work-item was at another line, of its function or of one
// that called it.
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
		n, lanes := s.step.Arriving(s.lanes[:0])
		if s.lanes = lanes; n < 0 || !slices.Contains(lanes, item) {
			return nil
		}
		return &Stop{Reason: Stepped, Item: item}
	})
}

// ReverseContinue goes back to the last breakpoint, or to the start.
func (s *Session) ReverseContinue() (*Stop, error) {
	hits := make([]int, len(s.breakpoints))
	for i, b := range s.breakpoints {
		hits[i] = b.Hits
	}
	here := int64(-1) // the step that led here
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

// WhoWrote goes back to the last write of bytes of an object, before the present.
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

// Findings returns what the launch has done wrong so far, and the races that are known of it.
func (s *Session) Findings() []*exec.Finding { return append(s.step.Findings(), s.races.known()...) }

// Finish runs the launch to its end, past all that stops it.
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

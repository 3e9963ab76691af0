package debug

import (
	"fmt"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/exec"
)

// A mark is a step at which an explanation stops.
type mark struct {
	tick int64
	item int
	text string
}

// Explain shows a finding as two stops. It runs to the first one; Continue leads to the second. For a race they are
// its two accesses. For an uninitialised value the first stop is the start of the variable's scope, or the load of
// the value; the second is its use.
func (s *Session) Explain(f *exec.Finding) (*Stop, error) {
	if s.history.off {
		return nil, s.noHistory()
	}
	if f.Kind == exec.RaceInGroup || f.Kind == exec.RaceBetweenGroups {
		s.raceStops = nil
		s.addRace(f)
		s.restart()
		s.prefer(-1)
		return s.run(nil), nil
	}
	s.restart()
	s.prefer(-1)
	first, last := s.search(f)
	if last.tick < 0 {
		return nil, fmt.Errorf("the finding does not occur again: the work-items ran in another order before")
	}
	s.marks = []mark{last}
	if first.tick >= 0 {
		s.marks = append(s.marks, first)
	}
	s.restart()
	return s.run(nil), nil
}

// search runs until a finding occurs. It returns the step that causes it, and the last step before at which the
// work-item was at the origin of the finding's value.
func (s *Session) search(f *exec.Finding) (first, last mark) {
	first.tick, last.tick = -1, -1
	origin, text := diag.Pos(0), ""
	for _, p := range f.Places {
		origin, text = p.Pos, p.Text
	}
	if f.Kind == exec.Uninitialized && f.Note != "" {
		if v, file := s.declared(f); v != nil {
			first.text = fmt.Sprintf("variable '%s', declared at %s:%d, has no value yet", v.Name, file, v.Scope.From.Line)
			was := false
			return s.searchFor(f, first, last, func(n int) bool {
				if n < 0 {
					return false
				}
				is := v.Scope.Contains(s.statements[n].From) && s.statements[n].File == file
				begins := is && !was
				was = is
				return begins
			})
		}
	}
	first.text = text
	return s.searchFor(f, first, last, func(int) bool {
		at, _ := s.step.Chosen()
		return origin.IsValid() && at.Pos == origin
	})
}

func (s *Session) searchFor(f *exec.Finding, first, last mark, origin func(statement int) bool) (mark, mark) {
	defer s.step.Enter()()
	s.pause.Store(false)
	for s.prepare() && !s.pause.Load() {
		tick := s.tick
		n, _ := s.arriving()
		s.step.Each(func(lane int) {
			if g, _, _ := s.step.Item(lane); g == f.Global && origin(n) {
				first.tick, first.item = tick, lane
			}
		})
		s.advance()
		for _, g := range s.step.Found() {
			if g.Kind == f.Kind && g.Pos == f.Pos && g.Global == f.Global {
				last = mark{tick: tick, item: s.step.Lane(g.Local), text: f.Message()}
				return first, last
			}
		}
	}
	return first, last
}

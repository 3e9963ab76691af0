package debug

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// A timeline is the launch as a sequence of steps: it makes the next step, and returns to earlier ones by replaying from a
// snapshot. It must not know why a run stops.
type timeline struct {
	sourceMap
	kernel   *launch.Kernel
	step     *interp.Stepper
	output   io.Writer // for printf; nil: discard
	tick     int64     // number of steps made
	chosen   bool      // the next step has been chosen
	finished bool
	prefers  []preference
	history  *history
	printed  int64       // steps before this one have printed already; a replay does not print again
	pause    atomic.Bool // a run ends as soon as possible
	lanes    []int       // the result of arriving
}

// A preference is the work-item of a work-group that runs first from a step on, -1 for all together.
type preference struct {
	tick, group int64
	lane        int
}

// Kernel returns the kernel's name.
func (s *timeline) Kernel() string { return s.kernel.Func.Name }

// Range returns the resolved index space.
func (s *timeline) Range() exec.NDRange { return s.step.Range() }

// Groups returns the number of work-groups, and the index of the current one.
func (s *timeline) Groups() (n, at int64) {
	at, _ = s.step.Group()
	return s.step.Groups(), at
}

// Items returns the number of work-items in the work-group.
func (s *timeline) Items() int { return s.step.Lanes() }

// Ended reports whether the launch has ended.
func (s *timeline) Ended() bool { return s.finished }

// Tick returns the number of steps that the launch has made.
func (s *timeline) Tick() int64 { return s.tick }

// Pause stops a running request as soon as possible. Any goroutine may call it.
func (s *timeline) Pause() { s.pause.Store(true) }

// prepare chooses the next step. It returns false if the launch has ended.
func (s *timeline) prepare() bool {
	for !s.chosen {
		if s.step.Next(s.preferred()) {
			s.chosen = true
			break
		}
		if !s.step.NextGroup() {
			s.finished = true
			return false
		}
	}
	s.finished = false
	return true
}

// arriving returns the statement at which the chosen step arrives, -1 if at none, and the work-items that arrive. They
// are valid until the next call.
func (s *timeline) arriving() (n int, lanes []int) {
	n, s.lanes = s.step.Arriving(s.lanes[:0])
	return n, s.lanes
}

// preferred returns the work-item that runs first in this step.
func (s *timeline) preferred() int {
	for i := len(s.prefers) - 1; i >= 0; i-- {
		if p := &s.prefers[i]; p.tick <= s.tick {
			if group, _ := s.step.Group(); group != p.group {
				break
			}
			return p.lane
		}
	}
	return -1
}

// prefer makes a work-item run first from now on. It removes preferences of later steps.
func (s *timeline) prefer(lane int) {
	for n := len(s.prefers); n > 0 && s.prefers[n-1].tick >= s.tick; n-- {
		s.prefers = s.prefers[:n-1]
	}
	if s.preferred() != lane {
		group, _ := s.step.Group()
		s.prefers = append(s.prefers, preference{s.tick, group, lane})
	}
	s.chosen = false
}

// advance makes the chosen step.
func (s *timeline) advance() {
	s.step.Run()
	s.chosen = false
	s.tick++
	if len(s.step.Printed) > 0 {
		if s.tick > s.printed && s.output != nil {
			_, _ = s.output.Write(s.step.Printed)
		}
		s.step.Printed = s.step.Printed[:0]
	}
	s.printed = max(s.printed, s.tick)
	s.history.record(s.tick, s.step)
}

// describe names a work-item for messages.
func (s *timeline) describe(lane int) string {
	if lane < 0 || lane >= s.step.Lanes() {
		return "no work-item"
	}
	g, _, _ := s.step.Item(lane)
	return "work-item " + ids(g, s.Range().Dims)
}

// ids formats ids in as many dimensions as the launch has.
func ids(v [3]uint64, dims int) string {
	text := "("
	for d := range max(dims, 1) {
		if d > 0 {
			text += ","
		}
		text += fmt.Sprint(v[d])
	}
	return text + ")"
}

// rewind returns to the start of the launch.
func (s *timeline) rewind() {
	s.tick = s.history.restore(0)
	s.chosen, s.finished = false, false
	s.begin()
}

// begin runs from the launch's first step to its first statement.
func (s *timeline) begin() {
	defer s.step.Enter()()
	for s.prepare() {
		if n, _ := s.arriving(); n >= 0 {
			return
		}
		s.advance()
	}
}

// noHistory returns the reason why the session cannot go back.
func (s *timeline) noHistory() error {
	if s.history.limit < 0 {
		return errors.New("going back is switched off (--history)")
	}
	return fmt.Errorf("going back takes a copy of the %d bytes that the kernel may write, more than the %d that --history allows", s.history.bytes, s.history.limit)
}

// to replays the launch from the current snapshot to a step.
func (s *timeline) to(tick int64) {
	defer s.step.Enter()()
	for s.tick < tick && s.prepare() {
		s.advance()
	}
	s.step.Found() // drop findings that were reported before
	s.prepare()
}

// goTo replays the launch to a step.
func (s *timeline) goTo(tick int64) {
	if tick < s.tick || s.finished {
		s.tick = s.history.restore(s.history.before(tick))
		s.chosen, s.finished = false, false
	}
	s.to(tick)
}

// ItemIDs returns the ids of a work-item of the group.
func (s *timeline) ItemIDs(item int) (global, local, group [3]uint64) { return s.step.Item(item) }

// ItemAt returns the index in the group of the work-item with a global id, -1 if the group has none.
func (s *timeline) ItemAt(global [3]uint64) int {
	for i := range s.step.Lanes() {
		if g, _, _ := s.step.Item(i); g == global {
			return i
		}
	}
	return -1
}

// A Region is a range of memory, for a view of its bytes.
type Region struct {
	Name    string
	Data    []byte // from the requested address on
	Written []byte // 0 for each byte that has not been written; nil: all have been
	Object  uint32
	Offset  uint64
}

// Region returns the memory of an object from an offset on, for a work-item.
func (s *timeline) Region(object uint32, off uint64, item int) (*Region, error) {
	data, written := s.step.Bytes(item, object)
	if off >= uint64(len(data)) {
		return nil, errors.New("no memory there")
	}
	r := &Region{Name: s.step.Object(object).Name, Data: data[off:], Object: object, Offset: off}
	if written != nil {
		r.Written = written[off:]
	}
	return r, nil
}

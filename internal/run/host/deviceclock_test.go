package host

import (
	"testing"
	"time"

	"github.com/purecl/purecl/internal/run/exec"
)

// A slowQueue has a device that reaches each mark some time after the request. The host sees it some time later still.
type slowQueue struct {
	exec.AsyncQueue
	delays   []time.Duration // of the next marks, to the device and back each
	released int
}

type slowMark struct {
	q       *slowQueue
	reached int64 // on the host's clock
	seen    int64
}

func (q *slowQueue) Mark(bool) (exec.Mark, error) {
	d := int64(q.delays[0])
	q.delays = q.delays[1:]
	at := now()
	return &slowMark{q: q, reached: at + d, seen: at + 2*d}, nil
}

func (m *slowMark) Done() (bool, error) { return now() >= m.seen, nil }

func (m *slowMark) Wait() error {
	time.Sleep(time.Duration(m.seen - now()))
	return nil
}

func (m *slowMark) Since(earlier exec.Mark) (time.Duration, error) {
	return time.Duration(m.reached - earlier.(*slowMark).reached), nil
}

func (m *slowMark) Release() { m.q.released++ }

// TestDeviceClock takes the time of a device with slow marks: the clock keeps the mark that was reached in the shortest
// time, and places it between the request and the end of the wait.
func TestDeviceClock(t *testing.T) {
	const ms = time.Millisecond
	q := &slowQueue{delays: []time.Duration{30 * ms, 60 * ms, 10 * ms, 40 * ms}}
	var c deviceClock
	if err := c.set(q, true); err != nil {
		t.Fatal(err)
	}
	m := c.mark.(*slowMark)
	if got := m.seen - m.reached; got != int64(10*ms) {
		t.Errorf("the clock keeps a mark that the host saw %v after the device", time.Duration(got))
	}
	if c.at <= m.reached-int64(10*ms) || c.at >= now() {
		t.Errorf("the clock is %v after the device", time.Duration(c.at-m.reached))
	}
	if q.released != clockTries-1 {
		t.Errorf("%d marks are released, want %d", q.released, clockTries-1)
	}
	if err := c.set(q, true); err != nil || len(q.delays) != 0 { // not due
		t.Errorf("the time is taken again: %v", err)
	}
}

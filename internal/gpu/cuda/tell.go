package cuda

import (
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
)

// A teller makes the device tell the end of a stream's work: it writes a number to memory of the host, which reads it
// sooner than the driver's functions return.
type teller struct {
	word *uint32
	at   uint64 // the word's address on the device
	next atomic.Uint32
}

const (
	tellerRoom = 64
	// tellTime is how long the host looks for the number. Then it lets the driver wait, which also tells errors.
	tellTime = int64(20 * time.Microsecond)
)

// wait reports whether the work so far is done. Several goroutines may call it: a number that one of them takes later
// is written later than the work before the call of another.
func (t *teller) wait(q *stream) bool {
	m := q.m
	if m.silent.Load() {
		return false
	}
	n := t.next.Add(1)
	code, ok := m.tryStream(q.generation, cuStreamWriteValue32, []uintptr{q.s, uintptr(t.at), uintptr(n), 0})
	if !ok {
		return false
	}
	if code != 0 {
		if !sticky(code) {
			m.silent.Store(true)
		}
		return false
	}
	for end := timing.Now() + tellTime; timing.Now() < end; {
		for range 16 {
			if int32(atomic.LoadUint32(t.word)-n) >= 0 {
				return true
			}
		}
	}
	return false
}

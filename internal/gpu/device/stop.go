package device

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/gpu/ptx"
)

// stops passes the host's requests to end launches on to the kernels. A goroutine looks for requests while launches
// run, and for a while after: launches that follow each other closely do not start it.
type stops struct {
	mu      sync.Mutex
	list    []stop
	looking bool
}

type stop struct {
	flag *atomic.Bool
	word *uint32
}

// stopPeriod is how often the host looks for requests. After idleLooks looks without launches it ends.
const (
	stopPeriod = 5 * time.Millisecond
	idleLooks  = 40
)

// add makes the flag, once it is true, set the word to 1.
func (s *stops) add(flag *atomic.Bool, word *uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, stop{flag, word})
	if !s.looking {
		s.looking = true
		go s.look()
	}
}

// remove ends the watch for a word. The words leave in the order in which they came.
func (s *stops) remove(word *uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.list {
		if s.list[i].word == word {
			s.list = append(s.list[:i], s.list[i+1:]...)
			return
		}
	}
}

func (s *stops) look() {
	for idle := 0; ; idle++ {
		time.Sleep(stopPeriod)
		s.mu.Lock()
		if len(s.list) > 0 {
			idle = 0
		}
		for _, x := range s.list {
			if x.flag.Load() {
				atomic.StoreUint32(x.word, 1)
			}
		}
		if idle == idleLooks {
			s.looking = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

// exiting is set when the process ends.
var exiting atomic.Bool

// signals holds the signals of all streams, for StopAll.
var signals = struct {
	mu   sync.Mutex
	list map[Stream][]uint32
}{list: map[Stream][]uint32{}}

func registerSignals(s Stream) {
	signals.mu.Lock()
	defer signals.mu.Unlock()
	signals.list[s], _ = s.Signals()
}

func unregisterSignals(s Stream) {
	signals.mu.Lock()
	defer signals.mu.Unlock()
	delete(signals.list, s)
}

// StopAll ends all launches of the process, and those that begin later. A process calls it before it exits: the
// driver's own end waits for running kernels.
func StopAll() {
	exiting.Store(true)
	signals.mu.Lock()
	defer signals.mu.Unlock()
	for _, words := range signals.list {
		for i := ptx.SignalStop / 4; i < len(words); i += ptx.SignalsSize / 4 {
			atomic.StoreUint32(&words[i], 1)
		}
	}
}

package host

import (
	"sync"
	"sync/atomic"
)

// readyCommands has the commands of all queues that are ready and that no goroutine has claimed.
var readyCommands readyList

// A readyList holds commands in the order in which they became ready, and starts goroutines that run them. At most one
// of these goroutines has not begun. With a goroutine for each command instead, a host whose threads run most commands
// themselves (see [Queue.help]) would gather goroutines without bound: Go's scheduler prefers threads that call from C
// to goroutines that have not begun.
type readyList struct {
	mu          sync.Mutex
	first, last *Event
	starting    bool // a goroutine has been started and has not begun
}

// A readyNode is an event's place in the ready list.
type readyNode struct {
	before, after *Event      // the list's mutex guards them
	listed        atomic.Bool // set only with the list's mutex
}

// add lists a command and makes sure that a goroutine will run it.
func (l *readyList) add(e *Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := &e.inReady
	n.listed.Store(true) // before claimed is read: claim reads them in the other order
	if e.claimed.Load() {
		n.listed.Store(false)
		return
	}
	if n.before = l.last; l.last != nil {
		l.last.inReady.after = e
	} else {
		l.first = e
	}
	l.last = e
	l.start()
}

// remove removes a command, if it is listed.
func (l *readyList) remove(e *Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unlink(e)
}

func (l *readyList) unlink(e *Event) {
	n := &e.inReady
	if !n.listed.Load() {
		return
	}
	if n.before != nil {
		n.before.inReady.after = n.after
	} else {
		l.first = n.after
	}
	if n.after != nil {
		n.after.inReady.before = n.before
	} else {
		l.last = n.before
	}
	n.before, n.after = nil, nil
	n.listed.Store(false)
}

// start starts a goroutine if there are commands and no other goroutine is starting.
func (l *readyList) start() {
	if l.first != nil && !l.starting {
		l.starting = true
		go l.run()
	}
}

// run runs commands until the list is empty. A command may run for long or wait for the host, so another goroutine
// starts for the next one first.
func (l *readyList) run() {
	l.mu.Lock()
	l.starting = false
	for e := l.first; e != nil; e = l.first {
		l.unlink(e)
		l.start()
		l.mu.Unlock()
		e.drain(nil)
		l.mu.Lock()
	}
	l.mu.Unlock()
}

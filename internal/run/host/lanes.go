package host

import "runtime"

// lanes are the deviceQueues of an out-of-order queue, which run commands at the same time. A command that waits for
// one of the same lane begins behind it without waiting for its end; for one of another lane the host waits.
type lanes []*deviceQueue

// numLanes is the number of commands of an out-of-order queue that may run at the same time. The device's queues are
// made as they are needed.
const numLanes = 4

// makeDeviceQueues makes what the queue needs to run commands on a device with memory of its own.
func (q *Queue) makeDeviceQueues() {
	n := 1
	if q.props.OutOfOrder {
		n = numLanes
	}
	list := make(lanes, n)
	for i := range list {
		list[i] = &deviceQueue{r: q.dev.remote}
		runtime.AddCleanup(q, (*deviceQueue).close, list[i])
	}
	if q.props.OutOfOrder {
		q.lanes = list
	} else {
		q.device = list[0]
	}
}

// assign chooses the lane of a new command: that of the last command it waits for, else the one with the fewest
// commands. A command that the device does not run by itself gets none. barrier may be nil.
func (l lanes) assign(e *Event, wait []*Event, barrier *Event) {
	if c, ok := e.work.(asyncCommand); !ok || !c.async() || len(l) == 0 {
		return
	}
	e.dev.on = l.laneAfter(e.queue, wait, barrier)
	if e.dev.on == nil {
		e.dev.on = l[0]
		for _, d := range l[1:] {
			if d.pending.Load() < e.dev.on.pending.Load() {
				e.dev.on = d
			}
		}
	}
	e.dev.on.pending.Add(1)
}

// laneAfter returns the lane of the last command of the queue, in a wait list or the barrier, that is not complete; nil if
// there is none.
func (l lanes) laneAfter(q *Queue, wait []*Event, barrier *Event) *deviceQueue {
	for i := len(wait) - 1; i >= 0; i-- {
		if x := wait[i]; x.queue == q && x.dev.on != nil && x.unfinished() {
			return x.dev.on
		}
	}
	if barrier != nil {
		return barrier.dev.on
	}
	return nil
}

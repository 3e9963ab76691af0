package host

// Unfinished returns commands of the queue: when they are complete, so is every command that
// was enqueued before. It is empty where all are.
func (q *Queue) Unfinished() []*Event {
	q = or(q)
	if !q.props.OutOfOrder {
		if last := q.last.Load(); last != nil {
			return []*Event{last}
		}
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	list := make([]*Event, 0, len(q.live))
	for e := range q.live {
		list = append(list, e)
	}
	return list
}

// Interrupt ends the launches among the commands that were not complete when Unfinished
// returned them, and in order those before: one that runs stops, the others do not start.
// Their commands fail with [OutOfResources]. Other commands are as ever.
func (q *Queue) Interrupt(unfinished []*Event) {
	q = or(q)
	if q.props.OutOfOrder {
		for _, e := range unfinished {
			e.stopped.Store(true)
		}
		return
	}
	for _, last := range unfinished {
		// A launch that starts now either finds the mark or is what ready says.
		q.interrupted.Store(last)
		r := q.ready.Load()
		if last.Status() <= 0 {
			q.interrupted.CompareAndSwap(last, nil)
		} else if r != nil {
			r.stopped.Store(true) // it was ready before last was complete, and so comes before
		}
	}
}

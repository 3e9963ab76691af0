package host

// Unfinished returns commands of the queue such that, once they are complete, every command enqueued before the
// call is complete. It returns none if all are complete already.
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

// Interrupt ends the launches among the commands that Unfinished returned, and in an in-order queue also the
// launches before them: a running launch stops, and the others do not start. Their commands fail with
// [OutOfResources]. Other commands are not affected.
func (q *Queue) Interrupt(unfinished []*Event) {
	q = or(q)
	if q.props.OutOfOrder {
		for _, e := range unfinished {
			e.stopped.Store(true)
		}
		return
	}
	if q.device != nil && len(unfinished) > 0 {
		q.interrupted.Store(unfinished[0]) // launches that begin now see it
		q.device.stop()
		if unfinished[0].Status() <= 0 {
			q.interrupted.CompareAndSwap(unfinished[0], nil)
		}
		return
	}
	for _, last := range unfinished {
		// A launch that starts now either sees interrupted or is the event in ready.
		q.interrupted.Store(last)
		r := q.ready.Load()
		if last.Status() <= 0 {
			q.interrupted.CompareAndSwap(last, nil)
		} else if r != nil {
			r.stopped.Store(true) // it was ready before last was complete, and so comes before
		}
	}
}

package interp

import "github.com/purecl/purecl/internal/run/exec"

// stops is the set of lanes of a batch that have faulted in strict mode. They do not continue, and barriers do not
// wait for them.
type stops struct {
	on    bool   // the launch is in strict mode
	fresh bool   // stopped lanes may still be active
	n     int    // number of stopped lanes
	lanes []bool // by lane; nil if none has ever stopped
}

// begin clears the set for a new batch.
func (s *stops) begin(r *Run) {
	s.on = r.env.Faults == exec.Strict
	s.fresh, s.n = false, 0
	clear(s.lanes)
}

// stop adds a faulting lane; for a uniform instruction, all active lanes. It returns false if the lane had stopped
// before.
func (x *reporter) stop(in *inst, lane int) bool {
	s := &x.stops
	if s.lanes == nil {
		s.lanes = make([]bool, x.w)
	}
	if s.lanes[lane] {
		return false
	}
	s.fresh = true
	all := []span{{int32(lane), int32(lane) + 1}}
	if in.uniform {
		all = x.cols.act
	}
	for _, p := range all {
		for i := p.lo; i < p.hi; i++ {
			s.lanes[i] = true
			s.n++
		}
	}
	return true
}

// drop removes the stopped lanes from the active ones. It returns false if none is left.
func (x *worker) drop() bool {
	x.stops.fresh = false
	stopped, left := x.splitStopped(x.cols.act)
	x.cols.act = stopped
	if x.gone != nil {
		x.leave()
	}
	x.live -= count(stopped)
	x.cols.act = left
	return len(left) > 0
}

// splitStopped returns the stopped lanes and the others, in new lists.
func (x *reporter) splitStopped(act []span) (stopped, left []span) {
	for _, p := range act {
		for lo := p.lo; lo < p.hi; {
			hi := lo + 1
			for hi < p.hi && x.stops.lanes[hi] == x.stops.lanes[lo] {
				hi++
			}
			if x.stops.lanes[lo] {
				stopped = append(stopped, span{lo, hi})
			} else {
				left = append(left, span{lo, hi})
			}
			lo = hi
		}
	}
	return stopped, left
}

package debug

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// A raceSearch runs the launch in parallel to the session, on copies of its memory, with the race observer.
type raceSearch struct {
	cancel context.CancelFunc
	done   chan struct{}
	found  []*exec.Finding
	err    error
	added  bool // the session stops at the races
	waited bool // the session has waited for the search
}

// Limits of the search for races.
const (
	maxRaceMemory = 64 << 20 // bytes copied
	raceTime      = 20 * time.Second
	raceWait      = 300 * time.Millisecond // how long a session waits for the search when it needs the result
)

// searchRaces starts a search.
func searchRaces(k *launch.Kernel, cfg *Config) *raceSearch {
	r := &raceSearch{done: make(chan struct{})}
	var ctx context.Context
	ctx, r.cancel = context.WithTimeout(context.Background(), raceTime)
	l := &launch.Launch{Args: make([]launch.Arg, len(cfg.Args)), Range: cfg.Range, Faults: cfg.Faults, Checks: exec.ChecksAll, Workers: 1}
	var size int64
	for _, a := range cfg.Args {
		size += a.Bytes()
	}
	p, err := k.Program.Copy()
	if err == nil {
		l.Kernel, err = p.Kernel(k.Func.Name)
	}
	if err == nil && size > maxRaceMemory {
		err = fmt.Errorf("the arguments are more than %d bytes", maxRaceMemory)
	}
	if err != nil {
		r.err = err
		close(r.done)
		return r
	}
	launch.CopyArgs(l.Args, cfg.Args, bytes.Clone)
	go func() {
		defer close(r.done)
		rep, err := launch.Run(ctx, l)
		if rep == nil {
			r.err = err
			return
		}
		for _, f := range rep.Findings {
			if f.Kind == exec.RaceInGroup || f.Kind == exec.RaceBetweenGroups {
				r.found = append(r.found, f)
			}
		}
	}()
	return r
}

// known returns the races, nil while the search runs.
func (r *raceSearch) known() []*exec.Finding {
	select {
	case <-r.done:
		return r.found
	case <-time.After(raceWait):
		return nil
	}
}

// A raceStop is a stop at one of the two accesses of a race.
type raceStop struct {
	race   *exec.Finding
	pos    diag.Pos
	global [3]uint64
	text   string
	done   bool
}

// findings holds which findings of the launch stop it, and the races that a search beside the session finds.
type findings struct {
	timeline
	ignore    map[string]bool // codes of findings that do not stop
	races     *raceSearch
	raceStops []raceStop
}

// addRaces adds stops at both accesses of each race, once the search has ended.
func (s *findings) addRaces() {
	if s.races.added || s.ignore["race-in-group"] || s.ignore["all"] {
		return
	}
	select {
	case <-s.races.done:
	default:
		if s.races.waited {
			return
		}
		s.races.waited = true
		select {
		case <-s.races.done:
		case <-time.After(raceWait):
			return
		}
	}
	s.races.added = true
	for _, f := range s.races.found {
		if _, wanted := f.Severity(s.src); wanted {
			s.addRace(f)
		}
	}
}

// addRace adds stops at the accesses of a race.
func (s *findings) addRace(f *exec.Finding) {
	text := f.Message()
	s.raceStops = append(s.raceStops, raceStop{race: f, pos: f.Pos, global: f.Global, text: text})
	if !f.ByGroup && f.OtherPos.IsValid() {
		s.raceStops = append(s.raceStops, raceStop{race: f, pos: f.OtherPos, global: f.OtherGlobal, text: text})
	}
}

// hitRace returns the stop of a race's access that the chosen step makes, or nil.
func (s *findings) hitRace() *Stop {
	at, _ := s.step.Chosen()
	for i := range s.raceStops {
		r := &s.raceStops[i]
		if r.done || r.pos != at.Pos {
			continue
		}
		hit := -1
		s.step.Accesses(func(a interp.Access) {
			if g, _, _ := s.step.Item(a.Lane); g == r.global && s.step.Object(a.Object).Name == r.race.Object {
				hit = a.Lane
			}
		})
		if hit >= 0 {
			r.done = true
			which := "one access of a "
			for k := range s.raceStops {
				if o := &s.raceStops[k]; k != i && o.race == r.race && o.done {
					which = "the other access of a "
				}
			}
			return &Stop{Reason: AtFinding, Text: which + r.text, Finding: r.race, Item: hit}
		}
	}
	return nil
}

// IgnoreFindings sets the findings that do not stop the launch: codes, or "all".
func (s *findings) IgnoreFindings(codes []string) {
	s.ignore = map[string]bool{}
	for _, c := range codes {
		s.ignore[c] = true
	}
}

// Findings returns the findings of the launch so far, and its known races.
func (s *findings) Findings() []*exec.Finding { return append(s.step.Findings(), s.races.known()...) }

// Close ends the session without completing the launch.
func (s *findings) Close() { s.races.cancel() }

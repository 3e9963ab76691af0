//go:build linux

package bench

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Options select what to measure.
type Options struct {
	Threads int           // of both sides
	Time    time.Duration // for each row
	Scaling bool          // measure both sides with one thread too
	First   int           // number of measurements of the time to the first result
}

// A Result is a row's measurement. Times are minima over all runs, in nanoseconds in JSON.
type Result struct {
	Row      string
	Class    string
	Executor string
	PureCL   time.Duration
	// Reference is the C function's time and Ratio PureCL's divided by it. RatioMedian is the ratio of the medians,
	// RatioCPU of the least processor times of a turn.
	Reference                    time.Duration
	Ratio, RatioMedian, RatioCPU float64
	One                          time.Duration `json:",omitempty"` // PureCL's time with one worker
	ReferenceOne                 time.Duration `json:",omitempty"` // the reference's time with one thread
	Bounds                       float64       `json:",omitempty"` // PureCL's processor time divided by that without bounds checks
	Rate                         float64       // PureCL's billions of floating-point operations, or of bytes of memory objects, per second
	Unit                         string        // unit of Rate
	Limit                        float64       `json:",omitempty"` // the machine's, in the same unit
	First                        time.Duration `json:",omitempty"` // shortest time from source to the small case's results
	// Other is the time of the other OpenCL library, or of OpenBLAS or FFTW. OtherFirst is an OpenCL library's time
	// from source to the small case's results.
	Other, OtherFirst time.Duration `json:",omitempty"`
	OtherError        string        `json:",omitempty"` // why they are missing, or that results differ from PureCL's
	Error             string        `json:",omitempty"` // why other fields are missing, or how the results differ
}

// Scaling returns the speedup of all workers over one, 0 if not measured.
func (r *Result) Scaling() float64 { return quotient(r.One, r.PureCL) }

// ReferenceScaling returns the reference's speedup of all threads over one, which is the machine's limit.
func (r *Result) ReferenceScaling() float64 { return quotient(r.ReferenceOne, r.Reference) }

func quotient(a, b time.Duration) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// OtherRatio is PureCL's time divided by the other library's, 0 if that was not measured.
func (r *Result) OtherRatio() float64 { return quotient(r.PureCL, r.Other) }

// A Bench holds the players that take turns. Unchecked, OpenCL, Libraries and Limits may be nil.
type Bench struct {
	Memory            *Memory
	PureCL, Unchecked *Remote // Unchecked is PureCL without bounds checks
	Reference         Player
	OpenCL            *Remote // another OpenCL library
	Libraries         Player  // OpenBLAS and FFTW
	Limits            *Limits
}

// Close ends the players.
func (b *Bench) Close() error {
	err := errors.Join(b.PureCL.Close(), b.Reference.Close())
	for _, p := range []*Remote{b.Unchecked, b.OpenCL} {
		if p != nil {
			err = errors.Join(err, p.Close())
		}
	}
	if b.Libraries != nil {
		err = errors.Join(err, b.Libraries.Close())
	}
	return err
}

// A side is a player with its measurements of a row.
type side struct {
	player  Player
	threads int
	batch   int // runs in a turn
	times   []time.Duration
	least   time.Duration
	lowered int           // the last turn that lowered least by more than 1 %
	cpu     time.Duration // processor time of a run, in the turn with the least
}

// Measure measures a row.
func (b *Bench) Measure(r *Row, o Options) Result {
	res := Result{Row: r.Name, Class: r.Class.Name}
	if err := b.measure(r, o, &res); err != nil {
		res.Error = err.Error()
	}
	return res
}

func (b *Bench) measure(r *Row, o Options, res *Result) error {
	if o.First > 0 {
		c := r.Case(r.Small)
		c.Fill(b.Memory)
		times, err := b.PureCL.First(r, o.Threads, o.First)
		if err != nil {
			return err
		}
		res.First = slices.Min(times.Runs)
	}
	if err := Check(r, false, o.Threads, b.Memory, b.PureCL, b.Reference); err != nil {
		return err
	}
	res.Executor = b.PureCL.Executor
	sides := []*side{{player: b.PureCL, threads: o.Threads}, {player: b.Reference, threads: o.Threads}}
	one, unchecked := -1, -1
	if o.Scaling && o.Threads > 1 {
		one = len(sides)
		sides = append(sides, &side{player: b.PureCL, threads: 1}, &side{player: b.Reference, threads: 1})
	}
	if b.Unchecked != nil {
		unchecked = len(sides)
		sides = append(sides, &side{player: b.Unchecked, threads: o.Threads})
	}
	other := -1
	if p := b.prepareOther(r, o, res); p != nil {
		other = len(sides)
		sides = append(sides, &side{player: p, threads: o.Threads})
	}
	for i, s := range sides {
		if s.player == Player(b.PureCL) || i == unchecked {
			if err := warmUp(r, s); err != nil {
				return err
			}
		}
	}
	if err := takeTurns(r, sides, o.Time); err != nil {
		return err
	}
	for _, s := range sides {
		slices.Sort(s.times)
	}
	ours, theirs := sides[0].times, sides[1].times
	res.PureCL, res.Reference = ours[0], theirs[0]
	res.Ratio, res.RatioMedian = quotient(ours[0], theirs[0]), quotient(ours[len(ours)/2], theirs[len(theirs)/2])
	res.Rate, res.Unit = r.work()
	res.Rate /= float64(max(res.PureCL, 1))
	res.Limit = b.Limits.of(r)
	res.RatioCPU = quotient(sides[0].cpu, sides[1].cpu)
	if one >= 0 {
		res.One, res.ReferenceOne = sides[one].times[0], sides[one+1].times[0]
	}
	if unchecked >= 0 {
		res.Bounds = quotient(sides[0].cpu, sides[unchecked].cpu)
	}
	if other >= 0 {
		res.Other = sides[other].times[0]
	}
	return nil
}

// otherTolerance is how far the other library's floating-point results may differ from PureCL's: it may fuse
// products and sums elsewhere, or add in another order.
const otherTolerance = 1e-3

// prepareOther compares the other library's results with PureCL's, and measures an OpenCL library's time to the first
// result. It returns the library's player, nil if the library does not run the row.
func (b *Bench) prepareOther(r *Row, o Options, res *Result) Player {
	var other Player
	switch {
	case b.OpenCL != nil:
		other = b.OpenCL
		c := r.Case(r.Small)
		c.Fill(b.Memory)
		times, err := b.OpenCL.First(r, o.Threads, 1)
		if err != nil {
			res.OtherError = err.Error()
			return nil
		}
		res.OtherFirst = times.Runs[0]
	case b.Libraries != nil && r.Library != "":
		other = b.Libraries
	default:
		return nil
	}
	loose := *r
	loose.Tolerance = max(r.Tolerance, otherTolerance)
	if err := Check(&loose, false, o.Threads, b.Memory, other, b.PureCL); err != nil {
		res.OtherError = err.Error()
	}
	return other
}

// work returns the work of a launch of the row's full size: its floating-point operations, or the bytes of its
// memory objects, which count twice if they are both input and result.
func (r *Row) work() (n float64, unit string) {
	if r.Operations != nil {
		return float64(r.Operations(r.Full)), "GFLOP/s"
	}
	for _, a := range r.Case(r.Full).Args {
		n += float64(a.bytes)
		if a.updated {
			n += float64(a.bytes)
		}
	}
	return n, "GB/s"
}

// Turns are long enough that their first run, which finds the other side's data in the caches, can be dropped. Each
// side has minTurns turns, whatever their duration.
const (
	turn     = 4 * time.Millisecond
	minTurns = 3

	extension = 4
)

// PureCL makes code in the background for the launches that it sees. A row is therefore launched in rounds before it is
// measured, until no code was in the making in idleRounds rounds, one after the other.
const (
	idleRounds = 3
	maxRounds  = 1000
	round      = 2 * time.Millisecond
	pause      = 2 * time.Millisecond
)

// warmUp launches the row's kernel until its code is ready.
func warmUp(r *Row, s *side) error {
	repeats := 1
	for i, idle := 0, 0; i < maxRounds && idle < idleRounds; i++ {
		t, err := s.player.Play(r, false, s.threads, repeats)
		if err != nil {
			return err
		}
		repeats = 1 + int(round/max(slices.Min(t.Runs), 1))
		idle++
		if t.Pending {
			idle = 0
			time.Sleep(pause)
		}
	}
	return nil
}

// takeTurns runs the sides alternately until the time is over. On a busy machine it continues, up to extension
// times as long, until half of all turns have passed without a lower minimum.
func takeTurns(r *Row, sides []*side, limit time.Duration) error {
	start := time.Now()
	for i := 0; ; i++ {
		passed := time.Since(start)
		settled := !slices.ContainsFunc(sides, func(s *side) bool { return 2*s.lowered >= i })
		if i >= minTurns && (passed >= limit && settled || passed >= extension*limit) {
			return nil
		}
		for _, s := range sides {
			times, err := s.player.Play(r, false, s.threads, s.batch+1)
			if err != nil {
				return err
			}
			if cpu := times.CPU / time.Duration(len(times.Runs)); i > 0 && (s.cpu == 0 || cpu < s.cpu) {
				s.cpu = cpu
			}
			if s.batch > 0 {
				times.Runs = times.Runs[1:]
			} else if i == 0 {
				s.batch = int(turn / max(times.Runs[0], 1))
			}
			s.times = append(s.times, times.Runs...)
			if least := slices.Min(times.Runs); s.least == 0 || least < s.least*99/100 {
				s.least, s.lowered = least, i
			}
		}
	}
}

// Check runs the row's kernel and its reference once on the same input and compares the
// results.
func Check(r *Row, small bool, threads int, m *Memory, ours, theirs Player) error {
	c := r.Case(r.size(small))
	c.Fill(m)
	if _, err := ours.Play(r, small, threads, 1); err != nil {
		return err
	}
	got := c.Results(m)
	if _, err := theirs.Play(r, small, threads, 1); err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	return c.Compare(got, c.Results(m), r.Tolerance)
}

// Geomean returns the geometric mean, 0 for an empty list.
func Geomean(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(x)))
}

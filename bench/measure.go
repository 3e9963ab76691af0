//go:build linux

package bench

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Options say what to measure.
type Options struct {
	Threads int           // of both sides
	Time    time.Duration // for each row
	Scaling bool          // also both sides with one thread
	First   int           // how many times to take the time to the first result
}

// A Result is what was measured of a row. Times are minima over all runs; they count in
// nanoseconds.
type Result struct {
	Row      string
	Class    string
	Executor string
	PureCL   time.Duration
	// Reference is the C function's time, Ratio PureCL's divided by it, RatioMedian and
	// RatioCPU the same of the medians and of the least processor time of a turn.
	Reference                    time.Duration
	Ratio, RatioMedian, RatioCPU float64
	One                          time.Duration `json:",omitempty"` // PureCL's with one worker
	ReferenceOne                 time.Duration `json:",omitempty"` // the reference's with one thread
	Bounds                       float64       `json:",omitempty"` // PureCL's processor time divided by that without bounds checks
	Rate                         float64       // billions of floating-point operations of PureCL's in a second, or of bytes of memory objects
	Unit                         string        // of it
	Limit                        float64       `json:",omitempty"` // the machine's, in the same unit
	First                        time.Duration `json:",omitempty"` // least from source to the small case's results
	// OpenCL is the other OpenCL library's time, OpenCLFirst its time from source to the small case's results.
	OpenCL, OpenCLFirst time.Duration `json:",omitempty"`
	OpenCLError         string        `json:",omitempty"` // why they are missing, or that results differ from PureCL's
	Error               string        `json:",omitempty"` // why the rest is missing, or that results differ
}

// Scaling is how many times as fast all workers are as one, 0 if not measured.
func (r *Result) Scaling() float64 { return quotient(r.One, r.PureCL) }

// ReferenceScaling is the same of the reference: what the machine gives.
func (r *Result) ReferenceScaling() float64 { return quotient(r.ReferenceOne, r.Reference) }

func quotient(a, b time.Duration) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// OpenCLRatio is PureCL's time divided by the other OpenCL library's, 0 if that was not measured.
func (r *Result) OpenCLRatio() float64 { return quotient(r.PureCL, r.OpenCL) }

// A Bench holds the players that take turns. Unchecked, PureCL without bounds checks, and OpenCL, another
// OpenCL library, may be nil.
type Bench struct {
	Memory                    *Memory
	PureCL, Unchecked, OpenCL *Remote
	Reference                 Player
	Limits                    *Limits // may be nil
}

// Close ends the players.
func (b *Bench) Close() error {
	err := errors.Join(b.PureCL.Close(), b.Reference.Close())
	for _, p := range []*Remote{b.Unchecked, b.OpenCL} {
		if p != nil {
			err = errors.Join(err, p.Close())
		}
	}
	return err
}

// A side is one of those that take turns.
type side struct {
	player  Player
	threads int
	batch   int // runs in a turn
	times   []time.Duration
	least   time.Duration
	lowered int           // the last turn that lowered least by more than a hundredth
	cpu     time.Duration // of a run, in the turn with the least
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
	if b.OpenCL != nil && b.prepareOpenCL(r, o, res) {
		other = len(sides)
		sides = append(sides, &side{player: b.OpenCL, threads: o.Threads})
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
		res.OpenCL = sides[other].times[0]
	}
	return nil
}

// openCLTolerance is how far the other library's floating-point results may differ from PureCL's: it may fuse
// products and sums elsewhere.
const openCLTolerance = 1e-3

// prepareOpenCL measures the other library's time to the first result and compares its results with PureCL's. It
// reports whether the library runs the row.
func (b *Bench) prepareOpenCL(r *Row, o Options, res *Result) bool {
	c := r.Case(r.Small)
	c.Fill(b.Memory)
	times, err := b.OpenCL.First(r, o.Threads, 1)
	if err != nil {
		res.OpenCLError = err.Error()
		return false
	}
	res.OpenCLFirst = times.Runs[0]
	loose := *r
	loose.Tolerance = max(r.Tolerance, openCLTolerance)
	if err := Check(&loose, false, o.Threads, b.Memory, b.OpenCL, b.PureCL); err != nil {
		res.OpenCLError = err.Error()
	}
	return true
}

// work is how much a launch of the row's full size does: floating-point operations, or bytes of its memory
// objects, once each and those twice that are both input and result.
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

// Turns are so long that their first run, which finds the caches as another side left
// them, can be dropped; there are some of each side however long they take.
const (
	turn     = 4 * time.Millisecond
	minTurns = 3

	extension = 4
)

// takeTurns runs the sides one after the other, again and again, until the time is over.
// Where others use the machine it goes on, up to extension times as long, as long as
// half of all turns have not passed without a lower minimum.
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

// Geomean returns the geometric mean, 0 of nothing.
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

//go:build linux

package bench

import (
	"slices"
	"time"
)

// Limits are the machine's rates, measured by programs in C on as many threads as the rows have.
type Limits struct {
	Float, Half, Double float64     // billions of floating-point operations of multiply-adds in a second
	Copy                []Bandwidth // rising in Bytes
}

// A Bandwidth is the rate at which a copy of Bytes/2 bytes reads and writes, in billions of bytes a second.
type Bandwidth struct {
	Bytes int
	Rate  float64
}

// copySizes are the sizes of memory objects, in bytes, for which copies are measured: between them lie the sizes of
// caches.
var copySizes = []int{1 << 15, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 25, 1 << 26, 1 << 27}

// limitTime is how long each limit is measured.
const limitTime = 50 * time.Millisecond

// MeasureLimits measures the machine's limits.
func (b *Bench) MeasureLimits(threads int) (*Limits, error) {
	l := &Limits{}
	for _, f := range []struct {
		name string
		rate *float64
	}{{"limit_float", &l.Float}, {"limit_half", &l.Half}, {"limit_double", &l.Double}} {
		units := 4 * threads
		best, err := b.limit(&Row{Name: f.name, Reference: f.name, Case: func(int) Case { return Case{Units: units, Args: []Arg{out[uint8](64 * 64)}} }}, threads)
		if err != nil {
			return nil, err
		}
		*f.rate = 2 * float64(units<<20) / float64(best)
	}
	for _, size := range copySizes {
		best, err := b.limit(copies(size), threads)
		if err != nil {
			return nil, err
		}
		l.Copy = append(l.Copy, Bandwidth{size, float64(size) / float64(best)})
	}
	return l, nil
}

// copies returns a row of the reference that reads and writes size bytes.
func copies(size int) *Row {
	return &Row{Name: "limit_copy", Reference: "limit_copy", Case: func(int) Case {
		return Case{Units: size / 2 / 64, Args: []Arg{out[uint8](size / 2), out[uint8](size / 2)}}
	}}
}

// limit returns the shortest time of a run of a row that only the reference has.
func (b *Bench) limit(r *Row, threads int) (time.Duration, error) {
	best := time.Duration(0)
	for start := time.Now(); best == 0 || time.Since(start) < limitTime; {
		t, err := b.Reference.Play(r, false, threads, 8)
		if err != nil {
			return 0, err
		}
		if least := slices.Min(t.Runs); best == 0 || least < best {
			best = max(least, 1)
		}
	}
	return best, nil
}

// of returns the limit of a row's rate: multiply-adds of the row's precision, or a copy of as many bytes as the row's
// memory objects have. It returns 0 if l is nil.
func (l *Limits) of(r *Row) float64 {
	switch {
	case l == nil:
		return 0
	case r.Operations == nil:
		n, _ := r.work()
		for _, c := range l.Copy {
			if float64(c.Bytes) >= n {
				return c.Rate
			}
		}
		if len(l.Copy) > 0 {
			return l.Copy[len(l.Copy)-1].Rate
		}
		return 0
	case r.Precision == Double:
		return l.Double
	case r.Precision == Half:
		return l.Half
	}
	return l.Float
}

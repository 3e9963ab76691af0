package main

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/ssa"
)

func TestStats(t *testing.T) {
	for _, c := range []struct {
		times []time.Duration
		want  stats
	}{
		{nil, stats{}},
		{[]time.Duration{7}, stats{1, 7, 7, 7}},
		{[]time.Duration{9, 1, 2}, stats{3, 1, 2, 4}},
		{[]time.Duration{9, 1, 2, 4}, stats{4, 1, 3, 4}},
	} {
		if got := newStats(c.times); got != c.want {
			t.Errorf("%v: got %+v, want %+v", c.times, got, c.want)
		}
	}
}

// TestUses checks which arguments a kernel reads (r) and writes (w); - is neither.
func TestUses(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"kernel void k(global int *a, global int *b) { a[0] = b[1]; }", "-w r-"},
		{"kernel void k(global int *a, global int *b) { a[0] += b[1]; }", "rw r-"},
		{"kernel void k(global int *a, global int *b) { }", "-- --"},
		{"kernel void k(global int *a, global int *b, int n) { *(n ? a : b) = 1; }", "-w -w --"},
		{"kernel void k(global int *a, global int *b) { atomic_inc(a); }", "rw --"},
		{"typedef struct { int x[20]; } S; kernel void k(global S *a, global S *b) { *a = *b; }", "-w r-"},
		{"kernel void k(global int *a, global int *b) { for (int i = 0; i < 9; i++) *a++ = 1; local int l; l = 2; }", "-w --"},
		{"kernel void k(global int *a, global int *b, ulong p) { *(global int *)p = 1; }", "-w -w -w"},
	} {
		res, err := compile.Compile(context.Background(), "k.cl", []byte(c.src), &compile.Options{Source: option.Source{Std: opencl.CL12}})
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		for _, u := range ssa.ArgUses(res.Module.Func("k")) {
			s := []byte("--")
			if u.Read {
				s[0] = 'r'
			}
			if u.Written {
				s[1] = 'w'
			}
			got = append(append(got, s...), ' ')
		}
		if s := string(bytes.TrimSpace(got)); s != c.want {
			t.Errorf("%s: got %s, want %s", c.src, s, c.want)
		}
	}
}

func TestCopier(t *testing.T) {
	for _, n := range []int{0, 1, 100, 64<<10 + 1, 1 << 20, 1<<20 + 13} {
		for threads := 1; threads < 4; threads++ {
			c := newHostCopier(2*n, threads)
			c.run(context.Background())
			if c.size() != n || !slices.Equal(c.from, c.to) {
				t.Errorf("%d bytes with %d threads: not copied", n, threads)
			}
		}
	}
}

// TestCoarseClock checks that a clock too coarse for single repetitions gives no infinite rates.
func TestCoarseClock(t *testing.T) {
	s := newStats([]time.Duration{0, 0, 0, 1000})
	if s.usual() != 250 || s.best() != 250 || newStats([]time.Duration{0}).usual() != 1 {
		t.Errorf("%+v: %v, %v", s, s.usual(), s.best())
	}
	if s := newStats([]time.Duration{3, 5}); s.usual() != 4 || s.best() != 3 {
		t.Errorf("%+v: %v, %v", s, s.usual(), s.best())
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{duration(12), "12 ns"},
		{duration(1234.5), "1.234 µs"},
		{duration(5e6), "5 ms"},
		{duration(2.5e9), "2.5 s"},
		{quantity(999), "999 "},
		{quantity(1500), "1.5 k"},
		{quantity(3e9), "3 G"},
		{groupSize([3]uint64{256, 1, 1}), "256"},
		{groupSize([3]uint64{8, 4, 1}), "8×4"},
		{groupSize([3]uint64{8, 1, 2}), "8×1×2"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

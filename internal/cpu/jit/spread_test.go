//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"math"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
)

// TestSpread tests the lengths of gangs for launches with few gangs.
func TestSpread(t *testing.T) {
	m := build(t, `
kernel void leaves(global uint *y, global const uint *x) { uint i = get_global_id(0), k = x[i], m = 0; while (k > 1) { k = k & 1 ? 3 * k + 1 >> 2 : k >> 1; m++; } y[i] = m; }
kernel void together(global uint *y, global const uint *x) { uint i = get_global_id(0), k = x[i]; for (uint m = 0; m < 500; m++) k = k * 3 + m; y[i] = k; }
kernel void counts(global uint *y, global uint *x) { uint i = get_global_id(0); y[i] = atomic_add((volatile global int *)x, 1); }
kernel void group(global uint *y, global const uint *x) { local uint s[256]; uint l = get_local_id(0), i = get_global_id(0); s[l] = x[i]; barrier(1); y[i] = s[l ^ 1]; }`)
	const long = 10_000 // nanoseconds of a work-item
	for _, lv := range levels() {
		if lv.Base != nil {
			continue
		}
		for _, c := range []struct {
			name           string
			cost           float64 // of scalar code
			gangs, workers int
			pace           float64
			lanes          func(before int) int // nil: unchanged
		}{
			{"leaves", 0.9, 5, 16, long, func(int) int { return 1 }},
			{"leaves", 3, 5, 16, long, func(before int) int { return before / 2 }},
			{"leaves", 0.9, 5, 2, long, nil},
			{"leaves", 0.9, 40, 16, long, nil},
			{"leaves", 0.9, 5, 16, 1, nil},
			{"leaves", 0.9, 5, 16, 0, nil},
			{"leaves", 0.9, 5, 1, long, nil},
			{"together", math.Inf(1), 5, 16, long, func(before int) int { return before / 2 }},
			{"counts", 0.9, 5, 16, long, nil},
			{"group", 0.9, 5, 16, long, nil},
		} {
			code, err := newCode(m.Func(c.name), Options{Level: lv})
			if err != nil {
				t.Fatal(err)
			}
			code.scalar.once.Do(func() { code.scalar.cost = c.cost })
			if err := code.begin(nil); err != nil {
				t.Fatal(err)
			}
			v := code.base
			rg := &exec.NDRange{Global: [3]uint64{uint64(c.gangs*v.lanes) - 3, 1, 1}, Local: [3]uint64{1, 1, 1}}
			v.paceBits.Store(math.Float64bits(c.pace))
			v.spread(rg, c.workers)
			for _, s := range code.variants {
				<-s.made
			}
			want := v.lanes
			if c.lanes != nil {
				want = c.lanes(v.lanes)
			}
			s := v.spread(rg, c.workers)
			if s.err != nil || s.lanes != want && (want == 1 || v.lanes > lv.Lanes) {
				t.Errorf("%s: %s, %d gangs of %d, %d workers, %v ns: gangs of %d, not %d: %v", lv.Name, c.name, c.gangs, v.lanes, c.workers, c.pace, s.lanes, want, s.err)
			}
			if s == v {
				continue
			}
			s.paceBits.Store(math.Float64bits(100 * c.pace))
			if back := v.spread(rg, c.workers); back != v {
				t.Errorf("%s: %s: gangs of %d although they were slow", lv.Name, c.name, back.lanes)
			}
		}
	}
}

// TestRowLanes tests the lengths of gangs for rows of the range that do not fill them, and compares what they write.
func TestRowLanes(t *testing.T) {
	m := build(t, `
kernel void sum(global int *y, global const int *x) { int w = get_global_size(0), i = get_global_id(1) * w + get_global_id(0); y[i] = x[i] * 3 + (int)get_global_id(0) - (get_global_id(0) > 0 ? x[i - 1] : 5); }
kernel void group(global int *y, global const int *x) { local int s[256]; uint l = get_local_id(0), i = get_global_id(1) * get_global_size(0) + get_global_id(0); s[l] = x[i]; barrier(1); y[i] = s[l]; }
kernel void counts(global int *y, global int *x) { int i = get_global_id(1) * get_global_size(0) + get_global_id(0); y[i] = atomic_add((volatile global int *)x, 1); }`)
	for _, lv := range levels() {
		if lv.Base != nil {
			continue
		}
		for _, c := range []struct {
			name    string
			gangs   float64 // of the row
			shorter bool
		}{
			{"sum", 1, false},
			{"sum", 1.03125, true},
			{"sum", 1.25, true},
			{"sum", 1.5, true},
			{"sum", 0.96875, false},
			{"sum", 10.03125, false},
			{"group", 1.03125, false},
			{"counts", 1.03125, false},
		} {
			code, err := newCode(m.Func(c.name), Options{Level: lv})
			if err != nil {
				t.Fatal(err)
			}
			if err := code.begin(nil); err != nil {
				t.Fatal(err)
			}
			v := code.base
			w := uint64(c.gangs * float64(v.lanes))
			rg := &exec.NDRange{Dims: 2, Global: [3]uint64{w, backgroundItems/w + 1, 1}, Local: [3]uint64{w, 1, 1}}
			v.forRows(rg)
			for _, s := range code.variants {
				<-s.made
			}
			if s := v.forRows(rg); s.err != nil || s.lanes < v.lanes != (c.shorter && v.lanes > lv.Lanes) {
				t.Errorf("%s: %s, %d work-items in a row, gangs of %d: gangs of %d: %v", lv.Name, c.name, w, v.lanes, s.lanes, s.err)
			}
		}
	}
	x := scrambled(100 * 70)
	for _, w := range []uint64{33, 65, 72, 100} {
		alike(t, m, "sum", []shape{{[]uint64{w, 70}, []uint64{w, 1}}}, make(buf, 4*100*70), x)
	}
}

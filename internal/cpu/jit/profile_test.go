//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/run/interp"
)

// profileOf runs a kernel as machine code with a profile, compares the results with the reference executor's,
// and returns the kernel's times.
func profileOf(t *testing.T, src, kernel string, lv int, global, local []uint64, list []any) KernelTime {
	t.Helper()
	m := build(t, src)
	p := &Profile{}
	got, err := run(t, m, kernel, New(Options{Level: levels()[lv], Panics: true, Profile: p}), global, local, list)
	want, err2 := run(t, build(t, src), kernel, interp.Reference, global, local, list)
	if err != err2 || !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("results with a profile differ from the reference executor: %q, %q", err, err2)
	}
	kernels := p.Kernels()
	if len(kernels) != 1 {
		t.Fatalf("profile of %d kernels, not 1", len(kernels))
	}
	return kernels[0]
}

// lineOf returns the time of line n.
func lineOf(k KernelTime, n int) (out LineTime) {
	for _, l := range k.Lines {
		if k.Kernel.Module.Source.Location(l.Pos).Line == n {
			return l
		}
	}
	return out
}

// TestProfile: the counts are those of the source's loops, and the times of lines add up.
func TestProfile(t *testing.T) {
	const src = `kernel void k(global float *o, int n) {
	size_t i = get_global_id(0);
	float x = o[i];
	#pragma unroll 1
	for (int j = 0; j < n; j++)
		x = sqrt(x * 1.5f + j);
	o[i] = x;
	if (i == 70)
		printf("%f\n", x);
}`
	for lv := range levels() {
		const items, rounds = 1000, 50
		k := profileOf(t, src, "k", lv, []uint64{items}, nil, []any{buf(floats(items, func(i int) float32 { return float32(i) })), i32(rounds)})
		gangs := uint64((items + k.Lanes - 1) / k.Lanes)
		if loop := lineOf(k, 6); loop.Gangs < gangs*rounds/4 || loop.Gangs > (gangs+3)*rounds {
			t.Errorf("%s: the loop's line ran %d times, not about %d", k.Level, loop.Gangs, gangs*rounds)
		}
		if once := lineOf(k, 7); once.Gangs < gangs*3/4 || once.Gangs > gangs+3 {
			t.Errorf("%s: the last store ran %d times, not about %d", k.Level, once.Gangs, gangs)
		}
		if lineOf(k, 6).Time <= lineOf(k, 3).Time {
			t.Errorf("%s: the loop's line took no longer than the load before it", k.Level)
		}
		if lineOf(k, 9).Time == 0 {
			t.Errorf("%s: printf took no time", k.Level)
		}
		sum := time.Duration(0)
		for _, l := range k.Lines {
			sum += l.Time
		}
		if diff := k.Total - sum; diff < -time.Microsecond || diff > time.Microsecond {
			t.Errorf("%s: lines take %v, the kernel %v", k.Level, sum, k.Total)
		}
	}
}

// TestProfileGroups: the profile handles barriers, partial gangs and divergent loops.
func TestProfileGroups(t *testing.T) {
	const src = `kernel void k(global int *o, local int *l) {
	int i = get_local_id(0);
	l[i] = o[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	int x = l[(i + 1) % get_local_size(0)];
	while (x & 15)
		x += i | 1;
	o[get_global_id(0)] = x;
}`
	for lv := range levels() {
		for _, size := range []uint64{8, 24, 50, 64} {
			k := profileOf(t, src, "k", lv, []uint64{4 * size}, []uint64{size}, []any{buf(ints(int(4*size), func(i int) int { return 7 * i })), int(4 * size)})
			if l := lineOf(k, 5); l.Gangs == 0 {
				t.Errorf("%s, groups of %d: the line after the barrier has not run", k.Level, size)
			}
		}
	}
}

//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/purecl/purecl"
)

const launchSource = `
kernel void empty(global int *a) { if (get_global_id(0) == 0) a[0] = 1; }
kernel void step(global int *a, int n) { size_t i = get_global_id(0); a[i] = a[i] * 3 + n; }
kernel void copy(global float4 *y, global const float4 *x) { size_t i = get_global_id(0); y[i] = x[i]; }
kernel void triad(global float4 *y, global const float4 *a, global const float4 *b) { size_t i = get_global_id(0); y[i] = a[i] + 3.0f * b[i]; }
kernel void sum(global float *out, global const float4 *x, int n) {
	local float part[256];
	size_t l = get_local_id(0);
	float s = 0;
	for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
		float4 v = x[i];
		s += (v.x + v.y) + (v.z + v.w);
	}
	part[l] = s;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int w = 128; w > 0; w /= 2) {
		if (l < w) part[l] += part[l + w];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (l == 0) out[get_group_id(0)] = part[0];
}`

// measureLaunches prints what a launch costs, how fast memory is copied and read, and the time from source to the first
// result.
func measureLaunches(dev *purecl.Device) error {
	ctx := context.Background()
	fmt.Println(dev)
	if _, err := purecl.NewBuffer(dev, []int32{1}); err != nil { // the context
		return err
	}
	for i := range 3 {
		began := time.Now()
		prog, err := dev.Compile(fmt.Sprintf("kernel void first(global int *a, int n) { size_t i = get_global_id(0); if (i < n) a[i] = i * %d; }", i+3))
		if err != nil {
			return err
		}
		k, err := prog.Kernel("first")
		if err != nil {
			return err
		}
		out := make([]int32, 64)
		if err := k.Run(ctx, purecl.Range(64), out, 64); err != nil {
			return err
		}
		fmt.Printf("source to first result, program %d: %.1f ms\n", i+1, time.Since(began).Seconds()*1e3)
		prog.Close()
	}
	prog, err := dev.Compile(launchSource)
	if err != nil {
		return err
	}
	if err := enqueued(ctx, dev, prog); err != nil {
		return err
	}
	if err := bandwidths(ctx, dev, prog); err != nil {
		return err
	}
	return measureRoofline(dev)
}

// best returns the shortest and the median time of many calls.
func best(n int, do func() error) (least, median time.Duration, err error) {
	var list []time.Duration
	for range n {
		began := time.Now()
		if err := do(); err != nil {
			return 0, 0, err
		}
		list = append(list, time.Since(began))
	}
	slices.Sort(list)
	return list[0], list[n/2], nil
}

func enqueued(ctx context.Context, dev *purecl.Device, prog *purecl.Program) error {
	k, err := prog.Kernel("step")
	if err != nil {
		return err
	}
	b, err := purecl.NewBuffer(dev, make([]int32, 1024))
	if err != nil {
		return err
	}
	defer b.Close()
	least, median, err := best(3000, func() error { return k.Run(ctx, purecl.Range(1024), b, 1) })
	if err != nil {
		return err
	}
	fmt.Printf("launch and wait: %.2f µs, median %.2f\n", least.Seconds()*1e6, median.Seconds()*1e6)
	s := dev.Stream()
	defer s.Close()
	least, median, err = best(30, func() error {
		for range 1000 {
			s.Run(k, purecl.Range(1024), b, 1)
		}
		return s.Wait(ctx)
	})
	fmt.Printf("1,000 enqueued in a stream, and the wait: %.2f µs each, median %.2f\n", least.Seconds()*1e3, median.Seconds()*1e3)
	return err
}

func bandwidths(ctx context.Context, dev *purecl.Device, prog *purecl.Program) error {
	const n = 1 << 28 // floats: 1 GiB
	var list [3]*purecl.Buffer[float32]
	host := make([]float32, n)
	for i := range host {
		host[i] = float32(i & 1023)
	}
	for i := range list {
		b, err := purecl.NewBuffer(dev, host)
		if err != nil {
			return err
		}
		defer b.Close()
		list[i] = b
	}
	show := func(what string, bytes float64, times int, do func() error) error {
		least, _, err := best(times, do)
		fmt.Printf("%s: %.1f GB/s, %.1f µs\n", what, bytes/least.Seconds()/1e9, least.Seconds()*1e6)
		return err
	}
	if err := show("slice of 256 MiB to the device", n, 4, func() error { return list[0].Write(ctx, host[:n/4]) }); err != nil {
		return err
	}
	if err := show("256 MiB from the device to a slice", n, 4, func() error { return list[0].Read(ctx, host[:n/4]) }); err != nil {
		return err
	}
	s := dev.Stream()
	defer s.Close()
	if err := show("copies of 1 GiB on the device", 8*n, 10, func() error { s.Copy(list[1], list[0]); return s.Wait(ctx) }); err != nil {
		return err
	}
	for _, c := range []struct {
		kernel string
		bytes  float64
		rng    purecl.NDRange
		args   []any
	}{
		{"copy", 8 * n, purecl.Range(n / 4).Local(256), []any{list[1], list[0]}},
		{"triad", 12 * n, purecl.Range(n / 4).Local(256), []any{list[2], list[0], list[1]}},
		{"sum", 4 * n, purecl.Range(132 * 8 * 256).Local(256), []any{list[2], list[0], n / 4}},
	} {
		k, err := prog.Kernel(c.kernel)
		if err != nil {
			return err
		}
		if err := show("kernel "+c.kernel+" over 1 GiB buffers", c.bytes, 20, func() error { return k.Run(ctx, c.rng, c.args...) }); err != nil {
			return err
		}
	}
	return nil
}

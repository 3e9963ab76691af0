package purecl_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/purecl/purecl"
)

// kernel compiles a program and returns one of its kernels.
func kernel(source, name string) *purecl.Kernel {
	prog, err := purecl.Compile(source, "")
	if err != nil {
		log.Fatal(err)
	}
	k, err := prog.Kernel(name)
	if err != nil {
		log.Fatal(err)
	}
	return k
}

// Kernels work on Go slices in place.
func ExampleKernel_Run() {
	saxpy := kernel(`
kernel void saxpy(global float *y, global const float *x, float a) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}`, "saxpy")
	x, y := []float32{1, 2, 3, 4}, []float32{10, 20, 30, 40}
	if err := saxpy.Run(context.Background(), purecl.Range(len(y)), y, x, 0.5); err != nil {
		log.Fatal(err)
	}
	fmt.Println(y)
	// Output: [10.5 21 31.5 42]
}

// Local memory and barriers: each work-group of four adds up its numbers.
func ExampleLocalMem() {
	sum := kernel(`
kernel void sum(global const int *in, global int *out, local int *t) {
    int l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    for (int n = get_local_size(0) / 2; n > 0; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n) t[l] += t[l + n];
    }
    if (l == 0) out[get_group_id(0)] = t[0];
}`, "sum")
	in, out := []int32{1, 2, 3, 4, 10, 20, 30, 40}, make([]int32, 2)
	if err := sum.Run(context.Background(), purecl.Range(8).WithLocal(4), in, out, purecl.LocalMem(4*4)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out)
	// Output: [10 100]
}

// Slices of structs are laid out as in the kernel.
func ExampleKernel_Run_structs() {
	type body struct {
		Pos, Vel purecl.Float4
		Mass     float32
		_        [3]float32 // float4 makes the struct a multiple of 16 bytes
	}
	step := kernel(`
struct body { float4 pos, vel; float mass; };
kernel void step(global struct body *b, float dt) {
    size_t i = get_global_id(0);
    b[i].pos += dt * b[i].vel;
}`, "step")
	bodies := []body{{Vel: purecl.Float4{1, 2, 3}, Mass: 1}}
	if err := step.Run(context.Background(), purecl.Range(1), bodies, 0.5); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bodies[0].Pos)
	// Output: float4 (0.5, 1, 1.5, 0)
}

// A program that does not compile gives diagnostics with positions.
func ExampleBuildError() {
	_, err := purecl.Compile("kernel void k(global ushort4 *p, float4 f) {\n  p[0] = convert_uchar4_sat_rte(f);\n}", "")
	var build *purecl.BuildError
	if errors.As(err, &build) {
		d := build.Diagnostics[0]
		fmt.Printf("%d:%d: %s\n", d.Line, d.Column, d.Message)
	}
	fmt.Println(errors.Is(err, purecl.BuildProgramFailure))
	// Output:
	// 2:10: assigning to 'ushort4' from incompatible type 'uchar4'
	// true
}

// A kernel that leaves its buffer harms nobody and says where.
func ExampleFaultError() {
	k := kernel("kernel void k(global int *p) {\n  p[get_global_id(0)] = 1;\n}", "k")
	err := k.Run(context.Background(), purecl.Range(5), make([]int32, 4))
	var fault *purecl.FaultError
	if errors.As(err, &fault) {
		f := fault.Findings[0]
		fmt.Printf("line %d: %s\n", f.Line, f.Message)
	}
	// Output: line 2: out of bounds: store of 4 bytes at offset 16, outside the 16 bytes of the global memory of p (argument 0)
}

// CheckAll looks for races, uninitialised values and results that the standard leaves open.
func ExampleKernel_RunWith() {
	k := kernel("kernel void k(global int *sum) {\n  sum[0] += get_global_id(0);\n}", "k")
	rep, err := k.RunWith(context.Background(), purecl.RunOptions{Checks: purecl.CheckAll}, purecl.Range(8).WithLocal(8), make([]int32, 1))
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range rep.Findings {
		fmt.Printf("%s at line %d\n", f.Kind, f.Line)
	}
	// Output: race-in-group at line 2
}

// A context ends a launch.
func ExampleKernel_Run_cancel() {
	k := kernel("kernel void k(global int *p) {\n  while (p[1] == 0) p[0]++;\n}", "k")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	fmt.Println(k.Run(ctx, purecl.Range(1), make([]int32, 2)))
	// Output: context deadline exceeded
}

// OpenCL's own model: buffers, a queue, and events.
func ExampleQueue() {
	c := purecl.DefaultContext()
	double := kernel("kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }", "twice")
	q, err := c.NewQueue(purecl.DefaultDevice(), purecl.QueueProperties{})
	if err != nil {
		log.Fatal(err)
	}
	buf, err := c.NewBuffer(purecl.MemReadWrite, 4, nil)
	if err != nil {
		log.Fatal(err)
	}
	out := make([]byte, 4)
	if err := double.Set(0, buf); err != nil {
		log.Fatal(err)
	}
	q.Write(buf, 0, []byte{21, 0, 0, 0})
	q.NDRange(double, purecl.Range(1))
	q.Read(out, buf, 0)
	if err := q.Finish(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out)
	// Output: [42 0 0 0]
}

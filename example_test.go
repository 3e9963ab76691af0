package purecl_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"
	"time"

	"github.com/purecl/purecl"
	"github.com/purecl/purecl/vec"
)

// kernel compiles a program and returns one of its kernels.
func kernel(source, name string, options ...string) *purecl.Kernel {
	prog, err := purecl.Compile(source, options...)
	if err != nil {
		log.Fatal(err)
	}
	k, err := prog.Kernel(name)
	if err != nil {
		log.Fatal(err)
	}
	return k
}

const saxpy = `
kernel void saxpy(global float *y, global const float *x, float a) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}`

// Compile a kernel and run it on Go slices.
func Example() {
	prog, err := purecl.Compile(saxpy)
	if err != nil {
		log.Fatal(err)
	}
	k, err := prog.Kernel("saxpy")
	if err != nil {
		log.Fatal(err)
	}
	x, y := []float32{1, 2, 3, 4}, []float32{10, 20, 30, 40}
	if err := k.Run(context.Background(), purecl.Range(len(y)), y, x, 0.5); err != nil {
		log.Fatal(err)
	}
	fmt.Println(y)
	// Output: [10.5 21 31.5 42]
}

// Buffers and a stream: work in order while the Go program continues.
func ExampleDevice_Stream() {
	dev, err := purecl.Open("cpu")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	prog, err := dev.Compile(saxpy)
	if err != nil {
		log.Fatal(err)
	}
	k, err := prog.Kernel("saxpy")
	if err != nil {
		log.Fatal(err)
	}
	xs := []float32{1, 2, 3, 4}
	x, err := purecl.NewBuffer(dev, xs)
	if err != nil {
		log.Fatal(err)
	}
	y, err := purecl.NewBuffer(dev, make([]float32, len(xs)))
	if err != nil {
		log.Fatal(err)
	}
	ys := make([]float32, len(xs))

	s := dev.Stream()
	s.Write(x, []float32{5}) // x is 5 2 3 4
	s.Copy(y, x)
	s.Run(k, purecl.Range(y.Len()).Local(2), y, x, 2.0)
	s.Read(ys, y)
	s.Do(func() error { fmt.Println("done:", ys); return nil })
	if err := s.Wait(context.Background()); err != nil {
		log.Fatal(err)
	}
	if err := s.Close(); err != nil {
		log.Fatal(err)
	}
	// Output: done: [15 6 9 12]
}

// A stream keeps the errors of its work for Wait, which joins them.
func ExampleStream_Wait() {
	dev, err := purecl.Open("")
	if err != nil {
		log.Fatal(err)
	}
	k := kernel("kernel void k(global int *p, int n) { p[n] = 1; }", "k")
	s := dev.Stream()
	s.Run(k, purecl.Range(1), make([]int32, 4), 4)
	s.Run(k, purecl.Range(1), make([]int32, 4), "4")
	fmt.Println(strings.ReplaceAll(fmt.Sprint(s.Wait(context.Background())), "purecl: ", ""))
	// Output:
	// work 1 of the stream (Run): kernel k: <source>:1:39: out of bounds: store of 4 bytes at offset 16, outside the 16 bytes of the global memory of p (argument 0)
	// work 2 of the stream (Run): kernel k: argument 1 (n, int): got a string; give an int32 or an int that it holds
}

// A buffer is memory of a device. On one that shares Go's memory a slice can be a buffer.
func ExampleBuffer() {
	dev, err := purecl.Open("cpu")
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	a, err := purecl.NewBuffer(dev, []int32{1, 2, 3, 4})
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	var tail *purecl.Buffer[int32]
	tail, err = a.Part(2, a.Len())
	if err != nil {
		log.Fatal(err)
	}
	if err := tail.Write(ctx, []int32{30, 40}); err != nil {
		log.Fatal(err)
	}
	out := make([]int32, a.Len())
	if err := a.Read(ctx, out); err != nil {
		log.Fatal(err)
	}
	mem, err := a.Slice()
	if err != nil {
		log.Fatal(err)
	}
	mem[0] = 10
	b, err := purecl.WrapSlice(dev, out) // writes to b are writes to out
	if err != nil {
		log.Fatal(err)
	}
	var any purecl.Memory = b
	fmt.Println(out, mem, any.Len(), any.Device() == dev, b.Device() == dev)
	// Output: [1 2 30 40] [10 2 30 40] 4 true true
}

// Local memory and barriers: each work-group of four adds up its numbers.
func ExampleLocal() {
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
	if err := sum.Run(context.Background(), purecl.Range(8).Local(4), in, out, purecl.Local(4*4)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out)
	// Output: [10 100]
}

// Structs have the kernel's fields, with padding where OpenCL C has it.
func ExampleKernel_Run_structs() {
	type body struct {
		Pos, Vel vec.Float4
		Mass     float32
		_        [12]byte // float4 makes the struct a multiple of 16 bytes
	}
	step := kernel(`
struct body { float4 pos, vel; float mass; };
kernel void step(global struct body *b, float dt) {
    size_t i = get_global_id(0);
    b[i].pos += dt * b[i].vel;
}`, "step")
	bodies := []body{{Vel: vec.Float4{1, 2, 3}, Mass: 1}}
	if err := step.Run(context.Background(), purecl.Range(1), bodies, 0.5); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bodies[0].Pos)
	// Output: float4 (0.5, 1, 1.5, 0)
}

// Pictures of Go's package image are images: any for reading, and *image.NRGBA, *image.RGBA and *image.Gray for
// writing. A sampler defines how they are read, here a picture's width to the left, inside, and to the right.
func ExampleSampler() {
	k := kernel(`
kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
    int x = get_global_id(0);
    write_imagef(out, (int2)(x, 0), read_imagef(in, s, (float2)(x - 0.75f, 0.5f)));
}`, "k")
	in := image.NewGray(image.Rect(0, 0, 4, 1))
	for x := range 4 {
		in.SetGray(x, 0, color.Gray{Y: uint8(40 * x)})
	}
	for _, address := range []purecl.Address{purecl.Clamp, purecl.ClampToEdge, purecl.Repeat, purecl.MirroredRepeat} {
		out := image.NewGray(image.Rect(0, 0, 3, 1))
		s := purecl.Sampler{Normalized: true, Address: address}
		if err := k.Run(context.Background(), purecl.Range(3, 1), in, out, s); err != nil {
			log.Fatal(err)
		}
		fmt.Println(out.Pix)
	}
	inside := image.NewGray(image.Rect(0, 0, 3, 1))
	linear := purecl.Sampler{Normalized: true, Linear: true, Address: purecl.NoAddress}
	if err := k.Run(context.Background(), purecl.Range(1, 1).Offset(1, 0), in, inside, linear); err != nil {
		log.Fatal(err)
	}
	fmt.Println(inside.Pix)
	// Output:
	// [0 40 0]
	// [0 40 120]
	// [40 40 40]
	// [120 40 120]
	// [0 20 0]
}

// A program that does not compile gives diagnostics with positions.
func ExampleBuildError() {
	_, err := purecl.Compile("kernel void k(global ushort4 *p, float4 f) {\n  p[0] = convert_uchar4_sat_rte(f);\n}")
	var build *purecl.BuildError
	if errors.As(err, &build) {
		var d purecl.Diagnostic = build.Diagnostics[0]
		fmt.Printf("%d:%d: %s\n%v\n", d.Line, d.Column, d.Message, d.String() == fmt.Sprint(d))
	}
	fmt.Println(build.Error())
	fmt.Println(errors.Is(err, purecl.ErrBuild), build.Unwrap() == purecl.ErrBuild)
	// Output:
	// 2:10: assigning to 'ushort4' from incompatible type 'uchar4'
	// true
	// purecl: <source>:2:10: error: assigning to 'ushort4' from incompatible type 'uchar4'
	// true true
}

// A kernel that accesses memory outside its buffer changes nothing there. The error contains the position.
func ExampleFaultError() {
	k := kernel("kernel void k(global int *p) {\n  p[get_global_id(0)] = 1;\n}", "k")
	err := k.Run(context.Background(), purecl.Range(5), make([]int32, 4))
	var fault *purecl.FaultError
	if errors.As(err, &fault) {
		var f purecl.Finding = fault.Findings[0]
		fmt.Printf("line %d, work-item %v\n%v\n", f.Line, f.GlobalID, f.String())
	}
	fmt.Println(fault.Error())
	fmt.Println(errors.Is(err, purecl.ErrFault), fault.Unwrap() == purecl.ErrFault)
	// Output:
	// line 2, work-item [4 0 0]
	// <source>:2:3: out of bounds: store of 4 bytes at offset 16, outside the 16 bytes of the global memory of p (argument 0)
	// purecl: kernel k: <source>:2:3: out of bounds: store of 4 bytes at offset 16, outside the 16 bytes of the global memory of p (argument 0)
	// true true
}

// The error of an argument that does not fit names the parameter and what fits.
func ExampleArgError() {
	k := kernel(saxpy, "saxpy")
	err := k.Run(context.Background(), purecl.Range(4), make([]float32, 4), make([]float64, 4), 2.0)
	var arg *purecl.ArgError
	if errors.As(err, &arg) {
		fmt.Println(arg.Index, arg.Name, arg.Type)
	}
	fmt.Println(arg.Error())
	fmt.Println(errors.Is(err, purecl.ErrArgument), arg.Unwrap() == purecl.ErrArgument)
	// Output:
	// 1 x float*
	// purecl: kernel saxpy: argument 1 (x, float*): got a slice of float64; give a slice or buffer of float32
	// true true
}

// Checks look for races, uninitialised values and results that the standard does not define.
func ExampleKernel_With() {
	k := kernel("kernel void k(global int *sum) {\n  sum[0] += get_global_id(0);\n  printf(\"%d\", (int)get_global_id(0));\n}", "k")
	var out strings.Builder
	k = k.With(purecl.Options{
		Checks: purecl.CheckAll, // CheckMemory: no races; CheckNone: bounds only
		Stdout: &out,
		Report: func(r *purecl.Report) {
			for _, f := range r.Findings {
				fmt.Printf("%s: %s at line %d\n", r.Kernel, f.Kind, f.Line)
			}
			fmt.Println(r.Local, r.Executor, !r.End.Before(r.Start))
		},
	})
	if err := k.Run(context.Background(), purecl.Range(8).Local(8), make([]int32, 1)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.String())
	for _, c := range []purecl.Checks{purecl.CheckNone, purecl.CheckMemory} {
		quiet := k.With(purecl.Options{Checks: c, Stdout: &out, Workers: 1})
		if err := quiet.Run(context.Background(), purecl.Range(8), make([]int32, 1)); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// k: race-in-group at line 2
	// [8 1 1] reference true
	// 01234567
}

// Robust mode is for programs that read a little past their buffers on purpose.
func ExampleMode() {
	k := kernel("kernel void k(global int *p) { p[0] = p[4] + 7; }", "k")
	for _, m := range []purecl.Mode{purecl.Strict, purecl.Robust} {
		p := make([]int32, 4)
		err := k.With(purecl.Options{Mode: m}).Run(context.Background(), purecl.Range(1), p)
		fmt.Println(err == nil)
		if m == purecl.Robust {
			fmt.Println(p)
		}
	}
	// Output:
	// false
	// true
	// [7 0 0 0]
}

// A context ends a launch.
func ExampleKernel_Run_cancel() {
	k := kernel("kernel void k(global int *p) {\n  while (p[1] == 0) p[0]++;\n}", "k")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	fmt.Println(k.Run(ctx, purecl.Range(1), make([]int32, 2)))
	// Output: context deadline exceeded
}

// Diagnostics and findings name the file.
func ExampleCompileFile() {
	dir, err := os.MkdirTemp("", "purecl")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "wrong.cl")
	if err := os.WriteFile(name, []byte("kernel void k(global int *p) { p[0] = x; }"), 0o666); err != nil {
		log.Fatal(err)
	}
	_, err = purecl.CompileFile(name)
	fmt.Println(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	dev, err := purecl.Open("")
	if err != nil {
		log.Fatal(err)
	}
	_, err = dev.CompileFile(name)
	fmt.Println(errors.Is(err, purecl.ErrBuild))
	// Output:
	// purecl: wrong.cl:1:39: error: use of undeclared identifier 'x'
	// true
}

// With an embed.FS, #include finds the other files of a Go package.
func ExampleDevice_CompileFS() {
	files := fstest.MapFS{
		"kernels/main.cl": {Data: []byte("#include \"half.h\"\nkernel void k(global int *p) { p[0] = HALF; }")},
		"kernels/half.h":  {Data: []byte("#define HALF 21")},
	}
	dev, err := purecl.Open("")
	if err != nil {
		log.Fatal(err)
	}
	prog, err := dev.CompileFS(files, "kernels/main.cl", "-cl-std=CL3.0", "-DN=3")
	if err != nil {
		log.Fatal(err)
	}
	defer prog.Close()
	fmt.Println(prog.Kernels(), len(prog.Warnings()), prog.Device() == dev)
	// Output: [k] 0 true
}

// A program lists its kernels and their arguments.
func ExampleKernel_Args() {
	k := kernel("kernel __attribute__((reqd_work_group_size(64, 1, 1)))\nvoid k(global const float4 *in, read_only image2d_t img, local int *tmp, uchar n) {}", "k")
	for _, a := range k.Args() {
		var arg purecl.Arg = a
		fmt.Println(strings.TrimSpace(arg.Space+arg.Access), arg.Type, arg.Name, "-", arg.Go)
	}
	var info purecl.KernelInfo = k.Info()
	fmt.Println(k.Name(), info.Required, info.MaxGroup, len(k.Program().Kernels()))
	// Output:
	// global float4* in - []vec.Float4
	// read_only image2d_t img - image.Image
	// local int* tmp - purecl.Local
	//  uchar n - uint8
	// k [64 1 1] 64 1
}

func ExampleNDRange() {
	var r purecl.NDRange = purecl.Range(1024, 768).Local(16, 16).Offset(0, 8)
	fmt.Println(r.String())
	// Output: 1024×768, work-groups of 16×16, from 0×8
}

// The environment variable PURECL_DEVICE names the device of Open("") and Compile.
func ExampleOpen() {
	dev, err := purecl.Open("cpu:0")
	if err != nil {
		log.Fatal(err)
	}
	var info purecl.Info = dev.Info()
	fmt.Println(info.Kind, info.SharesMemory, strings.HasPrefix(dev.String(), "cpu:0 ("))
	fmt.Println(len(purecl.Devices()) > 0)
	_, err = purecl.Open("tpu")
	fmt.Println(errors.Is(err, purecl.ErrNoDevice))
	if err := dev.Close(); err != nil {
		log.Fatal(err)
	}
	_, err = dev.Compile(saxpy)
	fmt.Println(errors.Is(err, purecl.ErrClosed))
	// Output:
	// cpu true true
	// true
	// true
	// true
}

package purecl

import (
	"context"
	"errors"
	"fmt"
	"image"
	"reflect"
	"strings"
	"testing"

	"github.com/purecl/purecl/vec"
)

const argsSource = `
typedef struct { float4 pos; int n; float w[3]; } body;
typedef struct { char c; double d; } loose;
typedef struct __attribute__((packed)) { char c; int i; } tight;
typedef union { int i; float f; } either;
kernel void ints(char c, uchar uc, short s, ushort us, int i, uint ui, long l, ulong ul) {}
kernel void one(global int *out, int v) { *out = v; }
kernel void flt(global float *out, float f) { *out = f; }
kernel void hlf(global uint *out, float2 v, double d) { *out = as_uint(v.y) + (uint)d; }
kernel void mem(global float *p, global const int4 *q, constant uint *c, local int *l) {}
kernel void raw(global void *p, global either *e) {}
kernel void bodies(global body *b, body v, loose x) { b[0].n = v.n + (int)x.d; b[0].w[2] = v.w[1]; }
kernel void packs(global int *out, tight t) { *out = t.i; }
kernel void null(global int *p, global int *q) { p[0] = q[0]; }
kernel void pictures(read_only image2d_t in, write_only image2d_t out, sampler_t s) {}
kernel void volumes(read_only image3d_t in, read_only image2d_array_t a) {}
`

func argsKernel(t testing.TB, name string) *Kernel {
	t.Helper()
	p, err := Compile(argsSource)
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

type (
	body struct {
		Pos vec.Float4
		N   int32
		W   [3]float32
	}
	swapped2 struct {
		Pos vec.Float4
		N   float32
		W   [3]float32
	}
	loose struct {
		C byte
		D float64
	}
	late struct {
		C byte
		_ [7]byte
		D float64
		E int32
	}
	celsius float64
	id      int32
)

// TestMisuse checks the message of each mistake. Every message names the kernel and the
// argument's number, name and OpenCL C type.
func TestMisuse(t *testing.T) {
	ints := func(i int, v any) []any {
		a := []any{1, 1, 1, 1, 1, 1, 1, 1}
		a[i] = v
		return a
	}
	pic := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	dev, err := Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	floats, err := NewBuffer(dev, make([]float64, 4))
	if err != nil {
		t.Fatal(err)
	}
	closed, err := NewBuffer(dev, make([]float32, 4))
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	var nilPicture *image.Gray
	mem := func(i int, v any) []any {
		a := []any{make([]float32, 4), make([]vec.Int4, 1), make([]uint32, 1), Local(4)}
		a[i] = v
		return a
	}
	for _, c := range []struct {
		kernel string
		args   []any
		index  int
		want   string
	}{
		{"ints", []any{1, 2}, -1, "it takes 8 arguments (char c, uchar uc, short s, ushort us, int i, uint ui, long l, ulong ul), got 2"},
		{"one", []any{make([]int32, 1), 1, 2}, -1, "it takes 2 arguments (int* out, int v), got 3"},
		{"ints", ints(0, 128), 0, "argument 0 (c, char): got 128, which no char holds"},
		{"ints", ints(1, -1), 1, "argument 1 (uc, uchar): got -1, which no uchar holds"},
		{"ints", ints(1, 256), 1, "got 256, which no uchar holds"},
		{"ints", ints(2, 1<<15), 2, "got 32768, which no short holds"},
		{"ints", ints(3, -1), 3, "got -1, which no ushort holds"},
		{"ints", ints(4, 1<<31), 4, "got 2147483648, which no int holds"},
		{"ints", ints(5, 1<<32), 5, "got 4294967296, which no uint holds"},
		{"ints", ints(7, -1), 7, "argument 7 (ul, ulong): got -1, which no ulong holds"},
		{"ints", ints(4, "1"), 4, "argument 4 (i, int): got a string; give an int32 or an int that it holds"},
		{"ints", ints(4, 1.5), 4, "got the float64 1.5; give an int32 or an int that it holds"},
		{"ints", ints(4, 2.0), 4, "got the float64 2; give an int32"},
		{"ints", ints(4, float32(1)), 4, "got the float32 1; give an int32"},
		{"ints", ints(4, int64(1)), 4, "got the int64 1; give an int32"},
		{"ints", ints(4, uint32(1)), 4, "got the uint32 1; give an int32"},
		{"ints", ints(4, true), 4, "got the bool true; give an int32"},
		{"ints", ints(4, nil), 4, "got nil; give an int32"},
		{"ints", ints(4, []int32{1}), 4, "got a slice of int32; give an int32"},
		{"ints", ints(4, vec.Int2{}), 4, "got a vec.Int2; give an int32"},
		{"ints", ints(6, uint64(1)), 6, "argument 6 (l, long): got the uint64 1; give an int64"},
		{"ints", ints(4, Local(4)), 4, "got 4 bytes of local memory; give an int32"},
		{"ints", ints(4, func() {}), 4, "got a function; give an int32"},
		{"ints", ints(4, map[int]int{}), 4, "got a map;"},
		{"ints", ints(4, make(chan int)), 4, "got a channel;"},
		{"ints", ints(4, errors.New("x")), 4, "got an error;"},
		{"ints", ints(4, new(int32)), 4, "got a pointer to int32;"},
		{"ints", ints(4, celsius(1)), 4, "got the purecl.celsius 1;"},
		{"flt", []any{make([]float32, 1), 1e40}, 1, "argument 1 (f, float): got 1e+40, which is beyond the range of float"},
		{"flt", []any{make([]float32, 1), -1e40}, 1, "got -1e+40, which is beyond the range of float"},
		{"flt", []any{make([]float32, 1), int32(1)}, 1, "got the int32 1; give a float32 or a number that it holds"},
		{"hlf", []any{make([]uint32, 1), 1.0, 1}, 1, "argument 1 (v, float2): got the float64 1; give a vec.Float2"},
		{"hlf", []any{make([]uint32, 1), vec.Float3{}, 1}, 1, "got a vec.Float3; give a vec.Float2"},
		{"hlf", []any{make([]uint32, 1), vec.Int2{}, 1}, 1, "got a vec.Int2; give a vec.Float2"},
		{"mem", mem(0, make([]float64, 2)), 0, "argument 0 (p, float*): got a slice of float64; give a slice or buffer of float32"},
		{"mem", mem(0, make([]int, 2)), 0, "got a slice of int; give a slice or buffer of float32"},
		{"mem", mem(0, []string{"x"}), 0, "got a slice of string, whose elements kernels cannot have; give a slice or buffer of float32"},
		{"mem", mem(0, []*float32{nil}), 0, "got a slice of *float32, whose elements kernels cannot have"},
		{"mem", mem(0, 1.0), 0, "got the float64 1; give a slice or buffer of float32"},
		{"mem", mem(0, Local(4)), 0, "got 4 bytes of local memory; give a slice or buffer of float32"},
		{"mem", mem(0, floats), 0, "got a buffer of float64; give a slice or buffer of float32"},
		{"mem", mem(0, closed), 0, "the buffer is closed"},
		{"mem", mem(1, make([]int32, 6)), 1, "argument 1 (q, int4*): got a slice of int32 with 6 elements, which is no whole number of int4"},
		{"mem", mem(1, make([]vec.Int2, 2)), 1, "got a slice of vec.Int2; give a slice or buffer of vec.Int4 or of int32"},
		{"mem", mem(1, make([]vec.Float4, 2)), 1, "got a slice of vec.Float4; give a slice or buffer of vec.Int4 or of int32"},
		{"mem", mem(2, make([]int32, 2)), 2, "argument 2 (c, uint*): got a slice of int32; give a slice or buffer of uint32"},
		{"mem", mem(3, 64), 3, "argument 3 (l, int*): got the int 64; give purecl.Local(n), n bytes for each work-group"},
		{"mem", mem(3, Local(0)), 3, "got 0 bytes of local memory; give purecl.Local(n)"},
		{"mem", mem(3, make([]int32, 4)), 3, "got a slice of int32; give purecl.Local(n)"},
		{"raw", []any{1, nil}, 0, "argument 0 (p, void*): got the int 1; give a slice, a buffer or nil"},
		{"bodies", []any{make([]swapped2, 1), body{}, loose{}}, 0, "got a slice of purecl.swapped2, which does not lie in memory as body does: at byte 16 stands N, a float32, where body.n is an int; a slice of this fits:\nstruct {\n\tPos vec.Float4\n\tN int32\n\tW [3]float32\n}"},
		{"bodies", []any{make([]body, 1), swapped2{}, loose{}}, 1, "argument 1 (v, body): got a struct purecl.swapped2, which does not lie in memory as body does: at byte 16 stands N, a float32, where body.n is an int; this fits:"},
		{"bodies", []any{make([]body, 1), body{}, body{}}, 2, "argument 2 (x, loose): got a struct purecl.body, which does not lie in memory as loose does: purecl.body has 32 bytes, loose 16; this fits:\nstruct {\n\tC int8\n\tD float64\n}"},
		{"bodies", []any{make([]float32, 8), body{}, loose{}}, 0, "got a slice of float32, which does not lie in memory as body does: float32 has 4 bytes, body 32"},
		{"bodies", []any{make([]body, 1), 1, loose{}}, 1, "got the int 1; give\nstruct {"},
		{"packs", []any{make([]int32, 1), late{}}, 1, "purecl.late has 24 bytes, tight 5; this fits:\nstruct {\n\tC int8\n\tI [4]byte\n}"},
		{"pictures", []any{1, pic, Sampler{}}, 0, "argument 0 (in, image2d_t): got the int 1; give an image.Image"},
		{"pictures", []any{nilPicture, pic, Sampler{}}, 0, "got a nil picture; give an image.Image"},
		{"pictures", []any{image.NewUniform(image.Black.C), pic, Sampler{}}, 0, "got a picture of type *image.Uniform of 2000000000×2000000000 pixels; from 1×1 to 16384×16384 are possible"},
		{"pictures", []any{image.NewGray(image.Rectangle{}), pic, Sampler{}}, 0, "got a picture of type *image.Gray of 0×0 pixels"},
		{"pictures", []any{&image.NRGBA{Rect: image.Rect(0, 0, 9, 9), Stride: 36}, pic, Sampler{}}, 0, "got a picture of type *image.NRGBA whose pixels do not fill its bounds"},
		{"pictures", []any{&image.Gray16{Rect: image.Rect(0, 0, 9, 9), Stride: 18}, pic, Sampler{}}, 0, "got a picture of type *image.Gray16 that cannot be read"},
		{"pictures", []any{pic, image.NewYCbCr(image.Rect(0, 0, 2, 2), image.YCbCrSubsampleRatio420), Sampler{}}, 1, "argument 1 (out, image2d_t): got a picture of type *image.YCbCr; give an *image.NRGBA, *image.RGBA or *image.Gray, which the kernel writes to in place"},
		{"pictures", []any{pic, pic, 1}, 2, "argument 2 (s, sampler_t): got the int 1; give a purecl.Sampler"},
		{"pictures", []any{pic, pic, Sampler{Address: 9}}, 2, "got a Sampler with the unknown Address 9"},
		{"volumes", []any{pic, pic}, 0, "argument 0 (in, image3d_t): got a picture of type *image.NRGBA; pictures are for image2d_t only"},
	} {
		k := argsKernel(t, c.kernel)
		err := k.Run(context.Background(), Range(1), c.args...)
		var arg *ArgError
		if !errors.As(err, &arg) || arg.Index != c.index || !errors.Is(err, ErrArgument) {
			t.Errorf("%s%v: %v", c.kernel, c.args, err)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.kernel, err, c.want)
		}
		begin := "purecl: kernel " + c.kernel + ": it takes"
		if c.index >= 0 {
			a := k.Args()[c.index]
			begin = fmt.Sprintf("purecl: kernel %s: argument %d (%s, %s): ", c.kernel, c.index, a.Name, a.Type)
		}
		if !strings.HasPrefix(err.Error(), begin) || strings.Contains(err.Error(), "host.") || strings.Contains(err.Error(), "internal") {
			t.Errorf("%v", err)
		}
	}
}

func TestRangeMisuse(t *testing.T) {
	k := argsKernel(t, "one")
	for _, c := range []struct {
		r    NDRange
		want string
	}{
		{Range(), "the range has 0 dimensions: 1 to 3 fit"},
		{Range(1, 1, 1, 1), "the range has 4 dimensions"},
		{Range(-1), "the range -1 is negative"},
		{Range(8).Local(2, 2), "the work-group size 2×2 has 2 dimensions, the range 8 has 1"},
		{Range(8).Local(0), "the work-group size 0 must be positive"},
		{Range(8).Local(), "the work-group size 0 must be positive"},
		{Range(8).Local(3), "3 does not divide the global size 8 of dimension 0"},
		{Range(8192).Local(8192), "at most 4096"},
		{Range(128, 128).Local(128, 128), "is 16384 work-items, the device has at most 4096"},
		{Range(8).Offset(-1), "the offset -1"},
		{Range(8).Offset(1, 1), "the offset 1×1 has 2 dimensions"},
	} {
		err := k.Run(context.Background(), c.r, make([]int32, 1), 1)
		if err == nil || !strings.HasPrefix(err.Error(), "purecl: kernel one: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.r, err, c.want)
		}
	}
	if err := k.Run(context.Background(), Range(0), make([]int32, 1), 1); err != nil {
		t.Error(err)
	}
}

// TestArgumentValues checks the values of fitting arguments in the kernel.
func TestArgumentValues(t *testing.T) {
	ctx := context.Background()
	out := make([]int32, 1)
	for _, v := range []any{7, int32(7), id(7)} {
		out[0] = 0
		if err := argsKernel(t, "one").Run(ctx, Range(1), out, v); err != nil || out[0] != 7 {
			t.Errorf("%T: %v, %v", v, out, err)
		}
	}
	f := make([]float32, 1)
	for _, v := range []any{0.5, float32(0.5), celsius(0.5)} {
		if err := argsKernel(t, "flt").Run(ctx, Range(1), f, v); err != nil || f[0] != 0.5 {
			t.Errorf("%T: %v, %v", v, f, err)
		}
	}
	if err := argsKernel(t, "flt").Run(ctx, Range(1), f, 3); err != nil || f[0] != 3 {
		t.Errorf("%v, %v", f, err)
	}
	u := make([]uint32, 1)
	if err := argsKernel(t, "hlf").Run(ctx, Range(1), u, vec.Float2{1, 2}, 3); err != nil || u[0] != 0x40000003 {
		t.Errorf("%#x, %v", u, err)
	}
	b := make([]body, 2)
	if err := argsKernel(t, "bodies").Run(ctx, Range(1), b, &body{N: 40, W: [3]float32{1, 2, 3}}, loose{D: 2}); err == nil {
		t.Error("a byte for a char fits")
	}
	type fits struct {
		C int8
		D float64
	}
	if err := argsKernel(t, "bodies").Run(ctx, Range(1), b, &body{N: 40, W: [3]float32{1, 2, 3}}, fits{D: 2}); err != nil || b[0].N != 42 || b[0].W[2] != 2 {
		t.Errorf("%v, %v", b, err)
	}
	type packed struct {
		C int8
		I [4]byte
	}
	if err := argsKernel(t, "packs").Run(ctx, Range(1), out, packed{I: [4]byte{1, 2}}); err != nil || out[0] != 0x201 {
		t.Errorf("%v, %v", out, err)
	}
	if err := argsKernel(t, "packs").Run(ctx, Range(1), out, []byte{0, 3, 0, 0, 0}); err != nil || out[0] != 3 {
		t.Errorf("%v, %v", out, err)
	}
	one := int32(5)
	if err := argsKernel(t, "null").Run(ctx, Range(1), out, &one); err != nil || out[0] != 5 {
		t.Errorf("%v, %v", out, err)
	}
	if err := argsKernel(t, "null").Run(ctx, Range(1), out, &[2]int32{6}); err != nil || out[0] != 6 {
		t.Errorf("%v, %v", out, err)
	}
}

// TestNilNames checks that a fault of a null pointer names the arguments that are nil.
func TestNilNames(t *testing.T) {
	k := argsKernel(t, "null")
	for _, v := range []any{nil, []int32(nil), (*Buffer[int32])(nil)} {
		err := k.Run(context.Background(), Range(1), make([]int32, 1), v)
		if err == nil || !strings.HasSuffix(err.Error(), ": argument 1 (q, int*) is nil") {
			t.Errorf("%T: %v", v, err)
		}
	}
	err := k.Run(context.Background(), Range(1), nil, nil)
	if err == nil || !strings.Contains(err.Error(), "argument 0 (p, int*), argument 1 (q, int*) are nil") {
		t.Error(err)
	}
	err = k.Run(context.Background(), Range(1), make([]int32, 1), []int32{})
	if err == nil || !strings.Contains(err.Error(), "outside the 0 bytes of the global memory of q (argument 1)") {
		t.Error(err)
	}
}

// TestStructsThatFit checks that the Go type in a message is one that fits.
func TestStructsThatFit(t *testing.T) {
	p, err := Compile(`
typedef struct { char c; struct { short s; float3 v; } in[2]; ushort h; union { int a; double b; } u; int m[2][3]; } one;
kernel void k(one x) {}`)
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	type in = struct {
		S int16
		_ [12]byte
		V vec.Float3
	}
	fits := struct {
		C  int8
		_  [12]byte // after Go's own 3 bytes of padding
		In [2]in
		H  uint16
		_  [6]byte
		U  [8]byte
		M  [2][3]int32
		_  [8]byte
	}{}
	if err := k.Run(context.Background(), Range(1), fits); err != nil {
		t.Error(err)
	}
	err = k.Run(context.Background(), Range(1), struct{ X int32 }{})
	want := "struct {\n\tC int8\n\t_ [12]byte\n\tIn [2]struct {\n\t\tS int16\n\t\t_ [12]byte\n\t\tV vec.Float3\n\t}\n\tH uint16\n\t_ [6]byte\n\tU [8]byte\n\tM [2][3]int32\n\t_ [8]byte\n}"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v\nsize %d", err, reflect.TypeOf(fits).Size())
	}
}

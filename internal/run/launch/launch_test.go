package launch

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

const source = `
global @counter ptr.global size=8 align=4 init=05000000
global @table ptr.constant size=16 align=8 init=0000000000000000 reloc=0:@counter+4

kernel @k(v0 ptr.global, v1 v3f32, v2 ptr.local, v3 ptr.constant, v4 ptr.constant) {
  arg kind=global name="out" typename="float*" size=4 align=4
  arg kind=value name="v" typename="float3" type=v3f32 size=16 align=16
  arg kind=local name="tmp" typename="int*" size=4 align=4
  arg kind=constant name="c" typename="float*" size=4 align=4
  arg kind=struct name="s" typename="struct s" size=8 align=4
  reqd 4 1 1
b0:
  v5 = extract f32 v1 lane=2
  v6 = load f32 v3 align=4
  v7 = load f32 v4 align=4
  v8 = add f32 v5, v6
  v9 = add f32 v8, v7
  v10 = const u32 0
  v11 = workitem u64 v10 query=global_id
  v12 = const u64 4
  v13 = mul u64 v11, v12
  v14 = bitcast i64 v13
  v15 = ptradd ptr.global v0, v14
  store v15, v9 align=4
  v16 = const i32 1
  v17 = global ptr.constant @table
  v18 = load ptr.global v17 align=8
  v19 = atomicrmw.add i32 v18, v16 order=relaxed scope=device
  return
}

kernel @h(v0 ptr.global) {
  arg kind=global name="out" typename="float*" size=4 align=4
b0:
  return
}

kernel @image(v0 handle) {
  arg kind=image name="img" typename="image2d_t" size=8 align=8
b0:
  return
}

func @f() void {
b0:
  return
}
`

func program(t *testing.T) *Program {
	t.Helper()
	m, err := ssa.ParseText("t.ssa", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if err := ssa.VerifyModule(m); err != nil {
		t.Fatal(err)
	}
	p, err := NewProgram(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func kernel(t *testing.T, name string) *Kernel {
	t.Helper()
	k, err := program(t).Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func floats(x ...float32) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, x); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func goodArgs(out []byte) []Arg {
	return []Arg{Memory(&Buffer{Data: out}), Value(floats(1, 2, 3, 99)), Local(64), Memory(&Buffer{Data: floats(10)}), Value(floats(100, 0))}
}

func TestArguments(t *testing.T) {
	k := kernel(t, "k")
	for round := range 2 {
		out := make([]byte, 4*8)
		r, err := Run(context.Background(), &Launch{Kernel: k, Args: goodArgs(out), Range: Range{Global: []uint64{8}}, Checks: exec.ChecksAll})
		if err != nil || len(r.Findings) > 0 {
			t.Fatal(err, r.Findings)
		}
		if want := floats(113, 113, 113, 113, 113, 113, 113, 113); !bytes.Equal(out, want) {
			t.Errorf("got %v", out)
		}
		if r.Stats.LocalSize != [3]uint64{4, 1, 1} || r.Stats.Groups != 2 || r.Stats.WorkItems != 8 {
			t.Errorf("%+v", r.Stats)
		}
		// Program-scope variables keep their values between launches.
		c := k.Program.Variable("counter")
		if a, b := binary.LittleEndian.Uint32(c), binary.LittleEndian.Uint32(c[4:]); a != 5 || b != uint32(8*(round+1)) {
			t.Errorf("counter is %d, %d", a, b)
		}
	}
}

// TestMisuse checks misuses and parts of their errors.
func TestMisuse(t *testing.T) {
	out := make([]byte, 64)
	with := func(i int, a Arg) []Arg {
		args := goodArgs(out)
		args[i] = a
		return args
	}
	one := []Arg{Memory(&Buffer{Data: out})}
	huge := uint64(1) << 63
	for _, c := range []struct {
		kernel string
		args   []Arg
		rng    Range
		want   string
	}{
		{"k", goodArgs(out)[:3], Range{Global: []uint64{8}}, "5 arguments expected, got 3"},
		{"k", with(0, Value(out)), Range{Global: []uint64{8}}, "argument 0 (out): a buffer expected, got a value"},
		{"k", with(0, Arg{}), Range{Global: []uint64{8}}, "got none"},
		{"k", with(1, Value(floats(1, 2, 3))), Range{Global: []uint64{8}}, "argument 1 (v): 16 bytes expected for type float3, got 12"},
		{"k", with(2, Local(0)), Range{Global: []uint64{8}}, "must be positive"},
		{"k", with(2, Local(1<<40)), Range{Global: []uint64{8}}, "local memory: "},
		{"k", with(4, Value(floats(1))), Range{Global: []uint64{8}}, "8 bytes expected for type struct s"},
		{"k", goodArgs(out), Range{Global: []uint64{8}, Local: []uint64{2}}, "requires work-groups of 4x1x1, got 2x1x1"},
		{"k", goodArgs(out), Range{Global: []uint64{6}}, "4 does not divide the global size 6"},
		{"h", one, Range{}, "dimensions: 1 to 3 expected, got 0"},
		{"h", one, Range{Global: []uint64{1, 2, 3, 4}}, "dimensions: 1 to 3"},
		{"h", one, Range{Global: []uint64{8}, Local: []uint64{2, 2}}, "1 dimensions expected"},
		{"h", one, Range{Global: []uint64{8}, Local: []uint64{0}}, "is 0"},
		{"h", one, Range{Global: []uint64{8}, Offset: []uint64{1, 1}}, "offset: 1 dimensions"},
		{"h", one, Range{Global: []uint64{8192}, Local: []uint64{8192}}, "more than 4096"},
		{"h", one, Range{Global: []uint64{huge, huge}}, "too large"},
		{"h", one, Range{Global: []uint64{huge}, Offset: []uint64{huge}}, "does not fit size_t"},
		{"image", []Arg{Value(out[:8])}, Range{Global: []uint64{1}}, "an image expected, got a value"},
	} {
		k := kernel(t, c.kernel)
		_, err := Run(context.Background(), &Launch{Kernel: k, Args: c.args, Range: c.rng})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.kernel, err, c.want)
		}
	}
	if _, err := program(t).Kernel("f"); !errors.Is(err, ErrNoKernel) {
		t.Errorf("got %v", err)
	}
	if _, err := Run(context.Background(), &Launch{}); err == nil {
		t.Error("no error without a kernel")
	}
}

func TestEmptyRangeAndNull(t *testing.T) {
	k := kernel(t, "h")
	r, err := Run(context.Background(), &Launch{Kernel: k, Args: []Arg{Memory(nil)}, Range: Range{Global: []uint64{0, 5}}})
	if err != nil || r.Stats.WorkItems != 0 {
		t.Error(err)
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct{ global, want [3]uint64 }{
		{[3]uint64{1024, 1, 1}, [3]uint64{256, 1, 1}},
		{[3]uint64{1000, 1, 1}, [3]uint64{250, 1, 1}},
		{[3]uint64{1009, 1, 1}, [3]uint64{1, 1, 1}},
		{[3]uint64{64, 64, 1}, [3]uint64{64, 4, 1}},
		{[3]uint64{3, 5, 7}, [3]uint64{3, 5, 7}},
	} {
		if got := choose(c.global); got != c.want {
			t.Errorf("%v: got %v, want %v", c.global, got, c.want)
		}
	}
}

func TestProgress(t *testing.T) {
	k := kernel(t, "h")
	var last, total int64
	_, err := Run(context.Background(), &Launch{Kernel: k, Args: []Arg{Memory(nil)}, Range: Range{Global: []uint64{1 << 16}}, Lanes: 64, Progress: func(d, n int64) { last, total = d, n }})
	if err != nil || last != 1024 || total != 1024 {
		t.Errorf("%d of %d, %v", last, total, err)
	}
}

// BenchmarkEmptyLaunch measures the cost of a launch.
func BenchmarkEmptyLaunch(b *testing.B) {
	m, err := ssa.ParseText("t.ssa", []byte(source))
	if err != nil {
		b.Fatal(err)
	}
	p, err := NewProgram(m, nil)
	if err != nil {
		b.Fatal(err)
	}
	k, err := p.Kernel("h")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Run(context.Background(), &Launch{Kernel: k, Args: []Arg{Memory(nil)}, Range: Range{Global: []uint64{1}}}); err != nil {
			b.Fatal(err)
		}
	}
}

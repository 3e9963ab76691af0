package interp_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// operands are bit patterns that are edge cases in some format.
var operands = []uint64{
	0, 1, 2, 3, 7, 0x7f, 0x80, 0x81, 0xff, 0x7fff, 0x8000, 0xffff, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7bff, 0x0400, 0x1234,
	0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x40490fdb, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0x00800000, 0x4b000001, 0x4f000000, 0x3f000000, 0x12345678,
	0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x3ff0000000000000, 0xbff8000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001, 0x0010000000000000, 0x41e0000000000000, 0x43e0000000000001, 0xc3e0000000000000, 0x123456789abcdef0,
}

func maskTo(k ssa.Kind, x uint64) uint64 {
	if k == ssa.Bool {
		return x & 1
	}
	return x & (^uint64(0) >> (64 - 8*k.Num().Size()))
}

// TestElementwiseOps compares every elementwise op of every kind, on every pair of
// operands, with the constant evaluator.
func TestElementwiseOps(t *testing.T) {
	kinds := []ssa.Kind{ssa.Bool, ssa.I8, ssa.U8, ssa.I16, ssa.U16, ssa.I32, ssa.U32, ssa.I64, ssa.U64, ssa.F16, ssa.F32, ssa.F64}
	tested := 0
	for op := ssa.OpAdd; op <= ssa.OpLe; op++ {
		for _, k := range kinds {
			rk := k
			switch op {
			case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
				rk = ssa.Bool
			case ssa.OpAbs, ssa.OpAbsDiff:
				rk = ssa.Kind(k.Num().Unsigned())
			}
			second := []ssa.Kind{k}
			if op == ssa.OpShl || op == ssa.OpShr || op == ssa.OpRotl {
				second = []ssa.Kind{k, ssa.U8, ssa.I32, ssa.U64}
			}
			for _, k2 := range second {
				if checkOp(t, op, rk, k, k2) {
					tested++
				}
			}
		}
	}
	if tested < 250 {
		t.Errorf("only %d ops tested", tested)
	}
}

// checkOp tests one op. It returns false if the op does not take such operands.
func checkOp(t *testing.T, op ssa.Op, rk, k, k2 ssa.Kind) bool {
	n := int(ssa.Ops[op].NArgs)
	var ins [][3]uint64
	for i, a := range operands {
		for j, b := range operands {
			ins = append(ins, [3]uint64{maskTo(k, a), maskTo(k2, b), maskTo(k, operands[(i*7+j)%len(operands)])})
		}
	}
	var want []uint64
	for i := range ins {
		x, ok := ssa.EvalScalar(op, rk, k, 0, ins[i][:n])
		if !ok {
			return false
		}
		want = append(want, maskTo(rk, x))
	}
	got := apply(t, n, rk, []ssa.Kind{k, k2, k}, ins, func(b *ssa.Builder, args []*ssa.Value) *ssa.Value {
		return b.Value(op, ssa.Scalar(rk), args[:n]...)
	})
	for i := range ins {
		if got[i] != want[i] {
			t.Errorf("%s %s of %s, %s: %#x: got %#x, want %#x", op, rk, k, k2, ins[i][:n], got[i], want[i])
			break
		}
	}
	return true
}

// machine returns the executors of machine code on which op or conversion number i is tested: one in turn, or all.
func machine(i int) []exec.Executor {
	all := jit.Executors(jit.Options{Panics: true})
	if *every || len(all) == 0 {
		return all
	}
	return all[i%len(all) : i%len(all)+1]
}

var every = flag.Bool("every", false, "try each op on all executors of machine code, not on one in turn")

// applied counts the calls of apply.
var applied int

// apply runs a function of up to three scalars over rows of operands. Machine code must give the reference
// executor's results.
func apply(t *testing.T, n int, rk ssa.Kind, kinds []ssa.Kind, ins [][3]uint64, make func(*ssa.Builder, []*ssa.Value) *ssa.Value) []uint64 {
	m := &ssa.Module{}
	f := m.NewFunc("k", ssa.TVoid)
	ptr := ssa.KernelArg{TypeName: "uchar*", Kind: ssa.ArgGlobal, Size: 1, Align: 1, ElemKind: ssa.U8, ElemLanes: 1}
	f.Kernel = &ssa.Kernel{Args: []ssa.KernelArg{ptr, ptr, ptr, ptr}}
	b := &ssa.Builder{F: f, B: f.NewBlock("")}
	for i := range 4 {
		f.Params = append(f.Params, b.Aux(ssa.OpParam, ssa.Scalar(ssa.PtrGlobal), int64(i)))
	}
	gid := b.Value(ssa.OpBitcast, ssa.TI64, b.Aux(ssa.OpWorkItem, ssa.TU64, int64(ssa.GlobalID), b.Const(ssa.TU32, 0)))
	at := func(p *ssa.Value, k ssa.Kind) *ssa.Value {
		off := b.Value(ssa.OpMul, ssa.TI64, gid, b.Const(ssa.TI64, uint64(k.Num().Size())))
		return b.Value(ssa.OpPtrAdd, p.Type, p, off)
	}
	var args []*ssa.Value
	l := []launch.Arg{{}, {}, {}, {}}
	for i := range 3 {
		size := kinds[i].Num().Size()
		mem := []byte{}
		for _, row := range ins {
			mem = append(mem, binary.LittleEndian.AppendUint64(nil, row[i])[:size]...)
		}
		l[i+1] = launch.Memory(&launch.Buffer{Data: mem})
		args = append(args, b.Load(ssa.Scalar(kinds[i]), at(f.Params[i+1], kinds[i]), 1))
	}
	size := rk.Num().Size()
	b.Store(at(f.Params[0], rk), make(b, args), 1)
	b.Return(nil)
	if err := ssa.Verify(f); err != nil {
		t.Fatal(err)
	}
	on := func(e exec.Executor) []byte {
		p, err := launch.NewProgram(m, e)
		if err != nil {
			t.Fatal(err)
		}
		out := zeros(size * len(ins))
		l[0] = launch.Memory(&launch.Buffer{Data: out})
		if _, err := run(t, p, launch.Launch{Args: l, Range: launch.Range{Global: u64(uint64(len(ins)))}}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	out := on(interp.Reference)
	applied++
	for _, e := range machine(applied) {
		if !bytes.Equal(on(e), out) {
			t.Errorf("other results on %s of\n%s", e.Name(), f)
		}
	}
	got := []uint64{}
	for i := range ins {
		var x [8]byte
		copy(x[:], out[i*size:(i+1)*size])
		got = append(got, binary.LittleEndian.Uint64(x[:]))
	}
	return got
}

func zeros(n int) []byte { return make([]byte, n) }

// TestConversions compares every conversion with package numeric.
func TestConversions(t *testing.T) {
	for s := numeric.Bool; s < numeric.NumKinds; s++ {
		for d := numeric.Bool; d < numeric.NumKinds; d++ {
			for _, mode := range []numeric.Conversion{{}, {Sat: true, Round: numeric.RTE}, {Round: numeric.RTP}} {
				c := numeric.Conversion{Dst: d, Src: s, Sat: mode.Sat && d.IsInt(), Round: mode.Round}
				var ins [][3]uint64
				for _, x := range operands {
					ins = append(ins, [3]uint64{maskTo(ssa.Kind(s), x)})
				}
				got := apply(t, 1, ssa.Kind(d), []ssa.Kind{ssa.Kind(s), ssa.Kind(s), ssa.Kind(s)}, ins, func(b *ssa.Builder, args []*ssa.Value) *ssa.Value {
					return b.Convert(args[0], ssa.Kind(d), c.Sat, c.Round)
				})
				for i := range ins {
					if want := c.Bits(ins[i][0]); got[i] != want {
						t.Errorf("%v: %#x: got %#x, want %#x", c, ins[i][0], got[i], want)
						break
					}
				}
			}
		}
	}
}

// vectorTests compute with v20 = (gid, gid+1, gid+2, gid+3), v4i32, and store the result v50. want has the elements
// of gid 5.
var vectorTests = []struct{ body, typ, want string }{
	{"v50 = shuffle v4i32 v20, v20 lanes=3:2:1:0", "v4i32", "[8 7 6 5]"},
	{"v50 = shuffle v2i32 v20, v21 lanes=1:6", "v2i32", "[6 30]"},
	{"v50 = insert v4i32 v20, v16 lane=2", "v4i32", "[5 6 9 8]"},
	{"v51 = extract i32 v20 lane=3\n v50 = splat v4i32 v51", "v4i32", "[8 8 8 8]"},
	{"v50 = bitcast v8i16 v20", "v8i16", "[5 0 6 0 7 0 8 0]"},
	{"v51 = bitcast v2i64 v20\n v52 = const v2i64 32\n v53 = shr v2i64 v51, v52\n v50 = convert v2i32 v53", "v2i32", "[6 8]"},
	{"v51 = bitcast v8i16 v20\n v50 = bitcast v4i32 v51", "v4i32", "[5 6 7 8]"},
	{"v51 = const u64 2\n v52 = extractdyn i32 v20, v51\n v50 = splat v2i32 v52", "v2i32", "[7 7]"},
	{"v51 = const u64 9\n v52 = extractdyn i32 v20, v51\n v50 = splat v2i32 v52", "v2i32", "[0 0]"},
	{"v51 = const u64 1\n v50 = insertdyn v4i32 v20, v51, v16", "v4i32", "[5 9 7 8]"},
	{"v51 = lt v4bool v20, v21\n v50 = select v4i32 v51, v20, v21", "v4i32", "[5 6 7 8]"},
	{"v51 = const bool false\n v50 = select v4i32 v51, v20, v21", "v4i32", "[10 20 30 40]"},
	{"v51 = const v4i32 (1 5 6 2)\n v52 = eq v4bool v51, v20\n v53 = const v4i32 -1\n v50 = select v4i32 v52, v53, v51", "v4i32", "[1 5 6 2]"},
	{"v50 = shuffle v3i32 v20, v20 lanes=0:0:2", "v3i32", "[5 5 7]"},
}

func TestVectors(t *testing.T) {
	for _, c := range vectorTests {
		p := load(t, fmt.Sprintf(`kernel @k(v0 ptr.global) {
  arg kind=global name="p" typename="int*" size=4 align=4
b0:
  v2 = const u32 0
  v3 = workitem u64 v2 query=global_id
  v4 = convert i32 v3
  v10 = const v4i32 (0 1 2 3)
  v11 = splat v4i32 v4
  v20 = add v4i32 v11, v10
  v21 = const v4i32 (10 20 30 40)
  v16 = const i32 9
 %s
  v60 = const i64 32
  v61 = bitcast i64 v3
  v62 = mul i64 v61, v60
  v63 = ptradd ptr.global v0, v62
  store v63, v50 align=4
  return
}
`, c.body))
		out := make([]int32, 8*8)
		r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(out)}, Range: launch.Range{Global: u64(8)}, Checks: exec.ChecksNone})
		clean(t, r, err)
		var n int
		var kind string
		fmt.Sscanf(c.typ, "v%d%s", &n, &kind)
		got := fmt.Sprint(out[40 : 40+n])
		if kind == "i16" {
			var half []int16
			for _, x := range out[40 : 40+n/2] {
				half = append(half, int16(x), int16(x>>16))
			}
			got = fmt.Sprint(half)
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.body, got, c.want)
		}
		for _, e := range jit.Executors(jit.Options{Panics: true}) {
			p, err := launch.NewProgram(p.Module, e)
			if err != nil {
				t.Fatal(err)
			}
			again := make([]int32, 8*8)
			r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(again)}, Range: launch.Range{Global: u64(8)}})
			clean(t, r, err)
			if !slices.Equal(again, out) {
				t.Errorf("%s: on %s %v, want %v", c.body, e.Name(), again, out)
			}
		}
	}
}

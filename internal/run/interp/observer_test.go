package interp_test

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// head is the beginning of the observers' kernels: v4 is the global id, v5 the local id, as I64; v6 is &p[gid], v7
// &q[gid].
const head = `kernel @k(v0 ptr.global, v1 ptr.global) {
  arg kind=global name="p" typename="int*" size=4 align=4
  arg kind=global name="q" typename="int*" size=4 align=4
b0:
  v2 = const u32 0
  v3 = workitem u64 v2 query=global_id
  v4 = bitcast i64 v3
  v8 = workitem u64 v2 query=local_id
  v5 = bitcast i64 v8
  v9 = const i64 4
  v10 = mul i64 v4, v9
  v6 = ptradd ptr.global v0, v10
  v7 = ptradd ptr.global v1, v10
  v11 = const i32 1
  v12 = const i32 0
  v13 = const i64 0
  v14 = const i64 1
`

// The observers' exact findings. p and q are 16 ints, 0 to 15 and zeros; 16 work-items run in groups of 4. Lines
// are counted from 1 after head.
var observerTests = []struct {
	name, globals, body, want string
	fails                     bool
}{
	{name: "clean", body: `
  v20 = load i32 v6 align=4
  store v7, v20 align=4
  return`},
	{name: "null", body: `
  v20 = const ptr.global 0x0
  v21 = ptradd ptr.global v20, v10
  v22 = load i32 v21 align=4
  store v7, v22 align=4
  return`, want: "3 null-pointer n=16 gid=0 group=0\n", fails: true},
	{name: "wild", body: `
  v20 = const ptr.global 0x123450000000010
  v22 = load i32 v20 align=4
  store v7, v22 align=4
  return`, want: "2 wild-pointer n=16 gid=0 group=0\n", fails: true},
	{name: "negative index", body: `
  v20 = sub i64 v13, v9
  v21 = ptradd ptr.global v6, v20
  store v21, v11 align=4
  return`, want: "3 out-of-bounds n=1 gid=0 group=0 p+-4:4\n", fails: true},
	{name: "huge index", body: `
  v20 = const i64 0x7fffffffffffffff
  v21 = ptradd ptr.global v6, v20
  v22 = load i32 v21 align=4
  store v7, v22 align=4
  return`, want: "3 out-of-bounds n=1 gid=0 group=0 p+-1:4\n3 misaligned n=15 gid=1 group=0 p+3:4\n", fails: true},
	{name: "constant write", globals: `global @c ptr.constant size=8 align=4
`, body: `
  v20 = global ptr.constant @c
  v21 = ptrcast ptr.generic v20
  store v21, v11 align=4
  return`, want: "3 constant-write n=16 gid=0 group=0 c+0:4\n", fails: true},
	{name: "misaligned", body: `
  v20 = const i64 3
  v21 = and i64 v4, v20
  v22 = ptradd ptr.global v0, v21
  v23 = load i32 v22 align=4
  store v7, v23 align=4
  return`, want: "4 misaligned n=12 gid=1 group=0 p+1:4\n"},
	{name: "bad cast", body: `
  v20 = ptrcast ptr.generic v6
  v21 = ptrcast ptr.local v20
  v22 = bitcast i64 v21
  v23 = convert i32 v22
  store v7, v23 align=4
  return`, want: "2 bad-pointer-cast n=16 gid=0 group=0\n"},
	{name: "question of to_local", body: `
  v20 = ptrcast ptr.generic v6
  v21 = ptrcast.implicit ptr.local v20
  v22 = bitcast i64 v21
  v23 = convert i32 v22
  store v7, v23 align=4
  return`},
	{name: "vector index", body: `
  v20 = undef v4i32
  v21 = splat v4i32 v11
  v22 = extractdyn i32 v21, v3
  store v7, v22 align=4
  return`, want: "3 index-out-of-range n=12 gid=4 group=1\n"},

	{name: "uninitialized private", body: `
  v20 = alloca ptr.private size=64 align=4 name="a" type="int[16]"
  v21 = ptradd ptr.private v20, v10
  store v20, v11 align=4
  v22 = load i32 v21 align=4
  v23 = add i32 v22, v11
  store v7, v23 align=4
  return`, want: "5 uninitialized n=15 gid=1 group=0\n"},
	{name: "uninitialized index", body: `
  v20 = alloca ptr.private size=64 align=4 name="a" type="int[16]"
  store v20, v11 align=4
  v21 = ptradd ptr.private v20, v10
  v22 = load i32 v21 align=4
  v23 = convert i64 v22
  v24 = const i64 4
  v25 = mul i64 v23, v24
  v26 = ptradd ptr.global v6, v25
  v27 = load i32 v26 align=4
  store v7, v27 align=4
  return`, want: "9 uninitialized n=15 gid=1 group=0\n"},
	{name: "uninitialized copied, not used", body: `
  v20 = alloca ptr.private size=8 align=4 name="a" type="int[2]"
  v21 = alloca ptr.private size=8 align=4 name="b" type="int[2]"
  store v20, v11 align=4
  memcopy v21, v20 size=8
  v22 = load v2i32 v21 align=4
  v23 = extract i32 v22 lane=0
  store v7, v23 align=4
  return`},
	{name: "uninitialized copied and used", body: `
  v20 = alloca ptr.private size=8 align=4 name="a" type="int[2]"
  v21 = alloca ptr.private size=8 align=4 name="b" type="int[2]"
  store v20, v11 align=4
  memcopy v21, v20 size=8
  v22 = load v2i32 v21 align=4
  v23 = extract i32 v22 lane=1
  v24 = copy i32 v23
  store v7, v24 align=4
  return`, want: "8 uninitialized n=16 gid=0 group=0\n"},
	{name: "undefined element ignored", body: `
  v20 = load i32 v6 align=4
  v21 = splat v2i32 v20
  v22 = shuffle v4i32 v21, v21 lanes=0:1:0:u
  v23 = add v4i32 v22, v22
  v24 = extract i32 v23 lane=1
  store v7, v24 align=4
  return`},
	{name: "undefined element used", body: `
  v20 = load i32 v6 align=4
  v21 = splat v2i32 v20
  v22 = shuffle v4i32 v21, v21 lanes=0:1:0:u
  v23 = add v4i32 v22, v22
  v24 = extract i32 v23 lane=3
  store v7, v24 align=4
  return`, want: "4 uninitialized n=16 gid=0 group=0\n"},
	{name: "undefined through select and phi", body: `
  v20 = undef i32
  v21 = and i64 v4, v14
  v22 = eq bool v21, v13
  v23 = select i32 v22, v20, v11
  branch v22 b1 b2
b1:
  jump b3
b2:
  jump b3
b3:
  v24 = phi i32 b1:v11 b2:v20
  v25 = eq bool v24, v12
  v26 = eq bool v23, v12
  v27 = xor bool v25, v26
  branch v27 b4 b4
b4:
  return`, want: "13 uninitialized n=8 gid=0 group=0\n12 uninitialized n=8 gid=1 group=0\n"},
	{name: "uninitialized local", globals: `global @l ptr.local size=16 align=4
`, body: `
  v20 = global ptr.local @l
  v21 = mul i64 v5, v9
  v22 = ptradd ptr.local v20, v21
  v23 = eq bool v5, v14
  branch v23 b1 b2
b1:
  store v22, v11 align=4
  jump b2
b2:
  barrier flags=1
  v24 = load i32 v22 align=4
  store v7, v24 align=4
  return`, want: "12 uninitialized n=12 gid=0 group=0\n"},

	{name: "race in group", globals: `global @l ptr.local size=16 align=4
`, body: `
  v20 = global ptr.local @l
  v21 = mul i64 v5, v9
  v22 = ptradd ptr.local v20, v21
  store v22, v11 align=4
  v23 = load i32 v20 align=4
  store v7, v23 align=4
  return`, want: "5 race-in-group n=12 gid=1 group=0 l+0:4 vs line 4 store gid=0\n"},
	{name: "no race with barrier", globals: `global @l ptr.local size=16 align=4
`, body: `
  v20 = global ptr.local @l
  v21 = mul i64 v5, v9
  v22 = ptradd ptr.local v20, v21
  store v22, v11 align=4
  barrier flags=1
  v23 = load i32 v20 align=4
  store v7, v23 align=4
  return`},
	{name: "barrier of the wrong memory", globals: `global @l ptr.local size=16 align=4
`, body: `
  v20 = global ptr.local @l
  v21 = eq bool v5, v13
  branch v21 b1 b2
b1:
  store v20, v11 align=4
  jump b2
b2:
  barrier flags=2
  v23 = load i32 v20 align=4
  store v7, v23 align=4
  return`, want: "9 race-in-group n=12 gid=1 group=0 l+0:4 vs line 5 store gid=0\n"},
	{name: "write-write race", body: `
  store v0, v11 align=4
  return`, want: "1 race-in-group n=15 gid=1 group=0 p+0:4 vs line 1 store gid=0\n"},
	{name: "race between groups", body: `
  v20 = ptradd ptr.global v6, v9
  v21 = const i64 15
  v22 = lt bool v4, v21
  branch v22 b1 b2
b1:
  v23 = load i32 v20 align=4
  store v6, v23 align=4
  jump b2
b2:
  return`, want: "7 race-in-group n=14 gid=1 group=0 p+4:4 vs line 6 load gid=0\n"},
	{name: "atomics do not race", body: `
  v20 = atomicrmw.add i32 v0, v11 order=relaxed scope=device
  return`},
	{name: "atomic against plain", body: `
  v20 = atomicrmw.add i32 v0, v11 order=relaxed scope=device
  v21 = load i32 v0 align=4
  store v7, v21 align=4
  return`, want: "2 race-in-group n=16 gid=0 group=0 p+0:4 vs line 1 atomic access gid=3\n"},
	// A compare-and-exchange loop of OpenCL C 1.x begins with a volatile load.
	{name: "atomic against volatile load", body: `
  v20 = load.volatile i32 v0 align=4
  v21 = add i32 v20, v11
  v22 = atomiccas i32 v0, v20, v21 order=relaxed scope=device
  store v7, v20 align=4
  return`},
	{name: "store against volatile load", body: `
  v20 = load.volatile i32 v0 align=4
  store v6, v11 align=4
  return`, want: "2 race-in-group n=1 gid=0 group=0 p+0:4 vs line 1 load gid=3\n"},

	{name: "division", body: `
  v20 = convert i32 v4
  v21 = const i32 2
  v22 = sub i32 v20, v21
  v23 = const i32 -2147483648
  v24 = div i32 v23, v22
  v25 = rem i32 v11, v22
  v26 = add i32 v24, v25
  store v7, v26 align=4
  return`, want: "5 divide-overflow n=1 gid=1 group=0\n5 division-by-zero n=1 gid=2 group=0\n6 division-by-zero n=1 gid=2 group=0\n"},
	{name: "conversion", body: `
  v20 = convert f32 v4
  v21 = const f32 20
  v22 = mul f32 v20, v21
  v23 = convert u8 v22
  v24 = convert.sat u8 v22
  v25 = add u8 v23, v24
  v26 = convert i32 v25
  store v7, v26 align=4
  return`, want: "4 convert-out-of-range n=3 gid=13 group=3\n"},
	{name: "divergent barrier", body: `
  v20 = eq bool v5, v14
  branch v20 b1 b2
b1:
  barrier flags=1
  jump b3
b2:
  barrier flags=1
  jump b3
b3:
  return`, want: "4 barrier-divergence n=4 gid=1 group=0\n", fails: true},
	{name: "barrier after return", body: `
  v20 = eq bool v5, v14
  branch v20 b1 b2
b1:
  return
b2:
  barrier flags=1
  return`, want: "6 barrier-divergence n=4 gid=0 group=0\n", fails: true},
	{name: "barrier in a loop of different lengths", body: `
  jump b1
b1:
  v20 = phi i64 b0:v13 b2:v22
  v21 = lt bool v20, v5
  branch v21 b2 b3
b2:
  barrier flags=1
  v22 = add i64 v20, v14
  jump b1
b3:
  barrier flags=1
  return`, want: "7 barrier-divergence n=4 gid=1 group=0\n", fails: true},
}

func TestObservers(t *testing.T) {
	for _, c := range observerTests {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, c.globals+head+strings.TrimPrefix(c.body, "\n")+"\n}\n")
			mem, zero := make([]int32, 16), make([]int32, 16)
			for i := range mem {
				mem[i] = int32(i)
			}
			r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(mem), buf(zero)}, Range: launch.Range{Global: u64(16), Local: u64(4)}, Checks: exec.ChecksAll})
			if r == nil || (err != nil) != c.fails {
				t.Fatalf("error: %v", err)
			}
			got := shift(findings(p, r), strings.Count(c.globals, "\n")+strings.Count(head, "\n"))
			if got != c.want {
				t.Errorf("got:\n%swant:\n%s", got, c.want)
			}
		})
	}
}

// shift renumbers the lines of findings.
func shift(s string, by int) string {
	var out strings.Builder
	for line := range strings.Lines(s) {
		words := strings.Split(line, " ")
		words[0] = renumber(words[0], by)
		for i := range words {
			if words[i] == "line" {
				words[i+1] = renumber(words[i+1], by)
			}
		}
		out.WriteString(strings.Join(words, " "))
	}
	return out.String()
}

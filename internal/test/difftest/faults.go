package difftest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/filetest"
)

// These kernels fault. Every executor must stop or continue them as docs/faults.md defines.

// faultBytes is the size of buffer a in bytes, faultItems the number of work-items. Each work-item owns 16 bytes of
// out.
const (
	faultBytes = 8*20 + 3
	faultItems = 24
)

// A faultRow is a row of the table of docs/faults.md with a kernel that tests it.
type faultRow struct {
	access, robust string // the row's text in the page
	finding        string // kind of the finding, "" for none; with "!" if the launch fails in robust mode too
	body           string // statements of work-item i; o points to its part of out
	// want applies the work-item's effect in robust mode to memory.
	want func(a memory, o []byte, i int)
}

// A memory is an object: bytes outside of it read as 0, and writes to them are dropped.
type memory []byte

func (m memory) load(off, n int) []byte {
	out := make([]byte, n)
	for k := range out {
		if at := off + k; at >= 0 && at < len(m) {
			out[k] = m[at]
		}
	}
	return out
}

func (m memory) store(off int, data []byte) {
	for k, b := range data {
		if at := off + k; at >= 0 && at < len(m) {
			m[at] = b
		}
	}
}

func long(x uint64) []byte { return binary.LittleEndian.AppendUint64(nil, x) }
func word(x int) []byte    { return binary.LittleEndian.AppendUint32(nil, uint32(x)) }

var faultRows = []faultRow{
	{"load across the object's end, or beyond it", "bytes outside read as 0, the others as usual", "out-of-bounds",
		"*(global ulong *)o = *(global ulong *)(a + 8 * i);",
		func(a memory, o []byte, i int) { copy(o, a.load(8*i, 8)) }},
	{"load across the object's beginning, or before it", "the same", "out-of-bounds",
		"*(global uint4 *)o = *(global uint4 *)(a - i);",
		func(a memory, o []byte, i int) { copy(o, a.load(-i, 16)) }},
	{"load of a vector, `vload`", "the same, within an element too", "out-of-bounds",
		"vstore3(vload3(0, (global uint *)(a + 7 * i)), 0, (global uint *)o);",
		func(a memory, o []byte, i int) { copy(o, a.load(7*i, 12)) }},
	{"store across the object's end, or beyond it", "bytes outside are dropped, the others are written", "out-of-bounds",
		"*(global ulong *)(a + 8 * i) = 0x0807060504030201UL * (i + 1);",
		func(a memory, _ []byte, i int) { a.store(8*i, long(0x0807060504030201*uint64(i+1))) }},
	{"store of a vector, `vstore`", "the same, within an element too", "out-of-bounds",
		"vstore2((uint2)(0x04030201, 0x08070605) * (uint)(i + 1), 0, (global uint *)(a + 8 * i - 5));",
		func(a memory, _ []byte, i int) {
			a.store(8*i-5, append(word(0x04030201*(i+1)), word(0x08070605*(i+1))...))
		}},
	{"copy of a struct", "a load and a store of all its bytes", "out-of-bounds",
		"typedef struct { uchar c[7]; } S; *(global S *)o = *(global S *)(a + 8 * i); S s; for (int k = 0; k < 7; k++) s.c[k] = i + k; *(global S *)(a + 8 * i) = s;",
		func(a memory, o []byte, i int) {
			copy(o, a.load(8*i, 7))
			for k := range 7 {
				a.store(8*i+k, []byte{byte(i + k)})
			}
		}},
	{"atomic operation that is not wholly inside", "nothing is written, the result is 0", "out-of-bounds",
		"*(global uint *)o = atomic_add((global uint *)(a + 8 * i), 1u); *(global uint *)(o + 4) = atomic_load_explicit((global atomic_uint *)(a + 8 * i), memory_order_relaxed, memory_scope_device);",
		func(a memory, o []byte, i int) {
			if at := 8 * i; at+4 <= len(a) {
				old := binary.LittleEndian.Uint32(a[at:])
				copy(o, word(int(old)))
				binary.LittleEndian.PutUint32(a[at:], old+1)
				copy(o[4:], a[at:at+4])
			}
		}},
	{"private array, before or after it", "as any object", "out-of-bounds",
		"uint p[4]; for (int k = 0; k < 4; k++) p[k] = 0x01010101 * (k + i); p[i % 7 - 1] = 77; vstore4(vload4(0, p + i % 5 - 1), 0, (global uint *)o);",
		func(_ memory, o []byte, i int) {
			p := make(memory, 16)
			for k := range 4 {
				p.store(4*k, word(0x01010101*(k+i)))
			}
			p.store(4*(i%7-1), word(77))
			copy(o, p.load(4*(i%5-1), 16))
		}},
	{"local memory", "as any object", "out-of-bounds",
		"*(local ulong *)(l + 8 * i) = 0x0102030405060708UL + i; barrier(CLK_LOCAL_MEM_FENCE); *(global ulong *)o = *(local ulong *)(l + 8 * (23 - i));",
		func(_ memory, o []byte, i int) {
			l := make(memory, 8*faultItems-3)
			l.store(8*(23-i), long(0x0102030405060708+uint64(23-i)))
			copy(o, l.load(8*(23-i), 8))
		}},
	{"`constant` variable", "as any object", "out-of-bounds",
		"*(global ulong *)o = *(constant ulong *)((constant uchar *)table + i - 4);",
		func(_ memory, o []byte, i int) {
			copy(o, memory{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}.load(i-4, 8))
		}},
	{"async copy", "each element as if the kernel copied it", "out-of-bounds",
		"event_t e = async_work_group_copy((local uint *)l, (global const uint *)a, 47, 0); wait_group_events(1, &e); *(global ulong *)o = *(local ulong *)(l + 8 * i);",
		func(a memory, o []byte, i int) {
			l := make(memory, 8*faultItems-3)
			l.store(0, a.load(0, 47*4))
			copy(o, l.load(8*i, 8))
		}},
	{"null pointer", "reads as 0, writes nothing", "null-pointer",
		"global uint *p = i % 2 ? (global uint *)a : 0; *(global uint *)o = p[i] + atomic_inc(p + 1 + i) + 9; p[0] = p[0];",
		func(a memory, o []byte, i int) {
			v := 9
			if i%2 == 1 {
				at := 4 * (1 + i)
				v += int(binary.LittleEndian.Uint32(a[4*i:])) + int(binary.LittleEndian.Uint32(a[at:]))
				a.store(at, word(int(binary.LittleEndian.Uint32(a[at:]))+1))
			}
			copy(o, word(v))
		}},
	{"pointer that refers to no object, such as one kept from another launch", "reads as 0, writes nothing; if it happens to refer to an object, it accesses that one", "wild-pointer",
		"global uint *p = (global uint *)(0x123450000000000UL + i); *(global uint *)o = *p + 3; *p = 7;",
		func(_ memory, o []byte, i int) { copy(o, word(3)) }},
	{"pointer to a variable whose block has ended", "reads and writes the variable's memory, which lasts as long as the work-item", "",
		"uint *p; { uint v = i + 5; p = &v; } *p += 1; *(global uint *)o = *p;",
		func(_ memory, o []byte, i int) { copy(o, word(i+6)) }},
	{"misaligned pointer", "as if it were aligned; checks give a finding that is no error", "",
		"if (8 * i + 11 < n) *(global ulong *)o = *(global ulong *)(a + 8 * i + 3) + *(global uint *)(a + 4 * i + 1);",
		func(a memory, o []byte, i int) {
			if 8*i+11 < len(a) {
				copy(o, long(binary.LittleEndian.Uint64(a[8*i+3:])+uint64(binary.LittleEndian.Uint32(a[4*i+1:]))))
			}
		}},
	{"generic pointer cast to a space that its object is not in, `to_local` of global memory", "the result is null", "null-pointer",
		"local uint *p = to_local((uint *)(a + 4 * i)); *(global uint *)o = p == 0 ? *p + 5 : 6; *p = 8;",
		func(_ memory, o []byte, i int) { copy(o, word(5)) }},
	{"store to constant or read-only memory", "nothing is written", "constant-write",
		"*(uint *)((global uint *)(ulong)table + i % 3) = 7; *(global uint *)o = *(constant uint *)((constant uchar *)table + 4 * (i % 3));",
		func(_ memory, o []byte, i int) {
			copy(o, memory{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}.load(4*(i%3), 4))
		}},
	{"`printf` with a format that is not a string", "nothing is printed, the result is -1", "null-pointer",
		"constant char *f = i % 2 ? \"\" : (constant char *)0; *(global int *)o = printf(f);",
		func(_ memory, o []byte, i int) {
			if i%2 == 0 {
				copy(o, word(-1))
			}
		}},
	{"barrier that not all work-items of a group reach", "the group ends; the launch fails in either mode", "barrier-divergence!",
		"if (i % 2) barrier(CLK_LOCAL_MEM_FENCE); else { for (int k = 0; k < 2; k++) barrier(CLK_GLOBAL_MEM_FENCE); }", nil},
}

func (r *faultRow) source() string {
	return "constant uchar table[13] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};\n" +
		fmt.Sprintf("kernel void k(global uchar *a, global uchar *out, int n) {\n  local uchar l[%d];\n  int i = get_global_id(0);\n  global uchar *o = out + 16 * i;\n  %s\n}\n", 8*faultItems-3, r.body)
}

func (r *faultRow) launch() *filetest.Case {
	c := &filetest.Case{Path: "fault.cl", Source: []byte(r.source()), Kernel: "k", Options: "-cl-std=CL2.0", Global: []int{faultItems}, Local: []int{faultItems}}
	add := func(name, typ string, buffer bool, data []byte) {
		t, _ := filetest.ParseType(typ)
		c.Args = append(c.Args, filetest.Arg{Name: name, Type: t, Count: len(data), Buffer: buffer, Data: data})
	}
	a := make([]byte, faultBytes)
	for k := range a {
		a[k] = byte(k*7 + 1)
	}
	add("a", "uchar", true, a)
	add("out", "uchar", true, make([]byte, 16*faultItems))
	add("n", "int", false, word(faultBytes))
	return c
}

// Faults runs the kernel of each row of docs/faults.md's table on executors, in both modes.
func Faults(t *testing.T, executors []exec.Executor) {
	for _, r := range faultRows {
		c := r.launch()
		m, err := compileCase(c, compile.Options{})
		if err != nil {
			t.Fatalf("%s: %v", r.access, err)
		}
		kind, fails := strings.CutSuffix(r.finding, "!")
		a, out := slices.Clone(c.Args[0].Data), make([]byte, 16*faultItems)
		for i := range faultItems {
			if r.want != nil {
				r.want(a, out[16*i:16*i+16], i)
			}
		}
		for _, e := range executors {
			for _, mode := range []exec.FaultMode{exec.Robust, exec.Strict} {
				got, err := guarded(m, c, e, exec.ChecksNone, mode, 0)
				name := fmt.Sprintf("%s: %s, mode %d", r.access, e.Name(), mode)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if got.failed != (kind != "" && (fails || mode == exec.Strict)) {
					t.Errorf("%s: failed is %v", name, got.failed)
				}
				if kind == "" && len(got.Findings) > 0 || kind != "" && len(got.Findings) == 0 {
					t.Errorf("%s: %d findings", name, len(got.Findings))
				}
				for _, f := range got.Findings {
					if f.Code != kind {
						t.Errorf("%s: finding %s", name, f.Text)
					}
				}
				if mode == exec.Strict || r.want == nil {
					continue
				}
				if g := got.Buffers["out"]; !bytes.Equal(g, out) {
					t.Errorf("%s: out is % x\nwant % x", name, g, out)
				}
				if g := got.Buffers["a"]; !bytes.Equal(g, a) {
					t.Errorf("%s: a is % x\nwant % x", name, g, a)
				}
			}
		}
	}
}

// Stops checks strict mode: a work-item that faults ends, even if the values that it reads would keep it in an
// endless loop. The other work-items of its gang and group continue.
func Stops(t *testing.T, executors []exec.Executor) {
	bodies := map[string]string{
		"alone in a loop":        "if (i == 5) { int at = n; while (a[at] == 0) at |= 1 << 20; } out[i] = 1;",
		"all in a loop":          "int at = n + i; do at |= 1 << 20; while (a[at] == 0); out[i] = 1;",
		"one for all":            "int at = n; while (a[at] == 0) at |= 1 << 20; out[i] = 1;",
		"a pointer from memory":  "global uchar **list = (global uchar **)out; global uchar *p = a; do p = (global uchar *)*(global ulong *)p; while (p != a); out[i] = (uchar)(ulong)list;",
		"before a barrier":       "if (i == 5) { int at = n; while (a[at] == 0) at |= 1 << 20; } barrier(CLK_LOCAL_MEM_FENCE); out[i] = 1;",
		"by an atomic operation": "if (i % 2) while (atomic_cmpxchg((global uint *)(a + n), 1u, 2u) == 0) ; out[i] = 1;",
		"by printf":              "constant char *f = 0; if (i == 3) while (printf(f) < 0) ; out[i] = 1;",
		"in a copy of a struct":  "typedef struct { int c[40]; } S; S s; if (i == 7) do s = *(global S *)(a + n); while (s.c[39] == 0); out[i] = s.c[3];",
		"in nested loops":        "for (int k = 0; k < 3; k++) { int at = n; while (i % 3 == k && a[at] == 0) at |= 1 << 20; } out[i] = 1;",
	}
	for name, body := range bodies {
		r := faultRow{body: body}
		c := r.launch()
		m, err := compileCase(c, compile.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, e := range executors {
			got, err := guarded(m, c, e, exec.ChecksNone, exec.Strict, 0)
			if err != nil || !got.failed || len(got.Findings) != 1 {
				t.Errorf("%s: %s: %v, want one finding and the end", name, e.Name(), err)
			}
		}
	}
}

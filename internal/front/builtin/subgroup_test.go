package builtin_test

import (
	"context"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// A member is a work-item in a call of a sub-group function, by the specification: its number, its values, and
// those of the active work-items of its sub-group.
type member struct {
	id, size int           // number in the sub-group; size of the sub-group
	full     int           // work-items of a full sub-group
	x        int32         // its value
	active   map[int]int32 // values by number
}

func (m *member) fold(from, to int, identity int32, f func(a, b int32) int32) int32 {
	r := identity
	for i := from; i < to; i++ {
		if v, ok := m.active[i]; ok {
			r = f(r, v)
		}
	}
	return r
}

func truth(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// ballot returns the mask of active members whose value is odd.
func (m *member) ballot(all bool) (mask uint32) {
	for i, v := range m.active {
		if all || v&1 != 0 {
			mask |= 1 << i
		}
	}
	return mask
}

// undefined marks results that the specification does not define.
const undefined = -0x7fedcba9

// everyone returns the mask of a full sub-group.
func (m *member) everyone() uint32 { return uint32(uint64(1)<<m.full - 1) }

func (m *member) at(i int) int32 {
	if v, ok := m.active[i]; ok {
		return v
	}
	return undefined
}

var foldOps = []struct {
	name     string
	identity int32
	f        func(a, b int32) int32
}{
	{"add", 0, func(a, b int32) int32 { return a + b }}, {"mul", 1, func(a, b int32) int32 { return a * b }},
	{"min", 1<<31 - 1, func(a, b int32) int32 { return min(a, b) }}, {"max", -1 << 31, func(a, b int32) int32 { return max(a, b) }},
	{"and", -1, func(a, b int32) int32 { return a & b }}, {"or", 0, func(a, b int32) int32 { return a | b }}, {"xor", 0, func(a, b int32) int32 { return a ^ b }},
	{"logical_and", 1, func(a, b int32) int32 { return truth(a != 0 && b != 0) }},
	{"logical_or", 0, func(a, b int32) int32 { return truth(a != 0 || b != 0) }},
	{"logical_xor", 0, func(a, b int32) int32 { return truth((a != 0) != (b != 0)) }},
}

type subGroupCase struct {
	call string
	want func(m *member) int32
}

// anywhere returns calls that need not be executed by the whole sub-group.
func anywhere() []subGroupCase {
	mask := "(sub_group_ballot(x & 1))"
	below := func(m *member, extra int) uint32 { return uint32(uint64(1)<<(m.id+extra) - 1) }
	cases := []subGroupCase{
		{"sub_group_elect()", func(m *member) int32 { return truth(bits.TrailingZeros32(m.ballot(true)) == m.id) }},
		{"sub_group_non_uniform_all(x & 1) != 0", func(m *member) int32 { return truth(m.ballot(false) == m.ballot(true)) }},
		{"sub_group_non_uniform_any(x & 1) != 0", func(m *member) int32 { return truth(m.ballot(false) != 0) }},
		{"sub_group_non_uniform_all_equal(x & 1) != 0", func(m *member) int32 { return truth(m.ballot(false) == 0 || m.ballot(false) == m.ballot(true)) }},
		{"sub_group_non_uniform_all_equal((float)NAN)", func(m *member) int32 { return 0 }},
		{"sub_group_non_uniform_broadcast((short3)(0, x, 1), 3).y", func(m *member) int32 { return m.at(3) }},
		{"sub_group_broadcast_first(x)", func(m *member) int32 { return m.at(bits.TrailingZeros32(m.ballot(true))) }},
		{mask + ".x", func(m *member) int32 { return int32(m.ballot(false)) }},
		{"any(" + mask + ".yzw != 0)", func(m *member) int32 { return 0 }},
		{"sub_group_inverse_ballot" + mask, func(m *member) int32 { return truth(m.x&1 != 0) }},
		{"sub_group_ballot_bit_extract(" + mask + ", 5)", func(m *member) int32 { return int32(m.ballot(false) >> 5 & 1) }},
		{"sub_group_ballot_bit_count" + mask, func(m *member) int32 { return int32(bits.OnesCount32(m.ballot(false))) }},
		{"sub_group_ballot_bit_count((uint4)(-1))", func(m *member) int32 { return int32(m.full) }},
		{"sub_group_ballot_inclusive_scan" + mask, func(m *member) int32 { return int32(bits.OnesCount32(m.ballot(false) & below(m, 1))) }},
		{"sub_group_ballot_exclusive_scan" + mask, func(m *member) int32 { return int32(bits.OnesCount32(m.ballot(false) & below(m, 0))) }},
		{"sub_group_ballot_find_lsb(sub_group_ballot(1))", func(m *member) int32 { return int32(bits.TrailingZeros32(m.ballot(true))) }},
		{"sub_group_ballot_find_msb(sub_group_ballot(1))", func(m *member) int32 { return int32(bits.Len32(m.ballot(true)) - 1) }},
		{"get_sub_group_eq_mask().x", func(m *member) int32 { return 1 << m.id }},
		{"get_sub_group_ge_mask().x", func(m *member) int32 { return int32(^below(m, 0) & m.everyone()) }},
		{"get_sub_group_gt_mask().x", func(m *member) int32 { return int32(^below(m, 1) & m.everyone()) }},
		{"get_sub_group_le_mask().x", func(m *member) int32 { return int32(below(m, 1)) }},
		{"get_sub_group_lt_mask().x", func(m *member) int32 { return int32(below(m, 0)) }},
		{"sub_group_shuffle(x, (uint)x >> 3 & 15)", func(m *member) int32 { return m.at(int(m.x >> 3 & 15)) }},
		{"sub_group_shuffle_xor((double)x, 5)", func(m *member) int32 { return m.at(m.id ^ 5) }},
		{"sub_group_shuffle_xor(x, get_max_sub_group_size() / 2)", func(m *member) int32 { return m.at(m.id ^ m.full/2) }},
		{"sub_group_shuffle_up((long)x, 3)", func(m *member) int32 { return m.at(m.id - 3) }},
		{"sub_group_shuffle_down((half)x, 2)", func(m *member) int32 { return m.at(m.id + 2) }},
		{"sub_group_rotate((ushort)x, 3)", func(m *member) int32 { return m.at((m.id + 3) % m.full) }},
		{"sub_group_rotate(x, -3)", func(m *member) int32 { return m.at((m.id + m.full - 3) % m.full) }},
		{"sub_group_clustered_rotate(x, 3, 4)", func(m *member) int32 { return m.at(m.id&^3 + (m.id+3)%4) }},
		{"sub_group_clustered_rotate(x, -1, 8)", func(m *member) int32 { return m.at(m.id&^7 + (m.id+7)%8) }},
	}
	for _, op := range foldOps {
		fold := func(name, args string, from, to func(m *member) int) {
			cases = append(cases, subGroupCase{"sub_group_" + name + op.name + "(" + args + ")", func(m *member) int32 { return m.fold(from(m), to(m), op.identity, op.f) }})
		}
		zero := func(*member) int { return 0 }
		fold("non_uniform_reduce_", "x", zero, func(m *member) int { return m.full })
		fold("non_uniform_scan_inclusive_", "x", zero, func(m *member) int { return m.id + 1 })
		fold("non_uniform_scan_exclusive_", "x", zero, func(m *member) int { return m.id })
		for _, c := range []int{1, 4, 8} {
			fold("clustered_reduce_", fmt.Sprint("x, ", c), func(m *member) int { return m.id &^ (c - 1) }, func(m *member) int { return m.id&^(c-1) + c })
		}
		fold("clustered_reduce_", "x, get_max_sub_group_size()", zero, func(m *member) int { return m.full })
	}
	return cases
}

// together returns calls that the whole sub-group must execute.
func together() []subGroupCase {
	cases := []subGroupCase{
		{"get_sub_group_size()", func(m *member) int32 { return int32(m.size) }},
		{"get_max_sub_group_size()", func(m *member) int32 { return int32(m.full) }},
		{"get_sub_group_local_id()", func(m *member) int32 { return int32(m.id) }},
		{"sub_group_all(x & 1) != 0", func(m *member) int32 { return truth(m.ballot(false) == m.ballot(true)) }},
		{"sub_group_any(x & 1) != 0", func(m *member) int32 { return truth(m.ballot(false) != 0) }},
		{"sub_group_broadcast((float)x, get_sub_group_size() - 1)", func(m *member) int32 { return m.at(m.size - 1) }},
		{"sub_group_broadcast((char4)(x, 1, 2, 3), 0).x", func(m *member) int32 { return m.at(0) }},
		{"(int)sub_group_reduce_add((float)x)", func(m *member) int32 { return m.fold(0, m.full, 0, foldOps[0].f) }},
		{"(int)sub_group_scan_inclusive_max((half)x)", func(m *member) int32 { return m.fold(0, m.id+1, -100, foldOps[3].f) }},
		{"sub_group_reduce_add((char)x)", func(m *member) int32 { return int32(int8(m.fold(0, m.full, 0, foldOps[0].f))) }},
		{"sub_group_scan_exclusive_max((ushort)x)", func(m *member) int32 { return m.fold(0, m.id, 0, foldOps[3].f) }},
	}
	for _, i := range []int{0, 2, 3} {
		op := foldOps[i]
		cases = append(cases,
			subGroupCase{"sub_group_reduce_" + op.name + "(x)", func(m *member) int32 { return m.fold(0, m.full, op.identity, op.f) }},
			subGroupCase{"sub_group_scan_inclusive_" + op.name + "(x)", func(m *member) int32 { return m.fold(0, m.id+1, op.identity, op.f) }},
			subGroupCase{"sub_group_scan_exclusive_" + op.name + "(x)", func(m *member) int32 { return m.fold(0, m.id, op.identity, op.f) }})
	}
	return append(cases, anywhere()...)
}

// requiredSizes are the attributes by which a kernel requires a sub-group size, and none.
var requiredSizes = map[int]string{
	8: "__attribute__((intel_reqd_sub_group_size(8))) ", 16: "__attribute__((intel_reqd_sub_group_size(16))) ", 32: "",
}

// TestSubGroup tests every sub-group function, with each sub-group size, in work-groups of several sizes, by all
// work-items and, if allowed, by those that cond selects.
func TestSubGroup(t *testing.T) {
	for _, part := range []struct {
		cond  string
		in    func(x int32, id int) bool
		cases []subGroupCase
	}{
		{"1", func(int32, int) bool { return true }, together()},
		{"x % 3 != 0", func(x int32, _ int) bool { return x%3 != 0 }, anywhere()},
		{"get_sub_group_local_id() == 2", func(_ int32, id int) bool { return id == 2 }, anywhere()},
	} {
		for full, attribute := range requiredSizes {
			t.Run(fmt.Sprintf("%d if %s", full, part.cond), func(t *testing.T) { trySubGroups(t, part.cond, part.in, part.cases, full, attribute) })
		}
	}
}

func trySubGroups(t *testing.T, cond string, in func(x int32, id int) bool, cases []subGroupCase, full int, attribute string) {
	var src strings.Builder
	fmt.Fprintf(&src, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n%skernel void k(global const int *in, global int *out) {\n\tsize_t i = get_global_id(0), n = get_global_size(0);\n\tint x = in[i];\n\tif (%s) {\n", attribute, cond)
	for j, c := range cases {
		fmt.Fprintf(&src, "\t\tout[%d * n + i] = %s;\n", j, c.call)
	}
	src.WriteString("\t}\n}\n")
	k := build(t, src.String())
	const most = 16 * 80 // enough for machine code
	values := make([]int32, most)
	for i := range values {
		values[i] = int32(uint32(i)*2654435761>>11) % 120
	}
	for _, run := range []struct{ n, local int }{{240, 1}, {240, 5}, {240, 16}, {240, 24}, {240, 80}, {most, 80}, {1056, 33}} {
		n, local := run.n, run.local
		out := make([]int32, n*len(cases))
		k.run(t, n, local, raw(values[:n]), raw(out))
		for i, x := range values[:n] {
			item := i % local
			first := i - item%full
			m := &member{id: item % full, x: x, active: map[int]int32{}, size: min(full, local-item/full*full), full: full}
			for id := range m.size {
				if in(values[first+id], id) {
					m.active[id] = values[first+id]
				}
			}
			if _, ok := m.active[m.id]; !ok {
				continue
			}
			for j, c := range cases {
				if want := c.want(m); want != undefined && out[j*n+i] != want {
					t.Errorf("%d work-items in groups of %d, work-item %d: %s is %d, want %d", n, local, i, c.call, out[j*n+i], want)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestSubGroupShape tests the queries in a range of three dimensions with partial work-groups at its edge.
func TestSubGroupShape(t *testing.T) {
	for full, attribute := range requiredSizes {
		k := build(t, attribute+`kernel void k(global uint8 *out) {
		size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
		out[i] = (uint8)(get_local_linear_id(), get_sub_group_id(), get_sub_group_local_id(), get_sub_group_size(), get_num_sub_groups(), get_enqueued_num_sub_groups(), get_local_size(0) * get_local_size(1) * get_local_size(2), sub_group_reduce_add(1u));
	}`)
		out := make([]uint32, 8*7*6*5)
		l := &launch.Launch{Kernel: k.k, Range: launch.Range{Global: []uint64{7, 6, 5}, Local: []uint64{4, 4, 3}, NonUniform: true}, Checks: exec.ChecksAll, Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: raw(out)})}}
		if _, err := launch.Run(context.Background(), l); err != nil {
			t.Fatal(err)
		}
		f := uint32(full)
		for i := 0; i < len(out); i += 8 {
			o := out[i : i+8]
			id, items := o[0], o[6]
			size := min(f, items-id/f*f)
			if want := [8]uint32{id, id / f, id % f, size, (items + f - 1) / f, (48 + f - 1) / f, items, size}; [8]uint32(o) != want {
				t.Fatalf("sub-groups of %d, work-item %d: %v, want %v", full, i/8, o, want)
			}
		}
	}
}

// TestSubGroupDivergence checks that divergence before functions that the whole sub-group must execute is an error,
// and that barriers of sub-groups order accesses only within them.
func TestSubGroupDivergence(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string
	}{ // with sub-groups of 16
		{"part", "if (i % 16 < 8) p[i] = sub_group_reduce_add(1);", []string{"barrier-divergence: others are elsewhere"}},
		{"whole sub-groups", "if (i >= 16) p[i] = sub_group_reduce_add(1);", nil},
		{"returned", "if (i == 20) return; p[i] = sub_group_all(1);", []string{"barrier-divergence: others have returned before it"}},
		{"barrier", "if (i % 2) sub_group_barrier(CLK_GLOBAL_MEM_FENCE);", []string{"barrier-divergence: others are elsewhere"}},
		{"loop", "for (int j = 0; j < 2 + i / 16; j++) p[i] += sub_group_reduce_add(j);", nil},
		{"ordered", "p[i] = 1; sub_group_barrier(CLK_GLOBAL_MEM_FENCE); int v = p[i ^ 5]; sub_group_barrier(CLK_GLOBAL_MEM_FENCE); p[i] = v;", nil},
		{"read while written", "p[i] = 1; sub_group_barrier(CLK_GLOBAL_MEM_FENCE); p[i] = p[i ^ 5];", []string{"race-in-group: "}},
		{"not ordered", "p[i] = 1; sub_group_barrier(CLK_GLOBAL_MEM_FENCE); p[i ^ 16] = 2;", []string{"race-in-group: "}},
		{"no fence", "p[i] = sub_group_all(1); p[i ^ 1] = 2;", []string{"race-in-group: "}},
	} {
		k := build(t, requiredSizes[16]+"kernel void k(global int *p) { int i = get_global_id(0); "+c.body+" }")
		l := &launch.Launch{Kernel: k.k, Range: launch.Range{Global: []uint64{32}, Local: []uint64{32}}, Checks: exec.ChecksAll, Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: make([]byte, 128)})}}
		report, _ := launch.Run(context.Background(), l)
		var got []string
		for _, f := range report.Findings {
			got = append(got, f.Kind.String()+": "+f.Note)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

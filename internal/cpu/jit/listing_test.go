//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// shapesSource has one access per line. The comment gives its shape on AVX-512 and a part of the reason.
const shapesSource = `
kernel void shapes(global float *out, global const float *in, global const int *idx, constant float *c, global const float *restrict m, int n, global int *hist) {
	int i = get_global_id(0);
	float s = 0;
	s += in[i];                  // contiguous 4:
	s += in[2*i];                // strided 8: 8 bytes apart, each takes 4
	s += in[idx[i]];             // contiguous 4:; gather/scatter 0: it is loaded from memory
	s += in[i % n];              // gather/scatter 0: it goes through rem
	s += c[n];                   // uniform 0:
	for (int k = 0; k < n; k++)
		s += m[k];           // uniform 0:
	atomic_inc(hist + i);        // lane by lane 4: atomic operations
	if (s > 3)
		out[i] = s;          // contiguous 4:
}
`

func TestListedShapes(t *testing.T) {
	m := build(t, shapesSource)
	code := listed(t, m.Func("shapes"), x86.AVX512, WholeGangs)
	got := map[int][]explain.Access{}
	for _, a := range code.Listing.Accesses {
		line := m.Source.Location(a.Value.Pos).Line
		got[line] = append(got[line], a)
	}
	for n, l := range strings.Split(shapesSource, "\n") {
		_, comment, ok := strings.Cut(l, "// ")
		if !ok {
			continue
		}
		for _, want := range strings.Split(comment, "; ") {
			want, why, _ := strings.Cut(want, ":")
			hit, all := false, []string{}
			for _, a := range got[n+1] {
				reason := fmt.Sprint(a.Why)
				all = append(all, fmt.Sprintf("%v %d: %s", a.Shape, a.Step, reason))
				hit = hit || fmt.Sprintf("%v %d", a.Shape, a.Step) == want && strings.Contains(reason, strings.TrimSpace(why)) && (why != "") == (len(a.Why) > 0)
			}
			if !hit {
				t.Errorf("line %d: got %q, want %s:%s", n+1, all, want, why)
			}
		}
	}
	// The branch on s diverges because s depends on a load; the loop's branch does not.
	var diverge []string
	for _, n := range code.Listing.Loops() {
		for _, w := range n.Diverge {
			diverge = append(diverge, fmt.Sprintf("%d %s", m.Source.Location(w[0].Pos).Line, w[len(w)-1].Text))
		}
	}
	diverge = slices.Compact(diverge) // the code version for equal quotients contains it too
	if len(diverge) != 1 || !strings.HasPrefix(diverge[0], "13 the condition depends on a value loaded from memory") {
		t.Errorf("divergent branches: %q", diverge)
	}
}

// TestListedAgain: the code for a work-group of known size omits redundant loads. The listing shows each, with
// the load that replaces it; each of the other loads has one instruction that reads memory.
func TestListedAgain(t *testing.T) {
	m := build(t, `kernel __attribute__((reqd_work_group_size(16, 4, 1))) void k(global float* out, global const float* in, int n) {
  local float t[64]; // n keeps it in memory
  int x = get_local_id(0), y = get_local_id(1), l = 16 * y + x;
  float s = 0;
  t[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < 3; j++)
    s += t[16 * j + x]
      * t[16 * y + j];
  barrier(CLK_LOCAL_MEM_FENCE);
  s *= t[l]
    + t[get_local_linear_id()];
  out[l] = s + t[n]; }`)
	const column, row, own, same = 8, 9, 11, 12 // lines
	for _, lv := range x86.Levels {
		code := listed(t, m.Func("k"), lv, WholeGangs)
		gangs := 64 / code.Lanes
		read, again, insts := map[int]int{}, map[int]int{}, map[int]int{}
		for _, a := range code.Listing.Accesses {
			line := m.Source.Location(a.Value.Pos).Line
			if a.Shape != explain.Again {
				read[line]++
				continue
			}
			again[line]++
			from, text := line, "another gang has loaded the same"
			if line == same {
				from, text = own, "an equal load has found it"
			}
			if w := a.Why[0]; w.Text != text || m.Source.Location(w.Pos).Line != from {
				t.Errorf("%s: line %d: %s, in line %d", lv.Name, line, w.Text, m.Source.Location(w.Pos).Line)
			}
		}
		for _, i := range code.Listing.Insts {
			if i.Body && !i.Cold && !i.Spill && i.Inst.HasMem && i.Note == "" { // a note marks the load of a pointer or size
				insts[m.Source.Location(i.Pos).Line]++
			}
		}
		if lv.EVEX { // the multiplication has the row's element as its operand
			insts[column] -= 12
			insts[row] += 12
		}
		// Gangs in one column share the column's element; gangs side by side in a row share the row's.
		want := map[int][2]int{column: {3 * gangs / 4, 9 * gangs / 4}, row: {12, 3*gangs - 12}, own: {gangs, 0}, same: {0, gangs}}
		for line, n := range want {
			if read[line] != n[0] || again[line] != n[1] || insts[line] != n[0] {
				t.Errorf("%s: line %d: %d loads and %d that are needless, want %d; %d instructions read", lv.Name, line, read[line], again[line], n, insts[line])
			}
		}
	}
}

// TestListedInstructions compares the start of instructions with objdump, and finds each source line's
// instructions.
func TestListedInstructions(t *testing.T) {
	objdump, err := exec.LookPath("objdump")
	if err != nil {
		t.Fatal("objdump is missing: see setup.sh")
	}
	list := func(format, sep string) string {
		var all []string
		for k := range 40 {
			all = append(all, fmt.Sprintf(strings.Replace(format, "%d", "%[1]d", 1), k, (k+7)%40))
		}
		return strings.Join(all, sep)
	}
	m := build(t, shapesSource+`
kernel void pressure(global float *a, int n) {
	int i = get_global_id(0);
	float `+list("v%d = a[i + %[1]d]", ", ")+`;
	for (int r = 0; r < n; r++) {
		`+list("v%d = v%[1]d * v0 + v%[2]d;", " ")+`
	}
	a[i] = `+list("v%d", " + ")+`;
}
kernel void tree(global int *a, local int *b) {
	int l = get_local_id(0);
	b[l] = a[get_global_id(0)];
	for (int n = get_local_size(0) / 2; n > 0; n /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < n)
			b[l] += b[l + n];
	}
	if (l == 0)
		a[get_group_id(0)] = b[0];
}`)
	start := regexp.MustCompile(`(?m)^ *([0-9a-f]+):\t`)
	for _, name := range []string{"shapes", "pressure", "tree"} {
		for _, lv := range x86.Levels {
			for _, gangs := range []Gangs{WholeGangs, PartialGangs} {
				code := listed(t, m.Func(name), lv, gangs)
				ls := code.Listing
				file := filepath.Join(t.TempDir(), "code")
				if err := os.WriteFile(file, code.Bytes, 0o666); err != nil {
					t.Fatal(err)
				}
				out, err := exec.Command(objdump, "-D", "-b", "binary", "-m", "i386:x86-64", file).CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				begins := map[int]bool{}
				for _, x := range start.FindAllStringSubmatch(string(out), -1) {
					at, _ := strconv.ParseInt(x[1], 16, 64)
					begins[int(at)] = true
				}
				lines := map[int]bool{}
				last := -1
				for _, i := range ls.Insts {
					if i.Offset <= last || !begins[i.Offset] {
						t.Fatalf("%s %s: %s at %#x: no instruction begins there", name, lv.Name, i.Text, i.Offset)
					}
					if last = i.Offset; i.Body {
						lines[m.Source.Location(i.Pos).Line] = true
					}
				}
				for _, a := range ls.Accesses {
					if l := m.Source.Location(a.Value.Pos).Line; !lines[l] {
						t.Errorf("%s %s: no instruction for line %d, where memory is accessed", name, lv.Name, l)
					}
				}
				n := 0
				for _, x := range ls.Loops() {
					n += x.Insts + x.Cold + x.Once
				}
				body := 0
				for _, i := range ls.Insts {
					if i.Body {
						body++
					}
				}
				if n != body || ls.Before == "" || ls.Before == ls.After {
					t.Errorf("%s %s: the loops have %d instructions, the body %d", name, lv.Name, n, body)
				}
			}
		}
	}
	// 40 values that are live around a loop do not fit into AVX2's 16 registers.
	code := listed(t, m.Func("pressure"), x86.AVX2, WholeGangs)
	spills := 0
	for _, n := range code.Listing.Loops() {
		spills += n.Spills
		if n.Vectors > 16 {
			t.Errorf("%d vector registers", n.Vectors)
		}
	}
	if spills < 10 {
		t.Errorf("%d spills", spills)
	}
}

// TestListedEverything: the listing contains each memory access of the benchmarks' and examples' kernels once,
// with a reason if its shape is not among the best.
func TestListedEverything(t *testing.T) {
	kernels := 0
	var files []string
	for _, pattern := range []string{"../../../bench/kernels/*.cl", "../../../examples/*/*.cl"} {
		list, err := filepath.Glob(pattern)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: no files: %v", pattern, err)
		}
		files = append(files, list...)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		res, err := compile.Compile(context.Background(), file, src, &compile.Options{Source: option.Source{Std: opencl.CL30}})
		if err != nil {
			continue // it needs macros
		}
		for f := range kernelsOf(res.Module) {
			kernels++
			for _, lv := range x86.Levels {
				code, _, err := List(f, lv, WholeGangs)
				if err != nil {
					t.Errorf("%s: %s: %v", file, f.Name, err)
					continue
				}
				seen := map[*ssa.Value]int{}
				for _, a := range code.Listing.Accesses {
					seen[a.Value]++
					if best := a.Shape == explain.Uniform || a.Shape == explain.Contiguous || a.Shape == explain.Rows; best == (len(a.Why) > 0) {
						t.Errorf("%s: %s %s: %v is %v because of %v", file, f.Name, lv.Name, a.Value, a.Shape, a.Why)
					}
				}
				for _, b := range code.Listing.Plan.Order {
					for _, v := range b.Values {
						switch v.Op {
						case ssa.OpLoad, ssa.OpStore, ssa.OpMemCopy, ssa.OpMemZero, ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
							if seen[v] != 1 {
								t.Errorf("%s: %s %s: %v is listed %d times", file, f.Name, lv.Name, v, seen[v])
							}
						}
					}
				}
			}
		}
	}
	if kernels < 60 {
		t.Errorf("only %d kernels", kernels)
	}
}

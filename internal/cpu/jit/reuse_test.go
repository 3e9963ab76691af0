//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

const reuseKernels = `
kernel void queries(global uint* out, global const uint* in, local uint* tmp, int n) {
  size_t at = get_global_linear_id() * 16;
  tmp[get_local_linear_id() % n] = 1;
  for (uint d = 0; d < 4; d++) {
    out[at + d] = get_group_id(d) * 1000 + get_local_id(d);
    out[at + 4 + d] = get_num_groups(d) * 1000 + get_local_size(d);
    out[at + 8 + d] = get_global_size(d) * 1000 + get_global_offset(d);
    out[at + 12 + d] = get_work_dim() + in[d] + n;
  }
}
kernel void faults(global uint* out, global const uint* in, local uint* tmp, int n) {
  size_t i = get_global_linear_id();
  uint x[3] = {n, i, 5};
  out[i] = in[i * 5 % 900] + x[(i + n) % 4] + tmp[i % 7];
}
kernel void counts(global uint* out, global const uint* in, local uint* tmp, int n) {
  atomic_add(out + n, in[get_global_linear_id() % 16] & 7);
}
kernel void locals(global uint* out, global const uint* in, local uint* tmp, int n) {
  local uint sum[64];
  size_t l = get_local_linear_id(), i = get_global_linear_id();
  sum[l] = tmp[l % 4] + in[i % 256];
  barrier(CLK_LOCAL_MEM_FENCE);
  tmp[0] = sum[0];
  out[i] = sum[(l + 1) % 64];
}
`

// TestReuse runs launches of all kinds in sequence on one program, whose workers' memory is reused, and
// compares each with the same launch on a new program.
func TestReuse(t *testing.T) {
	m := build(t, reuseKernels)
	for _, exec := range Executors(Options{Panics: true}) {
		old := programOf(t, m, exec)
		r := rand.New(rand.NewPCG(1, uint64(len(exec.Name()))))
		for i := range 60 {
			reuse(t, fmt.Sprintf("%s, launch %d", exec.Name(), i), old, m, exec, r)
		}
	}
}

// reuse runs a random launch on an old program and on a new one.
func reuse(t *testing.T, what string, old *launch.Program, m *ssa.Module, exec exec.Executor, r *rand.Rand) {
	t.Helper()
	name := []string{"queries", "faults", "counts", "locals"}[r.IntN(4)]
	var rng launch.Range
	for d := range 1 + r.IntN(3) {
		local := uint64(1)
		if d == 0 || r.IntN(4) == 0 { // often unchanged, because only workers of the same size are reused as they are
			local = 4
		}
		rng.Local = append(rng.Local, local)
		rng.Global = append(rng.Global, local*uint64(1+r.IntN(5)))
		rng.Offset = append(rng.Offset, uint64(r.IntN(2)))
	}
	if r.IntN(4) == 0 {
		rng.Local = nil
	}
	in := filled(4*[]int{256, 900, 1000}[r.IntN(3)], func(i int) byte { return byte(r.Uint32()) })
	n, size, readOnly, same, null := 1+r.IntN(5), int64(64+256*r.IntN(2)), r.IntN(8) == 0, r.IntN(5) == 0, r.IntN(8) == 0
	do := func(p *launch.Program) (out []byte, found string) {
		k, err := p.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		out = make([]byte, 1<<19)
		dst, src := launch.Memory(&launch.Buffer{Data: out, ReadOnly: readOnly}), launch.Memory(&launch.Buffer{Data: in})
		if same && name == "counts" {
			src = dst
		}
		if null {
			src = launch.Memory(nil)
		}
		rep, err := RunRobust(&launch.Launch{Kernel: k, Args: []launch.Arg{dst, src, launch.Local(size), launch.Value(i32(n))}, Range: rng, Workers: 1})
		if rep == nil {
			t.Fatalf("%s: %s: %v", what, name, err)
		}
		for _, f := range rep.Findings {
			found += fmt.Sprintln(f, f.Global, f.Offset, f.Count)
		}
		return out, found
	}
	fresh := programOf(t, m, exec)
	got, gotFound := do(old)
	want, wantFound := do(fresh)
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %s over %v gives other results than a new program", what, name, rng)
	}
	if gotFound != wantFound {
		t.Errorf("%s: %s over %v found\n%sa new program\n%s", what, name, rng, gotFound, wantFound)
	}
}

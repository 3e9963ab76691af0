package difftest

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// hugeCopies are async copies of n elements at a stride, as elements, lines and planes.
var hugeCopies = map[string]string{
	"copy in":      "e = async_work_group_copy(l, g, n, 0);",
	"copy out":     "e = async_work_group_copy(g, l, n, 0);",
	"strided in":   "e = async_work_group_strided_copy(l, g, n, stride, 0);",
	"strided out":  "e = async_work_group_strided_copy(g, l, n, stride, 0);",
	"long lines":   "e = async_work_group_copy_2D2D((global void *)g, 0, (local const void *)l, 0, 4, n, 2, stride, stride, 0);",
	"many lines":   "e = async_work_group_copy_2D2D((local void *)l, 0, (global const void *)g, 0, 4, 2, n, stride, 2, 0);",
	"many planes":  "e = async_work_group_copy_3D3D((local void *)l, 0, (global const void *)g, 0, 4, 2, 2, n, 2, stride, 2, stride, 0);",
	"huge offsets": "e = async_work_group_copy_3D3D((local void *)l, n, (global const void *)g, stride, 4, 2, 2, n, 2, stride, 2, stride, 0);",
}

// TestHugeAsyncCopies checks on every executor that a copy of far more elements than the buffer has ends quickly,
// with a finding.
func TestHugeAsyncCopies(t *testing.T) {
	for _, w := range configs() {
		for name, call := range hugeCopies {
			src := "#pragma OPENCL EXTENSION cl_khr_extended_async_copies : enable\nkernel void k(global int *g, ulong n, ulong stride) { local int l[64]; l[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); event_t e; " + call + " wait_group_events(1, &e); }"
			opts := w.build
			opts.Source = option.Source{Std: opencl.CL30}
			res, err := compile.Compile(context.Background(), "huge.cl", []byte(src), &opts)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			k := kernelOf(t, programOf(t, res.Module, w.exec), "k")
			for _, n := range []uint64{1 << 33, 1 << 40, 1 << 62, ^uint64(0)} {
				for _, stride := range []uint64{2, 0, 1<<36 + 1, ^uint64(0) / 4} {
					if stride == 0 && name != "copy in" && name != "copy out" && name != "strided in" && name != "strided out" {
						continue
					}
					number := func(x uint64) launch.Arg { return launch.Value(binary.LittleEndian.AppendUint64(nil, x)) }
					ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
					rep, err := launch.Run(ctx, &launch.Launch{Kernel: k, Checks: w.checks, Faults: exec.Robust,
						Args:  []launch.Arg{launch.Memory(&launch.Buffer{Data: make([]byte, 1<<10)}), number(n), number(stride)},
						Range: launch.Range{Global: []uint64{32}, Local: []uint64{32}}})
					cancel()
					what := fmt.Sprintf("%s, %s of %d at %d", w.name, name, n, stride)
					if err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					if !slices.ContainsFunc(rep.Findings, func(f *exec.Finding) bool { return f.Kind == exec.OutOfBounds }) {
						t.Errorf("%s: nothing is out of bounds: %v", what, rep.Findings)
					}
				}
			}
		}
	}
}

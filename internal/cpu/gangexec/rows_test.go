package gangexec_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/gangexec"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// rowKernels are kernels whose gangs execute the work-items of several rows. Some gangs leave: at a test that differs
// between rows, or at an access out of bounds.
var rowKernels = []string{
	"float s = 0; for (int k = 0; k < n; k++) s += a[i * 40 + k] * b[k * 40 + j]; c[i * 40 + j] = s;",
	"if (i >= n || j >= n) return; float s = 1; for (int k = 0; k < n; k++) s = s * 0.5f + a[i * 40 + k] * b[k * 40 + j]; c[i * 40 + j] = s;",
	"float s = 0; for (int k = 0; k < n; k++) s += a[i * 40 + k + 1400] * b[k * 40 + j]; c[i * 40 + j] = s;",
}

// TestRows compares gangs of several rows with the reference executor.
func TestRows(t *testing.T) {
	a, b := make([]byte, 4*40*40), make([]byte, 4*40*40)
	for k := range 40 * 40 {
		binary.LittleEndian.PutUint32(a[4*k:], uint32(0x3f800000+k%13<<19))
		binary.LittleEndian.PutUint32(b[4*k:], uint32(0x3f800000+k%7<<20))
	}
	for _, body := range rowKernels {
		src := "kernel void k(global const float *a, global const float *b, global float *c, int n) { int i = get_global_id(1), j = get_global_id(0); " + body + " }"
		res, err := compile.Compile(t.Context(), "t.cl", []byte(src), &compile.Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		for _, lv := range []*x86.Level{x86.AVX512, x86.AVX2} {
			o := spmd.Options{RowUniform: true, GroupUniform: true, Versions: true, Gangs: true, Rows: int(lv.VL), Coarsen: spmd.Coarsening{Registers: lv.VectorRegs(), Piece: int(lv.VL), Always: true}}
			if p, err := spmd.Prepare(res.Module.Func("k"), o); err != nil || p.Rows < 2 {
				t.Errorf("%s: gangs of one row: %v", src, err)
			}
			m := gangexec.TargetInterpreter(lv.Lanes, lv.Name, lv.Target())
			for _, r := range []launch.Range{{Global: []uint64{32, 8}}, {Global: []uint64{37, 11}}} {
				values := []launch.Arg{launch.Value([]byte{6, 0, 0, 0})}
				buffers := [][]byte{a, b, make([]byte, 4*40*40)}
				want, _ := run(t, res.Module, interp.Reference, buffers, values, r)
				got, on := run(t, res.Module, gangexec.For(m), buffers, values, r)
				if on != m.Name() || !bytes.Equal(got, want) {
					t.Errorf("%s: other results than the reference executor\n%s", on, src)
				}
			}
		}
	}
}

package gangexec_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/gangexec"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// unfolded are kernels of work-groups of 64 whose gangs are in sequence or interleaved. The index g, or
// many loads of one element for all lanes, keep their arrays in memory.
var unfolded = []string{
	// the last steps of a tree execute in the first lanes of the first gang
	"local float t[64]; t[l] = a[i]; barrier(1); for (int s = 32; s > 0; s /= 2) { if (l < s) t[l] += t[l + s]; barrier(1); } b[i] = t[0] + l + t[g];",
	// accesses out of bounds of a gang that is not the first one
	"local float t[64]; t[l] = a[i + 40]; barrier(1); b[i + 30] = t[63 - l] + t[g];",
	// local memory that is not all written first
	"local float t[64]; if (l & 1) t[l] = a[i]; barrier(1); b[i] = t[l ^ 1] + t[l] + t[g];",
	// a permutation by a number that only the launch knows
	"local float t[64]; t[l] = a[i]; barrier(1); b[i] = t[l ^ g] + t[g];",
	// loads of the same elements
	"local float t[64]; t[l] = a[i]; barrier(1); float x = 0; for (int k = 0; k < 8; k++) x += t[k] * t[l]; barrier(1); t[l] = x; barrier(1); b[i] = t[l] - t[7];",
}

// evaluated are kernels whose local arrays are in registers.
var evaluated = []string{
	"local float t[64]; t[l] = a[i]; barrier(1); for (int s = 32; s > 0; s /= 2) { if (l < s) t[l] += t[l + s]; barrier(1); } b[i] = t[0] + l;",
	"local float t[64]; t[l] = a[i + 40]; barrier(1); b[i + 30] = t[63 - l];",
	"local float t[64]; if (l & 1) t[l] = a[i]; barrier(1); b[i] = t[l ^ 1] + t[l];",
	// vectors, stored whole, by component and as scalars
	"local float2 t[2][64]; t[0][l] = (float2)(a[i], l); int p = 0; for (int n = 1; n < 64; n *= 4) { barrier(1); float2 x = t[p][l], y = t[p][l ^ n]; p = 1 - p; t[p][(l + n) % 64] = (float2)(x.x * y.x - x.y, y.y + x.x); } barrier(1); b[i] = t[p][l].x - t[p][l].y;",
	"local float4 t[64]; t[l] = (float4)(a[i], 1, l, a[i] * 2).wzyx; barrier(1); for (int s = 32; s > 0; s /= 2) { if (l < s) t[l] += t[l + s] * 2.0f; barrier(1); } b[i] = dot(t[0], t[1]) + l;",
	"local int3 t[64]; t[l] = (int3)(l, i, 3); barrier(1); if (l % 3) t[l].y = t[63 - l].x; barrier(1); b[i] = t[l].x + t[l].y * a[i] + t[(l + 5) & 63].z;",
	"local float t[128]; vstore2((float2)(a[i], l), l, t); barrier(1); b[i] = t[l] - t[127 - l];",
	"local uchar t[64]; local double u[64]; t[l] = a[i]; u[l] = a[i] * 3; barrier(1); b[i] = u[(l + 11) % 64] - t[l * 5 % 64];",
}

// TestUnfolded compares kernels of work-groups of known size with the reference executor.
func TestUnfolded(t *testing.T) {
	const items = 256
	a := make([]byte, 4*items)
	for k := range items {
		binary.LittleEndian.PutUint32(a[4*k:], uint32(0x3f800000+k%7<<20))
	}
	first, permuted := false, false
	for n, body := range append(unfolded, evaluated...) {
		src := "kernel void k(global const float *a, global float *b) { int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0); " + body + " }"
		res, err := compile.Compile(t.Context(), "t.cl", []byte(src), &compile.Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		for _, lv := range []*x86.Level{x86.AVX512, x86.AVX2} {
			o := spmd.Options{RowUniform: true, GroupUniform: true, Versions: true, Gangs: true,
				Unfold: spmd.Unfolding{Lanes: lv.Lanes, Local: [3]uint64{64, 1, 1}, Registers: lv.VectorRegs(), Width: int(lv.VL)}}
			p := spmd.Evaluate(res.Module.Func("k"), o)
			if is := p != nil; is != (n >= len(unfolded)) {
				t.Errorf("%s: evaluated: %v", src, is)
				continue
			}
			if p == nil {
				p, err = spmd.Prepare(res.Module.Func("k"), o)
			}
			if err != nil || !p.Unfolded {
				t.Errorf("%s: not unfolded: %v", src, err)
				continue
			}
			f, err := gang.Build(p, gang.Options{Lanes: lv.Lanes, Full: true, Target: lv.Target()})
			if err != nil {
				t.Errorf("%s: %v", src, err)
				continue
			}
			for _, b := range f.Blocks {
				for k := range b.Insts {
					first = first || b.Insts[k].Shape == gang.Contiguous && b.Insts[k].Aux > 0
					permuted = permuted || b.Insts[k].Op == gang.OpPermute
				}
			}
			m := gangexec.TargetInterpreter(lv.Lanes, lv.Name, lv.Target())
			r := launch.Range{Global: []uint64{items}, Local: []uint64{64}}
			want, _ := run(t, res.Module, interp.Reference, [][]byte{a, make([]byte, 4*items)}, nil, r)
			got, on := run(t, res.Module, gangexec.For(m), [][]byte{a, make([]byte, 4*items)}, nil, r)
			if on != m.Name() || !bytes.Equal(got, want) {
				t.Errorf("%s: other results than the reference executor\n%s\n%s", on, src, f)
			}
		}
	}
	if !first || !permuted {
		t.Errorf("an access of the first lanes of a gang: %v, a permutation: %v", first, permuted)
	}
}

//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"context"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestLoopClosed: values of a loop are used outside of it through phis only (loop-closed SSA). Here a value of
// the first loop passes through phis in the second.
func TestLoopClosed(t *testing.T) {
	const src = `kernel void k(global float* o, constant double* a, float x) {
		int lin = get_global_id(0);
		for (int i = lin & 3; i < 32; i += 17) x = (float)(a[i]);
		for (int j = lin % 8 - 1; j >= 0; j--) { long m = 0; while (m < 1 && (lin & 1)) m++; }
		o[lin] = x;
	}`
	disable := map[string]bool{"gvn": true, "ifconvert": true, "narrow": true, "simplify": true, "unroll": true}
	res, err := compile.Compile(context.Background(), "t.cl", []byte(src), &compile.Options{Source: option.Source{Std: opencl.CL30}, Opt: opt.Config{Disable: disable}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := spmd.Prepare(res.Module.Func("k"), spmd.Options{RowUniform: true, GroupUniform: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range p.Order {
		for _, v := range b.Values {
			for i, a := range v.Args {
				at := b
				if v.Op == ssa.OpPhi {
					at = b.Preds[i]
				}
				if l := p.Loops.Of(a.Block); l != nil && !a.IsConst() && !p.Loops.Contains(l, at) {
					t.Errorf("v%d of a loop is used outside of it by v%d", a.ID, v.ID)
				}
			}
		}
	}
}

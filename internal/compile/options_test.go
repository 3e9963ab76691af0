package compile

import (
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestParseOptions tests the effects of options in the compiler; package option tests the parser.
func TestParseOptions(t *testing.T) {
	o, err := ParseOptions("-cl-std=CL3.0 -cl-fast-relaxed-math -cl-opt-disable -cl-single-precision-constant -cl-kernel-arg-info -Werror")
	if err != nil {
		t.Fatal(err)
	}
	if o.Source.Std != opencl.CL30 || !o.NoOpt || !o.Source.KernelInfo || !o.Source.SinglePrecision || !o.Diag.Werror ||
		o.Float != ssa.Contract|ssa.NoSignedZero|ssa.Reassoc|ssa.NoNaNInf {
		t.Errorf("got %+v", o)
	}
	if o, err = ParseOptions("-cl-mad-enable"); err != nil || o.Float != ssa.Contract {
		t.Errorf("-cl-mad-enable: %+v, %v", o, err)
	}
	if _, err := ParseOptions("-cl-no-such"); err == nil {
		t.Error("an unknown option was accepted")
	}
}

package bench

import (
	"context"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"github.com/purecl/purecl"
)

// TestWorkloads checks that each workload gives the same bits on the reference executor with every observer, and on
// this machine's executor without observers.
func TestWorkloads(t *testing.T) {
	for _, w := range workloads {
		text, err := os.ReadFile("kernels/" + w.kernel + ".cl")
		if err != nil {
			t.Fatal(err)
		}
		prog, err := purecl.Compile(string(text))
		if err != nil {
			t.Fatal(err)
		}
		k, err := prog.Kernel(w.kernel)
		if err != nil {
			t.Fatal(err)
		}
		var results [2]any
		for i, checks := range []purecl.Checks{purecl.CheckAll, purecl.CheckNone} {
			args := w.args()
			fill(args)
			report := func(r *purecl.Report) {
				t.Logf("%s: %s", w.kernel, r.Executor)
				if len(r.Findings) > 0 {
					t.Errorf("%s: %v", w.kernel, r.Findings)
				}
			}
			if err := k.With(purecl.Options{Checks: checks, Report: report}).Run(context.Background(), purecl.Range(w.global...), args...); err != nil {
				t.Fatalf("%s: %v", w.kernel, err)
			}
			results[i] = args[0]
		}
		if !reflect.DeepEqual(results[0], results[1]) {
			t.Errorf("%s: the results differ", w.kernel)
		}
	}
}

// fill writes the same random values to the inputs each time.
func fill(args []any) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, a := range args[1:] {
		switch s := a.(type) {
		case []float32:
			for i := range s {
				s[i] = r.Float32()
			}
		case []uint8:
			for i := range s {
				s[i] = uint8(r.Uint32())
			}
		}
	}
}

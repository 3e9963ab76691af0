package difftest

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

// Repro reduces a random kernel as long as it is well-defined and executor still has a problem with it. It returns
// it as a run test (package filetest) whose comments describe the problem. It tries at most tries kernels.
func Repro(k *kerneltest.Kernel, o Options, executor string, tries int) string {
	o.Checked = true
	for _, e := range o.Executors {
		if e.Name() == executor {
			o.Executors = []exec.Executor{e}
		}
	}
	problem := func(k *kerneltest.Kernel) string {
		r := Check(k.Case(), o)
		if r.Err != nil {
			return ""
		}
		for _, p := range r.Problems {
			if p.Executor == executor {
				return p.Text
			}
		}
		return ""
	}
	text := problem(k)
	if text != "" {
		k.Reduce(func(k *kerneltest.Kernel) bool {
			tries--
			return tries >= 0 && problem(k) != ""
		})
		text = problem(k)
	}
	head := fmt.Sprintf("seed %d, passes left out %v, executor %s: %s", k.Seed, o.Disable, executor, text)
	return k.Header() + "// " + strings.ReplaceAll(head, "\n", "\n// ") + "\n" + k.Source()
}

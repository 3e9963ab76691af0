package check

import (
	"regexp"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/types"
)

// TestForeignNames checks that the hints name functions that OpenCL C has, and that the foreign names do not exist
// in it.
func TestForeignNames(t *testing.T) {
	env := &builtin.Env{Std: opencl.CL30, Types: types.NewContext(), Enabled: func(string) bool { return true }}
	instead := regexp.MustCompile(`(?:is|are) ([a-z_0-9]+)\(`)
	named := 0
	for name, hint := range foreignNames {
		if builtin.Exists(env, name) {
			t.Errorf("%s is a builtin function of OpenCL C", name)
		}
		for _, m := range instead.FindAllStringSubmatch(hint, -1) {
			named++
			if !builtin.Exists(env, m[1]) && !strings.HasPrefix(m[1], "as_") && !strings.HasPrefix(m[1], "convert_") {
				t.Errorf("%s: the hint %q names %s, which OpenCL C has not", name, hint, m[1])
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d hints name a function", named)
	}
	for _, name := range floatSuffixed {
		if builtin.Exists(env, name) || !builtin.Exists(env, strings.TrimSuffix(name, "f")) {
			t.Errorf("%s: OpenCL C has it, or has not what the hint names", name)
		}
	}
	if foreignHint("make_float4") == "" || foreignHint("make_float5") != "" || foreignHint("make_it") != "" {
		t.Error("make_float4 alone is CUDA's")
	}
}

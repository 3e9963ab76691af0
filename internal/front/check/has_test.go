package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
)

// TestHas checks that __has_attribute and __has_builtin are 1 exactly for the names that the checker knows.
func TestHas(t *testing.T) {
	var src strings.Builder
	for _, a := range opencl.Attributes {
		name := a.Name
		fmt.Fprintf(&src, "#if !__has_attribute(%s) || !__has_attribute(__%s__)\n#error %s\n#endif\n", name, name, name)
	}
	for name := range foldedBuiltins {
		fmt.Fprintf(&src, "#if !__has_builtin(%s)\n#error %s\n#endif\n", name, name)
	}
	src.WriteString("#if __has_attribute(nosuch) || __has_builtin(__builtin_nosuch)\n#error nosuch\n#endif\n")
	_, rep := compile(t, "has.cl", []byte(src.String()), "")
	for _, d := range rep.Diags {
		t.Error(d.Message)
	}
	for _, name := range opencl.CompilerBuiltins[2:] {
		if foldedBuiltins[name] == nil {
			t.Errorf("__has_builtin(%s) is 1 and the checker does not know it", name)
		}
	}
	for _, a := range opencl.Attributes {
		name := a.Name
		args := strings.Repeat("1,", a.Min)
		if args != "" {
			args = "(" + strings.TrimSuffix(args, ",") + ")"
		}
		_, rep := compile(t, name, []byte("__attribute__(("+name+args+")) void f(void);"), "")
		for _, d := range rep.Diags {
			if d.Code == diag.UnknownAttributes {
				t.Errorf("%s: %s", name, d.Message)
			}
		}
	}
}

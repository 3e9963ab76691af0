//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/x86"
)

// TestBounded: a kernel whose translation would take too much time or memory has no machine code, and the
// listing gives the reason.
func TestBounded(t *testing.T) {
	for _, c := range []struct {
		what  string // the limit
		n     int    // statements
		each  func(i int) string
		error string
	}{
		{"registers", 60000, func(i int) string { return fmt.Sprintf("p[g * 3 + %d] = q[g + %d] * %d;", i, 2*i, i+2) },
			"more than 1048576 registers"},
		{"ways", 5000, func(i int) string { return fmt.Sprintf("if (p[g + %d] == %d) return; q[g + %d] = %d;", i, i, i, i) },
			"too many divergent paths"},
	} {
		kernel := func(n int) string {
			var b strings.Builder
			b.WriteString("kernel void k(global int *p, global int *q) { int g = get_global_id(0);\n")
			for i := range n {
				b.WriteString(c.each(i) + "\n")
			}
			return b.String() + "}\n"
		}
		for _, n := range []int{c.n / 20, c.n} {
			res, err := compile.Compile(context.Background(), "large.cl", []byte(kernel(n)), nil)
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = Measure(res.Module.Func("k"), x86.AVX512)
			if want := n == c.n; (err != nil) != want || want && err.Error() != c.error {
				t.Errorf("%s: %d statements: %v", c.what, n, err)
			}
		}
	}
}

// TestBoundsAlways: no environment variable removes bounds checks, and the driver and the command line do not
// compile with the build tag that does.
func TestBoundsAlways(t *testing.T) {
	if noBounds {
		t.Error("bounds checks are omitted")
	}
	for _, dir := range []string{"../../../cmd/purecl", "../../../icd"} {
		text, err := os.ReadFile(dir + "/bounds_off.go")
		if err != nil || !strings.HasPrefix(string(text), "//go:build purecl_nobounds\n") || !strings.Contains(string(text), "= this_program_is_not_built_with_purecl_nobounds") {
			t.Errorf("%s compiles without bounds checks: %v", dir, err)
		}
	}
}

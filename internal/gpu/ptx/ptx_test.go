package ptx

import (
	"errors"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/filetest"
)

// TestSelection compares the code of kernels, the entry's blocks and slow paths, with goldens. "ptx assume" is the code for
// launches that satisfy the first precondition.
func TestSelection(t *testing.T) {
	filetest.SSA(t, "testdata", map[string]filetest.Command{"ptx": func(args []string, m *ssa.Module) (string, error) {
		var s strings.Builder
		for _, f := range m.Funcs {
			var o Options
			if len(args) > 0 {
				o.Assume = 1
			}
			k, err := Compile(f, o)
			var u *Unsupported
			if errors.As(err, &u) {
				s.WriteString(u.Error() + "\n")
				continue
			}
			if err != nil {
				return "", err
			}
			_, body, _ := strings.Cut(k.Text, ".visible .entry ")
			for line := range strings.Lines(body) {
				if !strings.HasPrefix(line, "\t.reg ") {
					s.WriteString(line)
				}
			}
		}
		return s.String(), nil
	}})
}

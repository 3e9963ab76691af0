package irgen_test

import (
	"context"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/filetest"
)

// TestSSA: the exact SSA of each kind of construct. The words after "test:" are build
// options. That it means the right thing is what compile's run tests hold.
func TestSSA(t *testing.T) {
	filetest.Text(t, "testdata", ".cl", "//", func(args []string, src string) (string, error) {
		opts, err := compile.ParseOptions(strings.Join(args, " "))
		if err != nil {
			return "", err
		}
		opts.Until = compile.IRGen
		res, err := compile.Compile(context.Background(), "test.cl", []byte(src), opts)
		if err != nil {
			return "", err
		}
		if err := ssa.VerifyModule(res.Module); err != nil {
			return "", err
		}
		return res.Module.String(), nil
	})
}

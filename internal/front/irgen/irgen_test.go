package irgen_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/filetest"
)

// TestSSA compares the SSA of each kind of construct with goldens. The words after "test:" are build options, and
// debug. compile's run tests check the semantics.
func TestSSA(t *testing.T) {
	filetest.Text(t, "testdata", ".cl", "//", func(args []string, src string) (string, error) {
		debug := slices.Contains(args, "debug")
		args = slices.DeleteFunc(args, func(s string) bool { return s == "debug" })
		opts, err := compile.ParseOptions(strings.Join(args, " "))
		if err != nil {
			return "", err
		}
		opts.Until, opts.Debug = compile.IRGen, debug
		res, err := compile.Compile(context.Background(), "test.cl", []byte(src), opts)
		if err != nil {
			return "", err
		}
		if err := ssa.VerifyModule(res.Module); err != nil {
			return "", err
		}
		text := res.Module.String()
		back, err := ssa.ParseText("back", []byte(text))
		if err != nil {
			return "", err
		}
		if again := back.String(); again != text {
			t.Errorf("the text form reads back as\n%s", again)
		}
		return text, nil
	})
}

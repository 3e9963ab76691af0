package x86

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/gangtest"
)

// TestCases runs the goldens of the cases of package gang: "; test: FILE NAME cpu=avx2" prints the instructions of all blocks
// that a level has for the function NAME in gang/testdata/run/FILE.gang, or the reason why it has none.
func TestCases(t *testing.T) {
	cases, err := gangtest.Cases("../gang/testdata/run")
	if err != nil {
		t.Fatal(err)
	}
	filetest.Text(t, "testdata/cases", ".txt", ";", func(words []string, _ string) (text string, err error) {
		k := slices.IndexFunc(cases, func(c *gangtest.Case) bool { return c.Group == words[0] && c.Name() == words[1] })
		if k < 0 {
			return "", fmt.Errorf("no such case")
		}
		defer func() {
			if s, ok := recover().(string); ok {
				text, err = "", fmt.Errorf("%s", strings.TrimPrefix(s, "x86: "))
			}
		}()
		return isel(cases[k].Func, append(words[2:], "all"))
	})
}

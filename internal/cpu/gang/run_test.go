package gang_test

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/test/gangtest"
)

// cases returns the cases in testdata/run.
func cases(t *testing.T) []*gangtest.Case {
	t.Helper()
	list, err := gangtest.Cases("testdata/run")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRun interprets the functions of testdata/run. It compares the results with those in the files, and
// the printed functions with their texts.
func TestRun(t *testing.T) {
	for _, c := range cases(t) {
		t.Run(c.Group+"/"+c.Name(), func(t *testing.T) {
			if got := c.Func.String(); got != c.Text {
				t.Errorf("%v: printed:\n%s", c, got)
			}
			for _, noise := range []uint64{0, 1 << 40} {
				l, err := c.Launch()
				if err != nil {
					t.Fatal(err)
				}
				log, err := l.Interpret(noise)
				if err == nil {
					err = l.Intact()
				}
				if err != nil {
					t.Fatalf("%v: %v", c, err)
				}
				if problems := c.Check(l, log); len(problems) > 0 {
					t.Errorf("%v:\n%s", c, strings.Join(problems, "\n"))
				}
			}
		})
	}
}

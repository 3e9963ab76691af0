package check

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/test/filetest"
)

// compile checks a source and returns the reports.
func compile(t testing.TB, name string, src []byte, options string) (*Program, *diag.Reporter) {
	t.Helper()
	bo, err := option.Parse(options)
	if err != nil {
		t.Fatal(err)
	}
	bo.ReadFile = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	source := diag.NewSource()
	file, _ := source.AddFile(name, src, 0)
	bo.Diagnostics.MaxErrors = -1
	rep := diag.NewReporter(source, bo.Diagnostics)
	var m syntax.Memory
	ast := m.Parse(source, preprocess.Run(source, file, &bo.Source, rep), &bo.Source, rep)
	return Check(ast, source, &bo.Source, rep), rep
}

// TestDiagnostics runs testdata: one folder for each part of the specification.
func TestDiagnostics(t *testing.T) {
	filetest.Diagnostics(t, "testdata", func(name string, src []byte, options string) (out []filetest.Diag) {
		prog, rep := compile(t, name, src, options)
		if (prog == nil) != rep.Failed() {
			t.Errorf("%s: a tree is made exactly where there are no errors", name)
		}
		for _, d := range rep.Diags {
			loc := rep.Source.Location(d.Span.Pos)
			sev := "warning"
			if d.Severity >= diag.Error {
				sev = "error"
			}
			out = append(out, filetest.Diag{Line: loc.Line, Col: loc.Column, Severity: sev, Code: d.Code.Name, Message: d.Message})
		}
		return out
	})
}

// TestCodeExamples compiles the examples of the registry: the bad one must report its code first, the good one
// nothing.
func TestCodeExamples(t *testing.T) {
	for _, c := range diag.Codes {
		if c.Bad == "" || c.Link || strings.HasPrefix(c.Options, "run") {
			continue
		}
		_, rep := compile(t, c.Name, []byte(c.Bad), c.Options)
		if len(rep.Diags) == 0 || rep.Diags[0].Code != c {
			got := "nothing"
			if len(rep.Diags) > 0 {
				got = rep.Diags[0].Code.Name + ": " + rep.Diags[0].Message
			}
			t.Errorf("%s: the bad example gives %s", c.Name, got)
		}
		_, rep = compile(t, c.Name, []byte(c.Good), c.Options)
		for _, d := range rep.Diags {
			t.Errorf("%s: the good example gives %s: %s", c.Name, d.Code.Name, d.Message)
		}
	}
}

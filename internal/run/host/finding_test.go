package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestFindingOptions checks that the options and pragmas that switch a warning off or make it an error apply to
// findings too.
func TestFindingOptions(t *testing.T) {
	const divide = "kernel void k(global int *p) {\n%s  p[get_global_id(0)] = 7 / p[get_global_id(0)];\n}\n"
	const uninit = "kernel void k(global int *p) {\n%s  int x; if (p[get_global_id(0)]) x = 1; p[get_global_id(0)] = x;\n}\n"
	const outside = "kernel void k(global int *p) {\n%s  p[get_global_id(0) + 4] = 1;\n}\n"
	for _, c := range []struct {
		source, pragma, options string
		want                    string // kind and severity of the finding
	}{
		{divide, "", "", "division-by-zero warning"},
		{divide, "", "-w", ""},
		{divide, "", "-Wno-division-by-zero", ""},
		{divide, "", "-Wno-everything", ""},
		{divide, "", "-Wno-uninitialized", "division-by-zero warning"},
		{divide, "", "-Werror=division-by-zero", "division-by-zero error"},
		{divide, "", "-Werror", "division-by-zero error"},
		{divide, "", "-Werror -Wno-error=division-by-zero", "division-by-zero warning"},
		{divide, "#pragma clang diagnostic ignored \"-Wdivision-by-zero\"\n", "", ""},
		{divide, "#pragma clang diagnostic ignored \"-Wdivision-by-zero\"\n", "-Werror", ""},
		{divide, "#pragma clang diagnostic error \"-Wdivision-by-zero\"\n", "", "division-by-zero error"},
		{divide, "#pragma clang diagnostic push\n#pragma clang diagnostic ignored \"-Wdivision-by-zero\"\n#pragma clang diagnostic pop\n", "", "division-by-zero warning"},
		{uninit, "", "", "uninitialized warning"},
		{uninit, "", "-Wno-uninitialized", ""},
		{uninit, "", "-Werror=uninitialized -Wno-error=uninitialized", "uninitialized warning"},
		{outside, "", "", "out-of-bounds error"},
		{outside, "", "-w -Wno-out-of-bounds", "out-of-bounds error"}, // errors stay
	} {
		t.Run(strings.TrimSpace(c.want+" "+c.options+" "+c.pragma), func(t *testing.T) {
			k := kernel(t, fmt.Sprintf(c.source, c.pragma), "k", c.options)
			rep, err := k.RunWith(context.Background(), RunOptions{Checks: CheckAll, Faults: FaultStrict}, Range(4), make([]int32, 4))
			var got []string
			for _, f := range rep.Findings {
				sev := "warning"
				if f.Error {
					sev = "error"
				}
				got = append(got, f.Kind+" "+sev)
				if !strings.Contains(f.Rendered, " "+sev+": ") {
					t.Errorf("rendered as %s", f.Rendered)
				}
			}
			if g := strings.Join(got, ", "); g != c.want {
				t.Errorf("found %q, want %q", g, c.want)
			}
			var fault *FaultError
			if errors.As(err, &fault) != strings.HasSuffix(c.want, "error") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// TestFindingOptionsOfUnits checks that a finding obeys the options of its own translation unit.
func TestFindingOptionsOfUnits(t *testing.T) {
	ctx := DefaultContext()
	var units []*Program
	for name, options := range map[string]string{"loud": "", "quiet": "-Wno-division-by-zero"} {
		p := ctx.NewProgram(Source{Text: "kernel void " + name + "(global int *p) { p[0] = 1 / p[0]; }"})
		if err := p.Compile(options, nil); err != nil {
			t.Fatal(err)
		}
		units = append(units, p)
	}
	p, err := ctx.Link("", units...)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"loud": 1, "quiet": 0} {
		k, err := p.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := k.RunWith(context.Background(), RunOptions{Checks: CheckAll}, Range(1), make([]int32, 1))
		if err != nil || len(rep.Findings) != want {
			t.Errorf("%s: %d findings, %v", name, len(rep.Findings), err)
		}
	}
}

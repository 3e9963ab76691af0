package explain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/filetest"
)

// TestGoldens runs the goldens of access patterns: "; test: patterns cpu=avx512" prints the accesses of a module's first
// function. More words: "lanes=32", by default the level's least number; "partial" for gangs with inactive lanes; "large"
// for objects of any size; "versions" for code versions.
func TestGoldens(t *testing.T) {
	filetest.SSA(t, "testdata", map[string]filetest.Command{"patterns": patterns})
}

func patterns(words []string, m *ssa.Module) (string, error) {
	g, s := gang.Options{Full: true}, spmd.Options{RowUniform: true, GroupUniform: true}
	var lv *x86.Level
	for _, w := range words {
		if k := slices.IndexFunc(x86.Levels, func(lv *x86.Level) bool { return w == "cpu="+lv.Name }); k >= 0 {
			lv = x86.Levels[k]
			continue
		}
		switch w {
		case "partial":
			g.Full = false
		case "large":
			g.Large = true
		case "versions":
			s.Versions = true
		default:
			if _, err := fmt.Sscanf(w, "lanes=%d", &g.Lanes); err != nil {
				return "", fmt.Errorf("unknown word %q", w)
			}
		}
	}
	g.Target = lv.Target()
	if g.Lanes == 0 {
		g.Lanes = lv.Lanes
	}
	p, err := spmd.Prepare(m.Funcs[0], s)
	if err != nil {
		return "", err
	}
	f, err := gang.Build(p, g)
	if err != nil {
		return "", err
	}
	c, err := x86.Generate(f, x86.Options{Level: lv, Step: 1, Listing: true})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, a := range New(p, f, c, g.Large).Accesses {
		fmt.Fprintf(&out, "%s: %v", a.Value, a.Shape)
		if a.Step != 0 {
			fmt.Fprintf(&out, ", step %d", a.Step)
		}
		if a.Checked != "" {
			fmt.Fprintf(&out, ", checked %s", a.Checked)
		}
		out.WriteByte('\n')
	}
	return out.String(), nil
}

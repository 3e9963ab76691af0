package x86

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/filetest"
)

// TestGoldens runs the goldens of access patterns and of instruction selection. "; test: isel cpu=avx512"
// prints the instructions before register allocation, "; test: patterns cpu=avx512" the pattern of each access.
// More words: "lanes=32", by default the level's least number; "partial" for gangs with inactive lanes; "large"
// for objects of any size; "versions" for code versions; "all" for isel with all blocks.
func TestGoldens(t *testing.T) {
	filetest.SSA(t, "testdata", map[string]filetest.Command{"isel": isel, "patterns": patterns})
}

// golden compiles a module's first function, with a listing, as the words of a test require.
func golden(words []string, m *ssa.Module) (*Code, error) {
	o, versions := Options{Level: AVX512, Full: true, Rows: true, Step: 1, Listing: true, Check: true}, false
	for _, w := range words {
		name, is := strings.CutPrefix(w, "cpu=")
		switch {
		case is:
			o.Level = nil
			for _, lv := range Levels {
				if lv.Name == name {
					o.Level = lv
				}
			}
			if o.Level == nil {
				return nil, fmt.Errorf("no level %s", name)
			}
		case w == "partial":
			o.Full = false
		case w == "large":
			o.Large = true
		case w == "all":
		case w == "versions":
			versions = true
		default:
			if _, err := fmt.Sscanf(w, "lanes=%d", &o.Lanes); err != nil {
				return nil, fmt.Errorf("unknown word %q", w)
			}
		}
	}
	if o.Lanes == 0 {
		o.Lanes = o.Level.Lanes
	}
	p, err := spmd.Prepare(m.Funcs[0], spmd.Options{RowUniform: true, GroupUniform: true, Versions: versions})
	if err != nil {
		return nil, err
	}
	return Generate(p, o)
}

func isel(words []string, m *ssa.Module) (string, error) {
	c, err := golden(words, m)
	if err != nil {
		return "", err
	}
	// By default the prologue, the code after the last gang, and cold code are omitted.
	text := c.Listing.Before
	if !slices.Contains(words, "all") {
		var hot strings.Builder
		for b := range strings.SplitAfterSeq(text, "\nb") {
			if head, _, _ := strings.Cut(b, "\n"); !strings.HasSuffix(head, "depth 0") && !strings.HasSuffix(head, "cold") {
				hot.WriteString(b)
			}
		}
		text = "b" + strings.TrimSuffix(hot.String(), "\nb")
	}
	// Names instead of offsets, so that goldens do not depend on layout.go.
	return inContext.ReplaceAllStringFunc(text, func(m string) string {
		at, _ := strconv.Atoi(inContext.FindStringSubmatch(m)[1])
		root, param := at-CtxRoots, at-CtxRoots-RootSize*len(c.Roots)
		switch {
		case param >= 0:
			return fmt.Sprintf("[param+%d]", param)
		case root >= 0:
			return fmt.Sprintf("[root%d.%s]", root/RootSize, map[int]string{RootPtr: "pointer", RootBase: "base", RootLen: "size", RootWrites: "writable"}[root%RootSize])
		case at >= CtxVals:
			return fmt.Sprintf("[values+%d]", at-CtxVals)
		case at >= CtxPtrs && at < CtxArgs:
			return fmt.Sprintf("[pointers+%d]", at-CtxPtrs)
		}
		return m
	}), nil
}

var inContext = regexp.MustCompile(`\[r15\+(\d+)\]`)

// patterns prints the listed accesses.
func patterns(words []string, m *ssa.Module) (string, error) {
	c, err := golden(words, m)
	if err != nil {
		return "", err
	}
	var s strings.Builder
	for _, a := range c.Listing.Accesses {
		fmt.Fprintf(&s, "%s: %v", a.Value, a.Shape)
		if a.Step != 0 {
			fmt.Fprintf(&s, ", step %d", a.Step)
		}
		if a.Checked != "" {
			fmt.Fprintf(&s, ", checked %s", a.Checked)
		}
		s.WriteByte('\n')
	}
	return s.String(), nil
}

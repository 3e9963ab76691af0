package x86

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/filetest"
)

// TestGoldens runs the goldens of instruction selection: gang functions, or SSA functions whose plans they are built from,
// and their instructions before register allocation. "; test: isel cpu=avx512" prints those of hot code, with the word "all"
// those of all blocks.
func TestGoldens(t *testing.T) {
	filetest.Text(t, "testdata", ".gang", ";", func(words []string, text string) (string, error) {
		f, err := gang.Parse(text)
		if err != nil {
			return "", err
		}
		return isel(f, words[1:])
	})
	filetest.SSA(t, "testdata", map[string]filetest.Command{"isel": func(words []string, m *ssa.Module) (string, error) {
		lv, err := level(words)
		if err != nil {
			return "", err
		}
		p, err := spmd.Prepare(m.Funcs[0], spmd.Options{RowUniform: true, GroupUniform: true})
		if err != nil {
			return "", err
		}
		f, err := gang.Build(p, gang.Options{Lanes: lv.Lanes, Full: true, Target: lv.Target()})
		if err != nil {
			return "", err
		}
		return isel(f, words)
	}})
}

// level returns the level that a test names.
func level(words []string) (*Level, error) {
	k := slices.IndexFunc(Levels, func(lv *Level) bool { return slices.Contains(words, "cpu="+lv.Name) })
	if k < 0 {
		return nil, fmt.Errorf("no level in %q", words)
	}
	return Levels[k], nil
}

func isel(f *gang.Func, words []string) (string, error) {
	lv, err := level(words)
	if err != nil {
		return "", err
	}
	c, err := Generate(f, Options{Level: lv, Step: 1, Listing: true, Check: true})
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

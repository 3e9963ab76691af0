package x86

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/test/filetest"
)

// TestGoldens runs the goldens of instruction selection: gang functions and their instructions before register allocation.
// "; test: isel cpu=avx512" prints those of hot code, with the word "all" those of all blocks.
func TestGoldens(t *testing.T) {
	filetest.Text(t, "testdata", ".gang", ";", isel)
}

func isel(words []string, text string) (string, error) {
	o, all := Options{Step: 1, Listing: true, Check: true}, false
	for _, w := range words {
		if w == "all" {
			all = true
		} else if k := slices.IndexFunc(Levels, func(lv *Level) bool { return w == "cpu="+lv.Name }); k >= 0 {
			o.Level = Levels[k]
		} else if w != "isel" {
			return "", fmt.Errorf("unknown word %q", w)
		}
	}
	f, err := gang.Parse(text)
	if err != nil {
		return "", err
	}
	c, err := Generate(f, o)
	if err != nil {
		return "", err
	}
	// By default the prologue, the code after the last gang, and cold code are omitted.
	text = c.Listing.Before
	if !all {
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

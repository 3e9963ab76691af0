package compile_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestMemoryIsUsedAgain compiles many sources with and without errors concurrently, and then compares the results
// of the first compilations: reuse of memory must not change them.
func TestMemoryIsUsedAgain(t *testing.T) {
	var sources [][]byte
	for _, pattern := range []string{"../../examples/*/*.cl", "../front/check/testdata/*/*.cl", "../front/check/testdata/*.cl", "../front/irgen/testdata/*.cl"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, src)
		}
	}
	if len(sources) < 20 {
		t.Fatal("only", len(sources), "sources")
	}
	show := func(res *compile.Result, err error) string {
		var b strings.Builder
		fmt.Fprintln(&b, err)
		for _, d := range res.Diags {
			fmt.Fprintln(&b, res.Source.Location(d.Span.Pos), d.Message, d.Notes, d.Labels, d.Fix)
		}
		if res.Module != nil && err == nil {
			if err := ssa.VerifyModule(res.Module); err != nil {
				t.Error(err)
			}
			b.WriteString(res.Module.String())
		}
		return b.String()
	}
	type result struct {
		res   *compile.Result
		err   error
		shown string
	}
	const rounds = 3
	results := make([]result, rounds*len(sources))
	var w sync.WaitGroup
	for worker := range 4 {
		w.Go(func() {
			for i := worker; i < len(results); i += 4 {
				res, err := compile.Compile(context.Background(), "k.cl", sources[i%len(sources)], &compile.Options{Until: compile.IRGen})
				results[i] = result{res, err, show(res, err)}
			}
		})
	}
	w.Wait()
	for i, r := range results {
		if again := show(r.res, r.err); again != r.shown {
			t.Fatalf("source %d: now\n%s\nthen\n%s", i%len(sources), again, r.shown)
		}
		if r.shown != results[i%len(sources)].shown {
			t.Fatalf("source %d: in round %d\n%s\nfirst\n%s", i%len(sources), i/len(sources), r.shown, results[i%len(sources)].shown)
		}
	}
}

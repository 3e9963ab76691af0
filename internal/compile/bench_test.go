package compile_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/compile"
)

var definition = regexp.MustCompile(`(?m)^[a-z][\w ]*?\**(\w+)\(`)

// longKernel returns a source of at least n lines: copies of the examples, with new names for their functions.
func longKernel(tb testing.TB, n int) []byte {
	files, err := filepath.Glob("../../examples/*/*.cl")
	if err != nil || len(files) == 0 {
		tb.Fatal("no examples", err)
	}
	type part struct {
		text  string
		names *regexp.Regexp
	}
	var parts []part
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		if strings.Contains(string(src), "constant sampler_t") { // only functions are renamed
			continue
		}
		var names []string
		for _, m := range definition.FindAllStringSubmatch(string(src), -1) {
			names = append(names, m[1])
		}
		parts = append(parts, part{string(src), regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\(`)})
	}
	var out strings.Builder
	for i, lines := 0, 0; lines < n; i++ {
		p := parts[i%len(parts)]
		out.WriteString(p.names.ReplaceAllString(p.text, fmt.Sprintf("${1}_%d(", i)))
		lines += strings.Count(p.text, "\n")
	}
	return []byte(out.String())
}

// BenchmarkSource measures the compilation of a 2,000-line source to SSA and to optimised SSA. It measures SSA
// also with the settings of the garbage collector that `purecl check` uses.
func BenchmarkSource(b *testing.B) {
	src := longKernel(b, 2000)
	lines := strings.Count(string(src), "\n")
	for _, bc := range []struct {
		name  string
		until compile.Phase
		gogc  int
	}{{"preprocess", compile.Preprocess, 100}, {"parse", compile.Parse, 100}, {"check", compile.Check, 100}, {"ssa", compile.IRGen, 100},
		{"ssa-GOGC=800", compile.IRGen, 800}, {"optimised", compile.All, 100}} {
		b.Run(bc.name, func(b *testing.B) {
			defer debug.SetGCPercent(debug.SetGCPercent(bc.gogc))
			b.ReportAllocs()
			begin := timing.Processor()
			for b.Loop() {
				if _, err := compile.Compile(context.Background(), "long.cl", src, &compile.Options{Until: bc.until}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(lines*b.N)/b.Elapsed().Seconds(), "lines/s")
			// Processor time includes the collector. Other load on the machine does not distort it.
			b.ReportMetric(float64(lines*b.N)/(timing.Processor()-begin).Seconds(), "lines/cpu-s")
		})
	}
}

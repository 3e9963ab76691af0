package profile

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/front/diag"
)

// How describes the method by which times are obtained.
const How = "block counts of instrumented machine code, weighted by the costs of its instructions"

// WriteText writes the kernels' sources with the percentage of the kernel's time beside each line.
func WriteText(w io.Writer, kernels []jit.KernelTime) error {
	var out strings.Builder
	for i := range kernels {
		writeKernel(&out, &kernels[i])
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// gapLines is the least number of consecutive lines without time that are omitted.
const gapLines = 6

func writeKernel(w *strings.Builder, k *jit.KernelTime) {
	fmt.Fprintf(w, "kernel %s: %v of all threads in machine code for %s, %d work-items in a gang\n", k.Kernel.Name, k.Total.Round(time.Microsecond), k.Level, k.Lanes)
	src := k.Kernel.Module.Source
	share := map[*diag.File]map[int]float64{}
	var files []*diag.File
	add := func(pos diag.Pos, t time.Duration) {
		f, off := src.File(src.Outermost(pos))
		if f == nil {
			return
		}
		if share[f] == nil {
			share[f] = map[int]float64{}
			files = append(files, f)
		}
		line, _ := f.LineCol(off)
		share[f][line] += 100 * float64(t) / float64(max(k.Total, 1))
	}
	add(k.Kernel.Pos, 0) // its own file is first
	for _, l := range k.Lines {
		add(l.Pos, l.Time)
	}
	for _, f := range files {
		writeFile(w, f, share[f])
	}
}

// writeFile writes the lines from the first to the last one with a share.
func writeFile(w *strings.Builder, f *diag.File, share map[int]float64) {
	fmt.Fprintf(w, "%s\n", f.Name)
	var lines []int
	for n := range share {
		lines = append(lines, n)
	}
	slices.Sort(lines)
	for k, n := range lines {
		if k > 0 {
			from := lines[k-1] + 1
			if n-from >= gapLines {
				fmt.Fprintf(w, "           ...\n")
				from = n
			}
			for ; from < n; from++ {
				writeLine(w, f, from, "")
			}
		}
		percent := ""
		if share[n] >= 0.05 {
			percent = fmt.Sprintf("%.1f %%", share[n])
		}
		writeLine(w, f, n, percent)
	}
}

func writeLine(w *strings.Builder, f *diag.File, n int, percent string) {
	text := strings.ReplaceAll(strings.TrimRight(string(f.Line(n)), "\r\n"), "\t", "    ")
	fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%8s %5d  %s", percent, n, text), " "))
}

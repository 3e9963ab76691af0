package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/purecl/purecl"
)

// A workload is a kernel with its data, for PureCL and as an Oclgrind simulation file.
type workload struct {
	kernel string
	global []int
	args   func() []any
	sim    string // arguments in oclgrind-kernel's format
}

var workloads = []workload{
	{"matmul", []int{256, 256}, func() []any {
		return []any{make([]float32, 256*256), make([]float32, 256*256), make([]float32, 256*256), 256}
	}, "<size=262144 float fill=0>\n<size=262144 float fill=0>\n<size=262144 float fill=0>\n<size=4 int>\n256\n"},
	{"sobel", []int{1024, 1024}, func() []any {
		return []any{make([]uint8, 1<<20), make([]uint8, 1<<20), 1024, 1024}
	}, "<size=1048576 uchar fill=0>\n<size=1048576 uchar fill=0>\n<size=4 int>\n1024\n<size=4 int>\n1024\n"},
	{"mandelbrot", []int{512, 512}, func() []any {
		return []any{make([]uint32, 512*512), 512, 512, 100}
	}, "<size=1048576 uint fill=0>\n<size=4 int>\n512\n<size=4 int>\n512\n<size=4 int>\n100\n"},
}

// BenchmarkOclgrind runs each workload on the reference executor with every observer, and on Oclgrind (Debian's
// package) with its checks for races and uninitialised values, interleaved. Each runs as its users start it:
// Oclgrind as a process on all cores, PureCL from source text. It reports both times and their ratio.
func BenchmarkOclgrind(b *testing.B) {
	oclgrind, err := exec.LookPath("oclgrind-kernel")
	if err != nil {
		b.Skip("oclgrind is not installed (apt-get install oclgrind)")
	}
	for _, w := range workloads {
		b.Run(w.kernel, func(b *testing.B) {
			file := filepath.Join("kernels", w.kernel+".cl")
			abs, err := filepath.Abs(file)
			if err != nil {
				b.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			sim := filepath.Join(b.TempDir(), w.kernel+".sim")
			head := fmt.Sprintf("%s\n%s\n%d %d 1\n16 16 1\n", filepath.Base(abs), w.kernel, w.global[0], w.global[1])
			if err := os.WriteFile(sim, []byte(head+w.sim), 0o666); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(filepath.Dir(sim), filepath.Base(abs)), text, 0o666); err != nil {
				b.Fatal(err)
			}
			var ours, theirs time.Duration
			for b.Loop() {
				start := time.Now()
				prog, err := purecl.Compile(string(text))
				if err != nil {
					b.Fatal(err)
				}
				k, err := prog.Kernel(w.kernel)
				if err != nil {
					b.Fatal(err)
				}
				k = k.With(purecl.Options{Checks: purecl.CheckAll, Report: func(r *purecl.Report) {
					if len(r.Findings) > 0 {
						b.Error(r.Findings)
					}
				}})
				if err := k.Run(context.Background(), purecl.Range(w.global...).Local(16, 16), w.args()...); err != nil {
					b.Fatal(err)
				}
				ours += time.Since(start)
				start = time.Now()
				cmd := exec.Command(oclgrind, "--data-races", "--uninitialized", filepath.Base(sim))
				cmd.Dir = filepath.Dir(sim)
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				theirs += time.Since(start)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "purecl-ms")
			b.ReportMetric(float64(theirs.Milliseconds())/float64(b.N), "oclgrind-ms")
			b.ReportMetric(float64(theirs)/float64(ours), "ratio")
		})
	}
}

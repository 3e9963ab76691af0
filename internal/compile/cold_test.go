package compile_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/compile"
)

// The sources of BenchmarkCold: one without library functions, and one with three functions that use much of the
// library.
var coldSources = map[string]string{
	"empty":   "kernel void k() {}",
	"library": "kernel void k(global float8 *p) { size_t i = get_global_id(0); p[i] = sin(p[i]) + pow(p[i], p[i + 1]) + lgamma(p[i]); }",
}

// coldVariable names the source that a process started by BenchmarkCold compiles.
const coldVariable = "PURECL_TEST_COLD"

func TestMain(m *testing.M) {
	if name := os.Getenv(coldVariable); name != "" {
		begin, cpu := time.Now(), timing.Processor()
		_, err := compile.Compile(context.Background(), "cold.cl", []byte(coldSources[name]), nil)
		took := time.Since(begin)
		cpu = timing.Processor() - cpu
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(took.Nanoseconds(), cpu.Nanoseconds())
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// coldCompile returns the wall time and the processor time of the first compilation of a new process.
func coldCompile(tb testing.TB, name string) (wall, cpu time.Duration) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), coldVariable+"="+name)
	out, err := cmd.CombinedOutput()
	if _, scanErr := fmt.Sscan(string(out), (*int64)(&wall), (*int64)(&cpu)); err != nil || scanErr != nil {
		tb.Fatalf("%v, %v: %s", err, scanErr, out)
	}
	return wall, cpu
}

// BenchmarkCold reports the median and the minimum time of the first compilation of a process, when neither tables
// nor library functions exist yet.
func BenchmarkCold(b *testing.B) {
	for _, name := range []string{"empty", "library"} {
		b.Run(name, func(b *testing.B) {
			var walls, cpus []time.Duration
			for b.Loop() {
				wall, cpu := coldCompile(b, name)
				walls, cpus = append(walls, wall), append(cpus, cpu)
			}
			for _, m := range []struct {
				unit string
				list []time.Duration
			}{{"ms", walls}, {"cpu-ms", cpus}} {
				slices.Sort(m.list)
				b.ReportMetric(float64(m.list[len(m.list)/2].Microseconds())/1000, m.unit)
				b.ReportMetric(float64(m.list[0].Microseconds())/1000, "best-"+m.unit)
			}
			b.ReportMetric(0, "ns/op") // the time would include the start of the process
		})
	}
}

//go:build linux

// Compare measures kernels on PureCL and the same work in C, and with -opencl on another OpenCL library,
// interleaved in one run, and prints the ratios; package bench says how to read them.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/unix"

	"github.com/purecl/purecl/bench"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("compare: ")
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		if err := bench.ServePureCL(os.Args[2], os.Stdin, os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := compare(); err != nil {
		log.Fatal(err)
	}
}

func compare() error {
	run := flag.String("run", "", "measure the rows whose class/name matches the regular `expression`")
	seconds := flag.Duration("time", 500*time.Millisecond, "time for each row")
	threads := flag.Int("threads", runtime.NumCPU(), "threads of both sides")
	level := flag.String("level", "", "PureCL's machine code: avx512, avx2 or none; empty: the best there is")
	march := flag.String("march", "", "gcc's -march for the reference; empty: native, or x86-64-v3 with -level avx2")
	reference := flag.String("reference", "", "the reference `program`, compiled before with -build")
	build := flag.String("build", "", "only compile the reference, to this `file`")
	bounds := flag.Bool("bounds", false, "also measure PureCL without bounds checks")
	library := flag.String("opencl", "", "also measure this OpenCL `library`, such as libOpenCL.so.1")
	platform := flag.String("platform", "", "words in the `name` of that library's platform; empty: the first that has a CPU")
	driver := flag.String("driver", "", "the `program` that runs rows on that library, compiled before from bench/driver")
	scaling := flag.Bool("scaling", true, "also measure PureCL with one worker")
	first := flag.Int("first", 5, "how many times to measure the time from source to first result")
	asJSON := flag.Bool("json", false, "write results as JSON, a row a line")
	list := flag.Bool("list", false, "only list the rows")
	flag.Parse()

	pattern, err := regexp.Compile(*run)
	if err != nil {
		return err
	}
	var rows []*bench.Row
	for _, r := range bench.Rows() {
		if pattern.MatchString(r.Class.Name + "/" + r.Name) {
			rows = append(rows, r)
		}
	}
	if *list {
		for _, r := range rows {
			fmt.Println(r.Class.Name + "/" + r.Name)
		}
		return nil
	}
	if *march == "" {
		*march = map[string]string{"avx2": "x86-64-v3"}[*level]
	}
	if *march == "" {
		*march = "native"
	}
	program := *reference
	if program == "" {
		if program, err = bench.BuildReference(*march); err != nil {
			return err
		}
	}
	if *build != "" {
		text, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		return os.WriteFile(*build, text, 0o777)
	}

	b, err := players(rows, program, *level, *bounds)
	if err != nil {
		return err
	}
	defer b.Close()
	if *library != "" {
		if b.OpenCL, err = openCL(*driver, *library, *platform, *threads, b.Memory); err != nil {
			return err
		}
	}
	if b.Limits, err = b.MeasureLimits(*threads); err != nil {
		return err
	}
	terminal := isTerminal(os.Stderr)
	opts := bench.Options{Threads: *threads, Time: *seconds, Scaling: *scaling, First: *first}
	var results []bench.Result
	for i, r := range rows {
		if terminal {
			fmt.Fprintf(os.Stderr, "\r\x1b[K%d/%d %s", i+1, len(rows), r.Name)
		}
		res := b.Measure(r, opts)
		results = append(results, res)
		if *asJSON {
			if err := json.NewEncoder(os.Stdout).Encode(res); err != nil {
				return err
			}
		}
	}
	if terminal {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
	if *asJSON {
		return nil
	}
	fmt.Printf("%s; %d threads, C for %s; %s for each row; load average %s\n\n", cpuid.CPU.BrandName, *threads, *march, *seconds, load())
	return bench.Report(os.Stdout, results, b.Limits)
}

// load returns how many programs were running: the more, the less the times tell.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one
}

// players returns those who take turns.
func players(rows []*bench.Row, program, level string, bounds bool) (*bench.Bench, error) {
	m, err := bench.NewMemory(bench.Size(rows, false))
	if err != nil {
		return nil, err
	}
	var settings []string
	if level != "" {
		settings = append(settings, "PURECL_CPU="+level)
	}
	b := &bench.Bench{Memory: m, PureCL: bench.NewRemote(m, settings...), Reference: bench.NewReference(program, m)}
	if bounds {
		program, err := bench.BuildUnchecked()
		if err != nil {
			return nil, err
		}
		b.Unchecked = bench.NewRemoteOf(m, settings, program)
	}
	return b, nil
}

// openCL returns the player that runs rows on another OpenCL library: program, or a newly built one if it is "".
func openCL(program, library, platform string, threads int, m *bench.Memory) (*bench.Remote, error) {
	if program == "" {
		var err error
		if program, err = bench.BuildDriver(); err != nil {
			return nil, err
		}
	}
	// PoCL takes its number of threads from the environment, under two names, and keeps what it has built
	// unless it is told not to.
	n := strconv.Itoa(threads)
	settings := []string{"POCL_MAX_PTHREAD_COUNT=" + n, "POCL_CPU_MAX_CU_COUNT=" + n, "POCL_KERNEL_CACHE=0"}
	return bench.NewRemoteOf(m, settings, program, "-platform", platform, library), nil
}

// isTerminal reports whether the progress can be shown there.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

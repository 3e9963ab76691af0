//go:build linux

// Compare measures kernels on PureCL and the same work in C, and with -opencl on another OpenCL library,
// interleaved in one run, and prints the ratios; package bench says how to read them.
package main

import (
	"encoding/json"
	"errors"
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

// settings are the command's flags.
type settings struct {
	run, level, march, reference, build string
	opencl, platform, driver            string
	bounds, scaling, json, list         bool
	libraries                           bool
	library                             string
	threads, first                      int
	time                                time.Duration
}

func parse() *settings {
	s := &settings{}
	flag.StringVar(&s.run, "run", "", "measure the rows whose class/name matches the regular `expression`")
	flag.DurationVar(&s.time, "time", 500*time.Millisecond, "time for each row")
	flag.IntVar(&s.threads, "threads", runtime.NumCPU(), "threads of all sides")
	flag.StringVar(&s.level, "level", "", "PureCL's machine code: avx512, avx2 or none; empty: the best there is")
	flag.StringVar(&s.march, "march", "", "gcc's -march for the reference; empty: native, or x86-64-v3 with -level avx2")
	flag.StringVar(&s.reference, "reference", "", "the reference `program`, compiled before with -build")
	flag.StringVar(&s.build, "build", "", "only compile the reference, to this `file`")
	flag.BoolVar(&s.bounds, "bounds", false, "also measure PureCL without bounds checks")
	flag.StringVar(&s.opencl, "opencl", "", "also measure this OpenCL `library`, such as libOpenCL.so.1")
	flag.StringVar(&s.platform, "platform", "", "words in the `name` of that library's platform; empty: the first that has a CPU")
	flag.StringVar(&s.driver, "driver", "", "the `program` that runs rows on that library, compiled before from bench/driver")
	flag.BoolVar(&s.libraries, "libraries", false, "also measure OpenBLAS and FFTW; only the rows of their work, on one thread")
	flag.StringVar(&s.library, "library", "", "the `program` with OpenBLAS and FFTW, compiled before with -libraries -build")
	flag.BoolVar(&s.scaling, "scaling", true, "also measure PureCL with one worker")
	flag.IntVar(&s.first, "first", 5, "how many times to measure the time from source to first result")
	flag.BoolVar(&s.json, "json", false, "write results as JSON, a row a line")
	flag.BoolVar(&s.list, "list", false, "only list the rows")
	flag.Parse()
	if s.march == "" && s.level == "avx2" {
		s.march = "x86-64-v3"
	}
	if s.march == "" {
		s.march = "native"
	}
	if s.libraries {
		s.threads = 1
	}
	return s
}

// rows returns the rows that the expression selects.
func (s *settings) rows() ([]*bench.Row, error) {
	pattern, err := regexp.Compile(s.run)
	if err != nil {
		return nil, err
	}
	var rows []*bench.Row
	for _, r := range bench.Rows() {
		if pattern.MatchString(r.Class.Name+"/"+r.Name) && (r.Library != "" || !s.libraries) {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

func compare() error {
	s := parse()
	rows, err := s.rows()
	if err != nil {
		return err
	}
	if s.list {
		for _, r := range rows {
			fmt.Println(r.Class.Name + "/" + r.Name)
		}
		return nil
	}
	if s.reference == "" {
		if s.reference, err = bench.BuildReference(s.march); err != nil {
			return err
		}
	}
	if s.libraries && s.opencl != "" {
		return errors.New("-libraries and -opencl: one other library at a time")
	}
	if s.libraries && s.library == "" {
		if s.library, err = bench.BuildLibraries(s.march); err != nil {
			return err
		}
	}
	if s.build != "" {
		program := s.reference
		if s.libraries {
			program = s.library
		}
		text, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		return os.WriteFile(s.build, text, 0o777)
	}
	b, err := s.players(rows)
	if err != nil {
		return err
	}
	defer b.Close()
	if b.Limits, err = b.MeasureLimits(s.threads); err != nil {
		return err
	}
	return s.measure(b, rows)
}

// measure measures the rows and writes the results.
func (s *settings) measure(b *bench.Bench, rows []*bench.Row) error {
	terminal := isTerminal(os.Stderr)
	opts := bench.Options{Threads: s.threads, Time: s.time, Scaling: s.scaling, First: s.first}
	var results []bench.Result
	for i, r := range rows {
		if terminal {
			fmt.Fprintf(os.Stderr, "\r\x1b[K%d/%d %s", i+1, len(rows), r.Name)
		}
		res := b.Measure(r, opts)
		results = append(results, res)
		if s.json {
			if err := json.NewEncoder(os.Stdout).Encode(res); err != nil {
				return err
			}
		}
	}
	if terminal {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
	if s.json {
		return nil
	}
	fmt.Printf("%s; %d threads, C for %s; %s for each row; load average %s\n\n", cpuid.CPU.BrandName, s.threads, s.march, s.time, load())
	return bench.Report(os.Stdout, results, b.Limits)
}

// load returns the number of running programs: the more, the less the times mean.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one
}

// players returns the players that take turns.
func (s *settings) players(rows []*bench.Row) (*bench.Bench, error) {
	m, err := bench.NewMemory(bench.Size(rows, false))
	if err != nil {
		return nil, err
	}
	var env []string
	if s.level != "" {
		env = append(env, "PURECL_CPU="+s.level)
	}
	b := &bench.Bench{Memory: m, PureCL: bench.NewRemote(m, env...), Reference: bench.NewReference(s.reference, m)}
	if s.bounds {
		program, err := bench.BuildUnchecked()
		if err != nil {
			return nil, err
		}
		b.Unchecked = bench.NewRemoteOf(m, env, program)
	}
	if s.libraries {
		b.Libraries = bench.NewLibraries(s.library, m)
	}
	if s.opencl != "" {
		if b.OpenCL, err = s.openCL(m); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// openCL returns the player that runs rows on another OpenCL library.
func (s *settings) openCL(m *bench.Memory) (*bench.Remote, error) {
	if s.driver == "" {
		var err error
		if s.driver, err = bench.BuildDriver(); err != nil {
			return nil, err
		}
	}
	// PoCL takes its number of threads from the environment, under two names, and keeps what it has built
	// unless it is told not to.
	n := strconv.Itoa(s.threads)
	env := []string{"POCL_MAX_PTHREAD_COUNT=" + n, "POCL_CPU_MAX_CU_COUNT=" + n, "POCL_KERNEL_CACHE=0"}
	return bench.NewRemoteOf(m, env, s.driver, "-platform", s.platform, s.opencl), nil
}

// isTerminal reports whether f is a terminal, on which progress can be shown.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

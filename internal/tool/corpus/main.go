// Command corpus tests the compiler on public kernels. It compiles every file of a list to verified SSA, with -opt
// to optimised SSA, with -code to machine code, and counts the accepted files by repository. It prints each finding
// when it occurs. Before it reports a file as slower than -limit, it compiles it twice more, alone and without
// verification after each pass, which users do not run.
//
//	go run ./internal/tool/corpus -list LIST.tsv -dir DIR [-opt] [-code avx512,avx2]
//
// The list has the columns repository, commit, file, build options and expectation (accept or reject). DIR contains
// a checkout of each repository OWNER/NAME in OWNER+NAME.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

type entry struct{ repo, file, options, expect string }

type outcome struct {
	entry
	missing bool
	err     error
	first   string // the first error
	took    time.Duration
	kernels int      // number of kernels compiled to machine code
	refused []string // kernels without machine code, with the reason
	slow    []string // kernels whose machine code takes long to compile
	sizes   []size
}

// A size is the size and compile time of a kernel's machine code.
type size struct {
	where  string
	values int // number of values of the optimised SSA
	code   x86.Size
	bytes  int
	times  timing.Times
	err    error
}

// settings are the command's flags.
type settings struct {
	dir      string
	optimise bool
	levels   []*x86.Level
	limit    time.Duration // of a file, up to SSA
	code     time.Duration // of a kernel, up to machine code
	timing   bool          // measure only: no verification between passes
	largest  int           // number of kernels to list
}

func main() {
	log.SetFlags(0)
	list := flag.String("list", "", "list of files (tab-separated)")
	var s settings
	flag.StringVar(&s.dir, "dir", "", "where the repositories are")
	only := flag.String("only", "", "only files whose repository/path contains this")
	flag.BoolVar(&s.optimise, "opt", false, "go on to optimised SSA")
	levels := flag.String("code", "", "CPU `levels`, separated by commas, for which to make machine code of the kernels")
	flag.DurationVar(&s.limit, "limit", 2*time.Second, "report files that take longer to SSA")
	flag.DurationVar(&s.code, "codelimit", 10*time.Second, "report kernels that take longer to machine code")
	flag.BoolVar(&s.timing, "noverify", false, "do not verify after each pass, which takes longer than the passes")
	flag.IntVar(&s.largest, "largest", 0, "list this number of kernels with the most machine code, and of those that take longest")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "files at the same time")
	flag.Parse()
	for name := range strings.SplitSeq(*levels, ",") {
		for _, lv := range x86.Levels {
			if lv.Name == name {
				s.levels, s.optimise = append(s.levels, lv), true
			}
		}
	}
	if *levels != "" && len(s.levels) == 0 {
		log.Fatalf("no level of %s is known", *levels)
	}
	t := tally{settings: &s, rows: map[string]*row{}, refused: map[string]int{}}
	for r := range s.tryAll(read(*list, *only), *workers) {
		t.add(r)
	}
	t.trySlowAgain()
	t.print()
}

// tryAll compiles the files, workers of them in parallel.
func (s *settings) tryAll(entries []entry, workers int) <-chan outcome {
	jobs, results := make(chan entry), make(chan outcome)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for e := range jobs {
				results <- s.try(e)
			}
		})
	}
	go func() {
		for _, e := range entries {
			jobs <- e
		}
		close(jobs)
		wg.Wait()
		close(results)
	}()
	return results
}

// A row counts the files of a repository.
type row struct{ accept, accepted, reject, rejected, missing int }

// A tally is the outcomes of all files.
type tally struct {
	*settings
	rows    map[string]*row
	slow    []outcome
	slowest outcome
	kernels int
	refused map[string]int // kernels without machine code, by reason
	sizes   []size
}

// add counts an outcome and prints its problems.
func (c *tally) add(r outcome) {
	t := c.rows[r.repo]
	if t == nil {
		t = &row{}
		c.rows[r.repo] = t
	}
	if r.missing {
		t.missing++
		return
	}
	if r.took > c.limit {
		c.slow = append(c.slow, r)
	} else if r.took > c.slowest.took {
		c.slowest = r
	}
	var crash *compile.InternalError
	if errors.As(r.err, &crash) {
		fmt.Printf("CRASH %s/%s: %v\n", r.repo, r.file, r.err)
	}
	c.kernels += r.kernels
	c.sizes = append(c.sizes, r.sizes...)
	for _, why := range r.refused {
		c.refused[why]++
	}
	for _, k := range r.slow {
		fmt.Printf("SLOW CODE %s/%s: %s\n", r.repo, r.file, k)
	}
	if r.expect == "accept" {
		t.accept++
		if r.err == nil {
			t.accepted++
		} else {
			fmt.Printf("NOT ACCEPTED %s/%s [%s]: %s\n", r.repo, r.file, r.options, r.first)
		}
	} else {
		t.reject++
		if r.err != nil {
			t.rejected++
		} else {
			fmt.Printf("NOT REJECTED %s/%s [%s]\n", r.repo, r.file, r.options)
		}
	}
}

// trySlowAgain compiles the slow files again, alone.
func (c *tally) trySlowAgain() {
	alone := *c.settings
	alone.levels, alone.timing = nil, true
	for _, r := range c.slow {
		for range 2 {
			r.took = min(r.took, alone.try(r.entry).took)
		}
		if r.took > c.limit {
			fmt.Printf("SLOW %s/%s: %v\n", r.repo, r.file, r.took.Round(time.Millisecond))
		}
		if r.took > c.slowest.took {
			c.slowest = r
		}
	}
}

// print prints a line for each repository, the slowest file and the reasons why kernels have no machine code.
func (c *tally) print() {
	var names []string
	total := row{}
	for n, t := range c.rows {
		names = append(names, n)
		total.accept += t.accept
		total.accepted += t.accepted
		total.reject += t.reject
		total.rejected += t.rejected
		total.missing += t.missing
	}
	sort.Strings(names)
	c.rows["total"] = &total
	for _, n := range append(names, "total") {
		t := c.rows[n]
		fmt.Printf("%-36s accepted %4d of %4d, rejected %d of %d, not found %d\n", n, t.accepted, t.accept, t.rejected, t.reject, t.missing)
	}
	fmt.Printf("slowest: %s/%s %v\n", c.slowest.repo, c.slowest.file, c.slowest.took.Round(time.Microsecond))
	if len(c.levels) > 0 {
		fmt.Printf("machine code of %d kernels; without:\n", c.kernels)
		for _, why := range slices.Sorted(maps.Keys(c.refused)) {
			fmt.Printf("%6d %s\n", c.refused[why], why)
		}
		listLargest(c.sizes, c.largest)
	}
}

// listLargest lists the kernels among the n first by bytes or by compile time.
func listLargest(sizes []size, n int) {
	n = min(n, len(sizes))
	if n == 0 {
		return
	}
	wanted := map[string]bool{}
	slices.SortFunc(sizes, func(a, b size) int { return cmp.Compare(b.times.Total(), a.times.Total()) })
	for _, x := range sizes[:n] {
		wanted[x.where] = true
	}
	slices.SortStableFunc(sizes, func(a, b size) int { return cmp.Compare(b.bytes, a.bytes) })
	for _, x := range sizes[:n] {
		wanted[x.where] = true
	}
	fmt.Println("  values     insts      cold  registers     bytes      opt     spmd  codegen    total  kernel")
	for _, x := range sizes {
		if wanted[x.where] {
			t := func(p timing.Phase) float64 { return x.times[p].Seconds() }
			fmt.Printf("%8d %9d %9d  %9d %9d %8.3f %8.3f %8.3f %8.3f  %s", x.values, x.code.Insts, x.code.Cold, x.code.Registers, x.bytes,
				t(timing.Opt), t(timing.SPMD), t(timing.Gang)+t(timing.Codegen)+t(timing.Alloc)+t(timing.Encode), x.times.Total().Seconds(), x.where)
			if x.err != nil {
				fmt.Printf(": %v", x.err)
			}
			fmt.Println()
		}
	}
}

func read(name, only string) (list []entry) {
	f, err := os.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		c := strings.Split(s.Text(), "\t")
		if len(c) == 5 && c[0] != "repository" && strings.Contains(c[0]+"/"+c[2], only) {
			list = append(list, entry{c[0], c[2], c[3], c[4]})
		}
	}
	if err := s.Err(); err != nil {
		log.Fatal(err)
	}
	return list
}

// try compiles a file from its repository's root.
func (s *settings) try(e entry) outcome {
	out := outcome{entry: e}
	root := filepath.Join(s.dir, strings.ReplaceAll(e.repo, "/", "+"))
	src, err := os.ReadFile(filepath.Join(root, e.file))
	if err != nil {
		out.missing = true
		return out
	}
	opts, err := compile.ParseOptions(e.options)
	if err != nil {
		out.err, out.first = err, err.Error()
		return out
	}
	opts.Source.ReadFile = func(name string) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(root, name)
		}
		return os.ReadFile(name)
	}
	opts.Verify, opts.Partial = !s.timing, true
	if !s.optimise {
		opts.Until = compile.IRGen
	}
	start := time.Now()
	res, err := compile.Compile(context.Background(), e.file, src, opts)
	out.took, out.err = time.Since(start), err
	for _, d := range res.Diags {
		if d.Severity >= diag.Error {
			loc := res.Source.Location(d.Span.Pos)
			out.first = fmt.Sprintf("%s: %s", loc, d.Message)
			break
		}
	}
	if out.first == "" && err != nil {
		out.first = err.Error()
	}
	if err == nil {
		for _, lv := range s.levels {
			for _, f := range res.Module.Funcs {
				if f.Kernel != nil {
					s.machineCode(&out, f, lv, &res.Took)
				}
			}
		}
	}
	return out
}

// machineCode compiles a kernel to machine code; took is the time that its file took before.
func (s *settings) machineCode(out *outcome, f *ssa.Func, lv *x86.Level, took *timing.Times) {
	start := time.Now()
	code, times, err := jit.Measure(f, lv)
	if s.largest > 0 {
		times.Add(took)
		x := size{where: fmt.Sprintf("%s/%s %s %s", out.repo, out.file, f.Name, lv.Name), values: f.CountValues(), times: times, err: err}
		if err == nil {
			x.code, x.bytes = code.Size, len(code.Bytes)
		}
		out.sizes = append(out.sizes, x)
	}
	if took := time.Since(start); took > s.code {
		out.slow = append(out.slow, fmt.Sprintf("%s for %s: %v", f.Name, lv.Name, took.Round(time.Millisecond)))
	}
	if err == nil {
		out.kernels++
		return
	}
	why := lv.Name + ": " + err.Error()
	out.refused = append(out.refused, why)
	var unsupported *gang.Unsupported
	if !errors.As(err, &unsupported) {
		fmt.Printf("NO CODE %s/%s, %s: %v\n", out.repo, out.file, f.Name, why)
	}
}

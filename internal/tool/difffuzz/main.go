// Command difffuzz compares machine code with the reference executor on random kernels for a given time, and saves
// kernels that differ as small run tests.
//
//	go run ./internal/tool/difffuzz -level avx512 -time 30m -workers 2 -seed 1
//
// Kernel number n has the seed SEED+n. Workers are processes, so that a crash or a hang is a finding too. -list
// prints this machine's executors, -repro reduces the kernel of -seed, -case FILE compares the kernels of a saved
// finding, or of any run test. The program needs no files: built with CGO_ENABLED=0 it runs on other machines.
package main

import (
	"flag"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/difftest"
	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var (
	level   = flag.String("level", "all", "executors to compare, by the beginning of their names, with commas between")
	limit   = flag.Duration("time", time.Minute, "how long to go on")
	count   = flag.Uint64("n", 0, "kernels to try at most; 0: no limit")
	workers = flag.Int("workers", 1, "processes")
	seed    = flag.Uint64("seed", 1, "seed of the first kernel")
	size    = flag.Int("size", 5, "statements of a kernel, about")
	dir     = flag.String("dir", "out/difffuzz", "where findings go")
	each    = flag.Int("each", 1, "executors tried for each kernel, in turn; 0: all")
	most    = flag.Int("most", 20, "findings after which to stop")
	wild    = flag.Bool("wild", false, "only kernels whose accesses leave their objects")
	list    = flag.Bool("list", false, "list the executors and stop")
	repro   = flag.Bool("repro", false, "compare the kernel of -seed on all executors and show it reduced")
	file    = flag.String("case", "", "compare the kernels of this run test on all executors")
	without = flag.String("without", "", "passes that -case leaves out, with commas between")
	show    = flag.Bool("show", false, "print the kernel of -seed")
	child   = flag.Bool("child", false, "be a worker")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	execs := executors()
	switch {
	case *list:
		for _, e := range execs {
			fmt.Println(e.Name())
		}
	case *show:
		k := random(*seed)
		fmt.Print(k.Header(), k.Source())
	case *file != "":
		os.Exit(cases(*file, execs))
	case *repro:
		os.Exit(one(*seed, execs))
	case *child:
		work(execs)
	default:
		os.Exit(lead())
	}
}

// random returns the kernel of a seed.
func random(seed uint64) *kerneltest.Kernel {
	if *wild {
		return kerneltest.RandomWild(seed, *size)
	}
	return kerneltest.Random(seed, *size)
}

// executors returns the executors that -level selects.
func executors() (out []exec.Executor) {
	for _, e := range difftest.MachineExecutors() {
		for name := range strings.SplitSeq(*level, ",") {
			if name == "all" || e.Name() == name || strings.HasPrefix(e.Name(), name+"x") || strings.HasPrefix(e.Name(), name+"-") {
				out = append(out, e)
				break
			}
		}
	}
	if len(out) == 0 {
		log.Fatalf("this processor has no level %s", *level)
	}
	return out
}

// options returns the options for the comparison of k, kernel number n.
func options(n uint64, k *kerneltest.Kernel, execs []exec.Executor) difftest.Options {
	o := difftest.Options{Wild: k.Wild, Disable: difftest.SomePasses(rand.New(rand.NewPCG(n, 5))), Timeout: 20 * time.Second}
	if k.Even && n/uint64(len(execs))%2 == 0 { // half of the kernels for wide gangs run on those: the other executors would get most of them
		execs = longest(execs)
	}
	if *each == 0 || *each >= len(execs) {
		o.Executors = execs
		return o
	}
	for i := range *each {
		o.Executors = append(o.Executors, execs[(int(n%uint64(len(execs))) + i*len(execs) / *each)%len(execs)])
	}
	return o
}

// longest returns, of the executors with a fixed gang width, the widest of each level; all executors if there are
// none.
func longest(execs []exec.Executor) []exec.Executor {
	most, last := map[string]int{}, map[string]exec.Executor{}
	for _, e := range execs {
		i := strings.LastIndexByte(e.Name(), 'x')
		if n, err := strconv.Atoi(e.Name()[i+1:]); err == nil && i > 0 && n > most[e.Name()[:i]] {
			level := e.Name()[:i]
			most[level], last[level] = n, e
		}
	}
	if len(last) == 0 {
		return execs
	}
	return slices.DeleteFunc(slices.Clone(execs), func(e exec.Executor) bool { return !slices.Contains(slices.Collect(maps.Values(last)), e) })
}

// one compares and prints the kernel of a seed.
func one(n uint64, execs []exec.Executor) int {
	k := random(n)
	o := options(n, k, execs)
	o.Executors = execs
	o.Checked = true
	r := difftest.Check(k.Case(), o)
	if r.Err != nil {
		fmt.Println(r.Err)
		return 1
	}
	fmt.Printf("%d of %d executors ran machine code: %s\n", r.Machine, len(o.Executors), strings.Join(r.Reached.Names(), ", "))
	for _, p := range r.Problems {
		fmt.Printf("%s: %s\n", p.Executor, p.Text)
	}
	if len(r.Problems) > 0 {
		fmt.Print(difftest.Repro(k, o, r.Problems[0].Executor, 4000))
		return 1
	}
	return 0
}

// cases compares the kernels of a run test: with all passes, and without those that -without names, or else without
// all that may be skipped.
func cases(name string, execs []exec.Executor) (status int) {
	src, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	list, err := filetest.ParseRuns(name, src)
	if err != nil {
		log.Fatal(err)
	}
	some := difftest.Plain()
	if *without != "" {
		some = map[string]bool{}
		for name := range strings.SplitSeq(*without, ",") {
			some[name] = true
		}
	}
	for _, c := range list {
		for _, disable := range []map[string]bool{nil, some} {
			r := difftest.Check(c, difftest.Options{Executors: execs, Disable: disable})
			fmt.Printf("%s:%d: passes left out %v: %d of %d executors ran machine code, %d differ\n", name, c.Line, len(disable) > 0, r.Machine, len(execs), len(r.Problems))
			if r.Err != nil {
				fmt.Println(r.Err)
				status = 1
			}
			for _, p := range r.Problems {
				fmt.Printf("%s: %s\n", p.Executor, p.Text)
				status = 1
			}
		}
	}
	return status
}

// work compares kernels and prints a line before and after each: "at SEED", then "ok MACHINE RUNS REACHED" or "bad
// FILE".
func work(execs []exec.Executor) {
	end := time.Now().Add(*limit)
	for i := uint64(0); (*count == 0 || i < *count) && time.Now().Before(end); i++ {
		n := *seed + i*uint64(*workers)
		fmt.Println("at", n)
		k := random(n)
		o := options(n, k, execs)
		r := difftest.Check(k.Case(), o)
		if r.Err == nil && len(r.Problems) == 0 {
			fmt.Println("ok", r.Machine, len(o.Executors), uint64(r.Reached))
			continue
		}
		text, name := "", fmt.Sprintf("%d-bad.cl", n)
		if r.Err != nil {
			text = fmt.Sprintf("%s// not a good kernel: %v\n%s", k.Header(), r.Err, k.Source())
			name = fmt.Sprintf("%d-generator.cl", n)
		} else {
			whole := k.Header() + "// " + strings.ReplaceAll(r.Problems[0].Text, "\n", "\n// ") + "\n" + k.Source()
			save(fmt.Sprintf("%d-whole.cl", n), whole)
			text = difftest.Repro(k, o, r.Problems[0].Executor, 1500)
		}
		fmt.Println("bad", save(name, text))
	}
}

// save writes a finding to a file and returns its name.
func save(name, text string) string {
	name = filepath.Join(*dir, name)
	if err := os.MkdirAll(*dir, 0o755); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		log.Fatal(err)
	}
	return name
}

// Command corpus tries the front end on public kernels: it compiles every file of a list
// to verified SSA and counts, by repository, what is accepted.
//
//	go run ./internal/gen/corpus -list LIST.tsv -dir DIR
//
// The list has the columns repository, commit, file, build options and expectation
// (accept or reject), as shared with the project's design; DIR holds each repository
// OWNER/NAME checked out at DIR/OWNER+NAME.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/diag"
)

type entry struct{ repo, file, options, expect string }

type outcome struct {
	entry
	missing bool
	err     error
	first   string // first error
	took    time.Duration
}

func main() {
	log.SetFlags(0)
	list := flag.String("list", "", "list of files (tab-separated)")
	dir := flag.String("dir", "", "where the repositories are")
	only := flag.String("only", "", "only files whose repository/path contains this")
	optimise := flag.Bool("opt", false, "go on to optimised SSA")
	limit := flag.Duration("limit", 2*time.Second, "report files that take longer")
	flag.Parse()
	entries := read(*list, *only)
	jobs, results := make(chan entry), make(chan outcome)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for e := range jobs {
				results <- try(*dir, e, *optimise)
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
	type row struct{ accept, accepted, reject, rejected, missing int }
	rows := map[string]*row{}
	var bad []string
	var slowest outcome
	for r := range results {
		t := rows[r.repo]
		if t == nil {
			t = &row{}
			rows[r.repo] = t
		}
		if r.missing {
			t.missing++
			continue
		}
		if r.took > slowest.took {
			slowest = r
		}
		if r.took > *limit {
			bad = append(bad, fmt.Sprintf("SLOW %s/%s: %v", r.repo, r.file, r.took.Round(time.Millisecond)))
		}
		if _, wrong := r.err.(*diag.List); r.err != nil && !wrong {
			bad = append(bad, fmt.Sprintf("CRASH %s/%s: %v", r.repo, r.file, r.err))
		}
		if r.expect == "accept" {
			t.accept++
			if r.err == nil {
				t.accepted++
			} else {
				bad = append(bad, fmt.Sprintf("NOT ACCEPTED %s/%s [%s]: %s", r.repo, r.file, r.options, r.first))
			}
		} else {
			t.reject++
			if r.err != nil {
				t.rejected++
			} else {
				bad = append(bad, fmt.Sprintf("NOT REJECTED %s/%s [%s]", r.repo, r.file, r.options))
			}
		}
	}
	sort.Strings(bad)
	for _, b := range bad {
		fmt.Println(b)
	}
	var names []string
	total := row{}
	for n, t := range rows {
		names = append(names, n)
		total.accept += t.accept
		total.accepted += t.accepted
		total.reject += t.reject
		total.rejected += t.rejected
		total.missing += t.missing
	}
	sort.Strings(names)
	rows["total"] = &total
	for _, n := range append(names, "total") {
		t := rows[n]
		fmt.Printf("%-36s accepted %4d of %4d, rejected %d of %d, not found %d\n", n, t.accepted, t.accept, t.rejected, t.reject, t.missing)
	}
	fmt.Printf("slowest: %s/%s %v\n", slowest.repo, slowest.file, slowest.took.Round(time.Microsecond))
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

// try compiles a file as from its repository's root.
func try(dir string, e entry, optimise bool) outcome {
	out := outcome{entry: e}
	root := filepath.Join(dir, strings.ReplaceAll(e.repo, "/", "+"))
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
	opts.Verify = true
	if !optimise {
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
	return out
}

package pages

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/option"
)

var long = flag.Bool("long", false, "run the blocks that take more than seconds, too")

var update = flag.Bool("update", false, "rewrite the output that pages show; read the difference")

const root = "../../.."

// all returns the documentation's pages.
func all(t *testing.T) []*Page {
	t.Helper()
	files := []string{"README.md", "CHANGELOG.md", "SECURITY.md"}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var pages []*Page
	for _, f := range files {
		p, err := Read(root, f)
		if errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is missing", f)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	return pages
}

// TestLinks checks that every link within the repository leads to a file, and to a heading if it names one.
func TestLinks(t *testing.T) {
	pages := all(t)
	links := 0
	for _, p := range pages {
		for _, l := range p.Links {
			if strings.Contains(l.Target, "://") || strings.HasPrefix(l.Target, "mailto:") {
				continue
			}
			links++
			file, at, _ := strings.Cut(l.Target, "#")
			path := p.File
			if file != "" {
				path = filepath.ToSlash(filepath.Join(filepath.Dir(p.File), file))
			}
			if _, err := os.Stat(filepath.Join(root, path)); err != nil {
				t.Errorf("%s:%d: %s is not there", p.File, l.Line, l.Target)
				continue
			}
			if i := slices.IndexFunc(pages, func(q *Page) bool { return q.File == path }); at != "" && i >= 0 && !pages[i].Anchors[at] {
				t.Errorf("%s:%d: %s has no heading %q", p.File, l.Line, path, at)
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links were found", links)
	}
}

// TestKernels checks that every OpenCL C block compiles, and that a broken one does not.
func TestKernels(t *testing.T) {
	blocks := 0
	for _, p := range all(t) {
		for _, b := range p.Blocks {
			if b.Lang != "cl" {
				continue
			}
			blocks++
			res, err := compile.Compile(context.Background(), p.File, []byte(b.Text), &compile.Options{Source: option.Source{Std: opencl.CL30}})
			if broken := slices.Contains(b.Words, "broken"); broken != (err != nil) {
				t.Errorf("%s:%d: %v %v", p.File, b.Line, err, res)
			}
		}
	}
	if blocks < 5 {
		t.Errorf("only %d kernels were found", blocks)
	}
}

// TestFragments checks that every Go block without a file name is Go, formatted by gofmt.
func TestFragments(t *testing.T) {
	for _, p := range all(t) {
		for _, b := range p.Blocks {
			if b.Lang != "go" {
				continue
			}
			text, err := format.Source([]byte(b.Text))
			if err != nil {
				t.Errorf("%s:%d: %v", p.File, b.Line, err)
			} else if b.Name != "" && string(text) != b.Text {
				t.Errorf("%s:%d: not as gofmt formats it:\n%s", p.File, b.Line, text)
			}
		}
	}
}

// times are the durations in a program's output, which differ from run to run.
var times = regexp.MustCompile(` in [0-9.]+(ns|µs|ms|s)\b`)

// tools are the command line and the programs of all pages, built once.
type tools struct {
	bin      string // folder with purecl
	programs map[*Block]string
	edits    []Edit // of the current page, for -update
}

// build builds all programs that the pages run.
func build(t *testing.T, pages []*Page) *tools {
	t.Helper()
	x := &tools{bin: t.TempDir(), programs: map[*Block]string{}}
	// Programs must be within the module, in a folder that ./... excludes: other tests list packages meanwhile.
	src, err := os.MkdirTemp(filepath.Join(root, "internal", "test", "pages"), "_run-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(src) })
	args := []string{"build", "-o", x.bin + string(filepath.Separator), "../../../cmd/purecl"}
	for _, p := range pages {
		for i := range p.Blocks {
			b := &p.Blocks[i]
			if b.Lang != "go" || b.Name == "" || b.Directive == "none" {
				continue
			}
			name := strings.NewReplacer("/", "-", ".md", "").Replace(strings.ToLower(p.File)) + "-" + strings.TrimSuffix(b.Name, ".go")
			dir := filepath.Join(src, name)
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatalf("%s:%d: two programs of one name: %v", p.File, b.Line, err)
			}
			if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(b.Text), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, e := range p.Blocks { // files that the program may embed
				if e.Name != "" && e.Lang != "go" && e.Lang != "console" {
					if err := os.WriteFile(filepath.Join(dir, e.Name), []byte(e.Text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
			x.programs[b] = filepath.Join(x.bin, name)
			args = append(args, "./"+filepath.ToSlash(filepath.Join(filepath.Base(src), name)))
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	return x
}

// TestBlocks runs programs and commands, and compares their output with the page's.
func TestBlocks(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the pages' commands need a shell")
	}
	pages := all(t)
	x := build(t, pages)
	commands, programs := 0, 0
	for _, p := range pages {
		t.Run(p.File, func(t *testing.T) {
			dir := t.TempDir()
			x.edits = nil
			defer func() {
				if *update {
					if err := p.Rewrite(root, x.edits); err != nil {
						t.Error(err)
					}
				}
			}()
			for i := range p.Blocks {
				b := &p.Blocks[i]
				if b.Name != "" && b.Lang != "console" {
					if err := os.WriteFile(filepath.Join(dir, b.Name), []byte(b.Text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				var env []string
				switch {
				case b.Directive == "none", b.Directive == "user", b.Directive != "" && !*long:
					continue
				case b.Directive == "driver":
					env = driver(t)
				}
				switch {
				case b.Lang == "go" && b.Name != "":
					programs++
					x.program(t, p, i, dir)
				case b.Lang == "console":
					list, err := b.Commands()
					if err != nil {
						t.Fatalf("%s: %v", p.File, err)
					}
					for _, c := range list {
						commands++
						x.command(t, p, c, dir, env)
					}
				}
			}
		})
	}
	if commands < 10 || programs < 2 {
		t.Errorf("only %d commands and %d programs ran", commands, programs)
	}
}

// program runs a Go program and compares its output with the page: with an output block after it, or with the
// output of the console command that runs it.
func (x *tools) program(t *testing.T, p *Page, i int, dir string) {
	t.Helper()
	b := &p.Blocks[i]
	cmd := exec.Command(x.programs[b])
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if i+1 < len(p.Blocks) && p.Blocks[i+1].Lang == "output" {
		if want := p.Blocks[i+1].Text; !Match(want, string(out)) {
			x.edits = append(x.edits, Edit{p.Blocks[i+1].Line + 1, strings.Count(want, "\n"), string(out)})
			t.Errorf("%s:%d: the program prints\n%s\nThe page says\n%s", p.File, b.Line, out, want)
		}
		return
	}
	if err != nil {
		t.Errorf("%s:%d: %v\n%s", p.File, b.Line, err, out)
	}
	if i+1 < len(p.Blocks) && p.Blocks[i+1].Directive == "user" && strings.Contains(p.Blocks[i+1].Text, "go run "+b.Name+"\n") {
		list, err := p.Blocks[i+1].Commands()
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimPrefix(list[len(list)-1].Output, "...\n"); !Match(want, string(out)) {
			t.Errorf("%s:%d: the program prints\n%s\nThe page says\n%s", p.File, b.Line, out, want)
		}
	}
}

// command runs a shell command.
func (x *tools) command(t *testing.T, p *Page, c Command, dir string, env []string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", c.Text)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+x.bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "NO_COLOR=1")
	cmd.Env = append(cmd.Env, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	status := 0
	if err := cmd.Run(); err != nil {
		var e *exec.ExitError
		if !errors.As(err, &e) {
			t.Fatalf("%s:%d: %v", p.File, c.Line, err)
		}
		status = e.ExitCode()
	}
	if status != c.Exit {
		t.Errorf("%s:%d: %s\nexit status %d, want %d\n%s", p.File, c.Line, c.Text, status, c.Exit, out.String())
		return
	}
	if !Match(c.Output, out.String()) {
		x.edits = append(x.edits, Edit{c.Line + 1, strings.Count(c.Output, "\n"), times.ReplaceAllString(out.String(), " in ...")})
		t.Errorf("%s:%d: %s\nprints\n%s\nThe page says\n%s", p.File, c.Line, c.Text, out.String(), c.Output)
	}
}

// TestMatch tests Match, on which TestBlocks relies.
func TestMatch(t *testing.T) {
	for _, c := range []struct {
		want, got string
		ok        bool
	}{
		{"a\nb\n", "a  \nb", true},
		{"a ... c", "a b\nb c", true},
		{"a", "b", false},
		{"a.c", "abc", false},
		{"...", "", true},
	} {
		if Match(c.want, c.got) != c.ok {
			t.Errorf("Match(%q, %q) is %v", c.want, c.got, !c.ok)
		}
	}
}

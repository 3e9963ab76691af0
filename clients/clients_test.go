//go:build linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTable checks that rows are complete, and that their scripts exist.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	script := regexp.MustCompile(`^\$SCRIPTS/(.+)$`)
	for _, p := range table() {
		if p.name == "" || p.compares == "" || len(p.packages) == 0 || len(p.commands) == 0 {
			t.Errorf("row %q lacks a name, a comparison, packages or commands", p.name)
		}
		if dir := fileName(p.name); seen[dir] {
			t.Errorf("row %q shares its directory with another", p.name)
		} else {
			seen[dir] = true
		}
		for _, c := range append(p.prepare, p.commands...) {
			if c.parse == nil {
				t.Errorf("row %q: nothing reads the output of %v", p.name, c.args)
			}
			for _, a := range c.args {
				if m := script.FindStringSubmatch(a); m != nil {
					if _, err := os.Stat(filepath.Join("scripts", m[1])); err != nil {
						t.Errorf("row %q: %v", p.name, err)
					}
				}
			}
		}
	}
}

// TestDocument checks that docs/clients.md matches the table and the recorded results.
func TestDocument(t *testing.T) {
	results, err := readResults("results.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", documentFile))
	if err != nil {
		t.Fatal(err)
	}
	if want := document(table(), results); !bytes.Equal(got, want) {
		t.Error("docs/clients.md is stale: go run ./clients -document writes it")
	}
}

func TestParse(t *testing.T) {
	clblast := "* Starting tests for the \x1b[1m'SAXPY'\x1b[0m routine. Legend:\n   36 test(s) passed\n\x1b[35m   2 test(s) skipped\x1b[0m\n   0 test(s) failed\n" +
		"* Starting tests for the 'HAXPY' routine. Legend:\n   3 test(s) failed\n"
	for _, c := range []struct {
		name  string
		parse func(output) ([]outcome, error)
		text  string
		code  int
		want  []outcome
		fails bool
	}{
		{"lines", parseLines, "noise\npass a/b\nfail c: differs: by 3\nskip d: no\npassing\n", 0,
			[]outcome{{test: "a/b"}, {test: "c", status: failed, detail: "differs: by 3"}, {test: "d", status: skipped, detail: "no"}}, false},
		{"lines, crashed", parseLines, "pass a\n", -1, []outcome{{test: "a"}}, true},
		{"CLBlast", parseCLBlast, clblast, 3,
			[]outcome{{test: "SAXPY", count: 36}, {test: "SAXPY", status: skipped, count: 2}, {test: "HAXPY", status: failed, count: 3}}, false},
		{"CLBlast, crashed", parseCLBlast, clblast[:60], -1, nil, true},
		{"piglit", parsePiglit, "a/b: pass\na/c: 1: fail\nd: skip\nsummary:\n       pass:     4153\n", 0,
			[]outcome{{test: "a/b", detail: "pass"}, {test: "a/c: 1", status: failed, detail: "fail"}, {test: "d", status: skipped, detail: "skip"}}, false},
		{"unittest", parseUnittest, "test a ... ok\ntest b ... FAIL\ntest c ... skipped 'x'\n", 1,
			[]outcome{{test: "test a", detail: "ok"}, {test: "test b", status: failed, detail: "FAIL"}, {test: "test c", status: skipped, detail: "skipped 'x'"}}, false},
		{"status", parseStatus("x"), "boom", 1, []outcome{{test: "x", status: failed, detail: "exit status 1: boom"}}, false},
		{"match", parseMatch("x", "fine"), "bad", 0, []outcome{{test: "x", status: failed, detail: `nothing in the output matches "fine"`}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.parse(output{text: c.text, code: c.code})
			if (err != nil) != c.fails {
				t.Errorf("error %v", err)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestParseJUnit(t *testing.T) {
	dir := t.TempDir()
	if _, err := parseJUnit(output{dir: dir}); err == nil {
		t.Error("no file, and no error")
	}
	text := `<testsuites><testsuite><testcase classname="m" name="a"/><testcase classname="m" name="b"><failure message="no">x</failure></testcase>` +
		`<testcase classname="m" name="c"><skipped message="gone"/></testcase></testsuite></testsuites>`
	if err := os.WriteFile(filepath.Join(dir, "junit.xml"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := parseJUnit(output{dir: dir, code: 1})
	want := []outcome{{test: "m.a"}, {test: "m.b", status: failed, detail: "no"}, {test: "m.c", status: skipped, detail: "gone"}}
	if !slices.Equal(got, want) || err != nil {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

func TestCompareFiles(t *testing.T) {
	ours, theirs := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	rule := fileRule{glob: "*.raw", within: map[string]within{"near": {1, 0.25}, "far": {1, 0.25}, "many": {1, 0.25}}}
	for _, f := range []struct{ name, ours, theirs string }{
		{"equal", "abcd", "abcd"}, {"other", "abcd", "abce"}, {"short", "abc", "abcd"}, {"empty", "", ""},
		{"near", "abcd", "abce"}, {"far", "abcd", "abcg"}, {"many", "abcd", "abde"},
	} {
		write(ours, f.name+".raw", f.ours)
		write(theirs, f.name+".raw", f.theirs)
	}
	write(theirs, "absent.raw", "x")
	got, err := rule.compare(ours, theirs)
	if err != nil {
		t.Fatal(err)
	}
	var good []string
	for _, o := range got {
		if o.status == passed {
			good = append(good, o.test)
		}
	}
	if want := "equal near"; strings.Join(good, " ") != want || len(got) != 8 {
		t.Errorf("%d files, equal: %v, want %s", len(got), good, want)
	}
	if none, _ := rule.compare(ours, t.TempDir()); len(none) != 1 || none[0].status != failed {
		t.Error("a reference without files compares well")
	}
}

// TestRun runs a row whose program is the shell: its environment, verdict and time limit.
func TestRun(t *testing.T) {
	o := options{repeat: 1, work: t.TempDir()}
	drivers := []driver{{name: "PureCL", vendors: "/ours", tested: true}, {name: "PoCL", vendors: "/theirs"}}
	p := program{
		name: "A program", packages: []string{"dpkg"}, limit: 2 * time.Second, env: []string{"EXTRA=of $DATA"},
		prepare: []command{sh("/bin/sh", "-c", "echo data >file")},
		commands: []command{
			{args: []string{"/bin/sh", "-c", `cat "$DATA/file"; echo "pass $OCL_ICD_VENDORS"; echo "fail known: x"; echo "fail new: $EXTRA"; ls home >/dev/null && echo pass home`}, parse: parseLines},
			{args: []string{"/bin/sleep", "60"}, parse: parseStatus("sleep")},
			{args: []string{"/bin/true"}, parse: parseStatus("never reached")},
		},
		known: []known{explain("known", "is so.")},
	}
	if missing(p.packages) != nil {
		t.Skip("needs dpkg")
	}
	start := time.Now()
	r, err := runProgram(t.Context(), o, p, drivers)
	if err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("the limit of 2 s ended two runs after %v", d)
	}
	if r.ok() || r.Passed != 2 || total(r.Explained) != 1 || r.Sides[1].Passed != 2 || r.Sides[1].Failed < 3 {
		t.Errorf("%+v", r)
	}
	text := r.text()
	for _, want := range []string{"FAILED", "new (1): of " + filepath.Join(o.work, "a-program/data"), "ended after the limit of 2s"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "never reached") {
		t.Error("a command ran after the limit")
	}
	if r.Failed[0].Test != "new" {
		t.Errorf("first failure %+v", r.Failed[0])
	}
	p.packages = []string{"no-such-package-of-this-name"}
	if r, err = runProgram(t.Context(), o, p, drivers); err != nil || r.Skipped == "" {
		t.Errorf("a missing package: %v, %q", err, r.Skipped)
	}
}

func TestDocumentCells(t *testing.T) {
	p := program{name: "P", compares: "a with b", packages: []string{"p"}, known: []known{explain("x|y", "it is so.")}}
	r := result{Name: "P", Version: "7:1.2.3+dfsg-4", Passed: 12, SkippedTests: 1, Explained: []failure{{Test: "x", Count: 3}}, Failed: []failure{{Test: "z", Count: 1, Detail: "wrong"}}}
	r.Sides = [2]side{{CPU: 12.34}, {Wall: 1, CPU: 0.0567, Passed: 5, Failed: 2}}
	text := string(document([]program{p, {name: "Q", compares: "c"}}, map[string]result{"P": r}))
	for _, want := range []string{"| P | 1.2.3 | a with b | 12, **1 failed** | 1 | 3 | 12 | 5, 2 | 0.057 | `make check-long` |\n", "| Q | | c | not run |", "- `x`: it is so.\n", "- **wrong**: `z`: wrong\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

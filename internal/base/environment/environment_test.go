package environment

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write docs/environment.md")

const root = "../../.."

func TestDocs(t *testing.T) {
	const name = root + "/docs/environment.md"
	if *update {
		if err := os.WriteFile(name, []byte(Markdown()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != Markdown() {
		t.Errorf("docs/environment.md is stale (%v): go test ./internal/base/environment -update", err)
	}
}

// TestTable checks that rows are complete and sorted, and that the sources read only variables of the table,
// through this package.
func TestTable(t *testing.T) {
	if !slices.IsSortedFunc(Table, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the table is not in order")
	}
	for _, v := range Table {
		if v.Default == "" || v.Doc == "" || v.Users != "driver" && v.Users != "api" && v.Users != "all" {
			t.Errorf("%s: an incomplete row", v.Name)
		}
		if (v.Kind == Choice || v.Kind == List) != (v.Choices != nil) || (v.Kind == Number) != (v.Max > 0) {
			t.Errorf("%s: the row does not fit its kind", v.Name)
		}
	}
	direct := regexp.MustCompile(`(Getenv|LookupEnv)\("PURECL_`)
	named := regexp.MustCompile(`\bPURECL_[A-Z][A-Z_]*[A-Z]\b`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if direct.Match(text) {
			t.Errorf("%s reads a variable past the table", path)
		}
		for _, name := range named.FindAllString(string(text), -1) {
			if !slices.ContainsFunc(Table, func(v Variable) bool { return v.Name == name }) && !strings.HasPrefix(name, ofTests) {
				t.Errorf("%s names %s, which is not in the table", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestProblems(t *testing.T) {
	got := Problems([]string{"HOME=/", "PURECL_CHEK=all", "PURECL_CHECK=most", "PURECL_CPU=AVX2", "PURECL_DEVICE_THREADS=0", "PURECL_DEVICE_TYPE=tpu", "PURECL_FROBNICATE=1", "PURECL_LOG=x",
		"PURECL_PERF=map,dots", "PURECL_TIMEOUT=soon", "PURECL_GDB=", "PURECL_TEST_ANY=1"})
	want := []string{
		"PURECL_CHECK=most: expected none, memory or all; used instead: none",
		"PURECL_CHEK: there is no such variable and it has no effect; did you mean PURECL_CHECK?",
		"PURECL_DEVICE_THREADS=0: expected a number from 1 to 4096; used instead: all processors",
		"PURECL_DEVICE_TYPE=tpu: expected cpu, gpu or accelerator",
		"PURECL_FROBNICATE: there is no such variable and it has no effect; docs/environment.md lists all",
		"PURECL_PERF=map,dots: expected map,lines or one of them; used instead: nothing",
		"PURECL_TIMEOUT=soon: expected a time such as 500ms, 10s or 2m; used instead: none",
	}
	var texts []string
	for _, p := range got {
		texts = append(texts, p.String())
	}
	if !slices.Equal(texts, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(texts, "\n"), strings.Join(want, "\n"))
	}
}

func TestGet(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"PURECL_CHECK", "ALL", "all"}, {"PURECL_CHECK", "some", ""}, {"PURECL_CHECK", "", ""}, {"PURECL_LOG", "/A/b", "/A/b"}, {"PURECL_PERF", "Map,lines", "map,lines"},
	} {
		t.Setenv(c.name, c.value)
		if got := Get(c.name); got != c.want {
			t.Errorf("%s=%s: %q, want %q", c.name, c.value, got, c.want)
		}
	}
	t.Setenv("PURECL_DEVICE_THREADS", "7")
	if n := GetNumber("PURECL_DEVICE_THREADS"); n != 7 {
		t.Error(n)
	}
	for s, want := range map[string]time.Duration{"": 0, "2": 2 * time.Second, "1.5": 1500 * time.Millisecond, "500ms": 500 * time.Millisecond, "-1s": 0, "x": 0} {
		t.Setenv("PURECL_TIMEOUT", s)
		if d := GetDuration("PURECL_TIMEOUT"); d != want {
			t.Errorf("%q: %v, want %v", s, d, want)
		}
	}
}

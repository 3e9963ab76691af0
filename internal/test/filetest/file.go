package filetest

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expectations of textual tests")

// files calls do in a subtest for each file below dir that has one of the extensions. do returns the file's new
// contents, which are written with -update, or nil.
func files(t *testing.T, dir string, exts []string, do func(t *testing.T, path string, src []byte) []byte) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !has(exts, filepath.Ext(path)) {
			return err
		}
		n++
		name, _ := filepath.Rel(dir, path)
		t.Run(strings.TrimSuffix(filepath.ToSlash(name), filepath.Ext(name)), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if out := do(t, path, src); *update && out != nil && string(out) != string(src) {
				if err := os.WriteFile(path, out, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Fatalf("no test files in %s", dir)
	}
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// diff returns the first lines in which two texts differ.
func diff(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < len(g) && i < len(w) && g[i] == w[i] {
		i++
	}
	var b strings.Builder
	show := func(sign string, lines []string) {
		for k := i; k < len(lines) && k < i+8; k++ {
			b.WriteString(sign + lines[k] + "\n")
		}
	}
	for k := max(0, i-2); k < i; k++ {
		b.WriteString("  " + g[k] + "\n")
	}
	show("- ", w)
	show("+ ", g)
	return b.String()
}

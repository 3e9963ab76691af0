package purecl

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	namedFile = regexp.MustCompile(`[\w./*-]+\.(?:go|s|c|h|ts)\b`)
	// A placeholder stands for any name, as in codes_AREA.go.
	placeholder = regexp.MustCompile(`[A-Z]{3}`)
	span        = regexp.MustCompile("`[^`\n]+`")
	fence       = regexp.MustCompile("(?ms)^```.*?^```")
)

// missing returns the source files that a text names and that do not exist. A name counts from the folder of the text or
// from the repository's root; in a page, whose sentences name the folder before, also from any other.
func missing(text, folder string, page bool, files map[string]bool) (list []string) {
	names := []string{}
	if page {
		for _, s := range span.FindAllString(fence.ReplaceAllString(text, ""), -1) {
			names = append(names, namedFile.FindAllString(s, -1)...)
		}
	} else {
		names = namedFile.FindAllString(text, -1)
	}
	for _, name := range names {
		if placeholder.MatchString(name) || strings.HasPrefix(name, "CL/") {
			continue
		}
		exists := func(file string) bool {
			for _, pattern := range []string{path.Join(folder, name), path.Clean(name)} {
				if ok, err := path.Match(pattern, file); ok && err == nil {
					return true
				}
			}
			return page && strings.HasSuffix(file, "/"+name)
		}
		found := false
		for file := range files {
			if exists(file) {
				found = true
				break
			}
		}
		if !found && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// TestNamedFiles checks that the files which pages and the packages' documentation name exist.
func TestNamedFiles(t *testing.T) {
	files := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || file == "out") {
			return filepath.SkipDir
		}
		files[filepath.ToSlash(file)] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for file := range files {
		isPage := path.Ext(file) == ".md" && (path.Dir(file) == "." || strings.HasPrefix(file, "docs/")) && file != "CHANGELOG.md"
		if !isPage && path.Base(file) != "doc.go" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n++
		for _, name := range missing(string(text), path.Dir(file), isPage, files) {
			t.Errorf("%s names %s, which does not exist", file, name)
		}
	}
	if n < 80 {
		t.Errorf("only %d texts were read", n)
	}
}

// TestNamedFilesFinds plants names of files that do not exist.
func TestNamedFilesFinds(t *testing.T) {
	files := map[string]bool{"a/doc.go": true, "a/one.go": true, "b/two.go": true, "three_test.go": true}
	for _, c := range []struct {
		text, folder string
		page         bool
		want         []string
	}{
		{"// See one.go, b/two.go, three_test.go and NAME.go.", "a", false, nil},
		{"// See two.go and four.go.", "a", false, []string{"two.go", "four.go"}},
		{"`b/two.go`, `one.go`, `t*_test.go`, `CL/cl.h`, four.go", "docs", true, nil},
		{"`b/one.go`, `four.go` `four.go`\n```\n`five.go`\n```\n", "docs", true, []string{"b/one.go", "four.go"}},
	} {
		if got := missing(c.text, c.folder, c.page, files); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

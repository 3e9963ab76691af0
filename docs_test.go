package purecl

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme checks that README.md is short enough to be read to its end.
func TestReadme(t *testing.T) {
	const most = 120
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(page), "\n"); n > most {
		t.Errorf("README.md has %d lines, %d at most: move what is more to docs/", n, most)
	}
}

// TestHostCalls checks that docs/host-to-go.md has each host call of OpenCL once, and names only identifiers of the
// API.
func TestHostCalls(t *testing.T) {
	page, err := os.ReadFile("docs/host-to-go.md")
	if err != nil {
		t.Fatal(err)
	}
	identifiers, methods := api(t, ".")
	has := map[string]bool{"Options.Workers": true, "Options.Report": true, "Options.Mode": true, "Options.Checks": true, "Report.Start": true, "Report.End": true}
	for _, x := range append(identifiers, methods...) {
		has[x.name] = true
	}
	rows := map[string]int{}
	name := regexp.MustCompile("`(cl[A-Z]\\w*)`")
	goName := regexp.MustCompile("`([A-Z]\\w*(?:\\.[A-Z]\\w*)?)`")
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			continue
		}
		for _, m := range name.FindAllStringSubmatch(cells[1], -1) {
			rows[m[1]]++
		}
		for _, m := range goName.FindAllStringSubmatch(cells[2], -1) {
			if !has[m[1]] && m[1] != "Pix" {
				t.Errorf("%s is not in the API: %s", m[1], line)
			}
		}
	}
	call := regexp.MustCompile(`\b(cl[A-Z]\w*)\s*\(`)
	calls := map[string]bool{}
	for _, source := range []string{"internal/gen/icd/api.txt", "/usr/include/CL/cl.h"} {
		text, err := os.ReadFile(source)
		if err != nil {
			if strings.HasPrefix(source, "/") {
				t.Logf("compared with the driver's table only: %v", err) // opencl-c-headers is not installed
				continue
			}
			t.Fatal(err)
		}
		for _, m := range call.FindAllStringSubmatch(string(text), -1) {
			if !extension.MatchString(m[1]) {
				calls[m[1]] = true
			}
		}
	}
	if len(calls) < 114 {
		t.Errorf("only %d host calls are known", len(calls))
	}
	for c := range calls {
		if rows[c] != 1 {
			t.Errorf("%s has %d rows", c, rows[c])
		}
	}
	for c := range rows {
		if !calls[c] {
			t.Errorf("%s is no host call", c)
		}
	}
}

// extension matches the names of functions of extensions.
var extension = regexp.MustCompile(`(KHR|EXT|INTEL|NV|ARM|AMD|QCOM|IMG)$|GL|D3D|DX9|EGL`)

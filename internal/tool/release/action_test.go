package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAction runs the shell script of the GitHub Action on folders of kernels, in the environment that action.yml
// derives from its inputs.
func TestAction(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	root := testRoot(t)
	program := filepath.Join(t.TempDir(), "purecl")
	if out, err := exec.Command("go", "build", "-o", program, "../../../cmd/purecl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	action, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, files, options string
		kernels              map[string]string
		status               int
		says                 string
		results              []string // rules in the SARIF file
	}{
		{name: "good", files: "**/*.cl", kernels: map[string]string{"a.cl": "kernel void f(void) { }\n", "deep/er/b.cl": "kernel void g(void) { }\n"}},
		{name: "bad", files: "**/*.cl", kernels: map[string]string{"a.cl": "kernel void f(void) { x = 1; }\n", "deep/er/b.cl": "kernel void g(void) { int a = 1 / 0; }\n"}, status: 1,
			says: "a.cl:1:23: error: use of undeclared identifier 'x'", results: []string{"undeclared-identifier", "division-by-zero"}},
		{name: "options", files: "**/*.cl", options: "-DN=3 -I include -Werror", kernels: map[string]string{"a.cl": "#include \"n.h\"\nkernel void f(global int *p) { p[0] = N + M; }\n", "include/n.h": "#define M 1\n"}},
		{name: "two patterns, a space in a name", files: "a/*.cl\nb/*.cl", kernels: map[string]string{"a/one two.cl": "kernel void f(void) { x = 1; }\n", "b/c.cl": "kernel void f(void) { y = 1; }\n"}, status: 1,
			says: "one two.cl:1:23", results: []string{"undeclared-identifier", "undeclared-identifier"}},
		{name: "nothing", files: "**/*.cl", kernels: map[string]string{"a.c": "int x;\n"}, status: 2, says: "::error::no file matches '**/*.cl'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.kernels {
				name = filepath.Join(dir, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			env := map[string]string{"CHECK_FILES": c.files, "CHECK_OPTIONS": c.options, "CHECK_SARIF": "out.sarif", "CHECK_PROGRAM": program,
				"CHECK_VERSION": "latest", "CHECK_ACTION": root}
			cmd := exec.Command("bash", filepath.Join(root, ".github/check.sh"))
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GITHUB_OUTPUT="+filepath.Join(dir, "output"))
			for name, value := range env {
				if !regexp.MustCompile(`(?m)^        ` + name + `: \$\{\{ `).Match(action) {
					t.Errorf("action.yml does not set %s", name)
				}
				cmd.Env = append(cmd.Env, name+"="+value)
			}
			out, err := cmd.CombinedOutput()
			status := 0
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				status = exit.ExitCode()
			}
			if status != c.status || !strings.Contains(string(out), c.says) {
				t.Fatalf("status %d, want %d\n%s\nwant %q", status, c.status, out, c.says)
			}
			if status == 2 {
				return
			}
			if b, err := os.ReadFile(filepath.Join(dir, "output")); err != nil || string(b) != "sarif=out.sarif\n" {
				t.Errorf("output %q, %v", b, err)
			}
			checkSARIF(t, filepath.Join(dir, "out.sarif"), c.results)
		})
	}
}

func checkSARIF(t *testing.T, name string, rules []string) {
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct{ Results []struct{ RuleID string } }
	}
	if err := json.Unmarshal(b, &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("%v\n%s", err, b)
	}
	var got []string
	for _, r := range log.Runs[0].Results {
		got = append(got, r.RuleID)
	}
	if strings.Join(got, " ") != strings.Join(rules, " ") {
		t.Errorf("results %v, want %v", got, rules)
	}
}

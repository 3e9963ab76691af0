package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// documentedConfig returns the configuration for Neovim in docs/editors.md.
func documentedConfig(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "```lua\n")
	config, _, closed := strings.Cut(rest, "\n```")
	if !ok || !closed {
		t.Fatal("docs/editors.md has no configuration in Lua")
	}
	return config
}

// TestNeovim runs Neovim without a user interface, with the configuration of docs/editors.md.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("Neovim is not installed; make setup installs it")
	}
	dir := t.TempDir()
	// TestMain makes this test program the server.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = lsp ] && %s=1 exec '%s'\n", serverVariable, self)
	if err := os.WriteFile(filepath.Join(dir, "purecl"), []byte(program), 0o777); err != nil {
		t.Fatal(err)
	}
	drive, err := filepath.Abs("../../editors/neovim/drive.lua")
	if err != nil {
		t.Fatal(err)
	}
	source := strings.NewReplacer("twice(a) * x[i]", "twice(a) * x[i] * vlaue").Replace(unmarked(saxpy))
	for name, text := range map[string]string{"init.lua": documentedConfig(t), "k.cl": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(nvim, "--headless", "--clean", "-u", filepath.Join(dir, "init.lua"), "-c", "luafile "+drive)
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "FILE="+filepath.Join(dir, "k.cl"),
		"ANSWERS="+filepath.Join(dir, "answers.json"), "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CACHE_HOME="+dir)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "answers.json"))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var a struct {
		Failure, Filetype, Text string
		Explains                bool
		Diagnostics             []struct {
			Line    int
			Message string
		}
		Hover      json.RawMessage
		Completion struct{ Items []struct{ Label string } }
		Definition []struct {
			Range struct{ Start struct{ Line int } }
		}
		Symbols []struct{ Name string }
	}
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if a.Failure != "" {
		t.Fatalf("%s\n%s", a.Failure, out)
	}
	if a.Filetype != "opencl" || len(a.Diagnostics) != 1 || a.Diagnostics[0].Line != 5 || !strings.Contains(a.Diagnostics[0].Message, "vlaue") {
		t.Errorf("file type %q, diagnostics %+v", a.Filetype, a.Diagnostics)
	}
	if !strings.Contains(string(a.Hover), "fmax(float, float)") || len(a.Completion.Items) != 2 || len(a.Definition) != 1 || a.Definition[0].Range.Start.Line != 2 || len(a.Symbols) != 4 {
		t.Errorf("got %s", text)
	}
	if strings.Count(a.Text, "double_it") != 2 || strings.Contains(a.Text, "twice") || !a.Explains {
		t.Errorf("after renaming: %s", a.Text)
	}
}

// unmarked returns a source without its markers.
func unmarked(source string) string {
	for _, m := range "123456789" {
		source = strings.ReplaceAll(source, "$"+string(m)+"$", "")
	}
	return source
}

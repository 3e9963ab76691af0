package pages

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	module  = "github.com/purecl/purecl"
	version = "v0.0.1"
)

// proxy makes a module proxy of files with the checkout as its only version, and returns
// environment variables with which "go install MODULE@latest" uses it and the module cache,
// and nothing else.
func proxy(t *testing.T) []string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "proxy")
	at := filepath.Join(dir, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		} else if err != nil {
			t.Fatal(err)
		}
		f, err := w.Create(module + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	info := []byte(`{"Version":"` + version + `","Time":"2026-01-01T00:00:00Z"}`)
	for name, data := range map[string][]byte{"list": []byte(version + "\n"), version + ".info": info, version + ".mod": mod, version + ".zip": buf.Bytes()} {
		if err := os.WriteFile(filepath.Join(at, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(t.TempDir(), "mod")
	t.Cleanup(func() { // files of the module cache are read-only
		cmd := exec.Command("go", "clean", "-modcache")
		cmd.Env = append(os.Environ(), "GOMODCACHE="+own)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	return []string{
		"GOPROXY=file://" + filepath.ToSlash(abs) + ",file://" + filepath.ToSlash(strings.TrimSpace(string(cache))) + "/cache/download",
		"GOMODCACHE=" + own, "GONOSUMDB=*", "GONOSUMCHECK=1", "GOFLAGS=-mod=mod", "GOSUMDB=off", "CGO_ENABLED=0", "GOBIN=" + filepath.Join(filepath.Dir(own), "bin"),
	}
}

// driver builds the driver and returns environment variables by which the loader finds it.
func driver(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("make", "driver")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make driver: %v\n%s", err, out)
	}
	lib, err := filepath.Abs(filepath.Join(root, "bin", "libpurecl.so"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "purecl.icd"), []byte(lib+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return []string{"ICD=" + dir}
}

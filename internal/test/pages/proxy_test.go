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

// checkout returns the checkout's files that git tracks, by name.
func checkout(t *testing.T) map[string][]byte {
	t.Helper()
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted but not committed
		} else if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	return files
}

// proxy writes a file-based module proxy to dir: the checkout as the module's only version, and its requirements.
func proxy(t *testing.T, dir string) {
	t.Helper()
	cache := filepath.Join(t.TempDir(), "mod")
	t.Cleanup(func() { // files of the module cache are read-only
		cmd := exec.Command("go", "clean", "-modcache")
		cmd.Env = append(os.Environ(), "GOMODCACHE="+cache)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(t.TempDir(), "purecl")
	if err := os.Mkdir(mine, 0o777); err != nil {
		t.Fatal(err)
	}
	files := checkout(t)
	for _, name := range []string{"go.mod", "go.sum"} {
		if err := os.WriteFile(filepath.Join(mine, name), files[name], 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// The user's module cache comes first: its modules need no network.
	cmd := exec.Command("go", "mod", "download")
	cmd.Dir = mine
	cmd.Env = append(os.Environ(), "GOMODCACHE="+cache, "GOFLAGS=-mod=mod",
		"GOPROXY=file://"+filepath.ToSlash(strings.TrimSpace(string(out)))+"/cache/download,"+goproxy(t))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Rename(filepath.Join(cache, "cache", "download"), dir); err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for name, data := range files {
		if strings.HasPrefix(name, "beam/") { // a separate module
			continue
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
	at := filepath.Join(dir, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Fatal(err)
	}
	info := []byte(`{"Version":"` + version + `","Time":"2026-01-01T00:00:00Z"}`)
	for name, data := range map[string][]byte{"list": []byte(version + "\n"), version + ".info": info, version + ".mod": files["go.mod"], version + ".zip": buf.Bytes()} {
		if err := os.WriteFile(filepath.Join(at, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func goproxy(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// repository creates a git repository of the checkout at dir.
func repository(t *testing.T, dir string) {
	t.Helper()
	for name, data := range checkout(t) {
		path := filepath.Join(dir, name)
		mode := os.FileMode(0o644)
		if info, err := os.Stat(filepath.Join(root, name)); err == nil {
			mode = info.Mode().Perm()
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "."}, {"-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "The checkout"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// driver builds the driver and returns the environment variable of its path.
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
	return []string{"DRIVER=" + lib}
}

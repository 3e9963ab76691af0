package main

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "make two releases from scratch, compare them, and install one in a clean Debian")

var dist = flag.String("dist", "", "with -long: test the release in this folder instead of making two")

func needLong(t *testing.T, programs ...string) {
	if !*long {
		t.Skip("with -long only")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Fatalf("%v; sh setup.sh release installs it", err)
		}
	}
}

func testRoot(t *testing.T) string {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestNotices holds that THIRD_PARTY.md names the modules of every platform with their licences.
func TestNotices(t *testing.T) {
	want, err := notices(testRoot(t))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../THIRD_PARTY.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("THIRD_PARTY.md is stale: go generate ./internal/gen/release")
	}
	if _, err := spdx("All rights reserved."); err == nil {
		t.Error("a licence that nobody has read is taken")
	}
}

// TestStatic builds the command line as a release does and reads from its ELF header that it
// needs nothing of the system; its version and bill of materials name every module.
func TestStatic(t *testing.T) {
	r := &releaser{root: testRoot(t), out: t.TempDir(), version: "test", commit: time.Unix(1700000000, 0)}
	if _, err := os.Stat(filepath.Join(r.root, ".git")); err != nil {
		t.Skip("no checkout of git")
	}
	if err := r.command(target{"linux", "amd64"}); err != nil {
		t.Fatal(err)
	}
	name := r.file("purecl", "linux", "amd64", "")
	if err := static(name); err != nil {
		t.Error(err)
	}
	if sh, err := exec.LookPath("sh"); err == nil && runtime.GOOS == "linux" && static(sh) == nil {
		t.Errorf("%s counts as static", sh)
	}
	info, err := buildinfo.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.billText(info)
	if err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	for _, dep := range info.Deps {
		if !slices.ContainsFunc(b.Components, func(c component) bool { return c.Name == dep.Path && c.Version == dep.Version }) {
			t.Errorf("the bill of materials lacks %s %s", dep.Path, dep.Version)
		}
	}
	if stamped := slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" }); !stamped {
		return // a work tree of git, which Go takes no version from; TestRelease has a clone
	}
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		out, err := exec.Command(name, "--version").Output()
		commit := ""
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = s.Value
			}
		}
		for _, part := range []string{info.Main.Version, commit, info.GoVersion} {
			if err != nil || part == "" || !strings.Contains(string(out), part) {
				t.Errorf("--version says %q (%v), without %q", out, err, part)
			}
		}
	}
}

// clone copies the commit that is checked out to another folder.
func clone(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "purecl")
	if out, err := exec.Command("git", "clone", "-q", testRoot(t), dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// makeRelease runs the releaser in a clone, and with a build cache of its own so that
// everything is compiled anew.
func makeRelease(t *testing.T, cache string) string {
	dir := clone(t)
	cmd := exec.Command("go", "run", "./internal/gen/release", "-out", "dist")
	cmd.Dir, cmd.Env = dir, os.Environ()
	if cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+cache)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "dist")
}

// TestRelease makes a release twice, in different folders and the second without what the
// first has compiled: the bytes are the same. Then it installs the package for Debian on a
// clean root, where clinfo and PyOpenCL find and use the driver.
func TestRelease(t *testing.T) {
	needLong(t, "mmdebstrap", "rpm", "aarch64-linux-gnu-gcc")
	a := *dist
	if a == "" {
		a = makeRelease(t, "")
		t.Run("reproducible", func(t *testing.T) { sameFiles(t, a, makeRelease(t, t.TempDir())) })
	}
	t.Run("contents", func(t *testing.T) { contents(t, a) })
	t.Run("rpm", func(t *testing.T) { rpmPackage(t, a) })
	t.Run("install", func(t *testing.T) { install(t, a) })
}

func sameFiles(t *testing.T, a, b string) {
	list, err := os.ReadDir(a)
	if err != nil || len(list) < 15 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	for _, e := range list {
		x, err1 := os.ReadFile(filepath.Join(a, e.Name()))
		y, err2 := os.ReadFile(filepath.Join(b, e.Name()))
		if err1 != nil || err2 != nil || !bytes.Equal(x, y) {
			t.Errorf("%s differs between two releases (%v, %v)", e.Name(), err1, err2)
		}
	}
}

// contents checks the files of a release against each other.
func contents(t *testing.T, dist string) {
	cmd := exec.Command("sha256sum", "-c", "--strict", "SHA256SUMS")
	cmd.Dir = dist
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	count := func(pattern string) int {
		list, _ := filepath.Glob(filepath.Join(dist, pattern))
		return len(list)
	}
	for pattern, want := range map[string]int{"purecl_*_linux_*": 6, "purecl_*_darwin_*": 2, "purecl_*_windows_*.exe": 2, "libpurecl_*.so": 2,
		"*.deb": 2, "*.rpm": 2, "*_sbom.cdx.json": 1, "*.h": 0} {
		if n := count(pattern); n != want {
			t.Errorf("%d files %s, want %d", n, pattern, want)
		}
	}
	libs, _ := filepath.Glob(filepath.Join(dist, "libpurecl_*.so"))
	for _, name := range libs {
		f, err := elf.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		needs, _ := f.ImportedLibraries()
		f.Close()
		if slices.ContainsFunc(needs, func(s string) bool { return !strings.HasPrefix(s, "libc.so") && !strings.HasPrefix(s, "ld-linux") }) {
			t.Errorf("%s needs %v, expected nothing but libc", name, needs)
		}
	}
}

func one(t *testing.T, pattern string) string {
	list, err := filepath.Glob(pattern)
	if err != nil || len(list) != 1 {
		t.Fatalf("%s: %v %v", pattern, list, err)
	}
	return list[0]
}

func rpmPackage(t *testing.T, dist string) {
	out, err := exec.Command("rpm", "-qp", "--list", "--requires", one(t, filepath.Join(dist, "*_amd64.rpm"))).Output()
	for _, want := range []string{"/usr/bin/purecl", "/usr/lib/purecl/libpurecl.so", "/etc/OpenCL/vendors/purecl.icd", "glibc >= 2."} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%v\n%s\nwant %s", err, out, want)
		}
	}
}

// install installs the package in a Debian without anything else. The root is made with this
// system's package sources, in a namespace of its own where the user is not root.
func install(t *testing.T, dist string) {
	dir := t.TempDir()
	tar, deb := filepath.Join(dir, "root.tar"), one(t, filepath.Join(dist, "*_linux_amd64.deb"))
	script := filepath.Join(dir, "use.py")
	if err := os.WriteFile(script, []byte(pyopencl), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"--variant=minbase", "--include=clinfo,python3-pyopencl,python3-numpy,ocl-icd-libopencl1",
		"--customize-hook=copy-in " + deb + " " + script + " /tmp",
		`--customize-hook=chroot "$1" sh -ec 'dpkg -i /tmp/*.deb; echo == clinfo; clinfo -l; echo == python; python3 /tmp/use.py; echo == purecl; purecl --version; purecl eval "2 + 3"; dpkg -L purecl'`,
		codename(t), tar}
	if os.Getuid() == 0 {
		args = append([]string{"--mode=root"}, args...)
	}
	for _, list := range []string{"/etc/apt/sources.list", "/etc/apt/sources.list.d/debian.sources"} {
		if b, err := os.ReadFile(list); err == nil && len(bytes.TrimSpace(b)) > 0 {
			args = append(args, list)
		}
	}
	out, err := exec.Command("mmdebstrap", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, text, _ := strings.Cut(string(out), "== clinfo")
	for _, want := range []string{": PureCL\n", "PyOpenCL: [ 0.  3.  6.  9. 12. 15. 18. 21.]", "purecl v", "int 5", "/etc/OpenCL/vendors/purecl.icd"} {
		if !strings.Contains(text, want) {
			t.Errorf("not in the output: %q\n%s", want, text)
		}
	}
}

// codename is the name of this system's release of Debian, such as bookworm.
func codename(t *testing.T) string {
	b, err := os.ReadFile("/etc/os-release")
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(b)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "VERSION_CODENAME="); ok {
			return name
		}
	}
	t.Skip("this system is no Debian")
	return ""
}

const pyopencl = `
import numpy, pyopencl as cl
platform, = (p for p in cl.get_platforms() if p.name == "PureCL") # PyOpenCL brings PoCL along
context = cl.Context(platform.get_devices())
queue = cl.CommandQueue(context)
x = numpy.arange(8, dtype=numpy.float32)
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=x)
program = cl.Program(context, "kernel void triple(global float *p) { p[get_global_id(0)] *= 3; }").build()
program.triple(queue, x.shape, None, buffer)
cl.enqueue_copy(queue, x, buffer)
print("PyOpenCL:", x)
`

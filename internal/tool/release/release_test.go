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
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/test/cleanroot"
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

// TestNotices checks that THIRD_PARTY.md has the modules of every platform with their licences.
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
		t.Error("THIRD_PARTY.md is stale: go generate ./internal/tool/release")
	}
	if _, err := spdx("All rights reserved."); err == nil {
		t.Error("an unknown licence is accepted")
	}
}

// TestStatic builds the command line as a release does. It checks in its ELF header that it needs no libraries, and
// that its version and bill of materials name every module.
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
	type component struct {
		Name, Version, PURL string
		Licenses            []struct{ License struct{ ID string } }
	}
	var b struct {
		Format     string `json:"bomFormat"`
		Spec       string `json:"specVersion"`
		Metadata   struct{ Timestamp string }
		Components []component
	}
	if err := json.Unmarshal(text, &b); err != nil || b.Format != "CycloneDX" || b.Spec != "1.5" || b.Metadata.Timestamp != "2023-11-14T22:13:20Z" {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, c := range b.Components {
		if c.PURL != "pkg:golang/"+c.Name+"@"+c.Version || len(c.Licenses) != 1 || c.Licenses[0].License.ID == "" {
			t.Errorf("component %+v", c)
		}
	}
	for _, dep := range info.Deps {
		if !slices.ContainsFunc(b.Components, func(c component) bool { return c.Name == dep.Path && c.Version == dep.Version }) {
			t.Errorf("the bill of materials lacks %s %s", dep.Path, dep.Version)
		}
	}
	if stamped := slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" }); !stamped {
		return // Go takes no version from a git work tree; TestRelease has a clone
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

// TestGPU builds the command line with GPU devices as a release does. It must be dynamically linked, since it loads
// NVIDIA's driver, and explain missing GPUs.
func TestGPU(t *testing.T) {
	r := &releaser{root: testRoot(t), out: t.TempDir(), version: "test"}
	if _, err := os.Stat(filepath.Join(r.root, ".git")); err != nil {
		t.Skip("no checkout of git")
	}
	if err := r.gpuCommand(target{"linux", "amd64"}); err != nil {
		t.Fatal(err)
	}
	name := r.file("purecl-gpu", "linux", "amd64", "")
	if static(name) == nil {
		t.Error("it is static and cannot load the driver")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return
	}
	out, err := exec.Command(name, "devices").CombinedOutput()
	if err != nil || !regexp.MustCompile(`(?m)^gpu(: none|:0): `).Match(out) {
		t.Errorf("purecl-gpu devices: %v\n%s", err, out)
	}
}

// clone copies the current commit to another folder.
func clone(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "purecl")
	if out, err := exec.Command("git", "clone", "-q", testRoot(t), dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// makeRelease runs the releaser in a clone. With an empty build cache it compiles everything.
func makeRelease(t *testing.T, cache string) string {
	start := time.Now()
	dir := clone(t)
	cmd := exec.Command("go", "run", "./internal/tool/release", "-out", "dist", "-buildcache", cache)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("a release in %v, build cache %q", time.Since(start).Round(time.Second), cache)
	return filepath.Join(dir, "dist")
}

// TestRelease makes a release twice, in different folders, the second time without the first one's build cache: the
// bytes must be the same. Then it installs the packages and uses their contents.
func TestRelease(t *testing.T) {
	needLong(t, "mmdebstrap", "rpm", "aarch64-linux-gnu-gcc", "qemu-aarch64")
	a := *dist
	if a == "" {
		a = makeRelease(t, "")
		t.Run("reproducible", func(t *testing.T) { sameFiles(t, a, makeRelease(t, t.TempDir())) })
	}
	t.Run("contents", func(t *testing.T) { contents(t, a) })
	t.Run("rpm", func(t *testing.T) { rpmPackage(t, a) })
	t.Run("arm64", func(t *testing.T) { arm64(t, a) })
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

// contents cross-checks the files of a release.
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
		"purecl-gpu_*_linux_*": 2, "purecl-gpu_*_windows_*.exe": 1,
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

// rpmPackage installs the package with rpm in a root of its own: it must contain the release's files with their
// modes, and the command line must run.
func rpmPackage(t *testing.T, dist string) {
	file := one(t, filepath.Join(dist, "*_amd64.rpm"))
	out, err := exec.Command("rpm", "-qp", "--requires", file).Output()
	if err != nil || !strings.Contains(string(out), "glibc >= 2.") {
		t.Errorf("%v\n%s\nwant glibc >= 2.", err, out)
	}
	root := t.TempDir()
	rpm := func(args ...string) string {
		args = append([]string{"rpm", "--root", root}, args...)
		if os.Getuid() != 0 { // rpm changes its root directory
			args = append([]string{"unshare", "--map-root-user"}, args...)
		}
		out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	// The root has no glibc package; Debian's rpm requires force-debian.
	rpm("--force-debian", "-i", "--nodeps", file)
	rpm("-V", "--nodeps", "purecl")
	for path, want := range map[string]struct {
		mode os.FileMode
		from string // a file of the release, "" for others
		text string
	}{
		"usr/bin/purecl":                      {mode: 0o755, from: one(t, filepath.Join(dist, "purecl_*_linux_amd64"))},
		"usr/lib/purecl/libpurecl.so":         {mode: 0o644, from: one(t, filepath.Join(dist, "libpurecl_*_linux_amd64.so"))},
		"etc/OpenCL/vendors/purecl.icd":       {mode: 0o644, text: icdFile},
		"usr/share/doc/purecl/copyright":      {mode: 0o644, from: filepath.Join(dist, "LICENSE")},
		"usr/share/doc/purecl/THIRD_PARTY.md": {mode: 0o644, from: filepath.Join(dist, "THIRD_PARTY.md")},
	} {
		text := []byte(want.text)
		if want.from != "" {
			if text, err = os.ReadFile(want.from); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(filepath.Join(root, path))
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s of the package is not that of the release (%v)", path, err)
			continue
		}
		if info, err := os.Stat(filepath.Join(root, path)); err != nil || info.Mode() != want.mode {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want.mode)
		}
	}
	if out, err := exec.Command(filepath.Join(root, "usr/bin/purecl"), "eval", "2 + 3").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "int 5\n") {
		t.Errorf("%v\n%s", err, out)
	}
	rpm("-e", "purecl")
	if _, err := os.Stat(filepath.Join(root, "usr/bin/purecl")); !os.IsNotExist(err) {
		t.Errorf("rpm -e leaves usr/bin/purecl (%v)", err)
	}
}

// arm64 runs the command line and the driver for arm64 in QEMU. A host program in C loads the driver as the loader
// would and runs a kernel.
func arm64(t *testing.T, dist string) {
	const libc = "/usr/aarch64-linux-gnu" // of libc6-dev-arm64-cross
	run := func(program string, args ...string) string {
		t.Helper()
		out, err := exec.Command(program, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", program, args, err, out)
		}
		return string(out)
	}
	if out := run("qemu-aarch64", one(t, filepath.Join(dist, "purecl_*_linux_arm64")), "eval", "2 + 3"); !strings.HasPrefix(out, "int 5\n") {
		t.Errorf("purecl eval prints %q", out)
	}
	// Only the headers of OpenCL: the rest of /usr/include belongs to this machine.
	dir := t.TempDir()
	if err := os.Symlink("/usr/include/CL", filepath.Join(dir, "CL")); err != nil {
		t.Fatal(err)
	}
	host := filepath.Join(dir, "host")
	run("aarch64-linux-gnu-gcc", "-Wall", "-Wno-deprecated-declarations", "-I", dir, "testdata/host.c", "-o", host, "-ldl")
	if out := run("qemu-aarch64", "-L", libc, host, one(t, filepath.Join(dist, "libpurecl_*_linux_arm64.so"))); out != "PureCL: 3 6 9 12\n" {
		t.Errorf("the host prints %q", out)
	}
}

// install installs the package on a minimal Debian, on which clinfo and PyOpenCL must find and use the driver.
func install(t *testing.T, dist string) {
	script := filepath.Join(t.TempDir(), "use.py")
	if err := os.WriteFile(script, []byte(pyopencl), 0o644); err != nil {
		t.Fatal(err)
	}
	root := cleanroot.Root{
		Packages: []string{"clinfo", "python3-pyopencl", "python3-numpy", "ocl-icd-libopencl1"},
		Copies:   map[string][]string{"/tmp": {one(t, filepath.Join(dist, "*_linux_amd64.deb")), script}},
	}
	text := root.Run(t, `
dpkg -i /tmp/*.deb
clinfo -l
python3 /tmp/use.py
purecl --version
purecl eval "2 + 3"
dpkg -L purecl
`)
	for _, want := range []string{": PureCL\n", "PyOpenCL: [ 0.  3.  6.  9. 12. 15. 18. 21.]", "purecl v", "int 5", "/etc/OpenCL/vendors/purecl.icd"} {
		if !strings.Contains(text, want) {
			t.Errorf("not in the output: %q\n%s", want, text)
		}
	}
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

package main

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A target is a platform of the command line.
type target struct{ os, arch string }

var targets = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}

// A driver is an architecture that libpurecl.so is built for on Linux, with its C compiler.
type driver struct{ arch, cc string }

var drivers = []driver{{"amd64", "x86_64-linux-gnu-gcc"}, {"arm64", "aarch64-linux-gnu-gcc"}}

func hostOS() string   { return runtime.GOOS }
func hostArch() string { return runtime.GOARCH }

// file returns the path of a binary of the release.
func (r *releaser) file(name, os, arch, suffix string) string {
	return filepath.Join(r.out, fmt.Sprintf("%s_%s_%s_%s%s", name, r.version, os, arch, suffix))
}

// playground builds the page that the command line serves.
func (r *releaser) playground() error {
	cmd := exec.Command("go", "run", "./internal/tool/playground")
	cmd.Dir = r.root
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the playground: %w\n%s", err, text)
	}
	r.page = true
	return nil
}

// tags returns the build tags of the command line: the given ones, and that of the playground's page if it was
// built.
func (r *releaser) tags(some ...string) string {
	if r.page {
		some = append(some, "playground")
	}
	return "-tags=" + strings.Join(some, ",")
}

// command builds the command line for a platform, without cgo.
func (r *releaser) command(t target) error {
	suffix := ""
	if t.os == "windows" {
		suffix = ".exe"
	}
	out := r.file("purecl", t.os, t.arch, suffix)
	if err := r.build(out, t, []string{"CGO_ENABLED=0"}, r.tags(), "-ldflags=-s -w -buildid=", "./cmd/purecl"); err != nil {
		return err
	}
	if t.os != "linux" {
		return nil
	}
	return static(out)
}

// gpuTargets are the platforms of NVIDIA's driver.
var gpuTargets = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"windows", "amd64"}}

// gpuCommand builds the command line with GPU devices, which is dynamically linked.
func (r *releaser) gpuCommand(t target) error {
	suffix := ""
	if t.os == "windows" {
		suffix = ".exe"
	}
	return r.build(r.file("purecl-gpu", t.os, t.arch, suffix), t, []string{"CGO_ENABLED=0"}, r.tags("gpu"), "-ldflags=-s -w -buildid=", "./cmd/purecl")
}

// driver builds libpurecl.so, which exports only the symbols that OpenCL's loader looks for.
func (r *releaser) driver(d driver) error {
	flags := "-ldflags=-s -w -buildid= -extldflags '-Wl,--build-id=none -Wl,--version-script=" + filepath.Join(r.root, "icd/exports.map") + "'"
	out := r.file("libpurecl", "linux", d.arch, ".so")
	if err := r.build(out, target{"linux", d.arch}, []string{"CGO_ENABLED=1", "CC=" + d.cc}, "-buildmode=c-shared", flags, "./icd"); err != nil {
		return err
	}
	os.Remove(out[:len(out)-len(".so")] + ".h") // cgo's header, which is not needed
	return nil
}

// build runs go build so that the result does not depend on the folder.
func (r *releaser) build(out string, t target, env []string, args ...string) error {
	args = append([]string{"build", "-trimpath", "-buildvcs=true", "-o", out}, args...)
	cmd := exec.Command("go", args...)
	cmd.Dir = r.root
	cmd.Env = append(append(os.Environ(), "GOFLAGS=", "GOOS="+t.os, "GOARCH="+t.arch, "GOAMD64=v1", "GOARM64=v8.0"), env...)
	if r.cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+r.cache)
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s for %s/%s: %w\n%s", filepath.Base(out), t.os, t.arch, err, text)
	}
	return nil
}

// static returns an error if an ELF file needs a dynamic linker or a library.
func static(name string) error {
	f, err := elf.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			return fmt.Errorf("%s is not static: it has a %v segment", name, p.Type)
		}
	}
	libs, err := f.ImportedLibraries()
	if err == nil && len(libs) > 0 {
		return fmt.Errorf("%s is not static: it needs %v", name, libs)
	}
	return nil
}

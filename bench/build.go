//go:build linux

package bench

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

//go:embed reference library
var sources embed.FS

// referenceFlags are gcc's flags for the reference. gcc contracts no products and sums: the sources use fma where
// PureCL fuses. C's errno and floating-point exceptions, which OpenCL C lacks, are off. Vectors are as wide as
// PureCL's; gcc's default would be 32 bytes on many processors.
var referenceFlags = []string{"-O3", "-std=gnu17", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-mprefer-vector-width=512", "-static", "-pthread"}

// BuildReference compiles the reference for a processor (gcc's -march) and returns the program's path in the user's
// cache directory. It does not compile a program that is there.
func BuildReference(march string) (string, error) {
	entries, err := sources.ReadDir("reference")
	if err != nil {
		return "", err
	}
	var files []string
	for _, e := range entries {
		files = append(files, "reference/"+e.Name())
	}
	return buildC("reference", march, files, "-lmvec", "-lm")
}

// BuildLibraries is BuildReference for the program that does the work of some rows by OpenBLAS and FFTW.
func BuildLibraries(march string) (string, error) {
	files := []string{"reference/main.c", "reference/reference.h", "library/library.c"}
	program, err := buildC("libraries", march, files, "-lopenblas", "-lfftw3f", "-lm")
	if err != nil {
		err = fmt.Errorf("%w\nit needs Debian's packages libopenblas-dev and libfftw3-dev, or their like", err)
	}
	return program, err
}

// buildC compiles embedded files to a program, which its name, the sources and the flags identify.
func buildC(name, march string, files []string, libraries ...string) (string, error) {
	flags := append([]string{"-march=" + march}, referenceFlags...)
	hash := sha256.New()
	fmt.Fprintln(hash, hostProcessor(march), flags, libraries)
	texts := map[string][]byte{}
	var compiled []string
	for _, f := range files {
		text, err := sources.ReadFile(f)
		if err != nil {
			return "", err
		}
		base := path.Base(f)
		texts[base] = text
		fmt.Fprintf(hash, "%s %d\n%s", base, len(text), text)
		if strings.HasSuffix(base, ".c") {
			compiled = append(compiled, base)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "purecl-bench")
	program := filepath.Join(cache, fmt.Sprintf("%s-%x", name, hash.Sum(nil)[:8]))
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(cache, "build")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	for base, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, base), text, 0o666); err != nil {
			return "", err
		}
	}
	objects, err := compileAll(dir, compiled, flags)
	if err != nil {
		return "", err
	}
	link := append(append([]string{"-o", "program"}, flags...), objects...)
	if err := gcc(dir, append(link, libraries...)); err != nil {
		return "", err
	}
	return program, os.Rename(filepath.Join(dir, "program"), program)
}

// BuildUnchecked builds the benchmark program without bounds checks, which needs a build tag, and returns its path.
func BuildUnchecked() (string, error) {
	return goBuild("unchecked", "-tags", "purecl_nobounds", "github.com/purecl/purecl/bench/compare")
}

// BuildDriver builds the program that runs rows on another OpenCL library and returns its path.
func BuildDriver() (string, error) {
	return goBuild("driver", "github.com/purecl/purecl/bench/driver")
}

// goBuild builds a program into the cache and returns its path.
func goBuild(name string, args ...string) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "purecl-bench", name)
	cmd := exec.Command("go", append([]string{"build", "-o", program}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s for the benchmarks: %w\n%s", name, err, out)
	}
	return program, nil
}

// compileAll compiles files in parallel and returns the paths of the objects.
func compileAll(dir string, files, flags []string) ([]string, error) {
	errs := make(chan error, len(files))
	var objects []string
	for _, f := range files {
		object := strings.TrimSuffix(f, ".c") + ".o"
		objects = append(objects, object)
		args := append([]string{"-c", f, "-o", object}, flags...)
		go func() { errs <- gcc(dir, args) }()
	}
	var first error
	for range files {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return objects, first
}

func gcc(dir string, args []string) error {
	cmd := exec.Command("gcc", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("gcc %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// hostProcessor identifies this machine's processor for -march=native, "" for another march.
func hostProcessor(march string) string {
	if march != "native" {
		return ""
	}
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "flags") {
			return line
		}
	}
	return ""
}

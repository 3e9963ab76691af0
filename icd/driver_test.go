//go:build cgo && linux

package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

var long = flag.Bool("long", false, "run the load test for a minute, and all of clpeak")

// stage is the folder where TestMain puts the driver, the loader's configuration and the programs.
var stage string

// TestMain builds the driver as make driver does; the tests run programs with it. DRIVER_FLAGS holds further flags
// of go build, such as -race.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "purecl")
	if err == nil {
		stage = dir
		err = build()
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

func build() error { return buildIn(stage) }

// buildIn puts the driver and the loader's configuration into a directory.
func buildIn(dir string, flags ...string) error {
	script, err := filepath.Abs("exports.map")
	if err != nil {
		return err
	}
	lib := filepath.Join(dir, "libpurecl.so")
	args := append([]string{"build", "-buildmode=c-shared", "-ldflags=-extldflags=-Wl,--version-script=" + script, "-o", lib}, strings.Fields(os.Getenv("DRIVER_FLAGS"))...)
	if out, err := exec.Command("go", append(append(args, flags...), ".")...).CombinedOutput(); err != nil {
		return fmt.Errorf("building the driver: %v\n%s", err, out)
	}
	return os.WriteFile(filepath.Join(dir, "purecl.icd"), []byte(lib+"\n"), 0o666)
}

// logName is the name of the driver's log in stage. No program of testdata has it.
const logName = "driver.log"

// command returns a command that runs a program with the driver as the only one.
func command(env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(append(os.Environ(), "OCL_ICD_VENDORS="+stage, "PYOPENCL_NO_CACHE=1", "PYOPENCL_CTX=0", "GODEBUG=cgocheck=1",
		"PURECL_LOG="+filepath.Join(stage, logName)), env...)
	return cmd
}

// on runs a program with the driver as the only one and returns what it printed.
func on(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	out, err := command(env, name, args...).CombinedOutput()
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(stage, logName)) // a missing log is empty
		t.Errorf("%s: %v\n%s%s", name, err, out, log)
	}
	return string(out)
}

// programs are the names of the C programs.
func programs(t *testing.T) (names []string) {
	sources, err := filepath.Glob("testdata/*.c")
	if err != nil || len(sources) == 0 {
		t.Fatal("no programs", err)
	}
	for _, src := range sources {
		names = append(names, strings.TrimSuffix(filepath.Base(src), ".c"))
	}
	return names
}

// threads lets the programs partition the device on any machine.
var threads = []string{"PURECL_DEVICE_THREADS=4"}

// arguments are the programs' command-line arguments.
func arguments(name string) []string {
	threads := map[string]string{"stress": "64", "races": "16"}[name]
	switch {
	case threads == "":
		return nil
	case *long:
		return []string{"60", threads}
	}
	return []string{"2", threads}
}

// TestPrograms runs the C programs of testdata. On an error they print it and return 1.
func TestPrograms(t *testing.T) {
	for _, name := range programs(t) {
		t.Run(name, func(t *testing.T) {
			exe := filepath.Join(stage, name)
			compileC(t, exe, name)
			if out := on(t, threads, exe, arguments(name)...); out != "" {
				t.Error(out)
			}
		})
	}
}

// TestSimulated runs programs on a GPU that is simulated: alone, and beside the processor.
func TestSimulated(t *testing.T) {
	dir := t.TempDir()
	if err := buildIn(dir, "-tags", "simulated"); err != nil {
		t.Fatal(err)
	}
	gpu := append(threads, "OCL_ICD_VENDORS="+dir, "PURECL_DEVICE=gpu")
	for _, name := range []string{"memory", "objects", "entries", "errors", "faults", "process"} {
		exe := filepath.Join(dir, name)
		compileC(t, exe, name)
		if out := on(t, gpu, exe); out != "" {
			t.Errorf("%s: %s", name, out)
		}
	}
	if out := on(t, append(threads, "OCL_ICD_VENDORS="+dir), filepath.Join(dir, "memory")); out != "" {
		t.Errorf("memory, the processor first: %s", out)
	}
	on(t, gpu, "/usr/bin/python3", "-W", "ignore", "testdata/session.py")
	out := on(t, gpu, "clinfo")
	if bad := regexp.MustCompile(`(?i).*(error -|warning|invalid|<).*`).FindAllString(out, -1); len(bad) > 0 || !strings.Contains(out, "simulated") {
		t.Errorf("clinfo complains:\n%s", strings.Join(bad, "\n"))
	}
}

// compileC compiles a program of testdata to an executable.
func compileC(t *testing.T, exe, name string, flags ...string) {
	t.Helper()
	args := append(flags, "-Wall", "-Wno-unused", "-o", exe, "testdata/"+name+".c", "-lOpenCL", "-lpthread")
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
}

// TestFloatingPoint runs a host that was built with -ffast-math and changes rounding, on
// machine code and on the reference executor.
func TestFloatingPoint(t *testing.T) {
	exe := filepath.Join(stage, "fpenv-fast")
	compileC(t, exe, "fpenv", "-O2", "-ffast-math")
	for _, env := range []string{"PURECL_CPU=", "PURECL_CPU=none", "PURECL_CHECK=all"} {
		if out := on(t, append(threads, env), exe); out != "" {
			t.Errorf("%s: %s", env, out)
		}
	}
}

// TestFaultModes runs faults.c in the modes that TestPrograms does not use.
func TestFaultModes(t *testing.T) {
	exe := filepath.Join(stage, "modes")
	compileC(t, exe, "faults")
	for _, env := range [][]string{{"PURECL_FAULT=strict"}, {"PURECL_CHECK=memory"}, {"PURECL_CHECK=all", "PURECL_FAULT=robust"}, {"PURECL_CPU=none"}, {"PURECL_CPU=avx2"}} {
		if out := on(t, env, exe); out != "" {
			t.Errorf("%v: %s", env, out)
		}
	}
}

// TestRace runs the programs with Go's race detector, which needs the driver in an executable (hosted.go), and
// checks that they release their handles.
func TestRace(t *testing.T) {
	driver := filepath.Join(stage, "hosted")
	if out, err := exec.Command("go", "build", "-race", "-tags", "hosted", "-o", driver, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build -race: %v\n%s", err, out)
	}
	table, err := os.ReadFile("zdispatch.c")
	if err != nil {
		t.Fatal(err)
	}
	names := filepath.Join(stage, "names.h")
	text := "#include \"driver.h\"\nconst cl_icd_dispatch *dispatch;\n"
	for _, m := range regexp.MustCompile(`(?m)^\t\.(cl\w+) = `).FindAllSubmatch(table, -1) {
		text += fmt.Sprintf("#define %[1]s dispatch->%[1]s\n", m[1])
	}
	if err := os.WriteFile(names, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range programs(t) {
		t.Run(name, func(t *testing.T) {
			host := filepath.Join(stage, name+".so")
			if out, err := exec.Command("cc", "-shared", "-fPIC", "-I.", "-include", names, "-o", host, "testdata/"+name+".c").CombinedOutput(); err != nil {
				t.Fatalf("cc: %v\n%s", err, out)
			}
			if out := on(t, threads, driver, append([]string{host}, arguments(name)...)...); out != "" {
				t.Error(out)
			}
		})
	}
}

// TestClinfo checks that clinfo gets a value for every query.
func TestClinfo(t *testing.T) {
	out := on(t, nil, "clinfo")
	if bad := regexp.MustCompile(`(?i).*(error -|warning|invalid|<).*`).FindAllString(out, -1); len(bad) > 0 {
		t.Errorf("clinfo complains:\n%s", strings.Join(bad, "\n"))
	}
	if !strings.Contains(out, "OpenCL 3.0 PureCL") {
		t.Error("no driver found")
	}
}

// TestPyOpenCL compares the results of a PyOpenCL program with NumPy.
func TestPyOpenCL(t *testing.T) {
	on(t, nil, "/usr/bin/python3", "-W", "ignore", "testdata/session.py")
}

// TestClpeak runs the benchmark to its end, or only the short tests.
func TestClpeak(t *testing.T) {
	tests, want := []string{"--compute-integer", "--compute-intfast", "--kernel-latency"}, []string{"Integer compute", "Fast 24bit", "launch latency"}
	if *long {
		tests, want = nil, append(want, "Global memory", "Single-precision", "Half-precision", "Double-precision", "Transfer bandwidth")
	}
	out := on(t, nil, "clpeak", tests...)
	for _, w := range want {
		if !regexp.MustCompile(regexp.QuoteMeta(w) + `[^:]*(\n[^\n]+)*: [0-9.]+`).MatchString(out) {
			t.Errorf("no result of %q in:\n%s", w, out)
		}
	}
	if strings.Contains(out, "FAILED") || strings.Contains(out, "error") {
		t.Error(out)
	}
}

// TestHashcat finds words from their hashes. Before that, hashcat tests each kernel itself.
func TestHashcat(t *testing.T) {
	for _, c := range []struct{ mode, hash, mask, word string }{
		{"0", "5d41402abc4b2a76b9719d911017c592", "h?l?l?lo", "hello"},                                    // MD5
		{"1400", "b24d6d33736ecd5604a4b17bc9c6481039fac362bb7df044ef1c10a2bfd21db6", "r?l?l?ly", "ready"}, // SHA-256
	} {
		dir := t.TempDir()
		env := []string{"HOME=" + dir, "XDG_CACHE_HOME=" + dir, "XDG_DATA_HOME=" + dir}
		out := on(t, env, "hashcat", "-O", "--force", "--potfile-disable", "--quiet", "-m", c.mode, "-a", "3", "-n", "32", "-u", "64", c.hash, c.mask)
		if !strings.Contains(out, c.hash+":"+c.word) {
			t.Errorf("mode %s:\n%s", c.mode, out)
		}
	}
}

// TestInterrupt sends SIGINT while a Python program runs kernels, while it waits for an endless one, and just after
// a launch. One signal must be enough.
func TestInterrupt(t *testing.T) {
	for _, c := range []struct {
		script string
		after  time.Duration
		env    string
	}{{"interrupt.py", 0, "PURECL_CPU="}, {"endless.py", 0, "PURECL_CPU="}, {"endless.py", 500 * time.Millisecond, "PURECL_CPU=none"}} {
		cmd := command([]string{c.env}, "/usr/bin/python3", "-W", "ignore", "testdata/"+c.script)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		cmd.Stderr = &text
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		r := bufio.NewReader(out)
		first, _ := r.ReadString('\n') // "" if the program has ended
		time.Sleep(c.after)
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		hung := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
		rest, _ := io.ReadAll(r)
		if err := cmd.Wait(); !hung.Stop() || err != nil || first != "ready\n" || string(rest) != "interrupted\n" {
			t.Errorf("%s %s: %q, %q, %v\n%s", c.script, c.env, first, rest, err, text.String())
		}
	}
}

// TestEnvironment checks the environment variables of docs/driver.md.
func TestEnvironment(t *testing.T) {
	dump := t.TempDir()
	out := on(t, []string{"PURECL_DEVICE_TYPE=gpu", "PURECL_DEVICE_THREADS=3", "PURECL_CHECK=all", "PURECL_DUMP=" + dump}, "clinfo")
	for _, want := range []string{`Device Type +GPU`, `Max compute units +3`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("clinfo prints nothing like %q", want)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dump, "*.ssa")); len(files) == 0 { // clinfo builds a kernel
		t.Error("no dump of intermediate code")
	}
}

// TestProfile checks that PURECL_PROFILE lists the lines of kernels when a host exits.
func TestProfile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "host.pprof")
	on(t, []string{"PURECL_PROFILE=" + file}, "/usr/bin/python3", "-W", "ignore", "testdata/session.py")
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]int64{}
	for _, s := range p.Sample {
		times[s.Location[0].Line[0].Function.Name] += s.Value[1]
	}
	for _, kernel := range []string{"lin", "f", "inv", "k"} {
		if times[kernel] == 0 {
			t.Errorf("no time of kernel %s; kernels: %v", kernel, times)
		}
	}
	if out := on(t, []string{"PURECL_PROFILE=" + filepath.Join(file, "x"), "PURECL_LOG="}, "/usr/bin/python3", "-W", "ignore", "testdata/session.py"); !strings.Contains(out, "purecl: PURECL_PROFILE: open") {
		t.Errorf("a file that cannot be written: %s", out)
	}
}

// TestLog checks the messages about a host's kernels, devices and environment, and their number.
func TestLog(t *testing.T) {
	exe := filepath.Join(stage, "log-test")
	compileC(t, exe, "log")
	run := func(want int, mode string, env ...string) string {
		t.Helper()
		cmd := command(append([]string{"PURECL_LOG="}, env...), exe, mode)
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("%s %v: %v\n%s", mode, env, err, out)
		}
		return string(out)
	}
	check := func(out string, counts map[string]int) {
		t.Helper()
		for text, want := range counts {
			if n := len(regexp.MustCompile(text).FindAllString(out, -1)); n != want {
				t.Errorf("%d times, not %d: %s in\n%s", n, want, text, out)
			}
		}
	}
	const again = `(?m)^purecl: <source>:1:\d+: out-of-bounds in kernel out of program [0-9a-f]{8}: in 499 more launches$`
	for _, mode := range []string{"robust", "strict"} {
		check(run(0, "faults", "PURECL_FAULT="+mode), map[string]int{
			`(?m)^purecl: in kernel out of program [0-9a-f]{8}:$`: 1, `out of bounds: store`: 1, again: 1, `PURECL_CHECK=all finds more`: 1})
	}
	check(run(0, "callback"), map[string]int{`purecl: in kernel`: 0, `host: in kernel out of program`: 2, `out of bounds: store`: 2})
	check(run(-1, "faults", "PURECL_FAULT=abort"), map[string]int{`out of bounds: store`: 1, `PURECL_FAULT=abort ends the process`: 1})
	check(run(0, "gpu"), map[string]int{`PURECL_DEVICE_TYPE=gpu makes it one`: 1})
	check(run(0, "gpu", "PURECL_DEVICE=tpu"), map[string]int{`(?m)^purecl: PURECL_DEVICE=tpu: there is no such device; there is cpu:0$`: 1, `makes it one`: 0})
	check(run(0, "none", "PURECL_DEVICE=cpu:1"), map[string]int{`(?m)^purecl: PURECL_DEVICE=cpu:1: there is no such device; there is cpu:0$`: 1})
	check(run(0, "none", "PURECL_DEVICE_TYPE=tpu"), map[string]int{`(?m)^purecl: PURECL_DEVICE_TYPE=tpu: expected cpu, gpu or accelerator$`: 1})
	check(run(0, "all", "PURECL_DEVICE=CPU:0"), map[string]int{`.`: 0})
	check(run(0, "all"), map[string]int{`.`: 0})
	check(run(0, "all", "PURECL_CHEK=all", "PURECL_FAULT=maybe"), map[string]int{`did you mean PURECL_CHECK`: 1, `PURECL_FAULT=maybe: expected robust, strict or abort; used instead: robust`: 1})
	check(run(0, "endless", "PURECL_TIMEOUT=200ms"), map[string]int{`kernel endless was stopped: it ran for longer than 200ms`: 1})
	check(run(0, "options"), map[string]int{`.`: 0})
	log := filepath.Join(t.TempDir(), "log")
	run(0, "slow", "PURECL_LOG="+log)
	text, _ := os.ReadFile(log) // a missing log is empty
	check(string(text), map[string]int{`kernel large runs on the reference executor, there is no machine code: private memory of more than`: 1})
}

// TestEndless checks that SIGINT ends a host with an endless kernel.
func TestEndless(t *testing.T) {
	exe := filepath.Join(stage, "log-endless")
	compileC(t, exe, "log")
	for _, env := range []string{"PURECL_CPU=", "PURECL_CPU=none"} {
		cmd := command([]string{env}, exe, "endless")
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		bufio.NewReader(out).ReadString('\n') // "" if the program has ended
		time.Sleep(100 * time.Millisecond)
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		ended := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait() // the error contains the signal
		if !ended.Stop() || cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
			t.Errorf("%s: %v", env, cmd.ProcessState)
		}
	}
}

// TestSymbols checks that the library exports exactly the loader's symbols.
func TestSymbols(t *testing.T) {
	out, err := exec.Command("nm", "-D", "--defined-only", "--format=posix", filepath.Join(stage, "libpurecl.so")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(line, " ")
		names = append(names, strings.TrimSpace(name))
	}
	if got := strings.Join(names, " "); got != "clGetExtensionFunctionAddress clGetPlatformInfo clIcdGetPlatformIDsKHR" {
		t.Errorf("exported symbols: %s", got)
	}
}

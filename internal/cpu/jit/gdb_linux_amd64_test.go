package jit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"
)

// TestMain runs a kernel instead of the tests in the process that TestGDB starts.
func TestMain(m *testing.M) {
	if os.Getenv("PURECL_TEST_INFERIOR") == "" {
		os.Exit(m.Run())
	}
	mod := build(&testing.T{}, inferiorSource)
	out := make(buf, 64*4)
	run(&testing.T{}, mod, "debugged", Executor(), []uint64{64}, []uint64{64}, []any{out, i32(1234)})
}

const inferiorSource = `
kernel void debugged(global int *out, int count) {
	int s = 0;
	for (int k = 0; k < count; k++)
		s += k ^ 5;
	out[get_global_id(0)] = s;
}
`

// TestGDB has gdb stop in a kernel at a source line and print the line, the caller and an argument.
func TestGDB(t *testing.T) {
	gdb, err := exec.LookPath("gdb")
	if err != nil {
		t.Fatal("gdb is missing: see setup.sh")
	}
	if len(levels()) == 0 {
		return // there is no machine code on this processor
	}
	// The binary that go test runs has no symbols.
	bin := filepath.Join(t.TempDir(), "jit.test")
	if out, err := exec.Command("go", "test", "-c", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(gdb, "-nx", "-batch", "-iex", "set auto-load off", "-ex", "set breakpoint pending on", "-ex", "break t.cl:6", "-ex", "handle SIGURG nostop noprint",
		"-ex", "run", "-ex", "backtrace", "-ex", "print count", "-ex", "kill", bin)
	cmd.Env = append(os.Environ(), "PURECL_TEST_INFERIOR=1", "PURECL_GDB=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("gdb: %v\n%s", err, out)
	}
	text := string(out)
	for _, want := range []string{"t.cl:6\n", "jit.call ()", "jit.enter", "#0  debugged (out=", "$1 = 1234\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("gdb did not say %q:\n%s", want, text)
		}
	}
}

// TestGDBList: the debugger's list contains the images that are registered, newest first.
func TestGDBList(t *testing.T) {
	d := gdbDescribe()
	if d != gdbDescribe() || *(*uint32)(unsafe.Pointer(d)) != 1 {
		t.Fatalf("descriptor %+v", d)
	}
	old := d.first
	images := [][]byte{{1, 1}, {2, 2, 2}, {3, 3, 3, 3}}
	var remove []func()
	for _, i := range images {
		remove = append(remove, gdbRegister(i))
		if d.action != gdbAdd || *d.relevant.image != i[0] {
			t.Errorf("registered %v: %+v", i, d)
		}
	}
	check := func(want ...int) {
		t.Helper()
		prev := (*gdbEntry)(nil)
		e := d.first
		for _, w := range want {
			if e == nil || e.prev != prev || *e.image != images[w][0] || e.size != uint64(len(images[w])) {
				t.Fatalf("%+v is not image %d", e, w)
			}
			prev, e = e, e.next
		}
		if e != old {
			t.Errorf("the list has an extra image %+v", e)
		}
	}
	check(2, 1, 0)
	remove[1]()
	check(2, 0)
	remove[2]()
	check(0)
	remove[0]()
	check()
}

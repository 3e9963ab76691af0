//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A terminal is a program under a pseudo-terminal, with its output.
type terminal struct {
	t    testing.TB
	tty  *os.File
	mu   sync.Mutex
	text bytes.Buffer
}

// begin starts purecl under a pseudo-terminal.
func begin(t testing.TB, dir string, args ...string) *terminal {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "purecl") // testscript finds the command by this name
	if err := os.Symlink(self, bin); err != nil {
		t.Fatal(err)
	}
	return open(t, dir, exec.Command(bin, args...))
}

// open starts a program under a pseudo-terminal.
func open(t testing.TB, dir string, cmd *exec.Cmd) *terminal {
	t.Helper()
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TERM=xterm", "HOME="+dir, "XDG_CONFIG_HOME="+dir)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		if runtime.GOOS == "linux" {
			t.Fatal(err)
		}
		t.Skipf("no pseudo-terminal: %v", err)
	}
	w := &terminal{t: t, tty: tty}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := tty.Read(buf)
			w.mu.Lock()
			w.text.Write(buf[:n])
			w.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		tty.Close()
	})
	return w
}

// wait waits until the program has printed want after the output of the last wait.
func (w *terminal) wait(want string) {
	w.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Microsecond) {
		w.mu.Lock()
		text := w.text.String()
		if i := strings.Index(text, want); i >= 0 {
			w.text.Next(i + len(want))
			w.mu.Unlock()
			return
		}
		w.mu.Unlock()
		if time.Now().After(end) {
			w.t.Fatalf("%q does not come; it wrote %q", want, text)
		}
	}
}

// ready waits for purecl's prompt.
func (w *terminal) ready() {
	w.t.Helper()
	w.wait("(purecl) ")
}

func (w *terminal) send(text string) {
	w.t.Helper()
	if _, err := w.tty.WriteString(text); err != nil {
		w.t.Fatal(err)
	}
}

// TestDebugTerminal tests the debugger in a terminal: the prompt, commands, and Ctrl-C while a kernel runs.
func TestDebugTerminal(t *testing.T) {
	dir := t.TempDir()
	src := "kernel void k(global int *out, int n) {\n  int i = get_global_id(0);\n  while (n)\n    out[i] += 1;\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "k.cl"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	w := begin(t, dir, "debug", "k.cl", "-a", "out=zeros(4)", "-a", "n=1", "-l", "4")
	w.ready()
	w.send("break 3\r")
	w.wait("breakpoint 1: k.cl:3")
	w.ready()
	w.send("run\r")
	w.wait("k.cl:3")
	w.ready()
	w.send("delete 1\r")
	w.ready()
	w.send("continue\r")
	time.Sleep(200 * time.Millisecond)
	w.send("\x03")
	w.wait("paused")
	w.ready()
	w.send("print n\r")
	w.wait("(int) 1")
	w.ready()
	w.send("grid\r")
	w.wait("k.cl:")
	w.ready()
	w.send("quit\r")
}

// BenchmarkStepping measures a step of a work-item to the next line, from the command to the next prompt, in purecl
// and in Oclgrind's interactive debugger, both under a pseudo-terminal.
func BenchmarkStepping(b *testing.B) {
	dir := b.TempDir()
	for name, text := range map[string]string{
		"loop.cl":  "kernel void k(global int *out) {\n  int x = 0;\n  for (int j = 0; j < 100000000; j++) {\n    x += j;\n    x ^= 3;\n  }\n  out[get_global_id(0)] = x;\n}\n",
		"loop.sim": "loop.cl\nk\n16 1 1\n16 1 1\n<size=64 fill=0 int>\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	steps := func(b *testing.B, w *terminal, run string, ready func()) {
		ready()
		w.send("break 4\r")
		ready()
		w.send(run + "\r")
		w.wait("x += j;")
		ready()
		for b.Loop() {
			w.send("step\r")
			ready()
		}
	}
	b.Run("purecl", func(b *testing.B) {
		w := begin(b, dir, "debug", "loop.cl", "-a", "zeros(16)", "-l", "16")
		steps(b, w, "run", w.ready)
	})
	b.Run("oclgrind", func(b *testing.B) {
		path, err := exec.LookPath("oclgrind-kernel")
		if err != nil {
			b.Skip("oclgrind is not installed")
		}
		w := open(b, dir, exec.Command(path, "-i", "loop.sim"))
		steps(b, w, "continue", func() { w.wait("(oclgrind) ") })
	})
}

//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A terminal is a program under a pseudo-terminal, and what it has written.
type terminal struct {
	t    *testing.T
	tty  *os.File
	mu   sync.Mutex
	text bytes.Buffer
}

// begin starts purecl under a pseudo-terminal.
func begin(t *testing.T, dir string, args ...string) *terminal {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "purecl") // the name by which testscript knows the command
	if err := os.Symlink(self, bin); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TERM=xterm", "HOME="+dir, "XDG_CONFIG_HOME="+dir)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
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
			if bytes.Contains(buf[:n], []byte("\x1b[6n")) { // where is the cursor?
				_, _ = tty.WriteString("\x1b[1;1R")
			}
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

// wait waits until the program has written a text since the last wait.
func (w *terminal) wait(want string) {
	w.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
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

func (w *terminal) send(text string) {
	w.t.Helper()
	if _, err := w.tty.WriteString(text); err != nil {
		w.t.Fatal(err)
	}
}

// TestDebugTerminal: the debugger in a terminal: a prompt, commands, Ctrl-C while a kernel runs.
func TestDebugTerminal(t *testing.T) {
	dir := t.TempDir()
	src := "kernel void k(global int *out, int n) {\n  int i = get_global_id(0);\n  while (n)\n    out[i] += 1;\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "k.cl"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	w := begin(t, dir, "debug", "k.cl", "-a", "out=zeros(4)", "-a", "n=1", "-l", "4")
	w.wait("(purecl) ")
	w.send("break 3\r")
	w.wait("breakpoint 1: k.cl:3")
	w.wait("(purecl) ")
	w.send("run\r")
	w.wait("k.cl:3")
	w.wait("(purecl) ")
	w.send("delete 1\r")
	w.wait("(purecl) ")
	w.send("continue\r")
	time.Sleep(200 * time.Millisecond)
	w.send("\x03")
	w.wait("paused")
	w.wait("(purecl) ")
	w.send("print n\r")
	w.wait("(int) 1")
	w.wait("(purecl) ")
	w.send("grid\r")
	w.wait("k.cl:")
	w.wait("(purecl) ")
	w.send("quit\r")
}

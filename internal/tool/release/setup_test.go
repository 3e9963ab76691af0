package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fakes replace the programs that setup.sh runs, on a system without the package gdb. Each writes its arguments to
// the file log. lock is the number of times that apt-get finds the lock held.
var fakes = map[string]string{
	"dpkg-query": `for p; do :; done; [ "$p" = gdb ] || echo "install ok installed"`,
	"apt-get": `echo "apt-get $*" >>log
if [ "$1" = update ] && [ "$(cat held 2>/dev/null || echo 0)" -gt 0 ]; then
	echo $(($(cat held) - 1)) >held
	echo "E: Could not get lock /var/lib/apt/lists/lock" >&2
	exit 100
fi`,
	"id":   `cat user`,
	"sudo": `[ -e nosudo ] && exit 1; [ "$1" = -n ] && shift; "$@"`,
}

// TestSetup runs setup.sh on simulated systems.
func TestSetup(t *testing.T) {
	script, err := filepath.Abs("../../../setup.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		args   string
		files  map[string]string // additional files
		drop   string            // a missing program
		status int
		says   string // part of the output
		calls  string // calls of apt-get
	}{
		{name: "nothing missing", args: "release", files: map[string]string{}},
		{name: "only said", args: "-n check", status: 1, says: "missing system packages: gdb\n"},
		{name: "root", args: "check", says: "installing system packages: gdb\n",
			calls: "apt-get update -q\napt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends gdb\n"},
		{name: "the default group", says: "installing system packages: gdb\n",
			calls: "apt-get update -q\napt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends gdb\n"},
		{name: "lock held", args: "check", files: map[string]string{"held": "2"}, says: "installing",
			calls: "apt-get update -q\napt-get update -q\napt-get update -q\napt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends gdb\n"},
		{name: "sudo", args: "check", files: map[string]string{"user": "1000"}, says: "installing",
			calls: "apt-get update -q\napt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends gdb\n"},
		{name: "sudo not allowed", args: "check", files: map[string]string{"user": "1000", "nosudo": ""}, status: 1,
			says: "As root:\n  apt-get update && apt-get install -y --no-install-recommends gdb\n"},
		{name: "no sudo", args: "check", files: map[string]string{"user": "1000"}, drop: "sudo", status: 1, says: "As root:"},
		{name: "no Debian", args: "check", drop: "apt-get", status: 1, says: "install what these Debian packages have by hand: binutils gdb"},
		{name: "no Debian, only said", args: "-n check", drop: "apt-get", says: "this is no Debian system"},
		{name: "a group that there is not", args: "chek", status: 2, says: "there is no group chek"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string, mode os.FileMode) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
					t.Fatal(err)
				}
			}
			for name, body := range fakes {
				if name != c.drop {
					write(name, "#!/bin/sh\n"+body+"\n", 0o755)
				}
			}
			for _, tool := range []string{"sh", "grep", "cat", "mktemp", "rm", "sleep", "env"} {
				path, err := exec.LookPath(tool)
				if err != nil {
					t.Skipf("no %s", tool)
				}
				if err := os.Symlink(path, filepath.Join(dir, tool)); err != nil {
					t.Fatal(err)
				}
			}
			write("user", "0", 0o644)
			for name, text := range c.files {
				write(name, text, 0o644)
			}
			cmd := exec.Command("/bin/sh", append([]string{script}, strings.Fields(c.args)...)...)
			cmd.Dir, cmd.Env = dir, []string{"PATH=" + dir, "SETUP_WAIT=0"}
			out, err := cmd.CombinedOutput()
			status := 0
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				status = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			calls, _ := os.ReadFile(filepath.Join(dir, "log"))
			if status != c.status || !strings.Contains(string(out), c.says) || string(calls) != c.calls {
				t.Errorf("status %d, want %d\n%s\nwant %q\ncalls %q\nwant  %q", status, c.status, out, c.says, calls, c.calls)
			}
		})
	}
}

// Package cleanroot runs a script on a minimal Debian system that has only the packages that a test names.
//
// Input: names of packages, files and a script. Output: the script's output.
//
// mmdebstrap creates the root with this system's package sources, in a user namespace if the user is not root. The
// root is removed afterwards. The package must not know of the rest of the module.
package cleanroot

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A Root describes a clean root.
type Root struct {
	Packages []string
	// Copies are files and folders of this system, by the folder of the root that they are copied to.
	Copies map[string][]string
}

// Markers around the script's output in that of mmdebstrap.
const begin, end = "== begin of the script", "== end of the script"

// Run creates the root, runs the shell script in it as root and returns its output. The test fails if the script
// fails, and is skipped if this system is not Debian.
func (r Root) Run(t *testing.T, script string) string {
	t.Helper()
	name := codename(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "script.sh")
	if err := os.WriteFile(file, []byte("echo "+begin+"\n"+script+"\necho "+end+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"--variant=minbase", "--format=null", "--include=" + strings.Join(r.Packages, ","),
		"--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*", `--aptopt=Acquire::Languages "none"`}
	if os.Getuid() == 0 {
		args = append(args, "--mode=root")
	}
	for to, list := range r.Copies {
		args = append(args, `--customize-hook=mkdir -p "$1`+to+`"`, "--customize-hook=copy-in "+strings.Join(list, " ")+" "+to)
	}
	args = append(args, "--customize-hook=copy-in "+file+" /tmp",
		`--customize-hook=chroot "$1" env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin sh -e /tmp/script.sh`, name, "-")
	for _, list := range []string{"/etc/apt/sources.list", "/etc/apt/sources.list.d/debian.sources"} {
		if b, err := os.ReadFile(list); err == nil && len(bytes.TrimSpace(b)) > 0 {
			args = append(args, list)
		}
	}
	out, err := exec.Command("mmdebstrap", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, text, _ := strings.Cut(string(out), begin+"\n")
	text, _, ok := strings.Cut(text, end+"\n")
	if !ok {
		t.Fatalf("the script did not reach its end\n%s", out)
	}
	return text
}

// codename returns the codename of this system's Debian release, such as bookworm.
func codename(t *testing.T) string {
	t.Helper()
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

// Package cleanroot runs a script in a Debian that has nothing but the packages that a test
// names: what a user has who installs PureCL on a machine of theirs.
//
// Input: names of packages, files and a script. Output: what the script prints.
//
// The root is made by mmdebstrap with this system's package sources, in a namespace of its
// own where the user is not root, and is removed afterwards. The package must not know of the
// rest of the module.
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
	// Copies are files and folders of this system by the folder of the root that they are
	// copied into.
	Copies map[string][]string
}

// Lines around the output of the script, within that of mmdebstrap.
const begin, end = "== begin of the script", "== end of the script"

// Run makes the root, runs the shell script in it as root and returns what it prints. The
// test fails where the script does, and is skipped where this system is no Debian.
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

// codename returns the name of this system's release of Debian, such as bookworm.
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

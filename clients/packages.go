//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// missing returns the Debian packages that are not installed.
func missing(packages []string) []string {
	var names []string
	for _, p := range packages {
		if version(p) == "" {
			names = append(names, p)
		}
	}
	return names
}

// version returns the installed version of a Debian package, "" if it is not installed.
func version(pkg string) string {
	out, err := exec.Command("dpkg-query", "-W", "-f", "${Status} ${Version}", pkg).Output()
	text, ok := strings.CutPrefix(string(out), "install ok installed ")
	if err != nil || !ok {
		return ""
	}
	return text
}

// install installs the missing packages of the rows and the reference driver's.
func install(ctx context.Context, rows []program) error {
	names := missing([]string{poclPackage})
	for _, p := range rows {
		names = append(names, missing(p.packages)...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 0 {
		return nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return fmt.Errorf("no apt-get here; install by hand: %s", strings.Join(names, " "))
	}
	fmt.Println("installing Debian packages:", strings.Join(names, " "))
	if err := apt(ctx, "", "update", "-q"); err != nil {
		return err
	}
	return apt(ctx, "", append([]string{"install", "-y", "-q", "--no-install-recommends"}, names...)...)
}

// apt runs apt-get in a directory, through sudo if it changes the system and the user is not root.
func apt(ctx context.Context, dir string, args ...string) error {
	line := append([]string{"apt-get", "-o", "DPkg::Lock::Timeout=600"}, args...)
	if dir == "" && os.Getuid() != 0 {
		line = append([]string{"sudo"}, line...)
	}
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("apt-get %s: %w\n%s", strings.Join(args, " "), err, tail(string(out), 10))
	}
	return nil
}

// fetchSource unpacks the source package of an installed version into dir, unless dir is not empty. It does not
// change the system's configuration: it takes the sources of the system's binary packages, with package lists below
// dir's parent.
func fetchSource(ctx context.Context, name, dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return nil
	}
	root := filepath.Join(filepath.Dir(dir), "apt")
	conf, err := sourceLists(root)
	if err != nil {
		return err
	}
	if err := apt(ctx, root, append(conf, "update", "-q")...); err != nil {
		return err
	}
	unpack := filepath.Join(root, name)
	if err := errors.Join(os.RemoveAll(unpack), os.MkdirAll(unpack, 0o777)); err != nil {
		return err
	}
	if err := apt(ctx, unpack, append(conf, "--only-source", "--download-only", "source", name)...); err != nil {
		return fmt.Errorf("%w\nput the unpacked source package into %s to do without apt-get", err, dir)
	}
	archives, err := filepath.Glob(filepath.Join(unpack, "*.orig.tar.*"))
	if err != nil || len(archives) != 1 {
		return fmt.Errorf("source package %s: expected one archive *.orig.tar.*, found %d", name, len(archives))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "tar", "-xf", archives[0], "-C", dir, "--strip-components=1").CombinedOutput()
	if err != nil {
		os.RemoveAll(dir) // partly unpacked
		return fmt.Errorf("tar: %w\n%s", err, out)
	}
	return nil
}

// sourceLists writes an apt configuration for source packages below root, and returns the options that select it.
func sourceLists(root string) ([]string, error) {
	parts := filepath.Join(root, "sources")
	for _, dir := range []string{parts, filepath.Join(root, "lists/partial"), filepath.Join(root, "cache/archives/partial")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	files, _ := filepath.Glob("/etc/apt/sources.list.d/*") // the pattern is valid
	for _, file := range append(files, "/etc/apt/sources.list") {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // sources.list may be absent
		}
		lines := strings.Split(string(text), "\n")
		for i, l := range lines {
			if rest, ok := strings.CutPrefix(l, "deb "); ok {
				lines[i] = "deb-src " + rest
			}
			if strings.HasPrefix(l, "Types:") {
				lines[i] = "Types: deb-src"
			}
		}
		if err := os.WriteFile(filepath.Join(parts, filepath.Base(file)), []byte(strings.Join(lines, "\n")), 0o666); err != nil {
			return nil, err
		}
	}
	return []string{
		"-o", "Dir::Etc::SourceList=/dev/null", "-o", "Dir::Etc::SourceParts=" + parts,
		"-o", "Dir::State::Lists=" + filepath.Join(root, "lists"), "-o", "Dir::Cache=" + filepath.Join(root, "cache"),
	}, nil
}

// Command release creates the files of a release of PureCL: binaries of the command line with the playground for
// six platforms and with GPU devices for three, the OpenCL driver, packages for Debian and Red Hat, a bill of
// materials and checksums. Two runs on one commit give the same bytes.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:generate go run . -notices

func main() {
	log.SetFlags(0)
	log.SetPrefix("release: ")
	out := flag.String("out", "dist", "folder for the files, which is emptied before")
	cache := flag.String("buildcache", "", "build cache for what is released, instead of Go's: an empty one has everything compiled anew")
	notices := flag.Bool("notices", false, "only write THIRD_PARTY.md")
	flag.Parse()
	root, err := moduleRoot()
	if err == nil && *notices {
		err = writeNotices(root)
	} else if err == nil {
		err = release(root, *out, *cache)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// moduleRoot returns the folder of the module in which this program runs.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	return strings.TrimSpace(string(out)), err
}

// A releaser creates one release.
type releaser struct {
	root    string // of the module
	out     string
	cache   string    // build cache of the release; "": Go's
	version string    // as in the binaries
	commit  time.Time // the commit's time; all files get it
	page    bool      // the playground's page was built
}

func release(root, out, cache string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	r := &releaser{root: root, out: out, cache: cache}
	if err := r.identify(); err != nil {
		return err
	}
	log.Printf("PureCL %s", r.version)
	if err := r.playground(); err != nil {
		return err
	}
	if err := r.binaries(); err != nil {
		return err
	}
	for _, d := range drivers {
		if err := r.packages(d); err != nil {
			return err
		}
	}
	for _, name := range []string{"LICENSE", "THIRD_PARTY.md"} {
		if err := copyFile(filepath.Join(root, name), filepath.Join(out, name)); err != nil {
			return err
		}
	}
	if err := r.bill(); err != nil {
		return err
	}
	return r.checksums()
}

// binaries builds everything for all platforms, several in parallel: linking leaves processors idle.
func (r *releaser) binaries() error {
	var work []func() error
	for _, d := range drivers {
		work = append(work, func() error { return r.driver(d) })
	}
	for _, t := range targets {
		work = append(work, func() error { return r.command(t) })
	}
	for _, t := range gpuTargets {
		work = append(work, func() error { return r.gpuCommand(t) })
	}
	errs := make([]error, len(work))
	var wg sync.WaitGroup
	room := make(chan bool, 1+runtime.NumCPU()/2)
	for i, f := range work {
		wg.Go(func() {
			room <- true
			errs[i] = f()
			<-room
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// identify builds the command line once to learn the version, which Go derives from the commit and its tag.
func (r *releaser) identify() error {
	first := filepath.Join(r.out, "version")
	defer os.Remove(first)
	if err := r.build(first, target{hostOS(), hostArch()}, nil, "./cmd/purecl"); err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(first)
	if err != nil {
		return err
	}
	r.version = strings.TrimPrefix(info.Main.Version, "v")
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.time":
			if r.commit, err = time.Parse(time.RFC3339, s.Value); err != nil {
				return err
			}
		case s.Key == "vcs.modified" && s.Value == "true":
			return fmt.Errorf("the checkout has changes that are not committed; a release is of a commit")
		}
	}
	if r.commit.IsZero() {
		return fmt.Errorf("%s is no checkout of git; a release is of a commit", r.root)
	}
	return nil
}

// checksums writes SHA256SUMS, which sha256sum -c reads.
func (r *releaser) checksums() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var lines []string
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(b), e.Name()))
	}
	slices.Sort(lines)
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644)
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}

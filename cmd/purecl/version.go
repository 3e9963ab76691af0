package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"
)

type versionCmd struct{}

// versionFlag is --version, which prints the version and ends the program.
type versionFlag bool

// BeforeReset prints the version before kong asks for a command.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	printVersion()
	app.Exit(0)
	return nil
}

// A buildVersion is the version in the binary's build information.
type buildVersion struct {
	version string // the module's, or "development"
	commit  string // with "+" appended if files had been changed, "" if unknown
	date    string // of the commit
}

func readVersion() buildVersion {
	v := buildVersion{version: "development"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if m := info.Main.Version; m != "" && m != "(devel)" {
		v.version = m
	}
	dirty := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.commit = s.Value
		case "vcs.time":
			v.date = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+"
			}
		}
	}
	if v.commit != "" {
		v.commit += dirty
	}
	return v
}

// versionText returns the version for reports.
func versionText() string { return readVersion().version }

func printVersion() {
	v := readVersion()
	parts := []string{"purecl " + v.version}
	if v.commit != "" {
		parts = append(parts, strings.TrimSpace("commit "+v.commit+" "+v.date))
	}
	parts = append(parts, fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH))
	fmt.Fprintln(os.Stdout, strings.Join(parts, ", "))
}

func (versionCmd) Run() error {
	printVersion()
	return nil
}

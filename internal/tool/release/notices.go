package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A module is a dependency with code in a release.
type module struct{ path, version, dir string }

// released are the packages of a release's binaries.
var released = []string{"./cmd/purecl", "./icd", "./gpu"}

// modules returns the dependencies of all platforms, sorted by path.
func modules(root string) ([]module, error) {
	found := map[string]module{}
	for _, t := range targets {
		args := append([]string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"}, released...)
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED=1")
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s/%s: %w", t.os, t.arch, err)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
				found[f[0]] = module{f[0], f[1], f[2]}
			}
		}
	}
	var list []module
	for _, m := range found {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

// licenceFiles are the licence files of modules that have others than one LICENSE: they offer a choice, or have one
// for their data.
var licenceFiles = map[string][]string{
	"codeberg.org/go-fonts/liberation": {"LICENSE", "LICENSE-SIL"},
	"github.com/golang/freetype":       {"licenses/ftl.txt"},
}

// licence returns the text of a module's licence and its SPDX identifier.
func (m module) licence() (text, id string, err error) {
	files := licenceFiles[m.path]
	if files == nil {
		for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING"} {
			if _, err := os.Stat(filepath.Join(m.dir, name)); err == nil {
				files = []string{name}
				break
			}
		}
	}
	if files == nil {
		return "", "", fmt.Errorf("%s has no licence file", m.path)
	}
	var texts, ids []string
	for _, name := range files {
		b, err := os.ReadFile(filepath.Join(m.dir, name))
		if err != nil {
			return "", "", fmt.Errorf("%s: %w", m.path, err)
		}
		t := strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n"))
		id, err := spdx(t)
		if err != nil {
			return "", "", fmt.Errorf("%s: %s: %w", m.path, name, err)
		}
		texts, ids = append(texts, t), append(ids, id)
	}
	return strings.Join(texts, "\n\n"), strings.Join(ids, " AND "), nil
}

// spdx identifies a licence by its text.
func spdx(text string) (string, error) {
	words := strings.Join(strings.Fields(text), " ")
	switch {
	case strings.Contains(words, "Apache License Version 2.0"):
		return "Apache-2.0", nil
	case strings.Contains(words, "SIL OPEN FONT LICENSE Version 1.1"):
		return "OFL-1.1", nil
	case strings.Contains(words, "Permission is hereby granted, free of charge"):
		return "MIT", nil
	case strings.Contains(words, "Redistribution and use in source and binary forms") && strings.Contains(words, "Neither the name"):
		return "BSD-3-Clause", nil
	case strings.Contains(words, "Creative Commons Attribution 4.0 International Public License"):
		return "CC-BY-4.0", nil
	case strings.Contains(words, "The FreeType Project LICENSE"):
		return "FTL", nil
	}
	return "", fmt.Errorf("the licence is none that is known here; read it, and add it to spdx")
}

// notices returns the text of THIRD_PARTY.md.
func notices(root string) (string, error) {
	list, err := modules(root)
	if err != nil {
		return "", err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	list = append(list, module{path: "Go's standard library and runtime", dir: strings.TrimSpace(string(goroot))})
	var b strings.Builder
	b.WriteString("# Third-party notices\n\n" +
		"PureCL is under the Apache License 2.0 (LICENSE). Its binaries hold code of the modules below, each under its own licence.\n" +
		"`go generate ./internal/tool/release` writes this file. The playground's page, which the command line holds, has code of npm packages too: its\n" +
		"file licences.txt has their licences.\n\n" +
		"Data and pictures: `examples/scene.png` is rendered by `examples/scene.cl` of this repository. Data in `testdata` folders was made by\n" +
		"this project's programs or written for it.\n\n| module | version | licence |\n|---|---|---|\n")
	var texts strings.Builder
	for _, m := range list {
		text, id, err := m.licence()
		if err != nil {
			return "", err
		}
		version := m.version
		if version == "" {
			version = "of the build"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.path, version, id)
		fmt.Fprintf(&texts, "\n## %s\n\n```\n%s\n```\n", m.path, text)
	}
	return b.String() + texts.String(), nil
}

func writeNotices(root string) error {
	text, err := notices(root)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "THIRD_PARTY.md"), []byte(text), 0o644)
}

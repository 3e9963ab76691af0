//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

const documentFile = "docs/clients.md"

const introduction = `# Programs that run on libpurecl.so

<!-- Written by make clients (go run ./clients -record) from clients/table.go and clients/results.json. -->

Real, unmodified programs from Debian 12, each with the driver as the only one that the OpenCL loader finds. ` + "`make clients`" + ` runs them all and
installs the Debian packages that are missing; ` + "`make check`" + ` runs the quick ones whose packages are there, ` + "`make check-long`" + ` all of them.
[clients/doc.go](../clients/doc.go) describes the command.

| program | version | what is compared | passed | skipped | fail as explained | processor s | PoCL: passed, failed | PoCL: processor s | part of |
|---|---|---|---|---|---|---|---|---|---|
`

const times = `
Each program counts its own tests. It skips a test if the device lacks a feature that the test needs. Times are processor times of whole programs on a busy
machine with two cores. They include the start, the program's own work, and the compilation of kernels without a cache, so that only large
differences between the drivers mean something. PoCL is Debian's 3.1.
`

// document renders docs/clients.md.
func document(table []program, results map[string]result) []byte {
	var b bytes.Buffer
	b.WriteString(introduction)
	for _, p := range table {
		r, ok := results[p.name]
		if !ok {
			fmt.Fprintf(&b, "| %s | | %s | not run | | | | | | %s |\n", p.name, p.compares, code(p.target()))
			continue
		}
		result := strconv.Itoa(r.Passed)
		if n := total(r.Failed); n > 0 {
			result += fmt.Sprintf(", **%d failed**", n)
		}
		ours, ref := r.Sides[0], r.Sides[1]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", p.name, upstream(r.Version), p.compares, result,
			count(r.SkippedTests), count(total(r.Explained)), seconds(ours.CPU), pair(ref), seconds(ref.CPU), code(p.target()))
	}
	b.WriteString(times)
	for _, p := range table {
		r := results[p.name]
		if len(p.known) == 0 && len(r.Failed) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", p.name)
		for _, k := range p.known {
			fmt.Fprintf(&b, "- %s: %s\n", strings.Join(quoted(r.Explained, k), ", "), k.reason)
		}
		for _, f := range r.Failed {
			fmt.Fprintf(&b, "- **wrong**: %s: %s\n", code(f.Test), f.Detail)
		}
	}
	return b.Bytes()
}

// quoted returns the tests that failed for a known reason, or its pattern if none did.
func quoted(failures []failure, k known) []string {
	var names []string
	for _, f := range failures {
		if k.tests.MatchString(f.Test) {
			names = append(names, code(f.Test))
		}
	}
	if len(names) == 0 {
		return []string{code(strings.TrimSuffix(strings.TrimPrefix(k.tests.String(), "^(?:"), ")$"))}
	}
	return names
}

func code(s string) string { return "`" + strings.ReplaceAll(s, "|", `\|`) + "`" }

// upstream returns a Debian version without the epoch and Debian's revision.
func upstream(version string) string {
	if _, rest, ok := strings.Cut(version, ":"); ok {
		version = rest
	}
	version, _, _ = strings.Cut(version, "+")
	version, _, _ = strings.Cut(version, "-")
	return version
}

// seconds formats a time with two digits: more would be noise.
func seconds(s float64) string {
	if s <= 0 {
		return ""
	}
	digits := math.Pow(10, math.Floor(math.Log10(s))-1)
	return strconv.FormatFloat(math.Round(s/digits)*digits, 'g', 6, 64)
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func pair(s side) string {
	if s.Wall == 0 {
		return ""
	}
	return fmt.Sprintf("%d, %d", s.Passed, s.Failed)
}

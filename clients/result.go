//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// result is the result of a program's run.
type result struct {
	Name    string
	Version string
	Date    string
	Skipped string `json:"-"` // why it did not run

	Passed, SkippedTests int
	Explained            []failure `json:",omitempty"` // failures that the row explains
	Failed               []failure `json:",omitempty"`
	Sides                [2]side   // libpurecl.so, the reference

	program program
}

// failure is one failed test, or several with the same detail.
type failure struct {
	Test   string
	Count  int    `json:",omitempty"`
	Detail string `json:",omitempty"`
}

// side has the measurements of one driver. The reference's also has its test results.
type side struct {
	Wall, CPU      float64 // seconds
	Passed, Failed int     `json:",omitempty"`
}

func (s *side) count(outcomes []outcome) {
	for _, o := range outcomes {
		switch o.status {
		case passed:
			s.Passed += o.n()
		case failed:
			s.Failed += o.n()
		}
	}
}

// take counts outcomes, and separates explained failures from others.
func (r *result) take(outcomes []outcome, known []known) {
	for _, o := range outcomes {
		switch o.status {
		case passed:
			r.Passed += o.n()
		case skipped:
			r.SkippedTests += o.n()
		case failed:
			f := failure{Test: o.test, Count: o.n(), Detail: firstLine(o.detail)}
			if explains(known, o.test) {
				r.Explained = append(r.Explained, f)
			} else {
				r.Failed = append(r.Failed, f)
			}
		}
	}
}

func explains(known []known, test string) bool {
	for _, k := range known {
		if k.tests.MatchString(test) {
			return true
		}
	}
	return false
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// ok reports whether a test passed and all failures are explained.
func (r result) ok() bool { return r.Passed > 0 && len(r.Failed) == 0 }

func total(failures []failure) int {
	n := 0
	for _, f := range failures {
		n += f.Count
	}
	return n
}

// text returns the command's output about a program.
func (r result) text() string {
	var b strings.Builder
	if r.Skipped != "" {
		fmt.Fprintf(&b, "%-16s skipped: %s\n", r.Name, r.Skipped)
		return b.String()
	}
	word := "ok    "
	if !r.ok() {
		word = "FAILED"
	}
	fmt.Fprintf(&b, "%-16s %s %d passed, %d failed, %d failed as explained, %d skipped; %.1f s, processor %.1f s", r.Name, word,
		r.Passed, total(r.Failed), total(r.Explained), r.SkippedTests, r.Sides[0].Wall, r.Sides[0].CPU)
	if ref := r.Sides[1]; ref.Wall > 0 {
		fmt.Fprintf(&b, "; PoCL: %d passed, %d failed; %.1f s, processor %.1f s", ref.Passed, ref.Failed, ref.Wall, ref.CPU)
	}
	b.WriteByte('\n')
	for i, f := range r.Failed {
		if i == 20 {
			fmt.Fprintf(&b, "    … and %d more\n", len(r.Failed)-i)
			break
		}
		fmt.Fprintf(&b, "    %s (%d): %s\n", f.Test, f.Count, f.Detail)
	}
	for _, k := range r.program.known {
		stale := true
		for _, f := range r.Explained {
			stale = stale && !k.tests.MatchString(f.Test)
		}
		if stale {
			fmt.Fprintf(&b, "    passes now, though the table explains a failure: %s\n", k.tests)
		}
	}
	return b.String()
}

const resultsFile = "clients/results.json"

// readResults reads the recorded results, by program name.
func readResults(file string) (map[string]result, error) {
	results := map[string]result{}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return results, nil
	}
	if err != nil {
		return nil, err
	}
	var list []result
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, r := range list {
		results[r.Name] = r
	}
	return results, nil
}

// record adds results to the recorded ones and writes the document.
func record(more ...result) error {
	results, err := readResults(resultsFile)
	if err != nil {
		return err
	}
	for _, r := range more {
		results[r.Name] = r
	}
	list := []result{}
	for _, p := range table() {
		if r, ok := results[p.name]; ok {
			list = append(list, r)
		}
	}
	text, err := json.MarshalIndent(list, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(resultsFile, append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.WriteFile(documentFile, document(table(), results), 0o666)
}

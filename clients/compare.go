//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// fileRule describes how files that a program wrote on both drivers are compared.
type fileRule struct {
	glob string // pattern of the files' names in the working directory
	// within are files whose bytes may differ, by name without extension: the standard does not define the rounding
	// of their kernels.
	within map[string]within
}

// within allows bytes to differ by at most most, in at most a fraction share of all bytes.
type within struct {
	most  int
	share float64
}

// compare compares the files of two directories. Each file is a test.
func (f fileRule) compare(dir, reference string) ([]outcome, error) {
	files, err := filepath.Glob(filepath.Join(reference, f.glob))
	if err != nil {
		return nil, err
	}
	var outcomes []outcome
	for _, file := range files {
		base := filepath.Base(file)
		name := strings.TrimSuffix(base, filepath.Ext(base))
		want, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		o := outcome{test: name}
		got, err := os.ReadFile(filepath.Join(dir, base))
		if err != nil {
			o.status, o.detail = failed, err.Error()
		} else if detail := f.within[name].differ(got, want); detail != "" {
			o.status, o.detail = failed, detail
		}
		outcomes = append(outcomes, o)
	}
	if len(files) == 0 {
		return []outcome{{test: "files", status: failed, detail: fmt.Sprintf("the reference driver wrote no file %s", f.glob)}}, nil
	}
	return outcomes, nil
}

// differ describes a difference between two files that is not allowed, "" if there is none.
func (w within) differ(got, want []byte) string {
	switch {
	case len(want) == 0:
		return "the reference's file is empty"
	case bytes.Equal(got, want):
		return ""
	case len(got) != len(want):
		return fmt.Sprintf("%d bytes, the reference has %d", len(got), len(want))
	}
	different, most, first := 0, 0, -1
	for i := range got {
		if d := int(got[i]) - int(want[i]); d != 0 {
			if first < 0 {
				first = i
			}
			different++
			most = max(most, d, -d)
		}
	}
	share := float64(different) / float64(len(got))
	if most <= w.most && share <= w.share {
		return ""
	}
	return fmt.Sprintf("%d of %d bytes differ, the first at %d, by at most %d; allowed: %g of them, by %d", different, len(got), first, most, w.share, w.most)
}

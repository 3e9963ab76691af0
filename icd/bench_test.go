//go:build linux

package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestBenchmarkRows runs rows of the benchmark with this driver as the other OpenCL library. The rows use buffers
// and images in the host's memory and arguments of all kinds. The benchmark compares the results with those of the
// Go API.
func TestBenchmarkRows(t *testing.T) {
	driver := filepath.Join(t.TempDir(), "driver")
	on(t, nil, "go", "build", "-o", driver, "../bench/driver")
	out := on(t, nil, "go", "run", "../bench/compare", "-run", "/(saxpy|image_rgba8|lookup_uchar|matmul_tiled)$", "-opencl", "libOpenCL.so.1", "-driver", driver,
		"-time", "1ms", "-first", "1", "-scaling=false", "-json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d rows, want 4:\n%s", len(lines), out)
	}
	for _, line := range lines {
		var r struct {
			Row, Error, OtherError string
			Other, OtherFirst      int64
			Limit                  float64
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if r.Error != "" || r.OtherError != "" || r.Other <= 0 || r.OtherFirst <= 0 || r.Limit <= 0 {
			t.Errorf("%s: error %q, the driver's error %q, times %d and %d ns, limit %g", r.Row, r.Error, r.OtherError, r.Other, r.OtherFirst, r.Limit)
		}
	}
}

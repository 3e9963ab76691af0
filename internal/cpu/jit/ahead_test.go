//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"testing"

	"github.com/purecl/purecl/internal/run/launch"
)

const aheadKernels = `
kernel void gather(global int *out, global const int *table, global const int *index) { size_t i = get_global_id(0); out[i] = table[index[i]]; }
kernel void scatter(global int *out, global int *table, global const int *index) { size_t i = get_global_id(0); table[index[i] & 0x7fffff] = i; out[i] = i; }
kernel void strided(global int *out, global const int *table, global const int *index) { size_t i = get_global_id(0); out[i] = table[i * 5] + index[i]; }
`

// TestAhead checks which launches have prefetches, and their results. No later gang follows the last one: its indices would be
// beyond the buffer.
func TestAhead(t *testing.T) {
	const items = farItems
	m := build(t, aheadKernels)
	for _, lv := range levels() {
		for _, test := range []struct {
			name  string
			bytes int
			want  bool
		}{{"gather", farFrom, true}, {"scatter", farFrom, true}, {"gather", farFrom - 4, false}, {"strided", farFrom, false}} {
			exec := &watched{Executor: New(Options{Panics: true, Level: lv})}
			k := kernelOf(t, m, exec, test.name)
			out, table, index := make([]byte, 4*items), make([]byte, test.bytes), make([]byte, 4*items)
			n := test.bytes / 4
			for i := range n {
				binary.LittleEndian.PutUint32(table[4*i:], uint32(i))
			}
			for i := range items {
				binary.LittleEndian.PutUint32(index[4*i:], uint32(i*7919%n))
			}
			binary.LittleEndian.PutUint32(index[4*items-4:], uint32(n-1))
			args := []launch.Arg{launch.Memory(&launch.Buffer{Data: out}), launch.Memory(&launch.Buffer{Data: table}), launch.Memory(&launch.Buffer{Data: index})}
			for range farTrials + 1 {
				clear(out)
				if _, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{items}, NonUniform: true}, Workers: 2}); err != nil {
					t.Fatal(err)
				}
				for i := 0; i < items && test.name == "gather"; i++ {
					if got, want := binary.LittleEndian.Uint32(out[4*i:]), binary.LittleEndian.Uint32(index[4*i:]); got != want {
						t.Fatalf("%s: out[%d] = %d, want %d", lv.Name, i, got, want)
					}
				}
			}
			key := exec.code.base.memoryKey()
			key.ahead = true
			if got := exec.code.variants[key] != nil; got != test.want {
				t.Errorf("%s: %+v: a variant with prefetches: %t", lv.Name, test, got)
			}
		}
	}
}

// TestRecent checks the least of the last two times.
func TestRecent(t *testing.T) {
	var r recent
	for _, step := range []struct {
		ns   float64
		want float32
	}{{3, 0}, {2, 2}, {5, 2}, {4, 4}, {8, 4}} {
		if r.add(step.ns); r.least() != step.want {
			t.Errorf("after %v: %v, want %v", step.ns, r.least(), step.want)
		}
	}
}

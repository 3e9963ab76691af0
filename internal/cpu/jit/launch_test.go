package jit_test

import (
	"bytes"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// kernelOf prepares kernel k of a module for an executor.
func kernelOf(t testing.TB, m *ssa.Module, e exec.Executor) *launch.Kernel {
	t.Helper()
	p, err := launch.NewProgram(m, e)
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// copied returns arguments that are copies of buffers, and the copies.
func copied(buffers ...[]byte) (args []launch.Arg, mem [][]byte) {
	for _, b := range buffers {
		b = bytes.Clone(b)
		mem = append(mem, b)
		args = append(args, launch.Memory(&launch.Buffer{Data: b}))
	}
	return args, mem
}

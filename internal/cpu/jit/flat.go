package jit

import (
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/run/exec"
)

// Launches without work-groups: if a kernel depends on work-groups only through ids, all groups have one size
// and ids begin at 0, gangs need not respect groups (package spmd, flat.go).

// A flatness records whether gangs may ignore work-groups of a size. exact means that the code depends on the
// size.
type flatness struct{ exact, ok bool }

// maxFlatSizes bounds the sizes for which the answer is cached.
const maxFlatSizes = 64

// flatFor reports whether a launch may ignore work-groups. If the code depends on their size, it returns the
// size, else zeros.
func (c *Code) flatFor(r *exec.NDRange) (ok bool, size [3]uint64) {
	if !c.Groups || c.Cooperates || c.Ordered || r == nil || !r.Uniform() || r.Offset != [3]uint64{} {
		return false, size
	}
	if f := c.flatness(size); f.ok && f.exact {
		return true, size
	}
	size = [3]uint64{1, 1, 1}
	copy(size[:r.Dims], r.Local[:r.Dims])
	f := c.flatness(size)
	return f.ok, size
}

func (c *Code) flatness(size [3]uint64) flatness {
	c.flatMu.Lock()
	defer c.flatMu.Unlock()
	f, known := c.flat[size]
	if !known {
		f.exact, f.ok = spmd.Flatten(c.f, size)
		if c.flat == nil {
			c.flat = map[[3]uint64]flatness{}
		}
		if len(c.flat) < maxFlatSizes {
			c.flat[size] = f
		}
	}
	return f
}

//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/codegen"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// streamFrom is how many bytes a launch writes whose stores go around the caches. With this
// many written, and as many read, code that counts on the caches was slower even where the
// next launch read what this one wrote (docs/decisions/0008).
const streamFrom = 16 << 20

// streaming returns the code for the launch if that writes more than the caches hold, which
// the first such launch makes; else c.
func (c *Code) streaming(env *exec.Env) *Code {
	if c.form.streams || !c.streams(env) {
		return c
	}
	c.streamsOnce.Do(func() {
		s := newCode(c.f, c.lv, c.lanes, form{large: c.form.large, streams: true, along: c.form.along})
		if s.local = c.local; s.compile(&env.Range) != nil {
			s = c
		}
		c.streamsCode = s
	})
	return c.streamsCode
}

// streams reports whether a launch writes so much to objects that it does not read.
func (c *Code) streams(env *exec.Env) bool {
	rg := &env.Range
	items := rg.Global[0] * rg.Global[1] * rg.Global[2]
	if uint64(c.full.StreamBytes)*items < streamFrom {
		return false
	}
	span := func(r codegen.Root) (from, to uintptr) {
		if r.Param < 0 || len(env.Params[r.Param]) != 1 {
			return 0, 0
		}
		n := env.Params[r.Param][0] >> ssa.ObjectShift
		if n >= uint64(len(env.Objects)) || len(env.Objects[n].Data) == 0 {
			return 0, 0
		}
		from = address(env.Objects[n].Data)
		return from, from + uintptr(len(env.Objects[n].Data))
	}
	for _, n := range c.full.Streams {
		from, to := span(c.full.Roots[n])
		for i, r := range c.full.Roots {
			if a, b := span(r); i != n && !slices.Contains(c.full.Streams, i) && a < to && from < b {
				return false
			}
		}
	}
	return true
}

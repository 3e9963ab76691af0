package jit

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/run/exec"
)

// Variants beyond the first one are made when launches ask for them: at once where the launch
// cannot run otherwise or gains much, in the background where others serve meanwhile.
const (
	tailorItems = 1 << 16 // work-items launched without a variant that suits them before one is made
	maxTailored = 12      // variants of a kernel made in the background
)

// choose returns the variant for a launch that v, which has lanes along the right dimension, may
// not be made for. An error is the reason why machine code cannot run the launch.
func (c *Code) choose(v *variant, env *exec.Env) (*variant, error) {
	rg := &env.Range
	if v.err == nil && !v.key.large && slices.ContainsFunc(env.Objects, func(o exec.Object) bool { return len(o.Data) >= x86.MaxObject }) {
		key := v.key
		key.large, key.local = true, [3]uint64{}
		v = c.variant(key, rg)
	}
	if v.err == nil && !v.fits(rg) {
		key := v.key
		key.local = [3]uint64{}
		v = c.variant(key, rg)
	}
	if v.err != nil {
		return nil, v.err
	}
	return v.tailored(rg).streaming(env), nil
}

// tailored returns the variant for the launch's work-groups if there is one, else v: first one
// for exactly their size, then one with gangs of the width that suits them.
func (v *variant) tailored(rg *exec.NDRange) *variant {
	c := v.c
	if !v.grouped() || v.key.lanes != 0 || v.local[0] != 0 {
		return v
	}
	key := v.key
	if v.Groups && rg.Uniform() {
		key.local = rg.Local
		if s := c.background(key, rg); s != nil && s.local == rg.Local {
			return s
		}
		key.local = [3]uint64{}
	}
	w := v.widthFor(rg.Local[0])
	if w == (width{v.key.level, v.lanes}) {
		return v
	}
	key.level, key.lanes = w.lv, w.lanes
	if s := c.background(key, rg); s != nil {
		return s
	}
	return v
}

// streamFrom is how many bytes a launch writes whose stores go around the caches. With this
// many written, and as many read, code that counts on the caches was slower even where the
// next launch read what this one wrote (docs/decisions/0008).
const streamFrom = 16 << 20

// streaming returns the variant with non-temporal stores if the launch writes more than the
// caches hold; else v.
func (v *variant) streaming(env *exec.Env) *variant {
	if v.key.streams || !v.streams(env) {
		return v
	}
	if s := v.c.variant(v.streamsKey(), &env.Range); s.err == nil {
		return s
	}
	return v
}

// streamsKey is the key of v's variant with non-temporal stores.
func (v *variant) streamsKey() variantKey {
	key := v.key
	key.lanes, key.local, key.streams = v.lanes, v.local, true
	return key
}

// streams reports whether a launch writes so much to objects that it does not read.
func (v *variant) streams(env *exec.Env) bool {
	rg := &env.Range
	items := rg.Global[0] * rg.Global[1] * rg.Global[2]
	if uint64(v.StreamBytes)*items < streamFrom {
		return false
	}
	for _, n := range v.Streams {
		from, to := span(env, v.Roots[n])
		for i, r := range v.Roots {
			if a, b := span(env, r); i != n && !slices.Contains(v.Streams, i) && a < to && from < b {
				return false
			}
		}
	}
	return true
}

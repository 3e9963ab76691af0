package jit

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/run/exec"
)

// Further variants are made on demand: at once if the launch cannot run otherwise or gains much, otherwise in
// the background.
const (
	backgroundItems = 1 << 16 // work-items launched without a suitable variant before one is made in the background
	maxBackground   = 12      // limit of variants made in the background for a kernel
)

// choose returns the variant for a launch with that many workers; v is the variant with the right form. An error is the
// reason why machine code cannot run the launch.
func (c *Code) choose(v *variant, env *exec.Env, workers int) (*variant, error) {
	rg := &env.Range
	if v.err == nil && v.aligned && !aligned(rg) {
		return c.forOffsets(v, env, workers)
	}
	if v.err == nil && !v.key.large && slices.ContainsFunc(env.Objects, func(o exec.Object) bool { return len(o.Data) >= x86.MaxObject }) {
		key := v.key.forAllSizes()
		key.large = true
		v = c.variant(key, rg)
	}
	if v.err == nil && !v.fits(rg) {
		v = c.variant(v.key.forAllSizes(), rg)
	}
	if v.err == nil && c.o.Unfold && v.local[0] != 0 {
		key := v.key
		key.steps = c.stepsOf(env)
		v = c.variant(key, rg)
	}
	for v.err == nil && !v.holds(env) {
		key := v.key
		key.checks = v.more()
		v = c.variant(key, rg)
	}
	if v.err != nil {
		return nil, v.err
	}
	if v = v.forGroups(env).spread(rg, workers).forRows(rg).narrow(env).forMemory(env); v.aligned && !aligned(rg) {
		return c.forOffsets(v, env, workers)
	}
	return v, nil
}

// forOffsets chooses among the variants for all offsets.
func (c *Code) forOffsets(v *variant, env *exec.Env, workers int) (*variant, error) {
	key := v.key.forAllSizes()
	key.offsets, key.lanes, key.streams, key.ahead = true, c.o.Lanes, c.o.Streams, c.o.Ahead
	return c.choose(c.variant(key, &env.Range), env, workers)
}

// aligned reports whether the offset is a multiple of the size of work-groups.
func aligned(rg *exec.NDRange) bool {
	for d := range rg.Dims {
		if rg.Offset[d]%max(rg.Local[d], 1) != 0 {
			return false
		}
	}
	return true
}

// forGroups returns the best existing variant for the launch's work-groups: one for exactly their size, else one
// with gangs of a suitable width, else v. It starts to make the missing ones in the background.
func (v *variant) forGroups(env *exec.Env) *variant {
	c, rg := v.c, &env.Range
	if !v.grouped() || v.key.lanes != 0 || v.local[0] != 0 {
		return v
	}
	key := v.key
	if v.Groups && rg.Uniform() {
		key.local, key.steps = rg.Local, c.knownSteps(env)
		s := c.background(key, items(rg))
		for s != nil && !s.holds(env) {
			key.checks = s.more()
			s = c.background(key, items(rg))
		}
		if s != nil && s.local == rg.Local {
			return s
		}
		key = v.key
	}
	w := v.widthFor(rg.Local[0])
	if w == (width{v.key.level, v.lanes}) {
		return v
	}
	key.level, key.lanes = w.lv, w.lanes
	if s := c.background(key, items(rg)); s != nil {
		return s
	}
	return v
}

// streamFrom is the number of bytes written by a launch from which non-temporal stores pay. For a launch that
// writes and reads that much, cached stores were slower even if the next launch reads its results
// (docs/decisions/0008).
const streamFrom = 16 << 20

// forMemory returns the variant for the memory that the launch accesses: with non-temporal stores if it writes more than
// the caches hold, and with prefetches if these make it faster.
func (v *variant) forMemory(env *exec.Env) *variant {
	key := v.memoryKey()
	key.streams = v.key.streams || v.streams(env)
	key.ahead = v.key.ahead || v.gathersFar(env) && v.aheadPays(key)
	if key.streams == v.key.streams && key.ahead == v.key.ahead {
		return v
	}
	if s := v.c.variant(key, &env.Range); s.err == nil {
		return s
	}
	return v
}

// memoryKey returns the key of v's variants that forMemory chooses from.
func (v *variant) memoryKey() variantKey {
	key := v.key
	key.lanes, key.local = v.lanes, v.local
	return key
}

// gathersFar reports whether a launch accesses a large object at offsets from memory.
func (v *variant) gathersFar(env *exec.Env) bool {
	return items(&env.Range) >= farItems && slices.ContainsFunc(v.Far, func(root int) bool {
		from, to := span(env, &v.Roots[root])
		return to-from >= farFrom
	})
}

// Prefetches pay if elements are not in the caches. That depends on the offsets, so that the launches' times decide.
const (
	farFrom   = 32 << 20 // bytes of an object from which prefetches may pay
	farItems  = 1 << 16  // work-items of a launch, likewise
	farTrials = 4        // launches that have and do not have prefetches in turn
	farAgain  = 64       // launches after which the slower code is tried again
)

// aheadPays reports whether a launch is to have prefetches. key selects the variant without prefetches.
func (v *variant) aheadPays(key variantKey) bool {
	n := v.farBegun.Add(1)
	if n <= farTrials {
		return n%2 == 1
	}
	plain := v.c.made(key)
	key.ahead = true
	with := v.c.made(key)
	if plain == nil || with == nil {
		return with != nil
	}
	return (with.recent.least() <= plain.recent.least()) == (n%farAgain != 0)
}

// streams reports whether a launch writes at least streamFrom bytes to objects that it does not read.
func (v *variant) streams(env *exec.Env) bool {
	rg := &env.Range
	items := rg.Global[0] * rg.Global[1] * rg.Global[2]
	if uint64(v.StreamBytes)*items < streamFrom {
		return false
	}
	for _, n := range v.Streams {
		from, to := span(env, &v.Roots[n])
		for i := range v.Roots {
			if a, b := span(env, &v.Roots[i]); i != n && !slices.Contains(v.Streams, i) && a < to && from < b {
				return false
			}
		}
	}
	return true
}

package jit

import (
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/run/exec"
)

// Launches with fewer gangs than workers, or with few gangs in a row. Long gangs are the fastest code on one worker, but a launch of 144 work-items
// in gangs of 32 occupies only 5 workers. If such launches take long, the kernel gets a variant with shorter gangs, or
// with scalar code.

const (
	spreadTime = 100_000 // nanoseconds of a launch from which a further variant pays
	spreadGain = 0.8     // the greatest ratio of the expected time with shorter gangs to the present time
)

// spread returns the variant for a launch with that many workers: v, or one with shorter gangs that occupies more of them.
// It starts to make that variant in the background.
func (v *variant) spread(rg *exec.NDRange, workers int) *variant {
	c := v.c
	if workers < 2 || v.lanes == 1 || v.key.lanes != 0 || v.grouped() || gangsOf(rg, v.lanes) >= 2*uint64(workers) {
		return v
	}
	pace := v.pace()
	now := shareOf(rg, workers, v.lanes, pace)
	if now < spreadTime || c.SubGroups || c.Ordered || c.Prints || c.counts() {
		return v
	}
	best, least, bestKey := v, now, v.key
	try := func(lanes int, pace float64) {
		key := v.key
		key.lanes = lanes
		limit := least
		s := c.made(key)
		if s != nil && s.pace() > 0 {
			pace = s.pace()
		} else {
			limit = min(limit, spreadGain*now)
		}
		if ns := shareOf(rg, workers, lanes, pace); ns < limit {
			best, least, bestKey = s, ns, key
		}
	}
	for n := v.lanes / 2; n >= v.key.level.Lanes; n /= 2 {
		try(n, pace*float64(v.lanes+n)/float64(2*n)) // lanes wait for the slowest one, and registers are not all of the cost
	}
	try(1, pace*c.scalarCost())
	if best == nil {
		best = c.background(bestKey, backgroundItems)
	}
	if best == nil {
		return v
	}
	return best
}

// gangsOf returns the number of gangs of a launch without work-groups.
func gangsOf(rg *exec.NDRange, lanes int) uint64 {
	n := uint64(lanes)
	return (rg.Global[0] + n - 1) / n * rg.Global[1] * rg.Global[2]
}

// shareOf returns the nanoseconds of the worker with the most gangs, if one worker needs pace nanoseconds for a work-item.
func shareOf(rg *exec.NDRange, workers, lanes int, pace float64) float64 {
	each := (gangsOf(rg, lanes) + uint64(workers) - 1) / uint64(workers)
	return pace * float64(lanes) * float64(each)
}

// made returns the variant of a key if it has code, else nil.
func (c *Code) made(key variantKey) *variant {
	c.mu.Lock()
	v := c.variants[key]
	c.mu.Unlock()
	return v.ifMade()
}

// scalarCost returns the expected ratio of the time of scalar code to that of gangs, +Inf if the kernel cannot be scalar code
// or has no loops that work-items leave at different times.
func (c *Code) scalarCost() float64 {
	c.scalar.once.Do(func() { c.scalar.cost = spmd.ScalarCost(c.f, c.slowGathers()) })
	return c.scalar.cost
}

// rowGain is the greatest ratio of the expected cost of rows with shorter gangs to the present cost.
const rowGain = 0.9

// forRows returns the variant for rows that leave many lanes of a last gang idle: v, or one with shorter gangs. A row of 65
// work-items takes two gangs of 64 lanes, or three of 32. It starts to make that variant in the background.
func (v *variant) forRows(rg *exec.NDRange) *variant {
	c, lv := v.c, v.key.level
	if v.key.lanes != 0 || v.grouped() || v.lanes <= lv.Lanes || rg.Global[0]%uint64(v.lanes) == 0 || c.SubGroups || c.Ordered || c.Prints || c.counts() {
		return v
	}
	key, least := v.key, rowGain*width{lv, v.lanes}.cost(rg.Global[0], lv)
	for n := v.lanes / 2; n >= lv.Lanes; n /= 2 {
		if x := (width{lv, n}).cost(rg.Global[0], lv); x < least {
			key.lanes, least = n, x
		}
	}
	if key.lanes == 0 {
		return v
	}
	if s := c.background(key, items(rg)); s != nil {
		return s
	}
	return v
}

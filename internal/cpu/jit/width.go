//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"github.com/purecl/purecl/internal/cpu/codegen"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A width is a form that a gang may have.
type width struct {
	lv    *codegen.Level
	lanes int
}

// cost estimates the time that gangs of this width take for a row of a work-group: each
// has work of its own, as at barriers, and some for each register of its lanes. Lanes
// without work-items cost what the others do, and masks.
func (w width) cost(row uint64, best *codegen.Level) float64 {
	n := uint64(w.lanes)
	each := 1 + float64(w.lanes/w.lv.Lanes)
	c := float64(row/n) * each
	if row%n != 0 {
		c += 1.5 * each
	}
	if w.lv != best { // fewer registers, no mask registers
		c *= 1.3
	}
	return c
}

// widthFor returns the width of gangs for work-groups with rows of so many work-items.
func (c *Code) widthFor(row uint64) width {
	best := width{c.lv, c.lv.Lanes}
	try := func(w width) {
		if w.cost(row, c.lv) < best.cost(row, c.lv) {
			best = w
		}
	}
	for n := 2 * c.lv.Lanes; n <= c.most; n *= 2 {
		try(width{c.lv, n})
	}
	if c.lv != codegen.AVX2 {
		try(width{codegen.AVX2, codegen.AVX2.Lanes})
	}
	return best
}

// usualLanes returns how many lanes gangs have that are good for the first launch, where
// its range is known, and what may be expected where not. A large kernel, of so many
// values, begins with narrow gangs: code for them is made in a third of the time.
func (c *Code) usualLanes(first *exec.NDRange, values int) int {
	if values > largeKernel {
		return c.lv.Lanes
	}
	row := uint64(c.f.Kernel.ReqdGroupSize[0])
	if first != nil {
		row = first.Local[0]
	}
	if row == 0 {
		row = 256
		for _, b := range c.f.Blocks {
			for _, v := range b.Values {
				if v.Op == ssa.OpWorkItem && v.Args[0].IsConst() && v.Args[0].ConstElem(0) > 0 {
					row = 16 // groups of two dimensions are square as a rule
				}
			}
		}
	}
	if w := c.widthFor(row); w.lv == c.lv {
		return w.lanes
	}
	return c.lv.Lanes
}

const largeKernel = 100

// longLanes returns how many lanes gangs have of a kernel that may have long ones. Rows that
// are no multiple of them take the code for partial gangs, which has masks: then not.
func (c *Code) longLanes(p *spmd.Plan, first *exec.NDRange) int {
	n := codegen.LongLanes(p, c.lv, c.most)
	for first != nil && n > c.most && first.Global[0]%uint64(n) != 0 {
		n /= 2
	}
	return n
}

// worthIt is how many work-items have been launched with gangs of another width than
// suits them, when code for that is made.
const worthIt = 1 << 16

// A tailoring is what code may be made for beside that which a kernel began with: gangs of
// another width, or work-groups of a known size.
type tailoring struct {
	width
	local [3]uint64
}

// mostTailored is for how many tailorings code is made at most.
const mostTailored = 12

// A suit is the code for a tailoring, once made is closed.
type suit struct {
	made chan struct{}
	code *Code
}

// suited returns the code for a launch: c itself, or tailored. That is made while
// launches go on with c.
func (c *Code) suited(rg *exec.NDRange) *Code {
	if !c.groups || c.fixed || c.local[0] != 0 {
		return c
	}
	c.suitMu.Lock()
	defer c.suitMu.Unlock()
	if c.full.Groups && whole(rg) {
		if s := c.suit(tailoring{local: rg.Local}, rg); s != nil && s.local == rg.Local {
			return s
		}
	}
	w := c.widthFor(rg.Local[0])
	if w == (width{c.lv, c.lanes}) {
		return c
	}
	if s := c.suit(tailoring{width: w}, rg); s != nil {
		return s
	}
	return c
}

// suit returns the code for a tailoring, or nil where there is none, or none yet. Who calls it
// holds suitMu.
func (c *Code) suit(w tailoring, rg *exec.NDRange) *Code {
	s := c.suits[w]
	if s == nil {
		c.unsuited += rg.Global[0] * rg.Global[1] * rg.Global[2]
		if c.unsuited < worthIt || len(c.suits) >= mostTailored {
			return nil
		}
		if c.suits == nil {
			c.suits = map[tailoring]*suit{}
		}
		s = &suit{made: make(chan struct{})}
		c.suits[w] = s
		go func() {
			defer close(s.made)
			if code := c.tailored(w); code.compile(nil) == nil {
				s.code = code
			}
		}()
	}
	select {
	case <-s.made:
		return s.code
	default:
		return nil
	}
}

// tailored returns what is to be compiled.
func (c *Code) tailored(w tailoring) *Code {
	if w.local[0] == 0 {
		return newCode(c.f, w.lv, w.lanes, c.form)
	}
	t := newCode(c.f, c.lv, 0, c.form)
	t.local = w.local
	return t
}

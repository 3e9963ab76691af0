package jit

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/run/exec"
)

// Variants for known numbers of steps: if scalar arguments determine how often a loop around barriers runs, code for one
// size of work-groups has the steps one after the other (package spmd, steps.go).

const (
	maxStepParams = 4  // arguments
	maxSteps      = 16 // value of an argument
	maxStepsMade  = 2  // numbers of steps for which a kernel has such code
)

// stepParams returns the parameters that determine the numbers of steps.
func (c *Code) stepParams() []int {
	c.steps.once.Do(func() {
		if c.Barriers && c.unfolds() {
			c.steps.params = spmd.StepParams(c.f, maxStepParams)
		}
	})
	return c.steps.params
}

// stepsOf returns variantKey.steps for a launch.
func (c *Code) stepsOf(env *exec.Env) (steps [maxStepParams]uint8) {
	for i, n := range c.stepParams() {
		if k := env.Params[n][0]; k <= maxSteps {
			steps[i] = uint8(k) + 1
		}
	}
	return steps
}

// knownSteps returns variantKey.steps for a launch if it is among the first with known steps, else zeros.
func (c *Code) knownSteps(env *exec.Env) (steps [maxStepParams]uint8) {
	if steps = c.stepsOf(env); steps == [maxStepParams]uint8{} {
		return steps
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.Contains(c.steps.known, steps) {
		return steps
	}
	if len(c.steps.known) == maxStepsMade {
		return [maxStepParams]uint8{}
	}
	c.steps.known = append(c.steps.known, steps)
	return steps
}

// arguments returns the known arguments of the launches that a variant is for.
func (k *variantKey) arguments(c *Code) (list []spmd.Argument) {
	for i, n := range c.stepParams() {
		if k.steps[i] != 0 {
			list = append(list, spmd.Argument{Param: n, Bits: uint64(k.steps[i]) - 1})
		}
	}
	return list
}

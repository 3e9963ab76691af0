package regalloc

import (
	"slices"
	"testing"
)

// TestUndefined compares the result of undefined for random programs with the registers that are live at the entry.
func TestUndefined(t *testing.T) {
	var a Allocator
	programs, registers := 0, 0
	for seed := range uint64(500) {
		a.Reset(testFile(8))
		m := newProgram(&a, seed, 100)
		a.flow.surveyed, a.flow.steps = false, 0
		got := slices.Clone(a.undefined(m))
		l := &a.flow
		if !l.hasNestedLoops() {
			continue
		}
		programs++
		l.restart()
		var want []Reg
		for v := Reg(1); v < Reg(a.NumRegs()); v++ {
			if _, ok := l.liveOut(v, l.refsOf(v), 0); !ok {
				t.Fatal("too many steps")
			}
			if l.in[0] == v {
				want = append(want, v)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: undefined %v, want %v\n%v", seed, got, want, m)
		}
		registers += len(got)
	}
	if programs < 100 || registers < 100 {
		t.Errorf("%d programs with nested loops have %d undefined registers", programs, registers)
	}
}

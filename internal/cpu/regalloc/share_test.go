package regalloc

import (
	"slices"
	"testing"
)

// TestShareTemporaries: a value that loses its register in the middle of a block is reloaded once for uses far apart, where a register
// is free between them.
func TestShareTemporaries(t *testing.T) {
	const registers, uses = 4, 40
	var a Allocator
	a.Reset(testFile(registers))
	b := &testBlock{}
	m := &testMachine{a: &a, blocks: []*testBlock{b}}
	emit := func(i testInst) Reg {
		b.insts = append(b.insts, i)
		return i.d
	}
	constant := func(x int64) Reg { return emit(testInst{op: opConst, d: a.NewReg(0), imm: x}) }
	out := func(v Reg) { emit(testInst{op: opOut, a: v}) }
	v := constant(1)
	for k := range int64(uses) {
		out(v)
		for range 10 { // beyond the reach of a temporary
			out(constant(k))
		}
		if k == uses/2 { // short lives that occupy all registers
			var list []Reg
			for i := range int64(registers) {
				list = append(list, constant(i))
			}
			for range 3 {
				for _, x := range list {
					out(x)
				}
			}
		}
	}
	want := m.run(a.NumRegs(), func(r Reg) int { return int(r) }, mostOutput)
	if err := a.Allocate(m); err != nil {
		t.Fatal(err)
	}
	if err := a.Check(m); err != nil {
		t.Fatal(err)
	}
	if got := m.runAllocated(); !slices.Equal(got, want) {
		t.Errorf("output %v, want %v", got, want)
	}
	if n := m.count(opReload); n == 0 || n > 2 {
		t.Errorf("%d reloads of a value with %d uses before and after the place where no register is free\n%v", n, uses, m)
	}
}

// TestDeadSaves: a spilled value that a block changes several times is saved once.
func TestDeadSaves(t *testing.T) {
	const registers, changes = 4, 10
	var a Allocator
	a.Reset(testFile(registers))
	b := &testBlock{}
	m := &testMachine{a: &a, blocks: []*testBlock{b}}
	constant := func(x int64) Reg {
		v := a.NewReg(0)
		b.insts = append(b.insts, testInst{op: opConst, d: v, imm: x})
		return v
	}
	out := func(v Reg) { b.insts = append(b.insts, testInst{op: opOut, a: v}) }
	v := constant(1)
	for range changes {
		b.insts = append(b.insts, testInst{op: opInc, d: v, a: v})
	}
	for range 50 { // short lives that occupy all registers
		var list []Reg
		for i := range int64(registers) {
			list = append(list, constant(i))
		}
		for _, x := range append(list, list...) {
			out(x)
		}
	}
	out(v)
	if err := a.Allocate(m); err != nil {
		t.Fatal(err)
	}
	if err := a.Check(m); err != nil {
		t.Fatal(err)
	}
	if n := m.count(opSave); n != 1 {
		t.Errorf("%d saves of a value that is changed %d times before its use\n%v", n, changes, m)
	}
}

// count returns the number of instructions with an operation.
func (m *testMachine) count(op testOp) (n int) {
	for _, b := range m.blocks {
		for _, i := range b.insts {
			if i.op == op {
				n++
			}
		}
	}
	return n
}

package regalloc

import (
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/test/growth"
)

var rounds = flag.Int("rounds", 3000, "random programs of TestAllocate")

// testFile returns a register file with n registers of the first class and two of the second.
func testFile(n int) RegisterFile {
	first := make([]PReg, n)
	for i := range first {
		first[i] = PReg(i)
	}
	return RegisterFile{{Regs: first, Reach: 4}, {Regs: []PReg{60, 61}, Reach: 2}}
}

const mostOutput = 2000

// allocated makes a random program and allocates it. It also returns the output before allocation.
func allocated(t *testing.T, a *Allocator, seed uint64, registers, size int) (*testMachine, []int64) {
	t.Helper()
	a.Reset(testFile(registers))
	m := newProgram(a, seed, size)
	want := m.run(a.NumRegs(), func(r Reg) int { return int(r) }, mostOutput)
	if err := a.Allocate(m); err != nil {
		t.Fatalf("seed %d, %d registers: %v", seed, registers, err)
	}
	return m, want
}

func (m *testMachine) runAllocated() []int64 {
	return m.run(MaxPRegs, func(r Reg) int { return int(m.a.PReg(r)) }, mostOutput)
}

// checkProgram allocates a program and compares its outputs before and after.
func checkProgram(t *testing.T, a *Allocator, seed uint64, registers, size int) *testMachine {
	t.Helper()
	m, want := allocated(t, a, seed, registers, size)
	if got := m.runAllocated(); !slices.Equal(got, want) {
		t.Fatalf("seed %d, %d registers, %d instructions: output %v, want %v\n%v", seed, registers, size, got, want, m)
	}
	if err := a.Check(m); err != nil {
		t.Fatalf("seed %d, %d registers, %d instructions: %v\n%v", seed, registers, size, err, m)
	}
	return m
}

// TestAllocate runs random programs before and after allocation.
func TestAllocate(t *testing.T) {
	var a Allocator
	var saves, folds, remats, implicit, splits, cooled, shared int
	for seed := range uint64(*rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := checkProgram(t, &a, seed, 7+r.IntN(12), 5+r.IntN(120))
		splits += m.splits
		cooled += m.cooled
		if len(a.joined.renamed) > 0 {
			shared++
		}
		for _, b := range m.blocks {
			for _, i := range b.insts {
				switch {
				case i.remat:
					remats++
				case i.folded:
					folds++
				case i.op == opSave:
					saves++
				case i.op == opImplicit:
					implicit++
				}
			}
		}
	}
	t.Logf("%d saves, %d slots as operands, %d values computed again, %d implicit definitions, %d splits, %d saves in cold blocks, %d programs with joined temporaries", saves, folds, remats, implicit, splits, cooled, shared)
	if least := *rounds / 10; saves < least || folds < least || remats < least || implicit < least/10 || splits < least/10 || cooled < least/10 || shared < least/10 {
		t.Error("the random programs hardly use one of the forms")
	}
}

// TestCheck breaks allocations and requires an error from Check whenever the program's output changes.
func TestCheck(t *testing.T) {
	var a Allocator
	wrong, found := 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		m, want := allocated(t, &a, seed, 7+r.IntN(4), 20+r.IntN(80))
		b := m.blocks[r.IntN(len(m.blocks))]
		if len(b.insts) == 0 {
			continue
		}
		k := r.IntN(len(b.insts))
		switch i := &b.insts[k]; {
		case i.op == opSave || i.op == opReload && !i.remat:
			if r.IntN(2) == 0 {
				b.insts = slices.Delete(b.insts, k, k+1)
			} else if m.slots > 1 {
				i.slot = 8 * r.Int32N(m.slots)
			}
		case i.folded && m.slots > 1:
			continue // Check does not know which register owns an operand's slot
		case i.d != 0 && a.regs[i.d].class == 0:
			a.pregs[i.d] = a.file[0].Regs[r.IntN(len(a.file[0].Regs))]
		default:
			continue
		}
		a.flow.surveyed = false
		err := a.Check(m)
		if err != nil {
			found++
		}
		if got := m.runAllocated(); !slices.Equal(got, want) {
			if wrong++; err == nil {
				t.Fatalf("seed %d: Check accepts a program that gives %v instead of %v\n%v", seed, got, want, m)
			}
		}
	}
	t.Logf("%d programs do something else, %d are rejected", wrong, found)
	if wrong < 100 {
		t.Errorf("only %d broken programs changed their output", wrong)
	}
}

// TestCheckGrowth requires that Check's time grows linearly with the number of spilled values.
func TestCheckGrowth(t *testing.T) {
	type program struct {
		a *Allocator
		m *testMachine
	}
	spill := func(n int) program {
		a := &Allocator{}
		a.Reset(testFile(8))
		b := &testBlock{}
		m := &testMachine{a: a, blocks: []*testBlock{b}}
		v := make([]Reg, n)
		v[0] = a.NewReg(0)
		b.insts = append(b.insts, testInst{op: opConst, d: v[0], imm: 5})
		for i := 1; i < n; i++ {
			v[i] = a.NewReg(0)
			b.insts = append(b.insts, testInst{op: opAdd, d: v[i], a: v[i-1], b: v[0]})
		}
		for _, x := range v {
			b.insts = append(b.insts, testInst{op: opOut, a: x})
		}
		if err := a.Allocate(m); err != nil {
			t.Fatal(err)
		}
		if m.slots < int32(n/2) {
			t.Fatalf("%d of %d values are spilled", m.slots, n)
		}
		return program{a, m}
	}
	growth.Linear(t, 1000, spill, func(p program) {
		if err := p.a.Check(p.m); err != nil {
			t.Error(err)
		}
	})
}

// TestPressure requires an error for an instruction with more operands than registers.
func TestPressure(t *testing.T) {
	var a Allocator
	a.Reset(testFile(1))
	m := &testMachine{a: &a, blocks: []*testBlock{{}}}
	x, y, z := a.NewReg(0), a.NewReg(0), a.NewReg(0)
	m.blocks[0].insts = []testInst{{op: opConst, d: x}, {op: opConst, d: y}, {op: opEarly, d: z, a: x, b: y}, {op: opOut, a: z}}
	if err := a.Allocate(m); !errors.Is(err, ErrPressure) {
		t.Errorf("Allocate gives %v, want ErrPressure", err)
	}
}

// FuzzAllocate is TestAllocate with the fuzzer's inputs.
func FuzzAllocate(f *testing.F) {
	f.Add(uint64(1), uint8(5), uint16(60))
	f.Fuzz(func(t *testing.T, seed uint64, registers uint8, size uint16) {
		var a Allocator
		checkProgram(t, &a, seed, 8+int(registers%40), 5+int(size%2000))
	})
}

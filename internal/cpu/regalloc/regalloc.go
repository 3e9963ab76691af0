package regalloc

import (
	"errors"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Reg is a register operand before allocation. 0 means none, a positive number is a virtual register, a
// negative one a fixed machine register, which the allocator ignores.
type Reg = int32

// A PReg is the number of a machine register, less than MaxPRegs.
type PReg uint8

// NoPReg means no machine register.
const NoPReg PReg = 0xFF

// MaxPRegs bounds the numbers of machine registers.
const MaxPRegs = 96

// A Class is an index into the machine's register file: a set of interchangeable machine registers.
type Class uint8

// A RegClass describes a class.
type RegClass struct {
	Regs []PReg // the allocatable registers, in order of preference
	// Reach is the number of instructions after a reload or a save in which other uses of the same spilled
	// register share its temporary. A long reach saves loads and adds register pressure.
	Reach int32
}

// A RegisterFile lists a machine's classes.
type RegisterFile []RegClass

// A Machine is machine code under allocation. Blocks are numbered in layout order, and instructions within
// their block.
type Machine interface {
	// Survey records all blocks and instructions, in order.
	Survey(s *Survey)
	// Layout fixes the order of blocks; it is called once, before the other methods.
	Layout()
	// Slot returns the offset of a new spill slot for a register of a class.
	Slot(k Class) int32
	// DefineImplicitly inserts pseudo-instructions at the start of a block that define registers without giving
	// them a value.
	DefineImplicitly(block int, regs []Reg)
	// DefineBefore inserts, before the jump at the end of a block or at the end, a definition of t: a reload from
	// a slot or, if slot is negative, a copy of v's definition, in which case t becomes rematerialisable.
	DefineBefore(block int, t, v Reg, slot int32)
	// SaveFirst inserts, at the start of a block, a store of v to a slot.
	SaveFirst(block int, v Reg, slot int32)
	// Rewrite calls r.Change for each instruction that r marks, and removes the instruction if Change returns
	// false.
	Rewrite(r *Rewriter)
}

// Errors of [Allocator.Allocate].
var (
	ErrPressure   = errors.New("needs too many registers")
	ErrTooComplex = errors.New("too many registers live across too many blocks")
)

// A register is the allocator's record of a virtual register.
type register struct {
	class   Class
	noSpill bool  // it lives for a single instruction
	remat   bool  // its definition can be repeated
	hint    Reg   // a register connected to it by a copy
	origin  Reg   // if it is a temporary or split: the register whose value it holds
	cooled  bool  // it has a home in cold blocks
	split   bool  // it holds another's value within a loop
	home    int32 // if split: that register's home
}

// An Allocator holds the virtual registers of one function and allocates them. Reset prepares it for the next
// function and reuses its memory.
type Allocator struct {
	file  RegisterFile
	regs  []register // by virtual register; index 0 unused
	pregs []PReg     // by virtual register: the result
	live  ranges     // of the allocated code
	// owners maps a spill slot to the register whose value it holds.
	owners map[int32]Reg
	// implicit lists, by block, the registers that DefineImplicitly has defined there. Check needs it, because a
	// register that is spilled loses this definition.
	implicit [][]Reg

	flow      liveness
	graph     ssa.Func    // control flow, see defineImplicitly
	dom       ssa.DomTree // of graph
	weights   []float64
	order     []Reg
	starts    []int32
	marks     []bool
	partial   partialMemory
	splits    [][]split // by block: of the rewriting in progress; empty if it has none
	near      []temporary
	homes     [2]homes
	conflicts []Reg
	joined    joinedMemory
	occupied  occupancy
}

// Reset discards the last function and begins one for a machine with these registers.
func (a *Allocator) Reset(file RegisterFile) {
	a.file = file
	a.regs = append(a.regs[:0], register{})
	a.pregs, a.joined.renamed = a.pregs[:0], a.joined.renamed[:0]
	clear(a.owners)
}

// NewReg returns a new virtual register.
func (a *Allocator) NewReg(k Class) Reg {
	a.regs = append(a.regs, register{class: k})
	return Reg(len(a.regs) - 1)
}

// NumRegs returns the bound of virtual register numbers: the highest number plus 1.
func (a *Allocator) NumRegs() int { return len(a.regs) }

// Class returns the class of a virtual register.
func (a *Allocator) Class(v Reg) Class { return a.regs[v].class }

// Hint records that a copy connects two registers. Only the first hint of a register counts.
func (a *Allocator) Hint(d, s Reg) {
	if d > 0 && a.regs[d].hint == 0 {
		a.regs[d].hint = s
	}
	if s > 0 && a.regs[s].hint == 0 {
		a.regs[s].hint = d
	}
}

// SetRemat marks v as rematerialisable: its only definition can be repeated at each use.
func (a *Allocator) SetRemat(v Reg) { a.regs[v].remat = true }

// PReg returns the machine register of v. It is NoPReg if v needs none or is not allocated yet.
func (a *Allocator) PReg(v Reg) PReg {
	if int(v) >= len(a.pregs) {
		return NoPReg
	}
	return a.pregs[v]
}

// maxRounds bounds the rounds of scanning and spilling. Values of 32 registers (long8 in gangs of 32 work-items) take some
// 18 rounds.
const maxRounds = 40

// Allocate gives every virtual register of m's code a machine register.
func (a *Allocator) Allocate(m Machine) error {
	a.flow.surveyed, a.flow.steps, a.implicit = false, 0, nil
	m.Layout()
	// Definitions that are inserted now need no further survey.
	defs, err := a.implicitDefs(m, a.undefined(m))
	if err != nil {
		return err
	}
	a.chooseRemat(m)
	a.insertImplicit(m, defs)
	a.flow.steps = 0
	rs, ok := a.rangesIfDefined(m)
	if !ok {
		if err := a.defineImplicitly(m); err != nil {
			return err
		}
	}
	for round := range maxRounds {
		if round > 0 || !ok {
			if rs, err = a.ranges(m); err != nil {
				return err
			}
		}
		spilled, cooled, ok := a.scan(rs)
		if !ok {
			return ErrPressure
		}
		if len(spilled) == 0 && len(cooled) == 0 {
			a.live, err = a.shareTemporaries(m, rs)
			return err
		}
		cold, failed := a.cool(cooled)
		spilled = append(spilled, failed...)
		a.spill(m, spilled, a.splitLoops(spilled, rs), cold)
	}
	return ErrPressure
}

// LiveAcross returns, by position, the virtual registers that are live across it; at is in ascending order.
func (a *Allocator) LiveAcross(at []int32) map[int32][]Reg {
	across := make(map[int32][]Reg, len(at))
	if len(at) == 0 {
		return across
	}
	for v := Reg(1); v < Reg(len(a.regs)); v++ {
		if a.pregs[v] == NoPReg {
			continue
		}
		for _, s := range a.live.of(v) {
			k := searchInt32(at, (s.from+1)/2)
			for ; k < len(at) && s.to > 2*at[k]+1; k++ {
				across[at[k]] = append(across[at[k]], v)
			}
		}
	}
	return across
}

// Position returns the position of an instruction in the allocated code.
func (a *Allocator) Position(block, inst int) int32 {
	return a.flow.blocks[block].first + int32(inst)
}

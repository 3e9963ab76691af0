package regalloc

import "slices"

// A kind is the way in which an instruction refers to a register.
type kind uint32

const (
	use      kind = iota
	earlyDef      // written before the sources are read
	def
	implicitDef // defined without a value: see Machine.DefineImplicitly
)

// A ref is a use or definition of a register: block, position and kind.
type ref uint64

func newRef(block, pos int32, k kind) ref { return ref(block)<<34 | ref(pos)<<2 | ref(k) }

func (r ref) block() int32 { return int32(r >> 34) }
func (r ref) pos() int32   { return int32(r >> 2) }
func (r ref) kind() kind   { return kind(r & 3) }

// A surveyedBlock is the allocator's record of a block.
type surveyedBlock struct {
	first, last int32 // positions: last is that after the last instruction
	firstSucc   int32 // index of its first successor in Survey.succs
	frequency   float64
	cold        bool
}

// A Survey collects which instructions refer to which registers. For each block the machine
// calls Block and then, for each instruction, Use and Def for its registers and Next.
type Survey struct {
	blocks []surveyedBlock
	succs  []int32
	named  []uint32 // register<<2 | kind, in order of the instructions
	arity  []uint8  // by position: number of references
	slots  []slotRef

	start int // index in named of the current instruction's first reference
}

// A slotRef is an instruction's reference to a spill slot.
type slotRef struct {
	pos  int32
	slot int32
	kind slotKind
}

type slotKind uint8

const (
	slotReload slotKind = iota // copies the slot to the register that the instruction defines
	slotSave                   // copies the register that the instruction uses to the slot
	slotUse                    // uses the slot as an operand
	slotRemat                  // recomputes a value; no slot
)

// reset begins a survey.
func (s *Survey) reset() {
	s.blocks, s.succs, s.named, s.arity, s.slots = s.blocks[:0], s.succs[:0], s.named[:0], s.arity[:0], s.slots[:0]
	s.start = 0
}

// Block begins the next block, with its loop depth and whether it is rarely executed.
func (s *Survey) Block(depth int, cold bool) {
	s.end()
	b := surveyedBlock{first: int32(len(s.arity)), firstSucc: int32(len(s.succs)), cold: cold, frequency: 0.01}
	if !cold {
		b.frequency = float64(int(1) << (3 * min(depth, 6)))
	}
	s.blocks = append(s.blocks, b)
}

// end ends the current block. One position follows its last instruction.
func (s *Survey) end() {
	if n := len(s.blocks) - 1; n >= 0 {
		s.blocks[n].last = int32(len(s.arity))
		s.arity = append(s.arity, 0)
	}
}

// Succ adds a successor of the current block, by its number.
func (s *Survey) Succ(block int) { s.succs = append(s.succs, int32(block)) }

// Use records that the current instruction reads a virtual register.
func (s *Survey) Use(v Reg) { s.add(v, use) }

// Def records that the current instruction writes a virtual register; early says that it does so before it has
// read all its sources.
func (s *Survey) Def(v Reg, early bool) {
	if early {
		s.add(v, earlyDef)
		return
	}
	s.add(v, def)
}

// ImplicitDef records that the current instruction defines a register without a value.
func (s *Survey) ImplicitDef(v Reg) { s.add(v, implicitDef) }

func (s *Survey) add(v Reg, k kind) { s.named = append(s.named, uint32(v)<<2|uint32(k)) }

// Reload records that the current instruction loads a spilled register from its slot, Save that it stores the
// register there, SlotUse that the slot is an operand, Remat that the instruction recomputes a value.
func (s *Survey) Reload(slot int32)  { s.slot(slot, slotReload) }
func (s *Survey) Save(slot int32)    { s.slot(slot, slotSave) }
func (s *Survey) SlotUse(slot int32) { s.slot(slot, slotUse) }
func (s *Survey) Remat()             { s.slot(0, slotRemat) }

func (s *Survey) slot(slot int32, k slotKind) {
	s.slots = append(s.slots, slotRef{int32(len(s.arity)), slot, k})
}

// Next ends the current instruction.
func (s *Survey) Next() {
	s.arity = append(s.arity, uint8(len(s.named)-s.start))
	s.start = len(s.named)
}

// succsOf returns a block's successors.
func (s *Survey) succsOf(b int) []int32 {
	end := len(s.succs)
	if b+1 < len(s.blocks) {
		end = int(s.blocks[b+1].firstSucc)
	}
	return s.succs[s.blocks[b].firstSucc:end]
}

// zeroed returns n zeros, in the memory of s if it is large enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

func searchInt32(list []int32, x int32) int {
	k, _ := slices.BinarySearch(list, x)
	return k
}

package x86

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/regalloc"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/front/diag"
)

// A Listing explains the code to people and debuggers. It is made if Options.Listing is set.
type Listing struct {
	Insts  []ListedInst // in order of their offsets
	Names  []Name       // in order of their offsets
	Parts  []Name       // entry, exit, the kernel ("kernel"), stubs, constants ("constants"), in order
	Before string       // the code before register allocation, one line per instruction
	After  string       // the code after register allocation

	f      *gang.Func
	params [][2]int
}

// A ListedInst is a machine instruction.
type ListedInst struct {
	Offset int
	Text   string // in Intel syntax; labels have their Name
	Note   string // the meaning of a memory operand, if known
	Pos    diag.Pos
	From   *gang.Block // the block that it is made for, nil in stubs, before the first and after the last
	Body   bool        // in the kernel, not in a stub
	Once   bool        // before the loop over gangs
	Cold   bool        // rarely executed
	Spill  bool        // reads or writes a spilled register
	Remat  bool        // rematerialises a value
	Block  int         // its block in layout order, -1 in a stub
	Stub   int         // the stub that it calls or jumps to, by index in Parts; 0: none
	Inst   asm.Inst
}

// A Name labels an offset: a block, a stub, a constant.
type Name struct {
	Offset int
	Name   string
}

// trace lists an instruction as the emitter encodes it.
func (e *emitter) trace(at int, i *asm.Inst) {
	n := ListedInst{Offset: at, Inst: *i, Block: -1}
	if e.block != nil {
		n.Body, n.From, n.Cold, n.Once = true, e.block.from, e.block.cold, e.block.once
		n.Block = e.block.order
	}
	if e.of != nil {
		if e.of.kind == kCall || e.of.kind == kGoto {
			n.Stub = firstStub + int(e.of.imm)
		}
		n.Pos, n.Spill, n.Remat = e.of.pos, e.of.fl&fSpill != 0, e.of.fl&fRemat != 0
	}
	e.listing.Insts = append(e.listing.Insts, n)
}

// firstStub is the index of the first stub in Listing.Parts.
const firstStub = 3

// list completes the listing after all labels are bound.
func (e *emitter) list() {
	ls := e.listing
	names := map[asm.Label]string{e.exit: "exit"}
	name := func(l asm.Label, format string, args ...any) {
		names[l] = fmt.Sprintf(format, args...)
		ls.Names = append(ls.Names, Name{e.a.Offset(l), names[l]})
	}
	ls.Names = append(ls.Names, Name{0, "entry"}, Name{e.a.Offset(e.exit), "exit"})
	ls.Parts = append(ls.Parts, ls.Names[0], ls.Names[1], Name{e.start, "kernel"})
	for _, b := range e.blocks {
		name(b.label, "b%d", b.id)
	}
	for k, s := range e.stubs {
		name(s.label, "%s.%d", stubCode[s.kind].name, k)
		ls.Parts = append(ls.Parts, ls.Names[len(ls.Names)-1])
	}
	constants := len(e.a.Code)
	for k := range e.data.bytes {
		constants = min(constants, e.a.Offset(asm.Label(k+1)))
		name(asm.Label(k+1), "const.%d", k)
	}
	ls.Parts = append(ls.Parts, Name{constants, "constants"})
	of := func(l asm.Label) string {
		if s, ok := names[l]; ok {
			return s
		}
		return fmt.Sprintf("%#x", e.a.Offset(l)) // inside a stub
	}
	for k := range ls.Insts {
		i := &ls.Insts[k]
		i.Text = i.Inst.Text(of)
		i.Note = e.operandNote(&i.Inst)
	}
}

// A slotName names a field of the context or of the gang's frame, by offset.
type slotName struct {
	off  int32
	name string
}

var ctxNames = []slotName{{CtxSP, "caller's rsp"}, {CtxBP, "caller's rbp"}, {CtxStop, "stop flag"}, {CtxStatus, "status"}, {CtxYield, "operation"}, {CtxResume, "resume"},
	{CtxFrame, "frame"}, {CtxFirst, "first frame"}, {CtxEnd, "frames' end"}, {CtxLive, "live gangs"}, {CtxIDEnd, "end of the row"}, {CtxObjects, "object table"}, {CtxNumObjects, "objects"},
	{CtxRecords, "next record"}, {CtxRecordsOf, "records"}, {CtxTime, "time"}, {CtxArrived, "barrier"}, {CtxStride, "frame size"}, {CtxQueries, "ids and sizes"},
	{CtxGroups, "groups left"}, {CtxGroupSize, "group size"}, {CtxLocal, "local memory"}, {CtxLocalWords, "its size"}, {CtxUnaligned, "lock"}, {CtxNoRecords, "rows"}, {CtxRowGroups, "groups left in the row"}, {CtxRowLength, "groups of a row"}, {CtxRowBack, "its ids"}, {CtxRowStep, "row step"}, {CtxPtrs, "lanes' pointers"}, {CtxArgs, "operands"}, {CtxVals, "lanes' values"}}

var frameNames = []slotName{{FrameResume, "resume"}, {FrameGlobal, "global id"}, {FrameLocal, "local id"}, {FrameLanes, "lanes"}, {FramePrivate, "private memory"}, {FrameArrived, "barrier"}, {FrameStart, "start"}, {frameSlots, "spill"}}

// operandNote describes a memory operand in the context or the frame.
func (e *emitter) operandNote(i *asm.Inst) string {
	if !i.HasMem || i.Mem.Index != asm.NoReg {
		return ""
	}
	var slots []slotName
	switch i.Mem.Base {
	case asm.R14:
		slots = frameNames
	case asm.R15:
		if i.Mem.Disp >= CtxRoots {
			return e.listing.rootNote(int(i.Mem.Disp))
		}
		slots = ctxNames
	}
	s := ""
	for _, x := range slots {
		if x.off <= i.Mem.Disp {
			s = x.name
		}
	}
	return s
}

// rootNote names a root or parameter in the context.
func (ls *Listing) rootNote(disp int) string {
	if k := (disp - CtxRoots) / RootSize; k < len(ls.f.Roots) {
		r := &ls.f.Roots[k]
		name := r.Name
		switch r.Kind {
		case gang.RootParam:
			name = ls.f.Params[r.Param].Name
		case gang.RootPrivate:
			name = "private array"
		}
		return map[int]string{RootPtr: "pointer ", RootBase: "address of ", RootLen: "size of ", RootWrites: "writable size of "}[(disp-CtxRoots)%RootSize] + name
	}
	for k, p := range ls.params {
		if disp >= p[0] && disp < p[0]+8*p[1] {
			return ls.f.Params[k].Name
		}
	}
	return ""
}

// dump lists the code before or after allocation, one line per instruction, with the offset of the slot of a
// spilled register.
func (c *code) dump() string {
	var s strings.Builder
	name := func(r reg) string {
		switch {
		case r < 0:
			return asm.Reg(-r - 1).String()
		case c.regs.PReg(r) != regalloc.NoPReg:
			return asm.Reg(c.regs.PReg(r)).String()
		}
		return fmt.Sprintf("%c%d", "gvk"[c.regs.Class(r)], r)
	}
	for _, b := range c.blocks {
		fmt.Fprintf(&s, "b%d: ; depth %d", b.id, b.depth)
		if b.cold {
			s.WriteString(" cold")
		}
		s.WriteByte('\n')
		for k := range b.insts {
			i := &b.insts[k]
			var ops []string
			operand := func(r reg) {
				if r != 0 {
					ops = append(ops, name(r))
				}
			}
			operand(i.reg)
			operand(i.v)
			switch {
			case i.m.on && i.m.label != 0:
				ops = append(ops, fmt.Sprintf("[const.%d]", i.m.label-1))
			case i.m.on:
				m := "["
				if i.m.base != 0 {
					m += name(i.m.base)
				}
				if i.m.index != 0 {
					m += fmt.Sprintf("+%s*%d", name(i.m.index), max(i.m.scale, 1))
				}
				ops = append(ops, fmt.Sprintf("%s%+d]", m, i.m.disp))
			default:
				operand(i.rm)
			}
			operand(i.immReg)
			if i.imm != 0 {
				ops = append(ops, fmt.Sprint(i.imm))
			}
			if i.mask != 0 {
				ops = append(ops, "{"+name(i.mask)+"}")
			}
			if b.target != nil && k == len(b.insts)-1 {
				ops = append(ops, fmt.Sprintf("b%d", b.target.id))
			}
			op := i.op.String()
			if i.kind > kJump {
				op = [...]string{kBarrier: "barrier", kCall: "stub", kYield: "yield", kGoto: "goto-stub", kLeave: "leave", kBack: "back", kBegin: "begin"}[i.kind]
			}
			fmt.Fprintf(&s, "\t%s %s\n", op, strings.Join(ops, ", "))
		}
		if b.next != nil && !closed(b) {
			fmt.Fprintf(&s, "\t-> b%d\n", b.next.id)
		}
	}
	return s.String()
}

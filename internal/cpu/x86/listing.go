package x86

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/regalloc"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Listing explains the code to people and debuggers. It is made if Options.Listing is set.
type Listing struct {
	Plan     *spmd.Plan
	Insts    []ListedInst // in order of their offsets
	Names    []Name       // in order of their offsets
	Parts    []Name       // entry, exit, the kernel ("kernel"), stubs, constants ("constants"), in order
	Accesses []ListedAccess
	Before   string // the code before register allocation, one line per instruction
	After    string // the code after register allocation

	roots  []Root
	params [][2]int
}

// A ListedInst is a machine instruction.
type ListedInst struct {
	Offset int
	Text   string // in Intel syntax; labels have their Name
	Note   string // the meaning of a memory operand, if known
	Pos    diag.Pos
	Loop   *ssa.Loop // the innermost of Plan.Loops around it, or nil
	Body   bool      // in the kernel, not in a stub
	Once   bool      // before the loop over gangs
	Cold   bool      // rarely executed
	Spill  bool      // reads or writes a spilled register
	Remat  bool      // rematerialises a value
	Block  int       // its block in layout order, -1 in a stub
	Stub   int       // the stub that it calls or jumps to, by index in Parts; 0: none
	Inst   asm.Inst
}

// A Name labels an offset: a block, a stub, a constant.
type Name struct {
	Offset int
	Name   string
}

// A Shape describes how the lanes of a gang access memory, for listings.
type Shape uint8

// The shapes.
const (
	Uniform     Shape = iota // one address for all
	Contiguous               // side by side, in order
	Strided                  // at equal distances
	Flipped                  // side by side, permuted by i ^ a uniform number
	Scattered                // at any addresses in one object: a gather or scatter
	LaneByLane               // one after the other, each with its own check
	InRegisters              // elements of a small table that is loaded once
	Again                    // no access: an earlier equal load has left the value in registers
	Runs                     // in runs with gaps, which a test detects; else scattered
	Rows                     // several elements side by side in each lane, which are transposed
	Pieces                   // pieces of several contiguous lanes
	NumShapes
)

// String returns the shape's name.
func (s Shape) String() string {
	return [...]string{"uniform", "contiguous", "strided", "flipped", "gather/scatter", "lane by lane", "a table in registers", "in registers already", "runs", "rows", "pieces"}[s]
}

// A ListedAccess describes the code of a memory access.
type ListedAccess struct {
	Value *ssa.Value
	Shape Shape
	Bytes int   // of one lane
	Step  int64 // bytes between neighbouring lanes, if constant
	Why   []Reason
	// Checked describes the place of the bounds check if it is not at the access.
	Checked string
}

// A Reason is a part of an explanation.
type Reason struct {
	Text string
	Pos  diag.Pos
}

// shapes maps patterns to shapes.
var shapes = [...]Shape{lanes.Pointers: LaneByLane, lanes.Broadcast: Uniform, lanes.Contiguous: Contiguous, lanes.Reversed: Strided, lanes.Permuted: Flipped,
	lanes.Strided: Strided, lanes.Records: Strided, lanes.Fields: Strided, lanes.Rows: Rows, lanes.Lookup: InRegisters, lanes.Gather: Scattered, lanes.Runs: Runs, lanes.Pieces: Pieces, lanes.Own: Contiguous, lanes.OwnGather: Scattered}

// accessSize returns the bytes that a lane reads or writes.
func accessSize(v *ssa.Value) int {
	switch v.Op {
	case ssa.OpStore, ssa.OpAtomicStore:
		return v.Args[1].Type.Size()
	case ssa.OpMemCopy, ssa.OpMemZero:
		return int(v.Aux)
	}
	return v.Type.Size()
}

// An explainer finds the reasons for the shapes of accesses.
type explainer struct {
	plan  *spmd.Plan
	facts *lanes.Facts
}

// why explains why an access is neither uniform nor contiguous.
func (x explainer) why(v *ssa.Value, a *lanes.Access, masked bool) (why []Reason) {
	say := func(at *ssa.Value, format string, args ...any) {
		r := Reason{Text: fmt.Sprintf(format, args...)}
		if at != nil {
			r.Pos = at.Pos
		}
		why = append(why, r)
	}
	switch v.Op {
	case ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
		say(nil, "atomic operations are done one work-item after the other")
		return why
	case ssa.OpMemCopy, ssa.OpMemZero:
		say(nil, "blocks of memory are moved one work-item after the other")
		return why
	}
	if a.Root == nil {
		p := a.Ptr
		for p.Op == ssa.OpPtrAdd || p.Op == ssa.OpPtrCast {
			p = p.Args[0]
		}
		switch p.Op {
		case ssa.OpAlloca:
			say(p, "private array %s: every work-item has its own", p.Sym.(*ssa.Alloca).Name)
		case ssa.OpLoad:
			say(p, "the object is not known: the pointer is loaded from memory")
		case ssa.OpPhi, ssa.OpSelect:
			say(p, "the object is not known: the pointer is one of several")
		case ssa.OpParam, ssa.OpGlobalAddr:
			say(p, "the constant part of the offset is too large")
		default:
			say(p, "the object is not known: the pointer comes from %v", p.Op)
		}
	}
	if a.Order != nil {
		say(a.Order.Of, "an exclusive or with a number that is the same for all changes the order of work-items")
		return why
	}
	for _, o := range a.Terms {
		if !x.plan.Varying[o.ID] || x.facts.Of(o).Exact() {
			continue
		}
		if f := x.facts.Of(o); f.Shape == lanes.Affine && f.Order == nil {
			say(o, "a part of the offset is narrower than a pointer and may wrap")
			continue
		}
		c, text := x.uneven(o)
		say(c, "the offset of neighbouring work-items has no constant step: %s", text)
	}
	size := int64(accessSize(v))
	switch {
	case !a.Regular():
	case a.Stride == 0:
		say(v, "one address for all, but not one value")
	case a.Stride != size:
		say(nil, "neighbouring work-items are %d bytes apart, each takes %d", a.Stride, size)
	case masked:
		say(nil, "not all work-items get here, and there is no masked instruction for this size")
	}
	if len(why) == 0 {
		t := v.Type
		if v.Op == ssa.OpStore {
			t = v.Args[1].Type
		}
		say(nil, "there is no code for %v side by side", t)
	}
	return why
}

// uneven finds the operation that makes a value lose its constant step between lanes.
func (x explainer) uneven(v *ssa.Value) (*ssa.Value, string) {
	seen := map[*ssa.Value]bool{}
	for {
		seen[v] = true
		switch v.Op {
		case ssa.OpLoad:
			return v, "it is loaded from memory"
		case ssa.OpPhi:
			return v, "it depends on the path that a work-item has taken"
		case ssa.OpAtomicLoad, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
			return v, "it is the result of an atomic operation"
		}
		var next *ssa.Value
		for _, a := range v.Args {
			if x.plan.Varying[a.ID] && (x.facts.Of(a).Shape != lanes.Affine || x.facts.Of(a).Order != nil) && !seen[a] {
				next = a
			}
		}
		if next == nil {
			return v, fmt.Sprintf("it goes through %v", v.Op)
		}
		v = next
	}
}

// Diverges explains why lanes may diverge at the end of block b.
func (ls *Listing) Diverges(b *ssa.Block) []Reason {
	if !ls.Plan.Split[b.ID] {
		return nil
	}
	why := []Reason{{"work-items may take different paths here", b.Term().Pos}}
	// The list begins with the nearest cause that is sufficient by itself.
	seen := map[*ssa.Value]bool{}
	for work := []*ssa.Value{b.Term().Args[0]}; len(work) > 0; work = work[1:] {
		v, text := work[0], ""
		switch v.Op {
		case ssa.OpWorkItem:
			text = "get_" + ssa.QueryNames[v.Aux]
		case ssa.OpLoad:
			text = "a value loaded from memory"
		case ssa.OpAtomicLoad, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
			text = "the result of an atomic operation"
		}
		if text != "" {
			return append(why, Reason{"the condition depends on " + text, v.Pos})
		}
		for _, a := range v.Args {
			if ls.Plan.Varying[a.ID] && !seen[a] {
				seen[a] = true
				work = append(work, a)
			}
		}
	}
	return append(why, Reason{"the condition depends on the paths that work-items have taken before", 0})
}

// A LoopNote summarises a loop's machine code, without inner loops.
type LoopNote struct {
	Loop                       *ssa.Loop // nil: code outside of loops
	Once                       int       // instructions before the loop over gangs
	Insts                      int       // hot instructions
	Cold                       int       // cold instructions
	Spills                     int       // reads and writes of spilled registers
	Remats                     int
	General, Vectors, MaskRegs int // registers in use
	Accesses                   []*ListedAccess
	Diverge                    [][]Reason // divergent branches
}

// Loops summarises the code outside of loops and then every loop, outer loops first.
func (ls *Listing) Loops() []*LoopNote {
	notes := map[*ssa.Loop]*LoopNote{nil: {}}
	list := []*LoopNote{notes[nil]}
	for i := len(ls.Plan.Loops.All) - 1; i >= 0; i-- {
		x := ls.Plan.Loops.All[i]
		notes[x] = &LoopNote{Loop: x}
		list = append(list, notes[x])
	}
	used := map[*ssa.Loop]map[asm.Reg]bool{}
	for k := range ls.Insts {
		i := &ls.Insts[k]
		n := notes[i.Loop]
		switch {
		case !i.Body:
			continue
		case i.Cold:
			n.Cold++
			continue
		case i.Once:
			n.Once++
			continue
		}
		n.Insts++
		if i.Spill {
			n.Spills++
		}
		if i.Remat {
			n.Remats++
		}
		if used[i.Loop] == nil {
			used[i.Loop] = map[asm.Reg]bool{}
		}
		i.Inst.Regs(func(r asm.Reg) { used[i.Loop][r] = true })
	}
	for x, regs := range used {
		n := notes[x]
		for r := range regs {
			switch {
			case r.IsVec():
				n.Vectors++
			case r.IsMask():
				n.MaskRegs++
			default:
				n.General++
			}
		}
	}
	for k := range ls.Accesses {
		a := &ls.Accesses[k]
		n := notes[ls.Plan.Loops.Of(a.Value.Block)]
		n.Accesses = append(n.Accesses, a)
	}
	for _, b := range ls.Plan.Order {
		if why := ls.Diverges(b); why != nil {
			n := notes[ls.Plan.Loops.Of(b)]
			n.Diverge = append(n.Diverge, why)
		}
	}
	return list
}

// trace lists an instruction as the emitter encodes it.
func (e *emitter) trace(at int, i *asm.Inst) {
	n := ListedInst{Offset: at, Inst: *i, Block: -1}
	if e.block != nil {
		n.Body, n.Loop, n.Cold, n.Once = true, e.block.loop, e.block.cold, e.block.once
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
		name(s.label, "%v.%d", s.kind, k)
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

// stubNames are the names of stubs in listings.
var stubNames = [...]string{
	sNextGang: "next-gang", sGangDone: "gang-done", sRecord: "record", sPoll: "poll", sInside: "inside", sSpread: "spread",
	sLoad: "load", sStore: "store", sRMW: "rmw", sPut: "put", sAtomic: "atomic", sChain: "chain", sBins: "bins",
	sRow: "next-row", sLeave: "leave",
}

// String returns the stub's name.
func (k stubKind) String() string { return stubNames[k] }

// A slotName names a field of the context or of the gang's frame, by offset.
type slotName struct {
	off  int32
	name string
}

var ctxNames = []slotName{{CtxSP, "caller's rsp"}, {CtxBP, "caller's rbp"}, {CtxStop, "stop flag"}, {CtxStatus, "status"}, {CtxYield, "operation"}, {CtxResume, "resume"},
	{CtxFrame, "frame"}, {CtxFirst, "first frame"}, {CtxEnd, "frames' end"}, {CtxLive, "live gangs"}, {CtxIDEnd, "end of the row"}, {CtxObjects, "object table"}, {CtxNumObjects, "objects"},
	{CtxRecords, "next record"}, {CtxRecordsOf, "records"}, {CtxTime, "time"}, {CtxArrived, "barrier"}, {CtxStride, "frame size"}, {CtxQueries, "ids and sizes"},
	{CtxGroups, "groups left"}, {CtxGroupSize, "group size"}, {CtxLocal, "local memory"}, {CtxLocalWords, "its size"}, {CtxUnaligned, "lock"}, {CtxNoRecords, "rows"}, {CtxPtrs, "lanes' pointers"}, {CtxArgs, "operands"}, {CtxVals, "lanes' values"}}

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
	f := ls.Plan.F
	if k := (disp - CtxRoots) / RootSize; k < len(ls.roots) {
		r := ls.roots[k]
		name := ""
		switch {
		case r.Param >= 0:
			name = paramName(f, r.Param)
		case r.Global != nil:
			name = r.Global.Name
		default:
			name = "private array"
		}
		return map[int]string{RootPtr: "pointer ", RootBase: "address of ", RootLen: "size of ", RootWrites: "writable size of "}[(disp-CtxRoots)%RootSize] + name
	}
	for k, p := range ls.params {
		if disp >= p[0] && disp < p[0]+8*p[1] {
			return paramName(f, k)
		}
	}
	return ""
}

func paramName(f *ssa.Func, k int) string {
	if f.Kernel != nil && k < len(f.Kernel.Args) {
		return f.Kernel.Args[k].Name
	}
	return fmt.Sprintf("parameter %d", k)
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
			if i.reg != 0 {
				ops = append(ops, name(i.reg))
			}
			if i.v != 0 {
				ops = append(ops, name(i.v))
			}
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
			case i.rm != 0:
				ops = append(ops, name(i.rm))
			}
			if i.immReg != 0 {
				ops = append(ops, name(i.immReg))
			}
			if i.imm != 0 {
				ops = append(ops, fmt.Sprint(i.imm))
			}
			if i.mask != 0 {
				ops = append(ops, "{"+name(i.mask)+"}")
			}
			if i.target != nil {
				ops = append(ops, fmt.Sprintf("b%d", i.target.id))
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

// Gathers returns the accesses all of whose versions gather, scatter or run lane by lane, and the number of all
// accesses; versions of an access count once.
func (x *Listing) Gathers() (list []*ListedAccess, of int) {
	at := map[*ssa.Value]int{}
	var all []*ListedAccess
	for i := range x.Accesses {
		a := &x.Accesses[i]
		v := x.Plan.Origin(a.Value)
		switch k, seen := at[v]; {
		case !seen:
			at[v] = len(all)
			all = append(all, a)
		case all[k].gathers() && !a.gathers():
			all[k] = a
		}
	}
	for _, a := range all {
		if a.gathers() {
			list = append(list, a)
		}
	}
	return list, len(all)
}

func (a *ListedAccess) gathers() bool { return a.Shape == Scattered || a.Shape == LaneByLane }

package interp

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
	"github.com/purecl/purecl/internal/run/exec"
)

// A reg is the number of a register of a function; -1 is none.
type reg = int32

const noReg reg = -1

// A regInfo describes a register.
type regInfo struct {
	size    uint8
	uniform bool
	fixed   bool  // keeps its column for the whole function: a parameter or result
	pin     int32 // index in compiler.pins, or -1
	bcast   reg   // of a uniform register: the column with copies of its value, or -1
	live    bool  // set by eliminate
	at      int32
	home    int32 // of a phi: its block's index
}

// A build is a block under construction.
type build struct {
	insts []*inst
	term  block // insts and succs unused
	edges []buildEdge
	index int32
	last  int32 // of an SSA block's first block: its last block, including latches after it
}

// A buildEdge is an edge under construction.
type buildEdge struct {
	to    *build
	moves []move
}

// A move sets a phi on an edge.
type move struct{ dst, src reg }

// A lowerer turns one function into flat form.
type lowerer struct {
	c        *compiler
	f        *ssa.Func
	fn       *fn
	isKernel bool
	flow     *uniform.Analysis
	regs     []regInfo
	comps    [][]reg // by value ID: a register for each element
	taints   [][]reg // by value ID: registers that mark lanes with an undefined value; nil if there can be none
	poison   []bool  // by value ID: may hold undefined elements
	blocks   []*build
	start    []*build // by block ID
	latch    map[*ssa.Loop]*build
	cur      *build
	guards   []*inst
	slab     []reg
	ispool   []inst
	calls    []*ssa.Func
	columns  int32 // bytes of columns for each lane
	deadDst  map[reg]bool
}

func (l *lowerer) checks() exec.Checks { return l.c.p.Checks }

func (l *lowerer) lower() {
	f := l.f
	l.flow = analyse(f, l.isKernel, l.c.p)
	l.fn.irreducible = l.flow.Loops.Irreducible
	l.comps = make([][]reg, f.NumValues())
	l.taints = make([][]reg, f.NumValues())
	if l.checks() >= exec.ChecksMemory {
		l.findPoison()
	}
	l.layout()
	l.declare()
	for _, b := range l.flow.Order {
		l.cur = l.start[b.ID]
		for _, v := range b.Values {
			l.value(v)
		}
	}
}

// layout creates the blocks in scheduling order. A loop gets a latch after it if it has several back edges, if a
// back edge comes from an inner loop, or if lanes may return to it from an inner loop.
func (l *lowerer) layout() {
	l.start = make([]*build, l.f.NumBlocks())
	l.latch = map[*ssa.Loop]*build{}
	last := map[*ssa.Block][]*ssa.Loop{} // loops by the last of their blocks, inner ones first
	for _, x := range l.flow.Loops.All {
		end := x.Header
		for _, b := range x.Blocks {
			if l.flow.Pos[b.ID] > l.flow.Pos[end.ID] {
				end = b
			}
		}
		if len(x.Latches) > 1 || x.Latches[0] != end || l.flow.Loops.Of(end) != x {
			last[end] = append(last[end], x)
		}
	}
	for _, b := range l.flow.Order {
		l.start[b.ID] = l.newBuild()
		for _, v := range b.Values {
			if v.Op == ssa.OpBarrier {
				l.newBuild()
			}
		}
		for _, x := range last[b] {
			k := l.newBuild()
			k.term.term = termLatch
			k.term.pos = x.Header.Values[0].Pos
			k.edges = []buildEdge{{to: l.start[x.Header.ID]}}
			l.latch[x] = k
		}
		l.start[b.ID].last = int32(len(l.blocks)) - 1
	}
}

func (l *lowerer) newBuild() *build {
	b := &build{index: int32(len(l.blocks))}
	l.blocks = append(l.blocks, b)
	return b
}

// declare creates the registers of parameters, results and phis.
func (l *lowerer) declare() {
	f := l.f
	for _, p := range f.Params {
		regs := l.list(int(p.Type.N))
		size := elemSize(p.Type)
		var cells []int32
		for i := range regs {
			if l.isKernel {
				pin := l.c.newPin(size)
				l.c.pins[pin].useCell = true
				cells = append(cells, pin)
				regs[i] = l.pinned(pin, true)
			} else {
				regs[i] = l.newReg(size, false)
				l.regs[regs[i]].fixed = true
				l.fn.params = append(l.fn.params, regs[i])
				l.fn.paramSizes = append(l.fn.paramSizes, size)
			}
		}
		if l.isKernel {
			l.c.params = append(l.c.params, cells)
		}
		l.comps[p.ID] = regs
	}
	if !l.isKernel && f.Result.K != ssa.Void {
		l.fn.resultSize = elemSize(f.Result)
		for range f.Result.N {
			r := l.newReg(elemSize(f.Result), false)
			l.regs[r].fixed = true
			l.fn.results = append(l.fn.results, r)
		}
	}
	for _, b := range l.flow.Order {
		for _, v := range b.Values {
			if v.Op != ssa.OpPhi {
				break
			}
			u := !l.flow.Varying[v.ID]
			l.comps[v.ID] = l.fresh(v.Type, u)
			if l.mayPoison(v) {
				l.taints[v.ID] = l.fresh(ssa.Vec(ssa.Bool, int(v.Type.N)), u)
			}
			for _, r := range l.comps[v.ID] {
				l.regs[r].home = l.start[b.ID].index
			}
			for _, r := range l.taints[v.ID] {
				l.regs[r].home = l.start[b.ID].index
			}
		}
	}
}

func elemSize(t ssa.Type) uint8 { return uint8(t.K.Num().Size()) }

func (l *lowerer) newReg(size uint8, uniform bool) reg {
	l.regs = append(l.regs, regInfo{size: size, uniform: uniform, pin: -1, bcast: noReg, at: -1})
	return reg(len(l.regs) - 1)
}

// pinned returns the register of a pin's cell or column.
func (l *lowerer) pinned(pin int32, uniform bool) reg {
	q := &l.c.pins[pin]
	r := l.newReg(q.size, uniform)
	l.regs[r].pin = pin
	if uniform {
		q.useCell = true
	} else {
		q.useCol = true
	}
	return r
}

func (l *lowerer) constReg(bits uint64, size uint8) reg {
	return l.pinned(l.c.constant(bits, size), true)
}

// list allocates n register numbers from a slab.
func (l *lowerer) list(n int) []reg {
	if len(l.slab) < n {
		l.slab = make([]reg, 1024)
	}
	s := l.slab[:n:n]
	l.slab = l.slab[n:]
	return s
}

// fresh returns new registers for a value of type t.
func (l *lowerer) fresh(t ssa.Type, uniform bool) []reg {
	regs := l.list(int(t.N))
	size := elemSize(t)
	for i := range regs {
		regs[i] = l.newReg(size, uniform)
	}
	return regs
}

// vary returns the column form of r.
func (l *lowerer) vary(r reg) reg {
	info := &l.regs[r]
	if !info.uniform {
		return r
	}
	if info.bcast == noReg {
		var b reg
		if info.pin >= 0 {
			b = l.pinned(info.pin, false)
		} else {
			b = l.newReg(info.size, false)
		}
		l.regs[r].bcast = b
	}
	return l.regs[r].bcast
}

// form returns r in the form that a uniform or a varying instruction reads.
func (l *lowerer) form(r reg, uniform bool) reg {
	if uniform || r == noReg {
		return r
	}
	return l.vary(r)
}

// share gives v the registers of other values (some may be noReg). A varying value must not use a cell that may
// have changed since.
func (l *lowerer) share(v *ssa.Value, regs []reg) []reg {
	if regs == nil || !l.flow.Varying[v.ID] {
		return regs
	}
	out := l.list(len(regs))
	for i, r := range regs {
		if r != noReg && l.regs[r].uniform && l.regs[r].pin < 0 {
			r = l.vary(r)
		}
		out[i] = r
	}
	return out
}

func (l *lowerer) newInst(v *ssa.Value, run kernel, uniform bool) *inst {
	if len(l.ispool) == 0 {
		l.ispool = make([]inst, 128)
	}
	in := &l.ispool[0]
	l.ispool = l.ispool[1:]
	l.c.insts++
	if l.c.insts > maxInsts {
		l.c.fail(l.f, v.Pos, "is too large")
	}
	*in = inst{run: run, uniform: uniform, d: noReg, a: noReg, b: noReg, c: noReg, pos: v.Pos, id: l.c.insts}
	return in
}

// emit appends an instruction with the guards collected for it.
func (l *lowerer) emit(in *inst) *inst {
	if len(l.guards) > 0 {
		in.guards = append([]*inst(nil), l.guards...)
		l.guards = l.guards[:0]
	}
	l.cur.insts = append(l.cur.insts, in)
	return in
}

// op emits a kernel with up to three operands and one result.
func (l *lowerer) op(v *ssa.Value, run kernel, uniform bool, size uint8, args ...reg) reg {
	d := l.newReg(size, uniform)
	l.opTo(v, run, uniform, d, args...)
	return d
}

func (l *lowerer) opTo(v *ssa.Value, run kernel, uniform bool, d reg, args ...reg) *inst {
	in := l.newInst(v, run, uniform)
	in.d = d
	in.setOperands(l, uniform, args)
	return l.emit(in)
}

// setOperands sets the registers a, b and c.
func (in *inst) setOperands(l *lowerer, uniform bool, args []reg) {
	for i, a := range args {
		a = l.form(a, uniform)
		switch i {
		case 0:
			in.a = a
		case 1:
			in.b = a
		case 2:
			in.c = a
		}
	}
}

// guard adds a check that runs before the next emitted instruction, and is removed with it.
func (l *lowerer) guard(v *ssa.Value, run kernel, uniform bool, args ...reg) *inst {
	in := l.newInst(v, run, uniform)
	in.setOperands(l, uniform, args)
	l.guards = append(l.guards, in)
	return in
}

// value lowers one value.
func (l *lowerer) value(v *ssa.Value) {
	uniform := !l.flow.Varying[v.ID]
	switch v.Op {
	case ssa.OpParam, ssa.OpPhi:
	case ssa.OpConst:
		regs := l.list(int(v.Type.N))
		for i := range regs {
			regs[i] = l.constReg(v.ConstElem(i), elemSize(v.Type))
		}
		l.comps[v.ID] = regs
	case ssa.OpUndef:
		zero, one := l.constReg(0, elemSize(v.Type)), noReg
		l.comps[v.ID] = repeat(l.list(int(v.Type.N)), zero)
		if l.mayPoison(v) {
			one = l.constReg(1, 1)
			l.taints[v.ID] = repeat(l.list(int(v.Type.N)), one)
		}
	case ssa.OpAlloca:
		n := l.c.alloca(l.f, v.Sym.(*ssa.Alloca), v.Pos)
		l.comps[v.ID] = []reg{l.pinned(l.c.address(n), true)}
		in := l.newInst(v, kAlloca, false)
		in.effect, in.imm = true, uint64(n)
		in.pos = 0 // it is at the function's entry, not at the declaration
		l.emit(in)
	case ssa.OpGlobalAddr:
		l.comps[v.ID] = []reg{l.pinned(l.c.address(v.Sym.(*ssa.Global)), true)}
	case ssa.OpWorkItem:
		l.workItem(v, uniform)
	case ssa.OpAny:
		l.anyElement(v, uniform)
	case ssa.OpBarrier:
		l.cur.term = block{term: termBarrier, pos: v.Pos, fence: v.Aux}
		next := l.blocks[l.cur.index+1]
		l.cur.edges = []buildEdge{{to: next}}
		l.cur = next
	case ssa.OpFence:
		// A batch's lanes run in lockstep and atomics are sequentially consistent: only the race observer needs the
		// fence.
		if l.checks() >= exec.ChecksAll {
			in := l.newInst(v, kFence, false)
			in.effect, in.imm = true, uint64(v.Aux)
			l.emit(in)
		}
	case ssa.OpCall:
		l.call(v)
	case ssa.OpPrintf:
		l.printf(v)
	case ssa.OpSubGroupExchange, ssa.OpSubGroupBallot, ssa.OpSubGroupBarrier:
		l.subGroup(v)
	case ssa.OpAsyncEvent, ssa.OpAsyncCopy, ssa.OpAsyncWait, ssa.OpAsyncLimit, ssa.OpFenceFlags:
		l.async(v)
	case ssa.OpImageQuery, ssa.OpImageRead, ssa.OpImageSample, ssa.OpImageWrite:
		l.image(v, uniform)
	case ssa.OpJump, ssa.OpBranch, ssa.OpSwitch, ssa.OpReturn, ssa.OpUnreachable:
		l.terminator(v)
	default:
		if !l.rearrange(v) && !l.memory(v, uniform) {
			l.elementwise(v, uniform)
		}
	}
}

func repeat(regs []reg, r reg) []reg {
	for i := range regs {
		regs[i] = r
	}
	return regs
}

func (l *lowerer) workItem(v *ssa.Value, uniform bool) {
	q := ssa.WorkItemQuery(v.Aux)
	size := elemSize(v.Type)
	if size < 4 {
		l.c.fail(l.f, v.Pos, "a work-item query of type %s", v.Type)
	}
	dim := v.Args[0]
	l.use(v, dim, uniform)
	switch q {
	case ssa.WorkDim, ssa.GlobalLinearID, ssa.LocalLinearID:
		l.comps[v.ID] = []reg{l.pinned(l.c.query(q, 0, size), uniform)}
		l.guards = l.guards[:0]
		return
	}
	if dim.IsConst() {
		d := uint8(min(dim.ConstElem(0), 3))
		l.comps[v.ID] = []reg{l.pinned(l.c.query(q, d, size), uniform)}
		l.guards = l.guards[:0]
		return
	}
	in := l.newInst(v, workItemKernel(size), uniform)
	in.d = l.newReg(size, uniform)
	in.a = l.form(l.comps[dim.ID][0], uniform)
	in.imm = uint64(q)
	l.emit(in)
	l.comps[v.ID] = []reg{in.d}
}

// elementwise lowers the arithmetic ops, one instruction for each element.
func (l *lowerer) elementwise(v *ssa.Value, uniform bool) {
	if l.dynamicElement(v, uniform) {
		return
	}
	k := v.Args[0].Type.K
	size := elemSize(v.Type)
	var run kernel
	switch v.Op {
	case ssa.OpSelect:
		l.selection(v, uniform)
		return
	case ssa.OpConvert:
		l.conversion(v, uniform)
		return
	case ssa.OpPtrCast:
		run = kPtrCast
	case ssa.OpDot:
		run = map3(func(a, b, sum uint32) uint32 { return ssa.Dot(v.Aux, a, b, sum) })
	default:
		run = elementKernel(v.Op, k)
	}
	if run == nil {
		l.c.fail(l.f, v.Pos, "the executor has no %s of %s", v.Op, v.Args[0].Type)
	}
	n := int(v.Type.N)
	regs := l.list(n)
	for i := range n {
		var args [3]reg
		for j, a := range v.Args {
			args[j] = l.comps[a.ID][i]
			l.useElem(v, a, i, uniform)
		}
		if l.checks() >= exec.ChecksPedantic {
			l.guardArithmetic(v, k, args, uniform)
		}
		if v.Op == ssa.OpShl || v.Op == ssa.OpShr || v.Op == ssa.OpRotl {
			args[1] = l.shiftCount(v, args[1], uniform)
		}
		if l.checks() >= exec.ChecksAll {
			l.guardDivision(v, k, args, uniform)
		}
		regs[i] = l.newReg(size, uniform)
		in := l.opTo(v, run, uniform, regs[i], args[:len(v.Args)]...)
		if v.Op == ssa.OpPtrCast {
			in.imm, in.asks = uint64(v.Type.K), v.Flags&ssa.Implicit != 0
		}
	}
	l.comps[v.ID] = regs
}

// shiftCount converts a shift count to the size of the shifted value; only its low byte is used.
func (l *lowerer) shiftCount(v *ssa.Value, r reg, uniform bool) reg {
	from, to := l.regs[r].size, elemSize(v.Type)
	if from == to {
		return r
	}
	guards := append([]*inst(nil), l.guards...)
	l.guards = l.guards[:0]
	r = l.op(v, resizeKernel(to, from), uniform, to, r)
	l.guards = append(l.guards, guards...)
	return r
}

// anyElement lowers OpAny to the OR of the work-item's own elements.
func (l *lowerer) anyElement(v *ssa.Value, uniform bool) {
	regs := l.comps[v.Args[0].ID]
	l.use(v, v.Args[0], uniform)
	if len(regs) == 1 {
		l.flushGuards(v)
		l.comps[v.ID] = l.share(v, regs[:1])
		return
	}
	r := regs[0]
	for _, x := range regs[1:] {
		r = l.op(v, elementKernel(ssa.OpOr, ssa.Bool), uniform, 1, r, x)
	}
	l.comps[v.ID] = []reg{r}
}

func (l *lowerer) selection(v *ssa.Value, uniform bool) {
	n := int(v.Type.N)
	size := elemSize(v.Type)
	cond, x, y := v.Args[0], v.Args[1], v.Args[2]
	regs := l.list(n)
	var ts []reg
	if l.mayPoison(v) {
		ts = repeat(l.list(n), noReg)
	}
	for i := range n {
		ci := min(i, int(cond.Type.N)-1)
		l.useElem(v, cond, ci, uniform)
		c := l.comps[cond.ID][ci]
		regs[i] = l.op(v, bySize(size, kSelect[uint8], kSelect[uint16], kSelect[uint32], kSelect[uint64]), uniform, size, c, l.comps[x.ID][i], l.comps[y.ID][i])
		if ts == nil {
			continue
		}
		tx, ty := l.taint(x, i), l.taint(y, i)
		if tx == noReg && ty == noReg {
			continue
		}
		ts[i] = l.op(v, kSelect[uint8], uniform, 1, c, l.orZero(tx), l.orZero(ty))
	}
	l.comps[v.ID], l.taints[v.ID] = regs, ts
}

func (l *lowerer) orZero(t reg) reg {
	if t == noReg {
		return l.constReg(0, 1)
	}
	return t
}

func bySize(size uint8, k1, k2, k4, k8 kernel) kernel {
	switch size {
	case 1:
		return k1
	case 2:
		return k2
	case 4:
		return k4
	}
	return k8
}

// call lowers a call of a function that was not inlined.
func (l *lowerer) call(v *ssa.Value) {
	g := v.Sym.(*ssa.Func)
	l.calls = append(l.calls, g)
	in := l.newInst(v, kCall, false)
	in.effect, in.keep = true, true
	in.setColumns(l, v)
	in.ext = &callTo{target: g}
	l.emit(in)
}

// setColumns sets the registers that the instruction reads and writes to those of v's arguments and result.
func (in *inst) setColumns(l *lowerer, v *ssa.Value) {
	for _, a := range v.Args {
		l.use(v, a, false)
		for _, r := range l.comps[a.ID] {
			in.src = append(in.src, l.vary(r))
		}
	}
	if v.Type.K != ssa.Void {
		l.comps[v.ID] = l.fresh(v.Type, false)
		in.dst = append(in.dst, l.comps[v.ID]...)
	}
}

// terminator lowers the end of a block.
func (l *lowerer) terminator(v *ssa.Value) {
	b := v.Block
	cur := l.cur
	cur.term.pos = v.Pos
	switch v.Op {
	case ssa.OpJump:
		cur.term.term = termJump
	case ssa.OpReturn, ssa.OpUnreachable:
		cur.term.term = termReturn
		if v.Op == ssa.OpReturn && len(v.Args) > 0 && !l.isKernel {
			l.use(v, v.Args[0], false)
			l.flushGuards(v)
			for i, r := range l.comps[v.Args[0].ID] {
				l.moveInst(v, l.fn.results[i], r).effect = true
			}
		}
	case ssa.OpBranch, ssa.OpSwitch:
		c := v.Args[0]
		r := l.comps[c.ID][0]
		uniform := l.regs[r].uniform
		l.use(v, c, uniform)
		l.flushGuards(v)
		cur.term.term = termBranch
		if v.Op == ssa.OpSwitch {
			cur.term.term = termSwitch
			cur.term.cases = v.Bits
			if len(v.Bits) > 8 {
				cur.term.lookup = make(map[uint64]int, len(v.Bits))
				for i := len(v.Bits) - 1; i >= 0; i-- {
					cur.term.lookup[v.Bits[i]] = i + 1
				}
			}
		}
		cur.term.uniform, cur.term.cond, cur.term.condSz = uniform, r, l.regs[r].size
	}
	for _, s := range b.Succs {
		cur.edges = append(cur.edges, l.edge(b, s))
	}
}

// moveInst emits a move of r to d.
func (l *lowerer) moveInst(v *ssa.Value, d, r reg) *inst {
	in := l.newInst(v, nil, false)
	in.d, in.a = d, r
	in.run = moveKernel(l.regs[d].size, l.regs[d].uniform, l.regs[r].uniform)
	in.uniform = l.regs[d].uniform
	return l.emit(in)
}

// edge creates the edge from b to s with the moves for s's phis.
func (l *lowerer) edge(b, s *ssa.Block) buildEdge {
	e := buildEdge{to: l.start[s.ID]}
	loops := l.flow.Loops
	if x := loops.Of(s); x != nil && x.Header == s && loops.Contains(x, b) {
		if k := l.latch[x]; k != nil {
			e.to = k
		}
	}
	at := 0
	for s.Preds[at] != b {
		at++
	}
	for _, phi := range s.Values {
		if phi.Op != ssa.OpPhi {
			break
		}
		a := phi.Args[at]
		if l.comps[a.ID] == nil { // the argument of a back edge, not yet lowered: resolved by name
			l.c.fail(l.f, phi.Pos, "internal error: phi argument v%d is not defined before its use", a.ID)
		}
		for i, d := range l.comps[phi.ID] {
			if r := l.comps[a.ID][i]; r != d {
				e.moves = append(e.moves, move{d, r})
			}
		}
		for i, d := range l.taints[phi.ID] {
			if t := l.orZero(l.taint(a, i)); t != d {
				e.moves = append(e.moves, move{d, t})
			}
		}
	}
	return e
}

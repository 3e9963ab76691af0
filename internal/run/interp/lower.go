package interp

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A lowerer translates the values of one function: it chooses the instructions of each op. The emitter below it knows
// nothing of ops.
type lowerer struct {
	emitter
}

func (l *lowerer) checks() exec.Checks { return l.c.p.Checks }

// lower emits the instructions of the function's blocks, and creates their registers.
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
	in.setColumns(&l.emitter, v)
	in.ext = &callTo{target: g}
	l.emit(in)
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

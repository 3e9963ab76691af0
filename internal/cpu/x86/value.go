package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// lowerings maps an op to its selection function. Ops without one are elementwise.
var lowerings = [ssa.NumOps]func(l *lowerer, v *ssa.Value){
	ssa.OpConst: func(l *lowerer, v *ssa.Value) {
		if l.plan.Varying[v.ID] {
			refuse("a varying constant")
		}
	},
	ssa.OpParam:      (*lowerer).param,
	ssa.OpGlobalAddr: (*lowerer).objectPointer,
	ssa.OpAlloca:     (*lowerer).objectPointer,
	ssa.OpWorkItem:   (*lowerer).workItem,
	ssa.OpInside: func(l *lowerer, v *ssa.Value) {
		if v.Aux == ssa.InsideLoop { // for other kinds the branch at the end of the block tests
			l.beginInside(v)
		}
	},
	ssa.OpObject:           (*lowerer).objectFact,
	ssa.OpPermute:          (*lowerer).permute,
	ssa.OpVote:             func(*lowerer, *ssa.Value) {}, // the switch at the end of the block votes
	ssa.OpEnd:              (*lowerer).end,
	ssa.OpAny:              (*lowerer).anyOf,
	ssa.OpLoad:             func(l *lowerer, v *ssa.Value) { l.load(v) },
	ssa.OpStore:            func(l *lowerer, v *ssa.Value) { l.store(v) },
	ssa.OpAtomicLoad:       func(l *lowerer, v *ssa.Value) { l.atomic(v) },
	ssa.OpAtomicStore:      func(l *lowerer, v *ssa.Value) { l.atomic(v) },
	ssa.OpAtomicRMW:        func(l *lowerer, v *ssa.Value) { l.atomic(v) },
	ssa.OpAtomicCAS:        func(l *lowerer, v *ssa.Value) { l.atomic(v) },
	ssa.OpMemCopy:          func(l *lowerer, v *ssa.Value) { l.bytes(v) },
	ssa.OpMemZero:          func(l *lowerer, v *ssa.Value) { l.bytes(v) },
	ssa.OpFence:            func(l *lowerer, _ *ssa.Value) { l.emit(inst{op: asm.MFENCE}) },
	ssa.OpLeave:            func(l *lowerer, _ *ssa.Value) { l.leaveRows() },
	ssa.OpGangs:            (*lowerer).gangs,
	ssa.OpBarrier:          (*lowerer).barrier,
	ssa.OpSubGroupExchange: (*lowerer).subGroup,
	ssa.OpSubGroupBallot:   (*lowerer).subGroup,
	ssa.OpSubGroupBarrier:  (*lowerer).subGroup,
	ssa.OpSplat:            (*lowerer).rearrange,
	ssa.OpVec:              (*lowerer).rearrange,
	ssa.OpExtract:          (*lowerer).rearrange,
	ssa.OpInsert:           (*lowerer).rearrange,
	ssa.OpShuffle:          (*lowerer).rearrange,
	ssa.OpSelect: func(l *lowerer, v *ssa.Value) {
		if !l.flat(v) {
			l.selectOp(v)
		}
	},
	ssa.OpPtrCast: func(l *lowerer, v *ssa.Value) { l.vals[v.ID].lazy = true },
}

// lowerValue selects the instructions of a value.
func (l *lowerer) lowerValue(v *ssa.Value) {
	if IsHostCall(v) {
		l.hostCall(v)
		return
	}
	if l.known(v) {
		return
	}
	if f := lowerings[v.Op]; f != nil {
		f(l, v)
		return
	}
	if v.Op == ssa.OpBitcast && size(v.Type.K) != size(v.Args[0].Type.K) {
		if !l.flat(v) {
			l.recast(v)
		}
		return
	}
	l.elementwise(v)
}

// elementwise lowers an op that applies to each element separately.
func (l *lowerer) elementwise(v *ssa.Value) {
	if !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpBitcast {
		refuse("%v", v.Op)
	}
	if l.affine(v) {
		return
	}
	x, n := &l.vals[v.ID], int(v.Type.N)
	if v.Op == ssa.OpPtrAdd || l.wideOffset(v) {
		x.lazy = true
		return
	}
	general := !l.plan.Varying[v.ID] && inGeneral(v.Args[0].Type.K) && generalOp(v)
	switch {
	case general && v.Type.K == ssa.Bool && n == 1:
		x.lazy = true // a branch can compare without the register
	case general && inGeneral(v.Type.K):
		x.g = make([]reg, n)
		for c := range n {
			x.g[c] = l.scalarOp(v, c)
		}
	case l.flat(v):
	case v.Type.K == ssa.Bool && l.voted[v.ID] == l.uses[v.ID] && n == 1:
		x.lazy = true // a vote may need the first and the last lane only
	case v.Type.K == ssa.Bool:
		x.k = make([]mask, n)
		for c := range n {
			x.k[c] = l.boolOp(v, c)
		}
	default:
		x.v = make([]vec, n)
		for c := range n {
			x.v[c] = l.vectorOp(v, c)
		}
	}
}

// objectPointer lowers the address of a variable or a private object.
func (l *lowerer) objectPointer(v *ssa.Value) {
	l.vals[v.ID].g = []reg{l.inPrologueLoad(rootAt(l.roots.Number(v), RootPtr))}
	if v.Op == ssa.OpAlloca {
		l.clearPrivate(v)
	}
}

// objectFact lowers an OpObject.
func (l *lowerer) objectFact(v *ssa.Value) {
	off := [...]int{ssa.ObjectBytes: RootLen, ssa.ObjectWritable: RootWrites, ssa.ObjectAddress: RootBase}[v.Aux]
	l.vals[v.ID].g = []reg{l.inPrologueLoad(rootAt(l.rootOf(v.Args[0]), off))}
}

// anyOf lowers an OpAny. It leaves the test to the branch at the end of the block if that is the only user.
func (l *lowerer) anyOf(v *ssa.Value) {
	if l.branchesBy(v) {
		return
	}
	l.testAny(v)
	d := l.g()
	l.setcc(asm.SETNE, d)
	l.vals[v.ID].g = []reg{d}
}

// gangs lowers an OpGangs, the begin or the end of a part that the gangs of a work-group execute in turn.
func (l *lowerer) gangs(v *ssa.Value) {
	if v.Aux == ssa.GangsBegin {
		l.beginPart()
	} else {
		l.endPart()
	}
}

// barrier lowers a work-group barrier. A function of the whole work-group needs no code: each of its parts ends
// after the last gang.
func (l *lowerer) barrier(v *ssa.Value) {
	if l.plan.Gangs {
		return
	}
	if l.opts.Rows {
		refuse("a barrier")
	}
	l.emit(inst{kind: kBarrier, imm: int64(l.plan.Origin(v).ID) + 1})
}

func (l *lowerer) param(v *ssa.Value) {
	x := &l.vals[v.ID]
	off := l.out.Params[v.Aux][0]
	n := int(v.Type.N)
	if inGeneral(v.Type.K) {
		x.g = make([]reg, n)
		for c := range n {
			x.g[c] = l.inPrologueLoad(ctxAt(int32(off + 8*c)))
		}
		return
	}
	x.v = make([]vec, n)
	sz := size(v.Type.K)
	for c := range n {
		l.insertAt(l.pre, -1, func() {
			d := l.vload(vbroadcast[sz], l.lv.VL, ctxAt(int32(off+8*c)))
			l.rematerialise(d)
			x.v[c] = l.everywhere(d, sz)
		})
	}
}

// workItem lowers the work-item queries.
func (l *lowerer) workItem(v *ssa.Value) {
	d, q, w := v.Args[0].ConstElem(0), ssa.WorkItemQuery(v.Aux), asm.Width(size(v.Type.K))
	g := l.g()
	switch {
	case q == ssa.GlobalID && d == 0 && l.opts.Rows:
		l.emit(inst{op: asm.MOVL, w: max(w, 4), fl: fDefReg, reg: g, rm: l.gid})
	case q == ssa.GlobalID:
		l.ld(g, w, frameAt(FrameGlobal+8*int32(d)))
	case q == ssa.LocalID:
		l.ld(g, w, frameAt(FrameLocal+8*int32(d)))
	default:
		l.ld(g, w, ctxAt(int32(CtxQueries+8*(3*int(q)+int(min(d, 2))))))
	}
	l.vals[v.ID].g = []reg{g}
}

// rearrange lowers the ops that only rearrange elements.
func (l *lowerer) rearrange(v *ssa.Value) {
	if l.flat(v) {
		return
	}
	x, general := &l.vals[v.ID], !l.plan.Varying[v.ID] && inGeneral(v.Type.K)
	for c := range int(v.Type.N) {
		switch a, k := v.ElementSource(c); {
		case general && a == nil:
			g := l.g()
			l.movi(g, 0)
			x.g = append(x.g, g)
		case general:
			x.g = append(x.g, l.G(a, k))
		case v.Type.K == ssa.Bool && a == nil:
			m := l.newMask()
			l.zeroMask(m)
			x.k = append(x.k, m)
		case v.Type.K == ssa.Bool:
			x.k = append(x.k, l.K(a, k))
		case a == nil:
			x.v = append(x.v, l.constV(size(v.Type.K), 0))
		default:
			x.v = append(x.v, l.V(a, k))
		}
	}
}

// recast lowers a bitcast between vectors whose elements differ in size.
func (l *lowerer) recast(v *ssa.Value) {
	x := &l.vals[v.ID]
	a := v.Args[0]
	if v.Type.K == ssa.Bool || a.Type.K == ssa.Bool {
		refuse("a reinterpreted Bool")
	}
	ds, ss := size(v.Type.K), size(a.Type.K)
	for c := range int(v.Type.N) {
		if ds > ss {
			var parts []vec
			for i := range ds / ss {
				parts = append(parts, l.V(a, c*(ds/ss)+i))
			}
			x.v = append(x.v, l.compose(parts, ss, ds))
			continue
		}
		x.v = append(x.v, l.piece(l.V(a, c/(ss/ds)), ss, ds, c%(ss/ds)))
	}
}

func (l *lowerer) selectOp(v *ssa.Value) {
	x := &l.vals[v.ID]
	cond, a, b := v.Args[0], v.Args[1], v.Args[2]
	sz := size(v.Type.K)
	uniform := !l.plan.Varying[v.ID]
	for c := range int(v.Type.N) {
		cc := min(c, int(cond.Type.N)-1)
		switch {
		case uniform && inGeneral(v.Type.K):
			ga, gb := l.G(a, c), l.G(b, c)
			d := l.g()
			if cond.Type.N == 1 && (cond.Op == ssa.OpEq || cond.Op == ssa.OpNe || cond.Op == ssa.OpLt || cond.Op == ssa.OpLe) && inGeneral(cond.Args[0].Type.K) {
				l.G(cond.Args[0], 0)
				l.G(cond.Args[1], 0)
				l.mov(d, gb)
				j := l.compare(cond.Op, cond.Args[0], cond.Args[1], 0)
				l.op2(cmovOf[j], 8, d, ga)
			} else {
				gc := l.G(cond, cc)
				l.mov(d, gb)
				l.emit(inst{op: asm.TEST, w: 4, fl: fUseReg, reg: gc, rm: gc})
				l.op2(asm.CMOVNE, 8, d, ga)
			}
			x.g = append(x.g, d)
		case v.Type.K == ssa.Bool:
			k := l.K(cond, cc)
			d := l.newMask()
			l.copyMask(d, l.K(b, c))
			l.mergeMask(d, l.K(a, c), k)
			x.k = append(x.k, d)
		default:
			x.v = append(x.v, l.choose(l.K(cond, cc), l.V(a, c), l.V(b, c), sz))
		}
	}
}

var cmovOf = map[asm.Op]asm.Op{asm.JE: asm.CMOVE, asm.JNE: asm.CMOVNE, asm.JL: asm.CMOVL, asm.JLE: asm.CMOVLE, asm.JB: asm.CMOVB, asm.JBE: asm.CMOVBE}
var setOf = map[asm.Op]asm.Op{asm.JE: asm.SETE, asm.JNE: asm.SETNE, asm.JL: asm.SETL, asm.JLE: asm.SETLE, asm.JB: asm.SETB, asm.JBE: asm.SETBE}

// vptest holds the instructions that test the elements of a & b, by the result that sets a mask bit: true for
// nonzero elements, false for zero ones.
var vptest = map[bool]bySize{false: {4: asm.VPTESTNMD, 8: asm.VPTESTNMQ}, true: {1: asm.VPTESTMB, 2: asm.VPTESTMW, 4: asm.VPTESTMD, 8: asm.VPTESTMQ}}

package codegen

import (
	"github.com/purecl/purecl/internal/cpu/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// lowerValue makes the code of a value.
func (l *lowerer) lowerValue(v *ssa.Value) {
	x := &l.vals[v.ID]
	n := int(v.Type.N)
	varying := l.plan.Varying[v.ID]
	if InGo(v) {
		l.inGo(v)
		return
	}
	if l.known(v) {
		return
	}
	switch v.Op {
	case ssa.OpConst:
		if varying {
			refuse("a varying constant")
		}
		return
	case ssa.OpUndef:
		v.BecomeConst(l.plan.F, []uint64{0})
		l.lowerValue(v)
		return
	case ssa.OpParam:
		l.param(v)
		return
	case ssa.OpGlobalAddr, ssa.OpAlloca:
		key := any(v)
		if g, ok := v.Sym.(*ssa.Global); ok {
			key = g
		}
		i := l.roots[key]
		x.g = []reg{l.inPrologueLoad(rootAt(i, RootPtr))}
		if v.Op == ssa.OpAlloca {
			l.clearPrivate(v)
		}
		return
	case ssa.OpWorkItem:
		l.workItem(v)
		return
	case ssa.OpInside:
		if v.Aux == ssa.InsideLoop { // else the block's terminator asks
			l.beginInside(v)
		}
		return
	case ssa.OpVote: // the block's terminator asks
		return
	case ssa.OpEnd:
		l.end(v)
		return
	case ssa.OpAny:
		if !l.branchesBy(v) {
			l.testAny(v)
			d := l.g()
			l.setcc(asm.SETNE, d)
			x.g = []reg{d}
		}
		return
	case ssa.OpLoad:
		l.load(v)
		return
	case ssa.OpStore:
		l.store(v)
		return
	case ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
		l.atomic(v)
		return
	case ssa.OpMemCopy, ssa.OpMemZero:
		l.bytes(v)
		return
	case ssa.OpFence:
		l.emit(inst{op: asm.MFENCE})
		return
	case ssa.OpGangs:
		if v.Aux == ssa.GangsBegin {
			l.beginPart()
		} else {
			l.endPart()
		}
		return
	case ssa.OpBarrier:
		if l.plan.Gangs {
			return // all gangs have come here
		}
		if l.opts.Rows {
			refuse("a barrier")
		}
		l.emit(inst{kind: kBarrier, imm: int64(l.plan.Origin(v).ID) + 1})
		return
	case ssa.OpRuntime:
		l.subGroup(v)
		return
	case ssa.OpCall, ssa.OpExtern:
		refuse("%v", v.Op)
	case ssa.OpSplat, ssa.OpVec, ssa.OpExtract, ssa.OpInsert, ssa.OpShuffle:
		if !l.flat(v) {
			l.rearrange(v)
		}
		return
	case ssa.OpExtractDyn, ssa.OpInsertDyn:
		l.dynamic(v)
		return
	case ssa.OpBitcast:
		if size(v.Type.K) != size(v.Args[0].Type.K) {
			if !l.flat(v) {
				l.recast(v)
			}
			return
		}
	case ssa.OpSelect:
		if !l.flat(v) {
			l.selectOp(v)
		}
		return
	case ssa.OpPtrCast:
		a := &l.vals[v.Args[0].ID]
		x.affine, x.stride, x.flip, x.unsure, x.lazy = a.affine, a.stride, a.flip, a.unsure, true
		return
	}
	if !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpBitcast {
		refuse("%v", v.Op)
	}
	if l.affine(v) {
		return
	}
	if v.Op == ssa.OpPtrAdd || l.wideOffset(v) {
		x.lazy = true
		return
	}
	if !varying && v.Type.K == ssa.Bool && n == 1 && inGeneral(v.Args[0].Type.K) && generalOp(v) {
		x.lazy = true // a branch compares by itself
		return
	}
	if !varying && inGeneral(v.Type.K) && inGeneral(v.Args[0].Type.K) && generalOp(v) {
		x.g = make([]reg, n)
		for c := range n {
			x.g[c] = l.scalarOp(v, c)
		}
		return
	}
	if l.flat(v) {
		return
	}
	if v.Type.K == ssa.Bool && l.voted[v.ID] == l.uses[v.ID] && n == 1 {
		x.lazy = true // perhaps the first and the last lane tell
		return
	}
	if v.Type.K == ssa.Bool {
		x.k = make([]mask, n)
		for c := range n {
			x.k[c] = l.boolOp(v, c)
		}
		return
	}
	x.v = make([]vec, n)
	for c := range n {
		x.v[c] = l.vectorOp(v, c)
	}
}

// inPrologueLoad loads from the context before everything else; it may be repeated.
func (l *lowerer) inPrologueLoad(m mem) reg {
	var d reg
	l.insertAt(l.pre, -1, func() {
		d = l.g()
		l.ld(d, 8, m)
		l.rematerialise(d)
	})
	return d
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
	x := &l.vals[v.ID]
	if !v.Args[0].IsConst() {
		refuse("a work-item query with a dimension that is no constant")
	}
	d := v.Args[0].ConstElem(0)
	q := ssa.WorkItemQuery(v.Aux)
	g := l.g()
	w := asm.Width(size(v.Type.K))
	sized := func(m mem) { l.ld(g, w, m) }
	if d > 2 && q != ssa.WorkDim {
		one := uint64(0)
		switch q {
		case ssa.GlobalSize, ssa.LocalSize, ssa.EnqueuedLocalSize, ssa.NumGroups:
			one = 1
		}
		l.movi(g, one)
		x.g = []reg{g}
		return
	}
	switch q {
	case ssa.GlobalID:
		if d == 0 && l.opts.Rows {
			l.emit(inst{op: asm.MOVL, w: max(w, 4), fl: fDefReg, reg: g, rm: l.gid})
		} else {
			sized(frameAt(FrameGlobal + 8*int32(d)))
		}
	case ssa.LocalID:
		sized(frameAt(FrameLocal + 8*int32(d)))
	case ssa.MaxSubGroupSize:
		l.movi(g, uint64(l.subGroupSize()))
	case ssa.WorkDim, ssa.GlobalSize, ssa.LocalSize, ssa.EnqueuedLocalSize, ssa.NumGroups, ssa.GroupID, ssa.GlobalOffset:
		sized(ctxAt(int32(CtxQueries + 8*(3*int(q)+int(min(d, 2))))))
	default:
		refuse("the work-item query %s", ssa.QueryNames[q])
	}
	x.g = []reg{g}
	if d == 0 && (q == ssa.GlobalID || q == ssa.LocalID) && l.plan.Varying[v.ID] {
		x.affine, x.stride, x.clean = true, 1, true
	}
}

// rearrange lowers the ops that only move elements.
func (l *lowerer) rearrange(v *ssa.Value) {
	x := &l.vals[v.ID]
	type from struct {
		a *ssa.Value
		c int
	}
	src := make([]from, v.Type.N)
	for c := range src {
		switch v.Op {
		case ssa.OpSplat:
			src[c] = from{v.Args[0], 0}
		case ssa.OpVec:
			src[c] = from{v.Args[c], 0}
		case ssa.OpExtract:
			src[c] = from{v.Args[0], int(v.Aux)}
		case ssa.OpInsert:
			src[c] = from{v.Args[0], c}
			if c == int(v.Aux) {
				src[c] = from{v.Args[1], 0}
			}
		case ssa.OpShuffle:
			n := int(v.Args[0].Type.N)
			k := int(v.Lanes[c])
			switch {
			case k == ssa.ShuffleUndef:
			case k < n:
				src[c] = from{v.Args[0], k}
			default:
				src[c] = from{v.Args[1], k - n}
			}
		}
	}
	sz := size(v.Type.K)
	general := !l.plan.Varying[v.ID] && inGeneral(v.Type.K)
	for _, s := range src {
		switch {
		case general:
			g := reg(0)
			if s.a == nil {
				g = l.g()
				l.movi(g, 0)
			} else {
				g = l.G(s.a, s.c)
			}
			x.g = append(x.g, g)
		case v.Type.K == ssa.Bool:
			var k mask
			if s.a == nil {
				k = l.newMask()
				l.zeroMask(k)
			} else {
				k = l.K(s.a, s.c)
			}
			x.k = append(x.k, k)
		default:
			var p vec
			if s.a == nil {
				p = l.constV(sz, 0)
			} else {
				p = l.V(s.a, s.c)
			}
			x.v = append(x.v, p)
		}
	}
}

// dynamic lowers the access to an element by its number.
func (l *lowerer) dynamic(v *ssa.Value) {
	x := &l.vals[v.ID]
	whole, idx := v.Args[0], l.V(v.Args[1], 0)
	sz := size(v.Type.K)
	is := func(c int) mask { return l.cmpInt(predEQ, 8, false, idx, l.constV(8, uint64(c))) }
	if v.Type.K == ssa.Bool {
		l.dynamicBool(v, is)
		return
	}
	if v.Op == ssa.OpExtractDyn {
		r := l.constV(sz, 0)
		for c := range int(whole.Type.N) {
			r = l.choose(is(c), l.V(whole, c), r, sz)
		}
		x.v = []vec{r}
		return
	}
	for c := range int(v.Type.N) {
		x.v = append(x.v, l.choose(is(c), l.V(v.Args[2], 0), l.V(whole, c), sz))
	}
}

// recast lowers a reinterpretation between elements of different sizes.
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

// compose makes elements of ds bytes of smaller ones, the first lowest.
func (l *lowerer) compose(parts []vec, ss, ds int) vec {
	ops := map[int]asm.Op{2: asm.VPSLLW, 4: asm.VPSLLD, 8: asm.VPSLLQ}
	var r vec
	for i, p := range parts {
		y := l.extend(ss, ds, false, p)
		if i == 0 {
			r = y
			continue
		}
		r = l.each2(ds, asm.VPOR, r, l.eachShift(ds, ops[ds], y, int64(8*ss*i)))
	}
	return r
}

// piece returns part i of elements of ss bytes.
func (l *lowerer) piece(p vec, ss, ds, i int) vec {
	whole := p
	if i > 0 {
		p = l.shiftRight(ss, false, p, int64(8*ds*i))
	}
	r := l.truncate(ss, ds, p)
	if ss == 4 && ds < ss {
		// Who wants them as wide as they were has them by shifts.
		if i+1 < ss/ds {
			p = l.each2(ss, asm.VPAND, p, l.constV(ss, ones(8*ds)))
			whole = l.eachShift(ss, asm.VPSLLD, whole, int64(8*(ss-ds*(i+1))))
		}
		l.wider[widened{r[0], extension(ds, ss, false).op}] = p
		l.wider[widened{r[0], extension(ds, ss, true).op}] = l.shiftRight(ss, true, whole, int64(8*(ss-ds)))
	}
	return r
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

// boolOp computes element c of a Bool in a mask register.
func (l *lowerer) boolOp(v *ssa.Value, c int) mask {
	a := v.Args[0]
	k := a.Type.K.Num()
	if a.Type.K == ssa.Bool {
		x := l.K(a, c)
		switch v.Op {
		case ssa.OpNot:
			return l.notMask(x)
		case ssa.OpCopy, ssa.OpConvert, ssa.OpBitcast:
			return x
		}
		y := l.K(v.Args[1], c)
		switch v.Op {
		case ssa.OpAnd:
			return l.andMask(x, y)
		case ssa.OpOr, ssa.OpXor, ssa.OpNe, ssa.OpEq:
			if v.Op == ssa.OpOr {
				return l.maskOp(asm.KORW, asm.VPOR, x, y)
			}
			if v.Op == ssa.OpEq && l.lv.AVX512 {
				return l.maskOp(asm.KXNORW, asm.NoOp, x, y)
			}
			d := l.maskOp(asm.KXORW, asm.VPXOR, x, y)
			if v.Op == ssa.OpEq {
				return l.notMask(d)
			}
			return d
		}
		refuse("%v of Bools", v.Op)
	}
	sz := k.Size()
	if m := l.testBits(v, c); m != nil {
		return m
	}
	p := l.V(a, c)
	if v.Op == ssa.OpConvert {
		if !k.IsFloat() {
			return l.cmpInt(predNE, sz, false, p, l.constV(sz, 0))
		}
		if sz == 2 && !l.lv.FP16 {
			p, sz = l.fromHalf(p), 4
		}
		return l.cmpFloat(cmpNE, sz, p, l.constV(sz, 0))
	}
	q := l.V(v.Args[1], c)
	if k.IsFloat() {
		if sz == 2 && !l.lv.FP16 {
			p, q, sz = l.fromHalf(p), l.fromHalf(q), 4
		}
		pred, ok := map[ssa.Op]int64{ssa.OpEq: cmpEQ, ssa.OpNe: cmpNE, ssa.OpLt: cmpLT, ssa.OpLe: cmpLE}[v.Op]
		if !ok {
			refuse("%v giving a Bool", v.Op)
		}
		return l.cmpFloat(pred, sz, p, q)
	}
	pred, ok := map[ssa.Op]int64{ssa.OpEq: predEQ, ssa.OpNe: predNE, ssa.OpLt: predLT, ssa.OpLe: predLE}[v.Op]
	if !ok {
		refuse("%v giving a Bool", v.Op)
	}
	return l.cmpInt(pred, sz, k.Signed(), p, q)
}

// vptest are the instructions that say which elements of a & b are zero, by whether they are not.
var vptest = map[bool]map[int]asm.Op{false: {4: asm.VPTESTNMD, 8: asm.VPTESTNMQ}, true: {1: asm.VPTESTMB, 2: asm.VPTESTMW, 4: asm.VPTESTMD, 8: asm.VPTESTMQ}}

// testBits compares a & b with 0 by one instruction; nil where v is something else, or
// there is none.
func (l *lowerer) testBits(v *ssa.Value, c int) mask {
	x := l.real(v.Args[0])
	if x.Op != ssa.OpAnd || v.Op != ssa.OpEq && v.Op != ssa.OpNe || !l.lv.AVX512 || c == memoryOrder {
		return nil
	}
	sz := size(x.Type.K)
	op, ok := vptest[v.Op == ssa.OpNe][sz]
	if zero, known := elemOf(v.Args[1], c); !ok || !known || zero != 0 {
		return nil
	}
	w := l.width(sz)
	return l.compareParts(sz, l.V(x.Args[0], c), l.V(x.Args[1], c), func(a, b reg) reg {
		d := l.kr()
		l.emit(inst{op: op, w: w, fl: fDefReg, reg: d, v: a, rm: b})
		return d
	})
}

// outside computes element c of an op in Go.
func (l *lowerer) outside(v *ssa.Value, c int) vec {
	if c == memoryOrder {
		return nil
	}
	if _, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, make([]uint64, len(v.Args))); !ok {
		refuse("%v of %v", v.Op, v.Type)
	}
	for i, a := range v.Args {
		sz := size(a.Type.K)
		at := int32(CtxArgs + CtxArgSize*i)
		if a.Type.K == ssa.Bool {
			l.maskBits(l.K(a, c))
			l.st(ctxAt(at), 8, rAX)
			continue
		}
		l.storeParts(ctxAt(at), l.V(a, c), sz)
	}
	l.emit(inst{kind: kYield, imm: int64(len(l.out.Ops))})
	l.out.Ops = append(l.out.Ops, v)
	return l.loadParts(ctxAt(CtxArgs+CtxArgSize*3), size(v.Type.K))
}

// storeParts stores elements of so many bytes of all lanes, one after the other.
func (l *lowerer) storeParts(m mem, p vec, size int) {
	op := asm.VMOVUPSST
	if size*l.n < int(l.width(size)) {
		op = asm.VMOVQST // 8 bytes
	}
	l.storePartsBy(op, m, p, size)
}

// storePartsBy is storeParts by an instruction that stores a register, or half of one.
func (l *lowerer) storePartsBy(op asm.Op, m mem, p vec, size int) {
	w := l.width(size)
	for _, r := range p {
		if j := l.joined[r]; j.n >= 32 && j.n*len(j.of) == int(w) {
			// The pieces one by one, without putting them together.
			for i, x := range j.of {
				q := m
				q.disp += int32(i * j.n)
				l.vstore(op, asm.Width(j.n), q, x, 0)
			}
		} else {
			l.vstore(op, w, m, r, 0)
		}
		m.disp += int32(w)
	}
}

// loadParts loads elements of so many bytes of all lanes.
func (l *lowerer) loadParts(m mem, size int) vec {
	p := l.newVec(size)
	l.loadInto(p, m, size)
	return p
}

func (l *lowerer) loadInto(p vec, m mem, size int) {
	w := l.width(size)
	op := asm.VMOVUPS
	if size*l.n < int(w) {
		op = asm.VMOVQX // 8 bytes
	}
	m.on = true
	for _, r := range p {
		l.emit(inst{op: op, w: w, fl: fDefReg, reg: r, m: m})
		m.disp += int32(w)
	}
}

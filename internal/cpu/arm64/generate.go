package arm64

import (
	"fmt"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Code is a gang function's machine code.
type Code struct {
	Bytes   []byte
	Listing string // the instructions, if Options.Listing is set
	Insts   int    // number of instructions, without entry and exits
	Hosts   []Host // host calls of the code, by number
	f       *gang.Func
	ctxSize int
	params  map[[2]int64]int // by number and element: offset in the context
}

// A Host is a host call of the code.
type Host struct {
	Inst *gang.Inst
	Poll bool // may the function continue?
	Next bool // make the work-group's next gang current
}

// Evaluated returns the ops that the host evaluates for lack of instructions.
func (c *Code) Evaluated() (list []string) {
	for _, h := range c.Hosts {
		if i := h.Inst; i != nil && i.Op == gang.OpEach {
			list = append(list, fmt.Sprintf("%v of %v", i.Each, c.f.Type(i.Args[0]).K))
		}
	}
	return list
}

// Options select the form of the code.
type Options struct {
	Listing bool // fill in Code.Listing
	Check   bool // prove the register allocation; slow, for tests
}

// elements emits instructions on the registers that hold a value's elements. It does not know gang functions.
type elements struct{ *code }

// A selector translates gang instructions to machine instructions.
type selector struct {
	*elements
	f      *gang.Func
	out    *Code
	parts  [][]reg // by gang register
	defs   []int   // by gang register: instructions that write it
	consts map[gang.Reg]uint64
	blocks []*block // by gang block
}

// maxFrame bounds the context with its spill slots. Each worker has one, and each gang that waits at a barrier.
const maxFrame = 1 << 20

// maxRegisters bounds the registers of the code, and so the time and memory to make it.
const maxRegisters = 1 << 19

// Generate makes machine code. A *gang.Unsupported error names an operation without instructions.
func Generate(f *gang.Func, o Options) (out *Code, err error) {
	defer gang.Recover(&err)
	if f.Lanes != Lanes {
		return nil, fmt.Errorf("arm64: gangs of %d lanes, want %d", f.Lanes, Lanes)
	}
	out = &Code{f: f, params: map[[2]int64]int{}}
	s := &selector{f: f, out: out, parts: make([][]reg, len(f.Types)), defs: make([]int, len(f.Types)), consts: map[gang.Reg]uint64{}}
	at := ctxRoots + rootSize*len(f.Roots)
	for _, b := range f.Blocks {
		for k := range b.Insts {
			i := &b.Insts[k]
			s.defs[i.Dst]++
			if i.Op == gang.OpConst {
				s.consts[i.Dst] = uint64(i.Imm)
			}
			if key := [2]int64{i.Imm, i.Aux}; i.Op == gang.OpParam && out.params[key] == 0 {
				out.params[key] = at
				at += 8
			}
		}
	}
	at = (at + 15) &^ 15
	s.elements = &elements{newCode(int32(at))}
	s.run()
	s.code.removeDead()
	if err := s.regs.Allocate(s.code); err != nil {
		return nil, &gang.Unsupported{What: err.Error()}
	}
	if o.Check {
		if err := s.regs.Check(s.code); err != nil {
			panic(fmt.Sprintf("register allocation: %v\n%s", err, s.dump()))
		}
	}
	out.ctxSize = int(s.frame)
	if s.frame > maxFrame {
		return nil, &gang.Unsupported{What: "more values than the frame has room for"}
	}
	return out, s.finish(o)
}

// run selects instructions for all blocks.
func (s *selector) run() {
	for _, b := range s.f.Blocks {
		s.blocks = append(s.blocks, &block{depth: b.Depth, cold: b.Cold})
	}
	for k, b := range s.f.Blocks {
		s.place(s.blocks[k])
		for n := range b.Insts {
			if s.regs.NumRegs() > maxRegisters {
				gang.Refuse("more than %d registers", maxRegisters)
			}
			i := &b.Insts[n]
			s.pos = i.Pos
			if i.Op.IsTerminator() {
				s.terminator(b, i)
			} else {
				s.inst(i)
			}
		}
	}
}

// number returns the number of machine registers of a gang register.
func number(t gang.Type) int {
	switch t.Class {
	case gang.Scalar:
		return 1
	case gang.Predicate:
		return int(t.N)
	}
	return int(t.N) * t.Size()
}

// isGeneral reports whether a gang register is in a general register.
func isGeneral(t gang.Type) bool { return t.Class == gang.Scalar && !t.K.Num().IsFloat() }

// use returns the machine registers of a gang register.
func (s *selector) use(r gang.Reg) []reg {
	if s.parts[r] == nil {
		t := s.f.Type(r)
		if t.Class == gang.Predicate && t.N > 1 {
			gang.Refuse("predicates of several elements")
		}
		list := make([]reg, number(t))
		for k := range list {
			if isGeneral(t) {
				list[k] = s.g()
			} else {
				list[k] = s.v()
			}
		}
		s.parts[r] = list
	}
	return s.parts[r]
}

// define assigns registers that nothing else writes to a gang register.
func (s *selector) define(r gang.Reg, list []reg) {
	if s.defs[r] == 1 && s.parts[r] == nil {
		s.parts[r] = list
		return
	}
	general := isGeneral(s.f.Type(r))
	for k, d := range s.use(r) {
		if general {
			s.moveG(d, list[k])
		} else {
			s.moveV(d, list[k])
		}
	}
}

func (s *elements) moveG(d, n reg) {
	s.emit(inst{op: ORR, w: 8, d: d, n: rZero, m: n, copies: true})
	s.regs.Hint(d, n)
}

func (s *elements) moveV(d, n reg) {
	s.emit(inst{op: VORR, d: d, n: n, m: n, copies: true})
	s.regs.Hint(d, n)
}

// constant returns the bits of a constant gang register.
func (s *selector) constant(r gang.Reg) (uint64, bool) {
	x, ok := s.consts[r]
	return x, ok && s.defs[r] == 1
}

// context loads 8 bytes of the context into a new general register. The load may be repeated.
func (s *elements) context(at int) reg {
	d := s.g()
	s.emit(inst{op: LDRX, d: d, n: rCtx, imm: int64(at)})
	return s.repeatable(d)
}

// maxCleared is the number of bytes of private objects up to which straight-line stores zero them.
const maxCleared = 512

// inst selects the instructions for a gang instruction that is not a terminator.
func (s *selector) inst(i *gang.Inst) {
	f := s.f
	switch i.Op {
	case gang.OpConst:
		s.constantInst(i)
	case gang.OpCopy:
		src := s.use(i.Args[0])
		list := make([]reg, len(src))
		for k, n := range src {
			if isGeneral(f.Type(i.Dst)) {
				list[k] = s.g()
				s.moveG(list[k], n)
			} else {
				list[k] = s.v()
				s.moveV(list[k], n)
			}
		}
		s.define(i.Dst, list)
	case gang.OpEach:
		s.each(i)
	case gang.OpSplat:
		s.splat(i)
	case gang.OpRamp:
		s.ramp(i)
	case gang.OpPart:
		s.part(i)
	case gang.OpJoin:
		s.join(i)
	case gang.OpActive:
		d := s.v()
		s.emit(inst{op: LDRQ, d: d, n: rCtx, imm: ctxActive})
		s.define(i.Dst, []reg{d})
	case gang.OpVote:
		s.vote(i)
	case gang.OpParam:
		s.fromContext(i.Dst, s.out.params[[2]int64{i.Imm, i.Aux}])
	case gang.OpQuery:
		s.fromContext(i.Dst, ctxQueries+8*(3*int(i.Imm)+int(i.Aux)))
	case gang.OpIDEnd:
		s.fromContext(i.Dst, ctxIDEnd)
	case gang.OpRoot:
		s.fromContext(i.Dst, ctxRoots+rootSize*int(i.Root)+rootPointer)
	case gang.OpInside:
		s.inside(i)
	case gang.OpLoad:
		s.load(i)
	case gang.OpStore:
		s.store(i)
	case gang.OpClear:
		s.clear(i)
	case gang.OpBegin:
		s.emit(inst{op: STRX, d: s.use(i.Args[0])[0], n: rCtx, imm: ctxGlobal})
	case gang.OpPoll:
		s.poll()
	case gang.OpPrefetch: // gang.Options.Ahead is not set for this machine
	case gang.OpFence:
		s.emit(inst{op: DMB})
	default:
		s.host(i)
	}
}

// clear zeroes the private objects.
func (s *selector) clear(i *gang.Inst) {
	total := 0
	for k := range s.f.Roots {
		total += s.f.Roots[k].Size * Lanes
	}
	if total > maxCleared {
		s.host(i)
		return
	}
	z := s.everywhere(0, 0)
	for k := range s.f.Roots {
		if n := s.f.Roots[k].Size * Lanes; n > 0 {
			p := s.root(int32(k))
			for at := 0; at < n; at += 16 {
				s.emit(inst{op: STRQ, d: z, n: p, imm: int64(at)})
			}
		}
	}
}

// fromContext defines a scalar from 8 bytes of the context, truncated to its width.
func (s *selector) fromContext(r gang.Reg, at int) {
	t := s.f.Type(r)
	if !isGeneral(t) {
		x := s.context(at)
		d := s.v()
		s.emit(inst{op: VDUP, t: log2(t.Size()), d: d, n: x})
		s.define(r, []reg{d})
		return
	}
	d := s.g()
	s.emit(inst{op: loads[t.Size()], d: d, n: rCtx, imm: int64(at)})
	s.define(r, []reg{s.repeatable(d)})
}

// constantInst selects a constant. One register serves as all registers of a vector.
func (s *selector) constantInst(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	x := uint64(i.Imm)
	if isGeneral(t) {
		s.define(i.Dst, []reg{s.number(x)})
		return
	}
	d := reg(0)
	if t.Class == gang.Predicate {
		d = s.everywhere(0, 0xff*(x&1))
	} else {
		d = s.everywhere(log2(t.Size()), x)
	}
	list := make([]reg, number(t))
	for k := range list {
		list[k] = d
	}
	s.define(i.Dst, list)
}

// number returns a new general register that holds x.
func (s *elements) number(x uint64) reg {
	d := s.g()
	if s.move(d, x) == 1 {
		return s.repeatable(d)
	}
	return d
}

// move emits the instructions that set a general register to x, and returns their number.
func (s *elements) move(d reg, x uint64) (n int) {
	for k := int64(0); k < 64; k += 16 {
		part := x >> k & 0xffff
		switch {
		case n == 0 && ^x>>k&0xffff != 0 && ^x&^(0xffff<<k) == 0:
			s.emit(inst{op: MOVN, w: 8, d: d, imm: int64(^part & 0xffff), imm2: k})
			return 1
		case part == 0 && (k < 48 || n > 0):
		case n == 0:
			s.emit(inst{op: MOVZ, w: 8, d: d, imm: int64(part), imm2: k})
			n++
		default:
			s.emit(inst{op: MOVK, w: 8, d: d, imm: int64(part), imm2: k})
			n++
		}
	}
	return n
}

// everywhere returns a new vector register with the same bits in every element.
func (s *elements) everywhere(t uint8, x uint64) reg {
	d := s.v()
	if x == 0 {
		s.emit(inst{op: VMOVI0, d: d})
		return s.repeatable(d)
	}
	s.move(rTmp, x)
	s.emit(inst{op: VDUP, t: t, d: d, n: rTmp})
	return d
}

func log2(size int) uint8 {
	switch size {
	case 1:
		return 0
	case 2:
		return 1
	case 4:
		return 2
	}
	return 3
}

// v3 emits a vector instruction with three operands.
func (s *elements) v3(o op, t uint8, n, m reg) reg {
	d := s.v()
	s.emit(inst{op: o, t: t, d: d, n: n, m: m})
	return d
}

func (s *elements) v2(o op, t uint8, n reg) reg {
	d := s.v()
	s.emit(inst{op: o, t: t, d: d, n: n})
	return d
}

// vi emits a vector instruction with an immediate.
func (s *elements) vi(o op, t uint8, n reg, imm int64) reg {
	d := s.v()
	s.emit(inst{op: o, t: t, d: d, n: n, imm: imm})
	return d
}

// tied emits an instruction that modifies its destination, on a copy.
func (s *elements) tied(o op, t uint8, d, n, m reg) reg {
	c := s.v()
	s.moveV(c, d)
	s.emit(inst{op: o, t: t, d: c, n: n, m: m})
	return c
}

// host makes the host perform an instruction. The operands and the result pass through the context.
func (s *selector) host(i *gang.Inst) {
	for k, a := range i.Args {
		at, ok := argAt(i, k)
		if !ok {
			gang.Refuse("%v with %d operands", i.Op, len(i.Args))
		}
		s.pass(a, at)
	}
	if i.Mask != 0 {
		s.pass(i.Mask, ctxArgs+maskArg*argSize)
	}
	s.emit(inst{op: pCall, imm: int64(len(s.out.Hosts))})
	s.out.Hosts = append(s.out.Hosts, Host{Inst: i})
	if i.Dst == 0 {
		return
	}
	t := s.f.Type(i.Dst)
	list := make([]reg, number(t))
	for k := range list {
		at := int64(ctxArgs + resultArg*argSize + 16*k)
		if isGeneral(t) {
			list[k] = s.g()
			s.emit(inst{op: LDRX, d: list[k], n: rCtx, imm: at})
		} else {
			list[k] = s.v()
			s.emit(inst{op: LDRQ, d: list[k], n: rCtx, imm: at})
		}
	}
	s.define(i.Dst, list)
}

// pass stores an operand in the context.
func (s *selector) pass(r gang.Reg, at int) {
	o := STRQ
	if isGeneral(s.f.Type(r)) {
		o = STRX
	}
	for k, x := range s.use(r) {
		s.emit(inst{op: o, d: x, n: rCtx, imm: int64(at + 16*k)})
	}
}

// poll calls the host, if it wants to be polled, to ask whether to continue.
func (s *selector) poll() {
	ask, on := &block{cold: true}, &block{depth: s.cur.depth, cold: s.cur.cold}
	s.emit(inst{op: LDRX, d: rTmp, n: rCtx, imm: ctxStop})
	s.emit(inst{op: LDRB, d: rTmp, n: rTmp})
	s.branch(inst{op: CBNZ, w: 4, n: rTmp}, ask)
	s.jump(on)
	s.place(ask)
	s.emit(inst{op: pCall, imm: int64(len(s.out.Hosts))})
	s.out.Hosts = append(s.out.Hosts, Host{Poll: true})
	s.jump(on)
	s.place(on)
}

// terminator ends a block.
func (s *selector) terminator(b *gang.Block, i *gang.Inst) {
	to := make([]*block, len(b.Succs))
	for k, t := range b.Succs {
		to[k] = s.blocks[t.ID]
	}
	switch i.Op {
	case gang.OpReturn:
		s.emit(inst{op: pEnd})
	case gang.OpNext:
		s.emit(inst{op: pCall, imm: int64(len(s.out.Hosts))})
		s.out.Hosts = append(s.out.Hosts, Host{Next: true})
		s.emit(inst{op: LDRX, d: rTmp, n: rCtx, imm: int64(ctxArgs + resultArg*argSize)})
		s.branch(inst{op: CBNZ, w: 4, n: rTmp}, to[0])
		s.jump(to[1])
	case gang.OpJump:
		s.jump(to[0])
	case gang.OpBranch:
		s.branchInst(i, to)
	case gang.OpAny:
		p := s.use(i.Args[0])[0]
		if i.Mask != 0 {
			p = s.v3(VAND, 0, p, s.use(i.Mask)[0])
		}
		s.branch(inst{op: CBNZ, w: 4, n: s.across(VUMAXV, p)}, to[0])
		s.jump(to[1])
	case gang.OpSwitch:
		x := s.use(i.Args[0])[0]
		for k, c := range i.Cases {
			s.emit(inst{op: CMP, w: 8, n: x, m: s.number(c)})
			s.branch(inst{op: BCOND, imm: condEQ}, to[k+1])
		}
		s.jump(to[0])
	case gang.OpCheck:
		off, limit := s.use(i.Args[0])[0], s.limit(i)
		s.branch(inst{op: BCOND, imm: condLO}, to[1])
		s.emit(inst{op: CMP, w: 8, n: off, m: limit})
		s.branch(inst{op: BCOND, imm: condHI}, to[1])
		s.jump(to[0])
	}
}

// limit returns the greatest offset in bounds. The flags are "lower" if there is none.
func (s *selector) limit(i *gang.Inst) reg {
	at := ctxRoots + rootSize*int(i.Root) + rootLen
	if i.Write {
		at += rootWrites - rootLen
	}
	n := s.context(at)
	d := s.g()
	if i.Size < 4096 {
		s.emit(inst{op: CMPI, w: 8, n: n, imm: int64(i.Size)})
		s.emit(inst{op: SUBI, w: 8, d: d, n: n, imm: int64(i.Size)})
		return d
	}
	size := s.number(uint64(i.Size))
	s.emit(inst{op: CMP, w: 8, n: n, m: size})
	s.emit(inst{op: SUB, w: 8, d: d, n: n, m: size})
	return d
}

// across returns the least or the greatest byte of a vector in a general register.
func (s *elements) across(o op, p reg) reg {
	d := s.g()
	s.emit(inst{op: o, d: vTmp, n: p})
	s.emit(inst{op: VUMOV, d: d, n: vTmp})
	return d
}

func (s *selector) vote(i *gang.Inst) {
	p := s.use(i.Args[0])[0]
	any, all := p, p
	if i.Mask != 0 {
		m := s.use(i.Mask)[0]
		any, all = s.v3(VAND, 0, p, m), s.v3(VORN, 0, p, m)
	}
	a, o := s.across(VUMINV, all), s.across(VUMAXV, any)
	d := s.g()
	some, one := s.number(ssa.VoteSome), s.number(ssa.VoteAll)
	s.emit(inst{op: CMPI, w: 4, n: o})
	s.emit(inst{op: CSEL, w: 8, d: d, n: rZero, m: some, imm: condEQ})
	s.emit(inst{op: CMPI, w: 4, n: a})
	e := s.g()
	s.emit(inst{op: CSEL, w: 8, d: e, n: d, m: one, imm: condEQ})
	s.define(i.Dst, []reg{e})
}

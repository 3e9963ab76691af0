package arm64

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/cpu/gang"
)

// layout moves cold blocks to the end and renumbers all blocks.
func (c *code) layout() {
	var hot, cold []*block
	for k, b := range c.blocks {
		if b.cold && k > 0 {
			cold = append(cold, b)
		} else {
			hot = append(hot, b)
		}
	}
	c.blocks = append(hot, cold...)
	for k, b := range c.blocks {
		b.id = k
	}
}

// An emitter writes machine code.
type emitter struct {
	assembler
	exit int // label of the code that returns for a host call
	text *strings.Builder
}

// x emits an instruction with fixed registers.
func (e *emitter) x(i machineInst) {
	if e.text != nil {
		fmt.Fprintf(e.text, "\t%s\n", i.String())
	}
	e.emit(i)
}

const (
	xCtx  = 26
	xTmp  = 16
	xTmp2 = 17
	xLink = 30
	xZero = 31
)

// finish writes the code: entry, blocks, exits.
func (s *selector) finish(o Options) (err error) {
	e := &emitter{}
	if o.Listing {
		e.text = &strings.Builder{}
	}
	for _, b := range s.code.blocks {
		b.label = e.newLabel()
	}
	e.exit = e.newLabel()
	e.entry(s.code.blocks[0].label)
	for k, b := range s.code.blocks {
		e.bind(b.label)
		if e.text != nil {
			fmt.Fprintf(e.text, "L%d:", b.label)
			if b.cold {
				e.text.WriteString(" ; cold")
			}
			e.text.WriteByte('\n')
		}
		for n := range b.insts {
			i := &b.insts[n]
			last := n == len(b.insts)-1 && k+1 < len(s.code.blocks)
			if s.unneeded(i) || i.op == B && last && i.target == s.code.blocks[k+1] {
				continue
			}
			s.out.Insts++
			e.inst(s, i)
		}
	}
	e.exits()
	if e.text != nil {
		s.out.Listing = e.text.String()
	}
	s.out.Bytes, err = e.bytes()
	return err
}

// unneeded reports whether an instruction copies a register to itself or emits nothing.
func (s *selector) unneeded(i *inst) bool {
	if i.op == pImplicit {
		return true
	}
	m := s.machine(i)
	return i.copies && m.d == m.m
}

func (e *emitter) inst(s *selector, i *inst) {
	switch i.op {
	case pCall:
		back := e.newLabel()
		if i.imm >= 1<<16 {
			gang.Refuse("more than %d calls of the host", 1<<16)
		}
		if e.text != nil {
			h := s.out.Hosts[i.imm]
			what := "whether to go on"
			if h.Inst != nil {
				what = s.f.Inst(h.Inst)
			}
			fmt.Fprintf(e.text, "\t; host call %d: %s\n", i.imm, what)
		}
		e.x(machineInst{op: MOVZ, w: 4, d: xTmp, imm: i.imm})
		e.x(machineInst{op: ADR, d: xTmp2, label: back})
		e.x(machineInst{op: B, label: e.exit})
		e.bind(back)
	case pEnd:
		e.x(machineInst{op: STRX, d: xZero, n: xCtx, imm: ctxStatus})
		e.x(machineInst{op: LDRX, d: xLink, n: xCtx, imm: ctxLink})
		e.x(machineInst{op: RET, n: xLink})
	default:
		m := s.machine(i)
		if r := &rows[m.op]; r.form == fMem && m.n == xCtx && m.imm > 4095*int64(r.size) { // the offset exceeds the instruction's range
			e.x(machineInst{op: MOVZ, w: 8, d: xTmp2, imm: m.imm & 0xffff})
			e.x(machineInst{op: MOVK, w: 8, d: xTmp2, imm: m.imm >> 16, imm2: 16})
			e.x(machineInst{op: ADD, w: 8, d: xTmp2, n: xCtx, m: xTmp2})
			m.n, m.imm = xTmp2, 0
		}
		e.x(m)
	}
}

// saved calls f for all pairs of general registers that code uses, then for all pairs of vector registers.
func saved(general, vector func(a, b uint8, at int64)) {
	for n := uint8(0); n < 26; n += 2 {
		if n != 16 && n != 18 {
			general(n, n+1, 8*int64(n))
		}
	}
	general(19, 25, 8*16) // in the place of X16 and X17
	for n := uint8(0); n < 32; n += 2 {
		vector(n, n+1, 16*int64(n))
	}
}

// base emits the address of an offset in the context.
func (e *emitter) base(at int64) {
	e.x(machineInst{op: ADDI, w: 8, d: xTmp2, n: xCtx, imm: at})
}

// transfer emits stores or loads of all registers.
func (e *emitter) transfer(general, vector op) {
	e.base(int64(ctxGeneral))
	first := true
	saved(func(a, b uint8, at int64) {
		e.x(machineInst{op: general, d: a, a: b, n: xTmp2, imm: at})
	}, func(a, b uint8, at int64) {
		if first {
			e.base(int64(ctxVector))
			first = false
		}
		e.x(machineInst{op: vector, d: a, a: b, n: xTmp2, imm: at})
	})
}

// entry emits the start of the code. X0 is the context. After a host call execution resumes where it stopped.
func (e *emitter) entry(begin int) {
	e.x(machineInst{op: ORR, w: 8, d: xCtx, n: xZero, m: 0})
	e.x(machineInst{op: STRX, d: xLink, n: xCtx, imm: ctxLink})
	e.x(machineInst{op: LDRX, d: xTmp, n: xCtx, imm: ctxResume})
	e.x(machineInst{op: CBZ, w: 8, n: xTmp, label: begin})
	e.transfer(LDPX, LDPQ)
	e.x(machineInst{op: BR, n: xTmp})
}

// exits emits the return to the host: X16 is the number of the host call, X17 the address to resume at.
func (e *emitter) exits() {
	e.bind(e.exit)
	e.x(machineInst{op: STRX, d: xTmp2, n: xCtx, imm: ctxResume})
	e.x(machineInst{op: STRX, d: xTmp, n: xCtx, imm: ctxHost})
	e.x(machineInst{op: MOVZ, w: 8, d: xTmp, imm: statusHost})
	e.x(machineInst{op: STRX, d: xTmp, n: xCtx, imm: ctxStatus})
	e.transfer(STPX, STPQ)
	e.x(machineInst{op: LDRX, d: xLink, n: xCtx, imm: ctxLink})
	e.x(machineInst{op: RET, n: xLink})
}

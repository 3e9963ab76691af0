package interp

import "github.com/purecl/purecl/internal/ir/ssa"

// An emitter appends instructions to the current block of a draft, each with the guards that its operands need. It
// does not know which instructions an op needs.
type emitter struct {
	draft

	cur    *build
	guards []*inst // of the next instruction
	ispool []inst
}

func (e *emitter) newInst(v *ssa.Value, run kernel, uniform bool) *inst {
	if len(e.ispool) == 0 {
		e.ispool = make([]inst, 128)
	}
	in := &e.ispool[0]
	e.ispool = e.ispool[1:]
	e.c.insts++
	if e.c.insts > maxInsts {
		e.c.fail(e.f, v.Pos, "is too large")
	}
	*in = inst{run: run, uniform: uniform, d: noReg, a: noReg, b: noReg, c: noReg, pos: v.Pos, id: e.c.insts}
	return in
}

// emit appends an instruction with the guards collected for it.
func (e *emitter) emit(in *inst) *inst {
	if len(e.guards) > 0 {
		in.guards = append([]*inst(nil), e.guards...)
		e.guards = e.guards[:0]
	}
	e.cur.insts = append(e.cur.insts, in)
	return in
}

// op emits a kernel with up to three operands and one result.
func (e *emitter) op(v *ssa.Value, run kernel, uniform bool, size uint8, args ...reg) reg {
	d := e.newReg(size, uniform)
	e.opTo(v, run, uniform, d, args...)
	return d
}

func (e *emitter) opTo(v *ssa.Value, run kernel, uniform bool, d reg, args ...reg) *inst {
	in := e.newInst(v, run, uniform)
	in.d = d
	in.setOperands(&e.registers, uniform, args)
	return e.emit(in)
}

// guard adds a check that runs before the next emitted instruction, and is removed with it.
func (e *emitter) guard(v *ssa.Value, run kernel, uniform bool, args ...reg) *inst {
	in := e.newInst(v, run, uniform)
	in.setOperands(&e.registers, uniform, args)
	e.guards = append(e.guards, in)
	return in
}

// moveInst emits a move of r to d.
func (e *emitter) moveInst(v *ssa.Value, d, r reg) *inst {
	in := e.newInst(v, nil, false)
	in.d, in.a = d, r
	in.run = moveKernel(e.regs[d].size, e.regs[d].uniform, e.regs[r].uniform)
	in.uniform = e.regs[d].uniform
	return e.emit(in)
}

// flushGuards emits the guards of a value that needs no instruction.
func (e *emitter) flushGuards(v *ssa.Value) {
	for _, g := range e.guards {
		g.effect = true
		e.cur.insts = append(e.cur.insts, g)
	}
	e.guards = e.guards[:0]
}

// setOperands sets the registers a, b and c.
func (in *inst) setOperands(rs *registers, uniform bool, args []reg) {
	for i, a := range args {
		a = rs.form(a, uniform)
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

// setColumns sets the registers that the instruction reads and writes to those of v's arguments and result.
func (in *inst) setColumns(e *emitter, v *ssa.Value) {
	for _, a := range v.Args {
		e.use(v, a, false)
		for _, r := range e.comps[a.ID] {
			in.src = append(in.src, e.vary(r))
		}
	}
	if v.Type.K != ssa.Void {
		e.comps[v.ID] = e.fresh(v.Type, false)
		in.dst = append(in.dst, e.comps[v.ID]...)
	}
}

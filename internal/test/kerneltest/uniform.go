package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// groupStatement returns a statement with barriers that all work-items of a group execute.
func (g *controlFlow) groupStatement(in int) *node {
	fence := oneOf(g, "barrier(CLK_LOCAL_MEM_FENCE)", "barrier(CLK_LOCAL_MEM_FENCE)", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)")
	if g.standard != opencl12 && g.chance(3) {
		fence = "work_group_barrier(CLK_LOCAL_MEM_FENCE)"
	}
	fence = "  " + fence + ";\n"
	if in > 0 && g.chance(3) {
		list := []func(int) *node{g.uniformLoop, g.uniformLoop, g.uniformBranch, g.flagLoop}
		if g.again != "" {
			list = append(list, g.votedLoop)
		}
		return oneOf(g, list...)(in - 1)
	}
	if g.standard != opencl12 && g.chance(2) {
		return oneOf(g, g.workGroup, g.subGroup, g.subGroup)()
	}
	if len(g.counts) > 0 && g.chance(2) {
		return g.counting(fence)
	}
	l := g.locals[g.IntN(len(g.locals))]
	switch g.IntN(9) {
	case 6:
		for _, i := range g.Perm(len(g.locals)) {
			if n := g.asyncStore(g.locals[i]); n != nil {
				return n
			}
		}
	case 5: // work-items exchange elements in a pattern
		v := variable{name: g.name("v"), typ: l.typ}
		at := oneOf(g, "(lid ^ %s) & (lsz - 1)", "(lid + %s) & (lsz - 1)", "min(lid ^ %s, lsz - 1)", "(lid + %s) %% lsz", "lsz - 1 - lid + 0 * (%s)")
		by := fmt.Sprint(g.IntN(20))
		if g.chance(3) {
			by = g.same()
		}
		n := statement(fmt.Sprintf("  %s[lid] = ", l.name), g.expr(l.typ, 2), ";\n", fence, fmt.Sprintf("  %s %s = %s[%s];\n", v.typ, v.name, l.name, fmt.Sprintf(at, by)), fence)
		g.vars = append(g.vars, v)
		return n
	case 0: // a tree reduction
		op := oneOf(g, "+", "*", "-")
		return statement(fence, fmt.Sprintf("  for (uint s = lsz / 2; s > 0; s >>= 1) {\n  if (lid < s) %s[lid] = %s[lid] %s %s[lid + s];\n", l.name, l.name, op, l.name), fence, "  }\n")
	case 1: // a scan
		t := g.name("v")
		return statement(fence, fmt.Sprintf("  for (uint s = 1; s < lsz; s *= 2) {\n  %s %s = %s[(lid + s) %% lsz];\n", l.typ, t, l.name), fence, fmt.Sprintf("  %s[lid] += %s;\n", l.name, t), fence, "  }\n")
	case 3:
		for _, i := range g.Perm(len(g.locals)) {
			if n := g.asyncCopy(g.locals[i], fence); n != nil {
				return n
			}
		}
	case 4:
		return g.exchange(l, fence)
	}
	v := variable{name: g.name("v"), typ: l.typ}
	n := statement(fmt.Sprintf("  %s[lid] = ", l.name), g.expr(l.typ, depth), ";\n", fence, fmt.Sprintf("  %s %s = %s[(lid + ", v.typ, v.name, l.name), g.expr(Type{numeric.U32, 1}, 1), ") % lsz];\n", fence)
	g.vars = append(g.vars, v)
	return n
}

// cooperate returns a statement of a cooperative kernel.
func (g *controlFlow) cooperate(in int) *node {
	if len(g.counts) > 0 && g.chance(3) {
		return g.counting(fenceLocal)
	}
	l := g.locals[g.IntN(len(g.locals))]
	switch g.IntN(22) {
	case 16, 17, 18, 19, 20, 21:
		return g.stencil(l)
	case 14, 15:
		if g.side > 0 {
			return g.transposeBlocks()
		}
	case 11, 12, 13:
		return g.twiddle(l)
	case 9, 10:
		if l.typ.N == 1 {
			return g.compareExchange(l)
		}
	case 0, 1:
		return g.readNeighbours(l)
	case 3:
		if in > 0 {
			return g.uniformLoop(in - 1)
		}
	case 4:
		if in > 0 {
			return g.uniformBranch(in - 1)
		}
	case 5:
		return g.exchange(l, fenceLocal)
	case 6:
		return g.halving(l)
	case 2, 7:
		return g.tile(l)
	case 8:
		if g.chance(2) {
			if n := g.blocks(); n != nil {
				return n
			}
		}
		if in > 0 && g.chance(2) {
			return g.branchOn(g.tileInside(), in-1)
		}
	}
	return statement(fmt.Sprintf("  %s[lid] = ", l.name), g.expr(l.typ, 2), ";\n", fenceLocal)
}

// uniformLoop returns a loop that all work-items of a group execute equally often.
func (g *controlFlow) uniformLoop(in int) *node {
	i := variable{name: g.name("i"), typ: Type{numeric.I32, 1}, fixed: true, below: 1 + g.IntN(3)}
	bound, out := fmt.Sprint(i.below), ""
	if g.chance(2) {
		bound = fmt.Sprintf("(int)(%s %% %d)", g.same(), i.below+1)
	}
	if g.chance(4) {
		out = fmt.Sprintf("  if (%s %% 3 == 1) %s;\n", g.same(), oneOf(g, "break", "continue"))
	}
	g.vars = append(g.vars, i)
	g.loops = append(g.loops, loop{noBreak: true})
	n := statement(fmt.Sprintf("  for (int %s = 0; %s < %s; %s++) {\n", i.name, i.name, bound, i.name), g.block(in, true), out, g.block(in, true), "  }\n")
	g.loops = g.loops[:len(g.loops)-1]
	g.vars = g.vars[:len(g.vars)-1]
	return n
}

// flagLoop returns a loop that all work-items of a group execute, while a flag switches off the body of some.
func (g *controlFlow) flagLoop(in int) *node {
	i := variable{name: g.name("i"), typ: Type{numeric.I32, 1}, fixed: true, below: 2 + g.IntN(3)}
	on := g.name("on")
	g.vars = append(g.vars, i)
	g.loops = append(g.loops, loop{noBreak: true})
	n := statement(fmt.Sprintf("  {\n  int %s = 1;\n  for (int %s = 0; %s < %d; %s++) {\n  if (%s) {\n", on, i.name, i.name, i.below, i.name, on),
		g.block(in, false), "  if (", g.cond(2), fmt.Sprintf(") %s = 0;\n  }\n", on), g.block(in, true), "  }\n  }\n")
	g.loops = g.loops[:len(g.loops)-1]
	g.vars = g.vars[:len(g.vars)-1]
	return n
}

// votedLoop returns a loop that one work-item of a group ends for all.
func (g *controlFlow) votedLoop(in int) *node {
	i := variable{name: g.name("i"), typ: Type{numeric.I32, 1}, fixed: true, below: 2 + g.IntN(3)}
	const fence = "  barrier(CLK_LOCAL_MEM_FENCE);\n"
	g.vars = append(g.vars, i)
	g.loops = append(g.loops, loop{noBreak: true})
	n := statement(fmt.Sprintf("  {\n  int %s = 0;\n  do {\n", i.name), g.block(in, true), fence, fmt.Sprintf("  if (lid == 0) %s = ", g.again), g.cond(2), ";\n", fence,
		fmt.Sprintf("  } while (%s && ++%s < %d);\n%s  }\n", g.again, i.name, i.below, fence))
	g.loops = g.loops[:len(g.loops)-1]
	g.vars = g.vars[:len(g.vars)-1]
	return n
}

// uniformBranch returns a branch or switch that is uniform in a group.
func (g *controlFlow) uniformBranch(in int) *node {
	if g.chance(3) {
		parts := []any{fmt.Sprintf("  switch (%s & 3) {\n", g.same())}
		g.loops = append(g.loops, loop{noBreak: true})
		for _, c := range g.Perm(4)[:1+g.IntN(3)] {
			parts = append(parts, fmt.Sprintf("  case %d: ", c), g.block(in, true), oneOf(g, "  break;\n", "  break;\n", ""))
		}
		g.loops = g.loops[:len(g.loops)-1]
		return statement(append(parts, "  }\n")...)
	}
	cond := fmt.Sprintf("%s %% %d %s %d", g.same(), 2+g.IntN(3), oneOf(g, "==", "<", ">"), g.IntN(2))
	if g.chance(3) {
		cond = g.tileInside()
	}
	return g.branchOn(cond, in)
}

// branchOn returns a branch on a condition that is uniform in a group.
func (g *controlFlow) branchOn(cond string, in int) *node {
	parts := []any{fmt.Sprintf("  if (%s) ", cond), g.block(in, true)}
	if g.chance(2) {
		parts = append(parts, "  else ", g.block(in, true))
	}
	return statement(parts...)
}

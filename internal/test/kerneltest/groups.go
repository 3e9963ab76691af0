package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// groupStatement returns a statement with barriers that all work-items of a group execute.
func (g *generator) groupStatement(in int) *node {
	fence := oneOf(g, "barrier(CLK_LOCAL_MEM_FENCE)", "barrier(CLK_LOCAL_MEM_FENCE)", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)")
	if g.k.Options != "-cl-std=CL1.2" && g.chance(3) {
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
	if g.k.Options != "-cl-std=CL1.2" && g.chance(2) {
		return oneOf(g, g.workGroup, g.subGroup, g.subGroup)()
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
	case 2:
		for _, c := range g.counts {
			v := variable{name: g.name("v"), typ: c.typ}
			n := statement(fence, fmt.Sprintf("  for (uint i = lid; i < %d; i += lsz) %s[i] = %s;\n", c.n, c.name, g.literal(c.typ)), fence,
				g.atomic(c, c.name), fence, fmt.Sprintf("  %s %s = %s[", c.typ, v.name, c.name), g.index(c.n, 1), "];\n", fence)
			g.vars = append(g.vars, v)
			return n
		}
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

// exchange lets pairs of work-items read and write each other's elements, at one distance or at several.
func (g *generator) exchange(l local, fence string) *node {
	by, p, v := g.name("n"), g.name("n"), variable{name: g.name("v"), typ: l.typ}
	u := fmt.Sprint(g.IntN(2 * g.group))
	if g.chance(3) {
		u = fmt.Sprintf("%s & %d", g.same(), 2*g.group-1)
	}
	some := oneOf(g, "", fmt.Sprintf(" && %s > lid", p), fmt.Sprintf(" && (lid & %d)", 1+g.IntN(8)))
	step := fixed(fmt.Sprintf("  uint %s = lid ^ %s;\n", p, by), fence, fmt.Sprintf("  %s %s = %s[lid];\n  if (%s < lsz%s) %s = %s[%s];\n  %s += ", l.typ, v.name, l.name, p, some, v.name, l.name, p, v.name), g.expr(l.typ, 2),
		";\n", fence, fmt.Sprintf("  if (%s < lsz%s) %s[%s] = %s;\n", p, some, l.name, p, v.name), fence)
	if g.chance(2) {
		return statement(fmt.Sprintf("  for (uint %s = %s; %s > 0; %s >>= 1) {\n", by, u, by, by), step, "  }\n")
	}
	g.vars = append(g.vars, v)
	return statement(fmt.Sprintf("  uint %s = %s;\n", by, u), step)
}

// same returns an integer that is uniform in a group.
func (g *generator) same() string {
	d := g.IntN(len(g.k.Global))
	for _, i := range g.Perm(len(g.ins)) {
		if b := g.ins[i]; b.typ.N == 1 && b.typ.Kind.IsInt() && g.chance(2) {
			at := fmt.Sprint(g.IntN(b.n))
			if g.chance(2) {
				at = fmt.Sprintf("get_group_id(%d) %% %d", d, b.n)
			}
			return fmt.Sprintf("(uint)%s[%s]", b.name, at)
		}
	}
	return fmt.Sprintf("(uint)%s(%d)", oneOf(g, "get_group_id", "get_num_groups", "get_local_size", "get_global_size"), d)
}

// uniformLoop returns a loop that all work-items of a group execute equally often.
func (g *generator) uniformLoop(in int) *node {
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
func (g *generator) flagLoop(in int) *node {
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
func (g *generator) votedLoop(in int) *node {
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
func (g *generator) uniformBranch(in int) *node {
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
		cond = tileInside(g)
	}
	return branchOn(g, cond, in)
}

// branchOn returns a branch on a condition that is uniform in a group.
func branchOn(g *generator, cond string, in int) *node {
	parts := []any{fmt.Sprintf("  if (%s) ", cond), g.block(in, true)}
	if g.chance(2) {
		parts = append(parts, "  else ", g.block(in, true))
	}
	return statement(parts...)
}

// tileInside returns the condition, computed from the work-item's own id, that the group's tile lies within a
// number of whole tiles. It is uniform in a group.
func tileInside(g *generator) string {
	d, each := g.IntN(len(g.k.Local)), 1+g.IntN(3)
	tile := 1
	for tile < each*g.k.Local[d] {
		tile *= 2
	}
	g.k.required = true
	t := oneOf(g, "int", "uint", "long", "ulong")
	x, y := fmt.Sprintf("(%s)(get_local_id(%d) * %d + get_group_id(%d) * %d)", t, d, each, d, tile), fmt.Sprintf("(%s)(%s %% %d / %d * %d)", t, g.same(), 5*tile, tile, tile)
	return fmt.Sprintf(oneOf(g, "%s < %s", "!(%s >= %s)", "%s >= %s"), x, y)
}

// resultOf declares a variable of type t that is initialised by parts.
func (g *generator) resultOf(t Type, parts ...any) *node {
	v := variable{name: g.name("v"), typ: t}
	n := statement(append(append([]any{fmt.Sprintf("  %s %s = ", t, v.name)}, parts...), ";\n")...)
	g.vars = append(g.vars, v)
	return n
}

var folds = []string{"add", "min", "max"}

// workGroup calls a work-group function.
func (g *generator) workGroup() *node {
	t := Type{oneOf(g, numeric.I32, numeric.U32, numeric.I64, numeric.U64, numeric.F16, numeric.F32, numeric.F64), 1}
	switch g.IntN(6) {
	case 0:
		return g.resultOf(Type{numeric.I32, 1}, oneOf(g, "work_group_all", "work_group_any"), "(", g.cond(2), ")")
	case 1:
		at := ""
		for d := range g.k.Global {
			at += fmt.Sprintf(", %s %% get_local_size(%d)", g.same(), d)
		}
		return g.resultOf(t, "work_group_broadcast(", g.expr(t, 2), at, ")")
	}
	return g.resultOf(t, oneOf(g, "work_group_reduce_", "work_group_scan_inclusive_", "work_group_scan_exclusive_"), oneOf(g, folds...), "(", g.expr(t, 2), ")")
}

// subGroup calls a sub-group function, for the whole sub-group or for those of its work-items for which a condition
// holds.
func (g *generator) subGroup() *node {
	t := Type{oneOf(g, numeric.I32, numeric.U32, numeric.I64, numeric.U64, numeric.F16, numeric.F32, numeric.F64), 1}
	if g.chance(3) {
		t.Kind = oneOf(g, numeric.I8, numeric.U8, numeric.I16, numeric.U16)
	}
	u, x := Type{numeric.U32, 1}, g.expr(t, 2)
	switch g.IntN(10) {
	case 0:
		return g.resultOf(Type{numeric.I32, 1}, oneOf(g, "sub_group_all", "sub_group_any", "sub_group_non_uniform_all", "sub_group_non_uniform_any"), "(", g.cond(2), ")")
	case 1:
		return g.resultOf(t, "sub_group_broadcast(", x, fmt.Sprintf(", %s %% get_sub_group_size())", g.same()))
	case 2, 3:
		return g.resultOf(t, oneOf(g, "sub_group_shuffle", "sub_group_shuffle_xor", "sub_group_shuffle_up", "sub_group_shuffle_down"), "(", x, ", ", value(u, "(uint)(", g.expr(u, 1), ") & 15"), ")")
	case 4:
		return g.resultOf(Type{numeric.U32, 4}, "sub_group_ballot(", g.cond(2), ")")
	case 5:
		return g.resultOf(u, oneOf(g, "get_sub_group_id", "get_sub_group_local_id", "get_sub_group_size", "get_num_sub_groups", "get_max_sub_group_size"), "()")
	case 6, 7: // by some work-items
		v := variable{name: g.name("v"), typ: t}
		f := oneOf(g, "sub_group_non_uniform_reduce_", "sub_group_non_uniform_scan_inclusive_", "sub_group_non_uniform_scan_exclusive_") + oneOf(g, "add", "min", "max", "mul")
		n := statement(fmt.Sprintf("  %s %s = 0;\n  if (", t, v.name), g.cond(2), fmt.Sprintf(") %s = %s(", v.name, f), x, ");\n")
		g.vars = append(g.vars, v)
		return n
	}
	return g.resultOf(t, oneOf(g, "sub_group_reduce_", "sub_group_scan_inclusive_", "sub_group_scan_exclusive_"), oneOf(g, folds...), "(", x, ")")
}

// asyncCopy copies elements of a buffer to local memory with an async copy.
func (g *generator) asyncCopy(l local, fence string) *node {
	for _, i := range g.Perm(len(g.ins)) {
		b := g.ins[i]
		if b.typ != l.typ || !b.global {
			continue
		}
		n := 1 + g.IntN(min(b.n, g.group))
		v, e := variable{name: g.name("v"), typ: l.typ}, g.name("e")
		if step := 1 + g.IntN(4); n > 0 && (n-1)*step < b.n && g.chance(2) {
			s := statement(fence, fmt.Sprintf("  event_t %s = async_work_group_strided_copy(%s, %s + %d, %d, %d, 0);\n  wait_group_events(1, &%s);\n", e, l.name, b.name, g.IntN(b.n-(n-1)*step), n, step, e),
				fmt.Sprintf("  %s %s = %s[(lid + ", v.typ, v.name, l.name), g.expr(Type{numeric.U32, 1}, 1), ") % lsz];\n", fence)
			g.vars = append(g.vars, v)
			return s
		}
		s := statement(fence, fmt.Sprintf("  event_t %s = async_work_group_copy(%s, %s + %d, %d, 0);\n  wait_group_events(1, &%s);\n", e, l.name, b.name, g.IntN(b.n-n+1), n, e),
			fmt.Sprintf("  %s %s = %s[(lid + ", v.typ, v.name, l.name), g.expr(Type{numeric.U32, 1}, 1), ") % lsz];\n", fence)
		g.vars = append(g.vars, v)
		return s
	}
	return nil
}

// asyncStore copies a group's elements from local memory to a buffer in which they are contiguous.
func (g *generator) asyncStore(l local) *node {
	if len(g.k.Global) > 1 {
		return nil
	}
	for _, i := range g.Perm(len(g.outs)) {
		b := g.outs[i]
		if b.typ != l.typ || b.each != 1 || b.backward {
			continue
		}
		e := g.name("e")
		all := "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
		return statement(all, fmt.Sprintf("  event_t %s = async_work_group_copy(%s + (lin - lid), %s, lsz, 0);\n  wait_group_events(1, &%s);\n", e, b.name, l.name, e), all)
	}
	return nil
}

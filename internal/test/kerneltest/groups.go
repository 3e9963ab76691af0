package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// resultOf declares a variable of type t that is initialised by parts.
func (g *cooperation) resultOf(t Type, parts ...any) *node {
	v := variable{name: g.name("v"), typ: t}
	n := statement(append(append([]any{fmt.Sprintf("  %s %s = ", t, v.name)}, parts...), ";\n")...)
	g.vars = append(g.vars, v)
	return n
}

var folds = []string{"add", "min", "max"}

// workGroup calls a work-group function.
func (g *cooperation) workGroup() *node {
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
func (g *cooperation) subGroup() *node {
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
func (g *cooperation) asyncCopy(l local, fence string) *node {
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
func (g *cooperation) asyncStore(l local) *node {
	if len(g.k.Global) > 1 {
		return nil
	}
	for _, i := range g.Perm(len(g.outs)) {
		b := g.outs[i]
		if b.typ != l.typ || b.each != 1 || b.place != "" {
			continue
		}
		e := g.name("e")
		all := "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
		return statement(all, fmt.Sprintf("  event_t %s = async_work_group_copy(%s + (lin - lid), %s, lsz, 0);\n  wait_group_events(1, &%s);\n", e, b.name, l.name, e), all)
	}
	return nil
}

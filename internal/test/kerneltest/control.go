package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A controlFlow writes statements that contain statements, and chooses the next statement. It knows the enclosing
// loops and which work-items are active: it ensures that loops terminate and that all work-items of a group reach its
// barriers. It knows neither the kernel's parameters nor where its body begins and ends.
type controlFlow struct {
	cooperation
	loops   []loop // enclosing loops
	left    int    // number of statements still to generate
	rounds  int    // product of the enclosing counted loops' trip counts
	uniform bool   // all work-items of the group are active
}

// A loop is an enclosing loop or switch.
type loop struct {
	label   bool // it is a switch
	noBreak bool // all work-items stay together
}

// statements returns a list of statements, which may nest in levels deep.
func (g *controlFlow) statements(in int) *node {
	n := statement()
	count := 1 + g.IntN(3)
	if in == nest {
		count = g.left
	}
	for ; count > 0 && g.left > 0; count-- {
		g.left--
		n.parts = append(n.parts, g.statement(in))
	}
	return n
}

// block returns statements in a scope of their own; uniform is set if all work-items execute it together.
func (g *controlFlow) block(in int, uniform bool) *node {
	outer, was := g.names, g.uniform
	g.uniform = g.uniform && uniform
	n := g.statements(in)
	g.names, g.uniform = outer, was
	return fixed("{\n", n, "  }\n")
}

// statement returns a statement, which may nest in levels deep.
func (g *controlFlow) statement(in int) *node {
	if g.style == mixed && g.barriers && g.uniform && (g.busy || g.chance(2)) && len(g.locals) > 0 {
		return g.groupStatement(in)
	}
	if g.wild && g.kernel && g.chance(6) {
		return g.edge()
	}
	if g.style != mixed {
		return g.regularStatement(in)
	}
	if in > 0 {
		if n := g.nestedStatement(in - 1); n != nil {
			return n
		}
	}
	switch g.IntN(15) {
	case 0, 1, 2:
		return g.declare()
	case 12:
		if g.kernel && len(g.tickets) > 0 {
			return g.useTicket()
		}
	case 13:
		if n := g.copyStruct(); n != nil {
			return n
		}
	case 14:
		if g.kernel && g.prints {
			return g.print()
		}
	case 3:
		if len(g.sums) > 0 {
			c := g.sums[g.IntN(len(g.sums))]
			return g.atomic(c, c.name)
		}
		if n := oneOf(g, g.atomicResult, g.ownAtomic)(); n != nil {
			return n
		}
	case 4:
		if g.kernel && len(g.drawn) > 0 && g.chance(2) {
			return g.writePicture()
		}
		if g.kernel {
			return g.vstore()
		}
	case 5:
		if n := oneOf(g, g.walk, g.sweep, g.fill, g.switchArrays, g.sumToBound, g.sumToBound)(); n != nil {
			return n
		}
	case 6:
		n, t := g.through(depth)
		if g.chance(2) {
			t = g.typ()
			n = g.call(t, 2, true)
		}
		if n != nil {
			v := variable{name: g.name("v"), typ: t}
			s := statement(fmt.Sprintf("  %s %s = ", t, v.name), n, ";\n")
			g.vars = append(g.vars, v)
			return s
		}
	}
	return g.assign()
}

// nestedStatement returns a statement that contains others, nested at most in levels deep, or nil.
func (g *controlFlow) nestedStatement(in int) *node {
	switch g.IntN(15) {
	case 7:
		if g.kernel {
			return g.counted(in)
		}
	case 0, 1:
		return g.branch(in)
	case 2, 3:
		return g.loop(in)
	case 4:
		return g.choice(in)
	case 5:
		if g.chance(2) {
			return g.jump(in)
		}
	case 6:
		if len(g.loops) > 0 || g.chance(4) {
			return g.leave()
		}
	}
	return nil
}

// regularStatement returns a statement of a kernel with a style other than mixed.
func (g *controlFlow) regularStatement(in int) *node {
	if g.style == cooperative && g.barriers && g.uniform && g.chance(2) {
		return g.cooperate(in)
	}
	if g.style == crossed {
		if !g.chance(3) {
			if n := g.crossing(); n != nil {
				return n
			}
		}
		return g.declareValue()
	}
	switch g.IntN(12) {
	case 0, 1, 2:
		if in > 0 {
			return g.counted(in - 1)
		}
	case 3, 4:
		return g.chain()
	case 5:
		if g.chance(2) {
			if n := g.rowFill(); n != nil {
				return n
			}
		}
		return g.row()
	case 6:
		if n := oneOf(g, g.fill, g.windows)(); n != nil {
			return n
		}
	case 7:
		if g.chance(2) {
			if n := g.network(); n != nil {
				return n
			}
		}
		return g.vstore()
	case 8:
		if g.chance(2) {
			if n := g.nested(); n != nil {
				return n
			}
		}
		if n := g.rowFill(); n != nil {
			return n
		}
		if g.chance(2) {
			if n := g.rowLoop(); n != nil {
				return n
			}
		}
		if g.chance(2) {
			if n := g.fieldwise(); n != nil {
				return n
			}
		}
		return g.declareValue()
	case 9:
		if n := g.vectorChain(); n != nil {
			return n
		}
	case 10:
		if !g.even && g.chance(3) {
			if n := g.ownAtomic(); n != nil {
				return n
			}
		}
	}
	if g.style != straight && in > 0 {
		switch g.IntN(8) {
		case 0:
			return g.branch(in - 1)
		case 1:
			return g.loop(in - 1)
		case 2:
			return g.borderBranch(in - 1)
		}
	}
	return g.assign()
}

func (g *controlFlow) branch(in int) *node {
	parts := []any{"  if (", g.cond(2), ") ", g.block(in, false)}
	if g.chance(2) {
		parts = append(parts, "  else ", g.block(in, false))
	}
	return statement(parts...)
}

// borderBranch returns a branch that separates the work-items at a border.
func (g *controlFlow) borderBranch(in int) *node {
	p, d := g.position(1<<12), 1+g.IntN(2)
	parts := []any{fmt.Sprintf("  if ((long)(%s) >= %s && (long)(%s) < %s) ", p.text, g.number(d), p.text, g.number(max(1, p.most+1-d))), g.block(in, false)}
	if g.chance(2) {
		parts = append(parts, "  else ", g.block(in, false))
	}
	return statement(parts...)
}

// loop returns a loop that terminates.
func (g *controlFlow) loop(in int) *node {
	i := variable{name: g.name("i"), typ: Type{oneOf(g, numeric.I32, numeric.I32, numeric.U32, numeric.I64, numeric.U8), 1}, fixed: true, below: oneOf(g, 1, 2, 3, 4, 7)}
	bound := value(i.typ, fmt.Sprint(i.below))
	if g.chance(2) {
		bound = value(i.typ, "(uint)(", g.expr(intTypes[g.IntN(len(intTypes))], 1), fmt.Sprintf(") %% %d", i.below+1))
	}
	init, limit := fmt.Sprintf("%s %s = 0", i.typ, i.name), g.name("b")
	vars := len(g.vars)
	enter := func(l loop) *node {
		g.vars = append(g.vars, i)
		g.loops = append(g.loops, l)
		n := g.block(in, false)
		g.loops = g.loops[:len(g.loops)-1]
		g.vars = g.vars[:vars]
		return n
	}
	switch g.IntN(5) {
	default:
		return statement("  for (", init, fmt.Sprintf(", %s = ", limit), bound, fmt.Sprintf("; %s < %s; %s++) ", i.name, limit, i.name), enter(loop{}))
	case 0: // downwards
		i.typ = Type{numeric.I32, 1}
		return statement("  for (", fmt.Sprintf("int %s = (int)(", i.name), bound, fmt.Sprintf(") - 1; %s >= 0; %s--) ", i.name, i.name), enter(loop{}))
	case 1:
		i.below++ // the counter is incremented before the body
		return statement("  {\n  ", init, ";\n  while (", fmt.Sprintf("%s < ", i.name), bound, " && ", g.cond(1), ") {\n", fmt.Sprintf("  %s++;\n  ", i.name), enter(loop{}), "  }\n  }\n").bounded(i)
	case 2:
		i.below++
		return statement("  {\n  ", init, ";\n  do {\n", fmt.Sprintf("  %s++;\n  ", i.name), enter(loop{}), fmt.Sprintf("  } while (%s < %d && ", i.name, i.below-1), g.cond(1), ");\n  }\n")
	}
}

// bounded adds a constant bound of i to loop n, whose own bound may change while it runs.
func (n *node) bounded(i variable) *node {
	for k, p := range n.parts {
		if s, ok := p.(string); ok && s == fmt.Sprintf("%s < ", i.name) {
			n.parts[k] = fmt.Sprintf("%s < %d && %s < ", i.name, i.below-1, i.name)
		}
	}
	return n
}

// leave returns a conditional break, continue or return.
func (g *controlFlow) leave() *node {
	out := ""
	if len(g.loops) > 0 {
		switch l := g.loops[len(g.loops)-1]; {
		case l.noBreak:
		case l.label:
			out = "break"
		default:
			out = oneOf(g, "break", "continue", "continue")
		}
	}
	if !g.kernel && (out == "" || g.chance(4)) {
		return statement("  if (", g.cond(2), ") return ", g.expr(g.result, 1), ";\n")
	}
	if g.kernel && !g.barriers && (out == "" || g.chance(4)) {
		out = "return"
	}
	if out == "" {
		return g.assign()
	}
	return statement("  if (", g.cond(2), ") "+out+";\n")
}

// choice returns a switch.
func (g *controlFlow) choice(in int) *node {
	t := oneOf(g, Type{numeric.I32, 1}, Type{numeric.U32, 1}, Type{numeric.I64, 1}, Type{numeric.U8, 1})
	parts := []any{"  switch ((", g.expr(t, 2), fmt.Sprintf(") & %d) {\n", oneOf(g, 3, 7))}
	g.loops = append(g.loops, loop{label: true, noBreak: false})
	for i, c := range g.Perm(8)[:1+g.IntN(4)] {
		label := fmt.Sprintf("  case %d: ", c)
		if i > 0 && g.chance(4) {
			label = "  default: " + label
			parts = dropDefault(parts)
		}
		body := fixed(g.block(in, false))
		end := "  break;\n"
		if g.chance(3) {
			end = ""
		}
		parts = append(parts, statement(label, body, end))
	}
	g.loops = g.loops[:len(g.loops)-1]
	return statement(append(parts, "  }\n")...)
}

// dropDefault removes "default:" from the cases.
func dropDefault(parts []any) []any {
	for _, p := range parts {
		if n, ok := p.(*node); ok && len(n.parts) > 0 {
			if s, ok := n.parts[0].(string); ok && len(s) > 11 && s[:11] == "  default: " {
				n.parts[0] = s[11:]
			}
		}
	}
	return parts
}

// jump returns control flow by goto: out of order, backwards, or into a loop.
func (g *controlFlow) jump(in int) *node {
	a, b, i := g.name("L"), g.name("L"), g.name("i")
	loops := g.loops
	g.loops = nil // break and continue would refer to an enclosing loop
	defer func() { g.loops = loops }()
	part := func() *node { return g.block(in, false) }
	switch g.IntN(4) {
	case 0: // a loop with two entries
		return statement(fmt.Sprintf("  {\n  int %s = 0;\n  if (", i), g.cond(2), ") goto ", b, ";\n", a+":;\n", part(), b+":;\n", part(), fmt.Sprintf("  if (++%s < 4 && ", i), g.cond(2), ") goto ", a, ";\n  }\n")
	case 1:
		return statement(fmt.Sprintf("  {\n  int %s = 0;\n%s:;\n", i, a), part(), "  if (", g.cond(2), ") goto ", b, ";\n", part(), fmt.Sprintf("  if (++%s < 4 && ", i), g.cond(2), ") goto ", a, ";\n", b+":;\n  }\n")
	}
	return statement("  if (", g.cond(2), ") goto ", a, ";\n", part(), "  if (", g.cond(2), ") goto ", b, ";\n", part(), a+":;\n", part(), b+":;\n")
}

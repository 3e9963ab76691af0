package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A ticket is memory that work-items share and that only one atomic operation with
// constant operands changes: which old values there are depends on how often it is done,
// not on the order. All uses of them must do the same.
type ticket struct {
	call string // the operation
	typ  Type
	use  string // a statement that adds something of the old value to a sum
}

// newTicket makes an argument for a ticket.
func (g *generator) newTicket() (decl string, a Arg) {
	t := Type{oneOf(g, numeric.I32, numeric.U32, numeric.I32, numeric.U32, numeric.I64, numeric.U64), 1}
	name, prefix := g.name("c"), "atomic_"
	if t.Kind.Size() == 8 {
		prefix = "atom_"
	}
	data := randomData(g.Rand, t, 1)
	if g.chance(2) {
		clear(data)
	}
	call := fmt.Sprintf("%s%s(%s", prefix, oneOf(g, "inc", "dec", "inc"), name)
	switch g.IntN(3) {
	case 0:
		call = fmt.Sprintf("%s%s(%s, %s", prefix, oneOf(g, "add", "sub", "xchg", "min", "max", "and", "or"), name, g.literal(t))
	case 1:
		from := "0"
		if g.chance(3) {
			from = g.literal(t)
		}
		call = fmt.Sprintf("%scmpxchg(%s, %s, %s", prefix, name, from, g.literal(t))
	}
	g.stubs = append(g.stubs, ticket{call: call + ")", typ: t})
	return fmt.Sprintf("volatile global %s* %s", t, name), Arg{Name: name, Type: t.String(), Elem: t.size(), Data: data}
}

// newSum makes an argument for what becomes of the old values.
func (g *generator) newSum() (decl string, a Arg) {
	name, t := g.name("c"), Type{numeric.U32, 1}
	k := 1 + g.IntN(1000)
	x := oneOf(g, "(uint)old", fmt.Sprintf("(uint)(old * %d)", k), "(uint)(old == 0)", fmt.Sprintf("((uint)old ^ %du) %% 7u", k), "(uint)popcount(old)")
	at := oneOf(g, "0", "1", "(uint)old & 1")
	when := oneOf(g, "", "", "if (old == 0) ", "if (old % 3 != 1) ", fmt.Sprintf("if (old > %d) ", k))
	g.stubs[len(g.stubs)-1].use = fmt.Sprintf("%s%s(&%s[%s], %s)", when, oneOf(g, "atomic_add", "atomic_xor", "atomic_max", "atomic_min", "atomic_or"), name, at, x)
	return fmt.Sprintf("volatile global %s* %s", t, name), Arg{Name: name, Type: t.String(), Elem: t.size(), Data: randomData(g.Rand, t, 2), whole: true}
}

// tear takes a ticket.
func (g *generator) tear() *node {
	t := g.stubs[g.IntN(len(g.stubs))]
	return statement(fmt.Sprintf("  {\n  %s old = %s;\n  %s;\n  }\n", t.typ, t.call, t.use))
}

// tearSome takes a ticket, or several.
func (g *generator) tearSome() *node {
	switch g.IntN(3) {
	case 0:
		return statement("  if (", g.cond(2), ")", g.tear())
	case 1:
		i := g.name("i")
		return statement(fmt.Sprintf("  for (uint %s = 0; %s < (", i, i), g.expr(Type{numeric.U32, 1}, 2), fmt.Sprintf(" & 3); %s++)", i), g.tear())
	}
	return g.tear()
}

// shaped is an index below n as access patterns have them: work-items next to each
// other, swapped by a number that is the same for all, turned round or in steps.
func (g *generator) shaped(n int) string {
	by := fmt.Sprintf("%du", g.IntN(40))
	for _, v := range g.vars {
		if v.name[0] == 'n' && v.typ.N == 1 && v.typ.Kind.IsInt() && g.chance(2) {
			by = fmt.Sprintf("(uint)%s", v.name)
		}
	}
	x := fmt.Sprintf(oneOf(g, "((uint)lin ^ %s)", "((uint)lin + %s)", "(%s - (uint)lin)", "((uint)lin * %s)", "((uint)lin / (1u + %s))", "((uint)lin + 4u * %s)"), by)
	if n&(n-1) == 0 && !g.chance(3) {
		return fmt.Sprintf("(%s & %d)", x, n-1)
	}
	return oneOf(g, fmt.Sprintf("(%s %% %du)", x, n), fmt.Sprintf("min(%s, %du)", x, n-1))
}

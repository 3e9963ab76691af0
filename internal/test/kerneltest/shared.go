package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A ticket is memory that all work-items change, by one atomic operation with constant operands. The set of old
// values depends on the number of operations, not on their order. All uses of the old values must be the same
// statement.
type ticket struct {
	call string // the operation
	typ  Type
	use  string // a statement that adds a function of the old value to a sum
}

// newTicket returns the argument of a new ticket.
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
	g.tickets = append(g.tickets, ticket{call: call + ")", typ: t})
	return fmt.Sprintf("volatile global %s* %s", t, name), Arg{Name: name, Type: t.String(), Elem: t.size(), Data: data}
}

// newSum returns the argument of the sum that the newest ticket's old values are added to.
func (g *generator) newSum() (decl string, a Arg) {
	name, t := g.name("c"), Type{numeric.U32, 1}
	k := 1 + g.IntN(1000)
	x := oneOf(g, "(uint)old", fmt.Sprintf("(uint)(old * %d)", k), "(uint)(old == 0)", fmt.Sprintf("((uint)old ^ %du) %% 7u", k), "(uint)popcount(old)")
	at := oneOf(g, "0", "1", "(uint)old & 1")
	when := oneOf(g, "", "", "if (old == 0) ", "if (old % 3 != 1) ", fmt.Sprintf("if (old > %d) ", k))
	g.tickets[len(g.tickets)-1].use = fmt.Sprintf("%s%s(&%s[%s], %s)", when, oneOf(g, "atomic_add", "atomic_xor", "atomic_max", "atomic_min", "atomic_or"), name, at, x)
	return fmt.Sprintf("volatile global %s* %s", t, name), Arg{Name: name, Type: t.String(), Elem: t.size(), Data: randomData(g.Rand, t, 2), whole: true}
}

// useTicket executes a ticket's operation.
func (g *generator) useTicket() *node {
	t := g.tickets[g.IntN(len(g.tickets))]
	return statement(fmt.Sprintf("  {\n  %s old = %s;\n  %s;\n  }\n", t.typ, t.call, t.use))
}

// useTickets executes a ticket's operation conditionally, once or several times.
func (g *generator) useTickets() *node {
	switch g.IntN(3) {
	case 0:
		return statement("  if (", g.cond(2), ")", g.useTicket())
	case 1:
		i := g.name("i")
		return statement(fmt.Sprintf("  for (uint %s = 0; %s < (", i, i), g.expr(Type{numeric.U32, 1}, 2), fmt.Sprintf(" & 3); %s++)", i), g.useTicket())
	}
	return g.useTicket()
}

// shaped returns an index below n with a usual access pattern: contiguous, permuted by a uniform number, reversed
// or strided.
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

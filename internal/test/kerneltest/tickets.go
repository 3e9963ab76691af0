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
func (g *memory) newTicket() (decl string, a Arg) {
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
func (g *memory) newSum() (decl string, a Arg) {
	name, t := g.name("c"), Type{numeric.U32, 1}
	k := 1 + g.IntN(1000)
	x := oneOf(g, "(uint)old", fmt.Sprintf("(uint)(old * %d)", k), "(uint)(old == 0)", fmt.Sprintf("((uint)old ^ %du) %% 7u", k), "(uint)popcount(old)")
	at := oneOf(g, "0", "1", "(uint)old & 1")
	when := oneOf(g, "", "", "if (old == 0) ", "if (old % 3 != 1) ", fmt.Sprintf("if (old > %d) ", k))
	g.tickets[len(g.tickets)-1].use = fmt.Sprintf("%s%s(&%s[%s], %s)", when, oneOf(g, "atomic_add", "atomic_xor", "atomic_max", "atomic_min", "atomic_or"), name, at, x)
	return fmt.Sprintf("volatile global %s* %s", t, name), Arg{Name: name, Type: t.String(), Elem: t.size(), Data: randomData(g.Rand, t, 2), whole: true}
}

// useTicket executes a ticket's operation.
func (g *memory) useTicket() *node {
	t := g.tickets[g.IntN(len(g.tickets))]
	return statement(fmt.Sprintf("  {\n  %s old = %s;\n  %s;\n  }\n", t.typ, t.call, t.use))
}

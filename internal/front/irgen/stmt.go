package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/ir/ssa"
)

func (g *generator) block(b *check.Block) {
	outer := g.debug.enter(b.S)
	for _, s := range b.List {
		g.stmt(s)
	}
	g.debug.leave(outer)
}

// stmt translates a statement. In unreachable code (g.B is nil) it translates only the parts that a label or case
// can reach.
func (g *generator) stmt(s check.Stmt) {
	g.debug.simple(s)
	switch s := s.(type) {
	case *check.ExprStmt:
		if g.B != nil {
			g.effect(s.X)
		}
	case *check.VarStmt:
		g.declareVar(s)
	case *check.Block:
		g.block(s)
	case *check.If:
		g.ifStmt(s)
	case *check.Loop:
		g.loop(s)
	case *check.Return:
		if g.B != nil {
			g.returnStmt(s)
		}
	case *check.Switch:
		g.switchStmt(s)
	case *check.Case:
		b := caseBlock(s)
		g.jump(b)
		g.place(b)
		if s.Body != nil {
			g.stmt(s.Body)
		}
	case *check.Label:
		if s.Used {
			b := g.labelBlock(s)
			g.jump(b)
			g.place(b)
		}
		if s.Body != nil {
			g.stmt(s.Body)
		}
	case *check.Goto:
		g.Pos = s.S.Pos
		if g.B != nil {
			g.jump(g.labelBlock(s.Label))
		}
	case *check.Break:
		g.Pos = s.S.Pos
		g.jump(g.breakTo)
	case *check.Continue:
		g.Pos = s.S.Pos
		g.jump(g.nextTo)
	}
}

// declareVar creates an automatic variable and evaluates its initializer. A variable that is never assigned needs
// no memory, unless a jump may bypass its initializer.
func (g *generator) declareVar(s *check.VarStmt) {
	v := s.Var
	if g.debug != nil {
		g.debug.variable(v, g.variable(v), v.Span.End)
	}
	if v.Init == nil || g.B == nil {
		return // memory is created at the first use
	}
	g.Pos = s.S.Pos
	if g.debug == nil && !v.Assigned && !v.AddrTaken && !v.Type.Volatile && g.switches == 0 && len(g.fn.Labels) == 0 && v.Data == nil && inRegister(v.Type.Type) {
		x := g.value(v.Init)
		if v.Data == nil {
			v.Data = (*regVar)(x)
			return
		}
		g.Store(v.Data.(*ssa.Value), x, v.Align) // it is used in its own initializer
		return
	}
	g.initialize(g.variable(v), 0, v.Align, v.Type, v.Init)
}

func (g *generator) returnStmt(s *check.Return) {
	g.Pos = s.S.Pos
	switch {
	case s.X == nil:
		g.implicitReturn()
	case s.X.Type().IsVoid():
		g.effect(s.X)
		g.Pos = s.S.Pos
		if g.B != nil {
			g.Return(nil)
		}
	case g.sret != nil:
		g.recordInto(g.sret, s.X)
		g.Pos = s.S.Pos
		g.Return(nil)
	default:
		x := g.value(s.X)
		g.Pos = s.S.Pos
		g.Return(x)
	}
}

// ifStmt translates an if statement and the chain of else-ifs after it.
func (g *generator) ifStmt(s *check.If) {
	end := g.newBlock("endif")
	for {
		then := g.newBlock("then")
		els := end
		if s.Else != nil {
			els = g.newBlock("else")
		}
		if g.B != nil {
			g.debug.statement(s.Cond.Span())
			g.branch(s.Cond, then, els)
		}
		g.begin(then)
		g.stmt(s.Then)
		g.jump(end)
		if s.Else == nil {
			break
		}
		g.begin(els)
		next, ok := s.Else.(*check.If)
		if !ok {
			g.stmt(s.Else)
			g.jump(end)
			break
		}
		s = next
	}
	g.begin(end)
}

// loop translates a for, while or do statement:
//
//	for, while: init; head: if (!cond) goto end; body; next: post; goto head; end:
//	do:         head: body; next: if (cond) goto head; end:
func (g *generator) loop(s *check.Loop) {
	outer := g.debug.enter(s.S)
	if s.Cond != nil {
		g.debug.statement(s.Cond.Span())
	}
	for _, init := range s.Init {
		g.stmt(init)
	}
	breakTo, nextTo := g.breakTo, g.nextTo
	head, next, end := g.newBlock("loop"), g.newBlock("next"), g.newBlock("end")
	if !s.Do && s.Post == nil {
		next = head
	}
	g.breakTo, g.nextTo = end, next
	head.Unroll = int32(s.Unroll)
	g.Pos = s.S.Pos
	g.jump(head)
	g.place(head) // edges to it come from the body, perhaps only through a label
	if !s.Do && s.Cond != nil {
		body := g.newBlock("body")
		g.branch(s.Cond, body, end)
		g.begin(body)
	}
	g.stmt(s.Body)
	g.breakTo, g.nextTo = breakTo, nextTo
	g.Pos = s.S.Pos
	if next != head {
		g.fallInto(next)
	}
	if g.B != nil && s.Post != nil {
		g.debug.statement(s.Post.Span())
		g.effect(s.Post)
	}
	if g.B != nil && s.Do && s.Cond != nil {
		g.branch(s.Cond, head, end)
	}
	g.jump(head)
	g.begin(end)
	g.debug.leave(outer)
}

// maxCases bounds the values of case ranges that become separate cases.
const maxCases = 64

func caseBlock(c *check.Case) *ssa.Block { return c.Data.(*ssa.Block) }

func (g *generator) labelBlock(l *check.Label) *ssa.Block {
	if l.Data == nil {
		l.Data = g.newBlock(l.Name)
	}
	return l.Data.(*ssa.Block)
}

func (g *generator) switchStmt(s *check.Switch) {
	end := g.newBlock("endswitch")
	for _, c := range s.Cases {
		c.Data = g.newBlock("case")
	}
	if s.Default != nil && s.Default.Data == nil {
		s.Default.Data = g.newBlock("default")
	}
	if g.B != nil {
		g.dispatch(s, end)
	}
	breakTo := g.breakTo
	g.breakTo = end
	g.switches++
	g.stmt(s.Body)
	g.switches--
	g.breakTo = breakTo
	g.jump(end)
	g.begin(end)
}

// dispatch jumps to the matching case. Wide ranges are compared before the others: ranges do not overlap.
func (g *generator) dispatch(s *check.Switch, end *ssa.Block) {
	g.debug.statement(s.X.Span())
	x := g.value(s.X)
	g.Pos = s.S.Pos
	if g.B == nil {
		return
	}
	other := end
	if s.Default != nil {
		other = caseBlock(s.Default)
	}
	var bits []uint64
	var targets []*ssa.Block
	mask := ^uint64(0) >> (64 - x.Type.K.Num().Bits())
	for _, c := range s.Cases {
		switch n := (c.Hi - c.Lo) & mask; {
		case c.Default:
		case n < maxCases:
			for v := c.Lo; ; v = (v + 1) & mask {
				bits, targets = append(bits, v), append(targets, caseBlock(c))
				if v == c.Hi {
					break
				}
			}
		default:
			g.rangeCase(x, c)
		}
	}
	sw := g.Value(ssa.OpSwitch, ssa.TVoid, x)
	sw.Bits = bits
	g.B.Link(other)
	for _, t := range targets {
		g.B.Link(t)
	}
	g.B = nil
}

// rangeCase branches to c if x is in its range: x-lo <= hi-lo, unsigned.
func (g *generator) rangeCase(x *ssa.Value, c *check.Case) {
	u := ssa.Scalar(ssa.Kind(x.Type.K.Num().Unsigned()))
	mask := ^uint64(0) >> (64 - u.K.Num().Bits())
	d := g.Value(ssa.OpSub, x.Type, x, g.constant(x.Type, c.Lo))
	if u != x.Type {
		d = g.Value(ssa.OpBitcast, u, d)
	}
	in := g.Value(ssa.OpLe, ssa.TBool, d, g.constant(u, (c.Hi-c.Lo)&mask))
	rest := g.newBlock("")
	g.Branch(in, caseBlock(c), rest)
	g.begin(rest)
}

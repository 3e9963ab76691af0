package ptx

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// A generator emits the text of one kernel.
type generator struct {
	f    *ssa.Func
	o    Options
	k    *Kernel
	flow *uniform.Analysis
	emitter
	copies

	vals  [][]string // by value ID: the operand of each element
	roots []*root    // by value ID of a pointer; nil: the pointer's own bits
	facts facts
	now   *ssa.Value // the value being emitted
	loops bool       // the kernel has back edges

	byParam   map[*ssa.Value]*root
	byGlobal  map[*ssa.Global]*root
	byAlloca  map[*ssa.Value]*root
	accesses  map[*ssa.Value]int
	divergent []bool // by block ID: control flow is divergent in the block
	slowFrame bool   // slow paths call functions of runtimeText
	clearing  bool   // the work-items still have to wait for cleared local memory
	// clearsLate is set if they wait in the entry block, not in the prologue.
	clearsLate bool
	called     map[string]bool // functions of runtimeText that the kernel calls
}

// copies are the code that is emitted several times.
type copies struct {
	fastLoops map[*ssa.Block]*fastLoop // by header
	masks     *masks                   // of kernels with sub-group functions in divergent control flow, or nil
	chain     *roundChain              // of the loop that is emitted several times, or nil
	fast      *fastCopy                // the fast copy being emitted, or nil
	shared    map[*ssa.Value]bool      // values already emitted for both copies
	item      int                      // the work-item, of several that a thread runs, that is emitted
}

// newGenerator analyses a kernel.
func newGenerator(f *ssa.Func, o Options) *generator {
	g := &generator{f: f, o: o, k: &Kernel{Func: f},
		vals: make([][]string, f.NumValues()), roots: make([]*root, f.NumValues()),
		byParam: map[*ssa.Value]*root{}, byGlobal: map[*ssa.Global]*root{}, byAlloca: map[*ssa.Value]*root{},
		called: map[string]bool{}, accesses: map[*ssa.Value]int{},
	}
	g.emitter = emitter{consts: map[constKey]string{}, specials: map[string]string{}, withLines: o.Lines != nil}
	g.out = &g.body
	g.analyse()
	g.layout()
	g.findRoots()
	g.facts = newFacts(g)
	return g
}

// refuse ends code generation with an Unsupported error.
func (g *generator) refuse(v *ssa.Value, format string, args ...any) {
	panic(&Unsupported{g.f.Name, v, fmt.Sprintf(format, args...)})
}

// arg returns the operand of element i of an argument of v.
func (g *generator) arg(v *ssa.Value, n, i int) string { return g.elem(v.Args[n], i) }

// elem returns the operand of element i of v. A pointer's operand holds all its bits.
func (g *generator) elem(v *ssa.Value, i int) string {
	if r := g.roots[v.ID]; r != nil {
		return g.pointer(r, g.offset(v))
	}
	return g.raw(v, i)
}

// raw is elem, except that the operand of a pointer into a known object holds its offset.
func (g *generator) raw(v *ssa.Value, i int) string {
	switch v.Op {
	case ssa.OpConst:
		return g.constant(v.Type.K, v.ConstElem(i))
	case ssa.OpUndef:
		return g.constant(v.Type.K, 0)
	}
	l := g.vals[v.ID]
	if l == nil {
		panic(fmt.Sprintf("v%d (%v) has no registers", v.ID, v.Op))
	}
	return l[i]
}

// put sets the operands of v, one for each element.
func (g *generator) put(v *ssa.Value, elems ...string) { g.vals[v.ID] = elems }

// each sets the operand of each element of v to the result of do.
func (g *generator) each(v *ssa.Value, do func(i int) string) {
	list := make([]string, v.Type.N)
	for i := range list {
		list[i] = do(i)
	}
	g.put(v, list...)
}

// function emits the kernel's code.
func (g *generator) function() {
	versions{generator: g}.findFastLoops()
	order := g.flow.Order
	for _, b := range order {
		for _, v := range b.Phis() {
			c := classOf(v.Type.K)
			g.each(v, func(int) string { return g.reg(c) })
		}
	}
	// The wait for cleared memory comes late, behind loads of the entry block that it can overlap.
	g.clearing = g.k.UsesLocal && !g.k.Compares && (versions{generator: g}).fastBlock(order[0]) == nil
	g.clearsLate = g.clearing
	if g.o.Items > 1 {
		versions{generator: g}.emitItems(order[0])
		return
	}
	for len(order) > 0 {
		n := 1
		x := g.fastLoops[order[0]]
		if x != nil {
			n = len(x.Blocks)
		}
		part, next := order[:n], (*ssa.Block)(nil)
		if order = order[n:]; len(order) > 0 {
			next = order[0]
		}
		if x != nil {
			g.emitBlocks(part, nil, nil)
			if x.left != "" {
				versions{generator: g}.emitFours(x, part)
			}
			versions{generator: g}.copyFast(&fastCopy{loop: true, skips: x.skips}, part, next)
			continue
		}
		if l := (versions{generator: g}).unrolled(part[0]); l != nil {
			part, next = g.flow.Order[len(g.flow.Order)-len(order)-1:][:len(l.Blocks)], nil
			if order = order[len(l.Blocks)-1:]; len(order) > 0 {
				next = order[0]
			}
			versions{generator: g}.emitRounds(l, part, next)
			continue
		}
		y := versions{generator: g}.fastBlock(part[0])
		if y == nil {
			g.emitBlocks(part, next, nil)
			continue
		}
		g.mark(g.target(part[0]))
		versions{generator: g}.enterBlock(y, part[0])
		g.shared = y.first
		g.emitValues(part[0], nil, nil)
		versions{generator: g}.copyFast(&fastCopy{skips: y.skips, places: y.places, first: y.first}, part, next)
		g.shared = nil
	}
}

// emitBlocks emits blocks. next is the block that follows in the text, or nil. defined, which may be nil, is called
// after each value.
func (g *generator) emitBlocks(list []*ssa.Block, next *ssa.Block, defined func(v *ssa.Value)) {
	for i, b := range list {
		follows := next
		if i+1 < len(list) {
			follows = list[i+1]
		}
		if g.fast != nil {
			g.mark(g.copyLabel(b))
		} else {
			together{g}.begin(b)
		}
		g.emitValues(b, follows, defined)
	}
}

// emitValues emits the values of a block; follows is the next block in the text, or nil.
func (g *generator) emitValues(b, follows *ssa.Block, defined func(v *ssa.Value)) {
	g.facts.enter(b)
	for _, v := range b.Values {
		if v.Op == ssa.OpPhi || g.shared[v] {
			continue
		}
		if g.clearing && needsCleared(g.roots, v) {
			g.emit("bar.sync 0")
			g.clearing = false
		}
		if g.o.Lines != nil && v.Pos.IsValid() {
			g.lines.at(g.o.Lines(v.Pos))
		}
		if v.Op.Has(ssa.Terminator) {
			g.terminator(b, v, follows)
			continue
		}
		g.now = v
		g.value(v)
		if defined != nil {
			defined(v)
		}
	}
}

// target returns the label of a block: inside a loop's fast copy that of the block's copy.
func (g *generator) target(b *ssa.Block) string {
	if g.fast != nil && g.fast.loop && g.fast.in[b] {
		return g.copyLabel(b)
	}
	return fmt.Sprint("$B", b.ID)
}

// terminator emits the terminator of a block; next is the next block in the text, or nil.
func (g *generator) terminator(b *ssa.Block, v *ssa.Value, next *ssa.Block) {
	switch v.Op {
	case ssa.OpJump:
		g.follow(b, 0, next)
	case ssa.OpBranch:
		if b.Succs[0] == b.Succs[1] {
			g.follow(b, 0, next)
			return
		}
		if g.chain != nil && b == g.chain.header && g.fast != nil && g.fast.fours != nil {
			in := 0
			if !g.fast.in[b.Succs[0]] {
				in = 1
			}
			g.follow(b, in, next)
			return
		}
		c := g.arg(v, 0, 0)
		together{g}.splitMasks(b, c)
		if to, ok := g.direct(b, 0); ok {
			g.emit("@%s bra %s", c, to)
			g.follow(b, 1, next)
			return
		}
		if to, ok := g.direct(b, 1); ok {
			g.emit("@!%s bra %s", c, to)
			g.follow(b, 0, next)
			return
		}
		other := g.label("E")
		g.emit("@!%s bra %s", c, other)
		g.follow(b, 0, nil)
		g.mark(other)
		g.follow(b, 1, next)
	case ssa.OpSwitch:
		g.cases(b, v)
	case ssa.OpReturn, ssa.OpUnreachable:
		g.emit("exit")
	default:
		g.refuse(v, "it has a %v", v.Op)
	}
}

// cases emits a switch.
func (g *generator) cases(b *ssa.Block, v *ssa.Value) {
	k := v.Args[0].Type.K
	x, typ := g.arg(v, 0, 0), intType(k)
	labels := map[*ssa.Block]string{}
	for i, bits := range v.Bits {
		to := b.Succs[i+1]
		at, ok := labels[to]
		if !ok {
			if at, ok = g.direct(b, i+1); !ok {
				at = g.label("E")
			}
			labels[to] = at
		}
		g.emit("@%s bra %s", g.set(pred, "setp.eq."+typ, x, g.constant(k, bits)), at)
	}
	g.follow(b, 0, nil)
	for i := range v.Bits {
		to := b.Succs[i+1]
		if at := labels[to]; at != "" && at != (together{g}).edgeTarget(b, i+1) {
			g.mark(at)
			g.follow(b, i+1, nil)
		}
		labels[to] = ""
	}
}

// direct returns the label of an edge's target if the edge needs no code of its own.
func (g *generator) direct(b *ssa.Block, i int) (label string, ok bool) {
	to := b.Succs[i]
	if g.back(b, to) || len(to.Phis()) > 0 || (together{g}).maskedEdge(b, i) {
		return "", false
	}
	return together{g}.edgeTarget(b, i), true
}

// back reports whether an edge is a back edge, in the order of the text.
func (g *generator) back(b, to *ssa.Block) bool { return g.flow.Pos[to.ID] <= g.flow.Pos[b.ID] }

// follow emits an edge: the phis' moves, the counter of a back edge, the jump.
func (g *generator) follow(b *ssa.Block, i int, next *ssa.Block) {
	to := b.Succs[i]
	together{g}.passMasks(b, i)
	g.moves(b, to)
	switch x := g.fastLoops[to]; {
	case g.chain != nil && to == g.chain.header && g.back(b, to):
		g.nextRound()
		return
	case g.back(b, to) && (g.fast == nil || !g.fast.loop):
		g.backEdge(g.target(to))
		return
	case x != nil && !g.flow.Loops.Contains(x.Loop, b):
		versions{generator: g}.enterFast(x)
	}
	if to != next {
		g.emit("bra %s", together{g}.edgeTarget(b, i))
	}
}

// moves emits the moves into the phis of block to for the edge from b.
func (g *generator) moves(b, to *ssa.Block) {
	phis := to.Phis()
	if len(phis) == 0 {
		return
	}
	k := 0
	for to.Preds[k] != b {
		k++
	}
	type move struct {
		c        class
		dst, src string
	}
	var list []move
	dsts := map[string]bool{}
	for _, p := range phis {
		a := p.Args[k]
		for i := range int(p.Type.N) {
			src := ""
			if r := g.roots[p.ID]; r != nil {
				src = g.offset(a)
			} else {
				src = g.elem(a, i)
			}
			if dst := g.vals[p.ID][i]; dst != src {
				list = append(list, move{classOf(p.Type.K), dst, src})
				dsts[dst] = true
			}
		}
	}
	clash := false
	for i, m := range list {
		clash = clash || dsts[m.src] && i > 0
	}
	if clash {
		for i, m := range list {
			if dsts[m.src] {
				list[i].src = g.set(m.c, "mov."+classTypes[m.c], m.src)
			}
		}
	}
	for _, m := range list {
		g.emit("mov.%s %s, %s", classTypes[m.c], m.dst, m.src)
	}
}

// backEdge emits a back edge to a label: it decrements the counter of rounds, and polls the host when that reaches 0.
func (g *generator) backEdge(to string) {
	g.emit("sub.s32 %%rounds, %%rounds, 1")
	g.emit("@%s bra %s", g.set(pred, "setp.ne.s32", "%rounds", "0"), to)
	g.emit("bra %s", g.pollHost(to))
}

// pollHost emits, on a slow path, the poll of SignalStop, and returns its label. Work-items that are not stopped
// continue at the label on.
func (g *generator) pollHost(on string) (label string) {
	g.loops = true
	label = g.label("L")
	g.at(&g.slow, func() {
		g.mark(label)
		g.emit("mov.b32 %%rounds, %d", Rounds)
		at := g.loadHead(b64, HeadSignals)
		word := g.reg(b32)
		g.emit("ld.volatile.global.u32 %s, [%s+%d]", word, at, SignalStop)
		g.emit("@%s bra %s", g.set(pred, "setp.eq.u32", word, "0"), on)
		g.emit("st.volatile.global.u32 [%s+%d], 1", at, SignalStopped)
		g.emit("exit")
	})
	return label
}

// analyse finds the divergent branches.
func (g *generator) analyse() {
	f := g.f
	fl := uniform.FlowOf(f)
	g.flow = uniform.Analyse(fl, uniform.Config{Seed: func(v *ssa.Value) bool { return varies(v, fl.Loops.Irreducible) }, Votes: true})
	g.divergent = make([]bool, f.NumBlocks())
	for _, d := range g.flow.Splits {
		region := g.flow.RegionOf(d)
		for _, b := range region {
			g.divergent[b.ID] = true
		}
	}
	g.survey()
}

// varies reports whether v may differ between the work-items of a group although its operands do not. Threads read
// memory at different times, so that two of them may read different values at one address.
func varies(v *ssa.Value, irreducible bool) bool {
	switch v.Op {
	case ssa.OpPhi:
		return irreducible
	case ssa.OpLoad:
		return irreducible || v.Args[0].Type.K != ssa.PtrConstant
	case ssa.OpWorkItem:
		switch ssa.WorkItemQuery(v.Aux) {
		case ssa.GlobalID, ssa.LocalID, ssa.GlobalLinearID, ssa.LocalLinearID:
			return true
		}
		return false
	case ssa.OpAtomicLoad, ssa.OpAtomicRMW, ssa.OpAtomicCAS, ssa.OpPrintf, ssa.OpImageQuery, ssa.OpAsyncLimit, ssa.OpFenceFlags:
		return true
	}
	return v.Op.Has(ssa.ImageAccess) || v.Op.Has(ssa.AsyncCopy) || v.Op.Has(ssa.SubGroup)
}

// survey collects the kernel's properties that code generation needs first.
func (g *generator) survey() {
	k := g.k
	for _, a := range g.f.Kernel.Args {
		k.UsesLocal = k.UsesLocal || a.Kind == ssa.ArgLocal
	}
	ops := map[*ssa.Block]*ssa.Value{} // with operations of sub-groups
	for _, b := range g.flow.Order {
		for _, v := range b.Values {
			switch v.Op {
			case ssa.OpBarrier:
				k.Compares = k.Compares || g.divergent[b.ID]
			case ssa.OpGlobalAddr:
				k.UsesLocal = k.UsesLocal || v.Sym.(*ssa.Global).Kind == ssa.PtrLocal
			case ssa.OpSubGroupExchange, ssa.OpSubGroupBallot, ssa.OpSubGroupBarrier:
				k.Linear = true
				ops[b] = v
			case ssa.OpExtern:
				g.refuse(v, "it calls '%s', which has no body", v.Sym.(*ssa.Extern).Name)
			}
		}
	}
	together{g}.findMasks(ops)
}

// layout assigns the kernel's parameters their offsets in the parameter block.
func (g *generator) layout() {
	off := HeadArgs
	for i, a := range g.f.Kernel.Args {
		p := g.f.Params[i]
		size, align := 8, 8
		switch a.Kind {
		case ssa.ArgValue:
			size, align = max(int(a.Size), p.Type.Size()), 16
		case ssa.ArgImage, ssa.ArgSampler:
		default:
			size = RootSize
		}
		off = (off + align - 1) / align * align
		g.k.Args = append(g.k.Args, off)
		if size == RootSize && a.Kind != ssa.ArgValue {
			g.byParam[p] = g.argRoot(a.Kind, off)
		}
		off += size
	}
	g.k.Block = off
	for _, p := range g.f.Params {
		g.param(p)
	}
}

// param loads a parameter.
func (g *generator) param(p *ssa.Value) {
	if g.byParam[p] != nil {
		g.put(p, "0")
		return
	}
	at := g.k.Args[p.Aux]
	size := p.Type.K.Num().Size()
	c := classOf(p.Type.K)
	g.at(&g.first, func() {
		g.each(p, func(i int) string {
			if size < 4 {
				bits := g.narrow(at+i*size, size)
				if c == pred {
					return g.set(pred, "setp.ne.u32", bits, "0")
				}
				return g.fromBits(p.Type.K, bits)
			}
			d := g.reg(c)
			g.emit("ld.param.%s %s, [block+%d]", memType(p.Type.K), d, at+i*size)
			return d
		})
	})
}

// module returns the text of the whole module.
func (g *generator) module() string {
	var s strings.Builder
	fmt.Fprintf(&s, ".version 7.7\n.target %s\n.address_size 64\n\n", g.o.Target)
	g.lines.files(&s)
	s.WriteString(".extern .shared .align 128 .b8 pcl_shared[];\n")
	s.WriteString(g.runtimeFunctions())
	prologue := g.prologue()
	fmt.Fprintf(&s, "\n.visible .entry %s(.param .align 16 .b8 block[%d])\n%s{\n", Entry, (g.k.Block+15)&^15, g.registers())
	for c := range numClasses {
		if n := g.regs[c]; n > 0 {
			fmt.Fprintf(&s, "\t.reg .%s %s<%d>;\n", classTypes[c], classPrefix[c], n+1)
		}
	}
	if g.loops {
		s.WriteString("\t.reg .b32 %rounds;\n")
	}
	if g.k.Private > 0 {
		fmt.Fprintf(&s, "\t.local .align 16 .b8 pcl_private[%d];\n", g.k.Private)
	}
	if g.slowFrame {
		fmt.Fprintf(&s, "\t.local .align 16 .b8 pcl_frame[%d];\n", frameSize)
	}
	s.WriteString(g.first.String())
	s.WriteString(prologue)
	s.WriteString(g.body.String())
	s.WriteString(g.slow.String())
	s.WriteString("}\n")
	return s.String()
}

// smallKernel is the greatest number of values of a kernel for which occupancy matters more than registers.
const smallKernel = 100

// manyAccesses is the number of unchecked accesses of a loop from which registers matter more than occupancy.
const manyAccesses = 4

// registers returns the directive that limits the registers of small kernels with slow paths. Without it, the calls on
// slow paths would take more registers than the fast path needs.
func (g *generator) registers() string {
	if !g.slowFrame {
		return g.o.threadsDirective()
	}
	for _, x := range g.fastLoops {
		if len(x.proved)+x.unchecked >= manyAccesses {
			return g.o.threadsDirective() // the loop's loads may all be outstanding at once
		}
	}
	n := 0
	for _, b := range g.flow.Order {
		for _, v := range b.Values {
			n += int(max(v.Type.N, 1))
		}
	}
	if n > smallKernel {
		return g.o.threadsDirective()
	}
	return ".maxnreg 32\n"
}

// threadsDirective returns the directive that makes blocks of Options.Threads possible.
func (o *Options) threadsDirective() string {
	if o.Threads == 0 {
		return ""
	}
	return fmt.Sprintf(".maxntid %d, 1, 1\n", o.Threads)
}

// prologue returns the code before the kernel's blocks: it clears memory and ends threads that are no work-items.
func (g *generator) prologue() string {
	var s strings.Builder
	g.at(&s, func() {
		if g.loops {
			g.emit("mov.b32 %%rounds, %d", Rounds)
		}
		if g.k.UsesLocal || g.k.Compares {
			g.clearShared()
		}
		if g.k.Private > 0 {
			g.clearPrivate()
		}
		if g.o.Uneven {
			g.leaveEdges()
		}
		together{g}.startMasks()
	})
	return s.String()
}

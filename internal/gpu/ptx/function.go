package ptx

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A generator emits the text of one kernel: the copies of its loops and blocks in order, and the module around them.
type generator struct{ control }

// newGenerator analyses a kernel.
func newGenerator(f *ssa.Func, o Options) *generator {
	g := &generator{}
	g.f, g.opts, g.k = f, o, &Kernel{Func: f}
	g.vals, g.roots = make([][]string, f.NumValues()), make([]*root, f.NumValues())
	g.byParam, g.byGlobal, g.byAlloca = map[*ssa.Value]*root{}, map[*ssa.Global]*root{}, map[*ssa.Value]*root{}
	g.called, g.accesses = map[string]bool{}, map[*ssa.Value]int{}
	g.emitter = emitter{consts: map[constKey]string{}, specials: map[string]string{}, withLines: o.Lines != nil}
	g.out = &g.body
	g.analyse()
	g.findMasks(g.survey())
	g.layout()
	g.findRoots()
	g.facts = newFacts(&g.inductions)
	return g
}

// function emits the kernel's code.
func (g *generator) function() {
	g.findFastLoops()
	order := g.flow.Order
	for _, b := range order {
		for _, v := range b.Phis() {
			c := classOf(v.Type.K)
			g.each(v, func(int) string { return g.reg(c) })
		}
	}
	// The wait for cleared memory comes late, behind loads of the entry block that it can overlap.
	g.clearing = g.k.UsesLocal && !g.k.Compares && g.fastBlock(order[0]) == nil
	g.clearsLate = g.clearing
	if g.opts.Items > 1 {
		g.emitItems(order[0])
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
				g.emitFours(x, part)
			}
			g.copyFast(&fastCopy{loop: true, skips: x.skips}, part, next)
			continue
		}
		if l := g.unrolled(part[0]); l != nil {
			part, next = g.flow.Order[len(g.flow.Order)-len(order)-1:][:len(l.Blocks)], nil
			if order = order[len(l.Blocks)-1:]; len(order) > 0 {
				next = order[0]
			}
			g.emitRounds(l, part, next)
			continue
		}
		y := g.fastBlock(part[0])
		if y == nil {
			g.emitBlocks(part, next, nil)
			continue
		}
		g.mark(g.target(part[0]))
		g.enterBlock(y, part[0])
		g.shared = y.first
		g.emitValues(part[0], nil, nil)
		g.copyFast(&fastCopy{skips: y.skips, places: y.places, first: y.first}, part, next)
		g.shared = nil
	}
}

// module returns the text of the whole module.
func (g *generator) module() string {
	var s strings.Builder
	fmt.Fprintf(&s, ".version 7.7\n.target %s\n.address_size 64\n\n", g.opts.Target)
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
	if g.k.Compares {
		s.WriteString("\t.reg .pred %parted;\n\t.reg .b32 %before;\n\t.reg .b32 %slot;\n")
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

// manyAccesses is the least number of unchecked accesses of a loop for which registers matter more than occupancy.
const manyAccesses = 4

// registers returns the directive that limits the registers of small kernels with slow paths. Without it, the calls on
// slow paths would take more registers than the fast path needs.
func (g *generator) registers() string {
	if !g.slowFrame {
		return g.opts.threadsDirective()
	}
	for _, x := range g.fastLoops {
		if len(x.proved)+x.unchecked >= manyAccesses {
			return g.opts.threadsDirective() // the loop's loads may all be outstanding at once
		}
	}
	n := 0
	for _, b := range g.flow.Order {
		for _, v := range b.Values {
			n += int(max(v.Type.N, 1))
		}
	}
	if n > smallKernel {
		return g.opts.threadsDirective()
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
		if g.k.Compares {
			g.startComparing()
		}
		if g.k.UsesLocal || g.k.Compares {
			g.clearShared()
		}
		if g.k.Private > 0 {
			g.clearPrivate()
		}
		if g.opts.Uneven {
			g.leaveEdges()
		}
		g.startMasks()
	})
	return s.String()
}

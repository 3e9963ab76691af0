package interp

import (
	"fmt"
	"math/bits"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A CompileError reports why a kernel cannot run, and where.
type CompileError struct {
	Func string
	Pos  diag.Pos
	Msg  string
}

func (e *CompileError) Error() string { return "kernel " + e.Func + ": " + e.Msg }

// Limits on programs.
const (
	maxCallDepth = 256
	maxInsts     = 1 << 24
)

// A compiler translates a kernel and the functions that it calls into a Program.
type compiler struct {
	p       *Program
	pins    []pin
	consts  map[constKey]int32 // index in pins
	addrs   map[any]int32
	wi      map[queryKey]int32
	fns     map[*ssa.Func]*draft
	order   []*draft // callers before callees
	insts   int32
	params  [][]int32 // pins of each parameter's elements
	gran    uint8
	scratch int32 // offset of the scratch cell plus 8, 0 before it exists
}

type constKey struct {
	bits uint64
	size uint8
}

type queryKey struct {
	query ssa.WorkItemQuery
	dim   uint8
	size  uint8
}

// A pin is a register that is set before a batch runs and keeps its column or cell.
type pin struct {
	size            uint8
	useCell, useCol bool
	cell, col       int32
}

// Compile compiles a kernel. The function must be verified SSA; calls are allowed, recursion is not.
func Compile(f *ssa.Func, checks exec.Checks) (*Program, error) { return compile(f, checks, false) }

func compile(f *ssa.Func, checks exec.Checks, stepped bool) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			ce, ok := r.(*CompileError)
			if !ok {
				panic(r)
			}
			p, err = nil, ce
		}
	}()
	if f.Kernel == nil {
		return nil, &CompileError{f.Name, f.Pos, "is not a kernel"}
	}
	c := &compiler{
		p:      &Program{Kernel: f, Checks: checks, stepped: stepped},
		consts: map[constKey]int32{},
		addrs:  map[any]int32{},
		wi:     map[queryKey]int32{},
		fns:    map[*ssa.Func]*draft{},
		gran:   3,
	}
	c.survey(f)
	c.function(f, true, 0)
	c.finish()
	return c.p, nil
}

func (c *compiler) fail(f *ssa.Func, pos diag.Pos, format string, args ...any) {
	panic(&CompileError{f.Name, pos, fmt.Sprintf(format, args...)})
}

// survey walks the call graph before lowering: it reports recursion, and finds out whether the kernel can
// distinguish work-groups.
func (c *compiler) survey(f *ssa.Func) {
	c.p.subGroupShift = uint8(bits.TrailingZeros(uint(f.Kernel.SubGroupSize())))
	for _, a := range f.Kernel.Args {
		if a.Kind == ssa.ArgLocal {
			c.p.UsesLocal = true
		}
	}
	state := map[*ssa.Func]int{} // 1 open, 2 done
	seen := map[*ssa.Global]bool{}
	var visit func(f *ssa.Func, depth int)
	visit = func(f *ssa.Func, depth int) {
		state[f] = 1
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				switch v.Op {
				case ssa.OpBarrier:
					c.p.HasBarrier = true
					if _, _, scope := ssa.AtomicParts(v.Aux); scope > ssa.ScopeWorkGroup {
						c.p.Synchronizes = true
					}
				case ssa.OpGlobalAddr:
					c.global(v.Sym.(*ssa.Global), seen)
				case ssa.OpPrintf:
					c.p.printf = true
				case ssa.OpAtomicRMW, ssa.OpAtomicCAS, ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpFence:
					c.surveyAtomic(v)
				case ssa.OpExtern:
					x := v.Sym.(*ssa.Extern)
					if !x.Builtin {
						c.fail(f, v.Pos, "calls '%s', which is defined nowhere", x.Name)
					}
					c.fail(f, v.Pos, "calls the builtin %s, which has no implementation", x.Name)
				case ssa.OpSubGroupBarrier, ssa.OpSubGroupExchange, ssa.OpSubGroupBallot:
					c.p.SubGroups = true
					c.p.Synchronizes = c.p.Synchronizes || v.Aux != 0
				case ssa.OpAsyncEvent, ssa.OpAsyncCopy, ssa.OpAsyncWait, ssa.OpAsyncLimit, ssa.OpFenceFlags:
					c.p.UsesLocal = true
				case ssa.OpCall:
					g, _ := v.Sym.(*ssa.Func)
					if g == nil || len(g.Blocks) == 0 {
						c.fail(f, v.Pos, "calls a function that has no body")
					}
					if state[g] == 1 {
						c.fail(f, v.Pos, "recursion: %s calls itself, which OpenCL C does not allow", g.Name)
					}
					if depth == maxCallDepth {
						c.fail(f, v.Pos, "calls are nested too deeply")
					}
					if state[g] == 0 {
						visit(g, depth+1)
					}
				}
			}
		}
		state[f] = 2
	}
	visit(f, 0)
	c.p.Mixed = !c.p.HasBarrier && !c.p.UsesLocal && !c.p.SubGroups && !c.p.stepped
	for _, g := range c.p.Globals {
		if g.Kind == ssa.PtrLocal {
			c.p.LocalSize = alignUp(c.p.LocalSize, g.Align) + g.Size
		}
	}
}

func (c *compiler) global(g *ssa.Global, seen map[*ssa.Global]bool) {
	work := []*ssa.Global{g}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[g] {
			continue
		}
		seen[g] = true
		c.p.Globals = append(c.p.Globals, g)
		if g.Kind == ssa.PtrLocal {
			c.p.UsesLocal = true
		}
		for _, r := range g.Relocs {
			work = append(work, r.Target)
		}
	}
}

func (c *compiler) surveyAtomic(v *ssa.Value) {
	if _, order, _ := ssa.AtomicParts(v.Aux); order != ssa.Relaxed {
		c.p.Synchronizes = true
	}
	if v.Op != ssa.OpAtomicRMW && v.Op != ssa.OpAtomicCAS {
		return
	}
	if k := v.Args[0].Type.K; k != ssa.PtrGlobal && k != ssa.PtrGeneric {
		return
	}
	used := v.Op == ssa.OpAtomicCAS || v.Type.K.Num().IsFloat()
	if rmw, _, _ := ssa.AtomicParts(v.Aux); rmw == ssa.RMWXchg {
		used = true
	}
	for _, b := range v.Block.Func.Blocks {
		for _, w := range b.Values {
			for _, a := range w.Args {
				used = used || a == v
			}
		}
	}
	c.p.OrderSensitive = c.p.OrderSensitive || used
}

// function lowers f and its callees, each function once.
func (c *compiler) function(f *ssa.Func, isKernel bool, depth int) *draft {
	if d := c.fns[f]; d != nil {
		return d
	}
	l := &lowerer{}
	d := &l.draft
	d.c, d.f, d.isKernel, d.fn = c, f, isKernel, &fn{name: f.Name, index: len(c.order), ssa: f}
	c.fns[f] = d
	c.order = append(c.order, d)
	l.lower()
	for _, g := range d.calls {
		c.function(g, false, depth+1)
	}
	return d
}

// finish assigns storage and creates the final form.
func (c *compiler) finish() {
	p := c.p
	for i := range c.pins {
		q := &c.pins[i]
		q.cell, q.col = -1, -1
		if q.useCell {
			q.cell = p.cells * 8
			p.cells++
		}
		if q.useCol {
			q.col = p.frame
			p.frame += int32(q.size)
		}
	}
	for _, d := range c.order {
		d.eliminate()
		d.assign()
	}
	// The columns of a function follow those of all its callers. c.order has callees after their first caller,
	// but maybe before another one, so iterate until nothing changes; the call graph has no cycles.
	for _, d := range c.order {
		d.fn.base = p.frame
	}
	for moved := true; moved; {
		moved = false
		for _, d := range c.order {
			end := int64(d.fn.base) + int64(d.columnBytes)
			if end > 1<<24 {
				c.fail(d.f, d.f.Pos, "needs too many registers")
			}
			for _, g := range d.calls {
				if k := c.fns[g].fn; k.base < int32(end) {
					k.base, moved = int32(end), true
				}
			}
		}
	}
	for _, d := range c.order {
		d.finalize()
		p.frame = max(p.frame, d.fn.base+d.columnBytes)
		p.fns = append(p.fns, d.fn)
	}
	for k, i := range c.consts {
		if q := c.pins[i]; q.useCell || q.useCol {
			p.consts = append(p.consts, constCell{k.bits, k.size, q.cell, q.col})
		}
	}
	for k, i := range c.addrs {
		a := addrCell{cell: c.pins[i].cell, col: c.pins[i].col}
		switch k := k.(type) {
		case *ssa.Global:
			a.global = k
		case int32:
			a.alloca = k
		}
		p.addrs = append(p.addrs, a)
	}
	for k, i := range c.wi {
		q := c.pins[i]
		p.queries = append(p.queries, queryCell{k.query, k.dim, k.size, q.cell, q.col})
	}
	for _, pins := range c.params {
		var cells []constCell
		for _, i := range pins {
			cells = append(cells, constCell{0, c.pins[i].size, c.pins[i].cell, c.pins[i].col})
		}
		p.params = append(p.params, cells)
	}
	p.granShift = min(c.gran, 2)
	p.ColumnBytes = int64(p.frame)
}

// constant returns the pin of a constant.
func (c *compiler) constant(bits uint64, size uint8) int32 {
	k := constKey{bits, size}
	i, ok := c.consts[k]
	if !ok {
		i = c.newPin(size)
		c.consts[k] = i
	}
	return i
}

// address returns the pin of the address of a global (or of private object number n,
// an int32).
func (c *compiler) address(sym any) int32 {
	i, ok := c.addrs[sym]
	if !ok {
		i = c.newPin(8)
		c.addrs[sym] = i
	}
	return i
}

func (c *compiler) query(q ssa.WorkItemQuery, dim uint8, size uint8) int32 {
	k := queryKey{q, dim, size}
	i, ok := c.wi[k]
	if !ok {
		i = c.newPin(size)
		c.wi[k] = i
	}
	return i
}

func (c *compiler) newPin(size uint8) int32 {
	c.pins = append(c.pins, pin{size: size})
	return int32(len(c.pins) - 1)
}

// alloca adds a private object and returns its number.
func (c *compiler) alloca(f *ssa.Func, a *ssa.Alloca, pos diag.Pos) int32 {
	if a.Size < 0 || a.Size > int64(ssa.OffsetMask) {
		c.fail(f, pos, "private variable %s of %d bytes is too large", a.Name, a.Size)
	}
	off := alignUp(c.p.PrivateSize, max(a.Align, 1))
	if off+a.Size > int64(ssa.OffsetMask) {
		c.fail(f, pos, "private variables take too much memory")
	}
	c.p.PrivateSize = off + a.Size
	c.p.allocas = append(c.p.allocas, allocaInfo{a, off})
	return int32(len(c.p.allocas) - 1)
}

func alignUp(n, a int64) int64 {
	if a <= 1 {
		return n
	}
	return (n + a - 1) / a * a
}

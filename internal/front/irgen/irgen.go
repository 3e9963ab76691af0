package irgen

import (
	"slices"

	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Options are the compile options that affect the translation.
type Options struct {
	// Float holds the flags of every floating-point operation, which -cl-mad-enable, -cl-no-signed-zeros,
	// -cl-finite-math-only and so on set.
	Float ssa.ValueFlags
	// Body is called for each builtin overload with a body in the library, once, at its first call.
	Body func(ov *builtin.Overload)
	// Debug adds an ssa.DebugInfo to functions, and memory to every variable.
	Debug bool
	// Expression, if set, becomes an additional kernel.
	Expression *Expression
	// Separate is set if functions of other modules may call the kernels.
	Separate bool
}

// A generator translates a program, one function at a time.
type generator struct {
	opts    Options
	m       *ssa.Module
	slabs   ssa.Slabs // of all functions
	strings map[string]*ssa.Global
	names   map[string]int         // names of globals, to make them unique
	linked  map[string]*ssa.Global // variables that other units can refer to
	spelled map[*types.Type]string
	externs map[*builtin.Overload]*ssa.Extern // builtin calls left to the linker
	called  map[*check.Func]bool              // kernels that other functions call
	debug   *recorder                         // nil without Options.Debug

	ssa.Builder
	current

	// Stacks and scratch, to save allocations.
	spine    []check.Expr
	args     []*ssa.Value
	emission builtin.Emission
	consts   [64]*ssa.Value // recent constants, found again within their block
}

// current is the state of the current function.
type current struct {
	fn       *check.Func
	allocas  []*ssa.Value
	order    []*ssa.Block // blocks in the order of their begin
	dead     bool         // an unreachable block was begun
	sret     *ssa.Value   // address of a record result
	breakTo  *ssa.Block
	nextTo   *ssa.Block  // target of continue
	switches int         // depth of switch statements
	outer    *Expression // the expression of the function, whose variables belong to another function
}

// A regVar is a variable without memory: its value never changes. check.Var.Data is a regVar, the address of
// private memory (an *ssa.Value) or an *ssa.Global.
type regVar ssa.Value

// Generate translates p. Afterwards the Data of a check.Func is its *ssa.Func, or an *ssa.Extern if p does not
// define it; the Data of a variable is its *ssa.Global.
func Generate(p *check.Program, opts Options) *ssa.Module {
	g := &generator{
		opts: opts, m: &ssa.Module{Source: p.Source},
		strings: map[string]*ssa.Global{}, names: map[string]int{}, linked: map[string]*ssa.Global{}, spelled: map[*types.Type]string{},
		externs: map[*builtin.Overload]*ssa.Extern{}, called: map[*check.Func]bool{},
	}
	for _, v := range p.Globals {
		g.global(v)
	}
	for _, v := range p.Globals {
		g.initGlobal(v)
	}
	if opts.Debug {
		g.debug = newRecorder(g, p)
	}
	for _, f := range p.Funcs {
		if opts.Separate && f.Kernel != nil && hasRecordParam(f) {
			g.called[f] = true
		}
		for _, callee := range f.Calls {
			if callee.Kernel != nil {
				g.called[callee] = true
			}
		}
	}
	for _, f := range p.Funcs {
		if f.Body != nil {
			g.declare(f)
		}
	}
	for _, f := range p.Funcs {
		if f.Body != nil {
			g.function(f)
			if g.called[f] {
				g.entryOf(f)
			}
		}
	}
	if opts.Expression != nil {
		generateExpression(g)
	}
	for _, f := range g.m.Funcs {
		f.Share(nil)
	}
	return g.m
}

// hasRecordParam reports whether the function's parameters differ when it is a kernel.
func hasRecordParam(f *check.Func) bool {
	return slices.ContainsFunc(f.Params, func(p *check.Var) bool { return isRecord(p.Type.Type) })
}

// declare creates the function with its signature.
func (g *generator) declare(f *check.Func) *ssa.Func {
	if f.Data != nil {
		return f.Data.(*ssa.Func)
	}
	name := f.LinkName
	if g.called[f] {
		name += ".body"
	}
	result := f.Type.Elem.Type
	sf := g.newFunc(name, ssaType(result), len(f.Params))
	if result.Kind == types.Record {
		sf.Result = ssa.TVoid
		g.param(sf, ssa.Scalar(ssa.PtrPrivate), f.Span.Pos)
	}
	isKernel := f.Kernel != nil && !g.called[f]
	for _, p := range f.Params {
		t := ssaType(p.Type.Type)
		if isRecord(p.Type.Type) && isKernel {
			t = ssa.Scalar(ssa.PtrConstant)
		}
		g.param(sf, t, p.Span.Pos)
	}
	sf.Pos = f.Span.Pos
	if f.Attrs.NoInline {
		sf.Attrs |= ssa.NoInline
	}
	if f.Attrs.AlwaysInline {
		sf.Attrs |= ssa.AlwaysInline
	}
	if isKernel {
		sf.Kernel = kernel(f)
	}
	f.Data = sf
	return sf
}

// newFunc adds a function to the module, with capacity for n parameters and one more.
func (g *generator) newFunc(name string, result ssa.Type, n int) *ssa.Func {
	f := g.m.NewFunc(name, result)
	f.Share(&g.slabs)
	f.Params = make([]*ssa.Value, 0, n+1)
	return f
}

func (g *generator) param(f *ssa.Func, t ssa.Type, pos diag.Pos) *ssa.Value {
	v := f.NewValue(ssa.OpParam, t, pos)
	v.Aux = int64(len(f.Params))
	f.Params = append(f.Params, v)
	return v
}

// enter begins a function's entry block.
func (g *generator) enter(f *check.Func, sf *ssa.Func) {
	g.fn, g.F, g.Pos = f, sf, f.Span.Pos
	g.allocas, g.order, g.dead, g.sret, g.breakTo, g.nextTo, g.switches = g.allocas[:0], g.order[:0], false, nil, nil, nil, 0
	g.begin(sf.NewBlock("entry"))
	for _, p := range sf.Params {
		g.B.Append(p)
	}
}

// function translates the body of f.
func (g *generator) function(f *check.Func) {
	sf := f.Data.(*ssa.Func)
	g.enter(f, sf)
	g.debug.function(f, sf)
	params := sf.Params
	if f.Type.Elem.Kind == types.Record {
		g.sret, params = params[0], params[1:]
	}
	for i, p := range f.Params {
		g.bindParam(p, params[i])
		if g.debug != nil {
			g.debug.variable(p, g.variable(p), f.Body.S.Pos)
		}
	}
	g.block(f.Body)
	if g.B != nil {
		g.Pos = f.Body.S.End
		if g.debug != nil {
			g.Pos = f.Body.S.End - 1
			g.debug.statement(diag.Span{Pos: g.Pos, End: f.Body.S.End})
		}
		g.implicitReturn()
	}
	g.leave()
}

// bindParam sets a parameter's value or memory.
func (g *generator) bindParam(p *check.Var, v *ssa.Value) {
	g.Pos = p.Span.Pos
	changes := p.Assigned || p.AddrTaken || g.debug != nil
	switch {
	case isRecord(p.Type.Type) && v.Type.K == ssa.PtrPrivate && g.debug == nil:
		p.Data = v // the caller has made a copy
	case isRecord(p.Type.Type) && (changes || hasArray(p.Type.Type)):
		a := g.alloca(p)
		g.memCopy(a, v, p.Type.Size(), false)
	case isRecord(p.Type.Type):
		p.Data = v
	case changes:
		a := g.alloca(p)
		g.Store(a, v, p.Align)
	default:
		p.Data = (*regVar)(v)
	}
}

// implicitReturn emits the end of a body without a return statement.
func (g *generator) implicitReturn() {
	if g.F.Result == ssa.TVoid {
		g.Return(nil)
		return
	}
	g.Return(g.Value(ssa.OpUndef, g.F.Result))
}

// leave completes the function: it moves allocas to the entry block, and sorts blocks in the order of the source.
func (g *generator) leave() {
	f := g.F
	entry := g.order[0]
	if len(g.allocas) > 0 {
		n := len(f.Params)
		values := make([]*ssa.Value, 0, len(entry.Values)+len(g.allocas))
		values = append(values, entry.Values[:n]...)
		values = append(values, g.allocas...)
		entry.Values = append(values, entry.Values[n:]...)
		for _, a := range g.allocas {
			a.Block = entry
		}
	}
	f.Blocks = append(f.Blocks[:0], g.order...) // it has all blocks: the list only shrinks
	for i, b := range f.Blocks {
		b.ID = int32(i)
	}
	if g.dead {
		f.RemoveUnreachable()
	}
}

// entryOf creates the kernel of a function that is a kernel and also called as a function: the kernel calls the
// body.
func (g *generator) entryOf(f *check.Func) {
	body := f.Data.(*ssa.Func)
	sf := g.newFunc(f.Name, ssa.TVoid, len(f.Params))
	sf.Pos, sf.Kernel = f.Span.Pos, kernel(f)
	var args []*ssa.Value
	for _, p := range f.Params {
		t := ssaType(p.Type.Type)
		if isRecord(p.Type.Type) {
			t = ssa.Scalar(ssa.PtrConstant)
		}
		args = append(args, g.param(sf, t, p.Span.Pos))
	}
	g.enter(f, sf)
	for i, p := range f.Params {
		if isRecord(p.Type.Type) {
			tmp := g.temp(p.Type.Type)
			g.memCopy(tmp, args[i], p.Type.Size(), false)
			args[i] = tmp
		}
	}
	g.Sym(ssa.OpCall, ssa.TVoid, body, args...)
	g.Return(nil)
	g.leave()
}

// newBlock returns a block, which begin adds to the function.
func (g *generator) newBlock(name string) *ssa.Block { return g.F.NewBlock(name) }

// begin continues in b. If b is unreachable, the following code is dead.
func (g *generator) begin(b *ssa.Block) {
	g.B = nil
	if len(b.Preds) == 0 && len(g.order) > 0 {
		return
	}
	g.place(b)
}

// place continues in b; edges to b may be added later.
func (g *generator) place(b *ssa.Block) {
	if len(b.Preds) == 0 && len(g.order) > 0 {
		g.dead = true
	}
	g.B = b
	g.order = append(g.order, b)
}

// fallInto jumps to b from the current block, if there is one, and continues there.
func (g *generator) fallInto(b *ssa.Block) {
	g.jump(b)
	g.begin(b)
}

// jump ends the block, if there is one.
func (g *generator) jump(to *ssa.Block) {
	if g.B != nil {
		g.Jump(to)
	}
}

// alloca creates the variable's memory.
func (g *generator) alloca(v *check.Var) *ssa.Value {
	a := g.newAlloca(v.Name, v.Type.Type, v.Align, v.Span.Pos)
	v.Data = a
	return a
}

// temp creates unnamed private memory for a value of type t.
func (g *generator) temp(t *types.Type) *ssa.Value { return g.newAlloca("", t, t.Align(), g.Pos) }

func (g *generator) newAlloca(name string, t *types.Type, align int64, pos diag.Pos) *ssa.Value {
	v := g.F.NewValue(ssa.OpAlloca, ssa.Scalar(ssa.PtrPrivate), pos)
	v.Sym = &ssa.Alloca{Name: name, Size: t.Size(), Align: max(align, 1), Type: g.spelling(t)}
	g.allocas = append(g.allocas, v)
	return v
}

// constant returns a constant whose elements all have the given raw bits. It may be an earlier constant of the
// block.
func (g *generator) constant(t ssa.Type, bits uint64) *ssa.Value {
	c := &g.consts[(uint8(bits)*5+uint8(t.K)*3+t.N)%uint8(len(g.consts))]
	if v := *c; v != nil && v.Block == g.B && v.Type == t && v.Bits[0] == bits {
		return v
	}
	v := g.F.NewConst(t, bits)
	v.Pos = g.Pos
	*c = v
	return g.B.Append(v)
}

func (g *generator) memCopy(dst, src *ssa.Value, n int64, volatile bool) {
	v := g.Aux(ssa.OpMemCopy, ssa.TVoid, n, dst, src)
	if volatile {
		v.Flags |= ssa.Volatile
	}
}

package check

import (
	"slices"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// A bodyState is the checker's state within a function body.
type bodyState struct {
	open       bool
	level      int  // scope level of the outermost block
	returns    bool // there was a return statement
	failed     bool // a statement has an error: control flow is unknown
	incomplete bool // the tree lacks parts of the body, perhaps labels
	noParams   bool // parameters are missing: an undeclared name may be one
	loops      int
	jump       *jumpScope
	sw         *switchState
	labels     map[string]*labelInfo
	labelList  []*Label
}

// A jumpScope is a loop or switch that a break can leave.
type jumpScope struct {
	outer  *jumpScope
	broken bool
}

type switchState struct {
	outer *switchState
	stmt  *Switch
	kind  *types.Type
	def   diag.Span
}

type labelInfo struct {
	label   *Label
	defined bool
	use     diag.Span
}

// funcDecl checks a function definition (C99 6.9.1).
func (c *checker) funcDecl(d *syntax.FuncDecl) {
	info := c.declSpec(d.Spec, false)
	ft := funcDeclarator(d.Decl)
	if ft == nil {
		return
	}
	at := c.withAttributes(info.attrs, d.Decl.Attrs, onFunc)
	at = c.withAttributes(at, ft.Attrs, onFunc)
	if d.Spec.Storage == syntax.Typedef {
		c.err(diag.InvalidStorage, d.Spec.StorageSpan, "function definition declared 'typedef'")
		return
	}
	params := make([]paramInfo, 0, len(ft.Params))
	t, ok := c.funcType(ft, &info, &params)
	var f *funcInfo
	if ok && (!d.Incomplete || c.info != nil) {
		f = c.declareFunc(d.Decl, t, d.Spec, at, params, true)
	} else {
		c.bad(d.Decl)
	}
	if f == nil {
		// The body is checked in any case. The program cannot call the function.
		if !ok {
			result := resultType(ft, &info)
			t = &types.Type{Kind: types.Func, Elem: result}
		}
		f = &funcInfo{Func: &Func{Name: d.Decl.Name, Type: t, Span: d.Decl.NameSpan}}
		if d.Spec.Kernel {
			f.Kernel = &KernelAttrs{}
		}
	}
	c.body(f, d, params)
}

// resultType returns the result type of a function whose parameters have errors; errors of the result itself have
// been reported.
func resultType(ft *syntax.FuncType, info *specInfo) types.QType {
	if _, simple := ft.Result.(*syntax.DeclSpec); simple && !info.q.IsInvalid() && info.q.Kind != types.Image {
		return info.q.Unqualified()
	}
	return types.Q(types.InvalidType)
}

// body checks the body of a function.
func (c *checker) body(f *funcInfo, d *syntax.FuncDecl, params []paramInfo) {
	result := f.Type.Elem
	if !result.IsVoid() && !result.IsInvalid() && result.Size() < 0 {
		c.err(diag.IncompleteType, d.Decl.NameSpan, "incomplete result type '%s' in function definition", result)
	}
	outer, contract := c.fn, c.contract
	c.fn = f
	f.body = bodyState{open: true, incomplete: d.Incomplete, noParams: d.Incomplete}
	c.push()
	f.body.level = c.level()
	f.Params = slices.Grow(f.Params, len(params))
	for i := range params {
		c.declareParam(f, &params[i])
	}
	list, ends := c.blockItems(d.Body.List)
	c.checkLabels()
	f.Body = c.mkBlock(d.Body.Span(), list)
	if ends && !result.IsVoid() && !result.IsInvalid() && !f.body.failed {
		at := diag.Span{Pos: d.Body.Rbrace, End: d.Body.Rbrace + 1}
		if f.body.returns {
			c.rep.Report(diag.ReturnType, at, "non-void function does not return a value in all control paths")
		} else {
			c.rep.Report(diag.ReturnType, at, "non-void function does not return a value")
		}
	}
	if !c.rep.Failed() {
		c.uninitialized(f)
	}
	c.pop()
	f.body.open = false
	f.Labels = f.body.labelList
	c.fn, c.contract = outer, contract
}

// label returns the label of that name, created when it is first mentioned.
func (c *checker) label(name string, at diag.Span) *labelInfo {
	b := &c.fn.body
	l := b.labels[name]
	if l == nil {
		if b.labels == nil {
			b.labels = map[string]*labelInfo{}
		}
		l = &labelInfo{label: &Label{StmtBase: StmtBase{at}, Name: name}, use: at}
		b.labels[name] = l
		b.labelList = append(b.labelList, l.label)
	}
	return l
}

// checkLabels reports labels that are used but not defined, and the reverse.
func (c *checker) checkLabels() {
	b := &c.fn.body
	for _, l := range b.labelList {
		info := b.labels[l.Name]
		switch {
		case b.incomplete:
		case !info.defined:
			c.err(diag.UndeclaredLabel, info.use, "use of undeclared label '%s'", l.Name)
		case !l.Used:
			c.rep.Report(diag.UnusedLabel, l.S, "unused label '%s'", l.Name)
		}
	}
}

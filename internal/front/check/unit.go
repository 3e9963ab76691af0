package check

import (
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// maxDepth limits the nesting of expressions, statements and types, including chains of left-associative operators.
// clang gives up at a similar depth.
const maxDepth = 10000

// A unit is the translation unit that is being checked: its source and options, the version and features of the
// language, its types, where diagnostics go, and the program that check returns. It knows nothing of pragmas, names
// and trees.
type unit struct {
	src  *diag.Source
	rep  *diag.Reporter
	opts *option.Source
	tc   *types.Context
	std  opencl.Version
	env  builtin.Env
	prog *Program
	info *Info // of Inspect, nil otherwise

	generic    bool // the generic address space exists
	incomplete bool // the tree lacks parts of the source: nothing is reported as unused or undefined
	depth      int  // of nested expressions, statements and types
	tooDeep    bool // that depth exceeds maxDepth was reported
}

// enter counts one more level of nesting. It returns false, and reports an error, at the limit.
func (c *unit) enter(n syntax.Node) bool {
	c.depth++
	if c.depth <= maxDepth {
		return true
	}
	if !c.tooDeep {
		c.tooDeep = true
		c.rep.Report(diag.NestingTooDeep, n.Span(), "nesting exceeds the limit of %d levels", maxDepth)
	}
	return false
}

func (c *unit) leave() { c.depth-- }

// err reports an error at s.
func (c *unit) err(code *diag.Code, s diag.Span, format string, args ...any) *diag.Diagnostic {
	return c.rep.Report(code, s, format, args...)
}

// supported reports whether the device has an extension or feature.
func (c *unit) supported(name string) bool { return c.opts.Supported(name) }

// hasFeature reports whether the program has an optional feature of OpenCL C 3.0. Older versions may include it.
func (c *unit) hasFeature(name string) bool {
	return c.std == opencl.CL20 && opencl.FindExtension(name).In20 || c.supported(name)
}

// inCore reports whether the version includes an extension: a pragma for it has no effect (clang warns in
// pedantic mode only).
func (c *unit) inCore(name string) bool {
	x := opencl.FindExtension(name)
	return x != nil && x.Core != 0 && c.std >= x.Core
}

// builtinExtension reports to package builtin whether an extension exists. Functions of an extension are visible even
// if the device does not support it, as with clang's header for a target with all extensions. A call of such a
// function compiles, and fails if the function has no body.
func (c *unit) builtinExtension(name string) bool {
	return c.supported(name) || strings.HasPrefix(name, "cl_khr_") && !c.opts.Withdrawn(name)
}

// doubleAllowed reports the type double if options disable it.
func (c *unit) doubleAllowed(s diag.Span, name string) bool {
	if c.supported("cl_khr_fp64") {
		return true
	}
	c.err(diag.UnsupportedType, s, "use of type '%s' requires cl_khr_fp64 support", name)
	return false
}

// floatLogic reports whether logical operators accept operands of type q: before OpenCL C 1.2 they accepted no
// floating-point ones.
func (c *unit) floatLogic(q types.QType) bool {
	return c.std >= opencl.CL12 || !q.IsFloating() && !(q.IsVector() && q.Elem.IsFloating())
}

// pointee adds the default address space to an object without one (OpenCL C, "Address Space Qualifiers", 6.7):
// private before 2.0, else generic.
func (c *unit) pointee(q types.QType) types.QType {
	if q.Space == types.NoSpace && q.Kind != types.Func {
		if q.Space = types.Private; c.generic {
			q.Space = types.Generic
		}
	}
	return q
}

// programVars reports whether variables at program scope may be in global memory.
func (c *unit) programVars() bool {
	return c.hasFeature("__opencl_c_program_scope_global_variables")
}

// programSpaces lists the address spaces of variables at program scope, for messages.
func (c *unit) programSpaces() string {
	if c.programVars() {
		return "global or constant"
	}
	return "constant"
}

package check

import (
	"cmp"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// kernel checks the rules for kernel functions (OpenCL C, "Kernel Functions", 6.9.1,
// and "Restrictions", 6.11).
func (c *declarations) kernel(f *funcInfo, spec *syntax.DeclSpec, at *attrs, params []paramInfo) {
	if f.Kernel == nil || len(at.text) > 0 {
		f.Kernel = kernelAttrs(at, params)
	}
	if !f.Type.Elem.IsVoid() {
		c.err(diag.KernelResult, f.Span, "kernel must have void return type")
	}
	if spec.Storage == syntax.Static {
		c.err(diag.InvalidKernel, spec.StorageSpan, "kernel functions cannot be declared static")
	}
	if f.overloadable {
		c.err(diag.InvalidKernel, f.Span, "kernel functions cannot be overloaded")
	}
	if f.Name == "main" {
		c.err(diag.InvalidKernel, f.Span, "kernel cannot be called 'main'")
	}
	for i := range params {
		c.kernelParam(&params[i])
	}
}

// kernelParam checks one parameter of a kernel (6.11 a, j, k, p).
func (c *declarations) kernelParam(p *paramInfo) {
	q := p.q
	switch q.Kind {
	case types.Pointer:
		c.kernelPointer(p)
	case types.Bool, types.Event, types.Half:
		if q.Kind != types.Half || !c.enabled("cl_khr_fp16") {
			c.err(diag.KernelParamType, p.span, "'%s' cannot be used as the type of a kernel parameter", q.Unqualified())
		}
	case types.Placeholder:
		if q.Name != "queue_t" {
			c.err(diag.KernelParamType, p.span, "'%s' cannot be used as the type of a kernel parameter", q.Unqualified())
		}
	case types.Record:
		c.kernelRecord(p, q.Type)
	case types.Atomic:
		c.err(diag.KernelParamType, p.span, "'%s' cannot be used as the type of a kernel parameter", q.Unqualified())
	default:
		if p.sized != "" && !q.IsInvalid() {
			c.err(diag.KernelParamType, p.span, "'%s' cannot be used as the type of a kernel parameter", p.sized)
		}
	}
}

func (c *declarations) kernelPointer(p *paramInfo) {
	elem := p.q.Elem
	switch elem.Space {
	case types.Global, types.Constant, types.Local:
	default:
		c.err(diag.KernelPointerSpace, p.span, "pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space")
		return
	}
	for elem.Kind == types.Array {
		elem = types.QType{Type: elem.Elem.Type, Quals: elem.Quals}
	}
	switch {
	case elem.Kind == types.Pointer:
		if c.std < opencl.CL20 {
			c.err(diag.KernelParamType, p.span, "kernel parameter cannot be declared as a pointer to a pointer")
			return
		}
		for elem.Kind == types.Pointer {
			elem = elem.Elem
			if elem.Space == types.Private {
				c.err(diag.KernelPointerSpace, p.span, "pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space")
				return
			}
		}
	case elem.Kind == types.Event:
		c.err(diag.KernelParamType, p.span, "'%s' cannot be used as the type of a kernel parameter", p.q.Unqualified())
	}
}

// kernelRecord rejects records with members that the host cannot provide.
func (c *declarations) kernelRecord(p *paramInfo, t *types.Type) {
	if bad := c.badKernelMember(t); bad != nil {
		c.err(diag.KernelParamType, p.span, "'%s' cannot be used as the type of a kernel parameter", p.q.Unqualified()).
			Note(diag.Span{}, "member '%s' has type '%s'", bad.Name, cmp.Or(bad.Sized, bad.Type.String()))
	}
}

func (c *declarations) badKernelMember(t *types.Type) *types.Field {
	for i := range t.Rec.Fields {
		f := &t.Rec.Fields[i]
		e := f.Type.Type
		for e.Kind == types.Array {
			e = e.Elem.Type
		}
		if f.Sized != "" {
			return f
		}
		switch e.Kind {
		case types.Bool, types.Event, types.Placeholder:
			return f
		case types.Half:
			if !c.enabled("cl_khr_fp16") {
				return f
			}
		case types.Pointer:
			// The host passes addresses of global, constant and local memory (6.11 p).
			if s := e.Elem.Space; c.std < opencl.CL20 || s == types.Private || s == types.Generic {
				return f
			}
		case types.Record:
			if bad := c.badKernelMember(e); bad != nil {
				return bad
			}
		}
	}
	return nil
}

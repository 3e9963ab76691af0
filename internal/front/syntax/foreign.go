package syntax

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// Words of CUDA. Each is reported once with its counterpart, and the parser continues as if it were correct.

// A foreignWord is a declaration specifier of CUDA.
type foreignWord struct {
	instead string // the OpenCL C counterpart; "" means none
	why     string
	kernel  bool
	quals   Quals
}

var foreignWords = map[string]foreignWord{
	"__global__":        {instead: "kernel", why: "a function that is launched begins with 'kernel' in OpenCL C", kernel: true},
	"__device__":        {why: "functions of OpenCL C need no such word"},
	"__host__":          {why: "a source of OpenCL C is for the device only"},
	"__shared__":        {instead: "local", why: "memory of a work-group is 'local' in OpenCL C", quals: Local},
	"__constant__":      {instead: "constant", why: "constant memory is 'constant' in OpenCL C", quals: Constant},
	"__managed__":       {instead: "global", why: "memory of the device is 'global' in OpenCL C", quals: Global},
	"__forceinline__":   {instead: "inline", why: "OpenCL C writes 'inline'"},
	"__noinline__":      {instead: "__attribute__((noinline))", why: "OpenCL C writes '__attribute__((noinline))'"},
	"__launch_bounds__": {why: "OpenCL C gives the size of work-groups with '__attribute__((reqd_work_group_size(X, Y, Z)))'"},
}

// foreign parses a declaration specifier of CUDA.
func (p *typeParser) foreign(d *DeclSpec) {
	t := p.tok()
	w := foreignWords[t.Text]
	incomplete := p.incomplete
	p.errorHere(diag.ForeignWord, "'%s' is CUDA: %s", t.Text, w.why).Replace(t.Span(), w.instead)
	p.recovered(incomplete)
	p.next()
	if p.c == token.LParen && t.Text == "__launch_bounds__" {
		p.skipBalanced()
	}
	if w.kernel {
		d.Kernel, d.KernelSpan = true, t.Span()
	}
	if w.quals != 0 {
		d.Quals.Quals |= w.quals
		p.quals.Push(QualAt{w.quals, t.Span()})
	}
}

// linkage skips the "C" of C++'s extern "C".
func (p *typeParser) linkage() {
	incomplete := p.incomplete
	p.errorHere(diag.UnsupportedCPlusPlus, "'extern %s' is C++; names in OpenCL C need no such word", p.tok().Text)
	p.recovered(incomplete)
	p.next()
}

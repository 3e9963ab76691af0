package builtin

import (
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

const (
	secWorkGroup = "Work-group Collective Functions (6.15.16)"
	collective   = "2.0 __opencl_c_work_group_collective_functions"
	uniformArith = "cl_khr_work_group_uniform_arithmetic"
)

// Work-group functions use local memory: see lib/workgroup.cl.
var workGroupRows = []Row{
	{Name: "work_group_{combine:all,any}", Sigs: []string{"int $@(int)"}, Requires: collective, Spec: secWorkGroup, Doc: "whether the predicate is not 0 for $0 work-items of the work-group", Flags: Convergent, Impl: ImplBody, Body: "work_group_reduce"},
	{Name: "work_group_broadcast", Sigs: []string{"elemc $@(elemc, size_t)"}, Requires: collective, Spec: secWorkGroup, Doc: "value of x of the work-item with the given local id", Flags: Convergent, Impl: ImplBody, Body: "work_group_broadcast1"},
	{Name: "work_group_broadcast", Sigs: []string{"elemc $@(elemc, size_t, size_t)"}, Requires: collective, Spec: secWorkGroup, Doc: "value of x of the work-item with the given local id", Flags: Convergent, Impl: ImplBody, Body: "work_group_broadcast2"},
	{Name: "work_group_broadcast", Sigs: []string{"elemc $@(elemc, size_t, size_t, size_t)"}, Requires: collective, Spec: secWorkGroup, Doc: "value of x of the work-item with the given local id", Flags: Convergent, Impl: ImplBody, Body: "work_group_broadcast3"},
	{Name: "work_group_{reduce,scan_exclusive,scan_inclusive}_{combine:add,min,max}", Sigs: []string{"elemc $@(elemc)"}, Requires: collective, Spec: secWorkGroup, Doc: "$0 of x over the work-group with $1", Flags: Convergent, Impl: ImplBody, Body: "work_group_$0"},
	{Name: "work_group_{reduce,scan_exclusive,scan_inclusive}_{combine:mul}", Sigs: []string{"elemc $@(elemc)"}, Requires: uniformArith, Spec: "Work-group Collective Uniform Arithmetic Functions (6.15.16.1)", Doc: "$0 of x over the work-group with mul", Flags: Convergent, Impl: ImplBody, Body: "work_group_$0"},
	{Name: "work_group_{reduce,scan_exclusive,scan_inclusive}_{combine:and,or,xor}", Sigs: []string{"elemai $@(elemai)"}, Requires: uniformArith, Spec: "Work-group Collective Uniform Arithmetic Functions (6.15.16.1)", Doc: "$0 of x over the work-group with $1", Flags: Convergent, Impl: ImplBody, Body: "work_group_$0"},
	{Name: "work_group_{reduce,scan_exclusive,scan_inclusive}_logical_{combine:and=logical_and,or=logical_or,xor=logical_xor}", Sigs: []string{"int $@(int)"}, Requires: uniformArith, Spec: "Work-group Collective Uniform Arithmetic Functions (6.15.16.1)", Doc: "$0 of the predicate over the work-group with logical $1", Flags: Convergent, Impl: ImplBody, Body: "work_group_$0"},
	{Name: "__work_group_scratch", Sigs: []string{"local void* __work_group_scratch()"}, Spec: secWorkGroup, Doc: "local memory of the library's work-group functions, not for programs", Flags: Internal | NoSideEffect, Impl: ImplOp, Emit: emitScratch},
}

// scratch is the local memory of work-group functions: one element for each work-item of
// the largest work-group. All modules share it, so that a kernel has it once.
var scratch = &ssa.Global{Name: "work_group_scratch", Kind: ssa.PtrLocal, Size: ssa.MaxGroupSize * 8, Align: 8, Type: "work-group functions' memory"}

func emitScratch(c *Emission) *ssa.Value {
	m := c.B.F.Module
	if !slices.Contains(m.Globals, scratch) {
		m.Globals = append(m.Globals, scratch)
	}
	return c.B.Sym(ssa.OpGlobalAddr, c.Result, scratch)
}

// A combination is the operation of a work-group or sub-group function, for integers and floats of type S: the
// expression that combines a and b, and the identity. GREATEST and LEAST are the bounds of S.
type combination struct{ combine, identity string }

// collectives are the operations by Row.Combine.
var collectives = map[string]combination{
	"logical_and": {"((a) && (b))", "1"}, "logical_or": {"((a) || (b))", "0"}, "logical_xor": {"(!(a) != !(b))", "0"},
	"all": {"((a) && (b))", "1"}, "any": {"((a) || (b))", "0"},
	"add": {"((a) + (b))", "0"}, "mul": {"((a) * (b))", "1"}, "min": {"min(a, b)", "GREATEST"}, "max": {"max(a, b)", "LEAST"},
	"and": {"((a) & (b))", "-1"}, "or": {"((a) | (b))", "0"}, "xor": {"((a) ^ (b))", "0"},
}

// bounds are the identities of min and max.
var bounds = map[types.Kind][2]string{
	types.Char: {"CHAR_MAX", "CHAR_MIN"}, types.UChar: {"UCHAR_MAX", "0"}, types.Short: {"SHRT_MAX", "SHRT_MIN"}, types.UShort: {"USHRT_MAX", "0"},
	types.Int: {"INT_MAX", "INT_MIN"}, types.UInt: {"UINT_MAX", "0"}, types.Long: {"LONG_MAX", "LONG_MIN"}, types.ULong: {"ULONG_MAX", "0"},
	types.Half: {"INFINITY", "-INFINITY"}, types.Float: {"INFINITY", "-INFINITY"}, types.Double: {"INFINITY", "-INFINITY"},
}

// collectivePrelude defines COMBINE(a, b) and IDENTITY for a work-group or sub-group
// function that combines values.
func collectivePrelude(b *definitions, p *proto) {
	c := collectives[p.row.Combine]
	b.define("COMBINE(a, b)", c.combine)
	identity := strings.NewReplacer("GREATEST", bounds[p.domain.kind][0], "LEAST", bounds[p.domain.kind][1]).Replace(c.identity)
	b.define("IDENTITY", "("+identity+")")
}

package builtin

import "github.com/purecl/purecl/internal/ir/ssa"

const (
	secInteger    = "Integer Functions (6.15.3)"
	secCommon     = "Common Functions (6.15.4)"
	secGeometric  = "Geometric Functions (6.15.5)"
	secRelational = "Relational Functions (6.15.6)"
	bitOps        = "cl_khr_extended_bit_ops"
	dot8          = "cl_khr_integer_dot_product|__opencl_c_integer_dot_product_input_4x8bit"
	dot8Packed    = "cl_khr_integer_dot_product|__opencl_c_integer_dot_product_input_4x8bit_packed"
)

var integerRows = []Row{
	{Name: "abs", Sigs: []string{"ugentype abs(gentypei)"}, Spec: secInteger, Doc: "absolute value, as the unsigned type", Impl: ImplOp, Emit: emitAbs},
	{Name: "abs_diff", Sigs: []string{"ugentype abs_diff(gentypei, gentypei)"}, Spec: secInteger, Doc: "|x - y| without overflow, as the unsigned type", Impl: ImplOp, Emit: emitOp, Op: ssa.OpAbsDiff},
	{Name: "add_sat", Sigs: []string{"gentypei add_sat(gentypei, gentypei)"}, Spec: secInteger, Doc: "x + y, saturated", Impl: ImplOp, Emit: emitOp, Op: ssa.OpAddSat},
	{Name: "hadd", Sigs: []string{"gentypei hadd(gentypei, gentypei)"}, Spec: secInteger, Doc: "(x + y) >> 1 without overflow", Impl: ImplOp, Emit: emitOp, Op: ssa.OpHAdd},
	{Name: "rhadd", Sigs: []string{"gentypei rhadd(gentypei, gentypei)"}, Spec: secInteger, Doc: "(x + y + 1) >> 1 without overflow", Impl: ImplOp, Emit: emitOp, Op: ssa.OpRHAdd},
	{Name: "clamp", Sigs: []string{"gentypei clamp(gentypei, gentypei, gentypei)", "vgentypei clamp(vgentypei, sgentype, sgentype)"}, Spec: secInteger, Doc: "min(max(x, minval), maxval)", Impl: ImplOp, Emit: emitClamp},
	{Name: "clz", Sigs: []string{"gentypei clz(gentypei)"}, Spec: secInteger, Doc: "number of leading 0 bits", Impl: ImplOp, Emit: emitOp, Op: ssa.OpClz},
	{Name: "ctz", Sigs: []string{"gentypei ctz(gentypei)"}, Requires: "2.0", Spec: secInteger, Doc: "number of trailing 0 bits, the width for 0", Impl: ImplOp, Emit: emitOp, Op: ssa.OpCtz},
	{Name: "mad_hi", Sigs: []string{"gentypei mad_hi(gentypei, gentypei, gentypei)"}, Spec: secInteger, Doc: "mul_hi(a, b) + c", Impl: ImplOp, Emit: emitMadHi},
	{Name: "mad_sat", Sigs: []string{"gentypei mad_sat(gentypei, gentypei, gentypei)"}, Spec: secInteger, Doc: "a * b + c, saturated", Impl: ImplOp, Emit: emitMadSat},
	{Name: "max", Sigs: []string{"gentypei max(gentypei, gentypei)", "vgentypei max(vgentypei, sgentype)"}, Spec: secInteger, Doc: "greater of x and y", Impl: ImplOp, Emit: emitOp, Op: ssa.OpMax},
	{Name: "min", Sigs: []string{"gentypei min(gentypei, gentypei)", "vgentypei min(vgentypei, sgentype)"}, Spec: secInteger, Doc: "lesser of x and y", Impl: ImplOp, Emit: emitOp, Op: ssa.OpMin},
	{Name: "mul_hi", Sigs: []string{"gentypei mul_hi(gentypei, gentypei)"}, Spec: secInteger, Doc: "high half of the product", Impl: ImplOp, Emit: emitOp, Op: ssa.OpMulHi},
	{Name: "rotate", Sigs: []string{"gentypei rotate(gentypei, gentypei)"}, Spec: secInteger, Doc: "rotation to the left", Impl: ImplOp, Emit: emitOp, Op: ssa.OpRotl},
	{Name: "sub_sat", Sigs: []string{"gentypei sub_sat(gentypei, gentypei)"}, Spec: secInteger, Doc: "x - y, saturated", Impl: ImplOp, Emit: emitOp, Op: ssa.OpSubSat},
	{Name: "upsample", Sigs: []string{"wgentype upsample(gentypein, ugentype)"}, Spec: secInteger, Doc: "(hi << width) | lo", Impl: ImplOp, Emit: emitUpsample},
	{Name: "popcount", Sigs: []string{"gentypei popcount(gentypei)"}, Requires: "1.2", Spec: secInteger, Doc: "number of 1 bits", Impl: ImplOp, Emit: emitOp, Op: ssa.OpPopcount},
	{Name: "mad24", Sigs: []string{"gentypei32 mad24(gentypei32, gentypei32, gentypei32)"}, Spec: secInteger, Doc: "product of 24-bit integers plus z", Impl: ImplOp, Emit: emitMad24},
	{Name: "mul24", Sigs: []string{"gentypei32 mul24(gentypei32, gentypei32)"}, Spec: secInteger, Doc: "product of 24-bit integers", Impl: ImplOp, Emit: emitOp, Op: ssa.OpMul},

	{Name: "bitfield_insert", Sigs: []string{"gentypei bitfield_insert(gentypei, gentypei, uint, uint)"}, Requires: bitOps, Spec: secInteger, Doc: "base with count bits at offset taken from insert", Impl: ImplBody},
	{Name: "bitfield_extract_signed", Sigs: []string{"igentype bitfield_extract_signed(gentypei, uint, uint)"}, Requires: bitOps, Spec: secInteger, Doc: "count bits at offset, sign-extended", Impl: ImplBody},
	{Name: "bitfield_extract_unsigned", Sigs: []string{"ugentype bitfield_extract_unsigned(gentypei, uint, uint)"}, Requires: bitOps, Spec: secInteger, Doc: "count bits at offset, zero-extended", Impl: ImplBody},
	{Name: "bit_reverse", Sigs: []string{"gentypei bit_reverse(gentypei)"}, Requires: bitOps, Spec: secInteger, Doc: "bits in reverse order", Impl: ImplBody},

	{Name: "dot", Sigs: []string{"uint dot(uchar4, uchar4)", "int dot(char4, char4)", "int dot(uchar4, char4)", "int dot(char4, uchar4)"}, Requires: dot8, Spec: secInteger, Doc: "dot product of 8-bit integers", Impl: ImplOp, Emit: emitIntDot},
	{Name: "dot_acc_sat", Sigs: []string{"uint dot_acc_sat(uchar4, uchar4, uint)", "int dot_acc_sat(char4, char4, int)", "int dot_acc_sat(uchar4, char4, int)", "int dot_acc_sat(char4, uchar4, int)"}, Requires: dot8, Spec: secInteger, Doc: "dot product of 8-bit integers added to an accumulator, saturated", Impl: ImplOp, Emit: emitIntDot},
	{Name: "dot_4x8packed_{signs:uu}_uint", Sigs: []string{"uint $@(uint, uint)"}, Requires: dot8Packed, Spec: secInteger, Doc: "dot product of packed 8-bit integers", Impl: ImplOp, Emit: emitIntDot},
	{Name: "dot_4x8packed_{signs:ss,us,su}_int", Sigs: []string{"int $@(uint, uint)"}, Requires: dot8Packed, Spec: secInteger, Doc: "dot product of packed 8-bit integers", Impl: ImplOp, Emit: emitIntDot},
	{Name: "dot_acc_sat_4x8packed_{signs:uu}_uint", Sigs: []string{"uint $@(uint, uint, uint)"}, Requires: dot8Packed, Spec: secInteger, Doc: "dot product of packed 8-bit integers added to an accumulator, saturated", Impl: ImplOp, Emit: emitIntDot},
	{Name: "dot_acc_sat_4x8packed_{signs:ss,us,su}_int", Sigs: []string{"int $@(uint, uint, int)"}, Requires: dot8Packed, Spec: secInteger, Doc: "dot product of packed 8-bit integers added to an accumulator, saturated", Impl: ImplOp, Emit: emitIntDot},
}

var commonRows = []Row{
	{Name: "clamp", Sigs: []string{"gentypef clamp(gentypef, gentypef, gentypef)", "vgentypef clamp(vgentypef, sgentype, sgentype)"}, Spec: secCommon, Doc: "fmin(fmax(x, minval), maxval)", Impl: ImplOp, Emit: emitClamp},
	{Name: "degrees", Sigs: []string{"gentypef degrees(gentypef)"}, Spec: secCommon, Doc: "radians to degrees", Impl: ImplBody, Ulp: Ulp{2, 2, 2}},
	{Name: "max", Sigs: []string{"gentypef max(gentypef, gentypef)", "vgentypef max(vgentypef, sgentype)"}, Spec: secCommon, Doc: "greater of x and y", Impl: ImplOp, Emit: emitOp, Op: ssa.OpMax},
	{Name: "min", Sigs: []string{"gentypef min(gentypef, gentypef)", "vgentypef min(vgentypef, sgentype)"}, Spec: secCommon, Doc: "lesser of x and y", Impl: ImplOp, Emit: emitOp, Op: ssa.OpMin},
	{Name: "mix", Sigs: []string{"gentypef mix(gentypef, gentypef, gentypef)", "vgentypef mix(vgentypef, vgentypef, sgentype)"}, Spec: secCommon, Doc: "x + (y - x) * a", Impl: ImplOp, Emit: emitMix, Ulp: Ulp{inf, inf, inf}},
	{Name: "radians", Sigs: []string{"gentypef radians(gentypef)"}, Spec: secCommon, Doc: "degrees to radians", Impl: ImplBody, Ulp: Ulp{2, 2, 2}},
	{Name: "step", Sigs: []string{"gentypef step(gentypef, gentypef)", "vgentypef step(sgentype, vgentypef)"}, Spec: secCommon, Doc: "0 if x < edge, else 1", Impl: ImplOp, Emit: emitStep},
	{Name: "smoothstep", Sigs: []string{"gentypef smoothstep(gentypef, gentypef, gentypef)", "vgentypef smoothstep(sgentype, sgentype, vgentypef)"}, Spec: secCommon, Doc: "smooth Hermite interpolation between 0 and 1", Impl: ImplOp, Emit: emitSmoothstep, Ulp: Ulp{inf, inf, inf}},
	{Name: "sign", Sigs: []string{"gentypef sign(gentypef)"}, Spec: secCommon, Doc: "1, -1, +0, -0 as x; 0 for NaN", Impl: ImplBody},
}

var geometricRows = []Row{
	{Name: "cross", Sigs: []string{"gentypex cross(gentypex, gentypex)"}, Spec: secGeometric, Doc: "cross product of x, y, z; w is 0", Impl: ImplBody, Ulp: Ulp{inf, inf, inf}},
	{Name: "dot", Sigs: []string{"sgentype dot(gentypeg, gentypeg)"}, Spec: secGeometric, Doc: "dot product", Impl: ImplOp, Emit: emitDot, Ulp: Ulp{inf, inf, inf}},
	{Name: "distance", Sigs: []string{"sgentype distance(gentypeg, gentypeg)"}, Spec: secGeometric, Doc: "length(p0 - p1)", Impl: ImplBody, Ulp: Ulp{10.5, 13.5, inf}},
	{Name: "length", Sigs: []string{"sgentype length(gentypeg)"}, Spec: secGeometric, Doc: "Euclidean length without undue overflow or underflow", Impl: ImplBody, Ulp: Ulp{4.75, 9.5, inf}},
	{Name: "normalize", Sigs: []string{"gentypeg normalize(gentypeg)"}, Spec: secGeometric, Doc: "vector in the same direction of length 1", Impl: ImplBody, Ulp: Ulp{6, 8.5, inf}},
	{Name: "fast_distance", Sigs: []string{"sgentype fast_distance(gentypeg32, gentypeg32)"}, Spec: secGeometric, Doc: "fast_length(p0 - p1)", Impl: ImplBody, Ulp: Ulp{8192, inf, inf}},
	{Name: "fast_length", Sigs: []string{"sgentype fast_length(gentypeg32)"}, Spec: secGeometric, Doc: "half_sqrt(dot(p, p))", Impl: ImplBody, Ulp: Ulp{8192, inf, inf}},
	{Name: "fast_normalize", Sigs: []string{"gentypeg32 fast_normalize(gentypeg32)"}, Spec: secGeometric, Doc: "p * half_rsqrt(dot(p, p))", Impl: ImplBody, Ulp: Ulp{8192, inf, inf}},
}

var relationalRows = []Row{
	{Name: "isequal", Sigs: []string{"relgentype isequal(gentypef, gentypef)"}, Spec: secRelational, Doc: "x == y", Impl: ImplOp, Emit: emitCompare, Op: ssa.OpEq},
	{Name: "isnotequal", Sigs: []string{"relgentype isnotequal(gentypef, gentypef)"}, Spec: secRelational, Doc: "x != y", Impl: ImplOp, Emit: emitCompare, Op: ssa.OpNe},
	{Name: "isgreater", Sigs: []string{"relgentype isgreater(gentypef, gentypef)"}, Spec: secRelational, Doc: "x > y", Impl: ImplOp, Emit: emitCompare, Op: ssa.OpLt, Aux: swapped},
	{Name: "isgreaterequal", Sigs: []string{"relgentype isgreaterequal(gentypef, gentypef)"}, Spec: secRelational, Doc: "x >= y", Impl: ImplOp, Emit: emitCompare, Op: ssa.OpLe, Aux: swapped},
	{Name: "isless", Sigs: []string{"relgentype isless(gentypef, gentypef)"}, Spec: secRelational, Doc: "x < y", Impl: ImplOp, Emit: emitCompare, Op: ssa.OpLt},
	{Name: "islessequal", Sigs: []string{"relgentype islessequal(gentypef, gentypef)"}, Spec: secRelational, Doc: "x <= y", Impl: ImplOp, Emit: emitCompare, Op: ssa.OpLe},
	{Name: "islessgreater", Sigs: []string{"relgentype islessgreater(gentypef, gentypef)"}, Spec: secRelational, Doc: "x < y or x > y", Impl: ImplOp, Emit: emitLessGreater},
	{Name: "isfinite", Sigs: []string{"relgentype isfinite(gentypef)"}, Spec: secRelational, Doc: "neither infinite nor NaN", Impl: ImplOp, Emit: emitIsFinite},
	{Name: "isinf", Sigs: []string{"relgentype isinf(gentypef)"}, Spec: secRelational, Doc: "infinite", Impl: ImplOp, Emit: emitIsInf},
	{Name: "isnan", Sigs: []string{"relgentype isnan(gentypef)"}, Spec: secRelational, Doc: "NaN", Impl: ImplOp, Emit: emitIsNaN},
	{Name: "isnormal", Sigs: []string{"relgentype isnormal(gentypef)"}, Spec: secRelational, Doc: "a normal number", Impl: ImplOp, Emit: emitIsNormal},
	{Name: "isordered", Sigs: []string{"relgentype isordered(gentypef, gentypef)"}, Spec: secRelational, Doc: "neither is NaN", Impl: ImplOp, Emit: emitOrdered, Op: ssa.OpEq},
	{Name: "isunordered", Sigs: []string{"relgentype isunordered(gentypef, gentypef)"}, Spec: secRelational, Doc: "one is NaN", Impl: ImplOp, Emit: emitOrdered, Op: ssa.OpNe},
	{Name: "signbit", Sigs: []string{"relgentype signbit(gentypef)"}, Spec: secRelational, Doc: "sign bit is set", Impl: ImplOp, Emit: emitSignbit},
	{Name: "__any_lane", Sigs: []string{"int $@(gentypesi)"}, Spec: secRelational, Doc: "whether the comparison holds for any component, perhaps another work-item's; not for programs", Flags: Internal, Impl: ImplOp, Emit: emitAnyLane},
	{Name: "any", Sigs: []string{"int any(gentypesi)"}, Spec: secRelational, Doc: "1 if the top bit of any component is set", Impl: ImplOp, Emit: emitAnyAll, Op: ssa.OpOr},
	{Name: "all", Sigs: []string{"int all(gentypesi)"}, Spec: secRelational, Doc: "1 if the top bit of all components is set", Impl: ImplOp, Emit: emitAnyAll, Op: ssa.OpAnd},
	{Name: "bitselect", Sigs: []string{"gentype bitselect(gentype, gentype, gentype)"}, Spec: secRelational, Doc: "the bits of b where c has set bits, the bits of a elsewhere", Impl: ImplOp, Emit: emitBitselect},
	{Name: "select", Sigs: []string{"gentype select(gentype, gentype, igentype)", "gentype select(gentype, gentype, ugentype)"}, Spec: secRelational, Doc: "c ? b : a; for vectors by the top bit of each component", Impl: ImplOp, Emit: emitSelect},
}

// Package ssa is the compiler's intermediate representation: a kernel in static single assignment form as one
// work-item executes it, with OpenCL vectors as first-class values.
//
// Input: values appended through a [Builder] (package irgen) or the text form ([ParseText]). Output: the same
// module, verified ([VerifyModule]), transformed (package opt), printed ([Module.String]) or executed (package interp).
// The package does not know OpenCL C's syntax and types, the builtin library or machines.
//
// # Invariants
//
// [Verify] is the definition; in short:
//
//   - Blocks[0] is the entry. It has no predecessors and begins with the parameters,
//     OpParam values whose Aux counts from 0, the same as Func.Params.
//   - A block is phis, then other values, then one terminator. Preds and Succs mirror
//     each other with multiplicity. If a block precedes another twice (both edges of a
//     branch, cases of a switch), the phis' arguments for these edges are equal, so
//     their order in Preds has no meaning.
//   - A definition dominates its uses; a phi's argument dominates the end of the
//     predecessor. Unreachable code is exempt.
//   - Allocas are in the entry block.
//   - Aux is 0 if the op does not use it (OpInfo.Aux is AuxNone).
//   - The bits of a constant are zero-extended from its kind's width; a Bool is 0 or 1.
//
// OpUndef is a value of its own: 0, with a taint that the checking executor reports at a use. No pass may
// replace it by another value or remove a phi by merging it.
//
// # Text form
//
//	global @table ptr.constant size=16 align=4 type="int[4]" init=0100000002000000 reloc=8:@other+4
//	kernel @scale(v0 ptr.global, v1 f32) {
//	  arg name="out" typename="float*" kind=global size=4 align=4 elem=f32
//	  arg name="k" typename="float" kind=value type=f32 size=4 align=4
//	b0 "entry":
//	  v2 = const u32 0
//	  v3 = workitem u64 v2 query=global_id
//	  v4 = bitcast i64 v3
//	  …
//	  store v5, v6 align=4
//	  return
//	}
//	func @f(v0 v4f32) f32 alwaysinline { … }
//
// A loop's header may have a hint: `b1 "loop" unroll=4:` (Block.Unroll).
// A value is `vN = op.flags type @symbol "symbol" args key=value…`; a void value has
// neither number nor type. Terminators are `jump b1`, `branch v1 b1 b2`,
// `switch v1 b9 1:b2 -5:b3`, `return v1`, `return`, `unreachable`; a phi is
// `phi i32 b0:v1 b3:v2`. Constants are decimal integers, decimal or hexadecimal
// floating-point numbers, inf, -inf, `nan(0x7fc00000)` by bits, true, false; a vector
// whose elements differ is `(1 2 3 4)`. `;` begins a comment. Commas are blanks.
//
// Start reading at op.go (the op table), func.go (the data structures),
// verify.go (the rules).
//
// Algorithms: dominators by semi-NCA (Georgiadis, "Linear-Time Algorithms for Dominators
// and Related Problems", 2005); loops by back edges of the dominator tree (natural
// loops). Nothing recurses on the size of its input.
package ssa

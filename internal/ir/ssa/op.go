package ssa

import (
	"github.com/purecl/purecl/internal/base/opencl"
)

// An Op is the operation of a Value. Ops are polymorphic: types belong to the value and its arguments.
type Op uint8

// OpFlags is a set of properties of an op on which passes rely.
type OpFlags uint16

// The flags.
const (
	Commutative OpFlags = 1 << iota
	Pure                // the result depends only on the arguments; may be moved, merged, removed
	Elementwise         // on vectors: each element by itself
	Reads               // reads memory
	Writes              // writes memory
	Convergent          // must not be made control-dependent on more or fewer conditions
	SideEffect          // must stay, in order
	Terminator          // ends a block
	PlanOnly            // occurs only in the plans of package spmd
	ImageAccess         // reads or writes an image
	SubGroup            // operates on the active work-items of a sub-group
	AsyncCopy           // part of a work-group's async copies
)

// A shape is a rule about operand types, which the verifier checks.
type shape uint8

const (
	shAny      shape = iota // only the op's own rules (verify.go)
	shSame                  // all arguments and the result have one type
	shCmp                   // two arguments of one type; result Bool with their element count
	shShift                 // result and first argument of one type; second an integer type with the same element count
	shUnary                 // one argument, of the result's type
	shSelect                // Bool (scalar, or vector with the result's count), then two of the result's type
	shUnsigned              // arguments of one type; the result has the unsigned type of that
)

// A KindSet is a set of classes of element kinds.
type KindSet uint8

// The classes of kinds.
const (
	Ints KindSet = 1 << iota
	Floats
	Bools
	Pointers
	Handles
	Numbers  = Ints | Floats
	AllKinds = Numbers | Bools | Pointers | Handles
)

// A Cost is the class of an op's cost in machine code. The estimates of opt and spmd use it.
type Cost uint8

// The classes of costs.
const (
	CostSimple  Cost = iota // one instruction of few cycles
	CostMove                // no instruction, or one that moves bits
	CostMul                 // an integer product
	CostBits                // several instructions on machines without one for it
	CostFMA                 // a fused product and sum
	CostConvert             // a conversion
	CostDivide              // a division or square root
)

// An OpInfo is a row of the op table.
type OpInfo struct {
	Name  string
	NArgs int8 // -1: any number
	Flags OpFlags
	Shape shape
	Kinds KindSet // kinds that an elementwise op or a comparison supports; 0: no rule
	Aux   AuxKind
	Cost  Cost
	Takes []Type // types of the arguments, if fixed; the zero Type matches any
	Gives Type   // type of the result, if fixed
	Doc   string
	// CheckersOnly is 1 + the number of an argument, or 0. If it is not 0, only checking executors execute the
	// op; other executors and the optimiser replace the op by that argument.
	CheckersOnly uint8
}

// The ops. Arithmetic wraps; the signedness of integer operations follows the type.
const (
	OpInvalid Op = iota
	OpConst
	OpUndef
	OpParam
	OpPhi
	OpCopy

	OpAdd
	OpSub
	OpMul
	OpDiv
	OpRem
	OpNeg
	OpFMA
	OpFMS
	OpFNMA
	OpDot
	OpAnd
	OpOr
	OpXor
	OpNot
	OpShl
	OpShr
	OpRotl
	OpMin
	OpMax
	OpAbs
	OpAddSat
	OpSubSat
	OpMulHi
	OpHAdd
	OpRHAdd
	OpAbsDiff
	OpClz
	OpCtz
	OpPopcount
	OpSqrt
	OpFloor
	OpCeil
	OpTrunc
	OpRint
	OpFabs
	OpCopySign

	OpEq
	OpNe
	OpLt
	OpLe
	OpSelect
	OpConvert
	OpBitcast

	OpSplat
	OpVec
	OpExtract
	OpInsert
	OpExtractDyn
	OpInsertDyn
	OpShuffle

	OpAlloca
	OpGlobalAddr
	OpPtrAdd
	OpPtrCast
	OpLoad
	OpStore
	OpMemCopy
	OpMemZero
	OpAtomicLoad
	OpAtomicStore
	OpAtomicRMW
	OpAtomicCAS
	OpFence

	OpWorkItem
	OpRecipEstimate
	OpRsqrtEstimate
	OpPermute
	OpRank
	OpCount
	OpVote
	OpAny
	OpEnd
	OpInside
	OpObject
	OpLeave
	OpGangs
	OpBarrier
	OpPrintf
	OpCall
	OpExtern

	OpImageRead
	OpImageSample
	OpImageWrite
	OpImageQuery
	OpAsyncEvent
	OpAsyncCopy
	OpAsyncWait
	OpAsyncLimit
	OpFenceFlags
	OpSubGroupExchange
	OpSubGroupBallot
	OpSubGroupBarrier

	OpJump
	OpBranch
	OpSwitch
	OpReturn
	OpUnreachable
	NumOps
)

const (
	pe  = Pure | Elementwise
	pec = Pure | Elementwise | Commutative
)

// Ops is the op table.
var Ops = [NumOps]OpInfo{
	OpConst: {Name: "const", NArgs: 0, Flags: Pure, Cost: CostMove,
		Doc: "a constant: Bits holds the raw bits of each element, zero-extended; one entry if all elements are equal"},
	OpUndef: {Name: "undef", NArgs: 0, Flags: Pure, Kinds: AllKinds, Cost: CostMove,
		Doc: "an uninitialised value: 0, and checked mode reports its use. Sym may be the Alloca of the variable"},
	OpParam: {Name: "param", NArgs: 0, Flags: Pure, Aux: AuxIndex, Cost: CostMove,
		Doc: "parameter number Aux of the function"},
	OpPhi: {Name: "phi", NArgs: -1, Flags: Pure, Kinds: AllKinds, Cost: CostMove,
		Doc: "the argument of the predecessor from which control came; phis begin their block, arguments are in the order of Block.Preds"},
	OpCopy: {Name: "copy", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: AllKinds, Cost: CostMove,
		Doc: "its argument"},

	OpAdd: {Name: "add", NArgs: 2, Flags: pec, Shape: shSame, Kinds: Numbers,
		Doc: "sum; integers wrap"},
	OpSub: {Name: "sub", NArgs: 2, Flags: pe, Shape: shSame, Kinds: Numbers,
		Doc: "difference; integers wrap"},
	OpMul: {Name: "mul", NArgs: 2, Flags: pec, Shape: shSame, Kinds: Numbers, Cost: CostMul,
		Doc: "product; integers wrap"},
	OpDiv: {Name: "div", NArgs: 2, Flags: pe, Shape: shSame, Kinds: Numbers, Cost: CostDivide,
		Doc: "quotient; integer x/0 is 0, MIN/-1 is MIN"},
	OpRem: {Name: "rem", NArgs: 2, Flags: pe, Shape: shSame, Kinds: Numbers, Cost: CostDivide,
		Doc: "remainder of the truncating division; x%0 is 0, MIN%-1 is 0; fmod for floats (not generated by irgen)"},
	OpNeg: {Name: "neg", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: Numbers,
		Doc: "negation; flips a float's sign bit"},
	OpFMA: {Name: "fma", NArgs: 3, Flags: pe, Shape: shSame, Kinds: Floats, Cost: CostFMA,
		Doc: "a*b+c rounded once (floats)"},
	OpFMS: {Name: "fms", NArgs: 3, Flags: pe, Shape: shSame, Kinds: Floats, Cost: CostFMA,
		Doc: "a*b-c rounded once (floats); a NaN of an operand keeps its sign"},
	OpFNMA: {Name: "fnma", NArgs: 3, Flags: pe, Shape: shSame, Kinds: Floats, Cost: CostFMA,
		Doc: "c-a*b rounded once (floats); a NaN of an operand keeps its sign"},
	OpDot: {Name: "dot", NArgs: 3, Flags: pe, Shape: shSame, Kinds: Ints, Aux: AuxDot,
		Doc: "sum of the third argument and the products of the 8-bit or 16-bit parts of the first two; Aux selects the parts (DotSigned0 …); 32-bit integers, wraps"},
	OpAnd: {Name: "and", NArgs: 2, Flags: pec, Shape: shSame, Kinds: Ints | Bools,
		Doc: "bitwise and (integers, Bool)"},
	OpOr: {Name: "or", NArgs: 2, Flags: pec, Shape: shSame, Kinds: Ints | Bools,
		Doc: "bitwise or (integers, Bool)"},
	OpXor: {Name: "xor", NArgs: 2, Flags: pec, Shape: shSame, Kinds: Ints | Bools,
		Doc: "bitwise exclusive or (integers, Bool)"},
	OpNot: {Name: "not", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: Ints | Bools,
		Doc: "bitwise complement (integers, Bool)"},
	OpShl: {Name: "shl", NArgs: 2, Flags: pe, Shape: shShift, Kinds: Ints,
		Doc: "left shift by the second argument modulo the width"},
	OpShr: {Name: "shr", NArgs: 2, Flags: pe, Shape: shShift, Kinds: Ints,
		Doc: "right shift modulo the width, arithmetic for a signed type"},
	OpRotl: {Name: "rotl", NArgs: 2, Flags: pe, Shape: shShift, Kinds: Ints,
		Doc: "left rotation modulo the width"},
	OpMin: {Name: "min", NArgs: 2, Flags: pe, Shape: shSame, Kinds: Numbers,
		Doc: "lesser; floats as fmin: the other argument if one is NaN"},
	OpMax: {Name: "max", NArgs: 2, Flags: pe, Shape: shSame, Kinds: Numbers,
		Doc: "greater; floats as fmax"},
	OpAbs: {Name: "abs", NArgs: 1, Flags: pe, Shape: shUnsigned, Kinds: Ints,
		Doc: "absolute value of an integer; the result type is the unsigned one"},
	OpAddSat: {Name: "addsat", NArgs: 2, Flags: pec, Shape: shSame, Kinds: Ints,
		Doc: "saturating integer sum"},
	OpSubSat: {Name: "subsat", NArgs: 2, Flags: pe, Shape: shSame, Kinds: Ints,
		Doc: "saturating integer difference"},
	OpMulHi: {Name: "mulhi", NArgs: 2, Flags: pec, Shape: shSame, Kinds: Ints, Cost: CostBits,
		Doc: "high half of the integer product"},
	OpHAdd: {Name: "hadd", NArgs: 2, Flags: pec, Shape: shSame, Kinds: Ints,
		Doc: "(a+b)>>1 without overflow"},
	OpRHAdd: {Name: "rhadd", NArgs: 2, Flags: pec, Shape: shSame, Kinds: Ints,
		Doc: "(a+b+1)>>1 without overflow"},
	OpAbsDiff: {Name: "absdiff", NArgs: 2, Flags: pec, Shape: shUnsigned, Kinds: Ints,
		Doc: "|a-b| of integers without overflow; the result type is the unsigned one"},
	OpClz: {Name: "clz", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: Ints, Cost: CostBits,
		Doc: "leading zero bits, the width for 0"},
	OpCtz: {Name: "ctz", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: Ints, Cost: CostBits,
		Doc: "trailing zero bits, the width for 0"},
	OpPopcount: {Name: "popcount", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: Ints, Cost: CostBits,
		Doc: "one bits"},
	OpSqrt: {Name: "sqrt", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: Floats, Cost: CostDivide,
		Doc: "correctly rounded square root"},
	OpFloor: {Name: "floor", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: Floats,
		Doc: "round to integral toward negative infinity"},
	OpCeil: {Name: "ceil", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: Floats,
		Doc: "round to integral toward positive infinity"},
	OpTrunc: {Name: "trunc", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: Floats,
		Doc: "round to integral toward zero"},
	OpRint: {Name: "rint", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: Floats,
		Doc: "round to integral, ties to even"},
	OpFabs: {Name: "fabs", NArgs: 1, Flags: pe, Shape: shUnary, Kinds: Floats,
		Doc: "float with its sign bit cleared"},
	OpCopySign: {Name: "copysign", NArgs: 2, Flags: pe, Shape: shSame, Kinds: Floats,
		Doc: "first argument with the second's sign bit"},

	OpEq: {Name: "eq", NArgs: 2, Flags: pec, Shape: shCmp, Kinds: AllKinds,
		Doc: "equal (ordered: false on NaN)"},
	OpNe: {Name: "ne", NArgs: 2, Flags: pec, Shape: shCmp, Kinds: AllKinds,
		Doc: "not equal (true on NaN)"},
	OpLt: {Name: "lt", NArgs: 2, Flags: pe, Shape: shCmp, Kinds: Numbers | Pointers,
		Doc: "less (false on NaN)"},
	OpLe: {Name: "le", NArgs: 2, Flags: pe, Shape: shCmp, Kinds: Numbers | Pointers,
		Doc: "less or equal (false on NaN)"},
	OpSelect: {Name: "select", NArgs: 3, Flags: Pure, Shape: shSelect, Kinds: AllKinds,
		Doc: "second argument where the Bool is true, else the third; a scalar Bool chooses whole vectors"},
	OpConvert: {Name: "convert", NArgs: 1, Flags: pe, Aux: AuxConvert, Cost: CostConvert,
		Doc: "value conversion to the result's element kind; Aux packs saturation and rounding (ConvAux); from Bool 0 or 1, to Bool x != 0"},
	OpBitcast: {Name: "bitcast", NArgs: 1, Flags: Pure,
		Doc: "same bits as another type of equal size, memory order (little-endian); also integer to and from pointer"},

	OpSplat: {Name: "splat", NArgs: 1, Flags: Pure, Cost: CostMove,
		Doc: "vector with every element the scalar argument"},
	OpVec: {Name: "vec", NArgs: -1, Flags: Pure, Cost: CostMove,
		Doc: "vector of the scalar arguments in order"},
	OpExtract: {Name: "extract", NArgs: 1, Flags: Pure, Aux: AuxLane, Cost: CostMove,
		Doc: "element number Aux"},
	OpInsert: {Name: "insert", NArgs: 2, Flags: Pure, Aux: AuxLane, Cost: CostMove,
		Doc: "first argument with element number Aux replaced by the second"},
	OpExtractDyn: {Name: "extractdyn", NArgs: 2, Flags: Pure,
		Doc: "element at the second argument (U64); 0 if that is past the end"},
	OpInsertDyn: {Name: "insertdyn", NArgs: 3, Flags: Pure,
		Doc: "vector, index (U64), scalar: the vector with the element replaced; unchanged if the index is past the end"},
	OpShuffle: {Name: "shuffle", NArgs: 2, Flags: Pure, Cost: CostMove,
		Doc: "elements of the concatenation of both arguments, chosen by Lanes; ShuffleUndef gives an undefined element (0, use reported)"},

	OpAlloca: {Name: "alloca", NArgs: 0,
		Doc: "private object Sym of this work-item, in the entry block; zero at the start, its bytes count as uninitialised"},
	OpGlobalAddr: {Name: "global", NArgs: 0, Flags: Pure, Cost: CostMove,
		Doc: "address of the module's variable Sym (constant, global or local)"},
	OpPtrAdd: {Name: "ptradd", NArgs: 2, Flags: pe,
		Doc: "pointer moved by the second argument (I64) bytes within its object"},
	OpPtrCast: {Name: "ptrcast", NArgs: 1, Flags: pe,
		Doc: "pointer in another address space kind, same bits; from generic to a named space null if the object is elsewhere"},
	OpLoad: {Name: "load", NArgs: 1, Flags: Reads, Aux: AuxAlign,
		Doc: "value at the pointer; Aux is the alignment that may be assumed"},
	OpStore: {Name: "store", NArgs: 2, Flags: Writes | SideEffect, Aux: AuxAlign,
		Doc: "stores the second argument at the pointer; Aux is the alignment"},
	OpMemCopy: {Name: "memcopy", NArgs: 2, Flags: Reads | Writes | SideEffect, Aux: AuxSize,
		Doc: "copies Aux bytes from the second pointer to the first (uninitialised bytes stay so)"},
	OpMemZero: {Name: "memzero", NArgs: 1, Flags: Writes | SideEffect, Aux: AuxSize,
		Doc: "zeroes Aux bytes; with the flag Implicit the lifetime of a variable begins: the bytes count as uninitialised again"},
	OpAtomicLoad: {Name: "atomicload", NArgs: 1, Flags: Reads | SideEffect, Aux: AuxAtomic,
		Doc: "atomic load; Aux packs order and scope (AtomicAux)"},
	OpAtomicStore: {Name: "atomicstore", NArgs: 2, Flags: Writes | SideEffect, Aux: AuxAtomic,
		Doc: "atomic store; Aux packs order and scope"},
	OpAtomicRMW: {Name: "atomicrmw", NArgs: 2, Flags: Reads | Writes | SideEffect, Aux: AuxRMW,
		Doc: "pointer, operand: result is the old value; Aux packs the operation, order and scope"},
	OpAtomicCAS: {Name: "atomiccas", NArgs: 3, Flags: Reads | Writes | SideEffect, Aux: AuxCAS,
		Doc: "pointer, expected, desired: result is the old value"},
	OpFence: {Name: "fence", NArgs: 0, Flags: SideEffect, Aux: AuxFence,
		Doc: "memory fence; Aux packs flags, order and scope"},

	OpWorkItem: {Name: "workitem", NArgs: 1, Flags: Pure, Aux: AuxQuery, Cost: CostMove,
		Doc: "work-item query number Aux (WorkItemQuery) for the dimension in the argument (U32); dimensions past the last have the specification's default"},
	OpRecipEstimate: {Name: "recipestimate", NArgs: 1, Flags: pe | PlanOnly, Shape: shUnary, Kinds: Floats, Cost: CostConvert,
		Doc: "1/x with a relative error of at most 2^-14; subnormal numbers may count as zero"},
	OpRsqrtEstimate: {Name: "rsqrtestimate", NArgs: 1, Flags: pe | PlanOnly, Shape: shUnary, Kinds: Floats, Cost: CostConvert,
		Doc: "1/sqrt(x) with a relative error of at most 2^-14; subnormal numbers may count as zero"},
	OpPermute: {Name: "permute", NArgs: 2, Flags: Pure | Convergent | PlanOnly, Cost: CostMove,
		Doc: "in lane i of a gang the value of lane Lanes[i] of the first argument, or past the gang's length, counted on, of the second"},
	OpRank: {Name: "rank", NArgs: 1, Flags: Pure | Convergent | PlanOnly, Cost: CostMove, Gives: TU32,
		Doc: "in lane i of a gang the number of lanes up to this one for which the Bool is true, a U32; all lanes must execute it"},
	OpCount: {Name: "count", NArgs: 1, Flags: Pure | Convergent | PlanOnly, Cost: CostMove, Gives: TU32,
		Doc: "the number of lanes of a gang for which the Bool is true, a U32; all lanes must execute it"},
	OpVote: {Name: "vote", NArgs: 1, Flags: Pure | Convergent | PlanOnly,
		Doc: "VoteAll, VoteNone or VoteSome, an I32: whether the Bool is true in all, no or some lanes of a gang"},
	OpAny: {Name: "any", NArgs: 1, Flags: Pure,
		Doc: "Bool: a gang-wide OR of the elements of the Bool vector. It may be true although no element of this work-item is set, so the code that it guards must have no effect then"},
	OpEnd: {Name: "end", NArgs: 1, Flags: Pure | Convergent | PlanOnly, Aux: AuxEnd,
		Doc: "the first or the last lane of an integer in a gang whose lanes all have work-items (EndFirst, EndLast). EndsOrder is a Bool: whether all lanes are between these two; if that is unknown, it is false and the two are arbitrary"},
	OpInside: {Name: "inside", NArgs: 1, Flags: Pure | PlanOnly, Aux: AuxInside,
		Doc: "Bool: whether all accesses of the code that it guards are in bounds, so that they need no checks. Aux selects the code (InsideLoop to InsideVectorised). For a loop the argument is a bound of its iterations (I64); the result is false unless that is in [1, 2^31)"},
	OpObject: {Name: "object", NArgs: 1, Flags: Pure | PlanOnly, Aux: AuxObject, Gives: TU64,
		Doc: "a fact, a U64, about the known object of a pointer: ObjectBytes is its size, ObjectWritable the same or 0 if it may not be written, ObjectAddress its address in memory"},
	OpLeave: {Name: "leave", NArgs: 0, Flags: SideEffect | Convergent | PlanOnly,
		Doc: "ends the code of a gang of several rows; the launch executes the gang again, row by row"},
	OpGangs: {Name: "gangs", NArgs: 0, Flags: SideEffect | Convergent | Reads | Writes | PlanOnly, Aux: AuxGangs,
		Doc: "begins or ends (GangsBegin, GangsEnd) a part that the gangs of a work-group execute one after the other"},
	OpBarrier: {Name: "barrier", NArgs: 0, Flags: SideEffect | Convergent | Reads | Writes, Aux: AuxBarrier,
		Doc: "work-group barrier; Aux is the memory fence flags and the scope, by default the work-group's"},
	OpPrintf: {Name: "printf", NArgs: -1, Flags: SideEffect,
		Doc: "formatted output; first argument the format (pointer), the rest the values; result I32"},
	OpCall: {Name: "call", NArgs: -1, Flags: SideEffect | Reads | Writes,
		Doc: "calls the function Sym"},
	OpExtern: {Name: "extern", NArgs: -1, Flags: SideEffect | Reads | Writes | Convergent,
		Doc: "calls the function Sym of the library or of another module. A kernel with an unlinked one cannot be launched"},

	OpImageRead: {Name: "imageread", NArgs: 2, Flags: ImageAccess | Reads | SideEffect, Takes: []Type{Scalar(Handle), {}},
		Doc: "element of the image at integer coordinates, as F32, F16, I32 or U32 by the result type: four elements or (for a depth image) one"},
	OpImageSample: {Name: "imagesample", NArgs: 3, Flags: ImageAccess | Reads | SideEffect, Takes: []Type{Scalar(Handle), Scalar(Handle), {}},
		Doc: "color of the image, through the sampler, at integer or F32 coordinates; the result is as for imageread"},
	OpImageWrite: {Name: "imagewrite", NArgs: 3, Flags: ImageAccess | Writes | SideEffect, Takes: []Type{Scalar(Handle), {}, {}}, Gives: TVoid,
		Doc: "writes the color (third argument, as a result of imageread) to the image at integer coordinates"},
	OpImageQuery: {Name: "imagequery", NArgs: 1, Flags: Pure, Aux: AuxImageQuery, Cost: CostDivide, Takes: []Type{Scalar(Handle)}, Gives: TI32,
		Doc: "property Aux of the image, an I32"},
	OpAsyncEvent: {Name: "asyncevent", NArgs: 1, Flags: AsyncCopy | SideEffect | Convergent, Takes: []Type{Scalar(Handle)}, Gives: Scalar(Handle), CheckersOnly: 1 + 0,
		Doc: "event of the following async copies: the argument, or a new event if that is 0"},
	OpAsyncCopy: {Name: "asynccopy", NArgs: 10, Flags: AsyncCopy | SideEffect | Reads | Writes | Convergent, Takes: []Type{{}, {}, TU64, TU64, TU64, TU64, TU64, TU64, TU64, Scalar(Handle)}, Gives: TU64, CheckersOnly: 1 + 3,
		Doc: "a work-group's copy to the first pointer from the second, between global and local memory. Further arguments: bytes of a row, rows, planes, row pitch of destination and source, plane pitch of destination and source, event. The result is the number of rows of each plane that the work-items must copy themselves"},
	OpAsyncWait: {Name: "asyncwait", NArgs: 2, Flags: AsyncCopy | SideEffect | Reads | Writes | Convergent, Takes: []Type{TI64, {}}, Gives: TI64, CheckersOnly: 1 + 0,
		Doc: "marks copies for the next barrier that waits for copies. The first argument is the number of events, the second points to them. The result is the first argument"},
	OpAsyncLimit: {Name: "asynclimit", NArgs: 5, Flags: AsyncCopy | Pure, Cost: CostDivide, Takes: []Type{{}, {}, TU64, TU64, TU64}, Gives: TU64,
		Doc: "the number of elements, at most the third argument, that a copy between two pointers may have with the pitches of destination and source: exec.AsyncLimit"},
	OpFenceFlags: {Name: "fenceflags", NArgs: 1, Flags: SideEffect, Takes: []Type{TI64}, Gives: TI64, CheckersOnly: 1 + 0,
		Doc: "the memory fence flags, a subset of its Aux, of the following barrier or fence, if the program computes them. The result is the argument"},
	OpSubGroupExchange: {Name: "subgroupexchange", NArgs: 2, Flags: SubGroup | SideEffect | Convergent, Takes: []Type{{}, TU32},
		Doc: "the first argument of the active work-item of the sub-group with the number of the second argument (U32), 0 if there is none"},
	OpSubGroupBallot: {Name: "subgroupballot", NArgs: 1, Flags: SubGroup | SideEffect | Convergent, Takes: []Type{TI32}, Gives: TU32,
		Doc: "a U32 with a bit for each active work-item of the sub-group whose I32 is not 0"},
	OpSubGroupBarrier: {Name: "subgroupbarrier", NArgs: 0, Flags: SubGroup | SideEffect | Reads | Writes | Convergent, Aux: AuxFlags, Gives: TVoid,
		Doc: "requires all work-items of the sub-group to be active, and orders their accesses to memory of the flags in Aux"},

	OpJump: {Name: "jump", NArgs: 0, Flags: Terminator | SideEffect,
		Doc: "continues at successor 0"},
	OpBranch: {Name: "branch", NArgs: 1, Flags: Terminator | SideEffect,
		Doc: "continues at successor 0 if the Bool is true, else at 1"},
	OpSwitch: {Name: "switch", NArgs: 1, Flags: Terminator | SideEffect,
		Doc: "continues at successor i+1 where Bits[i] equals the integer, else at 0"},
	OpReturn: {Name: "return", NArgs: -1, Flags: Terminator | SideEffect,
		Doc: "leaves the function with the argument, if any"},
	OpUnreachable: {Name: "unreachable", NArgs: 0, Flags: Terminator | SideEffect,
		Doc: "never reached (after a call that does not return)"},
}

// String returns the op's name in the text form.
func (o Op) String() string { return Ops[o].Name }

// HasKind reports whether k belongs to the set.
func (s KindSet) HasKind(k Kind) bool { return k.class()&s != 0 }

// Elements lists the ops that compute each element of a value of kind k independently, with operands and result
// of that kind, in the order of the table. Ops of plans are not among them.
func Elements(k Kind) (list []Op) {
	for op := OpConst; op < NumOps; op++ {
		info := &Ops[op]
		same := info.Shape == shSame || info.Shape == shUnary || info.Shape == shShift
		if op.Has(Elementwise) && !op.Has(PlanOnly) && same && info.Aux == AuxNone && op != OpCopy && info.Kinds.HasKind(k) && HasMeaning(op, k) {
			list = append(list, op)
		}
	}
	return list
}

// Has reports whether all of the flags are set for o.
func (o Op) Has(f OpFlags) bool { return Ops[o].Flags&f == f }

// A WorkItemQuery is a work-item function (OpenCL C, "Work-Item Functions", 6.15.1).
type WorkItemQuery int64

// The queries.
const (
	WorkDim WorkItemQuery = iota
	GlobalSize
	GlobalID
	LocalSize
	EnqueuedLocalSize
	LocalID
	NumGroups
	GroupID
	GlobalOffset
	GlobalLinearID
	LocalLinearID
	MaxSubGroupSize // the running kernel's Kernel.SubGroupSize
	NumQueries
)

// QueryNames are the queries' names in the text form.
var QueryNames = [NumQueries]string{"work_dim", "global_size", "global_id", "local_size", "enqueued_local_size", "local_id", "num_groups", "group_id", "global_offset", "global_linear_id", "local_linear_id", "max_sub_group_size"}

// The Aux of OpImageQuery.
const (
	ImageWidth = iota
	ImageHeight
	ImageDepth
	ImageArraySize
	ImageChannelType
	ImageChannelOrder
	NumImageQueries
)

// ImageQueryNames are the Aux of an OpImageQuery in the text form.
var ImageQueryNames = [NumImageQueries]string{"width", "height", "depth", "array_size", "channel_data_type", "channel_order"}

// AsyncRows is the index of OpAsyncCopy's argument with the number of rows.
const AsyncRows = 3

// The results of OpVote.
const (
	VoteNone = 0 // true in no lane
	VoteAll  = 1 // true in all lanes
	VoteSome = 2 // true in some lanes only
)

// An RMW is the operation of an OpAtomicRMW.
type RMW uint8

// The operations. Floats have Xchg, Add, Sub, Min and Max.
const (
	RMWXchg RMW = iota
	RMWAdd
	RMWSub
	RMWAnd
	RMWOr
	RMWXor
	RMWMin
	RMWMax
	NumRMW
)

// RMWNames are the operations' names in the text form.
var RMWNames = [NumRMW]string{"xchg", "add", "sub", "and", "or", "xor", "min", "max"}

// An Order is a memory order; the zero value is relaxed.
type Order uint8

// The memory orders.
const (
	Relaxed Order = iota
	Acquire
	Release
	AcqRel
	SeqCst
)

// Acquires reports whether a read or fence of that order is an acquire operation.
func (o Order) Acquires() bool { return o == Acquire || o >= AcqRel }

// Releases reports whether a write or fence of that order is a release operation.
func (o Order) Releases() bool { return o >= Release }

// A Scope is a memory scope.
type Scope uint8

// The memory scopes.
const (
	ScopeWorkItem Scope = iota
	ScopeSubGroup
	ScopeWorkGroup
	ScopeDevice
	ScopeAll
)

// AtomicAux packs an atomic op's Aux.
func AtomicAux(k RMW, o Order, s Scope) int64 { return int64(k) | int64(o)<<8 | int64(s)<<16 }

// AtomicParts unpacks an atomic op's Aux.
func AtomicParts(aux int64) (RMW, Order, Scope) {
	return RMW(aux), Order(aux >> 8), Scope(aux >> 16)
}

// WithFailure adds to the Aux of a compare-and-exchange its memory order on failure.
func WithFailure(aux int64, o Order) int64 { return aux | int64(o)<<24 }

// FailureOrder returns the memory order on failure.
func FailureOrder(aux int64) Order { return Order(aux >> 24) }

// The flags of an OpDot's Aux. 16-bit parts are signed.
const (
	DotSigned0 = 1 << iota // the first argument's 8-bit parts are signed
	DotSigned1             // the second argument's 8-bit parts are signed
	DotShort               // parts have 16 bits instead of 8
)

// DotNames are the Aux of an OpDot in the text form.
var DotNames = [DotShort + 1]string{"uu8", "su8", "us8", "ss8", "ss16"}

// The Aux of OpEnd.
const (
	EndFirst  = 0 // the value of the first lane
	EndLast   = 1 // the value of the last lane
	EndsOrder = 2 // whether all lanes are between the two
)

// EndNames are the Aux of an OpEnd in the text form.
var EndNames = [...]string{"first", "last", "order"}

// The Aux of OpInside selects the accesses that it tests. All but InsideLoop test accesses of the block that
// follows.
const (
	// InsideLoop tests all iterations of the loop that follows.
	InsideLoop = 0
	// InsideBlock tests accesses at constant distances of each other.
	InsideBlock = 1
	// InsideRows also tests loads of vectors whose elements belong to successive iterations of a loop.
	InsideRows = 2
	// InsideApart tests all accesses, and that no object that the block writes overlaps another one that it
	// accesses.
	InsideApart = 3
	// InsideVectorised is InsideApart for a block whose vectors hold successive iterations. They stay in memory
	// order.
	InsideVectorised = 4
)

// InsideNames are the Aux of an OpInside in the text form.
var InsideNames = [...]string{"loop", "block", "rows", "apart", "vectorised"}

// The Aux of OpObject.
const (
	ObjectBytes    = 0
	ObjectWritable = 1
	ObjectAddress  = 2
)

// ObjectNames are the Aux of an OpObject in the text form.
var ObjectNames = [...]string{"bytes", "writable", "address"}

// The Aux of OpGangs.
const (
	GangsBegin = 0 // the start of a part
	GangsEnd   = 1 // the end of a part
)

// GangsNames are the Aux of an OpGangs in the text form.
var GangsNames = [...]string{"begin", "end"}

// Memory fence flags of barriers and fences, with the numbers of the specification.
const (
	LocalFence  = opencl.LocalFence
	GlobalFence = opencl.GlobalFence
	ImageFence  = opencl.ImageFence

	// WaitCopies is a flag of a barrier at which the work-group waits for its async copies.
	WaitCopies = 8
)

// ShuffleUndef is the lane number of an undefined element in Value.Lanes.
const ShuffleUndef = 0xFF

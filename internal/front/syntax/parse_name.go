package syntax

import (
	"github.com/purecl/purecl/internal/front/token"
	"maps"
	"slices"
)

// Keywords are additional token kinds of the parser: the preprocessor treats them as identifiers. They continue the
// numbering of Kind.
const (
	kwTypedef token.Kind = token.NumKinds + iota
	kwExtern
	kwStatic
	kwAuto
	kwRegister
	kwInline
	kwNoreturn
	kwThreadLocal
	kwForeign // a specifier of CUDA
	kwKernel

	kwConst
	kwVolatile
	kwRestrict
	kwAtomic
	kwGlobal
	kwLocal
	kwConstant
	kwPrivate
	kwGeneric
	kwReadOnly
	kwWriteOnly
	kwReadWrite

	kwVoid
	kwBool
	kwChar
	kwShort
	kwInt
	kwLong
	kwHalf
	kwFloat
	kwDouble
	kwSigned
	kwUnsigned
	kwComplex
	kwPipe
	kwImage // the name of an image type

	kwStruct
	kwUnion
	kwEnum
	kwTypeof
	kwAlignas

	kwAttribute
	kwExtension
	kwStaticAssert
	kwAsm
	kwSelection // _Generic

	kwSizeof
	kwAlignof
	kwVecStep
	kwAsType
	kwOffsetof

	kwIf
	kwElse
	kwWhile
	kwDo
	kwFor
	kwSwitch
	kwCase
	kwDefault
	kwGoto
	kwBreak
	kwContinue
	kwReturn
	numCodes
)

// Classes of tokens, as bits.
const (
	clsStorage  uint8 = 1 << iota // may begin a declaration, not a type name
	clsQual                       // type, address space or access qualifier
	clsWord                       // word of a basic type
	clsTypeSpec                   // any other type specifier
	clsStmt                       // keyword that begins a statement
	clsAssign                     // assignment operator
)

const clsType = clsQual | clsWord | clsTypeSpec

// kindClass is the class of each kind, keywords included.
var kindClass = func() (t [256]uint8) {
	set := func(from, to token.Kind, class uint8) {
		for k := from; k <= to; k++ {
			t[k] |= class
		}
	}
	set(kwTypedef, kwKernel, clsStorage)
	set(kwConst, kwReadWrite, clsQual)
	set(kwVoid, kwComplex, clsWord)
	set(kwPipe, kwAlignas, clsTypeSpec)
	set(kwStaticAssert, kwStaticAssert, clsStorage)
	set(kwIf, kwReturn, clsStmt)
	set(token.Assign, token.OrAssign, clsAssign)
	return t
}()

// A keyword is a token kind with its spellings.
type keyword struct {
	kind  token.Kind
	names []string
}

// keywords lists every spelling of every keyword (OpenCL C 6.1.9 and the GNU
// alternatives that clang accepts).
var keywords = []keyword{
	{kwTypedef, []string{"typedef"}}, {kwExtern, []string{"extern"}}, {kwStatic, []string{"static"}},
	{kwAuto, []string{"auto"}}, {kwRegister, []string{"register"}},
	{kwInline, []string{"inline", "__inline", "__inline__"}}, {kwNoreturn, []string{"_Noreturn"}},
	{kwThreadLocal, []string{"_Thread_local", "__thread"}}, {kwKernel, []string{"kernel", "__kernel"}},
	{kwForeign, slices.Sorted(maps.Keys(foreignWords))},
	{kwConst, []string{"const", "__const", "__const__"}}, {kwVolatile, []string{"volatile", "__volatile", "__volatile__"}},
	{kwRestrict, []string{"restrict", "__restrict", "__restrict__"}}, {kwAtomic, []string{"_Atomic"}},
	{kwGlobal, []string{"global", "__global"}}, {kwLocal, []string{"local", "__local"}},
	{kwConstant, []string{"constant", "__constant"}}, {kwPrivate, []string{"private", "__private"}},
	{kwGeneric, []string{"__generic"}}, {kwReadOnly, []string{"read_only", "__read_only"}},
	{kwWriteOnly, []string{"write_only", "__write_only"}}, {kwReadWrite, []string{"read_write", "__read_write"}},
	{kwVoid, []string{"void"}}, {kwBool, []string{"bool", "_Bool"}}, {kwChar, []string{"char"}}, {kwShort, []string{"short"}},
	{kwInt, []string{"int"}}, {kwLong, []string{"long"}}, {kwHalf, []string{"half"}}, {kwFloat, []string{"float"}},
	{kwDouble, []string{"double"}}, {kwSigned, []string{"signed", "__signed", "__signed__"}}, {kwUnsigned, []string{"unsigned"}},
	{kwComplex, []string{"_Complex", "__complex", "__complex__", "_Imaginary"}},
	{kwStruct, []string{"struct"}}, {kwUnion, []string{"union"}}, {kwEnum, []string{"enum"}},
	{kwTypeof, []string{"typeof", "__typeof", "__typeof__"}}, {kwAlignas, []string{"_Alignas"}},
	{kwAttribute, []string{"__attribute__", "__attribute"}}, {kwExtension, []string{"__extension__"}},
	{kwStaticAssert, []string{"_Static_assert"}}, {kwAsm, []string{"asm", "__asm", "__asm__"}}, {kwSelection, []string{"_Generic"}},
	{kwSizeof, []string{"sizeof"}}, {kwAlignof, []string{"_Alignof", "__alignof", "__alignof__"}},
	{kwVecStep, []string{"vec_step"}}, {kwAsType, []string{"__builtin_astype"}}, {kwOffsetof, []string{"__builtin_offsetof"}},
	{kwIf, []string{"if"}}, {kwElse, []string{"else"}}, {kwWhile, []string{"while"}}, {kwDo, []string{"do"}}, {kwFor, []string{"for"}},
	{kwSwitch, []string{"switch"}}, {kwCase, []string{"case"}}, {kwDefault, []string{"default"}}, {kwGoto, []string{"goto"}},
	{kwBreak, []string{"break"}}, {kwContinue, []string{"continue"}}, {kwReturn, []string{"return"}},
}

// keywordsSince20 are ordinary names before OpenCL C 2.0.
var keywordsSince20 = []keyword{{kwGeneric, []string{"generic"}}, {kwPipe, []string{"pipe"}}}

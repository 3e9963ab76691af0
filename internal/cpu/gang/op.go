package gang

// An Op is the operation of an instruction.
type Op uint8

// The ops.
const (
	OpInvalid Op = iota

	OpConst
	OpCopy
	OpEach
	OpSplat
	OpRamp
	OpFirst
	OpPart
	OpJoin
	OpShuffle
	OpInsert
	OpActive
	OpVote
	OpPermute
	OpExchange
	OpBallot
	OpRank
	OpCount

	OpParam
	OpQuery
	OpIDEnd
	OpRoot
	OpObject

	OpInside
	OpLoad
	OpStore
	OpLoadPtr
	OpStorePtr
	OpCopyPtr
	OpZeroPtr
	OpAtomic
	OpAtomicAt
	OpClear
	OpZeroOwn
	OpPrefetch
	OpFence
	OpCall

	OpBegin
	OpPoll
	OpLeave
	OpBarrier

	OpJump
	OpBranch
	OpAny
	OpSwitch
	OpCheck
	OpDisjoint
	OpRuns
	OpNext
	OpReturn

	NumOps
)

// fields is the set of an instruction's fields, beside registers, that an op uses.
type fields uint16

const (
	fImm    fields = 1 << iota // Imm
	fAux                       // Aux
	fRoot                      // Root
	fSize                      // Size
	fAccess                    // Access
	fWrite                     // Write, if set
	fMask                      // Mask, if not 0
	fEach                      // Each
	fShape                     // Shape
	fScale                     // Scale, if not 0
	fCases                     // Cases, if any
	fSum                       // Sum, if not 0
	fStream                    // Stream, if set
	fGang                      // Gang, if not 0
)

// An OpInfo is a row of the op table.
type OpInfo struct {
	Name   string
	Dst    string // letters of the result's possible classes, "" for no result
	Args   string // by argument: the class's letter, "d" for the result's class, "a" for any; after a final "*" the last may repeat or be absent
	Succs  int    // successors of a terminator; -1: any number
	Fields fields
	Doc    string
}

// Ops is the op table.
var Ops = [NumOps]OpInfo{
	OpConst:   {"const", "svp", "", 0, fImm, "every element has the bits imm"},
	OpCopy:    {"copy", "svp", "d", 0, 0, "the argument"},
	OpEach:    {"each", "svp", "a*", 0, fEach | fAux, "an elementwise operation of package ssa on each element; arguments of all lanes, or all scalar"},
	OpSplat:   {"splat", "vp", "s", 0, 0, "the scalar in every element"},
	OpRamp:    {"ramp", "v", "s", 0, fImm, "in lane i the scalar + i*imm; a pointer stays in its object"},
	OpFirst:   {"first", "s", "a", 0, fMask, "the element of the first lane of the predicate, of lane 0 without one; 0 where no lane is set"},
	OpPart:    {"part", "vp", "d", 0, fImm, "element imm of each lane's elements"},
	OpJoin:    {"join", "vp", "d*", 0, 0, "the arguments' elements side by side in each lane"},
	OpShuffle: {"shuffle", "v", "vv", 0, fCases, "in each lane those elements of the two arguments, one after the other, whose numbers the cases are"},
	OpInsert:  {"insert", "v", "vv", 0, fImm, "the first argument with the second as element imm of each lane"},
	OpActive:  {"active", "p", "", 0, 0, "the lanes that are work-items"},
	OpVote:    {"vote", "s", "p", 0, fMask, "ssa.VoteAll, VoteNone or VoteSome: how the lanes of the predicate agree, in all their elements"},

	OpPermute:  {"permute", "v", "vv", 0, fCases, "in lane i the element of lane Cases[i] of the first argument, or past the gang's length, counted on, of the second"},
	OpExchange: {"exchange", "v", "vv", 0, fAux | fImm | fMask, "exchanges elements within groups of aux lanes side by side: each lane gets the first argument's element of the lane of its group whose number is in the second; 0 if that lane is not in the predicate or does not exist; imm 1 says that all numbers are less than aux"},
	OpBallot:   {"ballot", "v", "p", 0, fAux | fMask, "a bit for each of the aux lanes side by side that is set and in the predicate"},

	OpRank:  {"rank", "v", "p", 0, 0, "in lane i the number of lanes up to this one whose bit is set"},
	OpCount: {"count", "s", "p", 0, 0, "the number of lanes whose bit is set"},

	OpParam:  {"param", "s", "", 0, fImm | fAux, "element aux of kernel parameter imm"},
	OpQuery:  {"query", "s", "", 0, fImm | fAux, "work-item query imm for dimension aux; ids are those of lane 0 of the first gang, in a function of the work-group of the current one"},
	OpIDEnd:  {"idend", "s", "", 0, 0, "the global id in dimension 0 after the last gang's lanes"},
	OpObject: {"object", "s", "", 0, fRoot | fImm, "the fact imm of package ssa about a root: its size, the same or 0 if it is not writable, or its address in memory"},
	OpRoot:   {"root", "s", "", 0, fRoot, "the pointer to a root's first byte"},

	OpInside:   {"inside", "p", "v", 0, fRoot | fSize | fWrite | fScale | fMask, "the lanes of the predicate for which size bytes at the offset lie in the root, which must be writable for a write; a machine may leave out odd addresses for a load of two bytes more than a multiple of 4, which load.gather need not support"},
	OpLoad:     {"load", "sv", "as*", 0, fShape | fRoot | fImm | fAux | fScale | fMask | fCases, "elements of a root, in bounds, from the offset + imm on; lanes outside of the predicate keep nothing certain"},
	OpStore:    {"store", "", "aas*", 0, fShape | fRoot | fImm | fAux | fScale | fStream | fMask | fCases, "writes the second argument, in bounds, from the offset + imm on"},
	OpLoadPtr:  {"loadptr", "v", "v", 0, fAccess | fGang | fMask, "what each lane's pointer points to; bytes out of bounds are 0 and a violation"},
	OpStorePtr: {"storeptr", "", "vv", 0, fAccess | fGang | fMask, "writes the second argument at each lane's pointer; bytes out of bounds are dropped and a violation"},
	OpCopyPtr:  {"copyptr", "", "vv", 0, fAccess | fGang | fSize | fMask, "copies size bytes to the first pointer from the second"},
	OpZeroPtr:  {"zeroptr", "", "v", 0, fAccess | fGang | fSize | fMask, "zeroes size bytes"},
	OpAtomic:   {"atomic", "v-", "va*", 0, fAccess | fGang | fEach | fAux | fMask, "the atomic op of package ssa, lane after lane"},
	OpAtomicAt: {"atomicat", "v-", "av*", 0, fAccess | fGang | fEach | fShape | fRoot | fImm | fAux | fScale | fSum | fMask, "as atomic, in bounds of a root, at the offset + imm, in the shape uniform, contiguous or gather"},
	OpClear:    {"clear", "", "", 0, 0, "zeroes the gang's private memory: every lane's copy of every private root"},
	OpZeroOwn:  {"zeroown", "", "", 0, fRoot | fImm | fSize | fMask, "zeroes size bytes from imm on of the lanes' copies of a private root; of an interleaved one whole elements"},
	OpPrefetch: {"prefetch", "", "v", 0, fRoot | fImm | fScale | fWrite, "asks the machine to bring the elements at the lanes' offsets + imm nearer, which may be out of bounds; a write says that they will be written; without effect on results"},
	OpFence:    {"fence", "", "", 0, fAux, "a memory fence"},
	OpCall:     {"call", "v-", "a*", 0, fAccess | fGang | fMask, "has the host do the operation of the access; the arguments are the elements of its operands, in order, the result's those of its result"},

	OpBegin:   {"begin", "", "s", 0, 0, "the gang whose lane 0 has this global id in dimension 0 begins"},
	OpPoll:    {"poll", "", "s*", 0, fImm, "ends the function where the launch is to end; with an argument it need not look while a bit of imm is set in that"},
	OpLeave:   {"leave", "", "", 0, 0, "ends the function; the launch executes the work-items of the current gang by another one, from the start"},
	OpBarrier: {"barrier", "", "", 0, fAccess | fImm, "the other gangs of the work-group go on; this one when all have come to this barrier or returned; imm identifies it in all functions of the kernel"},

	OpJump:     {"jump", "", "", 1, 0, "continues at the block"},
	OpBranch:   {"branch", "", "ss", 2, fEach, "compares and continues at the first block if that is true, else at the second"},
	OpAny:      {"any", "", "p", 2, fMask, "continues at the first block if an element of a lane is set, else at the second"},
	OpSwitch:   {"switch", "", "s", -1, fCases, "continues at block i+1 where the scalar is Cases[i], else at the first"},
	OpCheck:    {"check", "", "s", 2, fRoot | fSize | fWrite | fScale | fMask, "continues at the first block if size bytes from the offset on lie in the root, which must be writable for a write, else at the second; with a predicate, if a lane is set and size bytes of each lane between its first and its last lane do, which lie side by side"},
	OpDisjoint: {"disjoint", "", "", 2, fRoot | fAux, "continues at the first block if the root and root aux do not overlap, else at the second"},
	OpRuns:     {"runs", "", "v", 2, fRoot | fSize | fWrite | fScale, "continues at the first block if all lanes' accesses of size bytes are in bounds and the machine finds that the lanes form runs, else at the second"},
	OpNext:     {"next", "", "", 2, 0, "continues at the first block with the next gang of the work-group, behind the last at the second with the first gang"},
	OpReturn:   {"return", "", "", 0, 0, "all gangs are done"},
}

// String returns the op's name in the text form.
func (o Op) String() string { return Ops[o].Name }

// IsTerminator reports whether the op ends a block.
func (o Op) IsTerminator() bool { return o >= OpJump && o < NumOps }

// Masked reports whether the op may have a predicate of the lanes that take part.
func (r *OpInfo) Masked() bool { return r.Fields&fMask != 0 }

func (o Op) has(f fields) bool { return Ops[o].Fields&f != 0 }

// A Shape is the pattern of the lanes' addresses in an access.
type Shape uint8

// The shapes. The address is the first lane's offset. Gather, OwnGather and the shapes of one of them with a
// promise have each lane's: in bytes, or if scale is set, 32-bit numbers to multiply by it. A scalar offset with a scale
// is a 64-bit number to multiply. In a gang of one work-item, Uniform serves private roots also.
const (
	NoShape    Shape = iota
	Uniform          // one address and a scalar value for the gang
	Broadcast        // one address; a load replicates its elements in every lane
	Contiguous       // lanes side by side in memory; with aux the predicate has the first aux lanes
	Strided          // aux bytes from lane to lane
	Permuted         // lane i accesses element i XOR by; by is the last argument, a scalar, taken modulo the lane count
	Gather           // any addresses; a store writes lanes in order
	Own              // one offset, in each lane's copy of a private root
	OwnGather        // any offsets, each in its lane's copy of a private root
	Fields           // contiguous; a store writes only the elements of each lane whose bits in aux are set
	Rows             // a gather of several elements in each lane, a multiple of 16 bytes
	Runs             // a gather after OpRuns of the same offsets
	Pieces           // a gather in which aux lanes each are side by side
	Spread           // lane i Cases[i] bytes after the offset; of a store, lanes whose case is NotStored write nothing
	Lookup           // a gather from a table of aux elements at imm, all in bounds; the argument is each lane's index
	NumShapes
)

var shapeNames = [NumShapes]string{"", "uniform", "broadcast", "contiguous", "strided", "permuted", "gather", "own", "owngather", "fields", "rows", "runs", "pieces", "spread", "lookup"}

// NotStored is the case of a lane that an instruction of the shape Spread does not store.
const NotStored = ^uint64(0)

// gathers reports whether the shape has an offset for each lane.
func (s Shape) gathers() bool {
	return s == Gather || s == OwnGather || s == Rows || s == Runs || s == Pieces
}

// String returns the shape's name in the text form.
func (s Shape) String() string { return shapeNames[s] }

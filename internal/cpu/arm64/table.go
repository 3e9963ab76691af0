package arm64

// An op is the index of a row of the instruction table.
type op uint8

// A form is the layout of an instruction's operands, in its encoding and in its text.
type form uint8

const (
	fNone     form = iota
	fRRR           // d, n, m
	fRRRR          // d, n, m, a
	fRR            // d, n
	fRRI           // d, n, #imm (12 bits)
	fMoveI         // d, #imm (16 bits), lsl #imm2
	fBits          // d, n, #imm, #imm2: immr and imms
	fSelect        // d, n, m, condition imm
	fCmp           // n, m
	fCmpI          // n, #imm
	fMem           // d, [n, #imm]: imm is scaled by the size
	fMemX          // d, [n, m]
	fPair          // d, a, [n, #imm]: for saving registers around host calls
	fV3            // d.T, n.T, m.T: T from t
	fF3            // as fV3, of floats; t is 2 or 3
	fL3            // as fV3, of 16 bytes
	fV2            // d.T, n.T
	fF2            // as fV2, of floats
	fL2            // as fV2, of 16 bytes
	fShiftL        // d.T, n.T, #imm: left shift
	fShiftR        // right shift
	fLong          // d.wider, n.T, #0: from the lower half
	fLong2         // from the upper half
	fNarrow        // d.narrower, n.T: into the lower half
	fNarrow2       // into the upper half
	fFNarrow       // as fNarrow, of floats; t is the wider size
	fFNarrow2      // into the upper half
	fFLong         // as fLong, of floats; t is the wider size
	fFLong2        // from the upper half
	fDup           // d.T, general n
	fDupE          // d.T, n.T[imm]
	fToG           // general d, n.T[imm]
	fFromG         // d.T[imm], general n
	fAcross        // scalar d, n.T
	fMovi          // d.2d, #0
	fLogicI        // d, n, #1: the lowest bit
	fTestBit       // n, #0, label
	fJump          // label
	fJumpIf        // condition imm, label
	fJumpZ         // n, label
	fAddr          // d, label
	fReg           // n
	fBarrier       // ish
)

// vector reports whether instructions of the form have vector registers.
func (f form) vector() bool { return f >= fV3 && f <= fMovi }

// cols lists the operands that an instruction reads and writes.
type cols uint8

const (
	defD cols = 1 << iota
	useD
	useN
	useM
	useA
)

// A row describes an instruction.
type row struct {
	name string
	form form
	bits uint32
	size uint8 // of fMem: bytes; otherwise bytes of the register if w is not set, or 0
	cols cols
}

const (
	dn   = defD | useN
	dnm  = defD | useN | useM
	dnma = dnm | useA
	ddnm = dnm | useD
)

const (
	_ op = iota
	// Pseudo-instructions, handled in emit.go.
	pImplicit // defines d without a value
	pCall     // host call imm
	pEnd

	ADD
	SUB
	AND
	ORR
	ORN
	EOR
	LSL
	LSR
	ASR
	ROR
	MUL
	SDIV
	UDIV
	SMULH
	UMULH
	MSUB
	CLZ
	RBIT
	ADDI
	SUBI
	MOVZ
	MOVN
	MOVK
	UBFM
	SBFM
	CSEL
	CSINC
	CMP
	CMPI
	ANDBIT

	LDRB
	LDRH
	LDRW
	LDRX
	STRB
	STRH
	STRW
	STRX
	LDRQ
	STRQ
	LDRBX
	LDRHX
	LDRWX
	LDRXX
	STRBX
	STRHX
	STRWX
	STRXX
	STPX
	LDPX
	STPQ
	LDPQ

	VADD
	VSUB
	VMUL
	VAND
	VORR
	VORN
	VEOR
	VBIC
	VBSL
	VBIT
	VBIF
	VCMEQ
	VCMGT
	VCMGE
	VCMHI
	VCMHS
	VSMIN
	VUMIN
	VSMAX
	VUMAX
	VSABD
	VUABD
	VSHADD
	VUHADD
	VSRHADD
	VURHADD
	VSQADD
	VUQADD
	VSQSUB
	VUQSUB
	VSSHL
	VUSHL
	VNEG
	VABS
	VNOT
	VCLZ
	VCNT
	VSHLI
	VSSHRI
	VUSHRI
	VSXTL
	VSXTL2
	VUXTL
	VUXTL2
	VXTN
	VXTN2
	VSQXTN
	VSQXTN2
	VUQXTN
	VUQXTN2
	VSQXTUN
	VSQXTUN2
	VDUP
	VDUPE
	VUMOV
	VINS
	VUMINV
	VUMAXV
	VMOVI0
	VUZP1
	VUZP2
	VZIP1
	VZIP2

	FADD
	FSUB
	FMUL
	FDIV
	FMLA
	FMLS
	FCMEQ
	FCMGE
	FCMGT
	FSQRT
	FNEG
	FABS
	FRINTN
	FRINTM
	FRINTP
	FRINTZ
	FCVTNS
	FCVTNU
	FCVTZS
	FCVTZU
	FCVTMS
	FCVTMU
	FCVTPS
	FCVTPU
	SCVTF
	UCVTF
	FCVTN
	FCVTN2
	FCVTL
	FCVTL2

	B
	BCOND
	CBZ
	CBNZ
	TBZ
	ADR
	BR
	RET
	DMB
	numOps
)

// rows is the instruction table. The bits are the encoding with all operands 0. General instructions are those
// with 32-bit registers. Vector instructions are those with 128-bit registers of bytes or 32-bit floats.
var rows = [numOps]row{
	pImplicit: {name: "begin", cols: defD},
	pCall:     {name: "host"},

	ADD:    {"add", fRRR, 0x0b000000, 0, dnm},
	SUB:    {"sub", fRRR, 0x4b000000, 0, dnm},
	AND:    {"and", fRRR, 0x0a000000, 0, dnm},
	ORR:    {"orr", fRRR, 0x2a000000, 0, dnm},
	ORN:    {"orn", fRRR, 0x2a200000, 0, dnm},
	EOR:    {"eor", fRRR, 0x4a000000, 0, dnm},
	LSL:    {"lsl", fRRR, 0x1ac02000, 0, dnm},
	LSR:    {"lsr", fRRR, 0x1ac02400, 0, dnm},
	ASR:    {"asr", fRRR, 0x1ac02800, 0, dnm},
	ROR:    {"ror", fRRR, 0x1ac02c00, 0, dnm},
	MUL:    {"mul", fRRR, 0x1b007c00, 0, dnm},
	SDIV:   {"sdiv", fRRR, 0x1ac00c00, 0, dnm},
	UDIV:   {"udiv", fRRR, 0x1ac00800, 0, dnm},
	SMULH:  {"smulh", fRRR, 0x9b407c00, 8, dnm},
	UMULH:  {"umulh", fRRR, 0x9bc07c00, 8, dnm},
	MSUB:   {"msub", fRRRR, 0x1b008000, 0, dnma},
	CLZ:    {"clz", fRR, 0x5ac01000, 0, dn},
	RBIT:   {"rbit", fRR, 0x5ac00000, 0, dn},
	ADDI:   {"add", fRRI, 0x11000000, 0, dn},
	SUBI:   {"sub", fRRI, 0x51000000, 0, dn},
	MOVZ:   {"movz", fMoveI, 0x52800000, 0, defD},
	MOVN:   {"movn", fMoveI, 0x12800000, 0, defD},
	MOVK:   {"movk", fMoveI, 0x72800000, 0, defD | useD},
	UBFM:   {"ubfm", fBits, 0x53000000, 0, dn},
	SBFM:   {"sbfm", fBits, 0x13000000, 0, dn},
	CSEL:   {"csel", fSelect, 0x1a800000, 0, dnm},
	CSINC:  {"csinc", fSelect, 0x1a800400, 0, dnm},
	CMP:    {"cmp", fCmp, 0x6b00001f, 0, useN | useM},
	CMPI:   {"cmp", fCmpI, 0x7100001f, 0, useN},
	ANDBIT: {"and", fLogicI, 0x12000000, 4, dn},

	LDRB: {"ldrb", fMem, 0x39400000, 1, dn},
	LDRH: {"ldrh", fMem, 0x79400000, 2, dn},
	LDRW: {"ldr", fMem, 0xb9400000, 4, dn},
	LDRX: {"ldr", fMem, 0xf9400000, 8, dn},
	STRB: {"strb", fMem, 0x39000000, 1, useD | useN},
	STRH: {"strh", fMem, 0x79000000, 2, useD | useN},
	STRW: {"str", fMem, 0xb9000000, 4, useD | useN},
	STRX: {"str", fMem, 0xf9000000, 8, useD | useN},
	LDRQ: {"ldr", fMem, 0x3dc00000, 16, dn},
	STRQ: {"str", fMem, 0x3d800000, 16, useD | useN},

	LDRBX: {"ldrb", fMemX, 0x38606800, 1, dnm},
	LDRHX: {"ldrh", fMemX, 0x78606800, 2, dnm},
	LDRWX: {"ldr", fMemX, 0xb8606800, 4, dnm},
	LDRXX: {"ldr", fMemX, 0xf8606800, 8, dnm},
	STRBX: {"strb", fMemX, 0x38206800, 1, useD | useN | useM},
	STRHX: {"strh", fMemX, 0x78206800, 2, useD | useN | useM},
	STRWX: {"str", fMemX, 0xb8206800, 4, useD | useN | useM},
	STRXX: {"str", fMemX, 0xf8206800, 8, useD | useN | useM},
	STPX:  {"stp", fPair, 0xa9000000, 8, useD | useA | useN},
	LDPX:  {"ldp", fPair, 0xa9400000, 8, defD | useN},
	STPQ:  {"stp", fPair, 0xad000000, 16, useD | useA | useN},
	LDPQ:  {"ldp", fPair, 0xad400000, 16, defD | useN},

	VADD:     {"add", fV3, 0x4e208400, 0, dnm},
	VSUB:     {"sub", fV3, 0x6e208400, 0, dnm},
	VMUL:     {"mul", fV3, 0x4e209c00, 0, dnm},
	VAND:     {"and", fL3, 0x4e201c00, 0, dnm},
	VORR:     {"orr", fL3, 0x4ea01c00, 0, dnm},
	VORN:     {"orn", fL3, 0x4ee01c00, 0, dnm},
	VEOR:     {"eor", fL3, 0x6e201c00, 0, dnm},
	VBIC:     {"bic", fL3, 0x4e601c00, 0, dnm},
	VBSL:     {"bsl", fL3, 0x6e601c00, 0, ddnm},
	VBIT:     {"bit", fL3, 0x6ea01c00, 0, ddnm},
	VBIF:     {"bif", fL3, 0x6ee01c00, 0, ddnm},
	VCMEQ:    {"cmeq", fV3, 0x6e208c00, 0, dnm},
	VCMGT:    {"cmgt", fV3, 0x4e203400, 0, dnm},
	VCMGE:    {"cmge", fV3, 0x4e203c00, 0, dnm},
	VCMHI:    {"cmhi", fV3, 0x6e203400, 0, dnm},
	VCMHS:    {"cmhs", fV3, 0x6e203c00, 0, dnm},
	VSMIN:    {"smin", fV3, 0x4e206c00, 0, dnm},
	VUMIN:    {"umin", fV3, 0x6e206c00, 0, dnm},
	VSMAX:    {"smax", fV3, 0x4e206400, 0, dnm},
	VUMAX:    {"umax", fV3, 0x6e206400, 0, dnm},
	VSABD:    {"sabd", fV3, 0x4e207400, 0, dnm},
	VUABD:    {"uabd", fV3, 0x6e207400, 0, dnm},
	VSHADD:   {"shadd", fV3, 0x4e200400, 0, dnm},
	VUHADD:   {"uhadd", fV3, 0x6e200400, 0, dnm},
	VSRHADD:  {"srhadd", fV3, 0x4e201400, 0, dnm},
	VURHADD:  {"urhadd", fV3, 0x6e201400, 0, dnm},
	VSQADD:   {"sqadd", fV3, 0x4e200c00, 0, dnm},
	VUQADD:   {"uqadd", fV3, 0x6e200c00, 0, dnm},
	VSQSUB:   {"sqsub", fV3, 0x4e202c00, 0, dnm},
	VUQSUB:   {"uqsub", fV3, 0x6e202c00, 0, dnm},
	VSSHL:    {"sshl", fV3, 0x4e204400, 0, dnm},
	VUSHL:    {"ushl", fV3, 0x6e204400, 0, dnm},
	VNEG:     {"neg", fV2, 0x6e20b800, 0, dn},
	VABS:     {"abs", fV2, 0x4e20b800, 0, dn},
	VNOT:     {"not", fL2, 0x6e205800, 0, dn},
	VCLZ:     {"clz", fV2, 0x6e204800, 0, dn},
	VCNT:     {"cnt", fL2, 0x4e205800, 0, dn},
	VSHLI:    {"shl", fShiftL, 0x4f005400, 0, dn},
	VSSHRI:   {"sshr", fShiftR, 0x4f000400, 0, dn},
	VUSHRI:   {"ushr", fShiftR, 0x6f000400, 0, dn},
	VSXTL:    {"sshll", fLong, 0x0f00a400, 0, dn},
	VSXTL2:   {"sshll2", fLong2, 0x4f00a400, 0, dn},
	VUXTL:    {"ushll", fLong, 0x2f00a400, 0, dn},
	VUXTL2:   {"ushll2", fLong2, 0x6f00a400, 0, dn},
	VXTN:     {"xtn", fNarrow, 0x0e212800, 0, dn},
	VXTN2:    {"xtn2", fNarrow2, 0x4e212800, 0, dn | useD},
	VSQXTN:   {"sqxtn", fNarrow, 0x0e214800, 0, dn},
	VSQXTN2:  {"sqxtn2", fNarrow2, 0x4e214800, 0, dn | useD},
	VUQXTN:   {"uqxtn", fNarrow, 0x2e214800, 0, dn},
	VUQXTN2:  {"uqxtn2", fNarrow2, 0x6e214800, 0, dn | useD},
	VSQXTUN:  {"sqxtun", fNarrow, 0x2e212800, 0, dn},
	VSQXTUN2: {"sqxtun2", fNarrow2, 0x6e212800, 0, dn | useD},
	VDUP:     {"dup", fDup, 0x4e000c00, 0, dn},
	VDUPE:    {"dup", fDupE, 0x4e000400, 0, dn},
	VUMOV:    {"umov", fToG, 0x0e003c00, 0, dn},
	VINS:     {"ins", fFromG, 0x4e001c00, 0, dn | useD},
	VUMINV:   {"uminv", fAcross, 0x6e31a800, 0, dn},
	VUMAXV:   {"umaxv", fAcross, 0x6e30a800, 0, dn},
	VMOVI0:   {"movi", fMovi, 0x6f00e400, 0, defD},
	VUZP1:    {"uzp1", fV3, 0x4e001800, 0, dnm},
	VUZP2:    {"uzp2", fV3, 0x4e005800, 0, dnm},
	VZIP1:    {"zip1", fV3, 0x4e003800, 0, dnm},
	VZIP2:    {"zip2", fV3, 0x4e007800, 0, dnm},

	FADD:   {"fadd", fF3, 0x4e20d400, 0, dnm},
	FSUB:   {"fsub", fF3, 0x4ea0d400, 0, dnm},
	FMUL:   {"fmul", fF3, 0x6e20dc00, 0, dnm},
	FDIV:   {"fdiv", fF3, 0x6e20fc00, 0, dnm},
	FMLA:   {"fmla", fF3, 0x4e20cc00, 0, ddnm},
	FMLS:   {"fmls", fF3, 0x4ea0cc00, 0, ddnm},
	FCMEQ:  {"fcmeq", fF3, 0x4e20e400, 0, dnm},
	FCMGE:  {"fcmge", fF3, 0x6e20e400, 0, dnm},
	FCMGT:  {"fcmgt", fF3, 0x6ea0e400, 0, dnm},
	FSQRT:  {"fsqrt", fF2, 0x6ea1f800, 0, dn},
	FNEG:   {"fneg", fF2, 0x6ea0f800, 0, dn},
	FABS:   {"fabs", fF2, 0x4ea0f800, 0, dn},
	FRINTN: {"frintn", fF2, 0x4e218800, 0, dn},
	FRINTM: {"frintm", fF2, 0x4e219800, 0, dn},
	FRINTP: {"frintp", fF2, 0x4ea18800, 0, dn},
	FRINTZ: {"frintz", fF2, 0x4ea19800, 0, dn},
	FCVTNS: {"fcvtns", fF2, 0x4e21a800, 0, dn},
	FCVTNU: {"fcvtnu", fF2, 0x6e21a800, 0, dn},
	FCVTZS: {"fcvtzs", fF2, 0x4ea1b800, 0, dn},
	FCVTZU: {"fcvtzu", fF2, 0x6ea1b800, 0, dn},
	FCVTMS: {"fcvtms", fF2, 0x4e21b800, 0, dn},
	FCVTMU: {"fcvtmu", fF2, 0x6e21b800, 0, dn},
	FCVTPS: {"fcvtps", fF2, 0x4ea1a800, 0, dn},
	FCVTPU: {"fcvtpu", fF2, 0x6ea1a800, 0, dn},
	SCVTF:  {"scvtf", fF2, 0x4e21d800, 0, dn},
	UCVTF:  {"ucvtf", fF2, 0x6e21d800, 0, dn},
	FCVTN:  {"fcvtn", fFNarrow, 0x0e216800, 0, dn},
	FCVTN2: {"fcvtn2", fFNarrow2, 0x4e216800, 0, dn | useD},
	FCVTL:  {"fcvtl", fFLong, 0x0e217800, 0, dn},
	FCVTL2: {"fcvtl2", fFLong2, 0x4e217800, 0, dn},

	B:     {"b", fJump, 0x14000000, 0, 0},
	BCOND: {"b", fJumpIf, 0x54000000, 0, 0},
	CBZ:   {"cbz", fJumpZ, 0x34000000, 0, useN},
	CBNZ:  {"cbnz", fJumpZ, 0x35000000, 0, useN},
	TBZ:   {"tbz", fTestBit, 0x36000000, 4, useN},
	ADR:   {"adr", fAddr, 0x10000000, 8, defD},
	BR:    {"br", fReg, 0xd61f0000, 8, useN},
	RET:   {"ret", fReg, 0xd65f0000, 8, useN},
	DMB:   {"dmb", fBarrier, 0xd5033bbf, 0, 0},
}

// Conditions.
const (
	condEQ = iota
	condNE
	condHS
	condLO
	condMI
	condPL
	condVS
	condVC
	condHI
	condLS
	condGE
	condLT
	condGT
	condLE
)

var condNames = [...]string{"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"}

package asm

//go:generate go run ./gen

// An Op is an instruction of the table; the constants are in zops.go.
type Op uint16

// String returns the instruction's name in the table.
func (o Op) String() string { return Table[o].Name }

// A Row is an instruction's encoding, generated from table.txt.
type Row struct {
	Name     string // of the op
	Mnemonic string
	Enc      encoding
	PP       uint8 // 0 none, 1 66, 2 F3, 3 F2
	Map      opcodeMap
	W, EW    wbit // of VEX and of EVEX
	Opcode   uint8
	Ext      int8 // opcode extension in ModRM.reg, or -1
	Form     form
	Tuple    tuple
	Elem     uint8 // size of a broadcast element in bytes, 0 without broadcast
	Imm      immediate
	Flags    flags
}

type encoding uint8

const (
	encLegacy encoding = iota
	encBranch
	encVEX
	encEVEX
	encBoth
)

type opcodeMap uint8

const (
	mNone opcodeMap = 0
	m0F   opcodeMap = 1
	m0F38 opcodeMap = 2
	m0F3A opcodeMap = 3
	mM5   opcodeMap = 5
	mM6   opcodeMap = 6
)

type wbit uint8

const (
	wIgnored wbit = iota
	W0
	W1
	wSize // from the operand size
)

type form uint8

const (
	formNone form = iota
	formRM
	formMR
	formRVM
	formRMV
	formMVR
	formVM
	formM
	formKRVM
	formKRM
	formMaskOp
	formMaskOp3
	formMaskMem
	formGather
	formScatter
)

func (f form) hasV() bool {
	switch f {
	case formRVM, formRMV, formMVR, formVM, formKRVM, formMaskOp3, formGather:
		return true
	}
	return false
}

type tuple uint8

const (
	tNone tuple = iota
	tFull
	tHalf
	tQuarter
	tEighth
	tMem
	tEl1
	tEl2
	tEl4
	tEl8
	tM128
	tM256
)

// tupleBytes are the sizes in bytes of memory operands that do not depend on the vectors'.
var tupleBytes = [...]int32{tEl1: 1, tEl2: 2, tEl4: 4, tEl8: 8, tM128: 16, tM256: 32}

// size returns the size in bytes of the memory operand of an instruction on vectors of w bytes.
func (t tuple) size(w int32) int32 {
	switch t {
	case tNone, tFull, tMem:
		return w
	case tHalf:
		return w / 2
	case tQuarter:
		return w / 4
	case tEighth:
		return w / 8
	}
	return tupleBytes[t]
}

// disp8 returns the factor of a compressed displacement (Intel manual, "Compressed
// Displacement (disp8*N) Support in EVEX", volume 2, 2.7.5).
func (r *Row) disp8(i *Inst) int32 {
	switch {
	case i.Bcst:
		return int32(r.Elem)
	case r.Tuple == tNone:
		return 1
	}
	return r.Tuple.size(int32(i.W))
}

type immediate uint8

const (
	immNone immediate = iota
	imm8
	imm32
	imm64
	immReg
)

type flags uint32

const (
	sized    flags = 1 << iota // 66 and REX.W prefixes by operand size
	byteRM                     // modrm.rm is a byte register
	opReg                      // the register is in the opcode
	er                         // embedded rounding
	sae                        // suppress all exceptions
	l1                         // VEX.L is 1
	lock                       // LOCK prefix
	gpr                        // all operands are general registers
	gprRM                      // modrm.rm is a general register
	regGPR                     // modrm.reg is a general register
	x128                       // only with W = 16
	minY                       // W is 32 or 64
	onlyZ                      // W is 64
	rmX                        // modrm.rm is always an xmm register
	rmY                        // modrm.rm is always a ymm register
	memOnly                    // modrm.rm is memory
	regOnly                    // modrm.rm is a register
	narrow                     // the destination is half as wide
	narrower                   // the destination is a quarter as wide
	kRM                        // modrm.rm is a mask register
	vbmi                       // needs AVX512_VBMI
	fp16                       // needs AVX512_FP16
	regMem                     // with VEX, modrm.rm is a register
)

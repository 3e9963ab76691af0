package hardware

import "unsafe"

func cpuid(leaf, sub uint32) (a, b, c, d uint32)
func xgetbv() uint32

// Available reports whether the processor and the system have the instructions.
func Available() bool {
	const osxsave, f16c = 1 << 27, 1 << 29
	const avx512f, avx512dq = 1 << 16, 1 << 17
	const states = 0xe6 // SSE, AVX, opmask, both parts of ZMM
	if n, _, _, _ := cpuid(0, 0); n < 7 {
		return false
	}
	if _, _, c, _ := cpuid(1, 0); c&(osxsave|f16c) != osxsave|f16c {
		return false
	}
	_, b, _, _ := cpuid(7, 0)
	return b&(avx512f|avx512dq) == avx512f|avx512dq && xgetbv()&states == states
}

// Block is the number of elements that a loop takes at a time.
const Block = 16

// A Loop converts blocks·Block elements.
type Loop func(dst, src unsafe.Pointer, blocks int)

// Loops holds the conversions by source and destination, in the spelling of
// numeric.Kind, and by mode: _rte, _rtz, _rtp, _rtn.
var Loops = map[string][4]Loop{
	"f32i32": {f32i32RTE, f32i32RTZ, f32i32RTP, f32i32RTN},
	"f32u32": {f32u32RTE, f32u32RTZ, f32u32RTP, f32u32RTN},
	"f32i64": {f32i64RTE, f32i64RTZ, f32i64RTP, f32i64RTN},
	"f32u64": {f32u64RTE, f32u64RTZ, f32u64RTP, f32u64RTN},
	"f64i32": {f64i32RTE, f64i32RTZ, f64i32RTP, f64i32RTN},
	"f64u32": {f64u32RTE, f64u32RTZ, f64u32RTP, f64u32RTN},
	"f64i64": {f64i64RTE, f64i64RTZ, f64i64RTP, f64i64RTN},
	"f64u64": {f64u64RTE, f64u64RTZ, f64u64RTP, f64u64RTN},
	"i32f32": {i32f32RTE, i32f32RTZ, i32f32RTP, i32f32RTN},
	"u32f32": {u32f32RTE, u32f32RTZ, u32f32RTP, u32f32RTN},
	"i64f32": {i64f32RTE, i64f32RTZ, i64f32RTP, i64f32RTN},
	"u64f32": {u64f32RTE, u64f32RTZ, u64f32RTP, u64f32RTN},
	"i64f64": {i64f64RTE, i64f64RTZ, i64f64RTP, i64f64RTN},
	"u64f64": {u64f64RTE, u64f64RTZ, u64f64RTP, u64f64RTN},
	"f64f32": {f64f32RTE, f64f32RTZ, f64f32RTP, f64f32RTN},
	"f32f16": {f32f16RTE, f32f16RTZ, f32f16RTP, f32f16RTN},
	"f16f32": {f16f32, f16f32, f16f32, f16f32},
	"f32f64": {f32f64, f32f64, f32f64, f32f64},
}

//go:noescape
func f32i32RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32i32RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32i32RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32i32RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32u32RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32u32RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32u32RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32u32RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32i64RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32i64RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32i64RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32i64RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32u64RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32u64RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32u64RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32u64RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64i32RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64i32RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64i32RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64i32RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64u32RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64u32RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64u32RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64u32RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64i64RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64i64RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64i64RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64i64RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64u64RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64u64RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64u64RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64u64RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i32f32RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i32f32RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i32f32RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i32f32RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u32f32RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u32f32RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u32f32RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u32f32RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i64f32RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i64f32RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i64f32RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i64f32RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u64f32RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u64f32RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u64f32RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u64f32RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i64f64RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i64f64RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i64f64RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func i64f64RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u64f64RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u64f64RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u64f64RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func u64f64RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64f32RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64f32RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64f32RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f64f32RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32f16RTE(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32f16RTZ(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32f16RTP(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32f16RTN(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f16f32(dst, src unsafe.Pointer, blocks int)

//go:noescape
func f32f64(dst, src unsafe.Pointer, blocks int)

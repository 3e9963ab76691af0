package ssa

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// Eval computes a pure op on constants. It returns the raw bits of the result's elements: all of them, or one
// for all. dst is reused if it is large enough. ok is false if an argument is not constant or the op has no
// value at compile time. Package numeric defines each element.
func Eval(v *Value, dst []uint64) (bits []uint64, ok bool) {
	for _, a := range v.Args {
		if a.Op != OpConst {
			return nil, false
		}
	}
	if !v.Op.Has(Pure) {
		return nil, false
	}
	if v.Op.Has(Elementwise) {
		return evalElements(v, dst[:0])
	}
	return evalLanes(v, dst[:0])
}

func evalElements(v *Value, dst []uint64) ([]uint64, bool) {
	n := 1
	for _, a := range v.Args {
		n = max(n, len(a.Bits))
	}
	var args [3]uint64
	for i := range n {
		for k, a := range v.Args {
			args[k] = a.ConstElem(i)
		}
		if undefined(v, args[0], args[1]) {
			return nil, false
		}
		x, ok := EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args[:len(v.Args)])
		if !ok {
			return nil, false
		}
		dst = append(dst, x)
	}
	return dst, true
}

// undefined reports whether an element of v has undefined behaviour: it is then computed at run time, where it
// is reported.
func undefined(v *Value, a, b uint64) bool {
	k := v.Type.K.Num()
	switch v.Op {
	case OpDiv, OpRem:
		top := uint64(1) << (k.Bits() - 1)
		return k.IsInt() && (b == 0 || k.Signed() && a == top && b == 2*top-1)
	case OpConvert:
		sat, r := ConvParts(v.Aux)
		return numeric.Conversion{Dst: k, Src: v.Args[0].Type.K.Num(), Sat: sat, Round: r}.BitsOutOfRange(a)
	}
	return false
}

// evalLanes computes the ops that move whole elements.
func evalLanes(v *Value, dst []uint64) ([]uint64, bool) {
	n := int(v.Type.N)
	switch v.Op {
	case OpConst:
		return append(dst, v.Bits...), true
	case OpSelect:
		c := v.Args[0]
		for i := range n {
			m := c.ConstElem(min(i, int(c.Type.N)-1))
			dst = append(dst, v.Args[2-m].ConstElem(i))
		}
	case OpAny:
		return append(dst, slices.Max(v.Args[0].Bits)), true
	case OpBitcast:
		return evalBitcast(v, dst)
	case OpSplat:
		return append(dst, v.Args[0].Bits[0]), true
	case OpVec:
		for _, a := range v.Args {
			dst = append(dst, a.Bits[0])
		}
	case OpExtract:
		return append(dst, v.Args[0].ConstElem(int(v.Aux))), true
	case OpExtractDyn:
		if i := v.Args[1].Bits[0]; i < uint64(v.Args[0].Type.N) {
			return append(dst, v.Args[0].ConstElem(int(i))), true
		}
		return nil, false // the use is reported
	case OpInsert, OpInsertDyn:
		x, at := v.Args[len(v.Args)-1], uint64(v.Aux)
		if v.Op == OpInsertDyn {
			at = v.Args[1].Bits[0]
		}
		if at >= uint64(n) {
			return nil, false
		}
		for i := range n {
			dst = append(dst, v.Args[0].ConstElem(i))
		}
		dst[at] = x.Bits[0]
	case OpShuffle:
		for _, l := range v.Lanes {
			k := int(v.Args[0].Type.N)
			switch {
			case l == ShuffleUndef:
				return nil, false
			case int(l) < k:
				dst = append(dst, v.Args[0].ConstElem(int(l)))
			default:
				dst = append(dst, v.Args[1].ConstElem(int(l)-k))
			}
		}
	default:
		return nil, false
	}
	return dst, true
}

func evalBitcast(v *Value, dst []uint64) ([]uint64, bool) {
	from, to := v.Args[0].Type, v.Type
	fs, ts := from.K.Num().Size(), to.K.Num().Size()
	if fs == ts {
		return append(dst, v.Args[0].Bits...), true
	}
	var buf [128]byte
	for i := range int(from.N) {
		putBits(buf[i*fs:], v.Args[0].ConstElem(i), fs)
	}
	for i := range int(to.N) {
		dst = append(dst, getBits(buf[i*ts:], ts))
	}
	return dst, true
}

func putBits(b []byte, x uint64, size int) {
	for i := range size {
		b[i] = byte(x >> (8 * i))
	}
}

func getBits(b []byte, size int) (x uint64) {
	for i := range size {
		x |= uint64(b[i]) << (8 * i)
	}
	return x
}

// EvalScalar computes one element of an elementwise op. k is the result's kind, from the first argument's; aux
// is as in Value.Aux; args are raw bits, zero-extended.
func EvalScalar(op Op, k, from Kind, aux int64, args []uint64) (uint64, bool) {
	switch op {
	case OpCopy:
		return args[0], true
	case OpConvert:
		sat, r := ConvParts(aux)
		return numeric.ConvertBits(k.Num(), sat, r, from.Num(), args[0]), true
	case OpDot:
		if k != I32 && k != U32 {
			return 0, false
		}
		return uint64(Dot(aux, uint32(args[0]), uint32(args[1]), uint32(args[2]))), true
	case OpPtrAdd:
		return args[0]&^OffsetMask | (args[0]+args[1])&OffsetMask, true
	case OpPtrCast:
		return args[0], args[0] == 0
	}
	if eval := evaluators[from.Num()]; eval != nil {
		return eval(op, args)
	}
	return 0, false
}

// Dot computes an element of an OpDot.
func Dot(aux int64, a, b, sum uint32) uint32 {
	bits := 8
	if aux&DotShort != 0 {
		bits, aux = 16, aux|DotSigned0|DotSigned1
	}
	part := func(x uint32, i int, signed bool) uint32 {
		x = x << (32 - bits - i)
		if signed {
			return uint32(int32(x) >> (32 - bits))
		}
		return x >> (32 - bits)
	}
	for i := 0; i < 32; i += bits {
		sum += part(a, i, aux&DotSigned0 != 0) * part(b, i, aux&DotSigned1 != 0)
	}
	return sum
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

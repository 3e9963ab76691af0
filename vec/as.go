package vec

import "unsafe"

// Bytes1 to Bytes128 are the types of 1 to 128 bytes.
type (
	Bytes1 interface{ int8 | uint8 }
	Bytes2 interface {
		int16 | uint16 | Half | Vec2[int8] | Vec2[uint8]
	}
	Bytes4 interface {
		int32 | uint32 | float32 | Vec2[int16] | Vec2[uint16] | Vec2[Half] |
			Vec3[int8] | Vec3[uint8] | Vec4[int8] | Vec4[uint8]
	}
	Bytes8 interface {
		int64 | uint64 | float64 | Vec2[int32] | Vec2[uint32] | Vec2[float32] |
			Vec3[int16] | Vec3[uint16] | Vec3[Half] | Vec4[int16] | Vec4[uint16] | Vec4[Half] |
			Vec8[int8] | Vec8[uint8]
	}
	Bytes16 interface {
		Vec2[int64] | Vec2[uint64] | Vec2[float64] | Vec3[int32] | Vec3[uint32] | Vec3[float32] |
			Vec4[int32] | Vec4[uint32] | Vec4[float32] | Vec8[int16] | Vec8[uint16] | Vec8[Half] |
			Vec16[int8] | Vec16[uint8]
	}
	Bytes32 interface {
		Vec3[int64] | Vec3[uint64] | Vec3[float64] | Vec4[int64] | Vec4[uint64] | Vec4[float64] |
			Vec8[int32] | Vec8[uint32] | Vec8[float32] | Vec16[int16] | Vec16[uint16] | Vec16[Half]
	}
	Bytes64 interface {
		Vec8[int64] | Vec8[uint64] | Vec8[float64] | Vec16[int32] | Vec16[uint32] | Vec16[float32]
	}
	Bytes128 interface {
		Vec16[int64] | Vec16[uint64] | Vec16[float64]
	}
)

func as[D, S any](x S) D { return *(*D)(unsafe.Pointer(&x)) }

// As1 is OpenCL C's as_T for types of 1 byte: the bits of x as a D.
func As1[D, S Bytes1](x S) D { return as[D](x) }

// As2 is OpenCL C's as_T for types of 2 bytes: the bits of x as a D.
func As2[D, S Bytes2](x S) D { return as[D](x) }

// As4 is OpenCL C's as_T for types of 4 bytes: the bits of x as a D.
func As4[D, S Bytes4](x S) D { return as[D](x) }

// As8 is OpenCL C's as_T for types of 8 bytes: the bits of x as a D.
func As8[D, S Bytes8](x S) D { return as[D](x) }

// As16 is OpenCL C's as_T for types of 16 bytes: the bits of x as a D.
func As16[D, S Bytes16](x S) D { return as[D](x) }

// As32 is OpenCL C's as_T for types of 32 bytes: the bits of x as a D.
func As32[D, S Bytes32](x S) D { return as[D](x) }

// As64 is OpenCL C's as_T for types of 64 bytes: the bits of x as a D.
func As64[D, S Bytes64](x S) D { return as[D](x) }

// As128 is OpenCL C's as_T for types of 128 bytes: the bits of x as a D.
func As128[D, S Bytes128](x S) D { return as[D](x) }

package vec

// The vectors of OpenCL C by name (OpenCL C, "Built-in Vector Data Types", table 4.3:
// application data types).

// Vectors of char.
type (
	Char2  = Vec2[int8]  // char2, 2 bytes
	Char3  = Vec3[int8]  // char3, 4 bytes
	Char4  = Vec4[int8]  // char4, 4 bytes
	Char8  = Vec8[int8]  // char8, 8 bytes
	Char16 = Vec16[int8] // char16, 16 bytes
)

// Vectors of uchar.
type (
	Uchar2  = Vec2[uint8]  // uchar2, 2 bytes
	Uchar3  = Vec3[uint8]  // uchar3, 4 bytes
	Uchar4  = Vec4[uint8]  // uchar4, 4 bytes
	Uchar8  = Vec8[uint8]  // uchar8, 8 bytes
	Uchar16 = Vec16[uint8] // uchar16, 16 bytes
)

// Vectors of short.
type (
	Short2  = Vec2[int16]  // short2, 4 bytes
	Short3  = Vec3[int16]  // short3, 8 bytes
	Short4  = Vec4[int16]  // short4, 8 bytes
	Short8  = Vec8[int16]  // short8, 16 bytes
	Short16 = Vec16[int16] // short16, 32 bytes
)

// Vectors of ushort.
type (
	Ushort2  = Vec2[uint16]  // ushort2, 4 bytes
	Ushort3  = Vec3[uint16]  // ushort3, 8 bytes
	Ushort4  = Vec4[uint16]  // ushort4, 8 bytes
	Ushort8  = Vec8[uint16]  // ushort8, 16 bytes
	Ushort16 = Vec16[uint16] // ushort16, 32 bytes
)

// Vectors of int.
type (
	Int2  = Vec2[int32]  // int2, 8 bytes
	Int3  = Vec3[int32]  // int3, 16 bytes
	Int4  = Vec4[int32]  // int4, 16 bytes
	Int8  = Vec8[int32]  // int8, 32 bytes
	Int16 = Vec16[int32] // int16, 64 bytes
)

// Vectors of uint.
type (
	Uint2  = Vec2[uint32]  // uint2, 8 bytes
	Uint3  = Vec3[uint32]  // uint3, 16 bytes
	Uint4  = Vec4[uint32]  // uint4, 16 bytes
	Uint8  = Vec8[uint32]  // uint8, 32 bytes
	Uint16 = Vec16[uint32] // uint16, 64 bytes
)

// Vectors of long.
type (
	Long2  = Vec2[int64]  // long2, 16 bytes
	Long3  = Vec3[int64]  // long3, 32 bytes
	Long4  = Vec4[int64]  // long4, 32 bytes
	Long8  = Vec8[int64]  // long8, 64 bytes
	Long16 = Vec16[int64] // long16, 128 bytes
)

// Vectors of ulong.
type (
	Ulong2  = Vec2[uint64]  // ulong2, 16 bytes
	Ulong3  = Vec3[uint64]  // ulong3, 32 bytes
	Ulong4  = Vec4[uint64]  // ulong4, 32 bytes
	Ulong8  = Vec8[uint64]  // ulong8, 64 bytes
	Ulong16 = Vec16[uint64] // ulong16, 128 bytes
)

// Vectors of half.
type (
	Half2  = Vec2[Half]  // half2, 4 bytes
	Half3  = Vec3[Half]  // half3, 8 bytes
	Half4  = Vec4[Half]  // half4, 8 bytes
	Half8  = Vec8[Half]  // half8, 16 bytes
	Half16 = Vec16[Half] // half16, 32 bytes
)

// Vectors of float.
type (
	Float2  = Vec2[float32]  // float2, 8 bytes
	Float3  = Vec3[float32]  // float3, 16 bytes
	Float4  = Vec4[float32]  // float4, 16 bytes
	Float8  = Vec8[float32]  // float8, 32 bytes
	Float16 = Vec16[float32] // float16, 64 bytes
)

// Vectors of double.
type (
	Double2  = Vec2[float64]  // double2, 16 bytes
	Double3  = Vec3[float64]  // double3, 32 bytes
	Double4  = Vec4[float64]  // double4, 32 bytes
	Double8  = Vec8[float64]  // double8, 64 bytes
	Double16 = Vec16[float64] // double16, 128 bytes
)

package imagecode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/image"
)

// copies is a kernel that stores an element of an image, and writes a color to another one.
const copies = `kernel @copy(v0 handle, v1 handle, v9 ptr.global) {
  arg kind=image name="in" typename="image2d_t" size=8 align=8 access=1 image=3
  arg kind=image name="out" typename="image2d_t" size=8 align=8 access=2 image=3
  arg kind=global name="y" typename="float4*" size=16 align=16 elem=v4f32
b0:
  v2 = const u32 0
  v3 = const handle 0x12
  v4 = workitem u64 v2 query=global_id
  v5 = convert i32 v4
  v6 = vec v2i32 v5, v5
  v7 = imagesample v4f32 v0, v3, v6
  v10 = load v4f32 v9 align=16
  v11 = add v4f32 v10, v10
  imagewrite v1, v6, v11
  %s
  store v9, %s align=16
  return
}
`

// TestVectors tests which colors are computed as vectors: those of four channels in the order of components that are only stored, or
// computed as vectors.
func TestVectors(t *testing.T) {
	for _, c := range []struct {
		order  opencl.ChannelOrder
		kind   opencl.ChannelType
		op     string // before the store
		stored string
		vector bool
	}{
		{opencl.OrderRGBA, opencl.UnormInt8, "", "v7", true},
		{opencl.OrderRGBA, opencl.SnormInt16, "", "v7", true},
		{opencl.OrderRGBA, opencl.HalfFloat, "", "v7", true},
		{opencl.OrderBGRA, opencl.UnormInt8, "", "v7", false},
		{opencl.OrderRGBA, opencl.UnormInt8, "v8 = add v4f32 v7, v7", "v8", false},
	} {
		m, err := ssa.ParseText("copy.ssa", []byte(fmt.Sprintf(copies, c.op, c.stored)))
		if err != nil {
			t.Fatal(err)
		}
		k := New(m.Funcs[0])
		f, err := k.Func(k.KeyOf(image.Format{Order: c.order, Type: c.kind}, 0), true)
		if err != nil {
			t.Fatal(err)
		}
		if text := f.String(); strings.Contains(text, "= vec v4") == c.vector {
			t.Errorf("%v %v, %s: vectors are expected: %v\n%s", c.order, c.kind, c.op, c.vector, text)
		}
	}
}

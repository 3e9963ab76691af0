package spmd

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestTilesWritten: work-groups of 4 × 2 and 8 × 1 work-items write the tile of 8 elements, others do not. A load before the
// barrier may be out of bounds; one from the tile needs it to be clear.
func TestTilesWritten(t *testing.T) {
	const text = `global @t ptr.local size=32 align=4
kernel @k(v0 ptr.global) {
  arg kind=global name="a" typename="int*" size=4 align=4 elem=i32
b0:
  v1 = const u32 0
  v2 = const u32 1
  v3 = const i64 4
  v4 = const i64 16
  v5 = const i32 7
  v6 = workitem u64 v1 query=local_id
  v7 = workitem u64 v2 query=local_id
  v8 = convert i64 v6
  v9 = convert i64 v7
  v10 = mul i64 v8, v3
  v11 = mul i64 v9, v4
  v12 = global ptr.local @t
  v13 = ptradd ptr.local v12, v11
  v14 = ptradd ptr.local v13, v10
  LOAD
  store v14, v5 align=4
  barrier flags=1
  v16 = load i32 v12 align=4
  store v0, v16 align=4
  return
}
`
	for _, x := range []struct {
		load   string
		none   bool
		faults bool
	}{{"", false, false}, {"v15 = load i32 v0 align=4", false, true}, {"v15 = load i32 v12 align=4", true, false}} {
		m, err := ssa.ParseText("t.ssa", []byte(strings.Replace(text, "LOAD", x.load, 1)))
		if err != nil {
			t.Fatal(err)
		}
		tiles := TilesOf(m.Func("k"))
		if tiles == nil != x.none {
			t.Fatalf("%q: tiles are %v", x.load, tiles)
		}
		if tiles == nil {
			continue
		}
		if tiles.Faults != x.faults {
			t.Errorf("%q: other accesses may be out of bounds: %v", x.load, tiles.Faults)
		}
		for size, want := range map[[3]uint64]bool{{4, 2, 1}: true, {8, 1, 1}: true, {4, 1, 1}: false, {4, 3, 1}: false, {1, 2, 1}: false, {4, 2, 2}: true, {5, 2, 1}: false} {
			if got := tiles.Written(size); got != want {
				t.Errorf("%v: %v", size, got)
			}
		}
	}
}

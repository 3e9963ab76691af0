package lanes

import (
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestStepsOfLaterGangs compares the steps of ((id >> 3) + c) & mask with its values in each lane. Unfolded work-groups of
// 8 by 8 compute the rows of their later gangs so.
func TestStepsOfLaterGangs(t *testing.T) {
	const lanes = 16
	for _, test := range []struct {
		c, mask uint64
		known   bool
	}{{2, 7, true}, {6, 7, true}, {7, 7, false}, {2, 6, false}, {3, 3, false}, {2, 3, true}} {
		f := &ssa.Func{}
		b := f.NewBlock("")
		constant := func(n uint64) *ssa.Value { return b.Append(f.NewConst(ssa.TU32, n)) }
		id := b.Append(f.NewValue(ssa.OpWorkItem, ssa.TU64, 0, constant(0)))
		id.Aux = int64(ssa.LocalID)
		row := b.Append(f.NewValue(ssa.OpShr, ssa.TU32, 0, b.Append(f.NewValue(ssa.OpConvert, ssa.TU32, 0, id)), constant(3)))
		v := b.Append(f.NewValue(ssa.OpAnd, ssa.TU32, 0, b.Append(f.NewValue(ssa.OpAdd, ssa.TU32, 0, row, constant(test.c))), constant(test.mask)))
		varying := make([]bool, f.NumValues())
		for i := range varying {
			varying[i] = true
		}
		s := Analyse(Input{F: f, Order: f.Blocks, Loops: &ssa.Loops{}, Varying: varying, Split: make([]bool, 1), Lanes: lanes})
		steps, ok := (&stepper{Facts: s}).steps(v)
		if ok != test.known {
			t.Errorf("((id >> 3) + %d) & %d has known steps: %v", test.c, test.mask, ok)
			continue
		}
		for l := range uint64(lanes) {
			got := test.c & test.mask
			for bit, by := range steps.By {
				got += l >> bit & 1 * uint64(by)
			}
			if want := (l>>3 + test.c) & test.mask; ok && got != want {
				t.Errorf("((id >> 3) + %d) & %d is %d in lane %d, by its steps %d", test.c, test.mask, want, l, got)
			}
		}
	}
}

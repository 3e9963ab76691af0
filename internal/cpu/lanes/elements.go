package lanes

import "github.com/purecl/purecl/internal/ir/ssa"

// UsedByElement reports, by value ID, whether all uses of a vector take single elements, directly or through
// elementwise operations. A phi uses its arguments as a whole.
func (f *Facts) UsedByElement() []bool {
	single := make([]bool, f.F.NumValues())
	whole := make([]bool, f.F.NumValues())
	for _, b := range f.Order {
		for _, v := range b.Phis() {
			for _, a := range v.Args {
				whole[a.ID] = true
			}
		}
	}
	for i := len(f.Order) - 1; i >= 0; i-- {
		b := f.Order[i]
		for k := len(b.Values) - 1; k >= 0; k-- {
			v := b.Values[k]
			single[v.ID] = v.Type.N > 1 && !whole[v.ID]
			if v.Op == ssa.OpExtract || v.Op.Has(ssa.Elementwise) && single[v.ID] {
				continue
			}
			for _, a := range v.Args {
				whole[a.ID] = true
			}
		}
	}
	return single
}

package opt

import "github.com/purecl/purecl/internal/ir/ssa"

// sooner moves operations on floats up in their block to where their operands have had all other uses, so that fewer values are live
// at once. A kernel that computes several sums over the same values, one after the other, otherwise keeps all these values until the
// last sum.
//
// An operation moves if it is the last use of an operand, and far. Its result then replaces the operand in the values that are live between
// the two places.
//
// Requires: simplify (there are no copies).
func sooner(s *state) {
	m := mover{}
	for _, b := range s.f.Blocks {
		if len(b.Values) < 2*minMove {
			continue
		}
		if m.at == nil {
			m.find(s.f)
		}
		m.block(b)
	}
}

// minMove is the least number of values that an operation moves before.
const minMove = 64

// A mover moves operations within blocks.
type mover struct {
	at     []int32 // by ID: the index of the value in its block; if it moves, of the value that it follows then
	last   []int32 // by ID: the index of the last use in the value's block; -1: the block has no use
	before []int32 // by ID: the index of the last use but one
	leaves []bool  // by ID: used in another block, or by a phi
	top    int32   // number of phis and parameters at the start of the block
	moved  []*ssa.Value
	to     []int32 // by index in moved: the index after which the value comes
	next   []int32 // by index in moved: 1 + that of the next one at the same place
	first  []int32 // by index in the block: 1 + the index of the first moved value after it
	end    []int32 // and of the last one
}

// find finds the uses of all values.
func (m *mover) find(f *ssa.Func) {
	n := f.NumValues()
	m.at, m.last, m.before, m.leaves = make([]int32, n), make([]int32, n), make([]int32, n), make([]bool, n)
	for i := range m.last {
		m.last[i], m.before[i] = -1, -1
	}
	for _, b := range f.Blocks {
		for i, v := range b.Values {
			m.at[v.ID] = int32(i)
			for k, a := range v.Args {
				switch {
				case a.Block != b || v.Op == ssa.OpPhi:
					m.leaves[a.ID] = true
				case k > 0 && a == v.Args[k-1] || k > 1 && a == v.Args[k-2]: // counted already
				default:
					m.before[a.ID], m.last[a.ID] = m.last[a.ID], int32(i)
				}
			}
		}
	}
}

// block moves the operations of b.
func (m *mover) block(b *ssa.Block) {
	m.moved, m.to, m.next = m.moved[:0], m.to[:0], m.next[:0]
	m.first, m.end = cleared(m.first, len(b.Values)), cleared(m.end, len(b.Values))
	m.top = 0
	for op := b.Values[m.top].Op; op == ssa.OpPhi || op == ssa.OpParam; op = b.Values[m.top].Op {
		m.top++
	}
	for i, v := range b.Values {
		to, ok := m.place(v, int32(i))
		if !ok {
			continue
		}
		m.at[v.ID] = to
		m.moved, m.to, m.next = append(m.moved, v), append(m.to, to), append(m.next, 0)
		n := int32(len(m.moved))
		if m.first[to] == 0 {
			m.first[to] = n
		} else {
			m.next[m.end[to]-1] = n
		}
		m.end[to] = n
	}
	if len(m.moved) == 0 {
		return
	}
	list := make([]*ssa.Value, 0, len(b.Values))
	for i, v := range b.Values {
		if m.at[v.ID] == int32(i) {
			list = append(list, v)
		}
		for k := m.first[i]; k != 0; k = m.next[k-1] {
			list = append(list, m.moved[k-1])
		}
	}
	b.Values = list
}

// place returns the index in its block after which v, whose index is i, may come, if it is to move.
func (m *mover) place(v *ssa.Value, i int32) (to int32, ok bool) {
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpFMA, ssa.OpFMS, ssa.OpFNMA:
	default:
		return 0, false
	}
	if !v.Type.K.Num().IsFloat() {
		return 0, false
	}
	to = m.top - 1
	for _, a := range v.Args {
		if a.Block != v.Block {
			continue
		}
		to = max(to, m.at[a.ID])
		if !m.leaves[a.ID] && m.last[a.ID] == i && !a.IsConst() {
			ok = true
			to = max(to, m.before[a.ID])
		}
	}
	return to, ok && i-to >= minMove
}

package opt

import (
	"cmp"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Limits of balance.
const (
	minBalanced  = 4  // operands of a sum that balance looks at: fewer cannot gain enough
	maxBalanced  = 16 // operands of a sum that balance reorders: all are live at once
	minTimeSaved = 2  // additions by which the path from the last operand to the sum must become shorter
)

// balance reorders sums of at least four integers: the operands that are available early are added first, so that the
// last one, as in the steps of a hash function, waits for one addition only. Phis come last, so that iterations overlap.
// Sums from which addresses follow keep their order, from which later analyses derive bounds and distances of accesses.
//
// Requires: simplify, which would move constants to the end again. Breaks: dce.
func balance(s *state) {
	if s.cfg.KeepAccesses {
		return
	}
	b := balancer{f: s.f}
	for _, x := range s.f.Blocks {
		n := 0
		for _, v := range x.Values {
			if summed(v) {
				n++
			}
		}
		if n >= minBalanced-1 {
			b.block(x)
		}
	}
}

// summed reports whether v may be part of a sum that balance reorders.
func summed(v *ssa.Value) bool { return v.Op == ssa.OpAdd && v.Type.K.Num().IsInt() }

// A balancer reorders the sums of a function.
type balancer struct {
	f         *ssa.Func
	uses      []int32
	addresses []bool  // by value ID: an address follows from the value
	time      []int32 // by value ID: the time at which the value is available, in cycles after the beginning of its block
	made      map[*ssa.Value][]*ssa.Value
	sum       []*ssa.Value // the operations of the current sum, users first
	operands  []timed      // its operands, the earliest first
	late      int32        // the time of the operands that are phis, after all others
	scratch   []timed
	ends      []int32 // the times of sum
}

// A timed value is an operand of a sum with the time at which it is available.
type timed struct {
	v    *ssa.Value
	time int32
}

// block reorders the sums of a block.
func (b *balancer) block(x *ssa.Block) {
	if b.uses == nil {
		b.uses = b.f.UseCounts(nil)
		b.time = make([]int32, b.f.NumValues())
		b.findAddresses()
		b.made = map[*ssa.Value][]*ssa.Value{}
	}
	clear(b.made)
	inner := map[*ssa.Value]bool{}
	for _, v := range x.Values {
		if summed(v) {
			for _, a := range v.Args {
				if b.links(a, v) {
					inner[a] = true
				}
			}
		}
	}
	for _, v := range x.Values {
		b.time[v.ID] = b.after(v)
		if summed(v) && !inner[v] && !b.addresses[v.ID] {
			b.reorder(v)
		}
	}
	if len(b.made) == 0 {
		return
	}
	values := make([]*ssa.Value, 0, len(x.Values)+len(b.made)*minBalanced)
	for _, v := range x.Values {
		values = append(append(values, b.made[v]...), v)
	}
	x.Values = values
}

// links reports whether a, an argument of v, is an operation of the same sum.
func (b *balancer) links(a, v *ssa.Value) bool {
	return summed(a) && a.Block == v.Block && a.Type == v.Type && b.uses[a.ID] == 1
}

// findAddresses marks the values from which addresses follow by integer arithmetic.
func (b *balancer) findAddresses() {
	b.addresses = make([]bool, b.f.NumValues())
	var work []*ssa.Value
	mark := func(v *ssa.Value) {
		if !b.addresses[v.ID] {
			b.addresses[v.ID] = true
			work = append(work, v)
		}
	}
	for _, x := range b.f.Blocks {
		for _, v := range x.Values {
			if v.Op == ssa.OpPtrAdd {
				mark(v.Args[1])
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		switch v.Op {
		case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpNeg, ssa.OpShl, ssa.OpConvert, ssa.OpBitcast, ssa.OpSelect, ssa.OpPhi, ssa.OpExtract:
			for _, a := range v.Args {
				mark(a)
			}
		}
	}
}

// after returns the time at which v is available.
func (b *balancer) after(v *ssa.Value) int32 {
	switch v.Op {
	case ssa.OpConst, ssa.OpParam, ssa.OpPhi, ssa.OpUndef:
		return 0
	}
	t := int32(0)
	for _, a := range v.Args {
		if a.Block == v.Block {
			t = max(t, b.time[a.ID])
		}
	}
	return t + cycles(v)
}

// cycles returns the approximate latency of an operation. Only its relation to that of an addition matters.
func cycles(v *ssa.Value) int32 {
	switch ssa.Ops[v.Op].Cost {
	case ssa.CostMove:
		return 0
	case ssa.CostSimple:
		if v.Type.K.Num().IsFloat() {
			return 4
		}
		if v.Op == ssa.OpLoad {
			return 5
		}
		return 1
	case ssa.CostMul, ssa.CostFMA, ssa.CostConvert:
		return 4
	}
	return 10
}

// reorder reorders the sum that ends at v if that saves enough time.
func (b *balancer) reorder(v *ssa.Value) {
	if !b.collect(v) || b.now()-b.least() < minTimeSaved {
		return
	}
	list := b.operands
	for len(list) > 2 {
		x := b.f.NewValue(ssa.OpAdd, v.Type, v.Pos, list[0].v, list[1].v)
		x.Block = v.Block
		b.time = append(b.time, make([]int32, b.f.NumValues()-len(b.time))...)
		b.time[x.ID] = b.after(x)
		b.made[v] = append(b.made[v], x)
		list = combine(list, x)
	}
	v.SetArgs(list[0].v, list[1].v)
	b.time[v.ID] = b.after(v)
}

// collect finds the operations and the operands of the sum that ends at v, the earliest first. It fails if there are too few or
// too many.
func (b *balancer) collect(v *ssa.Value) bool {
	b.sum, b.operands = append(b.sum[:0], v), b.operands[:0]
	for i := 0; i < len(b.sum); i++ {
		for _, a := range b.sum[i].Args {
			if b.links(a, b.sum[i]) {
				b.sum = append(b.sum, a)
				continue
			}
			t := int32(0)
			if a.Block == v.Block {
				t = b.time[a.ID]
			}
			b.operands = append(b.operands, timed{a, t})
		}
		if len(b.operands) > maxBalanced {
			return false
		}
	}
	if len(b.operands) < minBalanced {
		return false
	}
	b.late = int32(len(b.operands))
	for _, x := range b.operands {
		b.late = max(b.late, x.time+int32(len(b.operands)))
	}
	for i, x := range b.operands {
		if x.v.Op == ssa.OpPhi {
			b.operands[i].time = b.late
		}
	}
	slices.SortStableFunc(b.operands, byTime)
	return true
}

func byTime(x, y timed) int { return cmp.Compare(x.time, y.time) }

// now returns the time of the sum in its present order.
func (b *balancer) now() int32 {
	b.ends = slices.Grow(b.ends[:0], len(b.sum))[:len(b.sum)]
	clear(b.ends)
	next := len(b.sum) // the operations of a sum are in the order of their users
	for i, v := range slices.Backward(b.sum) {
		for _, a := range slices.Backward(v.Args) {
			t := int32(0)
			switch {
			case b.links(a, v):
				next--
				t = b.ends[next]
			case a.Op == ssa.OpPhi:
				t = b.late
			case a.Block == v.Block:
				t = b.time[a.ID]
			}
			b.ends[i] = max(b.ends[i], t+1)
		}
	}
	return b.ends[0]
}

// least returns the earliest time of the sum in any order.
func (b *balancer) least() int32 {
	b.scratch = append(b.scratch[:0], b.operands...)
	list := b.scratch
	for len(list) > 1 {
		list = combine(list, nil)
	}
	return list[0].time
}

// combine replaces the first two elements of an ordered list by their sum x. It keeps the order and changes the elements in place.
func combine(list []timed, x *ssa.Value) []timed {
	sum := timed{x, list[1].time + 1}
	list = list[1:]
	i := 1
	for ; i < len(list) && list[i].time < sum.time; i++ {
		list[i-1] = list[i]
	}
	list[i-1] = sum
	return list
}

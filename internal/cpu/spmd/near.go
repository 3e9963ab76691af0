package spmd

import (
	"math"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// copyForTwo makes a version of blocks for gangs whose lanes have two quotients next to each other, as at the end of a row
// of several gangs. There x / n and x % n are selects, which need no division. It reports whether it did.
//
// unequal are the blocks that end with a test whether the lanes have one quotient; quos are those at the ends of the gang.
func (q *quotienter) copyForTwo(quos []quotients, unequal, blocks []*ssa.Block) bool {
	size := 0
	for _, b := range blocks {
		size += len(b.Values)
	}
	if size > q.nearBudget || !slices.ContainsFunc(q.found, quotient.hasNear) {
		return false
	}
	q.nearBudget -= size
	f, general := q.F, blocks[0]
	first := f.NewBlock("")
	for _, b := range unequal {
		b.Succs[1] = first
		first.Preds = append(first.Preds, b)
		general.Preds = slices.DeleteFunc(general.Preds, func(p *ssa.Block) bool { return p == b })
	}
	c := q.copyBlocks(blocks)
	for _, b := range blocks {
		c.finish(b)
		q.done[c.blocks[b]], q.cold[c.blocks[b]] = true, true
	}
	t := &quotientTests{q, first, general, map[*ssa.Value]bool{}, nil, nil}
	body := c.blocks[general]
	at := 0
	put := func(x quotient, op ssa.Op, typ ssa.Type, args ...*ssa.Value) *ssa.Value {
		at++
		return body.InsertAt(at-1, f.NewValue(op, typ, x.v.Pos, args...))
	}
	for i, x := range q.found {
		if !x.hasNear() {
			continue // computed in all lanes
		}
		typ, quo := x.v.Type, quos[i].first
		start, unit, step := quo, x.by(), t.number(x, 1) // start is the dividend that has no remainder
		switch x.v.Op {
		case ssa.OpAnd:
			unit = t.put(x, ssa.OpAdd, typ, unit, step)
			step = unit
		case ssa.OpShr:
			start = t.put(x, ssa.OpShl, typ, quo, unit)
			unit = t.number(x, 1<<unit.ConstElem(0))
		default:
			start = quos[i].start
		}
		if !slices.Contains(quos[:i], quos[i]) {
			t.adjacent(x, quos[i], step)
		}
		over := put(x, ssa.OpSub, typ, x.x, start)
		var more *ssa.Value
		if ends := q.ends[x.x]; typ.Size() == 8 {
			more = q.later(x, t, [2]*ssa.Value{ends[ssa.EndFirst], ends[ssa.EndLast]}, t.put(x, ssa.OpAdd, typ, start, unit), put)
		} else {
			more = put(x, ssa.OpLe, ssa.TBool, unit, over)
		}
		a, b := quo, over
		if x.v.Op == ssa.OpRem || x.v.Op == ssa.OpAnd {
			a = put(x, ssa.OpSub, typ, over, unit)
		} else {
			a, b = t.put(x, ssa.OpAdd, typ, quo, step), quo
		}
		w := put(x, ssa.OpSelect, typ, more, a, b)
		c.values[x.v].BecomeCopy(w)
		if x.wrapped == nil {
			continue
		}
		if typ.K.Num().Signed() { // the remainder of a negative dividend is the dividend
			w = put(x, ssa.OpSelect, typ, put(x, ssa.OpLt, ssa.TBool, x.x, t.number(x, 0)), put(x, ssa.OpAdd, typ, x.x, unit), w)
		}
		c.values[x.wrapped].BecomeCopy(w)
	}
	t.jump(body)
	for b := first; b != body; b = b.Succs[0] { // the tests
		q.cold[b] = true
	}
	c.repair()
	return true
}

// adjacent tests that the last lane has the first lane's quotient or the next one.
func (t *quotientTests) adjacent(x quotient, quo quotients, step *ssa.Value) {
	if quo.over != nil {
		signed := signedType(x.v.Type)
		over, by := t.as(x, signed, quo.over), t.as(x, signed, x.by())
		t.test(t.put(x, ssa.OpLe, ssa.TBool, t.F.InsertEntry(t.F.NewConst(signed, 0)), over))
		t.test(t.put(x, ssa.OpLt, ssa.TBool, t.put(x, ssa.OpSub, signed, over, by), by))
		return
	}
	if x.v.Type.K.Num().Signed() { // the dividend may fall along the lanes
		t.test(t.put(x, ssa.OpLe, ssa.TBool, quo.first, quo.last))
	}
	t.test(t.put(x, ssa.OpLe, ssa.TBool, t.put(x, ssa.OpSub, x.v.Type, quo.last, quo.first), step))
}

// later builds the condition that a dividend of 64 bits has the next quotient. It compares 32 bits: distances from the first
// lane's dividend.
func (q *quotienter) later(x quotient, t *quotientTests, ends [2]*ssa.Value, next *ssa.Value, put func(quotient, ssa.Op, ssa.Type, ...*ssa.Value) *ssa.Value) *ssa.Value {
	distance := func(a *ssa.Value) *ssa.Value {
		d := t.put(x, ssa.OpSub, x.v.Type, a, ends[0])
		if x.v.Type != ssa.TU64 {
			d = t.put(x, ssa.OpBitcast, ssa.TU64, d)
		}
		return d
	}
	most := t.F.InsertEntry(t.F.NewConst(ssa.TU64, math.MaxInt32))
	t.test(t.put(x, ssa.OpLt, ssa.TBool, distance(ends[1]), most))
	from := t.put(x, ssa.OpConvert, ssa.TI32, t.put(x, ssa.OpMin, ssa.TU64, distance(next), most))
	return put(x, ssa.OpLe, ssa.TBool, from, put(x, ssa.OpConvert, ssa.TI32, put(x, ssa.OpSub, x.v.Type, x.x, ends[0])))
}

// hasNear reports whether near knows the operation of a quotient.
func (x quotient) hasNear() bool {
	if x.nested {
		return false
	}
	switch x.v.Op {
	case ssa.OpRem, ssa.OpAnd:
		return true
	case ssa.OpDiv:
		return x.v.Args[0] == x.x
	case ssa.OpShr:
		return x.v.Args[0] == x.x && x.v.Args[1].IsConst() && x.v.Args[1].ConstElem(0) < uint64(x.v.Type.K.Num().Bits()-2)
	}
	return false
}

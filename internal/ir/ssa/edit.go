package ssa

import "slices"

// NewBits returns n words for Value.Bits, carved from a slab of the function.
func (f *Func) NewBits(n int) []uint64 {
	if n > 16 {
		return make([]uint64, n)
	}
	m := f.memory()
	if len(m.bits) < n {
		m.bits = make([]uint64, 64)
	}
	s := m.bits[:n:n]
	m.bits = m.bits[n:]
	return s
}

// NewConst makes a constant that is in no block yet. All its elements have the raw bits bits.
func (f *Func) NewConst(t Type, bits uint64) *Value {
	v := f.NewValue(OpConst, t, 0)
	v.Bits = f.NewBits(1)
	v.Bits[0] = bits
	return v
}

// NewConstVec makes a constant that is in no block yet from the raw bits of its elements: all of them, or one
// for all. It copies the slice.
func (f *Func) NewConstVec(t Type, bits []uint64) *Value {
	v := f.NewValue(OpConst, t, 0)
	v.SetBits(f, bits)
	return v
}

// SetBits sets a constant's elements to a copy of bits, which has one word if all are equal.
func (v *Value) SetBits(f *Func, bits []uint64) {
	n := len(bits)
	for n > 1 && bits[n-1] == bits[0] {
		n--
	}
	if n > 1 {
		n = len(bits)
	}
	v.Bits = f.NewBits(n)
	copy(v.Bits, bits)
}

// BecomeConst turns v in place into a constant of its type.
func (v *Value) BecomeConst(f *Func, bits []uint64) {
	v.Op, v.Flags, v.Aux, v.Args, v.Sym, v.Lanes = OpConst, 0, 0, nil, nil, nil
	v.SetBits(f, bits)
}

// BecomeCopy turns v in place into a copy of x; ReplaceCopies removes it.
func (v *Value) BecomeCopy(x *Value) {
	v.Op, v.Flags, v.Aux, v.Bits, v.Sym, v.Lanes = OpCopy, 0, 0, nil, nil, nil
	v.SetArgs(x)
}

// Source returns the original of v at the end of a chain of copies.
func (v *Value) Source() *Value {
	for v.Op == OpCopy {
		// Halve the path so that long chains are walked once.
		if w := v.Args[0]; w.Op == OpCopy {
			v.Args[0] = w.Args[0]
		}
		v = v.Args[0]
	}
	return v
}

// ReplaceCopies makes every use of a copy use its source and removes the copies.
func (f *Func) ReplaceCopies() {
	for _, b := range f.Blocks {
		n := 0
		for _, v := range b.Values {
			if v.Op == OpCopy {
				continue
			}
			for i, a := range v.Args {
				if a.Op == OpCopy {
					v.Args[i] = a.Source()
				}
			}
			b.Values[n] = v
			n++
		}
		clear(b.Values[n:])
		b.Values = b.Values[:n]
	}
}

// ResolvePhis replaces arguments of phis that are copies by their sources.
func (f *Func) ResolvePhis() {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op != OpPhi {
				break
			}
			for i, a := range v.Args {
				if a.Op == OpCopy {
					v.Args[i] = a.Source()
				}
			}
		}
	}
}

// ReplaceAll replaces every use of a value v with repl[v.ID] != nil by that value, and follows chains. It keeps
// the replaced values in their blocks.
func (f *Func) ReplaceAll(repl []*Value) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for i, a := range v.Args {
				for int(a.ID) < len(repl) && repl[a.ID] != nil {
					a = repl[a.ID]
				}
				v.Args[i] = a
			}
		}
	}
}

// UseCounts returns the number of uses of each value by ID. It reuses buf if that is large enough.
func (f *Func) UseCounts(buf []int32) []int32 {
	n := f.NumValues()
	if cap(buf) < n {
		buf = make([]int32, n+n/4)
	}
	buf = buf[:n]
	clear(buf)
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				buf[a.ID]++
			}
		}
	}
	return buf
}

// CountValues returns the number of values in blocks.
func (f *Func) CountValues() int {
	n := 0
	for _, b := range f.Blocks {
		n += len(b.Values)
	}
	return n
}

// Phis returns the block's phis.
func (b *Block) Phis() []*Value {
	n := 0
	for n < len(b.Values) && b.Values[n].Op == OpPhi {
		n++
	}
	return b.Values[:n]
}

// InsertAt puts v into b before the value at index i.
func (b *Block) InsertAt(i int, v *Value) *Value {
	v.Block = b
	b.Values = slices.Insert(b.Values, i, v)
	return v
}

// InsertBeforeTerm puts v into b before its terminator.
func (b *Block) InsertBeforeTerm(v *Value) *Value {
	n := len(b.Values)
	if b.Term() != nil {
		n--
	}
	return b.InsertAt(n, v)
}

// Remove removes v from its block. No value may use v.
func (b *Block) Remove(v *Value) {
	if i := slices.Index(b.Values, v); i >= 0 {
		b.Values = slices.Delete(b.Values, i, i+1)
		v.Block = nil
	}
}

// InsertEntry puts v into the entry block after the parameters.
func (f *Func) InsertEntry(v *Value) *Value { return f.Blocks[0].InsertAt(len(f.Params), v) }

// RemovePred removes edge i of b.Preds and the phis' arguments for it. The caller must update the predecessor's
// Succs.
func (b *Block) RemovePred(i int) {
	b.Preds = slices.Delete(b.Preds, i, i+1)
	for _, v := range b.Phis() {
		v.Args = slices.Delete(v.Args, i, i+1)
	}
}

// RemoveSucc removes edge i of b.Succs on both sides. The caller must update the terminator.
func (b *Block) RemoveSucc(i int) {
	to := b.Succs[i]
	b.Succs = slices.Delete(b.Succs, i, i+1)
	to.RemovePred(slices.Index(to.Preds, b))
}

// ReplacePred replaces one occurrence of old in b.Preds by new.
func (b *Block) ReplacePred(old, new *Block) { b.Preds[slices.Index(b.Preds, old)] = new }

// SetJump replaces b's terminator by a jump to successor i and removes all other edges.
func (b *Block) SetJump(i int) {
	keep := b.Succs[i]
	for k, s := range b.Succs {
		if k != i {
			s.RemovePred(slices.Index(s.Preds, b))
		}
	}
	b.Succs = append(b.Succs[:0], keep)
	t := b.Term()
	t.Op, t.Args, t.Bits, t.Aux, t.Flags = OpJump, nil, nil, 0, 0
}

// IsCritical reports whether edge i of b.Succs is critical: b has other successors and the target has other
// predecessors.
func (b *Block) IsCritical(i int) bool { return len(b.Succs) > 1 && len(b.Succs[i].Preds) > 1 }

// SplitEdge puts a new empty block on edge i of b.Succs and returns it.
func (f *Func) SplitEdge(b *Block, i int) *Block {
	to := b.Succs[i]
	m := f.NewBlock("")
	m.Append(f.NewValue(OpJump, TVoid, b.Term().Pos))
	b.Succs[i] = m
	m.Preds = append(m.Preds, b)
	m.Succs = append(m.Succs, to)
	to.ReplacePred(b, m)
	return m
}

// SplitCriticalEdges splits every critical edge and reports whether there was any.
func (f *Func) SplitCriticalEdges() bool {
	n := len(f.Blocks)
	for _, b := range f.Blocks[:n] {
		for i := range b.Succs {
			if b.IsCritical(i) {
				f.SplitEdge(b, i)
			}
		}
	}
	return len(f.Blocks) > n
}

// RemoveUnreachable removes the blocks that the entry does not reach, and the phis'
// arguments for edges from them. It reports whether there were any.
func (f *Func) RemoveUnreachable() bool {
	seen := make([]bool, f.NumBlocks())
	work := make([]*Block, 1, len(f.Blocks))
	work[0] = f.Blocks[0]
	seen[f.Blocks[0].ID] = true
	n := 1
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range b.Succs {
			if !seen[s.ID] {
				seen[s.ID] = true
				n++
				work = append(work, s)
			}
		}
	}
	if n == len(f.Blocks) {
		return false
	}
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *Block) bool { return !seen[b.ID] })
	for _, b := range f.Blocks {
		if slices.ContainsFunc(b.Preds, func(p *Block) bool { return !seen[p.ID] }) {
			b.filterPreds(func(p *Block) bool { return seen[p.ID] })
		}
	}
	return true
}

// filterPreds keeps the edges whose predecessor satisfies keep, in one pass.
func (b *Block) filterPreds(keep func(*Block) bool) {
	for _, v := range b.Phis() {
		n := 0
		for i, p := range b.Preds {
			if keep(p) {
				v.Args[n] = v.Args[i]
				n++
			}
		}
		v.Args = v.Args[:n]
	}
	b.Preds = slices.DeleteFunc(b.Preds, func(p *Block) bool { return !keep(p) })
}

// AccessType returns the type that a load or store accesses; ok is false for other ops.
func (v *Value) AccessType() (t Type, ok bool) {
	switch v.Op {
	case OpLoad:
		return v.Type, true
	case OpStore:
		return v.Args[1].Type, true
	}
	return Type{}, false
}

// MayReport reports whether the checking executor may report the pure op v itself, because of its arguments'
// values. Such an op must not be executed speculatively.
func (v *Value) MayReport() bool {
	switch v.Op {
	case OpDiv, OpRem:
		// A divisor other than 0 and -1 is never reported.
		if c := v.Args[1]; c.Op == OpConst {
			all := ^uint64(0) >> (64 - v.Type.K.Num().Bits())
			for _, x := range c.Bits {
				if x == 0 || x == all {
					return !v.Type.K.Num().IsFloat()
				}
			}
			return false
		}
		return !v.Type.K.Num().IsFloat()
	case OpConvert:
		sat, _ := ConvParts(v.Aux)
		return !sat && v.Args[0].Type.K.Num().IsFloat() && !v.Type.K.Num().IsFloat()
	case OpExtractDyn, OpInsertDyn, OpPtrCast:
		return true
	}
	return false
}

// ElementSource returns the argument of a splat, vec, extract, insert or shuffle, and the argument's element, that
// element c of v is. The argument is nil if that element is undefined.
func (v *Value) ElementSource(c int) (a *Value, k int) {
	switch v.Op {
	case OpVec:
		return v.Args[c], 0
	case OpExtract:
		return v.Args[0], int(v.Aux)
	case OpInsert:
		if c == int(v.Aux) {
			return v.Args[1], 0
		}
		return v.Args[0], c
	case OpShuffle:
		n := int(v.Args[0].Type.N)
		switch k = int(v.Lanes[c]); {
		case k == ShuffleUndef:
			return nil, 0
		case k >= n:
			return v.Args[1], k - n
		}
		return v.Args[0], k
	}
	return v.Args[0], 0 // of a splat
}

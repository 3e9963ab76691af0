package spmd

import (
	"cmp"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Row loops: loops in which each lane accesses successive elements of its own row. Lanes are far apart, while
// one lane's elements in successive iterations are consecutive. Such a loop gets a copy that executes several
// iterations at once. It reads a piece of each lane's row as a vector, and executes the iterations in order on
// the vector's elements. The copy runs while enough iterations remain and all pieces are in bounds, which an
// [ssa.OpInside] tests. Then the original loop executes the remainder, with checks.
//
// Stores to rows are symmetrical: the copy keeps the stored values, and writes them as pieces after all its
// iterations. This reorders accesses. In one object that is correct for certain distances of the accesses
// (stores.go). Different objects must not overlap, which the OpInside tests too, and no access of the copy may
// fail.
//
// Rows may be walked forwards or backwards, and by several elements in an iteration, as in loops that are unrolled by
// hand. Then one piece serves several loads.
//
// It covers innermost loops without branches that whole gangs execute together, that end by the test of a counter
// (counter.go), and that write only private objects and rows.

const (
	minPiece     = 16  // least bytes of a piece
	wordPiece    = 4   // bytes of a piece of single bytes in loops for which that is too much
	nearElements = 16  // most elements from one lane to the next for which lanes are side by side
	maxRounds    = 16  // most iterations of the loop in one of the copy
	maxWide      = 400 // most values of a copy
	maxBlocked   = 600 // most values of a copy of a loop with several columns

	maxAdded = 1 << 16 // greatest constant that indices add to the counter
)

// A rowLoop is a row loop under transformation.
type rowLoop struct {
	*versions
	l      *ssa.Loop
	end    *counterTest
	chain  []*ssa.Block // the blocks with accesses, in order: those after the header, and the header if the test follows them
	before *ssa.Block
	exit   *ssa.Block // the block after the loop if the test follows the accesses, and the copy may execute all iterations; else nil
	in     int        // index of the entering edge among the header's predecessors
	count  *ssa.Value
	low    int64 // bounds of the constants that indices add to the counter before they are extended
	high   int64
	rows   map[*ssa.Value]int          // loads and stores of row elements, by the elements that they advance in an iteration
	pieces map[*ssa.Value]rowPart      // by load of a row
	stores []*ssa.Value                // stores to rows, in order
	kept   map[*ssa.Value]kept         // loads of values that a store wrote some iterations before
	last   map[*ssa.Value][]*ssa.Value // by such a load: phis of the copy for the values that its previous round stored
	rounds int                         // iterations of the loop in one of the copy
	body   *ssa.Block                  // the copy's body
	copies []map[*ssa.Value]*ssa.Value // by iteration: the copies of the loop's values
	wides  map[*ssa.Value]*ssa.Value   // by load: the vector, if it is read for this load

	vec *vectoriser // nil: the iterations are executed in order
}

// A rowPart tells where a load finds its elements: from an index on in the vector that is read for a load.
type rowPart struct {
	load *ssa.Value
	at   int
}

// versionRows makes such copies, and reports whether it made any. piece is the greatest size of a piece in bytes.
func (g *versions) versionRows(piece int) bool {
	var list []*rowLoop
	for _, l := range g.Loops.All {
		w := &rowLoop{versions: g, l: l, before: entering(g.Plan, l), end: g.counterTest(l), rows: map[*ssa.Value]int{}, pieces: map[*ssa.Value]rowPart{}, kept: map[*ssa.Value]kept{}, last: map[*ssa.Value][]*ssa.Value{}, wides: map[*ssa.Value]*ssa.Value{}}
		if len(w.before.Succs) == 1 && w.end != nil && w.straight() {
			list = append(list, w)
		}
	}
	if len(list) == 0 {
		return false
	}
	apart, ok := g.checkable()
	if !ok {
		return false
	}
	changed := false
	for _, w := range list {
		if !apart.has(w.l.Header) && !g.Rare(w.l.Header) {
			changed = w.version(piece) || changed
		}
	}
	return changed
}

// version makes the copy of a loop, if it can.
func (w *rowLoop) version(piece int) bool {
	w.in, w.count = w.end.in, w.end.count
	if !w.findRows(piece) {
		return false
	}
	c := w.newRowByRow()
	n := w.end.iterations(w.versions, w.before)
	if n == nil {
		return false
	}
	if c != nil {
		c.make(n)
		w.Forms |= RowByRow
	}
	w.make(n)
	// The blocks after the loop are reached through its header, or from the copy.
	for _, b := range w.l.Blocks {
		w.wide[b], w.cold[b] = true, b != w.l.Header || w.exit != nil
	}
	w.Forms |= RowLoops
	if len(w.stores) > 0 {
		w.Forms |= RowStores
	}
	if w.vec != nil {
		w.Forms |= Vectorised
	}
	return true
}

// straight finds the blocks with accesses, if the loop's blocks form a chain, and reports whether iterations can be
// combined.
func (w *rowLoop) straight() bool {
	h := w.l.Header
	all := []*ssa.Block{h}
	for b := h; ; {
		next := b.Succs[0]
		if b == w.end.branch {
			next = b.Succs[w.end.stay]
		} else if len(b.Succs) != 1 {
			return false
		}
		if w.Split[b.ID] || w.Loops.Of(b) != w.l {
			return false
		}
		if b = next; b == h {
			break
		}
		if len(b.Preds) != 1 || len(all) > len(w.l.Blocks) {
			return false
		}
		all = append(all, b)
	}
	if len(all) != len(w.l.Blocks) {
		return false
	}
	// Accesses are before the test or after it.
	accesses := func(b *ssa.Block) bool {
		return slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { return v.Op == ssa.OpLoad || v.Op == ssa.OpStore })
	}
	at := slices.Index(all, w.end.branch) + 1
	switch {
	case !slices.ContainsFunc(all[:at], accesses):
		w.chain = all[at:]
	case !slices.ContainsFunc(all[at:], accesses):
		w.chain = all[:at]
		w.findExit()
	default:
		return false
	}
	for _, b := range w.l.Blocks {
		for _, v := range b.Values {
			switch {
			case v.Op.Has(ssa.Terminator), v.Op == ssa.OpPhi && b == h, (v.Op == ssa.OpLoad || v.Op == ssa.OpStore) && v.Flags&ssa.Volatile == 0:
			case v.Op == ssa.OpPhi, v.Op == ssa.OpVote, v.Op == ssa.OpAny, v.Op == ssa.OpEnd, v.Op == ssa.OpInside, v.Op == ssa.OpAlloca, !v.Op.Has(ssa.Pure):
				return false
			}
		}
	}
	return true
}

// findExit sets exit if the values that are used after the loop are known after the copy: they come from the iteration
// before the header's next execution.
func (w *rowLoop) findExit() {
	exit := w.end.branch.Succs[1-w.end.stay]
	at := slices.Index(exit.Preds, w.end.branch)
	for _, phi := range exit.Phis() {
		if v := phi.Args[at]; v.Block != nil && w.Loops.Contains(w.l, v.Block) && w.nextOf(v) == nil {
			return
		}
	}
	for _, b := range w.l.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpConst || v.Op == ssa.OpParam { // may be used anywhere
				return
			}
		}
	}
	w.exit = exit
}

// nextOf returns the phi of the header that is v in the next iteration, or nil.
func (w *rowLoop) nextOf(v *ssa.Value) *ssa.Value {
	for _, phi := range w.l.Header.Phis() {
		if phi.Args[1-w.end.in] == v {
			return phi
		}
	}
	return nil
}

// findRows finds the accesses to rows, and sets the number of iterations to combine. It returns false if there
// are none, or if the copy would be too large.
func (w *rowLoop) findRows(piece int) bool {
	size, least, most := 0, minPiece, 1
	for _, b := range w.l.Blocks {
		size += len(b.Values)
		for _, v := range b.Values {
			t, ok := v.AccessType()
			if !ok || private(v) {
				continue
			}
			if by := w.row(v); by != 0 {
				w.rows[v], w.pieces[v] = by, rowPart{load: v}
				by = max(by, -by)
				least, most = min(least, t.Size()*by), max(most, by*int(t.N))
			}
			if v.Op == ssa.OpStore {
				if w.rows[v] == 0 {
					return false
				}
				w.stores = append(w.stores, v)
			}
		}
	}
	if len(w.rows) == 0 {
		return false
	}
	if most == 1 && w.vectorise(piece, size, least) {
		return true
	}
	values := maxWide * w.versions.rows
	if w.blocked[w.l.Header] {
		values = maxBlocked
	}
	for w.rounds = min(piece/least, maxRounds/most); w.rounds > 1 && (w.rounds*least >= minPiece || w.rounds*least == wordPiece && least == 1); w.rounds /= 2 {
		if n := size * w.rounds; n <= min(values, w.budget) {
			if !w.mayStoreLast() {
				return false
			}
			w.sharePieces()
			w.budget -= n
			return true
		}
	}
	return false
}

// row returns the elements by which an access to a row advances in an iteration; 0 for other accesses.
func (w *rowLoop) row(v *ssa.Value) int {
	t, _ := v.AccessType()
	if t.N != 1 && (v.Op == ssa.OpLoad || t.N == 3) || t.K == ssa.Bool || t.K.IsPtr() || !w.Varying[v.Args[0].ID] || minPiece%t.Size() != 0 {
		return 0
	}
	a := w.facts().Address(v.Args[0], false)
	near := int64(min(nearElements*t.Size(), 4*minPiece)) // lanes at most this far apart have better patterns
	if a.Root == nil || a.Order != nil || a.Regular() && a.Stride <= near && a.Stride >= -near {
		return 0
	}
	// A 32-bit index that wraps within a piece must be out of bounds.
	k, ok := w.growth(v.Args[0], len(a.Terms) == 1 && a.Disp <= lanes.MaxDisp && a.Disp >= -lanes.MaxDisp, maxMoves)
	if k%int64(t.Size()) != 0 || !ok {
		return 0
	}
	switch by := int(k) / t.Size(); by {
	case 1, -1:
		return by
	case 2, 4, 8, -2, -4, -8:
		if v.Op == ssa.OpLoad {
			return by
		}
	}
	return 0
}

// first returns the iteration of the copy in which an access to successive elements has its lowest address.
func (w *rowLoop) first(v *ssa.Value) int {
	if w.rows[v] < 0 || w.vec != nil && w.vec.alike[v] && w.vec.backwards {
		return w.rounds - 1
	}
	return 0
}

// element returns the index of an access's element of an iteration in its vector.
func (w *rowLoop) element(v *ssa.Value, round int) int {
	by := w.rows[v]
	if by < 0 {
		by, round = -by, w.rounds-1-round
	}
	return w.pieces[v].at + by*round
}

// sharePieces gives loads that advance by several elements, and begin within these, one piece. As in a row's piece, an
// index that wraps between them must be out of bounds.
func (w *rowLoop) sharePieces() {
	type walk struct {
		v      *ssa.Value
		linear lanes.Linear
	}
	var list []walk
	for _, b := range w.chain {
		for _, v := range b.Values {
			if by := w.rows[v]; by != 0 && v.Op == ssa.OpLoad {
				if l, ok := lanes.LinearOf(v.Args[0]); ok && by != 1 && by != -1 {
					list = append(list, walk{v, l})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b walk) int { return cmp.Compare(a.linear.Disp, b.linear.Disp) })
	for i, a := range list {
		if w.pieces[a.v].load != a.v {
			continue
		}
		es := int64(a.v.Type.Size())
		for _, b := range list[i+1:] {
			d := b.linear.Disp - a.linear.Disp
			if w.pieces[b.v].load == b.v && w.rows[a.v] == w.rows[b.v] && a.v.Type == b.v.Type && d%es == 0 && d/es < int64(max(w.rows[a.v], -w.rows[a.v])) &&
				w.facts().Root(a.v.Args[0]) == w.facts().Root(b.v.Args[0]) && slices.Equal(a.linear.Terms, b.linear.Terms) {
				w.pieces[b.v] = rowPart{a.v, int(d / es)}
			}
		}
	}
}

// growth returns the constant by which an integer or a pointer grows in each iteration. narrow says to ignore
// wrapping of 32-bit sums.
func (w *rowLoop) growth(v *ssa.Value, narrow bool, depth int) (k int64, ok bool) {
	if v.Block == nil || v.IsConst() || !w.Loops.Contains(w.l, v.Block) {
		return 0, true
	}
	if depth == 0 || v.Type.N != 1 || !v.Type.K.IsPtr() && !isInt(v.Type.K) {
		return 0, false
	}
	of := func(i int) (int64, bool) { return w.growth(v.Args[i], narrow, depth-1) }
	switch v.Op {
	case ssa.OpPhi:
		if v.Block != w.l.Header {
			return 0, false
		}
		next := v.Args[1-w.in]
		if next.Op != ssa.OpAdd && next.Op != ssa.OpPtrAdd || next.Args[0] != v || !next.Args[1].IsConst() {
			return 0, false
		}
		return signed(next.Args[1]), true
	case ssa.OpAdd, ssa.OpSub, ssa.OpPtrAdd:
		a, ok := of(0)
		b, ok2 := of(1)
		if v.Op == ssa.OpSub {
			b = -b
		}
		return a + b, ok && ok2
	case ssa.OpMul, ssa.OpShl:
		a, ok := of(0)
		c := v.Args[1]
		switch {
		case !ok:
			return 0, false
		case c.IsConst() && v.Op == ssa.OpShl:
			return a << (c.ConstElem(0) & 31), c.ConstElem(0) < 31
		case c.IsConst():
			by := signed(c)
			return a * by, by < 1<<20 && by > -1<<20
		}
		b, ok := of(1)
		return 0, ok && a == 0 && b == 0
	case ssa.OpCopy, ssa.OpPtrCast:
		return of(0)
	case ssa.OpConvert, ssa.OpBitcast:
		from := v.Args[0]
		if sat, _ := ssa.ConvParts(v.Aux); v.Op == ssa.OpConvert && sat || from.Type.N != 1 || !isInt(from.Type.K) {
			return 0, false
		}
		size := from.Type.Size()
		k, ok := of(0)
		if k != 0 && v.Type.Size() > size && (!narrow || size < 4) {
			return k, ok && w.nearCount(from)
		}
		return k, ok
	}
	return 0, false
}

// nearCount reports whether v is the counter plus a constant. The counter does not wrap in the iterations of the copy,
// nor does the sum when the copy runs (unwrapped). It is false for a loop whose copy has no such test (columnsApart).
func (w *rowLoop) nearCount(v *ssa.Value) bool {
	if w.count == nil {
		return false
	}
	c := int64(0)
	for v != w.count {
		switch {
		case v.Op == ssa.OpAdd && v.Args[1].IsConst() && v.Type == w.count.Type:
			c += signed(v.Args[1])
		case v.Op == ssa.OpSub && v.Args[1].IsConst() && v.Type == w.count.Type:
			c -= signed(v.Args[1])
		default:
			return false
		}
		if v = v.Args[0]; c > maxAdded || c < -maxAdded || v.Block == nil {
			return false
		}
	}
	w.low, w.high = min(w.low, c), max(w.high, c)
	return true
}

// unwrapped adds to a condition that the counter plus the constants of indices stays in its type's range for n
// iterations. The counter itself does, unless the test's sum is behind it.
func (w *rowLoop) unwrapped(known, n *ssa.Value) *ssa.Value {
	behind := w.end.ahead != 0 && (w.end.ahead < 0) != (w.end.step < 0)
	if w.low == 0 && w.high == 0 && !behind || w.count.Type.Size() > 4 {
		return known
	}
	add := func(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
		return w.before.InsertBeforeTerm(w.F.NewValue(op, t, known.Pos, args...))
	}
	least, most := limits(w.count.Type.K)
	low := add(ssa.OpConvert, ssa.TI64, w.count.Args[w.in])
	high := add(ssa.OpAdd, ssa.TI64, low, add(ssa.OpMul, ssa.TI64, add(ssa.OpSub, ssa.TI64, n, w.number(1)), w.number(w.end.step)))
	if w.end.step < 0 {
		low, high = high, low
	}
	known = add(ssa.OpAnd, ssa.TBool, known, add(ssa.OpLe, ssa.TBool, w.number(least-w.low), low))
	return add(ssa.OpAnd, ssa.TBool, known, add(ssa.OpLe, ssa.TBool, high, w.number(most-w.high)))
}

// signed returns a constant as a signed integer.
func signed(v *ssa.Value) int64 {
	switch x := v.ConstElem(0); v.Type.Size() {
	case 1:
		return int64(int8(x))
	case 2:
		return int64(int16(x))
	case 4:
		return int64(int32(x))
	default:
		return int64(x)
	}
}

// make makes the copy; n is how often the loop continues, if in [1, 2³¹).
func (w *rowLoop) make(n *ssa.Value) {
	f, h, pos := w.F, w.l.Header, w.l.Header.Term().Pos
	head, test := f.NewBlock(h.Name), f.NewBlock(h.Name)
	w.body = f.NewBlock(h.Name)
	for _, b := range []*ssa.Block{head, test, w.body} {
		w.wide[b] = true
	}
	out := f.NewBlock(h.Name) // the block after the copy
	branch := func(b *ssa.Block, c *ssa.Value, yes, no *ssa.Block) {
		b.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, pos, c))
		b.Link(yes)
		b.Link(no)
	}
	left := w.iterations(n)
	step := w.number(int64(w.rounds))
	w.before.Values = w.before.Values[:len(w.before.Values)-1]
	w.before.Succs = nil
	w.before.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, pos, w.before.Append(f.NewValue(ssa.OpLe, ssa.TBool, pos, step, left))))
	if first := w.loadFirst(head); first != nil {
		w.before.Link(first)
	} else {
		w.before.Link(head)
	}
	w.before.Succs = append(w.before.Succs, h)

	for range w.rounds {
		w.copies = append(w.copies, map[*ssa.Value]*ssa.Value{})
	}
	for _, phi := range h.Phis() {
		if w.vec != nil && w.vec.reductions[phi] != nil {
			w.vec.begin(head, phi)
			continue
		}
		p := head.Append(w.copyValue(phi))
		p.SetArgs(phi.Args[w.in], phi.Args[w.in])
		w.copies[0][phi] = p
	}
	count := head.Append(f.NewValue(ssa.OpPhi, ssa.TI64, pos, left, left))
	branch(head, head.Append(f.NewValue(ssa.OpLe, ssa.TBool, pos, step, count)), test, out)
	branch(test, w.test(test), w.body, out)
	count.Args[1] = w.body.Append(f.NewValue(ssa.OpSub, ssa.TI64, pos, count, step))
	if w.vec != nil {
		w.vec.round()
	} else {
		w.unroll()
		for _, phi := range h.Phis() {
			w.copies[0][phi].Args[1] = w.copyOf(phi.Args[1-w.in], w.rounds-1, w.body)
		}
		w.keepLast()
	}
	w.body.Append(f.NewValue(ssa.OpJump, ssa.TVoid, pos))
	w.body.Link(head)
	w.leave(out, count)
}

func (w *rowLoop) number(x int64) *ssa.Value {
	return w.F.InsertEntry(w.F.NewConst(ssa.TI64, uint64(x)))
}

// iterations returns how many iterations the copy may execute, at the end of the block before the loop; n is how often
// the loop continues. An unknown number counts as none.
func (w *rowLoop) iterations(n *ssa.Value) *ssa.Value {
	add := func(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
		return w.before.InsertBeforeTerm(w.F.NewValue(op, t, w.l.Header.Term().Pos, args...))
	}
	known := add(ssa.OpLe, ssa.TBool, n, w.number(1<<31-1))
	if w.exit != nil {
		n = add(ssa.OpAdd, ssa.TI64, n, w.number(1))
	}
	return add(ssa.OpSelect, ssa.TI64, w.unwrapped(known, n), n, w.number(0))
}

// leave ends the block after the copy. It goes on with the original loop, or after it if no iteration is left.
func (w *rowLoop) leave(out *ssa.Block, left *ssa.Value) {
	h, pos := w.l.Header, w.l.Header.Term().Pos
	values := map[*ssa.Value]*ssa.Value{}
	for _, phi := range h.Phis() {
		x := w.copies[0][phi]
		if w.vec != nil && w.vec.reductions[phi] != nil {
			x = w.vec.end(out, phi)
		}
		values[phi] = x
		phi.Args = append(phi.Args, x)
	}
	if w.exit == nil {
		out.Append(w.F.NewValue(ssa.OpJump, ssa.TVoid, pos))
		out.Link(h)
		return
	}
	at := slices.Index(w.exit.Preds, w.end.branch)
	for _, phi := range w.exit.Phis() {
		x := phi.Args[at]
		if next := w.nextOf(x); next != nil {
			x = values[next]
		}
		phi.Args = append(phi.Args, x)
	}
	out.Append(w.F.NewValue(ssa.OpBranch, ssa.TVoid, pos, out.Append(w.F.NewValue(ssa.OpEq, ssa.TBool, pos, left, w.number(0)))))
	out.Link(w.exit)
	out.Link(h)
}

// test ends block b, before the copy's body. It computes the addresses of the accesses in b, adds the loads of the
// pieces to the body, and returns the test whether all are in bounds.
func (w *rowLoop) test(b *ssa.Block) *ssa.Value {
	for _, c := range w.chain {
		for _, v := range c.Values {
			if v.Op == ssa.OpLoad && w.last[v] == nil && (w.pieces[v].load == v || w.vec != nil && w.vec.alike[v]) {
				p := w.copyOf(v.Args[0], w.first(v), b)
				x := w.copyValue(v)
				x.Type = ssa.Type{K: v.Type.K, N: uint8(w.rounds * max(1, w.rows[v], -w.rows[v]))}
				x.SetArgs(p)
				w.wides[v] = w.body.Append(x)
			}
		}
	}
	one := b.Append(w.F.NewConst(ssa.TI64, 1))
	inside := w.F.NewValue(ssa.OpInside, ssa.TBool, w.l.Header.Term().Pos, one)
	inside.Aux = ssa.InsideRows
	switch {
	case w.vec != nil:
		inside.Aux = ssa.InsideVectorised
	case len(w.stores) > 0:
		inside.Aux = ssa.InsideApart
	}
	w.findAll(b, inside.Aux == ssa.InsideRows)
	return b.Append(inside)
}

// unroll copies the accesses of the iterations in order, with their operands.
func (w *rowLoop) unroll() {
	for k := range w.rounds {
		for _, phi := range w.l.Header.Phis() {
			w.copyOf(phi, k, w.body)
		}
		for _, b := range w.chain {
			for _, v := range b.Values {
				last := w.kept[v]
				switch {
				case v.Op != ssa.OpLoad && v.Op != ssa.OpStore:
				case w.rows[v] == 0:
					w.copyOf(v, k, w.body)
				case v.Op == ssa.OpStore:
					w.copyOf(v.Args[1], k, w.body)
				case last.store != nil && k >= last.rounds:
					w.copies[k][v] = w.copyOf(last.store.Args[1], k-last.rounds, w.body)
				case w.last[v] != nil:
					w.copies[k][v] = w.last[v][k]
				default:
					x := w.body.Append(w.F.NewValue(ssa.OpExtract, v.Type, v.Pos, w.wides[w.pieces[v].load]))
					x.Aux = int64(w.element(v, k))
					w.copies[k][v] = x
				}
			}
		}
	}
	w.storeLast()
}

// copyOf returns the copy of v in an iteration. If it does not exist, it is made at the end of block b.
func (w *rowLoop) copyOf(v *ssa.Value, round int, b *ssa.Block) *ssa.Value {
	if v.Block == nil || !w.Loops.Contains(w.l, v.Block) {
		return v
	}
	if x := w.copies[round][v]; x != nil {
		return x
	}
	if v.Op == ssa.OpPhi {
		next := v.Args[1-w.in]
		if !w.counts(v) || w.copies[0][v] == nil {
			x := w.copyOf(next, round-1, b)
			w.copies[round][v] = x
			return x
		}
		// Not a chain of additions: accesses of all rounds are at constant distances.
		k := next.Args[1].Type
		by := w.F.InsertEntry(w.F.NewConst(k, uint64(signed(next.Args[1])*int64(round))&onesOf(k.K)))
		x := b.Append(w.F.NewValue(next.Op, v.Type, v.Pos, w.copies[0][v], by))
		w.copies[round][v] = x
		return x
	}
	x := w.copyValue(v)
	args := make([]*ssa.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = w.copyOf(a, round, b)
	}
	x.SetArgs(args...)
	w.copies[round][v] = b.Append(x)
	return x
}

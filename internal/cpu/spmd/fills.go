package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// In some kernels every work-item fills a whole local array before a barrier. All of them write the same values:
//
//	for (y …) for (x …) tile[y * w + x] = read_imagef(image, sampler, (int2)(x0 + x, y0 + y)).x;
//
// The work-items of a work-group of known size then divide the iterations of the innermost loop among them, at the start of the
// kernel: work-item i does iteration i. There all of them are still together; some may return before the barrier.
//
// Nothing in the loops can fault, and they load from images only. The loops are the only accesses to the array before the barrier, and all later accesses
// are after them and a barrier. Work-items that would not reach the loops do not see that the array was written.

// Limits of a fill.
const (
	minFill      = 4       // iterations of the innermost loop
	maxFill      = 1 << 12 // iterations of all loops
	maxFillBytes = 1 << 16 // of an array
	maxFillMoved = 64      // values that the loops need from before them
	maxFillWork  = 1 << 18 // operations to compute the places of all stores
)

// divideFills is the pass. It divides one nest of loops.
func divideFills(s *state) (bool, error) {
	if s.o.Config.Disable["fills"] {
		return false, nil
	}
	x := findFill(s.f, s.o.groupSize())
	if x == nil {
		return false, nil
	}
	x.divide()
	s.canonical = false
	return true, nil
}

// Fills reports whether a kernel has a loop whose iterations work-items can divide in work-groups of the size, in the host's
// dimensions.
func Fills(f *ssa.Func, size [3]uint64) bool { return findFill(f, size) != nil }

// findFill returns the first nest of loops that work-items can divide, or nil.
func findFill(f *ssa.Func, size [3]uint64) *fill {
	if size == [3]uint64{} || !slices.ContainsFunc(f.Blocks, hasBarrier) {
		return nil
	}
	dom := f.Dominators()
	loops := f.Loops(dom)
	for _, l := range loops.All {
		x := &fill{f: f, dom: dom, loops: loops, size: size, inner: l, outer: l}
		if l.Parent != nil {
			x.outer = l.Parent
		}
		if x.find() && x.once() {
			return x
		}
	}
	return nil
}

// groupSize returns the size of all work-groups in the host's dimensions, zeros if it is not known.
func (o *Options) groupSize() (size [3]uint64) {
	switch {
	case o.Flat:
		return size
	case o.Collapse || o.Local != size:
		return o.Local
	case o.Unfold.Lanes > 0 && o.LaneDim == 0:
		return o.Unfold.Local
	}
	return size
}

// A fill is a nest of one or two loops.
type fill struct {
	f            *ssa.Func
	dom          *ssa.DomTree
	loops        *ssa.Loops
	size         [3]uint64
	outer, inner *ssa.Loop // the same if there is one
	count        [2]int    // iterations of outer and of inner
	stores       []*ssa.Value
	loads        bool                // from images
	moved        map[*ssa.Value]bool // values before the loops that they need
	work         int                 // operations computed
}

// find reports whether the loops have known numbers of iterations and write different elements of local arrays that they do
// not read.
func (x *fill) find() bool {
	if x.outer.Parent != nil || len(x.inner.Blocks) != 2 {
		return false
	}
	items := x.size[0] * x.size[1] * x.size[2]
	for i, l := range []*ssa.Loop{x.outer, x.inner} {
		n, ok := x.trips(l)
		if !ok {
			return false
		}
		x.count[i] = n
	}
	if n := x.count[1]; n < minFill || uint64(n) > items || x.outer != x.inner && n*x.count[0] > maxFill {
		return false
	}
	x.moved = map[*ssa.Value]bool{}
	for _, b := range x.outer.Blocks {
		if l := x.loops.Of(b); l != x.outer && l != x.inner || b != x.outer.Header && b != x.inner.Header && len(b.Succs) != 1 {
			return false
		}
		for _, v := range b.Values {
			if !x.fits(v) {
				return false
			}
		}
	}
	return len(x.stores) > 0 && x.alone() && x.distinct()
}

// trips returns the number of iterations of a loop that has any. The loop ends at its header only, by the test counter < end.
func (x *fill) trips(l *ssa.Loop) (n int, ok bool) {
	h := l.Header
	t := h.Term()
	if t.Op != ssa.OpBranch || len(l.Latches) != 1 || len(h.Preds) != 2 || !x.loops.Contains(l, h.Succs[0]) || x.loops.Contains(l, h.Succs[1]) || len(h.Succs[1].Preds) != 1 {
		return 0, false
	}
	p := x.before(l)
	c := t.Args[0]
	if len(p.Succs) != 1 || c.Op != ssa.OpLt || c.Block != h || c.Args[0].Op != ssa.OpPhi || c.Args[0].Block != h || x.loops.Contains(l, c.Args[1].Block) {
		return 0, false
	}
	first, step, ok := x.counter(l, c.Args[0])
	if !ok || step != 1 {
		return 0, false
	}
	a, from := x.plus(first)
	b, to := x.plus(c.Args[1])
	if a != b {
		return 0, false
	}
	k := truncated(c.Args[0].Type.K, to-from)
	return int(k), k > 0 && k <= maxFill
}

// truncated returns the low bits of an integer of kind k.
func truncated(k ssa.Kind, x uint64) uint64 {
	if bits := 8 * k.Num().Size(); bits < 64 {
		x &= 1<<bits - 1
	}
	return x
}

// before returns the block from which l is entered.
func (x *fill) before(l *ssa.Loop) *ssa.Block { return l.Header.Preds[x.edge(l)] }

// edge returns the index of the entering edge among the predecessors of l's header.
func (x *fill) edge(l *ssa.Loop) int {
	if l.Header.Preds[0] == l.Latches[0] {
		return 1
	}
	return 0
}

// counter returns the first value of a phi and the constant by which it grows.
func (x *fill) counter(l *ssa.Loop, phi *ssa.Value) (first *ssa.Value, step uint64, ok bool) {
	i := x.edge(l)
	next := phi.Args[1-i]
	if phi.Type.N != 1 || !isInt(phi.Type.K) || phi.Type.K.Num().Size() < 4 || next.Op != ssa.OpAdd || next.Args[0] != phi || !next.Args[1].IsConst() {
		return nil, 0, false
	}
	return phi.Args[i], next.Args[1].ConstElem(0), true
}

// plus splits an integer into a value, nil for none, and a number, modulo the size of its type.
func (x *fill) plus(v *ssa.Value) (base *ssa.Value, n uint64) {
	for {
		if k, ok := x.value(v, 0, 0); ok {
			return nil, n + k
		}
		if v.Op != ssa.OpAdd || v.Type.N != 1 {
			return v, n
		}
		a, b := v.Args[0], v.Args[1]
		k, ok := x.value(b, 0, 0)
		if !ok {
			a, b = b, a
			if k, ok = x.value(b, 0, 0); !ok {
				return v, n
			}
		}
		v, n = a, n+k
	}
}

// value computes an integer that follows from constants, the size of work-groups, and the numbers of the iterations.
func (x *fill) value(v *ssa.Value, outer, inner int) (n uint64, ok bool) {
	x.work++
	switch {
	case x.work > maxFillWork || v.Type.N != 1 || !isInt(v.Type.K):
		return 0, false
	case v.IsConst():
		return v.ConstElem(0), true
	case v.Op == ssa.OpWorkItem:
		if q := ssa.WorkItemQuery(v.Aux); q != ssa.LocalSize && q != ssa.EnqueuedLocalSize || !v.Args[0].IsConst() || v.Args[0].ConstElem(0) > 2 {
			return 0, false
		}
		return x.size[v.Args[0].ConstElem(0)], true
	case v.Op == ssa.OpPhi:
		l, k := x.inner, inner
		if v.Block != l.Header {
			l, k = x.outer, outer
		}
		if v.Block != l.Header {
			return 0, false
		}
		first, step, ok := x.counter(l, v)
		if !ok {
			return 0, false
		}
		n, ok = x.value(first, outer, inner)
		return truncated(v.Type.K, n+uint64(k)*step), ok
	case !v.Op.Has(ssa.Elementwise):
		return 0, false
	}
	var args [3]uint64
	if len(v.Args) > len(args) {
		return 0, false
	}
	for i, a := range v.Args {
		if args[i], ok = x.value(a, outer, inner); !ok {
			return 0, false
		}
	}
	return ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args[:len(v.Args)])
}

// fits reports whether a value of the loops may be executed by any work-item of the work-group, and only once.
func (x *fill) fits(v *ssa.Value) bool {
	switch {
	case v.Op == ssa.OpPhi:
		l := x.inner
		if v.Block != l.Header {
			l = x.outer
		}
		if v.Block != l.Header {
			return false
		}
		if _, _, ok := x.counter(l, v); !ok {
			return false
		}
	case v.Op == ssa.OpStore:
		if v.Flags&ssa.Volatile != 0 || v.Block == x.inner.Header || x.loops.Of(v.Block) != x.inner || v.Args[1].Type.N == 3 {
			return false
		}
		x.stores = append(x.stores, v)
	case v.Op == ssa.OpLoad:
		p := v.Args[0]
		for p.Op == ssa.OpPtrAdd {
			p = p.Args[0]
		}
		if v.Flags&ssa.Volatile != 0 || p.Op != ssa.OpParam || !x.f.Kernel.Args[p.Aux].Pixels {
			return false
		}
		x.loads = true
	case v.Op == ssa.OpJump || v.Op == ssa.OpBranch:
	case !movable(v):
		return false
	}
	for _, a := range v.Args {
		if !x.loops.Contains(x.outer, a.Block) && !x.uniform(a) {
			return false
		}
	}
	return true
}

// movable reports whether v depends on its arguments and the work-group only.
func movable(v *ssa.Value) bool {
	if v.Op == ssa.OpWorkItem {
		switch ssa.WorkItemQuery(v.Aux) {
		case ssa.GroupID, ssa.NumGroups, ssa.LocalSize, ssa.EnqueuedLocalSize, ssa.GlobalSize, ssa.GlobalOffset:
			return true
		}
		return false
	}
	return v.Op.Has(ssa.Pure) && !v.Op.Has(ssa.Convergent) && v.Op != ssa.OpPhi && v.Op != ssa.OpImageQuery && v.Op != ssa.OpAlloca
}

// uniform reports whether v is the same for all work-items of the work-group and can be computed at the start of the kernel. It adds
// the values to compute there to moved.
func (x *fill) uniform(v *ssa.Value) bool {
	if v.Op == ssa.OpParam || v.IsConst() || x.moved[v] {
		return true
	}
	if !movable(v) || len(x.moved) == maxFillMoved {
		return false
	}
	x.moved[v] = true
	return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !x.uniform(a) })
}

// alone reports whether values of the loops are used in them only: those of the inner loop in that.
func (x *fill) alone() bool {
	for _, b := range x.f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				if x.loops.Contains(x.outer, a.Block) && !x.loops.Contains(x.loops.Of(a.Block), b) {
					return false
				}
			}
		}
	}
	return true
}

// distinct reports whether all stores of all iterations are to different bytes of local arrays.
func (x *fill) distinct() bool {
	written := map[*ssa.Global][]bool{}
	for _, v := range x.stores {
		g := arrayOf(v.Args[0])
		if g == nil || g.Kind != ssa.PtrLocal || g.Size > maxFillBytes {
			return false
		}
		if written[g] == nil {
			written[g] = make([]bool, g.Size)
		}
		for i := range x.count[0] {
			for k := range x.count[1] {
				if x.outer == x.inner && i > 0 {
					break
				}
				if !x.writes(v, i, k, written[g]) {
					return false
				}
			}
		}
	}
	return true
}

// arrayOf returns the program variable that p points into by sums, or nil.
func arrayOf(p *ssa.Value) *ssa.Global {
	for p.Op == ssa.OpPtrAdd {
		p = p.Args[0]
	}
	g, _ := p.Sym.(*ssa.Global)
	if p.Op != ssa.OpGlobalAddr {
		return nil
	}
	return g
}

// writes marks the bytes that a store writes in an iteration, and reports whether they are in bounds and were not marked.
func (x *fill) writes(v *ssa.Value, outer, inner int, written []bool) bool {
	at := int64(0)
	for p := v.Args[0]; p.Op == ssa.OpPtrAdd; p = p.Args[0] {
		n, ok := x.value(p.Args[1], outer, inner)
		if !ok {
			return false
		}
		at += int64(signExtended(p.Args[1].Type.K, n))
	}
	size := int64(v.Args[1].Type.Size())
	if at < 0 || at > int64(len(written))-size || slices.Contains(written[at:at+size], true) {
		return false
	}
	for i := range size {
		written[at+i] = true
	}
	return true
}

// once reports whether other work-items do not see whether the loops have run once or several times.
func (x *fill) once() bool {
	h := x.outer.Header
	before := map[*ssa.Block]bool{} // blocks before the loops
	flood(before, x.before(x.outer), func(b *ssa.Block) []*ssa.Block { return b.Preds })
	for b := range before {
		if slices.ContainsFunc(b.Values, x.blocks) {
			return false
		}
	}
	early := map[*ssa.Block]bool{} // blocks that are reached without a barrier
	flood(early, x.f.Blocks[0], func(b *ssa.Block) []*ssa.Block {
		if hasBarrier(b) {
			return nil
		}
		return b.Succs
	})
	filled := map[*ssa.Global]bool{}
	for _, v := range x.stores {
		filled[arrayOf(v.Args[0])] = true
	}
	into := map[*ssa.Value]bool{} // pointers into the arrays
	for _, b := range x.dom.Order {
		passed := !early[b]
		for _, v := range b.Values {
			passed = passed || v.Op == ssa.OpBarrier
			if g, ok := v.Sym.(*ssa.Global); ok && v.Op == ssa.OpGlobalAddr && filled[g] {
				into[v] = true
			}
			for i, a := range v.Args {
				switch {
				case !into[a]:
				case v.Op == ssa.OpPtrAdd && i == 0:
					into[v] = true
				case (v.Op == ssa.OpLoad || v.Op == ssa.OpStore) && i == 0:
					if !x.loops.Contains(x.outer, b) && !(passed && x.dom.Dominates(h, b)) {
						return false
					}
				default:
					return false
				}
			}
		}
	}
	return true
}

// blocks reports whether the loops cannot be moved before v: a barrier, or a write to what they may load.
func (x *fill) blocks(v *ssa.Value) bool {
	if v.Op == ssa.OpStore {
		g := arrayOf(v.Args[0])
		return x.loads && (g == nil || g.Kind != ssa.PtrLocal)
	}
	return v.Op == ssa.OpBarrier || v.Op.Has(ssa.Convergent) || x.loads && v.Op.Has(ssa.Writes)
}

// flood adds b and all blocks that next leads to from it.
func flood(seen map[*ssa.Block]bool, b *ssa.Block, next func(b *ssa.Block) []*ssa.Block) {
	if !seen[b] {
		seen[b] = true
		for _, s := range next(b) {
			flood(seen, s, next)
		}
	}
}

// divide moves the loops to the start of the kernel and replaces the inner one by its iteration with the number of the work-item.
func (x *fill) divide() {
	f := x.f
	pos := x.stores[0].Pos
	inside := map[*ssa.Block]bool{}
	for _, b := range x.outer.Blocks {
		inside[b] = true
	}
	entry := f.Blocks[0]
	rest := splitEntry(f)
	at := map[*ssa.Value]*ssa.Value{}
	lid := entry.Append(f.NewValue(ssa.OpWorkItem, ssa.TU64, pos, f.InsertEntry(f.NewConst(ssa.TU32, 0))))
	lid.Aux = int64(ssa.LocalLinearID)
	own := entry.Append(f.NewValue(ssa.OpLt, ssa.TBool, pos, lid, f.InsertEntry(f.NewConst(ssa.TU64, uint64(x.count[1])))))
	for _, b := range x.outer.Blocks {
		for _, v := range b.Values {
			for i, a := range v.Args {
				if !inside[a.Block] {
					v.Args[i] = x.copyTo(entry, a, at)
				}
			}
		}
	}
	// The kernel skips the loops.
	h, p, exit := x.outer.Header, x.before(x.outer), x.outer.Header.Succs[1]
	p.Succs[slices.Index(p.Succs, h)] = exit
	exit.ReplacePred(h, p)
	h.Preds[x.edge(x.outer)] = entry
	h.Succs[1] = rest
	rest.Preds = append(rest.Preds, entry, h)
	if any := x.flatten(lid); any != nil {
		own = entry.Append(f.NewValue(ssa.OpAnd, ssa.TBool, pos, own, any))
	}
	entry.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, pos, own))
	entry.Succs = []*ssa.Block{h, rest}
	dropUnused(f, f.Blocks)
}

// splitEntry moves the operations of the entry block to a new block without predecessors.
func splitEntry(f *ssa.Func) *ssa.Block {
	entry := f.Blocks[0]
	rest := splitStart(entry)
	entry.Remove(entry.Term())
	entry.Succs, rest.Preds = nil, nil
	return rest
}

// copyTo returns a copy of a value in the entry block, made once.
func (x *fill) copyTo(entry *ssa.Block, v *ssa.Value, at map[*ssa.Value]*ssa.Value) *ssa.Value {
	if v.Block == entry {
		return v
	}
	if at[v] == nil {
		args := make([]*ssa.Value, len(v.Args))
		for i, a := range v.Args {
			args[i] = x.copyTo(entry, a, at)
		}
		w := x.f.NewValue(v.Op, v.Type, v.Pos, args...)
		w.Flags, w.Aux, w.Bits, w.Lanes, w.Sym = v.Flags, v.Aux, v.Bits, v.Lanes, v.Sym
		at[v] = entry.Append(w)
	}
	return at[v]
}

// flatten replaces the inner loop by its iteration number lid, which is executed if the loop has any iterations. If it is known at the
// start of the kernel whether it has, flatten returns the condition for that. The entry block has no terminator yet.
func (x *fill) flatten(lid *ssa.Value) (any *ssa.Value) {
	f, l, h, entry := x.f, x.inner, x.inner.Header, x.f.Blocks[0]
	in := x.edge(l)
	before, body, exit := h.Preds[in], l.Latches[0], h.Succs[1]
	by := map[*ssa.Value]*ssa.Value{} // the phis' values in the iteration
	test := h.Term().Args[0]
	test.Args[0] = test.Args[0].Args[in]
	for _, v := range h.Phis() {
		first, step, _ := x.counter(l, v)
		add := func(op ssa.Op, args ...*ssa.Value) *ssa.Value {
			if w := f.NewValue(op, v.Type, v.Pos, args...); first.Block == entry {
				return entry.Append(w)
			} else {
				return before.InsertBeforeTerm(w)
			}
		}
		w := add(ssa.OpConvert, lid)
		if step != 1 {
			w = add(ssa.OpMul, w, f.InsertEntry(f.NewConst(v.Type, step)))
		}
		if !zero(first) {
			w = add(ssa.OpAdd, first, w)
		}
		by[v] = w
	}
	h.Values = h.Values[len(by):]
	for _, b := range l.Blocks {
		for _, v := range slices.Clone(b.Values) {
			for i, a := range v.Args {
				if w := by[a]; w != nil {
					v.Args[i] = w
				}
			}
			if v.Op.Has(ssa.Pure) && v.Op.Has(ssa.Elementwise) && !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return a.Block != entry }) {
				b.Remove(v)
				entry.Append(v)
			}
		}
	}
	h.Preds = slices.Delete(h.Preds, 1-in, 2-in)
	body.Succs[slices.Index(body.Succs, h)] = exit
	exit.Preds = append(exit.Preds, body)
	if test.Block != entry {
		return nil
	}
	h.SetJump(0)
	return test
}

package ssa

// A Loop is a natural loop: the blocks that reach one of the latches without passing through the header, which
// dominates them all.
type Loop struct {
	Header  *Block
	Latches []*Block // predecessors of the header within the loop
	Blocks  []*Block // in reverse post-order, including those of inner loops
	Parent  *Loop    // the enclosing loop or nil
	Depth   int      // 1 for an outermost loop

	index int32     // in Loops.All
	latch [1]*Block // memory of Latches
}

// Loops is the loop forest of a function.
type Loops struct {
	All         []*Loop // inner loops before their parents
	Irreducible bool    // some cycle has no header that dominates it
	of          []*Loop // by block ID: the innermost loop; nil if there are no loops
}

// Of returns the innermost loop that contains b, or nil.
func (l *Loops) Of(b *Block) *Loop {
	if l.of == nil {
		return nil
	}
	return l.of[b.ID]
}

// Contains reports whether b is in the loop x.
func (l *Loops) Contains(x *Loop, b *Block) bool {
	y := l.Of(b)
	for y != nil && y.Depth > x.Depth {
		y = y.Parent
	}
	return y == x
}

// Loops returns the loop forest; t is the function's dominator tree.
func (f *Func) Loops(t *DomTree) *Loops {
	l := &Loops{}
	// The loop visits headers in reverse of reverse post-order, so that inner loops come first.
	var work []*Block
	for i := len(t.Order) - 1; i >= 0; i-- {
		h := t.Order[i]
		var x *Loop
		for _, p := range h.Preds {
			if t.Dominates(h, p) {
				if x == nil {
					x = &Loop{Header: h, index: int32(len(l.All))}
					x.Latches = x.latch[:0]
				}
				if l.of == nil {
					l.of = make([]*Loop, f.NumBlocks())
				}
				x.Latches = append(x.Latches, p)
			} else if t.Reachable(p) && t.Pos(p) >= i {
				l.Irreducible = true
			}
		}
		if x == nil {
			continue
		}
		l.All = append(l.All, x)
		work = append(work[:0], x.Latches...)
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			y := l.of[b.ID]
			if y == nil {
				l.of[b.ID] = x
				if b != h {
					work = appendReachable(work, t, b.Preds)
				}
				continue
			}
			for y.Parent != nil && y != x {
				y = y.Parent
			}
			if y != x { // an inner loop found before: continue at its header
				y.Parent = x
				work = appendReachable(work, t, y.Header.Preds)
			}
		}
	}
	for i := len(l.All) - 1; i >= 0; i-- {
		x := l.All[i]
		x.Depth = 1
		if x.Parent != nil {
			x.Depth = x.Parent.Depth + 1
		}
	}
	if l.of != nil {
		l.collect(t.Order)
	}
	return l
}

// collect sets the blocks of all loops; order is the reverse post-order.
func (l *Loops) collect(order []*Block) {
	mem := newScratch()
	defer scratches.Put(mem)
	count, total := mem.take(len(l.All)), 0
	for _, b := range order {
		for x := l.of[b.ID]; x != nil; x = x.Parent {
			count[x.index]++
			total++
		}
	}
	blocks := make([]*Block, total)
	for i, x := range l.All {
		x.Blocks = blocks[:0:count[i]]
		blocks = blocks[count[i]:]
	}
	for _, b := range order {
		for x := l.of[b.ID]; x != nil; x = x.Parent {
			x.Blocks = append(x.Blocks, b)
		}
	}
}

func appendReachable(work []*Block, t *DomTree, blocks []*Block) []*Block {
	for _, b := range blocks {
		if t.Reachable(b) {
			work = append(work, b)
		}
	}
	return work
}

// LoopOrder returns the reachable blocks in a reverse post-order in which the blocks of each natural loop are
// contiguous: the blocks after a loop follow all of it. An executor that always advances the work-items at the
// earliest block reconverges them after each loop.
func (f *Func) LoopOrder(t *DomTree, l *Loops) []*Block {
	if len(l.All) == 0 {
		return t.Order
	}
	mem := newScratch()
	defer scratches.Put(mem)
	// Item i is block i of the reverse post-order or, from n on, a loop. Each loop has a list of the items that it contains
	// directly. The last list is the function's. Lists are in reverse post-order, where a loop stands at its header.
	n, lists := len(t.Order), len(l.All)+1
	next, first, last := mem.take(n+lists), mem.take(lists), mem.take(lists)
	for i := range first {
		first[i], last[i] = -1, -1
	}
	add := func(x *Loop, item int) {
		k := len(l.All)
		if x != nil {
			k = int(x.index)
		}
		if last[k] < 0 {
			first[k] = int32(item)
		} else {
			next[last[k]] = int32(item)
		}
		next[item], last[k] = -1, int32(item)
	}
	for i, b := range t.Order {
		x := l.of[b.ID]
		if x != nil && x.Header == b {
			add(x.Parent, n+int(x.index))
		}
		add(x, i)
	}
	order := make([]*Block, 0, n)
	stack := mem.take(lists)[:0] // the next items of the lists that are being read
	for stack = append(stack, first[len(l.All)]); len(stack) > 0; {
		item := stack[len(stack)-1]
		if item < 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		stack[len(stack)-1] = next[item]
		if int(item) < n {
			order = append(order, t.Order[item])
		} else {
			stack = append(stack, first[int(item)-n])
		}
	}
	return order
}

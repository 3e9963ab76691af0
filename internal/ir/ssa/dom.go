package ssa

import (
	"slices"
	"sync"
)

// A DomTree is the dominator tree (or post-dominator tree) of a function's blocks.
type DomTree struct {
	Order    []*Block // the blocks that the root reaches, in reverse post-order
	root     *Block   // nil for a post-dominator tree, whose root is a virtual exit
	idom     []*Block // by block ID; nil for the root and for unreachable blocks
	pos      []int32  // by block ID: index in Order, -1 if unreachable
	pre, end []int32  // by block ID: the interval of the tree's preorder
	preorder []*Block // of the tree
	depth    []int32  // by block ID

	mem    arena    // memory of the lists of numbers
	blocks []*Block // memory of idom, Order and preorder
}

// An arena allocates zeroed slices and frees all of them together.
type arena struct {
	free  []int32
	whole []int32
	need  int
}

func (a *arena) take(n int) []int32 {
	a.need += n
	if len(a.free) < n {
		return make([]int32, n)
	}
	s := a.free[:n:n]
	a.free = a.free[n:]
	clear(s)
	return s
}

func (a *arena) reset() {
	if a.need > len(a.whole) {
		a.whole = make([]int32, a.need+a.need/2)
	}
	a.free, a.need = a.whole, 0
}

// scratches is the pool of memory that the analyses of control flow need only while they run.
var scratches = sync.Pool{New: func() any { return &arena{whole: make([]int32, 2048)} }}

// newScratch returns an unused arena of the pool, to which the caller returns it.
func newScratch() *arena {
	a := scratches.Get().(*arena)
	a.reset()
	return a
}

// flow is a control-flow graph on dense numbers: node i's edges are
// to[start[i]:start[i+1]].
type flow struct{ start, to []int32 }

func (g *flow) of(i int32) []int32 { return g.to[g.start[i]:g.start[i+1]] }

// Dominators returns the dominator tree.
func (f *Func) Dominators() *DomTree {
	t := &DomTree{}
	t.Rebuild(f)
	return t
}

// Rebuild makes t the dominator tree of f, reusing its memory.
func (t *DomTree) Rebuild(f *Func) {
	mem := newScratch()
	defer scratches.Put(mem)
	n := len(f.Blocks)
	index := f.blockIndex(mem)
	edges := f.countEdges()
	succ := flow{mem.take(n + 1), mem.take(edges)}
	pred := flow{mem.take(n + 1), mem.take(edges)}
	s, p := 0, 0
	for i, b := range f.Blocks {
		for _, to := range b.Succs {
			succ.to[s] = index[to.ID]
			s++
		}
		for _, from := range b.Preds {
			pred.to[p] = index[from.ID]
			p++
		}
		succ.start[i+1], pred.start[i+1] = int32(s), int32(p)
	}
	t.build(f, n, 0, &succ, &pred, mem)
	t.root = f.Blocks[0]
}

// PostDominators returns the post-dominator tree. Its virtual root is the successor of every block without
// successors. It is also the successor of one block of each part of the graph that never leaves, so that the
// tree contains every block.
func (f *Func) PostDominators() *DomTree {
	mem := newScratch()
	defer scratches.Put(mem)
	n := len(f.Blocks)
	index := f.blockIndex(mem)
	exits := f.exits(index)
	isExit := make([]bool, n)
	for _, e := range exits {
		isExit[e] = true
	}
	// The graph is reversed: node n is the virtual root.
	edges := f.countEdges() + len(exits)
	succ := flow{mem.take(n + 2)[:0], mem.take(edges)[:0]}
	pred := flow{mem.take(n + 2)[:0], mem.take(edges)[:0]}
	for i, b := range f.Blocks {
		succ.start = append(succ.start, int32(len(succ.to)))
		for _, p := range b.Preds {
			succ.to = append(succ.to, index[p.ID])
		}
		pred.start = append(pred.start, int32(len(pred.to)))
		for _, s := range b.Succs {
			pred.to = append(pred.to, index[s.ID])
		}
		if isExit[i] {
			pred.to = append(pred.to, int32(n))
		}
	}
	succ.start = append(succ.start, int32(len(succ.to)))
	succ.to = append(succ.to, exits...)
	succ.start = append(succ.start, int32(len(succ.to)))
	pred.start = append(pred.start, int32(len(pred.to)), int32(len(pred.to)))
	t := &DomTree{}
	t.build(f, n+1, int32(n), &succ, &pred, mem)
	return t
}

// IterationPostDominators returns the post-dominator tree of a graph in which each edge back to a loop's header leads to
// the targets of the loop's exits instead. A block then post-dominates another one of its loop only if every path reaches
// it in the same iteration. If control flow is irreducible, the tree is that of [Func.PostDominators].
func (f *Func) IterationPostDominators(loops *Loops) *DomTree {
	if loops.Irreducible || len(loops.All) == 0 {
		return f.PostDominators()
	}
	mem := newScratch()
	defer scratches.Put(mem)
	// Edge e leads from node from[e] to node to[e]. Node n is the virtual root. Node n+1+k stands for the exits of loop k.
	n := len(f.Blocks)
	index := f.blockIndex(mem)
	number := func(l *Loop) int32 { return int32(n+1) + l.index }
	most := f.countEdges() + n + len(loops.All)
	for _, l := range loops.All {
		for _, b := range l.Blocks {
			most += len(b.Succs)
		}
	}
	from, to := mem.take(most)[:0], mem.take(most)[:0]
	edge := func(a, b int32) { from, to = append(from, a), append(to, b) }
	target := func(b, s *Block) int32 {
		if l := loops.Of(s); l != nil && l.Header == s && loops.Contains(l, b) {
			return number(l)
		}
		return index[s.ID]
	}
	for i, b := range f.Blocks {
		for _, s := range b.Succs {
			edge(int32(i), target(b, s))
		}
		if len(b.Succs) == 0 {
			edge(int32(i), int32(n))
		}
	}
	for _, l := range loops.All {
		ends := false
		for _, b := range l.Blocks {
			for _, s := range b.Succs {
				if !loops.Contains(l, s) {
					edge(number(l), target(b, s))
					ends = true
				}
			}
		}
		if !ends {
			edge(number(l), int32(n))
		}
	}
	nodes := n + 1 + len(loops.All)
	succ, pred := flowOf(mem, nodes, to, from), flowOf(mem, nodes, from, to) // the graph is reversed
	t := &DomTree{}
	t.build(f, nodes, int32(n), &succ, &pred, mem)
	return t
}

// flowOf returns the graph of n nodes with these edges.
func flowOf(mem *arena, n int, from, to []int32) flow {
	g := flow{mem.take(n + 1), mem.take(len(to))}
	for _, a := range from {
		g.start[a+1]++
	}
	for i := range n {
		g.start[i+1] += g.start[i]
	}
	next := mem.take(n + 1)
	copy(next, g.start)
	for i, a := range from {
		g.to[next[a]] = to[i]
		next[a]++
	}
	return g
}

// exits returns the predecessors of the virtual exit.
func (f *Func) exits(index []int32) []int32 {
	n := len(f.Blocks)
	var exits, work []int32
	seen := make([]bool, n)
	reach := func(i int32) {
		exits = append(exits, i)
		seen[i] = true
		work = append(work[:0], i)
		for len(work) > 0 {
			b := f.Blocks[work[len(work)-1]]
			work = work[:len(work)-1]
			for _, p := range b.Preds {
				if k := index[p.ID]; !seen[k] {
					seen[k] = true
					work = append(work, k)
				}
			}
		}
	}
	for i, b := range f.Blocks {
		if len(b.Succs) == 0 {
			reach(int32(i))
		}
	}
	for i := n - 1; i >= 0; i-- {
		if !seen[i] {
			reach(int32(i))
		}
	}
	return exits
}

// countEdges returns the number of edges between blocks.
func (f *Func) countEdges() (n int) {
	for _, b := range f.Blocks {
		n += len(b.Succs)
	}
	return n
}

// blockIndex returns the position in Blocks by block ID.
func (f *Func) blockIndex(mem *arena) []int32 {
	index := mem.take(f.NumBlocks())
	for i, b := range f.Blocks {
		index[b.ID] = int32(i)
	}
	return index
}

// build makes the tree for a graph of n nodes, where node i is block i; a node past the
// last block is virtual and no block's immediate dominator. The tree does not keep memory of mem.
func (t *DomTree) build(f *Func, n int, root int32, succ, pred *flow, mem *arena) {
	ids := f.NumBlocks()
	t.mem.reset()
	nums := t.mem.take(4 * ids)
	t.pos, t.pre, t.end, t.depth = nums[:ids], nums[ids:2*ids], nums[2*ids:3*ids], nums[3*ids:]
	if need := ids + 2*n; t.blocks == nil {
		t.blocks = make([]*Block, need)
	} else if cap(t.blocks) < need {
		t.blocks = make([]*Block, need+need/2) // a tree that is rebuilt grows
	} else {
		t.blocks = t.blocks[:cap(t.blocks)]
		clear(t.blocks[:need])
	}
	t.root, t.idom = nil, t.blocks[:ids:ids]
	for i := range t.pos {
		t.pos[i] = -1
	}
	d := newDFS(mem, n, root, succ)
	t.Order = t.blocks[ids : ids : ids+n]
	for i := len(d.post) - 1; i >= 0; i-- {
		if v := d.post[i]; int(v) < len(f.Blocks) {
			t.pos[f.Blocks[v].ID] = int32(len(t.Order))
			t.Order = append(t.Order, f.Blocks[v])
		}
	}
	t.preorder = t.blocks[ids+n : ids+n+len(d.pre) : ids+2*n]
	t.number(f, &d, d.semiNCA(mem, pred), mem)
}

// dfs is a depth-first numbering: pre[k] is the node with preorder number k.
type dfs struct {
	num    []int32 // preorder number of a node, -1 if unreachable
	pre    []int32
	parent []int32 // of preorder numbers
	post   []int32 // nodes in post-order
}

func newDFS(mem *arena, n int, root int32, succ *flow) dfs {
	buf := mem.take(6 * n)
	d := dfs{num: buf[:n], pre: buf[n : n : 2*n], parent: buf[2*n : 2*n : 3*n], post: buf[3*n : 3*n : 4*n]}
	for i := range d.num {
		d.num[i] = -1
	}
	next, stack := buf[4*n:5*n], buf[5*n:5*n:6*n]
	enter := func(v, parent int32) {
		d.num[v] = int32(len(d.pre))
		d.pre = append(d.pre, v)
		d.parent = append(d.parent, parent)
		stack = append(stack, v)
	}
	enter(root, 0)
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		// The last successor is visited first, so that the first one comes first in reverse post-order.
		if k := succ.start[v+1] - 1 - next[v]; k >= succ.start[v] {
			next[v]++
			if w := succ.to[k]; d.num[w] < 0 {
				enter(w, d.num[v])
			}
			continue
		}
		stack = stack[:len(stack)-1]
		d.post = append(d.post, v)
	}
	return d
}

// semiNCA returns the immediate dominators, all in preorder numbers.
func (d *dfs) semiNCA(mem *arena, pred *flow) []int32 {
	n := len(d.pre)
	buf := mem.take(5 * n)
	idom, semi, label, anc, stack := buf[:n], buf[n:2*n], buf[2*n:3*n], buf[3*n:4*n], buf[4*n:4*n]
	copy(idom, d.parent)
	copy(anc, d.parent)
	for i := range semi {
		semi[i], label[i] = int32(i), int32(i)
	}
	eval := func(v, linked int32) int32 {
		if anc[v] < linked {
			return label[v]
		}
		stack = stack[:0]
		for anc[v] >= linked {
			stack = append(stack, v)
			v = anc[v]
		}
		p, best := v, label[v]
		for len(stack) > 0 {
			v = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			anc[v] = anc[p]
			if semi[best] < semi[label[v]] {
				label[v] = best
			} else {
				best = label[v]
			}
			p = v
		}
		return label[v]
	}
	for i := int32(n - 1); i > 0; i-- {
		semi[i] = d.parent[i]
		for _, p := range pred.of(d.pre[i]) {
			if k := d.num[p]; k >= 0 {
				if s := semi[eval(k, i+1)]; s < semi[i] {
					semi[i] = s
				}
			}
		}
	}
	for i := 1; i < n; i++ {
		c := idom[i]
		for c > semi[i] {
			c = idom[c]
		}
		idom[i] = c
	}
	return idom
}

// number fills the tree's fields that are indexed by block ID.
func (t *DomTree) number(f *Func, d *dfs, idom []int32, mem *arena) {
	n := len(d.pre)
	size := mem.take(3 * n)
	first, depth := size[n:2*n], size[2*n:]
	size = size[:n]
	for i := n - 1; i > 0; i-- {
		size[i]++
		size[idom[i]] += size[i]
	}
	size[0]++
	// The interval of a node begins after those of its siblings with lower numbers.
	for i := range first {
		first[i] = -1
	}
	next := d.parent // reuses its memory
	first[0], next[0] = 0, 1
	for i := 1; i < n; i++ {
		p := idom[i]
		first[i] = next[p]
		next[p] += size[i]
		next[i] = first[i] + 1
		depth[i] = depth[p] + 1
	}
	for i := 0; i < n; i++ {
		v := d.pre[i]
		if int(v) >= len(f.Blocks) {
			continue
		}
		b := f.Blocks[v]
		t.pre[b.ID], t.end[b.ID], t.depth[b.ID] = first[i], first[i]+size[i], depth[i]
		t.preorder[first[i]] = b
		if i == 0 {
			continue
		}
		p := idom[i]
		for p > 0 && int(d.pre[p]) >= len(f.Blocks) {
			p = idom[p]
		}
		if int(d.pre[p]) < len(f.Blocks) {
			t.idom[b.ID] = f.Blocks[d.pre[p]]
		}
	}
	t.preorder = slices.DeleteFunc(t.preorder, func(b *Block) bool { return b == nil })
}

// Idom returns b's immediate dominator. It is nil for the root, a child of the virtual exit, and an unreachable
// block.
func (t *DomTree) Idom(b *Block) *Block { return t.idom[b.ID] }

// Reachable reports whether b is in the tree.
func (t *DomTree) Reachable(b *Block) bool { return t.pos[b.ID] >= 0 }

// Pos returns b's index in Order, -1 if b is unreachable.
func (t *DomTree) Pos(b *Block) int { return int(t.pos[b.ID]) }

// Depth returns b's distance from the root of the tree.
func (t *DomTree) Depth(b *Block) int { return int(t.depth[b.ID]) }

// Dominates reports whether a dominates b (every block dominates itself). It is false if either is unreachable.
func (t *DomTree) Dominates(a, b *Block) bool {
	return t.pos[a.ID] >= 0 && t.pos[b.ID] >= 0 && t.pre[a.ID] <= t.pre[b.ID] && t.end[b.ID] <= t.end[a.ID]
}

// Preorder returns the tree's blocks, each before those that it dominates, subtrees
// contiguous.
func (t *DomTree) Preorder() []*Block { return t.preorder }

// ReversePostorder returns the reachable blocks in reverse post-order. The first successor of a branch comes
// before the second if the graph allows it.
func (f *Func) ReversePostorder() []*Block {
	mem := newScratch()
	defer scratches.Put(mem)
	index := f.blockIndex(mem)
	g := flow{mem.take(len(f.Blocks) + 1)[:0], mem.take(f.countEdges())[:0]}
	for _, b := range f.Blocks {
		g.start = append(g.start, int32(len(g.to)))
		for _, s := range b.Succs {
			g.to = append(g.to, index[s.ID])
		}
	}
	g.start = append(g.start, int32(len(g.to)))
	d := newDFS(mem, len(f.Blocks), 0, &g)
	order := make([]*Block, 0, len(d.post))
	for i := len(d.post) - 1; i >= 0; i-- {
		order = append(order, f.Blocks[d.post[i]])
	}
	return order
}

package ssa

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/test/growth"
)

// randomGraph makes a function of n blocks with random edges.
func randomGraph(rng *rand.Rand, n int) *Func {
	f := (&Module{}).NewFunc("f", TVoid)
	for range n {
		f.NewBlock("")
	}
	c := f.Blocks[0].Append(f.NewConst(TBool, 1))
	for _, b := range f.Blocks {
		to := func() *Block { return f.Blocks[1+rng.IntN(n-1)] }
		switch rng.IntN(4) {
		case 0:
			b.Append(f.NewValue(OpReturn, TVoid, 0))
		case 1:
			b.Append(f.NewValue(OpJump, TVoid, 0))
			b.Link(to())
		default:
			b.Append(f.NewValue(OpBranch, TVoid, 0, c))
			b.Link(to())
			b.Link(to())
		}
	}
	return f
}

// reach returns the blocks reachable from root without passing the block avoid.
func reach(f *Func, root, avoid *Block, next func(*Block) []*Block) map[*Block]bool {
	seen := map[*Block]bool{}
	var work []*Block
	if root != avoid {
		work, seen[root] = append(work, root), true
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range next(b) {
			if s != avoid && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

// TestDominators compares the trees with the definition: a dominates b if b is unreachable without a.
func TestDominators(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		f := randomGraph(rng, 2+rng.IntN(14))
		succs := func(b *Block) []*Block { return b.Succs }
		d, all := f.Dominators(), reach(f, f.Blocks[0], nil, succs)
		for _, a := range f.Blocks {
			without := reach(f, f.Blocks[0], a, succs)
			for _, b := range f.Blocks {
				if want := all[a] && all[b] && !without[b]; d.Dominates(a, b) != want {
					t.Fatalf("b%d dominates b%d: got %v\n%s", a.ID, b.ID, !want, f)
				}
			}
		}
		checkPostDominators(t, f)
		checkIterationPostDominators(t, f, d)
		checkLoops(t, f, d)
	}
}

func checkPostDominators(t *testing.T, f *Func) {
	t.Helper()
	pd := f.PostDominators()
	exits := f.exits(f.blockIndex(new(arena)))
	toExit := func(avoid *Block) map[*Block]bool {
		seen := map[*Block]bool{}
		for _, e := range exits {
			for b := range reach(f, f.Blocks[e], avoid, func(b *Block) []*Block { return b.Preds }) {
				seen[b] = true
			}
		}
		return seen
	}
	for _, a := range f.Blocks {
		without := toExit(a)
		for _, b := range f.Blocks {
			if want := !without[b]; pd.Dominates(a, b) != want {
				t.Fatalf("b%d post-dominates b%d: got %v\n%s", a.ID, b.ID, !want, f)
			}
		}
	}
}

// checkIterationPostDominators compares the tree with its definition. Endless loops end the function.
func checkIterationPostDominators(t *testing.T, f *Func, d *DomTree) {
	t.Helper()
	l := f.Loops(d)
	if l.Irreducible {
		return
	}
	endless := &Block{}
	var next func(b *Block) []*Block
	next = func(b *Block) (list []*Block) {
		for _, s := range b.Succs {
			x := l.Of(s)
			if x == nil || x.Header != s || !l.Contains(x, b) {
				list = append(list, s)
				continue
			}
			before := len(list)
			for _, c := range x.Blocks { // s is the header of a loop around b
				for _, s := range c.Succs {
					switch y := l.Of(s); {
					case l.Contains(x, s):
					case y != nil && y.Header == s && l.Contains(y, c):
						list = append(list, next(&Block{ID: c.ID, Succs: []*Block{s}})...)
					default:
						list = append(list, s)
					}
				}
			}
			if len(list) == before {
				list = append(list, endless)
			}
		}
		return list
	}
	ends := func(b, avoid *Block) bool {
		for c := range reach(f, b, avoid, next) {
			if len(next(c)) == 0 {
				return true
			}
		}
		return false
	}
	pd := f.IterationPostDominators(l)
	for _, b := range d.Order {
		for _, a := range d.Order {
			if want := !ends(b, a); pd.Dominates(a, b) != want {
				t.Fatalf("b%d post-dominates b%d: got %v\n%s", a.ID, b.ID, !want, f)
			}
		}
		for x := pd.Idom(b); x != nil; x = pd.Idom(x) {
			if !pd.Dominates(x, b) {
				t.Fatalf("b%d is an immediate dominator above b%d\n%s", x.ID, b.ID, f)
			}
		}
	}
}

// checkLoops compares each loop with the definition of a natural loop.
func checkLoops(t *testing.T, f *Func, d *DomTree) {
	t.Helper()
	l := f.Loops(d)
	for _, x := range l.All {
		in := map[*Block]bool{x.Header: true}
		for _, p := range x.Latches {
			for b := range reach(f, p, x.Header, func(b *Block) []*Block { return b.Preds }) {
				if d.Reachable(b) {
					in[b] = true
				}
			}
		}
		if len(in) != len(x.Blocks) {
			t.Fatalf("loop at b%d: %d blocks, want %d\n%s", x.Header.ID, len(x.Blocks), len(in), f)
		}
		for _, b := range f.Blocks {
			if l.Contains(x, b) != in[b] {
				t.Fatalf("loop at b%d contains b%d: %v\n%s", x.Header.ID, b.ID, !in[b], f)
			}
		}
	}
	order := f.LoopOrder(d, l)
	if len(order) != len(d.Order) {
		t.Fatalf("loop order has %d blocks, not %d", len(order), len(d.Order))
	}
	for _, x := range l.All {
		at := slices.Index(order, x.Header)
		for _, b := range order[at : at+len(x.Blocks)] {
			if !l.Contains(x, b) {
				t.Fatalf("the loop at b%d is not contiguous\n%s", x.Header.ID, f)
			}
		}
	}
	if l.Irreducible {
		return
	}
	for i, b := range order {
		for _, s := range b.Succs {
			if j := slices.Index(order, s); j <= i && !d.Dominates(s, b) {
				t.Fatalf("b%d → b%d goes backward but is not a back edge\n%s", b.ID, s.ID, f)
			}
		}
	}
}

// TestLargeGraphs: analyses neither recurse nor take quadratic time on a long chain in which each block may
// branch to one exit.
func TestLargeGraphs(t *testing.T) {
	chain := func(n int) *Func {
		f := (&Module{}).NewFunc("f", TVoid)
		for range n {
			f.NewBlock("")
		}
		c := f.Blocks[0].Append(f.NewConst(TBool, 1))
		for i, b := range f.Blocks[:n-1] {
			b.Append(f.NewValue(OpBranch, TVoid, 0, c))
			b.Link(f.Blocks[i+1])
			b.Link(f.Blocks[n-1])
		}
		f.Blocks[n-1].Append(f.NewValue(OpReturn, TVoid, 0))
		return f
	}
	growth.Linear(t, 20000, chain, func(f *Func) {
		n := len(f.Blocks)
		d := f.Dominators()
		if d.Depth(f.Blocks[n-2]) != n-2 || d.Idom(f.Blocks[n-1]) != f.Blocks[0] {
			t.Error("wrong tree")
		}
		f.PostDominators()
		f.Loops(d)
	})
}

package ptx

import (
	"math"
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Accesses often have offsets that depend on nothing but work-item ids, loop counters and arguments. A launch knows
// these, and can prove before it starts that the accesses are in bounds for every work-item. It then runs code that
// has no checks of them, and mostly no slow paths, which take the driver's compiler longer than the rest. A kernel has a
// precondition for accesses outside of loops and atomic ones, and another that includes those in loops.

// A Precondition is a condition of a launch under which the accesses that it is about are in bounds.
type Precondition struct {
	nodes    []node
	ranges   []accessRange
	accesses map[*ssa.Value]bool // the accesses that it is about
}

// An accessRange is a range of bytes of an object that accesses touch, relative to a number.
type accessRange struct {
	arg        int   // the argument whose object it is, -1 for an object of size bytes
	size       int64 // see arg
	write      bool
	node       int32 // the number
	first, end int64 // from the first byte accessed to the one after the last
}

// A node is an expression, whose interval follows from those of earlier nodes.
type node struct {
	op   nodeOp
	kind ssa.Kind // of the result; a result that may not fit in it may be any number of the kind
	a, b int32    // the nodes of the operands; of nodeItem: the query and the dimension
	c    int64    // a constant, or the number of an argument
}

type nodeOp uint8

const (
	nodeAny   nodeOp = iota // any number of its kind
	nodeConst               // c
	nodeArg                 // argument c
	nodeItem                // a work-item query
	nodeFit                 // a, if its kind holds it
	nodeFloat               // a as a float32, if all are exact
	nodeAdd
	nodeSub
	nodeMul
	nodeAnd // a & c
	nodeShr // a >> c
	nodeMin
	nodeMax
	nodeUnion   // a or b
	nodeAtMost  // a, where a <= b + c
	nodeFrom    // a, where a >= b + c
	nodeBelow   // a, where a <= b + c as unsigned numbers of 64 bits
	nodeBelow32 // the same of 32 bits
	nodeNear    // a, where a + k <= b + c + k for a small k; if a + k may wrap, a
	nodeFarther // a, where a + k >= b + c + k
	nodeOther   // a, where a is not b
	nodeSteps   // from a in steps of c as long as the number is less than b, and the number after the last step
	nodeStep    // a, which is b and a number of steps of c
)

// Limits of a precondition, which is decided at each launch with new arguments.
const (
	maxNodes  = 1500
	maxRanges = 300
	maxDepth  = 40
	// maxChoices is the greatest number of operands of selects whose conditions are taken into account.
	maxChoices = 200
)

// A compared is a fact of the current block: a <= b + c, or a is not b if other is set.
type compared struct {
	a, b  *ssa.Value
	c     int64
	other bool
}

// A rangeFinder finds the precondition of a kernel.
type rangeFinder struct {
	*inductions
	facts *facts
	p     *Precondition
	index map[node]int32
	known []knownEnds // of each node
	here  []compared  // what holds in the current block
	memo  map[*ssa.Value]int32
	depth int
	// choices counts the operands of selects and phis.
	choices int
	// open are the phis whose operands are being computed: they may be any number.
	open map[*ssa.Value]bool
}

// knownEnds reports whether a node's interval has a lower and an upper end in every launch.
type knownEnds struct{ lo, hi bool }

// A scope says which loads and stores in loops a precondition is about.
type scope uint8

const (
	outside  scope = iota // none
	unproved              // all but the accesses that copies of loops prove (loops.go)
	inLoops               // all but the accesses of loops with a copy for four iterations (fours.go)
)

// preconditionOf returns a precondition of the kernel. It returns nil if the kernel has none.
func preconditionOf(g *generator, s scope) *Precondition {
	if g.masks != nil || g.flow.Loops.Irreducible {
		return nil
	}
	x := &rangeFinder{inductions: &g.inductions, facts: &g.facts, p: &Precondition{accesses: map[*ssa.Value]bool{}}, index: map[node]int32{}, open: map[*ssa.Value]bool{}}
	ranges := map[accessRange]int{}
	for _, b := range g.flow.Order {
		entered := false
		in, proved := g.flow.Loops.Of(b), g.fastLoopOf(b)
		for _, v := range b.Values {
			if _, _, ok := accessed(v); !ok || in != nil && (v.Op == ssa.OpLoad || v.Op == ssa.OpStore) && (s == outside || proved != nil && proved.skips[v] && (s == unproved || proved.left != "")) {
				continue
			}
			if !entered {
				x.facts.enter(b)
				x.enter(b)
				entered = true
			}
			x.access(v, ranges)
		}
	}
	if len(x.p.accesses) == 0 {
		return nil
	}
	x.p.prune()
	return x.p
}

// prune removes the nodes on which no range depends.
func (p *Precondition) prune() {
	used := make([]bool, len(p.nodes))
	used[0] = true // stands for operands that a node does not have
	for i := range p.ranges {
		used[p.ranges[i].node] = true
	}
	for i := len(p.nodes) - 1; i >= 0; i-- {
		if n := &p.nodes[i]; used[i] && n.op >= nodeFit {
			used[n.a], used[n.b] = true, true
		}
	}
	to := make([]int32, len(p.nodes))
	kept := p.nodes[:0]
	for i, n := range p.nodes {
		if !used[i] {
			continue
		}
		to[i] = int32(len(kept))
		if n.op >= nodeFit {
			n.a, n.b = to[n.a], to[n.b]
		}
		kept = append(kept, n)
	}
	p.nodes = kept
	for i := range p.ranges {
		p.ranges[i].node = to[p.ranges[i].node]
	}
}

// accessed returns the type that v loads or stores, and whether it stores; ok is false if it does neither.
func accessed(v *ssa.Value) (t ssa.Type, write, ok bool) {
	switch v.Op {
	case ssa.OpLoad, ssa.OpAtomicLoad:
		return v.Type, false, true
	case ssa.OpStore, ssa.OpAtomicStore:
		return v.Args[1].Type, true, true
	case ssa.OpAtomicRMW, ssa.OpAtomicCAS:
		return v.Type, true, true
	}
	return t, false, false
}

// access makes the precondition cover an access, if its offset depends on nothing but ids and arguments.
func (x *rangeFinder) access(v *ssa.Value, ranges map[accessRange]int) {
	p := v.Args[0]
	t, write, _ := accessed(v)
	r := x.roots[p.ID]
	if r == nil || r.block < 0 || write && r.kind == ssa.PtrConstant || x.facts.inBounds(r, p, int64(t.Size()), write) {
		return
	}
	key := accessRange{arg: -1, size: r.size, write: write}
	if r.size < 0 {
		key.size = 0
		for arg, param := range x.byParam {
			if param == r {
				key.arg = int(arg.Aux)
			}
		}
		if key.arg < 0 {
			return
		}
	}
	var bytes int64
	var ok bool
	if key.node, bytes, ok = x.offsetNode(p); !ok {
		return
	}
	at, ok := ranges[key]
	if !ok {
		if len(x.p.ranges) == maxRanges {
			return
		}
		at = len(x.p.ranges)
		ranges[key] = at
		key.first, key.end = bytes, bytes+int64(t.Size())
		x.p.ranges = append(x.p.ranges, key)
	}
	a := &x.p.ranges[at]
	a.first, a.end = min(a.first, bytes), max(a.end, bytes+int64(t.Size()))
	x.p.accesses[v] = true
}

// offsetNode returns a pointer's offset in its object as a node plus a constant; ok is false if it is not known.
func (x *rangeFinder) offsetNode(p *ssa.Value) (n int32, bytes int64, ok bool) {
	n = x.add(node{op: nodeConst, kind: ssa.I64})
	for {
		switch p.Op {
		case ssa.OpParam, ssa.OpGlobalAddr:
			end := x.known[n]
			return n, bytes, end.lo && end.hi && len(x.p.nodes) <= maxNodes
		case ssa.OpPtrCast, ssa.OpCopy:
		case ssa.OpPtrAdd:
			if d := p.Args[1]; d.IsConst() {
				if !smallStep(int64(d.Bits[0])) || !smallStep(bytes) {
					return 0, 0, false
				}
				bytes += int64(d.Bits[0])
			} else if m := x.expr(d); n == 0 {
				n = x.add(node{op: nodeFit, kind: ssa.I64, a: m})
			} else {
				n = x.add(node{op: nodeAdd, kind: ssa.I64, a: n, b: m})
			}
		default:
			return 0, 0, false
		}
		p = p.Args[0]
	}
}

// add returns the number of a node.
func (x *rangeFinder) add(n node) int32 {
	if at, ok := x.index[n]; ok {
		return at
	}
	at := int32(len(x.p.nodes))
	x.index[n] = at
	x.p.nodes = append(x.p.nodes, n)
	x.known = append(x.known, x.ends(n))
	return at
}

// ends computes the node's known ends.
func (x *rangeFinder) ends(n node) knownEnds {
	if n.kind.Num().Size() <= 2 {
		return knownEnds{true, true}
	}
	e := knownEnds{lo: !n.kind.Num().Signed()}
	var a, b knownEnds
	if n.op >= nodeFit {
		a, b = x.known[n.a], x.known[n.b]
	}
	both := knownEnds{a.lo && a.hi && b.lo && b.hi, a.lo && a.hi && b.lo && b.hi}
	switch n.op {
	case nodeConst, nodeArg, nodeItem:
		return knownEnds{true, true}
	case nodeFit, nodeFloat, nodeShr:
		both = knownEnds{a.lo && a.hi, a.lo && a.hi}
	case nodeAnd:
		return knownEnds{true, true}
	case nodeMin:
		both = knownEnds{a.lo && b.lo, a.hi || b.hi}
	case nodeMax:
		both = knownEnds{a.lo || b.lo, a.hi && b.hi}
	case nodeAtMost:
		both = knownEnds{a.lo, a.hi || b.hi}
	case nodeBelow, nodeBelow32:
		both = knownEnds{a.lo || b.hi, a.hi || b.hi}
	case nodeOther, nodeStep, nodeNear, nodeFarther:
		both = a
	case nodeSteps:
		both.lo = a.lo
	case nodeFrom:
		both = knownEnds{a.lo || b.lo, a.hi}
	case nodeAny:
		both = knownEnds{}
	}
	return knownEnds{e.lo || both.lo, both.hi}
}

// expr returns the node of an integer in the current block.
func (x *rangeFinder) expr(v *ssa.Value) int32 {
	if n, ok := x.memo[v]; ok {
		return n
	}
	if v.Type.N != 1 || integer(v.Type.K) != v.Type.K || x.depth > maxDepth || len(x.p.nodes) > maxNodes {
		return x.add(node{op: nodeAny, kind: integer(v.Type.K)})
	}
	x.depth++
	n := x.compute(v)
	x.memo[v] = n // for numbers that it is compared with
	n = x.narrowed(v, n)
	if first, step, ok := x.steps(v); ok {
		n = x.add(node{op: nodeStep, kind: v.Type.K, a: n, b: x.expr(first), c: step})
	}
	x.memo[v] = n
	x.depth--
	return n
}

// integer returns k, or I64 if k is no integer.
func integer(k ssa.Kind) ssa.Kind {
	if k.IsPtr() || k == ssa.Handle || k.Num().IsFloat() {
		return ssa.I64
	}
	return k
}

// narrowed applies to node n of v what holds in the block.
func (x *rangeFinder) narrowed(v *ssa.Value, n int32) int32 {
	for _, f := range x.here {
		if f.other {
			switch {
			case f.a == v && f.b != v:
				n = x.add(node{op: nodeOther, kind: v.Type.K, a: n, b: x.expr(f.b)})
			case f.b == v && f.a != v:
				n = x.add(node{op: nodeOther, kind: v.Type.K, a: n, b: x.expr(f.a)})
			}
			continue
		}
		if op, ok := bounding(f.a, v); ok && f.b != v {
			n = x.add(node{op: op, kind: v.Type.K, a: n, b: x.expr(f.b), c: f.c})
		}
		if op, ok := bounding(f.b, v); ok && op == nodeAtMost && f.a != v {
			n = x.add(node{op: nodeFrom, kind: v.Type.K, a: n, b: x.expr(f.a), c: -f.c})
		}
		if k, ok := plusSmall(f.a, v); ok {
			n = x.add(node{op: nodeNear, kind: v.Type.K, a: n, b: x.expr(f.b), c: f.c - k})
		}
		if k, ok := plusSmall(f.b, v); ok {
			n = x.add(node{op: nodeFarther, kind: v.Type.K, a: n, b: x.expr(f.a), c: -f.c - k})
		}
	}
	return n
}

// maxSmall bounds the numbers of plusSmall.
const maxSmall = 1 << 20

// plusSmall reports whether c is v + k for a small k.
func plusSmall(c, v *ssa.Value) (k int64, ok bool) {
	if c == v || c.Type != v.Type || !counts(c.Type.K) {
		return 0, false
	}
	base, k := plusConst(c)
	return k, base == v && k <= maxSmall && k >= -maxSmall && (k >= 0 || c.Type.K.Num().Signed())
}

// bounding returns the operation that limits v where a comparison limits c; ok is false if c says nothing of v. c may be
// v itself, v extended or its bits: a negative v is a large unsigned c.
func bounding(c, v *ssa.Value) (op nodeOp, ok bool) {
	unsigned := !c.Type.K.Num().Signed() && v.Type.K.Num().Signed()
	switch {
	case c == v:
		return nodeAtMost, true
	case unsigned && v.Type == ssa.TI32 && c.Type.K == ssa.U32:
		return nodeBelow32, sameBits(c) && c.Args[0] == v
	case unextended(c) == v && unsigned:
		return nodeBelow, true
	}
	return nodeAtMost, unextended(c) == v
}

// sameBits reports whether c is a number of as many bits with those of its argument.
func sameBits(c *ssa.Value) bool {
	if c.Op == ssa.OpConvert {
		saturates, _ := ssa.ConvParts(c.Aux)
		return !saturates
	}
	return c.Op == ssa.OpBitcast
}

// floatNode returns the node of a float32, as numbers between two integers. A float with a known end is no NaN: of minimum
// and maximum one operand is none then, and a NaN gives that.
func (x *rangeFinder) floatNode(v *ssa.Value) int32 {
	switch a := v.Args; {
	case v.Op == ssa.OpCopy:
		return x.floatNode(a[0])
	case v.Op == ssa.OpConst:
		if f := math.Float32frombits(uint32(v.Bits[0])); f == float32(int32(f)) && f >= -maxExact && f <= maxExact {
			return x.add(node{op: nodeConst, kind: ssa.I64, c: int64(f)})
		}
	case v.Op == ssa.OpMin && v.Type.N == 1:
		return x.limited(nodeMin, a[0], a[1])
	case v.Op == ssa.OpMax && v.Type.N == 1:
		return x.limited(nodeMax, a[0], a[1])
	case v.Op == ssa.OpConvert && integer(a[0].Type.K) == a[0].Type.K && a[0].Type.K != ssa.Bool:
		return x.add(node{op: nodeFloat, kind: ssa.I64, a: x.expr(a[0])})
	}
	return x.add(node{op: nodeAny, kind: ssa.I64})
}

// limited returns the node of the minimum or maximum of two float32.
func (x *rangeFinder) limited(op nodeOp, a, b *ssa.Value) int32 {
	if _, ok := x.orNaN(a); ok {
		a, b = b, a
	}
	n := x.floatNode(a)
	m, ok := x.orNaN(b)
	if ok { // of a NaN, the result is the other operand
		m = x.add(node{op: nodeUnion, kind: ssa.I64, a: m, b: n})
	} else {
		m = x.floatNode(b)
	}
	return x.add(node{op: op, kind: ssa.I64, a: n, b: m})
}

// orNaN returns the node of a float32 that may also be a NaN, as repeating samplers compute: of f in
//
//	(y - floor(y))·n and floor(f - 0.5)
//
// ok is false for others.
func (x *rangeFinder) orNaN(v *ssa.Value) (n int32, ok bool) {
	constant := func(c int64) int32 { return x.add(node{op: nodeConst, kind: ssa.I64, c: c}) }
	switch a := v.Args; {
	case v.Type != ssa.TF32:
	case v.Op == ssa.OpMul && fraction(a[0]):
		unit := x.add(node{op: nodeUnion, kind: ssa.I64, a: constant(0), b: constant(1)})
		return x.add(node{op: nodeMul, kind: ssa.I64, a: unit, b: x.floatNode(a[1])}), true
	case v.Op == ssa.OpFloor && a[0].Op == ssa.OpSub && a[0].Args[1].IsConst() && uint32(a[0].Args[1].Bits[0]) == math.Float32bits(0.5):
		if n, ok = x.orNaN(a[0].Args[0]); ok {
			// The difference is exact if float32 holds twice the number. Rounding could yield the number itself.
			twice := x.add(node{op: nodeMul, kind: ssa.I64, a: n, b: constant(2)})
			n = x.add(node{op: nodeShr, kind: ssa.I64, a: x.add(node{op: nodeFloat, kind: ssa.I64, a: twice}), c: 1})
			return x.add(node{op: nodeSub, kind: ssa.I64, a: n, b: constant(1)}), true
		}
	}
	return 0, false
}

// fraction reports whether v is the difference of a float32 and its floor, from 0 to 1, or a NaN.
func fraction(v *ssa.Value) bool {
	return v.Op == ssa.OpSub && v.Args[1].Op == ssa.OpFloor && v.Args[1].Args[0] == v.Args[0]
}

// maxExact bounds the integers that a float32 holds exactly.
const maxExact = 1 << 24

// compute returns the node of v without what holds in the block.
func (x *rangeFinder) compute(v *ssa.Value) int32 {
	k := v.Type.K
	any := func() int32 { return x.add(node{op: nodeAny, kind: k}) }
	two := func(op nodeOp) int32 { return x.add(node{op: op, kind: k, a: x.expr(v.Args[0]), b: x.expr(v.Args[1])}) }
	switch v.Op {
	case ssa.OpPhi:
		return x.phi(v)
	case ssa.OpConst:
		in := x.facts.compute(v)
		if in.lo == in.hi {
			return x.add(node{op: nodeConst, kind: k, c: in.lo})
		}
	case ssa.OpParam:
		if x.f.Kernel.Args[v.Aux].Kind == ssa.ArgValue && k != ssa.Bool {
			return x.add(node{op: nodeArg, kind: k, c: v.Aux})
		}
	case ssa.OpWorkItem:
		if d := v.Args[0]; d.IsConst() && d.Bits[0] < 3 {
			switch q := ssa.WorkItemQuery(v.Aux); q {
			case ssa.GlobalID, ssa.LocalID, ssa.GroupID, ssa.GlobalSize, ssa.LocalSize:
				return x.add(node{op: nodeItem, kind: k, a: int32(q), b: int32(d.Bits[0])})
			}
		}
	case ssa.OpCopy:
		return x.expr(v.Args[0])
	case ssa.OpConvert, ssa.OpBitcast:
		a := v.Args[0]
		sat := false
		if v.Op == ssa.OpConvert {
			sat, _ = ssa.ConvParts(v.Aux)
		}
		if v.Op == ssa.OpConvert && a.Type == ssa.TF32 {
			return x.add(node{op: nodeFit, kind: k, a: x.floatNode(a)})
		}
		if !sat && a.Type.N == 1 && integer(a.Type.K) == a.Type.K && a.Type.K != ssa.Bool {
			return x.add(node{op: nodeFit, kind: k, a: x.expr(a)})
		}
	case ssa.OpAdd:
		if c, ok := lessened(v); ok {
			return x.add(node{op: nodeSub, kind: k, a: x.expr(v.Args[0]), b: x.add(node{op: nodeConst, kind: ssa.I64, c: c})})
		}
		return two(nodeAdd)
	case ssa.OpSub:
		if low, ok := lowBits(v); ok {
			return x.aligned(v.Args[0], low)
		}
		return two(nodeSub)
	case ssa.OpNeg:
		if k.Num().Signed() && !k.Num().IsFloat() {
			return x.add(node{op: nodeSub, kind: k, a: x.add(node{op: nodeConst, kind: k}), b: x.expr(v.Args[0])})
		}
	case ssa.OpMul:
		return two(nodeMul)
	case ssa.OpMin:
		return two(nodeMin)
	case ssa.OpMax:
		return two(nodeMax)
	case ssa.OpShl, ssa.OpAnd, ssa.OpShr:
		if a := v.Args[1]; a.IsConst() && a.Type.N == 1 && a.Bits[0] < 1<<31 {
			return x.byConst(v, int64(a.Bits[0]))
		}
	case ssa.OpSelect:
		if v.Args[0].Type.N == 1 {
			return x.add(node{op: nodeUnion, kind: k, a: x.where(v.Args[0], true, v.Args[1]), b: x.where(v.Args[0], false, v.Args[2])})
		}
	}
	return any()
}

// lowBits reports whether v is the difference of a number and its n low bits.
func lowBits(v *ssa.Value) (n int64, ok bool) {
	and := sameLow(v.Args[1])
	if and.Op != ssa.OpAnd || !and.Args[1].IsConst() || sameLow(and.Args[0]) != sameLow(v.Args[0]) {
		return 0, false
	}
	mask := and.Args[1].Bits[0]
	return int64(bits.Len64(mask)), mask&(mask+1) == 0 && mask < 1<<31
}

// sameLow returns the integer that v is a conversion of, with the same low 32 bits.
func sameLow(v *ssa.Value) *ssa.Value {
	for {
		switch {
		case v.Op == ssa.OpCopy:
		case (v.Op == ssa.OpConvert || v.Op == ssa.OpBitcast) && v.Type.N == 1 && lowBitsOf(v) && v.Type.Size() >= 4 && v.Args[0].Type.Size() >= 4:
		default:
			return v
		}
		v = v.Args[0]
	}
}

// aligned returns the node of a number whose n low bits are cleared.
func (x *rangeFinder) aligned(v *ssa.Value, n int64) int32 {
	k := v.Type.K
	by := x.add(node{op: nodeConst, kind: ssa.I64, c: 1 << n})
	return x.add(node{op: nodeMul, kind: k, a: x.add(node{op: nodeShr, kind: k, a: x.expr(v), c: n}), b: by})
}

// byConst is compute for a shift, or a conjunction of bits, with the constant c, which is not negative.
func (x *rangeFinder) byConst(v *ssa.Value, c int64) int32 {
	k := v.Type.K
	switch {
	case v.Op == ssa.OpShl && c < int64(min(k.Num().Bits(), 40)):
		by := x.add(node{op: nodeConst, kind: ssa.I64, c: 1 << c})
		return x.add(node{op: nodeMul, kind: k, a: x.expr(v.Args[0]), b: by})
	case v.Op == ssa.OpAnd && k != ssa.Bool:
		return x.add(node{op: nodeAnd, kind: k, a: x.expr(v.Args[0]), c: c})
	case v.Op == ssa.OpShr && c < int64(k.Num().Bits()):
		return x.add(node{op: nodeShr, kind: k, a: x.expr(v.Args[0]), c: c})
	}
	return x.add(node{op: nodeAny, kind: k})
}

// where returns the node of v where a condition is true, or false if holds is not set. Nested choices multiply the work, so
// that their number is limited.
func (x *rangeFinder) where(c *ssa.Value, holds bool, v *ssa.Value) int32 {
	if x.choices++; x.choices > maxChoices {
		return x.expr(v)
	}
	here, memo := x.here, x.memo
	defer func() { x.here, x.memo = here, memo }()
	x.here, x.memo = slices.Clip(here), map[*ssa.Value]int32{}
	x.assume(c, holds)
	return x.expr(v)
}

// enter makes b the current block.
func (x *rangeFinder) enter(b *ssa.Block) {
	x.here, x.memo = nil, map[*ssa.Value]int32{}
	for ; b != nil; b = x.facts.dom.Idom(b) {
		if len(b.Preds) == 1 {
			if end := b.Preds[0].Term(); end.Op == ssa.OpBranch && end.Block.Succs[0] != end.Block.Succs[1] {
				x.assume(end.Args[0], end.Block.Succs[0] == b)
			}
		}
	}
}

// assume records that a condition is true, or false if holds is not set.
func (x *rangeFinder) assume(c *ssa.Value, holds bool) {
	compare := func(a, b *ssa.Value, by int64) {
		if counts(a.Type.K) {
			x.here = append(x.here, compared{a, b, by, false})
		}
	}
	switch {
	case c.Type.N != 1:
	case c.Op == ssa.OpCopy:
		x.assume(c.Args[0], holds)
	case c.Op == ssa.OpNot:
		x.assume(c.Args[0], !holds)
	case c.Op == ssa.OpAnd && holds, c.Op == ssa.OpOr && !holds:
		x.assume(c.Args[0], holds)
		x.assume(c.Args[1], holds)
	case c.Op == ssa.OpLt && holds:
		compare(c.Args[0], c.Args[1], -1)
	case c.Op == ssa.OpLt:
		compare(c.Args[1], c.Args[0], 0)
	case c.Op == ssa.OpLe && holds:
		compare(c.Args[0], c.Args[1], 0)
	case c.Op == ssa.OpLe:
		compare(c.Args[1], c.Args[0], -1)
	case c.Op == ssa.OpEq && holds, c.Op == ssa.OpNe && !holds:
		compare(c.Args[0], c.Args[1], 0)
		compare(c.Args[1], c.Args[0], 0)
	case c.Op == ssa.OpEq, c.Op == ssa.OpNe:
		if counts(c.Args[0].Type.K) {
			x.here = append(x.here, compared{c.Args[0], c.Args[1], 0, true})
		}
	}
}

// A Launched is what a precondition depends on.
type Launched interface {
	// Item returns the interval of a work-item query over the launch.
	Item(q ssa.WorkItemQuery, dim int) (lo, hi int64)
	// Scalar returns the bits of a scalar argument.
	Scalar(arg int) uint64
	// Len returns the bytes of the object of a pointer argument that may be read, or written if write is set.
	Len(arg int, write bool) int64
}

// Holds reports whether the precondition holds in a launch.
func (p *Precondition) Holds(l Launched) bool {
	var room [64]interval
	in := room[:0]
	for i := range p.nodes {
		n := &p.nodes[i]
		r := n.interval(in, l)
		if whole := kindInterval(n.kind); !r.empty() && !n.kind.IsPtr() && (r.lo < whole.lo || r.hi > whole.hi) {
			r = whole // it may wrap
		}
		if !n.kind.Num().Signed() && r.lo < 0 {
			r = interval{0, math.MaxInt64}
		}
		in = append(in, r)
	}
	for i := range p.ranges {
		a := &p.ranges[i]
		r := in[a.node]
		if r.empty() { // no work-item comes here
			continue
		}
		size := a.size
		if a.arg >= 0 {
			size = l.Len(a.arg, a.write)
		}
		if !small(r) || r.lo+a.first < 0 || r.hi+a.end > size {
			return false
		}
	}
	return true
}

func (r interval) empty() bool { return r.lo > r.hi }

// interval returns the node's interval from those of the nodes before it. If it may be any number, or the number may
// wrap, the interval is larger than that of the kind.
func (n *node) interval(in []interval, l Launched) interval {
	switch n.op {
	case nodeAny:
		return anywhere
	case nodeConst:
		return interval{n.c, n.c}
	case nodeArg:
		sh := 64 - n.kind.Num().Bits()
		x := int64(l.Scalar(int(n.c))<<sh) >> sh
		if !n.kind.Num().Signed() && sh > 0 {
			x = int64(l.Scalar(int(n.c)) << sh >> sh)
		}
		return interval{x, x}
	case nodeItem:
		lo, hi := l.Item(ssa.WorkItemQuery(n.a), int(n.b))
		return interval{lo, hi}
	}
	a := in[n.a]
	if n.op == nodeUnion && (a.empty() || in[n.b].empty()) { // one of the two never happens
		if a.empty() {
			return in[n.b]
		}
		return a
	}
	if a.empty() {
		return a
	}
	switch n.op {
	case nodeAnd:
		if a.lo >= 0 {
			return interval{0, min(a.hi, n.c)}
		}
		return interval{0, n.c}
	case nodeFloat:
		if a.lo < -maxExact || a.hi > maxExact {
			return anywhere
		}
		return a
	case nodeFit, nodeShr:
		if !small(a) { // of unsigned numbers, the upper end may be missing
			return anywhere
		}
		return interval{a.lo >> n.c, a.hi >> n.c}
	}
	if b := in[n.b]; !b.empty() {
		return n.of(a, b)
	}
	return in[n.b]
}

// of is interval for nodes with the intervals of two operands, which are not empty.
func (n *node) of(a, b interval) interval {
	switch n.op {
	case nodeMin:
		return interval{min(a.lo, b.lo), min(a.hi, b.hi)}
	case nodeMax:
		return interval{max(a.lo, b.lo), max(a.hi, b.hi)}
	case nodeUnion:
		return interval{min(a.lo, b.lo), max(a.hi, b.hi)}
	case nodeAtMost, nodeBelow:
		if b.hi < big {
			a.hi = min(a.hi, b.hi+n.c)
			if n.op == nodeBelow { // a negative number would be large
				a.lo = max(a.lo, 0)
			}
		}
		return a
	case nodeNear, nodeFarther:
		whole := kindInterval(n.kind)
		if a.hi > whole.hi-maxSmall || n.kind.Num().Signed() && a.lo < whole.lo+maxSmall {
			return a
		}
		if n.op == nodeNear && b.hi < big {
			a.hi = min(a.hi, b.hi+n.c)
		}
		if n.op == nodeFarther && b.lo > -big {
			a.lo = max(a.lo, b.lo+n.c)
		}
		return a
	case nodeBelow32:
		if b.hi+n.c <= math.MaxInt32 {
			return interval{max(a.lo, 0), min(a.hi, b.hi+n.c)}
		}
		return a
	case nodeOther:
		if b.lo == b.hi && a.lo == b.lo {
			a.lo++
		}
		if b.lo == b.hi && a.hi == b.hi {
			a.hi--
		}
		return a
	case nodeFrom:
		if b.lo > -big {
			a.lo = max(a.lo, b.lo+n.c)
		}
		return a
	case nodeStep:
		if a.lo == b.lo && b.lo == b.hi && small(a) {
			a.hi -= (a.hi - b.lo) % n.c
		}
		return a
	}
	if !small(a) || !small(b) {
		return anywhere
	}
	switch n.op {
	case nodeSteps:
		return interval{a.lo, max(a.hi, b.hi+n.c-1)} // larger than the kind if it may wrap
	case nodeAdd:
		return interval{a.lo + b.lo, a.hi + b.hi}
	case nodeSub:
		return interval{a.lo - b.hi, a.hi - b.lo}
	}
	return product(a, b, anywhere)
}

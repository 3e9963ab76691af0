package spmd

import (
	"encoding/binary"
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A symbol is the value that one gang, or all gangs of a work-group, have for a value of the kernel during its
// symbolic execution (evaluate.go).
type symbol struct {
	val   *ssa.Value  // the symbol is val + off; nil: known
	off   uint64      // 0 unless val is an integer of 4 bytes or more, or a pointer
	known []uint64    // the bits of each lane
	root  *ssa.Global // known are offsets in this variable in local memory
	op    *ssa.Value  // what computed known, or the lanes of an open symbol (clamped.go); nil: unknown
	args  []*symbol   // of op
	parts []*symbol   // the components of a vector, if not val
	t     ssa.Type
	made  *ssa.Value // the symbol as a value
}

// A consKey identifies a pure operation on values.
type consKey struct {
	op    ssa.Op
	flags ssa.ValueFlags
	t     ssa.Type
	aux   int64
	sym   any
	args  [3]int32
	lanes string
}

// keyOf returns the key of an operation like v on at most three arguments.
func keyOf(v *ssa.Value, args []*ssa.Value) consKey {
	key := consKey{op: v.Op, flags: v.Flags, t: v.Type, aux: v.Aux, sym: v.Sym, lanes: string(v.Lanes)}
	for i, a := range args {
		key.args[i] = a.ID + 1
	}
	return key
}

// symbols makes symbols, and makes the values of symbols.
type symbols struct {
	f      *ssa.Func
	lanes  int
	cur    *ssa.Block // where pure operations go
	table  map[consKey]*ssa.Value
	consts map[consKey]*ssa.Value
	ramps  map[string]ramp
	words  []uint64               // memory for known lanes
	knowns map[*ssa.Value]*symbol // known symbols by value
	scope  *scope                 // nil: none
	flush  func()                 // puts values that are in no block yet into one
	bad    bool                   // a symbol has no value
	forms  Forms
	// If assume is set, conditions are those of work-groups in the interior (interior.go).
	assume       bool
	inequalities []inequality
	interleave   bool // the sources of merged values (gather.go)
	conditions   []*ssa.Value
	// escaped is a variable in local memory whose address is used otherwise than by loads and stores at known offsets.
	escaped *ssa.Global
}

// A ramp is a value with known lanes that are not in arithmetic progression. Other values differ from it by a constant.
type ramp struct {
	v     *ssa.Value
	first uint64 // lane 0
}

func (s *symbols) newWords() []uint64 {
	if len(s.words) < s.lanes {
		s.words = make([]uint64, 256*s.lanes)
	}
	w := s.words[:s.lanes:s.lanes]
	s.words = s.words[s.lanes:]
	return w
}

// all returns the symbol that is bits in all lanes.
func (s *symbols) all(t ssa.Type, bits uint64) *symbol {
	x := &symbol{t: t, known: s.newWords()}
	for i := range x.known {
		x.known[i] = bits
	}
	return x
}

// ofValue returns the symbol of a value of the new function.
func ofValue(v *ssa.Value) *symbol { return &symbol{t: v.Type, val: v, made: v} }

// uniform reports whether the symbol is known and the same in all lanes.
func (x *symbol) uniform() (bits uint64, ok bool) {
	if x.known == nil || x.root != nil {
		return 0, false
	}
	for _, k := range x.known[1:] {
		if k != x.known[0] {
			return 0, false
		}
	}
	return x.known[0], true
}

// same reports whether two symbols are certainly equal.
func (x *symbol) same(y *symbol) bool {
	if x == y {
		return true
	}
	if x.open() && x.val == nil || x.t != y.t || x.val != y.val || x.off != y.off || x.root != y.root || len(x.known) != len(y.known) || len(x.parts) != len(y.parts) {
		return false
	}
	for i, p := range x.parts {
		if !p.same(y.parts[i]) {
			return false
		}
	}
	for i := range x.known {
		if x.known[i] != y.known[i] {
			return false
		}
	}
	return true
}

func sizeMask(k ssa.Kind) uint64 {
	if n := 8 * k.Num().Size(); n < 64 {
		return 1<<n - 1
	}
	return ^uint64(0)
}

// constant returns a constant in the entry block.
func (s *symbols) constant(t ssa.Type, bits uint64) *ssa.Value {
	key := consKey{t: t, aux: int64(bits)}
	c := s.consts[key]
	if c == nil {
		c = s.f.InsertEntry(s.f.NewConst(t, bits))
		s.consts[key] = c
	}
	return c
}

// emit returns the value of a pure operation like v on arguments.
func (s *symbols) emit(v *ssa.Value, args ...*ssa.Value) *ssa.Value {
	for _, a := range args {
		if a.Block == nil {
			s.flush()
		}
	}
	if len(args) > 3 {
		return s.cur.Append(s.like(v, args))
	}
	key := keyOf(v, args)
	w := s.table[key]
	if w == nil {
		w = s.cur.Append(s.like(v, args))
		s.table[key] = w
		if s.scope != nil {
			s.scope.keys = append(s.scope.keys, key)
		}
	}
	return w
}

// A scope is code that does not dominate what follows it. It lists what was computed there.
type scope struct {
	outer *scope
	keys  []consKey
	ramps []string
	made  []*symbol
}

// begin begins a scope.
func (s *symbols) begin() { s.scope = &scope{outer: s.scope} }

// end ends a scope.
func (s *symbols) end() {
	c := s.scope
	for _, k := range c.keys {
		delete(s.table, k)
	}
	for _, k := range c.ramps {
		delete(s.ramps, k)
	}
	for _, x := range c.made {
		x.made = nil
	}
	s.scope = c.outer
}

func (s *symbols) like(v *ssa.Value, args []*ssa.Value) *ssa.Value {
	w := s.f.NewValue(v.Op, v.Type, v.Pos, args...)
	w.Flags, w.Aux, w.Sym, w.Lanes, w.Bits = v.Flags, v.Aux, v.Sym, v.Lanes, v.Bits
	return w
}

// do returns the value of an operation of type t.
func (s *symbols) do(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return s.emit(&ssa.Value{Op: op, Type: t}, args...)
}

// convert returns an integer in another kind.
func (s *symbols) convert(v *ssa.Value, k ssa.Kind) *ssa.Value {
	switch {
	case v.Type.K == k:
		return v
	case v.Type.K.Num().Size() == k.Num().Size():
		return s.do(ssa.OpBitcast, ssa.Scalar(k), v)
	}
	return s.do(ssa.OpConvert, ssa.Scalar(k), v)
}

// lane returns the local id of the first gang's lanes in dimension 0.
func (s *symbols) lane(k ssa.Kind) *ssa.Value {
	id := s.emit(&ssa.Value{Op: ssa.OpWorkItem, Type: ssa.TU64, Aux: int64(ssa.LocalID)}, s.constant(ssa.TU32, 0))
	return s.convert(id, k)
}

// value returns the symbol as a value.
func (s *symbols) value(x *symbol) *ssa.Value {
	if x.made == nil {
		x.made = s.make(x)
		if x.known != nil && x.root == nil {
			s.knowns[x.made] = x
		}
		if s.scope != nil {
			s.scope.made = append(s.scope.made, x)
		}
	}
	return x.made
}

func (s *symbols) make(x *symbol) *ssa.Value {
	t := x.t
	switch {
	case x.parts != nil:
		return s.joined(x)
	case x.val != nil && t.K.IsPtr():
		return s.do(ssa.OpPtrAdd, t, x.val, s.constant(ssa.TI64, x.off))
	case x.val != nil:
		return s.do(ssa.OpAdd, t, x.val, s.constant(t, x.off))
	case x.root != nil:
		s.escaped = x.root
		return s.constant(t, 0)
	}
	if b, ok := x.uniform(); ok {
		return s.constant(t, b)
	}
	switch {
	case isInt(t.K):
		v, off := s.split(x)
		if off != 0 {
			v = s.do(ssa.OpAdd, t, v, s.constant(t, off))
		}
		return v
	case t == ssa.TBool:
		return s.maskValue(s.trueLanes(x))
	case t.K.Num().Size() > 4 || s.lanes > 32:
		s.bad = true
		return s.constant(t, 0)
	}
	return s.composed(x)
}

// split returns an integer as a value and a displacement; the value is nil if it is 0.
func (s *symbols) split(x *symbol) (*ssa.Value, uint64) {
	if x.val != nil {
		return x.val, x.off
	}
	first, m := x.known[0], sizeMask(x.t.K)
	if s.affine(x) {
		switch stride := (x.known[1] - first) & m; stride {
		case 0:
			return nil, first
		case 1:
			return s.lane(x.t.K), first
		default:
			return s.do(ssa.OpMul, x.t, s.lane(x.t.K), s.constant(x.t, stride)), first
		}
	}
	key := []byte{byte(x.t.K)}
	for _, k := range x.known[1:] {
		key = binary.LittleEndian.AppendUint64(key, (k-first)&m)
	}
	r, ok := s.ramps[string(key)]
	if !ok {
		r = ramp{s.recomputed(x), first}
		s.ramps[string(key)] = r
		if s.scope != nil {
			s.scope.ramps = append(s.scope.ramps, string(key))
		}
	}
	return r.v, (first - r.first) & m
}

// recomputed computes a known integer in the way in which the kernel does, or from its bits.
func (s *symbols) recomputed(x *symbol) *ssa.Value {
	switch {
	case x.op != nil:
		args := make([]*ssa.Value, len(x.args))
		for i, a := range x.args {
			args[i] = s.value(a)
		}
		return s.emit(x.op, args...)
	case s.lanes > 32:
		s.bad = true
	case x.t.K.Num().Size() > 4:
		low := &symbol{t: ssa.TU32, known: x.known}
		for _, k := range x.known {
			s.bad = s.bad || k>>32 != 0
		}
		if !s.bad {
			return s.convert(s.value(low), x.t.K)
		}
	default:
		return s.composed(x)
	}
	return s.constant(x.t, 0)
}

// affine reports whether the lanes of a known integer are in arithmetic progression.
func (s *symbols) affine(x *symbol) bool {
	m := sizeMask(x.t.K)
	for i := 2; i < s.lanes; i++ {
		if (x.known[i]-x.known[i-1]-x.known[1]+x.known[0])&m != 0 {
			return false
		}
	}
	return true
}

// composed computes known lanes bit by bit, for each bit that is not the same in all.
func (s *symbols) composed(x *symbol) *ssa.Value {
	t := ssa.TU32
	v := (*ssa.Value)(nil)
	fixed := uint64(0)
	for b := range 8 * x.t.K.Num().Size() {
		set := uint64(0)
		for i, k := range x.known {
			set |= k >> b & 1 << i
		}
		switch set {
		case 0:
		case s.every():
			fixed |= 1 << b
		default:
			bit := s.do(ssa.OpAnd, t, s.do(ssa.OpShr, t, s.constant(t, set), s.lane(ssa.U32)), s.constant(t, 1))
			if b > 0 {
				bit = s.do(ssa.OpShl, t, bit, s.constant(t, uint64(b)))
			}
			if v != nil {
				bit = s.do(ssa.OpOr, t, v, bit)
			}
			v = bit
		}
	}
	if fixed != 0 {
		v = s.do(ssa.OpOr, t, v, s.constant(t, fixed))
	}
	if isInt(x.t.K) {
		return s.convert(v, x.t.K)
	}
	if n := x.t.K.Num().Size(); n == 2 {
		v = s.convert(v, ssa.U16)
	}
	return s.do(ssa.OpBitcast, x.t, v)
}

// every returns the set of all lanes.
func (s *symbols) every() uint64 { return ^uint64(0) >> (64 - s.lanes) }

// trueLanes returns the lanes in which a known Bool is true.
func (s *symbols) trueLanes(x *symbol) (set uint64) {
	for i, k := range x.known {
		set |= k & 1 << i
	}
	return set
}

// maskValue returns a Bool that is true in a set of lanes. The first lanes, or all others, are found by a comparison.
func (s *symbols) maskValue(set uint64) *ssa.Value {
	t := ssa.TU32
	every := s.every()
	switch n := uint64(bits.OnesCount64(set)); {
	case set == 0 || set == every:
		return s.constant(ssa.TBool, set&1)
	case set == 1<<n-1:
		return s.do(ssa.OpLt, ssa.TBool, s.lane(t.K), s.constant(t, n))
	case set == every&^(1<<(uint64(s.lanes)-n)-1):
		return s.do(ssa.OpLe, ssa.TBool, s.constant(t, uint64(s.lanes)-n), s.lane(t.K))
	case n == 1:
		return s.do(ssa.OpEq, ssa.TBool, s.lane(t.K), s.constant(t, uint64(bits.TrailingZeros64(set))))
	case s.lanes > 32:
		s.bad = true
		return s.constant(ssa.TBool, 0)
	}
	bit := s.do(ssa.OpAnd, t, s.do(ssa.OpShr, t, s.constant(t, set), s.lane(t.K)), s.constant(t, 1))
	return s.do(ssa.OpNe, ssa.TBool, bit, s.constant(t, 0))
}

// apply returns the symbol of v, a pure operation, on arguments.
func (s *symbols) apply(v *ssa.Value, args []*symbol) *symbol {
	known := true
	for _, a := range args {
		known = known && a.known != nil && a.root == nil
	}
	if known && len(args) > 0 && v.Type.N == 1 && args[0].t.N == 1 {
		if x := s.evaluate(v, args); x != nil {
			return x
		}
	}
	if x := s.simplified(v, args); x != nil {
		return s.following(x, v, args)
	}
	if x := s.byComponent(v, args); x != nil {
		return x
	}
	list := make([]*ssa.Value, len(args))
	for i, a := range args {
		list[i] = s.value(a)
	}
	return s.following(ofValue(s.emit(v, list...)), v, args)
}

// simplified returns the symbol of an operation that is an argument, or moves the displacement of one out, or nil.
func (s *symbols) simplified(v *ssa.Value, args []*symbol) *symbol {
	if v.Type.N != 1 {
		return nil
	}
	switch v.Op {
	case ssa.OpCopy:
		return args[0]
	case ssa.OpSelect:
		return s.selected(v, args)
	case ssa.OpPtrAdd:
		return s.movedPointer(v, args)
	}
	if v.Type == ssa.TBool {
		return s.simplifiedBool(v, args)
	}
	if !isInt(v.Type.K) || v.Type.K.Num().Size() < 4 {
		return nil
	}
	m := sizeMask(v.Type.K)
	shifted := func(val *ssa.Value, off uint64) *symbol {
		x := &symbol{t: v.Type, val: val, off: off & m}
		if x.off == 0 {
			x.made = val
		}
		return x
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub:
		a, ao := s.split(args[0])
		b, bo := s.split(args[1])
		if v.Op == ssa.OpSub {
			bo = -bo
		}
		switch {
		case b == nil:
			return shifted(a, ao+bo)
		case a == nil && v.Op == ssa.OpAdd:
			return shifted(b, ao+bo)
		case a == nil:
			a = s.constant(v.Type, 0)
		}
		return shifted(s.emit(v, a, b), ao+bo)
	case ssa.OpMul, ssa.OpShl:
		x, y := args[0], args[1]
		by, ok := y.uniform()
		if v.Op == ssa.OpMul && !ok {
			x, y = y, x
			by, ok = y.uniform()
		}
		if !ok || x.off == 0 {
			return nil
		}
		if v.Op == ssa.OpShl {
			return shifted(s.emit(v, x.val, s.value(y)), x.off<<(by&uint64(8*v.Type.K.Num().Size()-1)))
		}
		return shifted(s.emit(v, x.val, s.value(y)), x.off*by)
	case ssa.OpConvert, ssa.OpBitcast:
		a := args[0]
		if sat, _ := ssa.ConvParts(v.Aux); a.off == 0 || !isInt(a.t.K) || v.Op == ssa.OpConvert && (sat || v.Type.K.Num().Size() > a.t.K.Num().Size()) {
			return nil
		}
		return shifted(s.emit(v, a.val), a.off)
	}
	return nil
}

// movedPointer returns the symbol of an OpPtrAdd.
func (s *symbols) movedPointer(v *ssa.Value, args []*symbol) *symbol {
	p, by := args[0], args[1]
	if p.root != nil {
		if p.open() && by.known != nil || by.open() {
			return &symbol{t: v.Type, root: p.root, op: v, args: args}
		}
		if by.known == nil {
			return nil
		}
		x := &symbol{t: v.Type, root: p.root, known: s.newWords()}
		for i := range x.known {
			x.known[i] = p.known[i] + by.known[i]
		}
		return x
	}
	if p.val == nil {
		return nil
	}
	val, off := s.split(by)
	x := &symbol{t: v.Type, val: p.val, off: p.off + off}
	if val != nil {
		x.val = s.emit(v, p.val, val)
	}
	if x.off == 0 {
		x.made = x.val
	}
	return x
}

// simplifiedBool returns the symbol of a Bool one of whose operands is known and the same in all lanes, or nil.
func (s *symbols) simplifiedBool(v *ssa.Value, args []*symbol) *symbol {
	if len(args) != 2 || args[0].t != ssa.TBool {
		return nil
	}
	x, y := args[0], args[1]
	k, ok := y.uniform()
	if !ok {
		x, y = y, x
		k, ok = y.uniform()
	}
	if !ok {
		return nil
	}
	is := k != 0
	switch v.Op {
	case ssa.OpAnd:
		if is {
			return x
		}
		return y
	case ssa.OpOr:
		if is {
			return y
		}
		return x
	case ssa.OpEq:
	case ssa.OpNe, ssa.OpXor:
		is = !is
	default:
		return nil
	}
	if is {
		return x
	}
	return s.apply(&ssa.Value{Op: ssa.OpNot, Type: ssa.TBool}, []*symbol{x})
}

// selected returns the symbol of an OpSelect whose condition is known, or nil.
func (s *symbols) selected(v *ssa.Value, args []*symbol) *symbol {
	if args[1].same(args[2]) {
		return args[1]
	}
	c := args[0]
	if c.known == nil || c.t != ssa.TBool {
		return nil
	}
	return s.mixed(s.trueLanes(c), args[1], args[2])
}

// mixed returns the symbol that is x in a set of lanes and y in others.
func (s *symbols) mixed(set uint64, x, y *symbol) *symbol {
	switch {
	case set == s.every() || x.same(y):
		return x
	case set == 0:
		return y
	}
	if x.known != nil && y.known != nil && x.root == y.root {
		z := &symbol{t: x.t, root: x.root, known: s.newWords()}
		for i := range z.known {
			z.known[i] = y.known[i]
			if set>>i&1 != 0 {
				z.known[i] = x.known[i]
			}
		}
		return z
	}
	if x.parts != nil || y.parts != nil {
		return s.eachComponent(x, y, func(a, b *symbol) *symbol { return s.mixed(set, a, b) })
	}
	if k := x.t.K; x.t.N != 1 || k == ssa.Bool || k.IsPtr() || k == ssa.Handle {
		return ofValue(s.do(ssa.OpSelect, x.t, s.maskValue(set), s.value(x), s.value(y)))
	}
	from := make([]source, s.lanes)
	for i := range from {
		from[i] = source{s.value(y), uint8(i)}
		if set>>i&1 != 0 {
			from[i].v = s.value(x)
		}
	}
	return ofValue(s.gather(x.t, from, s.every()))
}

// chosen returns the symbol that is x where a Bool is true and y elsewhere.
func (s *symbols) chosen(c *symbol, x, y *symbol) *symbol {
	if x.same(y) {
		return x
	}
	if c.known != nil {
		return s.mixed(s.trueLanes(c), x, y)
	}
	if x.parts != nil || y.parts != nil {
		return s.eachComponent(x, y, func(a, b *symbol) *symbol { return s.chosen(c, a, b) })
	}
	if a, ok := x.uniform(); ok && x.t == ssa.TBool {
		if b, ok := y.uniform(); ok && b == 1-a {
			return s.apply(&ssa.Value{Op: ssa.OpEq, Type: ssa.TBool}, []*symbol{c, x})
		}
	}
	return ofValue(s.do(ssa.OpSelect, x.t, s.value(c), s.value(x), s.value(y)))
}

// evaluate returns the symbol of an operation on known arguments, or nil.
func (s *symbols) evaluate(v *ssa.Value, args []*symbol) *symbol {
	x := &symbol{t: v.Type, known: s.newWords(), op: v, args: args}
	d := x.known
	if v.Op == ssa.OpSelect {
		for i := range d {
			d[i] = args[2-args[0].known[i]&1].known[i]
		}
		return x
	}
	k := args[0].t.K
	if isInt(k) && len(args) == 2 && s.integers(d, v.Op, k, args[0].known, args[1].known) {
		return x
	}
	var list [3]uint64
	if v.Op == ssa.OpBitcast && v.Type.K.Num().Size() == k.Num().Size() {
		copy(d, args[0].known)
		return x
	}
	if !v.Op.Has(ssa.Elementwise) || len(args) > 3 || v.Op == ssa.OpPtrAdd || v.Type.K.IsPtr() {
		return nil
	}
	for i := range d {
		if i > 0 && s.repeated(args, i) {
			d[i] = d[i-1]
			continue
		}
		for a := range args {
			list[a] = args[a].known[i]
		}
		r, ok := ssa.EvalScalar(v.Op, v.Type.K, k, v.Aux, list[:len(args)])
		if !ok {
			return nil
		}
		d[i] = r
	}
	return x
}

// repeated reports whether the arguments are the same in a lane and in the one before.
func (s *symbols) repeated(args []*symbol, lane int) bool {
	for _, a := range args {
		if a.known[lane] != a.known[lane-1] {
			return false
		}
	}
	return true
}

// integers computes the frequent operations on integers.
func (s *symbols) integers(d []uint64, op ssa.Op, k ssa.Kind, a, b []uint64) bool {
	m := sizeMask(k)
	a, b = a[:len(d)], b[:len(d)]
	switch op {
	case ssa.OpAdd:
		for i := range d {
			d[i] = (a[i] + b[i]) & m
		}
	case ssa.OpSub:
		for i := range d {
			d[i] = (a[i] - b[i]) & m
		}
	case ssa.OpMul:
		for i := range d {
			d[i] = a[i] * b[i] & m
		}
	case ssa.OpAnd:
		for i := range d {
			d[i] = a[i] & b[i]
		}
	case ssa.OpOr:
		for i := range d {
			d[i] = a[i] | b[i]
		}
	case ssa.OpXor:
		for i := range d {
			d[i] = a[i] ^ b[i]
		}
	case ssa.OpEq, ssa.OpNe:
		for i := range d {
			d[i] = 0
			if (a[i] == b[i]) == (op == ssa.OpEq) {
				d[i] = 1
			}
		}
	case ssa.OpLt, ssa.OpLe:
		if k.Num().Signed() {
			return false
		}
		for i := range d {
			d[i] = 0
			if a[i] < b[i] || op == ssa.OpLe && a[i] == b[i] {
				d[i] = 1
			}
		}
	default:
		return false
	}
	return true
}

// isLocal reports whether v is the address of a variable in local memory.
func isLocal(v *ssa.Value) (*ssa.Global, bool) {
	g, ok := v.Sym.(*ssa.Global)
	return g, ok && v.Op == ssa.OpGlobalAddr && g.Kind == ssa.PtrLocal
}

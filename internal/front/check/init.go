package check

import (
	"slices"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// initVar checks the initializer of a variable (C99 6.7.8; OpenCL C 6.3.6 for vectors), and completes its type if
// the initializer determines the number of elements.
func (c *expressions) initVar(v *Var, x syntax.Expr) {
	if v.Type.IsInvalid() {
		c.initializerAnyway(x)
		return
	}
	if !c.initializable(v, x) {
		v.Init = c.badExpr(x.Span())
		return
	}
	e, t := c.initializer(v.Type, x)
	if v.Type.Kind == types.Sampler && e != nil && !isBad(e) && !c.samplerInit(v, e) {
		e = c.badExpr(x.Span())
	}
	if e == nil || isBad(e) {
		v.Init = c.badExpr(x.Span())
		return
	}
	v.Type.Type = t
	v.Init = e
	if v.Type.Const && v.Kind == AutoVar && !v.Type.Volatile {
		// Evaluate once: later constant expressions may use it.
		if k, _ := c.constant(e); k != nil {
			v.Init = k
		}
	}
	if v.Kind == GlobalVar {
		if at, ok := c.constantInit(e); !ok {
			c.err(diag.InitializerNotConstant, at, "initializer element is not a compile-time constant")
			return
		}
		v.Init = c.reduce(e)
	}
}

// initializable reports an initializer that is not allowed for the variable's type and address space.
func (c *expressions) initializable(v *Var, x syntax.Expr) bool {
	_, list := x.(*syntax.InitList)
	switch {
	case v.Type.Kind == types.Atomic && v.Type.Space != types.Global:
		c.err(diag.InvalidInitializer, v.Span, "atomic variable can be initialized to a variable only in global address space").
			Note(diag.Span{}, "use atomic_init")
	case v.Type.Kind == types.Sampler && list:
		c.err(diag.InvalidInitializer, x.Span(), "illegal initializer type '%s'", v.Type.Unqualified())
	default:
		return true
	}
	return false
}

// samplerInit reports a sampler that is initialised with a sampler of program scope, which is not a constant
// expression (OpenCL C, "Samplers", 6.15.15.1).
func (c *expressions) samplerInit(v *Var, e Expr) bool {
	l, ok := e.(*Load)
	if !ok {
		return true
	}
	r, ok := l.X.(*VarRef)
	switch {
	case !ok || r.Var.Kind != GlobalVar:
		return true
	case v.Kind == GlobalVar:
		c.err(diag.InitializerNotConstant, e.Span(), "initializer element is not a compile-time constant")
	default:
		c.err(diag.SamplerConstant, e.Span(), "sampler_t initialization requires 32-bit integer constant, not '%s'", r.Var.Type)
	}
	return false
}

// initializerAnyway reports errors within the initializer of an erroneous declaration.
func (c *expressions) initializerAnyway(x syntax.Expr) {
	switch x := x.(type) {
	case nil:
	case *syntax.InitList:
		for i := range x.Items {
			c.initializerAnyway(x.Items[i].Value)
		}
	default:
		c.expr(x)
	}
}

// initializer checks x as the initializer of an object of type q and returns its
// value, an InitList for an aggregate, with the completed type.
func (c *expressions) initializer(q types.QType, x syntax.Expr) (Expr, *types.Type) {
	switch list := x.(type) {
	case *syntax.InitList:
		b := initBuilder{c: c}
		return b.top(q, list), b.t
	case *syntax.Paren:
		if s := stringInit(q.Type, x); s != nil {
			return c.initializer(q, list.X)
		}
	}
	if s := stringInit(q.Type, x); s != nil {
		b := initBuilder{c: c}
		b.t = q.Type
		b.str(q.Type, s, 0)
		if b.bad {
			return c.badExpr(x.Span()), q.Type
		}
		return &InitList{Base{types.Q(b.t), x.Span()}, b.items}, b.t
	}
	e := c.expr(x)
	if lit, ok := e.(*CompoundLit); ok && q.Kind == types.Array && lit.T.Type == q.Type {
		return lit.Var.Init, q.Type // GNU: an array from a compound literal
	}
	if q.Kind == types.Array && !isBad(e) {
		c.err(diag.InvalidInitializer, x.Span(), "array initializer must be an initializer list")
		return nil, q.Type
	}
	e = c.rvalue(e)
	return c.assign(e, q, initializing), q.Type
}

// stringInit returns the string literal if x initialises an array of characters with one.
func stringInit(t *types.Type, x syntax.Expr) *syntax.StringLit {
	if t.Kind != types.Array || t.Elem.Kind != types.Char && t.Elem.Kind != types.UChar {
		return nil
	}
	for {
		switch y := x.(type) {
		case *syntax.Paren:
			x = y.X
		case *syntax.StringLit:
			return y
		default:
			return nil
		}
	}
}

// An initBuilder flattens one braced initializer into items at byte offsets.
type initBuilder struct {
	c     *expressions
	t     *types.Type // of the whole object, completed
	items []InitItem
	bad   bool
	mixed bool // the items are not in ascending order
}

// A cursor walks the items of one brace-enclosed list. It keeps a value that was checked to find the member that it
// initialises.
type cursor struct {
	list    *syntax.InitList
	i       int
	checked Expr // the value of item i, if already checked
}

func (k *cursor) done() bool { return k.i >= len(k.list.Items) }

func (k *cursor) next() { k.i++; k.checked = nil }

// top checks the braces around a whole object.
func (b *initBuilder) top(q types.QType, list *syntax.InitList) Expr {
	b.t = q.Type
	b.object(q, list, 0, true)
	if b.bad {
		return b.c.badExpr(list.Span())
	}
	switch {
	case q.Kind == types.Array || q.Kind == types.Record:
	case len(b.items) == 1:
		return b.items[0].Value
	default:
		return b.c.badExpr(list.Span())
	}
	if b.mixed {
		b.order()
	}
	return &InitList{Base{types.Q(b.t), list.Span()}, b.items}
}

// order sorts the items; of two for the same part, the later one is used (C99 6.7.8p19).
func (b *initBuilder) order() {
	key := func(it *InitItem) int64 {
		k := it.Offset * 64
		if it.Field != nil {
			k += int64(it.Field.BitOff)
		}
		return k
	}
	slices.SortStableFunc(b.items, func(x, y InitItem) int {
		switch p, q := key(&x), key(&y); {
		case p < q:
			return -1
		case p > q:
			return 1
		}
		return 0
	})
	out := b.items[:0]
	for i := range b.items {
		if n := len(out); n > 0 && key(&out[n-1]) == key(&b.items[i]) && out[n-1].Value.Type().Type == b.items[i].Value.Type().Type {
			b.c.rep.Report(diag.InitializerOverrides, b.items[i].Value.Span(), "initializer overrides prior initialization of this subobject").
				Note(out[n-1].Value.Span(), "previous initialization is here")
			out[n-1] = b.items[i]
			continue
		}
		out = append(out, b.items[i])
	}
	b.items = out
}

func (b *initBuilder) emit(off int64, f *types.Field, e Expr) {
	if isBad(e) {
		b.bad = true
		return
	}
	if n := len(b.items); n > 0 {
		last := &b.items[n-1]
		if off < last.Offset || off == last.Offset && (f == nil || last.Field == nil || f.BitOff <= last.Field.BitOff) {
			b.mixed = true
		}
	}
	var field *types.Field
	if f != nil && f.Bits >= 0 {
		field = f
	}
	b.items = append(b.items, InitItem{off, field, e})
}

// object initialises an object of type q at off from a list in its own braces.
func (b *initBuilder) object(q types.QType, list *syntax.InitList, off int64, top bool) {
	c := b.c
	if !c.enter(list) {
		c.leave()
		b.bad = true
		return
	}
	defer c.leave()
	k := cursor{list: list}
	switch q.Kind {
	case types.Array:
		if len(list.Items) == 1 && len(list.Items[0].Desig) == 0 {
			if s := stringInit(q.Type, list.Items[0].Value); s != nil {
				b.str(q.Type, s, off)
				return
			}
		}
		n := b.array(q, &k, off, true)
		if q.Len < 0 && top {
			b.t = c.tc.ArrayOf(q.Elem, n)
		}
	case types.Record:
		b.record(q, &k, off, true)
	case types.Vector:
		if len(list.Items) == 0 {
			b.emit(off, nil, c.konst(q.Type, list.Span(), 0))
			return
		}
		b.vector(q, &k, off)
	default:
		b.scalarInBraces(q, &k, off)
	}
	if !k.done() && !b.bad {
		what := map[types.Kind]string{types.Array: "array", types.Record: "struct"}[q.Kind]
		at := k.list.Items[k.i].Value.Span()
		switch {
		case q.Kind == types.Vector:
			c.err(diag.VectorElementCount, at, "excess elements in vector initializer")
			b.bad = true
		case q.Kind == types.Record && q.Rec.Partial:
		case what == "":
			c.rep.Report(diag.ExcessInitializers, at, "excess elements in scalar initializer")
		default:
			if q.Kind == types.Record {
				what = recordWord(q.Type)
			}
			c.rep.Report(diag.ExcessInitializers, at, "excess elements in %s initializer", what)
		}
		for ; !k.done(); k.next() {
			c.initializerAnyway(k.list.Items[k.i].Value)
		}
	}
}

// scalarInBraces initialises a scalar from { x } (C99 6.7.8p11).
func (b *initBuilder) scalarInBraces(q types.QType, k *cursor, off int64) {
	if k.done() {
		b.c.err(diag.InvalidInitializer, k.list.Span(), "scalar initializer cannot be empty")
		b.bad = true
		return
	}
	it := &k.list.Items[0]
	if len(it.Desig) > 0 {
		b.c.err(diag.InvalidInitializer, it.Desig[0].Span, "designator in initializer for scalar type '%s'", q.Unqualified())
		b.bad = true
		return
	}
	b.one(q, k, off, nil)
}

// one initialises an object from the current item, which it consumes: an expression, or a braced list.
func (b *initBuilder) one(q types.QType, k *cursor, off int64, f *types.Field) {
	if list, ok := k.list.Items[k.i].Value.(*syntax.InitList); ok {
		if q.Kind == types.Array && q.Len < 0 {
			b.flexible(q, list, off)
		} else if f != nil && f.Bits >= 0 {
			inner := initBuilder{c: b.c}
			if e := inner.top(q, list); inner.bad {
				b.bad = true
			} else {
				b.emit(off, f, e)
			}
		} else {
			b.object(q, list, off, false)
		}
		k.next()
		return
	}
	e := k.checked
	if e == nil {
		e = b.c.expr(k.list.Items[k.i].Value)
	}
	b.emit(off, f, b.c.assign(b.c.rvalue(e), q, initializing))
	k.next()
}

func (b *initBuilder) flexible(q types.QType, list *syntax.InitList, off int64) {
	b.c.err(diag.InvalidInitializer, list.Span(), "initialization of flexible array member is not allowed")
	b.bad = true
}

// part initialises a member or element at off from the items, without its own braces: an aggregate takes as many
// items as it needs (C99 6.7.8p20).
func (b *initBuilder) part(q types.QType, k *cursor, off int64, f *types.Field) {
	it := &k.list.Items[k.i]
	if _, braced := it.Value.(*syntax.InitList); braced {
		b.one(q, k, off, f)
		return
	}
	switch q.Kind {
	case types.Array:
		if s := stringInit(q.Type, it.Value); s != nil {
			b.str(q.Type, s, off)
			k.next()
			return
		}
		if !b.c.enter(it.Value) {
			b.c.leave()
			b.bad = true
			return
		}
		if q.Len < 0 {
			b.flexible(q, k.list, off)
		} else {
			b.array(q, k, off, false)
		}
		b.c.leave()
		return
	case types.Record:
		if k.checked == nil {
			k.checked = b.c.expr(it.Value)
		}
		if t := k.checked.Type(); t.Type != q.Type && !t.IsInvalid() {
			b.record(q, k, off, false)
			return
		}
	}
	b.one(q, k, off, f)
}

// rest initialises the part of an object of type q that the designators d select, from the current item, which it
// consumes.
func (b *initBuilder) rest(q types.QType, d []syntax.Designator, k *cursor, off int64, f *types.Field) {
	if len(d) == 0 {
		b.part(q, k, off, f)
		return
	}
	c := b.c
	switch {
	case d[0].Name != "" && q.Kind == types.Record:
		b.c.info.fieldUse(q.Type, d[0].Name, fieldName(d[0]))
		path, ok := findField(q.Type, d[0].Name)
		if !ok && q.Rec.Partial {
			break
		}
		if !ok {
			c.err(diag.NoMember, d[0].Span, "field designator '%s' does not refer to any field in type '%s'", d[0].Name, q.Unqualified())
			break
		}
		for _, p := range path {
			off += p.Offset
		}
		last := path[len(path)-1]
		b.rest(last.Type, d[1:], k, off, last)
		return
	case d[0].Index != nil && q.Kind == types.Array:
		i, ok := b.arrayIndex(d[0], q.Len)
		if !ok {
			break
		}
		b.rest(q.Elem, d[1:], k, off+i*q.Elem.Size(), nil)
		return
	default:
		b.wrongDesignator(q, d[0])
	}
	b.bad = true
	c.initializerAnyway(k.list.Items[k.i].Value)
	k.next()
}

func (b *initBuilder) wrongDesignator(q types.QType, d syntax.Designator) {
	kind := "array"
	if d.Name != "" {
		kind = "field"
	}
	b.c.err(diag.InvalidInitializer, d.Span, "%s designator cannot initialize non-%s type '%s'", kind, map[string]string{"array": "array", "field": "struct, non-union"}[kind], q.Unqualified())
}

// arrayIndex evaluates [i] in an initializer of an array of n elements (-1: any).
func (b *initBuilder) arrayIndex(d syntax.Designator, n int64) (int64, bool) {
	c := b.c
	e := c.value(d.Index)
	if isBad(e) {
		return 0, false
	}
	k, _ := c.constant(e)
	if k == nil || !e.Type().IsInteger() {
		c.err(diag.NotConstant, d.Index.Span(), "expression is not an integer constant expression")
		return 0, false
	}
	i := signedValue(k.T.Num(), k.Bits[0])
	if i < 0 {
		c.err(diag.InvalidInitializer, d.Index.Span(), "array designator value '%d' is negative", i)
		return 0, false
	}
	if n >= 0 && i >= n || i >= maxObject {
		c.err(diag.InvalidInitializer, d.Index.Span(), "array designator index (%d) exceeds array bounds (%d)", i, n)
		return 0, false
	}
	return i, true
}

// array initialises elements and returns their number up to the last one.
func (b *initBuilder) array(q types.QType, k *cursor, off int64, braced bool) (count int64) {
	size := q.Elem.Size()
	if size <= 0 {
		size = 0
	}
	elem := q.Elem
	for i := int64(0); !k.done() && !b.bad; i++ {
		it := &k.list.Items[k.i]
		if len(it.Desig) > 0 {
			if !braced {
				return count // it belongs to the enclosing object
			}
			if it.Desig[0].Index == nil {
				b.wrongDesignator(q, it.Desig[0])
				b.bad = true
				return count
			}
			var ok bool
			if i, ok = b.arrayIndex(it.Desig[0], q.Len); !ok {
				b.bad = true
				return count
			}
			if q.Len < 0 && size > 0 && i >= maxVariable/size {
				b.c.err(diag.ObjectTooLarge, it.Desig[0].Span, "array is too large (%d elements)", i+1)
				b.bad = true
				return count
			}
			b.rest(elem, it.Desig[1:], k, off+i*size, nil)
			count = max(count, i+1)
			continue
		}
		if q.Len >= 0 && i >= q.Len {
			return count
		}
		b.part(elem, k, off+i*size, nil)
		count = max(count, i+1)
	}
	return count
}

// record initialises members in order; for a union, the first or the designated one.
func (b *initBuilder) record(q types.QType, k *cursor, off int64, braced bool) {
	c := b.c
	if !q.Rec.Complete {
		c.err(diag.IncompleteType, k.list.Span(), "initialization of incomplete type '%s'", q.Unqualified())
		b.bad = true
		return
	}
	fields := q.Rec.Fields
	for i := 0; !k.done() && !b.bad; i++ {
		it := &k.list.Items[k.i]
		if len(it.Desig) > 0 {
			if !braced {
				return
			}
			if it.Desig[0].Name == "" {
				b.wrongDesignator(q, it.Desig[0])
				b.bad = true
				return
			}
			for j := range fields {
				if fields[j].Name == it.Desig[0].Name {
					i = j
				} else if f := &fields[j]; f.Name == "" && f.Type.Kind == types.Record {
					if _, ok := findField(f.Type.Type, it.Desig[0].Name); ok {
						i = j
					}
				}
			}
			b.rest(q, it.Desig, k, off, nil)
			if q.Rec.Union {
				i = len(fields)
			}
			continue
		}
		if i >= len(fields) || q.Rec.Union && i > 0 {
			return
		}
		f := &fields[i]
		if f.Type.Kind == types.Array && f.Type.Len < 0 {
			if _, braces := it.Value.(*syntax.InitList); !braces {
				return
			}
		}
		b.part(f.Type, k, off+f.Offset, f)
	}
}

// vector initialises all components of a vector from { … }, like a vector literal.
func (b *initBuilder) vector(q types.QType, k *cursor, off int64) {
	c := b.c
	var list []Expr
	have, want := 0, q.Lanes()
	for ; !k.done() && have < want; k.next() {
		it := &k.list.Items[k.i]
		if len(it.Desig) > 0 {
			c.err(diag.InvalidInitializer, it.Desig[0].Span, "designator in initializer for vector type '%s'", q.Unqualified())
			b.bad = true
			return
		}
		if inner, ok := it.Value.(*syntax.InitList); ok {
			ib := initBuilder{c: c}
			e := ib.top(q.Elem, inner)
			if ib.bad {
				b.bad = true
				return
			}
			list = append(list, e)
			have++
			continue
		}
		v := c.value(it.Value)
		if len(list) == 0 && v.Type().Type == q.Type {
			k.next()
			b.emit(off, nil, v)
			return
		}
		e := c.vectorElement(v, q.Elem.Type)
		if isBad(e) {
			b.bad = true
			return
		}
		list = append(list, e)
		have += e.Type().Lanes()
	}
	if have != want {
		word, at := "few", k.list.Span()
		if have > want {
			word, at = "many", excess(list, want)
		}
		c.err(diag.VectorElementCount, at, "too %s elements in vector initialization (expected %d elements, have %d)", word, want, have)
		b.bad = true
		return
	}
	b.emit(off, nil, c.mkVectorLit(q.Type, list, k.list.Span()))
}

// str initialises an array of characters with a string literal (C99 6.7.8p14). Zero
// bytes are left out.
func (b *initBuilder) str(t *types.Type, s *syntax.StringLit, off int64) {
	data, ok := b.c.stringData(s)
	if !ok {
		b.bad = true
		return
	}
	if t.Len < 0 && b.t == t {
		b.t = b.c.tc.ArrayOf(t.Elem, int64(len(data))+1)
	} else if t.Len >= 0 && int64(len(data)) > t.Len {
		b.c.rep.Report(diag.ExcessInitializers, s.Span(), "initializer-string for char array is too long")
		data = data[:t.Len]
	}
	if len(data) > maxStringInit {
		b.c.err(diag.ObjectTooLarge, s.Span(), "string literal of %d bytes is too long to initialize an array: the limit is %d", len(data), maxStringInit)
		b.bad = true
		return
	}
	var chars [256]*Const // equal characters share a constant
	b.items = slices.Grow(b.items, len(data))
	for i, ch := range data {
		if ch == 0 {
			continue
		}
		if chars[ch] == nil {
			chars[ch] = b.c.konst(t.Elem.Type, s.Span(), uint64(ch))
		}
		b.emit(off+int64(i), nil, chars[ch])
	}
}

// maxStringInit bounds the memory of a character array's initializer.
const maxStringInit = 16 << 20

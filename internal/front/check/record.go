package check

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// recordType resolves a struct or union specifier (C99 6.7.2.1, 6.7.2.3).
func (c *declarators) recordType(r *syntax.RecordType, alone bool) *types.Type {
	var t *types.Type
	if r.Tag != "" {
		sym := c.lookupTag(r.Tag)
		if sym != nil && (r.HasBody || alone) && sym.level != c.level() {
			sym = nil // a new type in this scope
		}
		if sym != nil {
			if sym.typ.Kind != types.Record || sym.typ.Rec.Union != r.Union {
				d := c.err(diag.WrongTagKind, r.TagSpan, "use of '%s' with tag type that does not match previous declaration", r.Tag)
				sym.note(d, "previous use is here")
				return types.InvalidType
			}
			t = sym.typ.Type
			if r.HasBody && (t.Rec.Complete || len(t.Rec.Fields) > 0) {
				c.redefinition(r.Tag, r.TagSpan, sym)
				// The members are checked too; the name keeps its first meaning.
				t = &types.Type{Kind: types.Record, Name: r.Tag, Rec: &types.RecordInfo{Union: r.Union}}
			} else if r.HasBody {
				sym.span = r.TagSpan
			}
		}
	}
	if t == nil {
		t = &types.Type{Kind: types.Record, Name: r.Tag, Rec: &types.RecordInfo{Union: r.Union}}
		if r.Tag != "" {
			c.declareTag(&symbol{kind: symTag, name: r.Tag, span: r.TagSpan, typ: types.Q(t)})
		}
	}
	c.info.tag(t, r.Tag, r.TagSpan, r.HasBody)
	if !r.HasBody {
		return t
	}
	if !c.enter(r) {
		c.leave()
		return types.InvalidType
	}
	at := c.attributes(r.Attrs, onRecord)
	l := layout{rec: t.Rec, packed: at.packed, limit: c.pack}
	t.Rec.Packed = at.packed
	for _, d := range r.Fields {
		if v, ok := d.(*syntax.VarDecl); ok {
			c.fields(t, v, &l)
		} else if s, ok := d.(*syntax.StaticAssert); ok {
			c.staticAssert(s)
		}
	}
	c.leave()
	l.finish(at.aligned)
	if l.size >= maxObject {
		c.err(diag.ObjectTooLarge, r.Span(), "type '%s' is too large", t)
		t.Rec.Size = 0
	}
	t.Rec.Complete = true
	return t
}

// A layout assigns offsets to members in order, by the Itanium ABI, which clang's SPIR targets and x86-64 follow:
// bit-fields share units of their declared type's size.
type layout struct {
	rec    *types.RecordInfo
	packed bool
	limit  int64 // on the alignment of members, from #pragma pack; 0 for none
	size   int64 // bytes so far
	bit    int64 // bits used by the current run of bit-fields, from the record's start; 0 outside of a run
	align  int64
	names  map[string]bool // names of the members so far, including those of anonymous records
}

// claim enters a member's name; it returns false if the name is in use.
func (l *layout) claim(name string) bool {
	if l.names == nil {
		l.names = map[string]bool{}
	}
	if l.names[name] {
		return false
	}
	l.names[name] = true
	return true
}

// add assigns an offset to a member of type q. bits is the width of a bit-field, -1 for other members.
func (l *layout) add(f types.Field, own *attrs, typeAlign int64) {
	a, aligned := f.Type.Align(), own.aligned
	if typeAlign > 0 {
		a = typeAlign
	}
	packed := own.packed || l.packed
	if packed {
		a = 1
	}
	a = max(a, aligned, 1)
	if l.limit > 0 {
		a = min(a, l.limit)
	}
	if l.rec.Union {
		l.bit = 0
	}
	if f.Bits < 0 {
		l.close()
		at := int64(0)
		if !l.rec.Union {
			at = alignUp(l.size, a)
		}
		f.Offset = at
		if s := f.Type.Size(); s > 0 {
			at += s
		}
		l.size = max(l.size, at)
		l.align = max(l.align, a)
		l.rec.Fields = append(l.rec.Fields, f)
		return
	}
	unit := 8 * f.Type.Size()
	if l.rec.Union {
		f.Offset, f.BitOff = 0, 0
		l.size = max(l.size, (int64(f.Bits)+7)/8)
	} else {
		if l.bit == 0 {
			l.bit = 8 * l.size
		}
		switch {
		case f.Bits == 0:
			l.bit = alignUp(l.bit, max(unit, 8*aligned))
		case aligned > 0:
			l.bit = alignUp(l.bit, 8*aligned)
		case !packed && l.bit%unit+int64(f.Bits) > unit:
			l.bit = alignUp(l.bit, unit)
		}
		// The storage unit is the aligned one of the declared type that contains the first bit. A packed field may
		// exceed it and then starts at its own byte.
		f.Offset = l.bit / unit * (unit / 8)
		f.BitOff = int(l.bit % unit)
		if f.BitOff+f.Bits > int(unit) {
			f.Offset = l.bit / 8
			f.BitOff = int(l.bit % 8)
		}
		l.bit += int64(f.Bits)
		l.size = max(l.size, (l.bit+7)/8)
	}
	if f.Bits > 0 && f.Name != "" {
		l.align = max(l.align, a)
	}
	if f.Name != "" {
		l.rec.Fields = append(l.rec.Fields, f)
	}
}

// close ends a run of bit-fields.
func (l *layout) close() { l.bit = 0 }

func (l *layout) finish(aligned int64) {
	l.rec.Align = max(l.align, aligned, 1)
	l.rec.Size = alignUp(l.size, l.rec.Align)
	l.size = l.rec.Size
}

func alignUp(n, a int64) int64 { return (n + a - 1) / a * a }

// fields adds the members of one declaration.
func (c *declarators) fields(t *types.Type, d *syntax.VarDecl, l *layout) {
	info := c.declSpec(d.Spec, false)
	if len(d.Items) == 0 {
		if info.q.Kind == types.Record && info.q.Name == "" && !info.q.IsInvalid() {
			c.addField(t, types.Field{Type: info.q, Bits: -1}, d.Span(), info.attrs, 0, l)
		} else if !info.q.IsInvalid() {
			c.rep.Report(diag.MissingDeclaration, d.Span(), "declaration does not declare anything")
		}
		return
	}
	if d.Spec.Storage != syntax.NoStorage {
		c.err(diag.InvalidStorage, d.Spec.StorageSpan, "type name does not allow storage class to be specified")
	}
	for _, it := range d.Items {
		at := c.withAttributes(info.attrs, it.Decl.Attrs, onField)
		q := c.declaratorType(it.Decl.Type, &info, false)
		span := it.Decl.NameSpan
		if !span.IsValid() {
			span = it.Decl.Span()
		}
		if it.Decl.Name == "" && it.Decl.Bits == nil {
			t.Rec.Partial = true
			continue // a syntax error
		}
		f := types.Field{Name: it.Decl.Name, Type: q, Bits: -1, Sized: info.sizedIn(q)}
		if it.Decl.Bits != nil {
			if f.Bits = c.bitWidth(&f, it.Decl.Bits); f.Bits < 0 {
				t.Rec.Partial = true
				continue
			}
		}
		n := len(t.Rec.Fields)
		c.addField(t, f, span, at, info.alignOf(q), l)
		t.Rec.Partial = t.Rec.Partial || len(t.Rec.Fields) == n
	}
}

// bitFieldExtension is clang's extension for bit-fields.
const bitFieldExtension = "__cl_clang_bitfields"

// bitWidth evaluates the width of a bit-field; it returns -1 after an error.
func (c *declarators) bitWidth(f *types.Field, x syntax.Expr) int {
	e := c.value(x)
	if e.Type().IsInvalid() || f.Type.IsInvalid() {
		return -1
	}
	if !c.ext[bitFieldExtension] {
		c.err(diag.BitField, x.Span(), "bit-fields are not supported in OpenCL").
			Note(diag.Span{}, "'#pragma OPENCL EXTENSION %s : enable' allows them", bitFieldExtension)
		return -1
	}
	name := "bit-field '" + f.Name + "'"
	if f.Name == "" {
		name = "anonymous bit-field"
	}
	if !f.Type.IsInteger() {
		c.err(diag.InvalidBitField, x.Span(), "%s has non-integral type '%s'", name, f.Type)
		return -1
	}
	k, _ := c.constant(e)
	if k == nil || !e.Type().IsInteger() {
		c.err(diag.NotConstant, x.Span(), "expression is not an integer constant expression")
		return -1
	}
	n, width := signedValue(k.T.Num(), k.Bits[0]), int64(f.Type.Num().Bits())
	switch {
	case n < 0:
		c.err(diag.InvalidBitField, x.Span(), "%s has negative width (%d)", name, n)
	case n > width:
		c.err(diag.InvalidBitField, x.Span(), "width of %s (%d bits) exceeds the width of its type (%d bits)", name, n, width)
	case n == 0 && f.Name != "":
		c.err(diag.InvalidBitField, x.Span(), "named bit-field '%s' has zero width", f.Name)
	default:
		return int(n)
	}
	return -1
}

// addField checks a member and adds it to the layout.
func (c *declarators) addField(t *types.Type, f types.Field, s diag.Span, at *attrs, typeAlign int64, l *layout) {
	q := f.Type
	rec := t.Rec
	switch {
	case q.IsInvalid():
		return
	case q.Kind == types.Func:
		c.err(diag.InvalidField, s, "field '%s' declared as a function", f.Name)
		return
	case q.Kind == types.Image || q.Kind == types.Sampler || q.Kind == types.Event || q.Kind == types.Placeholder:
		c.err(diag.InvalidField, s, "the '%s' type cannot be used to declare a structure or union field", q)
		return
	case q.Space != types.NoSpace && q.Space != types.Private:
		c.err(diag.InvalidField, s, "field may not be qualified with an address space")
		return
	case rec.Flexible:
		c.err(diag.InvalidField, s, "flexible array member must be the last member of a structure")
		return
	}
	if q.Kind == types.Array && q.Len < 0 {
		if rec.Union || len(rec.Fields) == 0 {
			c.rep.Report(diag.FlexibleExtension, s, "flexible array member '%s' in a union or otherwise empty struct is a GNU extension", f.Name)
		}
		rec.Flexible = true
	} else if q.Size() < 0 {
		c.err(diag.IncompleteType, s, "field has incomplete type '%s'", q)
		return
	} else if q.Kind == types.Record && q.Rec.Flexible && !rec.Union {
		c.rep.Report(diag.FlexibleExtension, s, "field '%s' with variable sized type '%s' is a GNU extension", f.Name, q)
	}
	if f.Name != "" {
		if !l.claim(f.Name) {
			c.err(diag.DuplicateMember, s, "duplicate member '%s'", f.Name)
			return
		}
	} else if f.Bits < 0 {
		for _, n := range fieldNames(q.Type) {
			if !l.claim(n) {
				c.err(diag.DuplicateMember, s, "member of anonymous %s redeclares '%s'", recordWord(q.Type), n)
				return
			}
		}
	}
	if l.size >= maxObject-q.Size() {
		c.err(diag.ObjectTooLarge, s, "type '%s' is too large", t)
		return
	}
	f.Type.Space = types.NoSpace
	l.add(f, at, typeAlign)
	c.info.field(t, f.Name, s)
}

func recordWord(t *types.Type) string {
	if t.Rec.Union {
		return "union"
	}
	return "struct"
}

// enumType resolves an enum specifier (C99 6.7.2.2).
func (c *declarators) enumType(e *syntax.EnumType, alone bool) *types.Type {
	var t *types.Type
	if e.Tag != "" {
		sym := c.lookupTag(e.Tag)
		if sym != nil && e.HasBody && sym.level != c.level() {
			sym = nil
		}
		if sym != nil {
			if sym.typ.Kind != types.Enum {
				d := c.err(diag.WrongTagKind, e.TagSpan, "use of '%s' with tag type that does not match previous declaration", e.Tag)
				sym.note(d, "previous use is here")
				return types.InvalidType
			}
			t = sym.typ.Type
			if e.HasBody && sym.init {
				c.redefinition(e.Tag, e.TagSpan, sym)
				t = nil
			}
		}
	}
	if t == nil {
		t = &types.Type{Kind: types.Enum, Name: e.Tag, Under: types.ScalarType(types.UInt)}
		if e.Tag != "" {
			c.declareTag(&symbol{kind: symTag, name: e.Tag, span: e.TagSpan, typ: types.Q(t), init: e.HasBody})
		}
	}
	c.info.tag(t, e.Tag, e.TagSpan, e.HasBody)
	c.attributes(e.Attrs, onEnum)
	if !e.HasBody {
		return t
	}
	c.enumerators(t, e)
	return t
}

// enumerators declares the constants and selects the integer type: as in clang, unsigned int unless a value is
// negative or too large.
func (c *declarators) enumerators(t *types.Type, e *syntax.EnumType) {
	next, lo, hi := int64(0), int64(0), int64(0)
	first := len(c.decls)
	for _, it := range e.Items {
		if it.Value != nil {
			x := c.value(it.Value)
			if k, _ := c.constant(x); k != nil && k.T.IsInteger() {
				next = signedValue(k.T.Num(), k.Bits[0])
			} else if !x.Type().IsInvalid() {
				c.err(diag.NotConstant, it.Value.Span(), "expression is not an integer constant expression")
			}
		}
		c.attributes(it.Attrs, onEnum)
		lo, hi = min(lo, next), max(hi, next)
		old := c.here(it.Sym)
		if old == nil && c.level() == 1 {
			old = c.predeclared(it.Name)
		}
		if old != nil {
			c.redefinition(it.Name, it.Span(), old)
		} else if !c.takesName(it.Name, it.Sym, it.Span(), types.QType{}) {
			typ := types.Q(types.ScalarType(types.Int))
			if int64(int32(next)) != next {
				typ = types.Q(types.ScalarType(types.Long))
				if int64(uint32(next)) == next {
					typ = types.Q(types.ScalarType(types.UInt))
				}
			}
			c.declare(it.Sym, &symbol{kind: symEnumConst, name: it.Name, span: it.Span(), typ: typ, value: next})
		}
		next++
	}
	switch {
	case lo >= 0 && hi <= 1<<32-1:
		t.Under = types.ScalarType(types.UInt)
	case lo >= -1<<31 && hi < 1<<31:
		t.Under = types.ScalarType(types.Int)
	default:
		t.Under = types.ScalarType(types.Long)
		for _, s := range c.decls[first:] {
			if s.kind == symEnumConst {
				s.typ = types.Q(t.Under)
			}
		}
	}
}

// staticAssert checks _Static_assert (C11 6.7.10).
func (c *declarators) staticAssert(s *syntax.StaticAssert) {
	x := c.value(s.X)
	if x.Type().IsInvalid() {
		return
	}
	k, why := c.constant(x)
	if k == nil || !x.Type().IsInteger() {
		d := c.err(diag.NotConstant, s.X.Span(), "static assertion expression is not an integral constant expression")
		if why.text != "" {
			d.Note(why.span, "%s", why.text)
		}
		return
	}
	if k.Bits[0] == 0 {
		text := ""
		if s.Msg != nil {
			data, _ := c.stringData(s.Msg)
			text = ": " + string(data)
		}
		c.err(diag.StaticAssertFailed, s.X.Span(), "static assertion failed%s", text)
	}
}

package check

import (
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// maxObject is the exclusive upper bound of an object's size in bytes.
const maxObject = 1 << 40

// A specInfo holds the resolved declaration specifiers, for all declarators.
type specInfo struct {
	q        types.QType
	attrs    *attrs
	space    diag.Span // of the address space qualifier, if any
	align    int64     // the alignment requested by the typedef that is the type, or 0
	sized    string    // the type's name if the host does not know its size (6.11 k)
	numbered diag.Span // of the attribute address_space(N), if any
}

// sameBase reports whether q is the specifiers' type or an array of it.
func (i *specInfo) sameBase(q types.QType) bool {
	for q.Kind == types.Array && q.Type != i.q.Type {
		q = q.Elem
	}
	return q.Type == i.q.Type
}

// alignOf returns the alignment that the specifiers' typedef requests for something of type q: that type or an
// array of it. 0 means the type's own.
func (i *specInfo) alignOf(q types.QType) int64 {
	if !i.sameBase(q) {
		return 0
	}
	return i.align
}

// sizedIn returns the name of the specifiers' type if the host does not know its size and q is that type or an
// array of it, else "".
func (i *specInfo) sizedIn(q types.QType) string {
	if !i.sameBase(q) {
		return ""
	}
	return i.sized
}

// hostSized are the names of types whose size depends on the device.
var hostSized = []string{"size_t", "ptrdiff_t", "intptr_t", "uintptr_t"}

// declarators resolves what gives a declaration its type: specifiers, attributes, declarators, and the definitions
// of structs, unions and enums among the specifiers. It declares tags, enumeration constants and the scope of a
// prototype's parameters, and nothing else.
type declarators struct{ expressions }

// declSpec resolves declaration specifiers (C99 6.7). alone is set if the specifiers may declare a tag without
// declarators ("struct s;").
func (c *declarators) declSpec(s *syntax.DeclSpec, alone bool) specInfo {
	info := specInfo{attrs: c.withAttributes(&noAttrs, s.Attrs, onSpec)}
	info.q = c.baseType(s, alone)
	if n, ok := s.Base.(*syntax.NamedType); ok {
		if sym := c.lookup(n.Sym); sym != nil && sym.kind == symTypedef {
			info.align, info.sized = sym.aligned, sym.sized
		} else if sym == nil && slices.Contains(hostSized, n.Name) {
			info.sized = n.Name
		}
	}
	c.applyQuals(&info.q, &s.Quals, &info.space)
	c.applySpaceAttr(&info)
	if info.attrs.extVector != 0 {
		info.q.Type = c.extVector(info.q.Type, info.attrs)
	}
	return info
}

// baseType resolves a type specifier.
func (c *declarators) baseType(s *syntax.DeclSpec, alone bool) types.QType {
	switch b := s.Base.(type) {
	case nil:
		c.err(diag.MissingType, s.Span(), "type specifier missing, which OpenCL C requires")
		return types.Q(types.ScalarType(types.Int))
	case *syntax.BasicType:
		return types.Q(c.basicType(b))
	case *syntax.NamedType:
		return c.namedType(b)
	case *syntax.RecordType:
		return types.Q(c.recordType(b, alone))
	case *syntax.EnumType:
		return types.Q(c.enumType(b, alone))
	case *syntax.TypeofType:
		var q types.QType
		if b.Type != nil {
			q = c.typeName(b.Type)
		} else {
			c.discard++
			q = c.expr(b.X).Type()
			c.discard--
			q.Space = types.NoSpace
		}
		return q
	}
	return types.Q(types.InvalidType)
}

// basicWords are the keyword combinations that denote a type (C99 6.7.2), sorted.
var basicWords = map[string]types.Kind{
	"void": types.Void, "_Bool": types.Bool, "bool": types.Bool,
	"char": types.Char, "char signed": types.Char, "char unsigned": types.UChar,
	"short": types.Short, "short signed": types.Short, "int short": types.Short, "int short signed": types.Short,
	"short unsigned": types.UShort, "int short unsigned": types.UShort,
	"int": types.Int, "signed": types.Int, "int signed": types.Int, "unsigned": types.UInt, "int unsigned": types.UInt,
	"long": types.Long, "long signed": types.Long, "int long": types.Long, "int long signed": types.Long,
	"long unsigned": types.ULong, "int long unsigned": types.ULong,
	"long long": types.Long, "long long signed": types.Long, "int long long": types.Long, "int long long signed": types.Long,
	"long long unsigned": types.ULong, "int long long unsigned": types.ULong,
	"float": types.Float, "double": types.Double, "half": types.Half,
	"uchar": types.UChar, "ushort": types.UShort, "uint": types.UInt, "ulong": types.ULong,
}

// basicWord is basicWords for a single word, the most frequent first.
func basicWord(w string) (types.Kind, bool) {
	switch w {
	case "int":
		return types.Int, true
	case "float":
		return types.Float, true
	case "void":
		return types.Void, true
	}
	k, ok := basicWords[w]
	return k, ok
}

func (c *declarators) basicType(b *syntax.BasicType) *types.Type {
	var k types.Kind
	var ok bool
	if len(b.Words) == 1 {
		k, ok = basicWord(b.Words[0])
	} else {
		words := slices.Clone(b.Words)
		slices.Sort(words)
		k, ok = basicWords[strings.Join(words, " ")]
	}
	if !ok {
		switch text := strings.Join(b.Words, " "); {
		case slices.Contains(b.Words, "_Complex") || slices.Contains(b.Words, "complex"), slices.Contains(b.Words, "_Imaginary"):
			c.err(diag.UnsupportedType, b.Span(), "complex types are not supported in OpenCL")
		case text == "long double" || text == "double long":
			c.err(diag.UnsupportedType, b.Span(), "'long double' is not supported in OpenCL")
		default:
			c.err(diag.BadTypeCombination, b.Span(), "'%s' is not a type", text)
		}
		return types.InvalidType
	}
	if k == types.Void {
		return types.VoidType
	}
	if k == types.Double && !c.doubleAllowed(b.Span(), "double") {
		return types.InvalidType
	}
	return types.ScalarType(k)
}

// namedType resolves a typedef name or built-in type name.
func (c *declarators) namedType(b *syntax.NamedType) types.QType {
	name, s := b.Name, b.Span()
	if sym := c.lookup(b.Sym); sym != nil {
		switch sym.kind {
		case symTypedef:
			sym.used = true
			c.info.symbol(sym, s)
			return sym.typ
		case symBad:
			return types.Q(types.InvalidType)
		}
	}
	id := &c.names[b.Sym]
	if id.typ == nil {
		id.typ = builtinTypes[name]
	}
	if t := id.typ; t != nil {
		c.info.language(TypeObject, name, s, nil, types.Q(t), 0)
		if t.Num() == numeric.F64 && t.IsVector() && !c.doubleAllowed(s, name) {
			return types.Q(types.InvalidType)
		}
		if t.Kind == types.Image && c.std >= opencl.CL30 && !c.supported("__opencl_c_images") {
			c.err(diag.UnsupportedType, s, "use of type '%s' requires __opencl_c_images support", name)
			return types.Q(types.InvalidType)
		}
		if t.Kind == types.Image {
			if needs := t.ImageRow().Needs; needs != "" && !c.supported(needs) {
				c.err(diag.UnsupportedType, s, "use of type '%s' requires %s, which this device does not support", name, needs)
				return types.Q(types.InvalidType)
			}
		}
		return types.Q(t)
	}
	if q, ok := languageType(&c.env, c.tc, name); ok {
		return q
	}
	d := c.err(diag.UnknownType, s, "unknown type name '%s'", name)
	if best, ok := diag.Nearest(name, c.typeNames()); ok {
		d.Note(diag.Span{}, "did you mean '%s'?", best).Replace(s, best)
	}
	return types.Q(types.InvalidType)
}

// spaceOf returns the address space of the qualifiers.
func spaceOf(q syntax.Quals) types.AddressSpace {
	switch q {
	case syntax.Global:
		return types.Global
	case syntax.Local:
		return types.Local
	case syntax.Constant:
		return types.Constant
	case syntax.Private:
		return types.Private
	}
	return types.Generic
}

// applyQuals adds the written qualifiers and those of a typedef to q.
func (c *declarators) applyQuals(q *types.QType, set *syntax.QualSet, space *diag.Span) {
	for _, at := range set.At {
		switch {
		case at.Qual == syntax.Const:
			q.Const = true
		case at.Qual == syntax.Volatile:
			q.Volatile = true
		case at.Qual == syntax.Restrict:
			if q.Kind != types.Pointer && !q.IsInvalid() {
				c.err(diag.InvalidRestrict, at.Span, "restrict requires a pointer ('%s' is invalid)", *q)
				continue
			}
			q.Restrict = true
		case at.Qual&syntax.Access != 0:
			c.applyAccess(q, at)
		case at.Qual&syntax.AddressSpaces != 0:
			s := spaceOf(at.Qual)
			if s == types.Generic && !c.generic {
				c.err(diag.UnsupportedGeneric, at.Span, "the generic address space requires OpenCL C 2.0, or 3.0 with __opencl_c_generic_address_space")
				continue
			}
			if q.Space != types.NoSpace && q.Space != s {
				c.err(diag.MultipleSpaces, at.Span, "multiple address spaces specified for type").Label(*space, "first one here")
				continue
			}
			if q.Space == s {
				c.rep.Report(diag.DuplicateSpecifier, at.Span, "multiple identical address spaces specified for type")
			}
			q.Space = s
			*space = at.Span
		}
	}
}

// applySpaceAttr adds the address space of an attribute. opencl_global and its siblings are the same as the
// keywords; address_space(N) is none of OpenCL's address spaces.
func (c *declarators) applySpaceAttr(info *specInfo) {
	a := info.attrs
	switch {
	case !a.spaceAt.IsValid():
		return
	case info.q.Space != types.NoSpace && (a.numbered || info.q.Space != a.space) || a.spaces > 1:
		c.err(diag.MultipleSpaces, a.spaceAt, "multiple address spaces specified for type")
	case a.numbered:
		info.numbered = a.spaceAt
		c.rep.Report(diag.IgnoredAttributes, a.spaceAt, "'address_space' attribute ignored: address spaces by number mean nothing on this device")
	case a.space == types.Generic && !c.generic:
		c.err(diag.UnsupportedGeneric, a.spaceAt, "the generic address space requires OpenCL C 2.0, or 3.0 with __opencl_c_generic_address_space")
	default:
		info.q.Space, info.space = a.space, a.spaceAt
	}
}

func (c *declarators) applyAccess(q *types.QType, at syntax.QualAt) {
	if q.IsInvalid() {
		return
	}
	if q.Kind != types.Image {
		c.err(diag.InvalidAccess, at.Span, "access qualifier can only be used for pipe and image type")
		return
	}
	a := map[syntax.Quals]types.Access{syntax.ReadOnly: types.ReadOnly, syntax.WriteOnly: types.WriteOnly, syntax.ReadWrite: types.ReadWrite}[at.Qual]
	if a == types.ReadWrite && !c.hasFeature("__opencl_c_read_write_images") {
		c.err(diag.InvalidAccess, at.Span, "access qualifier '__read_write' cannot be used for '%s' prior to OpenCL C version 2.0 or in version 3.0 and without __opencl_c_read_write_images feature", *q)
		return
	}
	if q.Access != types.NoAccess && q.Access != a {
		c.err(diag.InvalidAccess, at.Span, "multiple access qualifiers")
		return
	}
	q.Type = types.ImageType(q.Image, a)
}

// typeName resolves a type name (C99 6.7.6).
func (c *declarators) typeName(n *syntax.TypeName) types.QType {
	if n == nil {
		return types.Q(types.InvalidType)
	}
	info := c.declSpec(n.Spec, false)
	if n.Decl == nil {
		return info.q
	}
	return c.declaratorType(n.Decl.Type, &info, false)
}

// declaratorType returns the type that a declarator builds from the specifiers.
func (c *declarators) declaratorType(t syntax.TypeExpr, info *specInfo, param bool) types.QType {
	if _, ok := t.(*syntax.DeclSpec); ok {
		return info.q
	}
	if !c.enter(t) {
		c.leave()
		return types.Q(types.InvalidType)
	}
	defer c.leave()
	switch t := t.(type) {
	case *syntax.PointerType:
		return c.pointerType(t, info)
	case *syntax.ArrayType:
		return c.arrayType(t, info, param)
	case *syntax.FuncType:
		ft, _ := c.funcType(t, info, nil)
		return types.Q(ft)
	}
	return info.q
}

func (c *declarators) pointerType(t *syntax.PointerType, info *specInfo) types.QType {
	c.attributes(t.Attrs, onPointer)
	elem := c.declaratorType(t.Elem, info, false)
	switch {
	case t.Block:
		c.err(diag.UnsupportedBlocks, t.Span(), "blocks are not supported")
		return types.Q(types.InvalidType)
	case elem.IsInvalid():
		return elem
	case elem.Kind == types.Func:
		c.err(diag.FunctionPointer, t.Span(), "pointers to functions are not allowed")
		return types.Q(types.InvalidType)
	case elem.Kind == types.Image || elem.Kind == types.Sampler || elem.Kind == types.Placeholder && c.std < opencl.CL20:
		c.err(diag.InvalidPointee, t.Span(), "pointer to type '%s' is invalid in OpenCL", elem)
		return types.Q(types.InvalidType)
	}
	q := types.Q(c.tc.PointerTo(c.pointee(elem)))
	var space diag.Span
	c.applyQuals(&q, &t.Quals, &space)
	return q
}

func (c *declarators) arrayType(t *syntax.ArrayType, info *specInfo, param bool) types.QType {
	elem := c.declaratorType(t.Elem, info, false)
	n := int64(-1)
	if t.Len != nil {
		n = c.arrayLen(t.Len)
	} else if t.Star {
		c.err(diag.VariableLengthArray, t.Span(), "variable length arrays are not supported in OpenCL")
		return types.Q(types.InvalidType)
	}
	switch {
	case elem.IsInvalid() || n == badLen:
		return types.Q(types.InvalidType)
	case elem.Kind == types.Func:
		c.err(diag.InvalidElement, t.Span(), "array of functions is not allowed")
		return types.Q(types.InvalidType)
	case elem.IsVoid() || elem.Size() < 0:
		c.err(diag.IncompleteType, t.Span(), "array has incomplete element type '%s'", elem)
		return types.Q(types.InvalidType)
	case elem.Kind == types.Image || elem.Kind == types.Sampler:
		c.err(diag.InvalidElement, t.Span(), "array of '%s' type is invalid in OpenCL", elem)
		return types.Q(types.InvalidType)
	case elem.Kind == types.Record && elem.Rec.Flexible:
		c.rep.Report(diag.FlexibleExtension, t.Span(), "'%s' may not be used as an array element due to flexible array member", elem)
	}
	// Elements are contiguous.
	if size, align := elem.Size(), info.align; elem.Type == info.q.Type && align > 0 && size%align != 0 {
		c.err(diag.ElementAlignment, t.Span(), "size of array element of type '%s' (%d bytes) isn't a multiple of its alignment (%d bytes)", elem, size, align)
		return types.Q(types.InvalidType)
	}
	if s := elem.Size(); n > 0 && s > 0 && n > (maxObject-1)/s {
		c.err(diag.ObjectTooLarge, t.Len.Span(), "array is too large (%d elements of %d bytes)", n, s)
		return types.Q(types.InvalidType)
	}
	// The array keeps the qualifiers of its elements, which decay restores.
	return types.QType{Type: c.tc.ArrayOf(elem.Unqualified(), n), Quals: elem.Quals}
}

const badLen = -2

// arrayLen evaluates an array length (C99 6.7.5.2); it returns badLen after an error.
func (c *declarators) arrayLen(x syntax.Expr) int64 {
	e := c.value(x)
	t := e.Type()
	if t.IsInvalid() {
		return badLen
	}
	if !t.IsInteger() {
		c.err(diag.ArraySize, x.Span(), "size of array has non-integer type '%s'", t)
		return badLen
	}
	k, why := c.constant(e)
	if k == nil {
		d := c.err(diag.VariableLengthArray, x.Span(), "variable length arrays are not supported in OpenCL")
		if why.text != "" {
			d.Note(why.span, "%s", why.text)
		}
		return badLen
	}
	n := signedValue(k.T.Num(), k.Bits[0])
	if n < 0 {
		if k.T.Num().Signed() {
			c.err(diag.ArraySize, x.Span(), "array has a negative size (%d)", n)
		} else {
			c.err(diag.ObjectTooLarge, x.Span(), "array is too large (%d elements)", uint64(n))
		}
		return badLen
	}
	return n
}

// A paramInfo is a parameter as declared.
type paramInfo struct {
	name  string
	span  diag.Span // of the name, or of the declaration
	q     types.QType
	decl  *syntax.Param
	attrs *attrs
	sized string // see specInfo
}

// funcType resolves a function declarator; params, if wanted, are appended to list.
func (c *declarators) funcType(t *syntax.FuncType, info *specInfo, list *[]paramInfo) (*types.Type, bool) {
	result := c.declaratorType(t.Result, info, false)
	ok := !result.IsInvalid()
	switch result.Kind {
	case types.Array:
		c.err(diag.InvalidResult, t.Span(), "function cannot return array type '%s'", result)
		ok = false
	case types.Func:
		c.err(diag.InvalidResult, t.Span(), "function cannot return function type '%s'", result)
		ok = false
	case types.Half:
		ok = c.halfAllowed(t.Span(), "declaring function return value of type '%s' is not allowed; did you forget * ?") && ok
	case types.Image, types.Sampler:
		c.err(diag.InvalidResult, t.Span(), "declaring function return value of type '%s' is not allowed", result.Unqualified())
		ok = false
	}
	if result.Space != types.NoSpace && ok {
		c.err(diag.InvalidResult, t.Span(), "return type cannot be qualified with address space").Label(t.Span(), "'%s'", result)
		ok = false
	}
	result.Quals = types.Quals{}
	if t.Variadic {
		c.err(diag.VariadicFunction, t.Span(), "invalid prototype, variadic arguments are not allowed in OpenCL")
		ok = false
	}
	var buf [16]types.QType
	params := buf[:0]
	scope := needsNames(t.Params)
	if scope {
		c.push()
	}
	for i, p := range t.Params {
		pi := c.param(p)
		if scope && pi.name != "" && c.here(p.Decl.Sym) == nil {
			v := &Var{Name: pi.name, Kind: ParamVar, Type: pi.q.In(types.Private), Span: pi.span, Used: true}
			c.declare(p.Decl.Sym, &symbol{kind: symVar, name: pi.name, span: pi.span, v: v, used: true})
		}
		if pi.q.IsVoid() && i == 0 && len(t.Params) == 1 && (p.Decl == nil || p.Decl.Name == "") {
			break
		}
		if pi.q.IsVoid() {
			c.err(diag.IncompleteType, p.Span(), "argument may not have 'void' type")
			pi.q = types.Q(types.InvalidType)
		}
		if pi.q.IsInvalid() {
			ok = false
		}
		params = append(params, pi.q.Unqualified())
		if list != nil {
			*list = append(*list, pi)
		}
	}
	if scope {
		c.pop()
	}
	if !ok {
		return types.InvalidType, false
	}
	return c.tc.FuncOf(result, slices.Clone(params), 0), true
}

// needsNames reports whether a parameter's type may refer to an earlier parameter, as in "int n, int a[n]". Only
// then do parameters need a scope.
func needsNames(params []*syntax.Param) bool {
	for _, p := range params {
		if p.Decl == nil {
			continue
		}
		if a, ok := p.Decl.Type.(*syntax.ArrayType); ok && a.Len != nil {
			if _, literal := a.Len.(*syntax.NumberLit); !literal {
				return true
			}
		}
	}
	return false
}

// param resolves one parameter and adjusts its type (C99 6.7.5.3p7).
func (c *declarators) param(p *syntax.Param) paramInfo {
	info := c.declSpec(p.Spec, false)
	pi := paramInfo{span: p.Span(), decl: p, attrs: info.attrs}
	q := info.q
	if p.Decl != nil {
		q = c.declaratorType(p.Decl.Type, &info, true)
		if p.Decl.Name != "" {
			pi.name, pi.span = p.Decl.Name, p.Decl.NameSpan
		}
		pi.attrs = c.withAttributes(pi.attrs, p.Decl.Attrs, onParam)
	}
	if p.Spec.Storage != syntax.NoStorage && p.Spec.Storage != syntax.Register {
		c.err(diag.InvalidStorage, p.Spec.StorageSpan, "invalid storage class specifier in function declarator")
	}
	if p.Spec.Kernel {
		c.err(diag.InvalidKernel, p.Spec.KernelSpan, "'kernel' attribute only applies to functions")
	}
	pi.sized = info.sizedIn(q)
	switch q.Kind {
	case types.Array:
		// By default the array is automatic, so that its elements are private, also from 2.0 on (as in clang;
		// OpenCL C, "Address Space Qualifiers", 6.7).
		elem := types.QType{Type: q.Elem.Type, Quals: q.Quals}
		if elem.Space == types.NoSpace {
			elem.Space = types.Private
		}
		q = types.Q(c.tc.PointerTo(elem))
	case types.Func:
		c.err(diag.FunctionPointer, pi.span, "pointers to functions are not allowed")
		q = types.Q(types.InvalidType)
	case types.Half:
		if !c.halfAllowed(pi.span, "declaring function parameter of type '%s' is not allowed; did you forget * ?") {
			q = types.Q(types.InvalidType)
		}
	case types.Image:
		if q.Access == types.NoAccess {
			q.Type = types.ImageType(q.Image, types.ReadOnly)
		}
	case types.Placeholder:
	}
	if q.Space != types.NoSpace && q.Space != types.Private && !q.IsInvalid() {
		c.err(diag.ParameterSpace, pi.span, "parameter may not be qualified with an address space")
		q.Space = types.Private
	}
	pi.q = q
	return pi
}

// extVector applies ext_vector_type(n) or vector_size(bytes).
func (c *declarators) extVector(t *types.Type, a *attrs) *types.Type {
	if t.IsInvalid() {
		return t
	}
	n := int(a.extVector)
	if a.vectorBytes && t.Size() > 0 {
		n /= int(t.Size())
	}
	v := types.VectorType(t, n)
	if v == nil || n == 1 {
		c.err(diag.InvalidVectorType, a.extVectorAt, "no vector type of %d elements of type '%s'", n, t)
		return types.InvalidType
	}
	return v
}

package check

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// An Info is the result of Inspect, for tools that display the source of a translation unit: the declaration of
// each name, the types of its expressions, the implicit conversions. Positions are those of the tokens, which may
// be in macro expansions.
type Info struct {
	Objects   []*Object // in order of declaration
	Uses      []Use     // uses of names, including their declarations, in order of checking
	Members   []Access
	Values    []Expr // expressions, operands before operators
	Implicit  []Expr // the Convert and Splat nodes that the language's rules inserted
	TypeNames []string
	Env       *builtin.Env

	objects map[any]*Object
}

// An ObjectKind is the kind of a named entity.
type ObjectKind uint8

// The kinds of objects.
const (
	VariableObject ObjectKind = iota
	FunctionObject
	TypedefObject
	EnumConstantObject
	TagObject
	FieldObject
	LabelObject
	BuiltinObject  // a builtin function
	ConstantObject // a predeclared constant
	TypeObject     // a predeclared type name
)

// An Object is the meaning of a name.
type Object struct {
	Kind   ObjectKind
	Name   string
	Span   diag.Span   // of the name in its definition, else in its first declaration; none for a builtin
	Type   types.QType // for a tag or a typedef: the type itself
	Var    *Var        // of a variable
	Func   *Func       // of a function
	Params []string    // names of a function's parameters
	Field  types.Field // of a field
	Owner  *types.Type // of a field
	Value  int64       // of an enumeration constant
	Align  int64       // the alignment that a typedef's attribute requests, or 0
}

// A Use is a position at which the source names an object.
type Use struct {
	Object   *Object
	Span     diag.Span
	Declares bool              // the name is being declared here
	Overload *builtin.Overload // of a builtin function, if known
}

// An Access is X.Name or X->Name, which may be invalid.
type Access struct {
	X        Expr
	Arrow    bool
	NameSpan diag.Span // of the name, or of its expected position if it is missing
}

// Inspect is Check for tools: it fills info, also for a file with errors, and checks the remains of statements and
// declarations with syntax errors. Its diagnostics equal those of Check only if the file has no syntax errors.
func Inspect(file *syntax.File, src *diag.Source, opts *option.Source, rep *diag.Reporter, info *Info) *Program {
	if info.objects == nil {
		info.objects = map[any]*Object{}
	}
	return new(Memory).check(file, src, opts, rep, info)
}

// A fieldKey identifies a field, which is stored by value.
type fieldKey struct {
	record *types.RecordInfo
	name   string
}

// A languageKey identifies a builtin declaration.
type languageKey struct {
	kind ObjectKind
	name string
}

// object returns the object of a key, created when it is first mentioned.
func (i *Info) object(key any, o Object) *Object {
	if known := i.objects[key]; known != nil {
		return known
	}
	p := &o
	i.objects[key] = p
	if o.Span.IsValid() {
		i.Objects = append(i.Objects, p)
	}
	return p
}

// declare records the declaration of a symbol other than a tag or function.
func (i *Info) declare(s *symbol) {
	if i == nil || s.name == "" {
		return
	}
	o := Object{Name: s.name, Span: s.span, Type: s.typ, Value: s.value, Align: s.aligned}
	key := any(s)
	switch s.kind {
	case symVar:
		o.Kind, o.Type, o.Var, key = VariableObject, s.v.Type, s.v, s.v
	case symTypedef:
		o.Kind = TypedefObject
	case symEnumConst:
		o.Kind = EnumConstantObject
	case symBad:
		o.Kind, o.Type = VariableObject, types.Q(types.InvalidType)
	default:
		return
	}
	i.Uses = append(i.Uses, Use{Object: i.object(key, o), Span: s.span, Declares: true})
}

// again records another declaration of a symbol; define is set if it is the definition.
func (i *Info) again(s *symbol, at diag.Span, define bool) {
	if i == nil {
		return
	}
	key := any(s)
	if s.kind == symVar {
		key = s.v
	}
	if o := i.objects[key]; o != nil {
		if define {
			o.Span = at
		}
		i.Uses = append(i.Uses, Use{Object: o, Span: at, Declares: true})
	}
}

// function records a declaration of a function.
func (i *Info) function(f *funcInfo, at diag.Span, define bool) {
	if i == nil {
		return
	}
	o := i.object(f.Func, Object{Kind: FunctionObject, Name: f.Name, Span: at, Type: types.Q(f.Type), Func: f.Func})
	if o.Params == nil || define {
		o.Params = f.paramNames
	}
	if define {
		o.Span = at
	}
	i.Uses = append(i.Uses, Use{Object: o, Span: at, Declares: true})
}

// tag records a mention of a struct, union or enum.
func (i *Info) tag(t *types.Type, name string, at diag.Span, define bool) {
	if i == nil || name == "" || t.IsInvalid() {
		return
	}
	known := i.objects[t] != nil
	o := i.object(t, Object{Kind: TagObject, Name: name, Span: at, Type: types.Q(t)})
	if define {
		o.Span = at
	}
	i.Uses = append(i.Uses, Use{Object: o, Span: at, Declares: define || !known})
}

// field records the declaration of the last field of a record.
func (i *Info) field(t *types.Type, name string, at diag.Span) {
	n := len(t.Rec.Fields)
	if i == nil || name == "" || n == 0 || t.Rec.Fields[n-1].Name != name {
		return
	}
	f := t.Rec.Fields[n-1]
	o := i.object(fieldKey{t.Rec, name}, Object{Kind: FieldObject, Name: name, Span: at, Type: f.Type, Field: f, Owner: t})
	i.Uses = append(i.Uses, Use{Object: o, Span: at, Declares: true})
}

// fieldUse records the use of a field of the record t, or of an anonymous record in it.
func (i *Info) fieldUse(t *types.Type, name string, at diag.Span) {
	if i == nil || t.Kind != types.Record {
		return
	}
	path, ok := findField(t, name)
	if !ok {
		return
	}
	for _, f := range path[:len(path)-1] {
		t = f.Type.Type
	}
	if o := i.objects[fieldKey{t.Rec, name}]; o != nil {
		i.Uses = append(i.Uses, Use{Object: o, Span: at})
	}
}

// member records a member access and the meaning of its name.
func (i *Info) member(x Expr, m *syntax.Member) {
	if i == nil {
		return
	}
	i.Members = append(i.Members, Access{x, m.Arrow, m.NameSpan})
	t := x.Type().Type
	for t.Kind == types.Pointer || t.Kind == types.Atomic || t.Kind == types.Array {
		t = t.Elem.Type
	}
	i.fieldUse(t, m.Name, m.NameSpan)
}

// fieldName returns the position of the name in the designator .Name.
func fieldName(d syntax.Designator) diag.Span {
	return diag.Span{Pos: d.Span.End - diag.Pos(len(d.Name)), End: d.Span.End}
}

// use records that a name refers to the entity that key identifies.
func (i *Info) use(key any, at diag.Span) {
	if i == nil {
		return
	}
	if o := i.objects[key]; o != nil {
		i.Uses = append(i.Uses, Use{Object: o, Span: at})
	}
}

// symbol records that a name refers to a symbol.
func (i *Info) symbol(s *symbol, at diag.Span) {
	if i == nil {
		return
	}
	switch s.kind {
	case symVar:
		i.use(s.v, at)
	case symFunc:
		i.use(s.fns[0].Func, at)
	default:
		i.use(s, at)
	}
}

// language records that a name refers to a builtin.
func (i *Info) language(kind ObjectKind, name string, at diag.Span, o *builtin.Overload, t types.QType, value int64) {
	if i == nil {
		return
	}
	obj := i.object(languageKey{kind, name}, Object{Kind: kind, Name: name, Type: t, Value: value})
	i.Uses = append(i.Uses, Use{Object: obj, Span: at, Overload: o})
}

// label records a mention of a label.
func (i *Info) label(l *Label, at diag.Span, define bool) {
	if i == nil || l.Name == "" {
		return
	}
	o := i.object(l, Object{Kind: LabelObject, Name: l.Name, Span: at})
	if define {
		o.Span = at
	}
	i.Uses = append(i.Uses, Use{Object: o, Span: at, Declares: define})
}

// value records an expression.
func (i *Info) value(e Expr) {
	if i != nil {
		i.Values = append(i.Values, e)
	}
}

// converted records a conversion inserted by the language's rules.
func (i *Info) converted(e Expr) {
	if i != nil {
		i.Implicit = append(i.Implicit, e)
	}
}

// finish records the facts about the whole unit.
func (i *Info) finish(c *scopes) {
	if i != nil {
		i.TypeNames = c.typeNames()
		i.Env = &c.env
	}
}

// Text formats the constant as diagnostics do, with components of a vector separated by commas.
func (k *Const) Text() string {
	t := k.T.Type
	n := t.Lanes()
	if n == 1 {
		if t.IsPointer() {
			return fmt.Sprintf("%#x", k.Bits[0])
		}
		return spellConst(t.Num(), k.Bits[0])
	}
	words := make([]string, n)
	for i := range words {
		words[i] = spellConst(t.Num(), k.lane(i))
	}
	return strings.Join(words, ", ")
}

package check

import (
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// builtinTypes are the built-in types by name.
var builtinTypes = func() map[string]*types.Type {
	m := map[string]*types.Type{"void": types.VoidType, "sampler_t": types.SamplerType, "event_t": types.EventType}
	for k := types.Bool; k <= types.Double; k++ {
		s := types.ScalarType(k)
		m[s.Name] = s
		if k == types.Bool {
			continue
		}
		for _, n := range opencl.VectorLengths {
			v := types.VectorType(s, n)
			m[v.Name] = v
		}
	}
	for k := range opencl.ImageTypes {
		m[opencl.ImageTypes[k].Name] = types.ImageType(types.ImageKind(k), types.NoAccess)
	}
	return m
}()

// languageType returns the type of a predeclared name, unless a declaration hides it.
func languageType(env *builtin.Env, tc *types.Context, name string) (types.QType, bool) {
	if t := builtinTypes[name]; t != nil {
		return types.Q(t), true
	}
	t, ok := builtin.LookupType(env, name)
	if !ok {
		return types.QType{}, false
	}
	switch t.As {
	case "opaque":
		return types.Q(tc.OpaqueOf(name)), true
	case "enum":
		return types.Q(languageEnums[name]), true
	}
	if elem, isAtomic := strings.CutPrefix(t.As, "atomic "); isAtomic {
		return types.Q(tc.AtomicOf(builtinTypes[elem])), true
	}
	return types.Q(builtinTypes[t.As]), true
}

// languageEnums are the predeclared enumerations, by tag. Their type is clang's choice for enumerators that are
// never negative.
var languageEnums = func() map[string]*types.Type {
	m := map[string]*types.Type{}
	for _, t := range opencl.TypeNames {
		if t.As == "enum" {
			m[t.Name] = &types.Type{Kind: types.Enum, Name: t.Name, Under: types.ScalarType(types.UInt)}
		}
	}
	return m
}()

// languageTag returns the symbol of a predeclared tag, or nil.
func languageTag(env *builtin.Env, tag string) *symbol {
	t := languageEnums[tag]
	if t == nil {
		return nil
	}
	if _, ok := builtin.LookupType(env, tag); !ok {
		return nil
	}
	return &symbol{kind: symTag, name: tag, typ: types.Q(t), init: true, level: 1}
}

// A language is the kind of a builtin function's name.
type language uint8

const (
	notKnown    language = iota
	notDeclared          // none
	isConversion
	isBuiltin
	isFolded // see foldedBuiltins
)

// LanguageType returns the type of a builtin type name, nil for another name.
func LanguageType(name string) *types.Type { return builtinTypes[name] }

// language returns the kind of builtin function with this name.
func (c *scopes) language(n *syntax.Name) language {
	id := &c.names[n.Sym]
	if id.lang == notKnown {
		switch {
		case isConversionName(n.Name):
			id.lang = isConversion
		case builtin.Exists(&c.env, n.Name):
			id.lang = isBuiltin
		case foldedBuiltins[n.Name] != nil:
			id.lang = isFolded
		default:
			id.lang = notDeclared
		}
	}
	return id.lang
}

// knownFunction reports whether the function is builtin.
func (c *scopes) knownFunction(n *syntax.Name) bool {
	return c.language(n) != notDeclared || n.Name == "__func__" || c.predeclared(n.Name) != nil
}

// predeclared returns the symbol of a predeclared enumeration constant.
func (c *scopes) predeclared(name string) *symbol {
	k, ok := builtin.LookupConstant(&c.env, name)
	if !ok {
		return nil
	}
	s := &symbol{kind: symEnumConst, name: name, typ: types.Q(types.ScalarType(types.Int)), value: k.Value, level: 1}
	return s
}

// typeNames lists the visible type names, for suggestions.
func (c *scopes) typeNames() []string {
	list := c.visible(func(s *symbol) bool { return s.kind == symTypedef })
	var names []string
	for n := range builtinTypes {
		names = append(names, n)
	}
	slices.Sort(names)
	return append(list, names...)
}

// builtinNames lists the visible builtin functions, for suggestions.
func (c *scopes) builtinNames() []string { return slices.Collect(builtin.Names(&c.env)) }

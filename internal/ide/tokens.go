package ide

import (
	"slices"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
)

// A TokenKind is the kind of a semantic token.
type TokenKind uint8

// The kinds of tokens, by the names of the language server protocol.
const (
	MacroToken TokenKind = iota
	FunctionToken
	VariableToken
	ParameterToken
	PropertyToken
	TypeToken
	StructToken
	EnumToken
	EnumMemberToken
	LabelToken
	CommentToken // a part of a conditional that is not compiled
	NumTokenKinds
)

// TokenKinds are the kinds' names.
var TokenKinds = [NumTokenKinds]string{"macro", "function", "variable", "parameter", "property", "type", "struct", "enum", "enumMember", "label", "comment"}

// TokenFlags are properties of a token.
type TokenFlags uint32

// The flags.
const (
	DeclarationToken TokenFlags = 1 << iota
	ReadOnlyToken
	BuiltinToken // builtin
	GlobalToken  // in that address space, or a pointer to it
	LocalToken
	ConstantToken
	KernelToken
	NumTokenFlags = iota
)

// TokenFlagNames are the flags' names in order of their bits.
var TokenFlagNames = [NumTokenFlags]string{"declaration", "readonly", "defaultLibrary", "global", "local", "constant", "kernel"}

// A Token is a part of a file with a meaning.
type Token struct {
	Range
	Kind  TokenKind
	Flags TokenFlags
}

// Tokens returns the tokens of the names in a part of a file, in order of position. Parts of the file that are not
// compiled are tokens too, which may span lines.
func (s *Snapshot) Tokens(part Range) []Token {
	v := s.inspect()
	var list []Token
	for i := range v.refs.in(part.File) {
		r := &v.refs.in(part.File)[i]
		if r.end <= part.Start || r.start >= part.End {
			continue
		}
		at := Range{part.File, r.start, r.end}
		if r.macro != nil {
			t := Token{Range: at, Kind: MacroToken}
			if !r.macro.Span.IsValid() {
				t.Flags |= BuiltinToken
			}
			list = append(list, t)
		} else if r.object != nil {
			if t, ok := objectToken(r); ok {
				t.Range = at
				list = append(list, t)
			}
		}
	}
	for _, m := range v.info.Members {
		at := rangeOf(v.src, m.NameSpan)
		if at.File == part.File && m.X.Type().Kind == types.Vector && at.Start < at.End && at.End > part.Start && at.Start < part.End {
			list = append(list, Token{Range: at, Kind: PropertyToken})
		}
	}
	for _, sp := range v.record.Skipped {
		at := rangeOf(v.src, sp)
		if at.File == part.File && at.End > part.Start && at.Start < part.End {
			list = append(list, Token{Range: at, Kind: CommentToken})
		}
	}
	slices.SortStableFunc(list, func(a, b Token) int { return a.Start - b.Start })
	out := list[:0]
	for _, t := range list {
		if n := len(out); n == 0 || t.Start >= out[n-1].End {
			out = append(out, t)
		}
	}
	return out
}

// objectToken returns the kind and flags of a reference to an object.
func objectToken(r *reference) (t Token, ok bool) {
	o := r.object
	switch o.Kind {
	case check.VariableObject:
		t.Kind = VariableToken
		if o.Var == nil {
			break
		}
		if o.Var.Kind == check.ParamVar {
			t.Kind = ParameterToken
		}
		q := o.Var.Type
		if q.Const || q.Space == types.Constant {
			t.Flags |= ReadOnlyToken
		}
		space := q.Space
		if q.IsPointer() {
			space = q.Elem.Space
		}
		t.Flags |= map[types.AddressSpace]TokenFlags{types.Global: GlobalToken, types.Local: LocalToken, types.Constant: ConstantToken}[space]
	case check.FunctionObject:
		t.Kind = FunctionToken
		if o.Func.Kernel != nil {
			t.Flags |= KernelToken
		}
	case check.BuiltinObject:
		t.Kind, t.Flags = FunctionToken, BuiltinToken
	case check.TypedefObject:
		t.Kind = TypeToken
	case check.TypeObject:
		t.Kind, t.Flags = TypeToken, BuiltinToken
	case check.TagObject:
		t.Kind = StructToken
		if o.Type.Kind == types.Enum {
			t.Kind = EnumToken
		}
	case check.EnumConstantObject:
		t.Kind, t.Flags = EnumMemberToken, ReadOnlyToken
	case check.ConstantObject:
		t.Kind, t.Flags = EnumMemberToken, ReadOnlyToken|BuiltinToken
	case check.FieldObject:
		t.Kind = PropertyToken
	case check.LabelObject:
		t.Kind = LabelToken
	default:
		return t, false
	}
	if r.declares {
		t.Flags |= DeclarationToken
	}
	return t, true
}

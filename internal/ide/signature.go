package ide

import (
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
)

// A Signature is a way to call a function.
type Signature struct {
	Text   string
	Doc    string   // Markdown
	Params [][2]int // byte range of each parameter in Text
}

// A SignatureHelp lists the functions that a call may refer to.
type SignatureHelp struct {
	List   []Signature // best match first
	Active int         // index of the parameter being written
}

// maxSignatures bounds the overloads in a SignatureHelp.
const maxSignatures = 20

// Signatures returns the functions that the call at an offset of a file may refer to, first those whose parameters
// match the present arguments. It returns nil outside of calls.
func (s *Snapshot) Signatures(file string, off int) *SignatureHelp {
	text := s.FileText(file)
	if text == nil || off < 0 || off > len(text) || regionAt(text, off) == inComment {
		return nil
	}
	c := callAround(text, off)
	if c == nil {
		return nil
	}
	v := s.inspect()
	help := &SignatureHelp{Active: len(c.args) - 1}
	args := v.argumentTypes(file, c)
	for _, list := range v.visible(file, c.start) {
		for _, o := range list {
			if o.Name == c.name && o.Kind == check.FunctionObject {
				text, params := functionParts(o)
				help.List = append(help.List, Signature{Text: text, Params: params})
			}
		}
	}
	if len(help.List) > 0 {
		return help
	}
	for i := len(v.record.Macros) - 1; i >= 0; i-- {
		if m := v.record.Macros[i]; m.Name == c.name && m.Params != nil {
			help.List = []Signature{macroSignature(m.Name, m.Params, m.String())}
			return help
		}
	}
	if v.info.Env == nil {
		return nil
	}
	help.List = builtinSignatures(v.info.Env, c.name, args)
	if help.List == nil {
		return nil
	}
	return help
}

func macroSignature(name string, params []string, definition string) Signature {
	var b strings.Builder
	b.WriteString(name + "(")
	sig := Signature{Doc: code("#define " + definition)}
	for i, p := range params {
		if i > 0 {
			b.WriteString(", ")
		}
		sig.Params = append(sig.Params, [2]int{b.Len(), b.Len() + len(p)})
		b.WriteString(p)
	}
	b.WriteByte(')')
	sig.Text = b.String()
	return sig
}

// argumentTypes returns the types of the present arguments, nil for unknown ones.
func (v *view) argumentTypes(file string, c *call) []*types.Type {
	args := make([]*types.Type, len(c.args))
	if len(args) == 1 && c.args[0][0] == c.args[0][1] {
		return nil
	}
	for _, e := range v.info.Values {
		if e.Type().IsInvalid() {
			continue
		}
		r := rangeOf(v.src, e.Span())
		if r.File != file || r.Start < c.end || r.Start > c.args[len(args)-1][1] {
			continue
		}
		for i, a := range c.args {
			if a[0] == r.Start && a[1] == r.End {
				args[i] = e.Type().Type
			}
		}
	}
	return args
}

// builtinSignatures returns overloads of a builtin function, the best matches first.
func builtinSignatures(env *builtin.Env, name string, args []*types.Type) []Signature {
	type scored struct {
		o     *builtin.Overload
		score int
	}
	var list []scored
	for o := range builtin.Overloads(env, name) {
		score := 0
		if len(args) > len(o.Params) && o.Row.Flags&builtin.Variadic == 0 {
			score -= 100
		}
		for i, a := range args {
			if a == nil || i >= len(o.Params) {
				continue
			}
			p := o.Params[i].Type
			switch {
			case a == p:
				score += 8
			case a.Kind == types.Pointer && p.Kind == types.Pointer && a.Elem.Type == p.Elem.Type:
				score += 6
			case a.Lanes() == p.Lanes() && a.Kind != types.Pointer && p.Kind != types.Pointer && a.Element().IsFloating() == p.Element().IsFloating():
				score += 2
			case a.Lanes() == 1 && p.Lanes() > 1 && a.IsArithmetic():
				score++
			default:
				score -= 4
			}
		}
		score *= 2
		if len(o.Params) > 0 && (o.Params[0].Kind == types.Float || o.Params[0].Kind == types.Int) {
			score++ // the most frequent choice
		}
		list = append(list, scored{o, score})
	}
	slices.SortStableFunc(list, func(a, b scored) int { return b.score - a.score })
	var out []Signature
	for i, x := range list {
		if i == maxSignatures {
			break
		}
		text, params := overloadParts(x.o)
		doc := x.o.Row.Doc
		if a := x.o.Row.Accuracy(); a != "" {
			doc += "\n\nPermitted error in ulp: " + a
		}
		out = append(out, Signature{Text: text, Doc: doc, Params: params})
	}
	return out
}

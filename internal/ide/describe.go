package ide

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
)

// code returns text as a block of OpenCL C in Markdown.
func code(text string) string { return "```opencl\n" + text + "\n```\n" }

// declaration formats the declaration of an object.
func declaration(o *check.Object) string {
	switch o.Kind {
	case check.FunctionObject:
		return functionText(o)
	case check.TypedefObject:
		return "typedef " + o.Type.Declaration(o.Name)
	case check.EnumConstantObject:
		return fmt.Sprintf("%s = %d", o.Name, o.Value)
	case check.TagObject:
		return o.Type.Unqualified().String()
	case check.LabelObject:
		return o.Name + ":"
	case check.BuiltinObject:
		return o.Name
	}
	if o.Type.IsInvalid() {
		return o.Name
	}
	return o.Type.Declaration(o.Name)
}

// functionText formats the declaration of a function with its parameters' names.
func functionText(o *check.Object) string {
	words, _ := functionParts(o)
	return words
}

// functionParts formats a function, and returns the ranges of its parameters in the text.
func functionParts(o *check.Object) (text string, params [][2]int) {
	var b strings.Builder
	if o.Func.Kernel != nil {
		b.WriteString("kernel ")
	}
	fmt.Fprintf(&b, "%s %s(", o.Func.Type.Elem, o.Name)
	for i, p := range o.Func.Type.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		from := b.Len()
		name := ""
		if i < len(o.Params) {
			name = o.Params[i]
		}
		b.WriteString(strings.TrimSpace(p.Declaration(name)))
		params = append(params, [2]int{from, b.Len()})
	}
	if len(params) == 0 {
		b.WriteString("void")
	}
	b.WriteByte(')')
	return b.String(), params
}

// overloadParts formats an overload, and returns the ranges of its parameters in the text.
func overloadParts(o *builtin.Overload) (text string, params [][2]int) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s(", o.Result, o.Row.Name)
	for i, p := range o.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		from := b.Len()
		b.WriteString(p.String())
		params = append(params, [2]int{from, b.Len()})
	}
	if o.Row.Flags&builtin.Variadic != 0 {
		b.WriteString(", ...")
	}
	b.WriteByte(')')
	return b.String(), params
}

// plural formats a number of things.
func plural(n int64, thing string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", thing)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// typeFacts describes a type's size and parts.
func typeFacts(t *types.Type) string {
	if t.IsInvalid() {
		return ""
	}
	size := t.Size()
	var b strings.Builder
	switch t.Kind {
	case types.Image, types.Sampler, types.Event, types.Placeholder:
		return "opaque: programs see neither its size nor its value\n"
	case types.Func, types.Void:
		return ""
	}
	if size < 0 {
		return "incomplete: its size is not known here\n"
	}
	fmt.Fprintf(&b, "size %s, alignment %s\n", plural(size, "byte"), plural(t.Align(), "byte"))
	switch t.Kind {
	case types.Vector:
		b.WriteString("\n" + vectorLayout(t))
	case types.Record:
		b.WriteString("\n" + recordLayout(t))
	case types.Enum:
		fmt.Fprintf(&b, "\nvalues are of type `%s`\n", t.Under)
	}
	return b.String()
}

// vectorLayout describes the offsets of a vector's components.
func vectorLayout(t *types.Type) string {
	n, size := t.Lanes(), t.Elem.Size()
	names := "`.s0` to `.s" + strings.ToUpper(fmt.Sprintf("%x", n-1)) + "`"
	if n <= 4 {
		names = "`." + "xyzw"[:n] + "`, " + names
	} else {
		names = "`.xyzw`, " + names
	}
	s := fmt.Sprintf("%d components of `%s` at offsets 0, %d, …, %d: %s; halves `.lo` `.hi`, `.even` `.odd`\n", n, t.Elem.Type, size, int64(n-1)*size, names)
	if n == 2 {
		s = strings.Replace(s, fmt.Sprintf("0, %d, …, %d", size, size), fmt.Sprintf("0, %d", size), 1)
	}
	if n == 3 {
		s += "\nin memory it takes the place of 4 components; `vload3` and `vstore3` read and write 3 without padding\n"
	}
	return s
}

// maxFields bounds the listed members of a record.
const maxFields = 32

// recordLayout lists the members of a record with their offsets.
func recordLayout(t *types.Type) string {
	var b strings.Builder
	b.WriteString("| offset | size | member |\n|---|---|---|\n")
	end := int64(0)
	for i := range t.Rec.Fields {
		f := &t.Rec.Fields[i]
		if i == maxFields {
			fmt.Fprintf(&b, "| | | and %d more |\n", len(t.Rec.Fields)-i)
			break
		}
		if f.Offset > end && !t.Rec.Union {
			fmt.Fprintf(&b, "| %d | %d | padding |\n", end, f.Offset-end)
		}
		name := f.Type.Declaration(f.Name)
		if f.Bits >= 0 {
			name += fmt.Sprintf(" : %d", f.Bits)
		}
		fmt.Fprintf(&b, "| %d | %d | `%s` |\n", f.Offset, max(f.Type.Size(), 0), name)
		end = f.Offset + max(f.Type.Size(), 0)
	}
	if n := len(t.Rec.Fields); n <= maxFields && end < t.Rec.Size && !t.Rec.Union {
		fmt.Fprintf(&b, "| %d | %d | padding |\n", end, t.Rec.Size-end)
	}
	return b.String()
}

// where describes a variable's storage.
func where(v *check.Var) string {
	space := map[types.AddressSpace]string{types.Global: "global", types.Constant: "constant", types.Local: "local"}[v.Type.Space]
	switch {
	case v.Kind == check.ParamVar:
		return "parameter"
	case v.Kind == check.LocalVar:
		return "local variable: one for each work-group"
	case v.Kind == check.AutoVar:
		return "private variable: one for each work-item"
	case space == "":
		return "program-scope variable"
	}
	return "program-scope variable in " + space + " memory"
}

// builtinText describes the builtin functions of a name.
func builtinText(env *builtin.Env, name string, chosen *builtin.Overload) string {
	rows := builtin.Functions(name)
	if len(rows) == 0 {
		return conversionText(name)
	}
	var b strings.Builder
	if chosen != nil {
		b.WriteString(code(chosen.String()))
		b.WriteByte('\n')
		rows = []*builtin.Row{chosen.Row}
	}
	for i, r := range rows {
		if i > 0 {
			b.WriteString("\n---\n\n")
		}
		b.WriteString(r.Doc + "\n\n")
		b.WriteString(code(strings.Join(r.Sigs, "\n")))
		fact := func(what, value string) {
			if value != "" {
				fmt.Fprintf(&b, "\n%s: %s\n", what, value)
			}
		}
		if a := r.Accuracy(); strings.Contains(a, "/") {
			fact("Permitted error in ulp (float / double / half)", a)
		} else {
			fact("Permitted error in ulp", a)
		}
		fact("Needs", r.Needs())
		if r.Impl == builtin.ImplNone {
			fact("Limit", "it compiles; a kernel that calls it cannot be launched")
		}
		fact("Specification", r.Spec)
	}
	if env != nil {
		n := 0
		for range builtin.Overloads(env, name) {
			n++
		}
		if n > 1 {
			fmt.Fprintf(&b, "\n%d overloads\n", n)
		} else if missing := builtin.Requirement(env, name); missing != "" && !builtin.Exists(env, name) {
			fmt.Fprintf(&b, "\nThis program does not see it: it needs %s.\n", missing)
		}
	}
	return b.String()
}

// conversionText describes convert_T and as_T; it returns "" for any other name.
func conversionText(name string) string {
	if rest, ok := strings.CutPrefix(name, "as_"); ok && check.LanguageType(rest) != nil {
		return code(rest+" "+name+"(gentype)") + "\nThe same bits as a `" + rest + "`; the argument has the same size.\n\nSpecification: Reinterpreting Data As Another Type (6.4.4)\n"
	}
	rest, ok := strings.CutPrefix(name, "convert_")
	if !ok {
		return ""
	}
	to, mods, _ := strings.Cut(rest, "_")
	if check.LanguageType(to) == nil {
		return ""
	}
	s := code(to+" "+name+"(gentype)") + "\nConverts the value, component by component"
	for m := range strings.SplitSeq(mods, "_") {
		switch m {
		case "sat":
			s += "; values out of range become the nearest of the range"
		case "rte":
			s += "; rounds to nearest, ties to even"
		case "rtz":
			s += "; rounds toward zero"
		case "rtp":
			s += "; rounds toward positive infinity"
		case "rtn":
			s += "; rounds toward negative infinity"
		}
	}
	return s + ".\n\nSpecification: Explicit Conversions (6.4.3)\n"
}

// keywordType returns the type of a keyword or builtin type name, or nil.
func keywordType(name string) *types.Type {
	for s := opencl.Scalar(1); s < opencl.NumScalars; s++ {
		if s.String() == name {
			return check.LanguageType(name)
		}
	}
	return nil
}

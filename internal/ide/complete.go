package ide

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// A CompletionKind is the kind of a completion.
type CompletionKind uint8

// The kinds of completions.
const (
	VariableCompletion CompletionKind = iota
	FunctionCompletion
	TypeCompletion
	StructCompletion
	FieldCompletion
	ConstantCompletion
	KeywordCompletion
	MacroCompletion
	FileCompletion
	FolderCompletion
	OptionCompletion
)

// A Completion is a text that can be inserted at a position.
type Completion struct {
	Label   string
	Kind    CompletionKind
	Detail  string // a single line
	Text    string // to insert
	Replace Range  // the part that Text replaces
	Before  *Edit  // an additional edit before it, such as '.' to '->'
	Call    bool   // a function, which arguments follow
	Order   int    // a lower one is more likely
}

// maxNames bounds the names in a completion.
const maxNames = 5000

// Complete returns the completions at an offset of a file.
func (s *Snapshot) Complete(file string, off int) []Completion {
	text := s.FileText(file)
	if text == nil || off < 0 || off > len(text) {
		return nil
	}
	v := s.inspect()
	_, from, _ := word(text[:off], off)
	c := &completer{s: s, v: v, file: file, text: text, off: off, from: from, prefix: string(text[from:off])}
	line := string(text[lineStart(text, off):off])
	where := regionAt(text, off)
	switch {
	case where == inComment:
		c.options(line)
	case strings.HasPrefix(strings.TrimLeft(line, " \t"), "#"):
		c.directive(strings.TrimLeft(line, " \t")[1:])
	case where == inString || c.prefix != "" && c.prefix[0] >= '0' && c.prefix[0] <= '9':
	case c.afterSelector():
		c.members()
	case c.from > 0 && c.text[c.from-1] == '.': // a decimal point
	case c.inAttribute():
		c.attributes()
	default:
		c.names()
	}
	return c.out
}

// regionAt returns the kind of text at an offset.
func regionAt(text []byte, off int) region {
	_, end := regions(text[:off])
	return end
}

// A completer collects completions.
type completer struct {
	s      *Snapshot
	v      *view
	file   string
	text   []byte
	off    int
	from   int // offset of the word being written
	prefix string
	out    []Completion
	seen   map[string]bool
}

// add adds a completion of the word being written, if it matches.
func (c *completer) add(x Completion) {
	if len(c.out) >= maxNames || c.seen[x.Label] {
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[x.Label] = true
	if x.Text == "" {
		x.Text = x.Label
	}
	if !x.Replace.IsValid() {
		x.Replace = Range{c.file, c.from, c.off}
	}
	c.out = append(c.out, x)
}

// afterSelector reports whether the word follows the . or -> of a member access.
func (c *completer) afterSelector() bool {
	i := c.from
	for i > 0 && isBlank(c.text[i-1]) {
		i--
	}
	if i >= 2 && c.text[i-2] == '-' && c.text[i-1] == '>' {
		return true
	}
	if i == 0 || c.text[i-1] != '.' {
		return false
	}
	w, _, _ := word(c.text[:i-1], i-1)
	return (w == "" || w[0] < '0' || w[0] > '9') && (i < 2 || c.text[i-2] != '.')
}

// members adds the members of the record, or the components of the vector, before the selector.
func (c *completer) members() {
	var found *check.Access
	best := -1
	for i := range c.v.info.Members {
		m := &c.v.info.Members[i]
		x, name := rangeOf(c.v.src, m.X.Span()), rangeOf(c.v.src, m.NameSpan)
		if x.File != c.file || name.File != c.file || x.End > c.from || name.Start < c.from && name.End < c.from || x.End < best {
			continue
		}
		between := strings.Trim(string(c.text[x.End:c.from]), " \t\r\n)]")
		if between == "." || between == "->" {
			found, best = m, x.End
		}
	}
	if found == nil {
		return
	}
	t := found.X.Type().Type
	var before *Edit
	if t.Kind == types.Pointer || t.Kind == types.Array {
		t = t.Elem.Type
		if !found.Arrow {
			dot := c.from - 1 - strings.IndexByte(reversed(string(c.text[best:c.from])), '.')
			before = &Edit{Range{c.file, dot, dot + 1}, "->"}
		}
	}
	if t.Kind == types.Atomic {
		t = t.Elem.Type
	}
	switch t.Kind {
	case types.Record:
		c.fields(t, before)
	case types.Vector:
		c.components(t, before)
	}
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// fields adds the members of a record, including those of its anonymous records.
func (c *completer) fields(t *types.Type, before *Edit) {
	for i := range t.Rec.Fields {
		f := &t.Rec.Fields[i]
		if f.Name == "" {
			if f.Type.Kind == types.Record {
				c.fields(f.Type.Type, before)
			}
			continue
		}
		c.add(Completion{Label: f.Name, Kind: FieldCompletion, Detail: fmt.Sprintf("%s, offset %d", f.Type, f.Offset), Before: before, Order: i})
	}
}

// components adds the components of a vector: each component, the halves, and continuations of the present text.
func (c *completer) components(t *types.Type, before *Edit) {
	n := t.Lanes()
	add := func(name string, lanes, order int) {
		if rt := types.VectorType(t.Elem.Type, lanes); rt != nil {
			c.add(Completion{Label: name, Kind: FieldCompletion, Detail: rt.String(), Before: before, Order: order})
		}
	}
	sets := []string{"xyzw"[:min(n, 4)]}
	if c.s.compile.Source.Std.OrDefault() >= opencl.CL30 {
		sets = append(sets, "rgba"[:min(n, 4)])
	}
	if c.prefix != "" && c.prefix[0] != 's' && c.prefix[0] != 'S' {
		for _, set := range sets {
			if strings.Trim(c.prefix, set) == "" {
				for i := range len(set) {
					add(c.prefix+set[i:i+1], len(c.prefix)+1, i)
				}
			}
		}
	}
	for k, set := range sets {
		for i := range len(set) {
			add(set[i:i+1], 1, 10*k+i)
		}
		for l := 2; l <= len(set); l++ {
			add(set[:l], l, 10*k+5+l)
		}
	}
	half := max(n/2, 1)
	if n == 3 {
		half = 2
	}
	for i, name := range []string{"lo", "hi", "even", "odd"} {
		add(name, half, 30+i)
	}
	for i := range n {
		add(fmt.Sprintf("s%X", i), 1, 40+i)
	}
	if len(c.prefix) > 1 && (c.prefix[0] == 's' || c.prefix[0] == 'S') {
		for i := range n {
			add(c.prefix+fmt.Sprintf("%X", i), len(c.prefix), 60+i)
		}
	}
}

// names adds all names that can begin an expression, declaration or statement.
func (c *completer) names() {
	c.objects()
	for _, m := range c.v.record.Macros {
		c.macro(m.Name, "#define "+m.String(), 4)
	}
	opts := &c.s.compile.Source
	reserved := func(name string) bool { return strings.HasPrefix(name, "__") && !strings.HasPrefix(c.prefix, "_") }
	preprocess.Predefined(opts, func(name, definition string) {
		if !reserved(name) {
			c.macro(name, "#define "+definition, 6)
		}
	})
	syntax.Words(opts.Std, func(word string, isType bool) {
		switch {
		case reserved(word):
		case isType:
			c.add(Completion{Label: word, Kind: TypeCompletion, Detail: sizeText(word), Order: 5})
		default:
			c.add(Completion{Label: word, Kind: KeywordCompletion, Order: 5})
		}
	})
	env := c.v.info.Env
	if env == nil {
		return
	}
	for i := range opencl.Constants {
		if k := &opencl.Constants[i]; env.Std >= k.Since {
			c.add(Completion{Label: k.Name, Kind: ConstantCompletion, Detail: fmt.Sprint(k.Value), Order: 6})
		}
	}
	for name := range builtin.Names(env) {
		rows := builtin.Functions(name)
		detail := rows[0].Sigs[0]
		if n := len(rows[0].Sigs); n > 1 || len(rows) > 1 {
			detail += " …"
		}
		c.add(Completion{Label: name, Kind: FunctionCompletion, Detail: detail, Call: true, Order: 5})
	}
	c.conversions()
}

func (c *completer) macro(name, text string, order int) {
	text, _, _ = strings.Cut(text, "\n")
	if len(text) > 120 {
		text = text[:120] + "…"
	}
	c.add(Completion{Label: name, Kind: MacroCompletion, Detail: text, Order: order})
}

// sizeText describes the size of a builtin type, "" for another name.
func sizeText(name string) string {
	if t := check.LanguageType(name); t != nil && t.Size() > 0 && t.Kind <= types.Vector {
		return plural(t.Size(), "byte")
	}
	return ""
}

// conversions adds convert_ and as_ functions if their name has been begun.
func (c *completer) conversions() {
	for _, p := range [...]string{"convert_", "as_"} {
		if len(c.prefix) < 2 || !strings.HasPrefix(p, c.prefix[:min(len(c.prefix), len(p))]) {
			continue
		}
		for s := opencl.Char; s < opencl.NumScalars; s++ {
			for _, n := range append([]int{1}, opencl.VectorLengths[:]...) {
				t := s.String() + opencl.VectorSuffixes[n]
				c.add(Completion{Label: p + t, Kind: FunctionCompletion, Detail: t, Call: true, Order: 6})
				word := p + t
				if p == "convert_" && strings.HasPrefix(c.prefix, word) {
					for _, mods := range [...]string{"_sat", "_rte", "_rtz", "_rtp", "_rtn", "_sat_rte", "_sat_rtz", "_sat_rtp", "_sat_rtn"} {
						if !strings.HasPrefix(mods, "_sat") || !opencl.Scalars[s].Float {
							c.add(Completion{Label: word + mods, Kind: FunctionCompletion, Detail: t, Call: true, Order: 7})
						}
					}
				}
			}
		}
	}
}

// objects adds the visible names that the program declares.
func (c *completer) objects() {
	kinds := map[check.ObjectKind]CompletionKind{check.FunctionObject: FunctionCompletion, check.TypedefObject: TypeCompletion,
		check.EnumConstantObject: ConstantCompletion, check.TagObject: StructCompletion}
	tagsOnly := c.afterTagWord()
	for depth, list := range c.v.visible(c.file, c.off) {
		for _, o := range list {
			if (o.Kind == check.TagObject) != tagsOnly || o.Kind == check.FieldObject || o.Kind == check.LabelObject {
				continue
			}
			c.add(Completion{Label: o.Name, Kind: kinds[o.Kind], Detail: declaration(o), Call: o.Kind == check.FunctionObject, Order: min(depth, 3)})
		}
	}
}

// afterTagWord reports whether the word before the one being written is struct, union or enum.
func (c *completer) afterTagWord() bool {
	i := c.from
	for i > 0 && isBlank(c.text[i-1]) {
		i--
	}
	w, _, _ := word(c.text[:i], i)
	return w == "struct" || w == "union" || w == "enum"
}

// visible returns the visible objects at an offset of a file, by scope, the innermost first.
func (v *view) visible(file string, off int) [][]*check.Object {
	v.nestOnce.Do(func() { v.nested = nest(v) })
	here := v.nested.innermost(file, off)
	open := map[int]bool{} // scopes that contain the offset
	depth := 0
	for i := here; i >= 0; i = v.nested[i].parent {
		open[i] = true
		depth = max(depth, v.nested[i].level)
	}
	out := make([][]*check.Object, depth+1)
	for _, o := range v.info.Objects {
		at := rangeOf(v.src, o.Span)
		if !at.IsValid() || at.File == file && at.Start >= off {
			continue
		}
		level := 0
		if o.Kind != check.FunctionObject {
			if i := v.nested.innermost(at.File, at.Start); i >= 0 {
				if !open[i] {
					continue
				}
				level = v.nested[i].level
			}
		}
		out[depth-level] = append(out[depth-level], o)
	}
	for _, list := range out {
		slices.Reverse(list) // innermost first
	}
	return out
}

// A scope is a part of a file in which names are declared, inside of its parent.
type scope struct {
	Range
	parent int // -1: the program
	level  int // 1: a function
}

// scopes are the scopes of all files, in order of file and position, outer ones before inner ones.
type scopes []scope

// nest returns the scopes with their parents.
func nest(v *view) scopes {
	var list scopes
	for _, s := range v.scopes {
		if r := v.fileRange(s); r.IsValid() {
			list = append(list, scope{Range: r})
		}
	}
	slices.SortStableFunc(list, func(a, b scope) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	around := []int{}
	for i := range list {
		for len(around) > 0 {
			if o := &list[around[len(around)-1]]; o.File == list[i].File && o.End > list[i].Start {
				break
			}
			around = around[:len(around)-1]
		}
		list[i].parent = -1
		if n := len(around); n > 0 {
			list[i].parent = around[n-1]
		}
		list[i].level = len(around) + 1
		around = append(around, i)
	}
	return list
}

// innermost returns the index of the innermost scope that contains an offset of a file, -1 for the program.
func (l scopes) innermost(file string, off int) int {
	i, _ := slices.BinarySearchFunc(l, off, func(s scope, off int) int {
		return cmp.Or(cmp.Compare(s.File, file), cmp.Compare(s.Start, off))
	})
	for i--; i >= 0 && (l[i].File != file || l[i].End <= off); i = l[i].parent {
		if l[i].File != file {
			return -1
		}
	}
	return i
}

// fileRange returns a scope's range in its file.
func (v *view) fileRange(s span) Range {
	if v.main != nil && v.main.Pos(0) <= s.start && s.end <= v.main.Pos(len(v.main.Src)) && s.start < s.end {
		return v.extended(Range{v.main.Name, int(s.start - v.main.Pos(0)), int(s.end - v.main.Pos(0))})
	}
	return rangeOf(v.src, s.span())
}

// extended extends a scope of the main file to the next token if a syntax error cut off its end, so that it
// contains the cursor.
func (v *view) extended(r Range) Range {
	text := v.main.Src
	if c := text[r.End-1]; c == '}' || c == ';' {
		return r
	}
	for r.End < len(text) && isBlank(text[r.End]) {
		r.End++
	}
	if r.End == len(text) {
		r.End++
	}
	return r
}

// inAttribute reports whether the word is an attribute's name.
func (c *completer) inAttribute() bool {
	head := strings.TrimRight(string(c.text[max(0, c.from-200):c.from]), " \t\r\n")
	i := strings.LastIndex(head, "__attribute__")
	if i < 0 {
		return false
	}
	rest := strings.ReplaceAll(head[i+len("__attribute__"):], " ", "")
	return rest == "((" || strings.HasPrefix(rest, "((") && strings.HasSuffix(rest, ",") && strings.Count(rest, "(")-strings.Count(rest, ")") == 2
}

func (c *completer) attributes() {
	for i := range opencl.Attributes {
		if a := &opencl.Attributes[i]; a.Spec {
			c.add(Completion{Label: a.Name, Kind: KeywordCompletion, Detail: "OpenCL C", Order: 0})
		} else {
			c.add(Completion{Label: a.Name, Kind: KeywordCompletion, Detail: "GNU C, clang", Order: 1})
		}
	}
}

// directive adds continuations of a preprocessing directive; line begins after its #.
func (c *completer) directive(line string) {
	name := strings.TrimLeft(line, " \t")
	word := name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz"))]
	rest := strings.TrimLeft(name[len(word):], " \t")
	switch {
	case len(word) == len(name):
		for _, d := range preprocess.Directives() {
			c.add(Completion{Label: d, Kind: KeywordCompletion})
		}
	case word == "include":
		c.headers(rest)
	case word == "ifdef" || word == "ifndef" || word == "undef" || word == "if" || word == "elif":
		for _, m := range c.v.record.Macros {
			c.macro(m.Name, "#define "+m.String(), 0)
		}
		preprocess.Predefined(&c.s.compile.Source, func(name, definition string) { c.macro(name, "#define "+definition, 1) })
	case word == "pragma":
		c.pragma(rest)
	case word == "define":
		c.names()
	}
}

// pragma adds continuations of a pragma.
func (c *completer) pragma(rest string) {
	words := strings.Fields(strings.ReplaceAll(rest, ":", " : "))
	if c.prefix != "" && len(words) > 0 {
		words = words[:len(words)-1]
	}
	var list []string
	switch strings.Join(words, " ") {
	case "":
		list = []string{"OPENCL", "unroll", "once", "pack", "clang", "push_macro", "pop_macro"}
	case "OPENCL":
		list = []string{"EXTENSION", "FP_CONTRACT"}
	case "OPENCL EXTENSION":
		list = append(list, "all")
		for i := range opencl.Extensions {
			if x := &opencl.Extensions[i]; x.Scope == opencl.Language && !x.IsFeature() {
				list = append(list, x.Name)
			}
		}
	case "OPENCL FP_CONTRACT":
		list = []string{"ON", "OFF", "DEFAULT"}
	default:
		if len(words) == 4 && words[1] == "EXTENSION" {
			list = []string{"enable", "disable", "require", "warn"}
		}
	}
	for i, w := range list {
		c.add(Completion{Label: w, Kind: KeywordCompletion, Order: i})
	}
}

// headers adds files for #include; rest begins with a quote or <.
func (c *completer) headers(rest string) {
	if rest == "" || rest[0] != '"' && rest[0] != '<' || c.s.opts.ListDir == nil {
		return
	}
	written := rest[1:]
	dir, name := path.Split(written)
	at := Range{c.file, c.off - len(name), c.off}
	places := slices.Clone(c.s.compile.Source.IncludeDirs)
	if rest[0] == '"' {
		places = append([]string{path.Dir(c.file)}, places...)
	}
	for i, p := range places {
		for _, f := range c.s.opts.ListDir(path.Join(p, dir)) {
			kind := FileCompletion
			if strings.HasSuffix(f, "/") {
				kind = FolderCompletion
			} else if !slices.Contains(sourceSuffixes, path.Ext(f)) {
				continue
			}
			c.add(Completion{Label: f, Kind: kind, Replace: at, Order: i})
		}
	}
}

// sourceSuffixes are the suffixes of files that programs include.
var sourceSuffixes = []string{".cl", ".h", ".clh", ".cuh", ".inc", ".hpp", ".def"}

// options adds build options in a comment that lists them.
func (c *completer) options(line string) {
	i := strings.Index(line, OptionsComment)
	if i < 0 {
		return
	}
	from := c.off
	for from > 0 && !isBlank(c.text[from-1]) && c.off-from < len(line)-i-len(OptionsComment) {
		from--
	}
	for _, o := range option.Names() {
		c.add(Completion{Label: o, Kind: OptionCompletion, Replace: Range{c.file, from, c.off}})
	}
}

// Document returns the Markdown documentation of a completion, "" if there is none.
func (s *Snapshot) Document(label string) string {
	v := s.inspect()
	if t := builtinText(v.info.Env, label, nil); t != "" {
		return t
	}
	if t := check.LanguageType(label); t != nil {
		return typeFacts(t)
	}
	for _, o := range v.info.Objects {
		if o.Name == label {
			return v.describeObject(&reference{object: o})
		}
	}
	for _, m := range v.record.Macros {
		if m.Name == label {
			return code("#define " + m.String())
		}
	}
	return ""
}

package builtin

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// sections are the rows in the order of the specification. A row with braces in its name is a family of functions.
var sections = [][]Row{
	workItemRows, mathRows, integerRows, commonRows, geometricRows, relationalRows, vectorDataRows,
	syncRows, addressSpaceRows, asyncRows, atomicRows, miscRows, printfRows, imageRows, workGroupRows, subGroupRows,
}

// groups caches a *group for each name that was found. An index of all names would cost more than the few scans of
// the table that a program needs.
var groups sync.Map

// lookupGroup returns the overloads of a name in any environment, nil if there are none.
func lookupGroup(name string) *group {
	if name == "" {
		return nil
	}
	if g, ok := groups.Load(name); ok {
		return g.(*group)
	}
	var g *group
	var buf [4]string
	for _, s := range sections {
		for i := range s {
			if c := s[i].Name[0]; c != name[0] && c != '{' {
				continue // excludes most rows cheaply
			}
			alts, ok := matchName(s[i].Name, name, buf[:0])
			if !ok {
				continue
			}
			if g == nil {
				g = &group{name: strings.Clone(name)}
			}
			g.rows = append(g.rows, s[i].member(g.name, alts))
		}
	}
	if g == nil {
		return nil
	}
	first, _ := groups.LoadOrStore(g.name, g)
	return first.(*group)
}

// roundAlts are the alternatives of "{round:}" in a row's name: "_rte=rte" and the like.
var roundAlts = func() string {
	words := make([]string, 0, numeric.NumRounds)
	for r := range numeric.NumRounds {
		words = append(words, r.Suffix()+"="+r.String())
	}
	return strings.Join(words, ",")
}()

// braces finds the first braces "{field:alternatives}" in a row's name. It returns their start and end (-1 if there
// are none), and the field of the row that the alternatives set, or "".
func braces(pattern string) (field string, alts iter.Seq[string], i, j int) {
	if i = strings.IndexByte(pattern, '{'); i < 0 {
		return "", nil, -1, -1
	}
	j = strings.IndexByte(pattern, '}')
	field, list, ok := strings.Cut(pattern[i+1:j], ":")
	if !ok {
		field, list = "", field
	}
	if field == "round" {
		list = roundAlts
	}
	return field, strings.SplitSeq(list, ","), i, j
}

// set sets a field of a row to the value in an alternative of its name.
func (r *Row) set(field, value string) {
	switch field {
	case "":
	case "round":
		r.Round, _ = numeric.ParseRound(value)
	case "rmw":
		i := slices.Index(ssa.RMWNames[:], value)
		if i < 0 {
			panic("builtin: no atomic operation " + value)
		}
		r.RMW = ssa.RMW(i)
	case "combine":
		r.Combine = value
	case "signs":
		r.Signs = value
	default:
		panic("builtin: a row has no field " + field)
	}
}

// matchName matches a name with a row's name, in which "{a,b=type}" means a or b, and appends the matching
// alternatives.
func matchName(pattern, name string, alts []string) ([]string, bool) {
	_, list, i, j := braces(pattern)
	if i < 0 {
		return alts, pattern == name
	}
	if len(name) < i || name[:i] != pattern[:i] {
		return nil, false
	}
	for alt := range list {
		word, _, _ := strings.Cut(alt, "=")
		if rest, ok := strings.CutPrefix(name[i:], word); ok {
			if all, ok := matchName(pattern[j+1:], rest, append(alts, alt)); ok {
				return all, true
			}
		}
	}
	return nil, false
}

// member returns the row of one function of a family. In signatures, Doc and Body, $@ is its name, $0 the
// alternative of the first brace, $1 that of the second; if that alternative is "b=type", $0 is "b" and $=0 is
// "type".
func (r *Row) member(name string, alts []string) *Row {
	if r.Name == name && !strings.Contains(r.Sigs[0], "$") {
		return r
	}
	args := []string{"$@", name}
	c, pattern := *r, r.Name
	for i, alt := range alts {
		word, typ, is := strings.Cut(alt, "=")
		field, _, _, end := braces(pattern)
		pattern = pattern[end+1:]
		if is {
			c.set(field, typ)
		} else {
			c.set(field, word)
		}
		d := string(rune('0' + i))
		args = append(args, "$="+d, typ, "$"+d, word)
	}
	rep := strings.NewReplacer(args...)
	c.Name, c.Body, c.Doc = name, rep.Replace(r.Body), rep.Replace(r.Doc)
	c.Sigs = make([]string, len(r.Sigs))
	for i, s := range r.Sigs {
		c.Sigs[i] = rep.Replace(s)
	}
	return &c
}

// members yields the names of a row's functions.
func (r *Row) members() []string {
	names := []string{r.Name}
	for {
		if strings.IndexByte(names[0], '{') < 0 {
			return names
		}
		var next []string
		for _, n := range names {
			_, list, i, j := braces(n)
			for alt := range list {
				word, _, _ := strings.Cut(alt, "=")
				next = append(next, n[:i]+word+n[j+1:])
			}
		}
		names = next
	}
}

// Names yields the names of the builtin functions that the program sees, sorted, for suggestions and completion.
func Names(env *Env) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range allNames() {
			if Exists(env, n) && !yield(n) {
				return
			}
		}
	}
}

var allNames = sync.OnceValue(func() []string {
	var names []string
	for _, s := range sections {
		for i := range s {
			for _, n := range s[i].members() {
				if s[i].Flags&Internal == 0 {
					names = append(names, n)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
})

// Overloads yields the overloads of a name that the program sees.
func Overloads(env *Env, name string) iter.Seq[*Overload] {
	return func(yield func(*Overload) bool) {
		g := env.lookup(name)
		if g == nil {
			return
		}
		for i, p := range g.overloads() {
			if g.enabled(env, i, p) && !yield(env.overload(p)) {
				return
			}
		}
	}
}

// Rows yields all rows in the order of the specification, with one row for each function of a family.
func Rows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for _, s := range sections {
			for i := range s {
				for _, n := range s[i].members() {
					alts, _ := matchName(s[i].Name, n, nil)
					if !yield(s[i].member(n, alts)) {
						return
					}
				}
			}
		}
	}
}

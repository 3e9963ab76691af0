package ide

import (
	"slices"
	"sort"

	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/syntax"
)

// A reference is a name in a file with its meaning: an object, a macro or a header.
type reference struct {
	start, end int
	object     *check.Object
	macro      *preprocess.Macro
	include    *preprocess.Include
	overload   *builtin.Overload
	declares   bool
	expanded   bool // it is in a macro's body
}

// same reports whether two references have the same meaning.
func (r *reference) same(o *reference) bool {
	return r.object == o.object && r.macro == o.macro && r.include == o.include
}

// A fileIndex holds the references of each file, in order of position.
type fileIndex struct {
	files []*fileRefs
}

type fileRefs struct {
	file *diag.File
	list []reference
}

// in returns the references of a file, nil if there are none.
func (x *fileIndex) in(name string) []reference {
	for _, f := range x.files {
		if f.file.Name == name {
			return f.list
		}
	}
	return nil
}

// newIndex finds the position in the files of each name's spelling.
func newIndex(v *view) fileIndex {
	var x fileIndex
	byName := map[string]*fileRefs{}
	add := func(at diag.Span, name string, r reference) {
		r.expanded = false
		if e, _ := v.src.Expansion(at.Pos); e != nil {
			r.expanded = !e.Arg
		}
		f, off := v.src.File(v.src.Spelling(at.Pos))
		if f == nil || synthetic(f.Name) || name == "" {
			return
		}
		end := off + len(name)
		if r.include == nil && (end > len(f.Src) || string(f.Src[off:end]) != name) {
			return // created by ##, or with escaped newlines
		}
		r.start, r.end = off, min(end, len(f.Src))
		l := byName[f.Name]
		if l == nil {
			l = &fileRefs{file: f}
			byName[f.Name] = l
			x.files = append(x.files, l)
		}
		l.list = append(l.list, r)
	}
	for i := range v.record.Macros {
		m := v.record.Macros[i]
		add(m.Span, m.Name, reference{macro: m, declares: true})
	}
	for _, u := range v.record.Uses {
		add(u.Span, u.Macro.Name, reference{macro: u.Macro})
	}
	for i := range v.record.Includes {
		inc := &v.record.Includes[i]
		at := v.src.FileSpan(inc.Span)
		add(at, string(make([]byte, at.End-at.Pos)), reference{include: inc})
	}
	for _, u := range v.info.Uses {
		add(u.Span, u.Object.Name, reference{object: u.Object, overload: u.Overload, declares: u.Declares})
	}
	for _, f := range x.files {
		f.list = ordered(f.list)
	}
	return x
}

// ordered sorts references and removes duplicates. Outside of macros the last reference at a position wins: it is
// the checker's final choice. A macro's body may refer to several objects.
func ordered(list []reference) []reference {
	slices.SortStableFunc(list, func(a, b reference) int { return a.start - b.start })
	out := list[:0]
	for i := range list {
		r := &list[i]
		repeated := false
		for j := len(out) - 1; j >= 0 && out[j].start == r.start && !repeated; j-- {
			p := &out[j]
			switch {
			case p.same(r):
				repeated = true
				p.declares = p.declares || r.declares
				if r.overload != nil {
					p.overload = r.overload
				}
			case !r.expanded && !p.expanded && p.macro == nil && r.macro == nil:
				repeated = true
				*p = *r
			}
		}
		if !repeated {
			out = append(out, *r)
		}
	}
	return out
}

// at returns the references at an offset of a file. One that ends there comes last.
func (x *fileIndex) at(file string, off int) (list []*reference) {
	refs := x.in(file)
	i := sort.Search(len(refs), func(i int) bool { return refs[i].end >= off })
	for ; i < len(refs) && refs[i].start <= off; i++ {
		list = append(list, &refs[i])
	}
	slices.SortStableFunc(list, func(a, b *reference) int {
		return boolOrder(a.end == off) - boolOrder(b.end == off)
	})
	return list
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// first returns the most specific reference at an offset of a file, nil if there is none.
func (x *fileIndex) first(file string, off int) *reference {
	if list := x.at(file, off); len(list) > 0 {
		return list[0]
	}
	return nil
}

// A span is a part of the main file.
type span struct{ start, end diag.Pos }

// scopesOf returns the token ranges of all blocks, functions, loops and conditionals.
func scopesOf(f *syntax.File) (list []span) {
	add := func(n syntax.Node) { list = append(list, span{n.Span().Pos, n.Span().End}) }
	var stmt func(s syntax.Stmt, depth int)
	stmt = func(s syntax.Stmt, depth int) {
		if s == nil || depth > maxScopes {
			return
		}
		switch s := s.(type) {
		case *syntax.Block:
			if s == nil {
				return
			}
			add(s)
			for _, x := range s.List {
				stmt(x, depth+1)
			}
		case *syntax.If:
			add(s)
			stmt(s.Then, depth+1)
			stmt(s.Else, depth+1)
		case *syntax.For:
			add(s)
			stmt(s.Body, depth+1)
		case *syntax.While:
			stmt(s.Body, depth+1)
		case *syntax.Do:
			stmt(s.Body, depth+1)
		case *syntax.Switch:
			stmt(s.Body, depth+1)
		case *syntax.Case:
			stmt(s.Body, depth+1)
		case *syntax.Label:
			stmt(s.Body, depth+1)
		case *syntax.Attributed:
			stmt(s.Body, depth+1)
		case *syntax.BadStmt:
			stmt(s.Rest, depth+1)
		}
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*syntax.FuncDecl); ok {
			add(fn)
			if fn.Body != nil {
				stmt(fn.Body, 0)
			}
		}
	}
	return list
}

// maxScopes bounds the nesting of statements that scopesOf follows.
const maxScopes = 10000

func (s span) span() diag.Span { return diag.Span{Pos: s.start, End: s.end} }

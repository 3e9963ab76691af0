package ide

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// Definition returns the definition of the name at an offset of a file: a declaration, or a header's beginning. It
// returns nothing for a builtin name.
func (s *Snapshot) Definition(file string, off int) (list []Range) {
	v := s.inspect()
	for _, r := range v.refs.at(file, off) {
		if at := v.definition(r); at.IsValid() && !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	return list
}

// definition returns the definition of a reference's object.
func (v *view) definition(r *reference) Range {
	switch {
	case r.include != nil:
		if r.include.Found != "" {
			return Range{r.include.Found, 0, 0}
		}
	case r.macro != nil:
		return v.spelled(r.macro.Span, r.macro.Name)
	case r.object != nil:
		return v.spelled(r.object.Span, r.object.Name)
	}
	return Range{}
}

// spelled returns the position in a file where a name is spelled.
func (v *view) spelled(at diag.Span, name string) Range {
	f, off := v.src.File(v.src.Spelling(at.Pos))
	if f == nil || synthetic(f.Name) {
		return Range{}
	}
	return Range{f.Name, off, min(off+len(name), len(f.Src))}
}

// TypeDefinition returns the definition of the struct, union, enum or typedef that is the type of the name or
// expression at an offset of a file, without pointers and arrays.
func (s *Snapshot) TypeDefinition(file string, off int) (list []Range) {
	v := s.inspect()
	for _, r := range v.refs.at(file, off) {
		if r.object == nil || r.object.Type.IsInvalid() {
			continue
		}
		t := r.object.Type.Type
		for t.Kind == types.Pointer || t.Kind == types.Array {
			t = t.Elem.Type
		}
		for _, o := range v.info.Objects {
			if (o.Kind == check.TagObject || o.Kind == check.TypedefObject && (t.Kind == types.Record || t.Kind == types.Enum)) && o.Type.Type == t {
				if at := v.spelled(o.Span, o.Name); at.IsValid() {
					return []Range{at}
				}
			}
		}
	}
	return nil
}

// A Reference is a use or declaration of a name.
type Reference struct {
	Range
	Declares bool
}

// References returns the uses and declarations, in the snapshot's files, of the object at an offset of a file.
func (s *Snapshot) References(file string, off int) []Reference {
	v := s.inspect()
	r := v.refs.first(file, off)
	if r == nil {
		return nil
	}
	return v.references(func(x *reference) bool { return x.same(r) })
}

// ReferencesTo returns the uses and declarations of the object defined at a position that Definition returned.
func (s *Snapshot) ReferencesTo(def Range) []Reference {
	v := s.inspect()
	return v.references(func(x *reference) bool { return v.definition(x) == def })
}

func (v *view) references(is func(*reference) bool) (list []Reference) {
	for _, f := range v.refs.files {
		for i := range f.list {
			if r := &f.list[i]; is(r) {
				at := Reference{Range: Range{f.file.Name, r.start, r.end}, Declares: r.declares}
				if n := len(list); n == 0 || list[n-1].Range != at.Range {
					list = append(list, at)
				}
			}
		}
	}
	return list
}

// Nameable returns the range of the name at an offset of a file that Rename can change, or an error with the reason
// why it cannot.
func (s *Snapshot) Nameable(file string, off int) (Range, error) {
	r, err := s.nameable(file, off)
	if err != nil {
		return Range{}, err
	}
	return Range{file, r.start, r.end}, nil
}

func (s *Snapshot) nameable(file string, off int) (*reference, error) {
	v := s.inspect()
	r := v.refs.first(file, off)
	switch {
	case r == nil:
		return nil, errors.New("no name that the program declares stands here")
	case r.include != nil:
		return nil, errors.New("a header cannot be renamed from here")
	case !v.definition(r).IsValid():
		name := ""
		if r.object != nil {
			name = r.object.Name
		} else if r.macro != nil {
			name = r.macro.Name
		}
		return nil, fmt.Errorf("'%s' is not declared in a source file: the language or a build option declares it", name)
	case v.pasted(r):
		return nil, errors.New("a macro makes this name with ## at some places, which cannot be changed")
	}
	return r, nil
}

// pasted reports whether something is also referred to by a name built with ##.
func (v *view) pasted(r *reference) bool {
	if r.object == nil {
		return false
	}
	for _, u := range v.info.Uses {
		if u.Object == r.object {
			at := v.spelled(u.Span, r.object.Name)
			if text := v.textOf(at); text != r.object.Name {
				return true
			}
		}
	}
	return false
}

// textOf returns the text of a range.
func (v *view) textOf(at Range) string {
	for _, f := range v.refs.files {
		if f.file.Name == at.File && at.End <= len(f.file.Src) {
			return string(f.file.Src[at.Start:at.End])
		}
	}
	return ""
}

// Rename returns the edits that rename the object at an offset of a file. It rejects invalid names, and names that
// would change the meaning of a use.
func (s *Snapshot) Rename(file string, off int, name string) ([]Edit, error) {
	r, err := s.nameable(file, off)
	if err != nil {
		return nil, err
	}
	if err := s.canBeName(name); err != nil {
		return nil, err
	}
	v := s.inspect()
	refs := v.references(func(x *reference) bool { return x.same(r) })
	if err := v.collides(r, refs, name); err != nil {
		return nil, err
	}
	edits := make([]Edit, len(refs))
	for i, x := range refs {
		edits[i] = Edit{x.Range, name}
	}
	return edits, nil
}

// canBeName returns an error if a program cannot declare name.
func (s *Snapshot) canBeName(name string) error {
	if w, from, to := word([]byte(name), 0); w == "" || from != 0 || to != len(name) || name[0] >= '0' && name[0] <= '9' {
		return fmt.Errorf("'%s' is no identifier", name)
	}
	var err error
	taken := func(word string) {
		if word == name {
			err = fmt.Errorf("'%s' is a word of the language", name)
		}
	}
	preprocess.Predefined(&s.compile.Source, func(macro, _ string) { taken(macro) })
	syntax.Words(s.compile.Source.Std, func(word string, _ bool) { taken(word) })
	return err
}

// collides returns an error if another declaration of name is visible at one of the references, or would be hidden
// by the renamed object.
func (v *view) collides(r *reference, refs []Reference, name string) error {
	for _, m := range v.record.Macros {
		if m.Name == name {
			return fmt.Errorf("'%s' is a macro", name)
		}
	}
	if r.object == nil {
		for _, o := range v.info.Objects {
			if o.Name == name {
				return fmt.Errorf("'%s' is declared already", name)
			}
		}
		return nil
	}
	o := r.object
	if o.Kind == check.FieldObject {
		for i := range o.Owner.Rec.Fields {
			if o.Owner.Rec.Fields[i].Name == name {
				return fmt.Errorf("'%s' has a member '%s' already", o.Owner, name)
			}
		}
		return nil
	}
	sameSpace := func(k check.ObjectKind) bool {
		return k != check.FieldObject && (k == check.TagObject) == (o.Kind == check.TagObject) && (k == check.LabelObject) == (o.Kind == check.LabelObject)
	}
	var others []*check.Object
	for _, x := range v.info.Objects {
		if x.Name == name && x != o && sameSpace(x.Kind) {
			others = append(others, x)
		}
	}
	for _, x := range others {
		for _, use := range refs {
			for _, list := range v.visible(use.File, use.End) {
				if slices.Contains(list, x) {
					return fmt.Errorf("'%s' is declared already where '%s' is used", name, o.Name)
				}
			}
		}
		for _, use := range v.references(func(y *reference) bool { return y.object == x }) {
			for _, list := range v.visible(use.File, use.Start) {
				if slices.Contains(list, o) {
					return fmt.Errorf("'%s' is declared already where '%s' is in sight", name, o.Name)
				}
			}
		}
	}
	return nil
}

package asm

import "encoding/binary"

// A Fragment is code that can be appended at other places. It may refer to labels outside of it, which have numbers that
// do not depend on the place.
type Fragment struct {
	code    []byte
	outside []fixup // label is the number
}

// A Mark is a place in an assembler's code.
type Mark struct{ code, labels, fixups int }

// Mark returns the current place.
func (a *Assembler) Mark() Mark { return Mark{len(a.Code), len(a.labels), len(a.fixups)} }

// Cut returns a copy of the code since a mark. That code has bound all labels made since then that it refers to; number returns
// the numbers of other ones. It has no alignment.
func (a *Assembler) Cut(from Mark, number func(Label) Label) *Fragment {
	f := &Fragment{code: append([]byte(nil), a.Code[from.code:]...)}
	base := int32(from.code)
	for _, x := range a.fixups[from.fixups:] {
		if int(x.label) > from.labels {
			binary.LittleEndian.PutUint32(f.code[x.at-base:], uint32(a.labels[x.label-1]-x.end))
		} else {
			f.outside = append(f.outside, fixup{x.at - base, x.end - base, number(x.label)})
		}
	}
	return f
}

// Paste appends a fragment; label returns the label of a number.
func (a *Assembler) Paste(f *Fragment, label func(Label) Label) {
	base := int32(len(a.Code))
	a.Bytes(f.code)
	for _, x := range f.outside {
		a.fixups = append(a.fixups, fixup{base + x.at, base + x.end, label(x.label)})
	}
}

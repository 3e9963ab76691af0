package ssa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A Layout describes the members of a type in memory.
type Layout struct {
	Kind   numeric.Kind // for a scalar or vector, else Invalid
	Lanes  int          // for a vector, else 1
	Size   int64        // in bytes
	Fields []LayoutField
	Elem   *Layout // for an array
	Len    int64   // for an array
}

// A LayoutField is a member of a struct.
type LayoutField struct {
	Name   string
	Offset int64
	Layout *Layout
}

// ParseLayout reads [KernelArg.Layout]:
//
//	type  = base { "[" length "]" } .        arrays of arrays: the outermost length last
//	base  = kind [ "x" lanes ]               a number or vector, such as f32x4
//	      | "{" [ field { " " field } ] "}" size
//	      | "?" size .                       bytes of which nothing is known
//	field = [ name ] "@" offset ":" type .
func ParseLayout(s string) (*Layout, error) {
	p := layoutParser{s: s}
	l := p.typ(0)
	if p.err == nil && p.s != "" {
		p.fail()
	}
	return l, p.err
}

type layoutParser struct {
	s   string
	err error
}

func (p *layoutParser) fail() *Layout {
	if p.err == nil {
		p.err = fmt.Errorf("invalid layout at %q", p.s)
	}
	p.s = ""
	return &Layout{}
}

func (p *layoutParser) got(c string) bool {
	rest, ok := strings.CutPrefix(p.s, c)
	if ok {
		p.s = rest
	}
	return ok
}

func (p *layoutParser) number() int64 {
	n := 0
	for n < len(p.s) && p.s[n] >= '0' && p.s[n] <= '9' {
		n++
	}
	v, err := strconv.ParseInt(p.s[:n], 10, 62)
	if err != nil {
		p.fail()
		return 0
	}
	p.s = p.s[n:]
	return v
}

// maxLayoutDepth bounds the nesting of types.
const maxLayoutDepth = 64

func (p *layoutParser) typ(depth int) *Layout {
	if depth > maxLayoutDepth {
		return p.fail()
	}
	l := p.base(depth)
	for p.got("[") {
		n := p.number()
		if !p.got("]") {
			return p.fail()
		}
		l = &Layout{Elem: l, Len: n, Lanes: 1, Size: n * l.Size}
	}
	return l
}

func (p *layoutParser) base(depth int) *Layout {
	switch {
	case p.got("?"):
		return &Layout{Lanes: 1, Size: p.number()}
	case p.got("{"):
		l := &Layout{Lanes: 1}
		for p.err == nil && !p.got("}") {
			if len(l.Fields) > 0 && !p.got(" ") {
				return p.fail()
			}
			name, rest, ok := strings.Cut(p.s, "@")
			if !ok {
				return p.fail()
			}
			p.s = rest
			f := LayoutField{Name: name, Offset: p.number()}
			if !p.got(":") {
				return p.fail()
			}
			f.Layout = p.typ(depth + 1)
			l.Fields = append(l.Fields, f)
		}
		l.Size = p.number()
		if l.Fields == nil {
			l.Fields = []LayoutField{}
		}
		return l
	}
	n := 0
	for n < len(p.s) && p.s[n] != 'x' && (p.s[n] >= 'a' && p.s[n] <= 'z' || p.s[n] >= '0' && p.s[n] <= '9') {
		n++
	}
	k := slices.IndexFunc(layoutKinds, func(k numeric.Kind) bool { return k.String() == p.s[:n] })
	if k < 0 {
		return p.fail()
	}
	l := &Layout{Kind: layoutKinds[k], Lanes: 1, Size: int64(layoutKinds[k].Size())}
	p.s = p.s[n:]
	if p.got("x") {
		l.Lanes = int(p.number())
		if l.Size *= int64(l.Lanes); l.Lanes == 3 {
			l.Size = 4 * l.Size / 3
		}
	}
	return l
}

var layoutKinds = []numeric.Kind{numeric.Bool, numeric.I8, numeric.U8, numeric.I16, numeric.U16, numeric.I32, numeric.U32, numeric.I64, numeric.U64, numeric.F16, numeric.F32, numeric.F64}

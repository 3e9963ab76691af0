package ssa

import (
	"slices"
	"strconv"

	"github.com/purecl/purecl/internal/front/diag"
)

// A DebugInfo is a debugger's information about a function. Its places are lines and columns of the source, so
// that the text form keeps them.
type DebugInfo struct {
	Name string // the function's name in the source
	File string // the file of Range and of all other ranges
	Range
	Vars       []DebugVar
	Statements []Range // statements and conditions, at which a debugger can stop; they may nest
	Inlined    []InlinedCall
}

// A Range is a part of a file: from its first character to before To.
type Range struct{ From, To LineColumn }

// A LineColumn is a place in a file. Both count from 1.
type LineColumn struct{ Line, Column int }

// A DebugVar is a variable of the source.
type DebugVar struct {
	Name    string
	Type    string  // as diagnostics spell it
	Value   *Value  // an automatic variable's OpAlloca; nil if the optimiser removed it
	Global  *Global // a variable in local, constant or global memory
	Scope   Range   // the range where the name refers to it; inner scopes hide outer ones
	Inlined int     // 1 + the index of the variable's inlined call, 0 for the function's own
	Data    any     // for the generator's caller, not in the text form
}

// An InlinedCall is a call whose callee's body was inlined into the function.
type InlinedCall struct {
	Name string // of the callee
	File string // the file of the ranges of the callee's variables
	Range
	At     LineColumn // place of the call, in the caller's file
	Within int        // 1 + the index of the inlined call that contains this one, or 0
}

// Before reports whether a place comes before another.
func (a LineColumn) Before(b LineColumn) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
}

// Contains reports whether a place is in the range.
func (r Range) Contains(at LineColumn) bool { return !at.Before(r.From) && at.Before(r.To) }

// Within reports whether the range is inside another.
func (r Range) Within(s Range) bool { return !r.From.Before(s.From) && !s.To.Before(r.To) }

// inline adds the debug information of g, whose body was inlined into f at a call; value maps g's values to
// f's.
func (f *Func) inline(g *Func, pos diag.Pos, value func(*Value) *Value) {
	d, e := f.Debug, g.Debug
	if d == nil || e == nil {
		return
	}
	var at LineColumn
	if f.Module != nil && f.Module.Source != nil && pos.IsValid() {
		loc := f.Module.Source.Location(pos)
		at = LineColumn{loc.Line, loc.Column}
	}
	n := len(d.Inlined) + 1
	d.Inlined = append(d.Inlined, InlinedCall{Name: e.Name, File: e.File, Range: e.Range, At: at})
	for _, c := range e.Inlined {
		c.Within += n
		d.Inlined = append(d.Inlined, c)
	}
	for _, v := range e.Vars {
		if v.Value != nil {
			v.Value = value(v.Value)
		}
		v.Inlined += n
		d.Vars = append(d.Vars, v)
	}
}

// copied returns a copy of d for a copy of its function.
func (d *DebugInfo) copied(value func(*Value) *Value) *DebugInfo {
	c := *d
	c.Vars = slices.Clone(d.Vars)
	for i := range c.Vars {
		if v := &c.Vars[i]; v.Value != nil {
			v.Value = value(v.Value)
		}
	}
	return &c
}

func (p *printer) place(key string, at LineColumn) {
	p.key(key, int64(at.Line))
	p.str(":")
	p.int(int64(at.Column))
}

func (p *printer) between(r Range) {
	p.place("from", r.From)
	p.place("to", r.To)
}

// debug prints the debug information: a line for the function and for each variable, statement and inlined
// call.
func (p *printer) debug(f *Func) {
	d := f.Debug
	if d == nil {
		return
	}
	p.str("  source " + strconv.QuoteToASCII(d.Name))
	p.quoted("file", d.File)
	p.between(d.Range)
	p.str("\n")
	for i := range d.Inlined {
		c := &d.Inlined[i]
		p.str("  inlined " + strconv.QuoteToASCII(c.Name))
		p.quoted("file", c.File)
		p.between(c.Range)
		p.place("at", c.At)
		if c.Within != 0 {
			p.key("within", int64(c.Within))
		}
		p.str("\n")
	}
	for i := range d.Vars {
		v := &d.Vars[i]
		p.str("  variable " + strconv.QuoteToASCII(v.Name))
		p.quoted("type", v.Type)
		p.between(v.Scope)
		switch {
		case v.Global != nil:
			p.str(" in=")
			p.name(v.Global.Name)
		case v.Value != nil && slices.ContainsFunc(f.Blocks, func(b *Block) bool { return slices.Contains(b.Values, v.Value) }):
			p.str(" in=")
			p.ref(v.Value)
		}
		if v.Inlined != 0 {
			p.key("inlined", int64(v.Inlined))
		}
		p.str("\n")
	}
	for _, s := range d.Statements {
		p.str("  statement")
		p.between(s)
		p.str("\n")
	}
}

func (p *parser) lineColumn() (at LineColumn) {
	const most = 1 << 31
	at.Line = int(p.small(most))
	p.want(":")
	at.Column = int(p.small(most))
	return at
}

// debug parses the output of the printer's debug.
func (p *parser) debug() {
	if !p.got("source") {
		return
	}
	d := &DebugInfo{Name: p.str()}
	p.f.Debug = d
	p.properties(func(t token) bool { return p.rangeProperty(t, &d.File, &d.Range) })
	for {
		switch {
		case p.got("inlined"):
			c := InlinedCall{Name: p.str()}
			p.properties(func(t token) bool {
				switch t.text {
				case "at":
					c.At = p.lineColumn()
				case "within":
					c.Within = int(p.small(int64(len(d.Inlined))))
				default:
					return p.rangeProperty(t, &c.File, &c.Range)
				}
				return true
			})
			d.Inlined = append(d.Inlined, c)
		case p.got("variable"):
			d.Vars = append(d.Vars, DebugVar{Name: p.str()})
			p.debugVar(d, len(d.Vars)-1)
		case p.got("statement"):
			var r Range
			p.properties(func(t token) bool { return p.rangeProperty(t, nil, &r) })
			d.Statements = append(d.Statements, r)
		default:
			return
		}
	}
}

// properties parses the rest of a line: names, each followed by "=" and a value that take parses. take fails
// for an unknown name.
func (p *parser) properties(take func(t token) bool) {
	for !p.nl {
		t := p.take()
		p.want("=")
		if !take(t) {
			p.fail(t.off, "unknown property %q", t.text)
		}
	}
}

func (p *parser) rangeProperty(t token, file *string, r *Range) bool {
	switch {
	case t.text == "from":
		r.From = p.lineColumn()
	case t.text == "to":
		r.To = p.lineColumn()
	case t.text == "file" && file != nil:
		*file = p.str()
	default:
		return false
	}
	return true
}

// debugVar parses the properties of variable i.
func (p *parser) debugVar(d *DebugInfo, i int) {
	v := &d.Vars[i]
	p.properties(func(t token) bool {
		switch t.text {
		case "type":
			v.Type = p.str()
		case "inlined":
			v.Inlined = int(p.small(int64(len(d.Inlined))))
		case "in":
			p.debugPlace(d, i)
		default:
			return p.rangeProperty(t, nil, &v.Scope)
		}
		return true
	})
}

func (p *parser) debugPlace(d *DebugInfo, i int) {
	off := p.tok.off
	if p.tok.text != "@" {
		id := p.number(p.take(), 'v')
		p.places = append(p.places, func() {
			if int(id) >= len(p.values) || p.values[id] == nil || p.values[id].Op != OpAlloca {
				p.fail(off, "v%d is not an alloca", id)
			}
			d.Vars[i].Value = p.values[id]
		})
		return
	}
	name := p.symbol()
	p.later = append(p.later, func() {
		if d.Vars[i].Global = p.globals[name]; d.Vars[i].Global == nil {
			p.fail(off, "no global @%s", name)
		}
	})
}

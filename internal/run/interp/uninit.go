package interp

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// The observer of uninitialised values. Private and local memory have a shadow byte for each byte: 1 once it is
// written. A load from there, an undefined lane of a shuffle, and OpUndef give values that may be undefined. A
// register that may hold one has a taint column, which is 1 where the lane's value is undefined. Rearranging ops,
// selects, phis and stores to private and local memory propagate taints; any other use of a tainted lane is
// reported.

// findPoison finds the values that may hold undefined elements.
func (an *analysis) findPoison() {
	an.poison = make([]bool, an.f.NumValues())
	for changed := true; changed; {
		changed = false
		for _, b := range an.flow.Order {
			for _, v := range b.Values {
				if !an.poison[v.ID] && an.isPoison(v) {
					an.poison[v.ID] = true
					changed = true
				}
			}
		}
	}
}

func (an *analysis) isPoison(v *ssa.Value) bool {
	any := func(args []*ssa.Value) bool {
		for _, a := range args {
			if an.poison[a.ID] {
				return true
			}
		}
		return false
	}
	switch v.Op {
	case ssa.OpUndef:
		return true
	case ssa.OpLoad:
		k := v.Args[0].Type.K
		return k == ssa.PtrPrivate || k == ssa.PtrLocal || k == ssa.PtrGeneric
	case ssa.OpShuffle:
		return bytes.IndexByte(v.Lanes, ssa.ShuffleUndef) >= 0 || any(v.Args)
	case ssa.OpSelect:
		return any(v.Args[1:])
	case ssa.OpExtractDyn:
		return any(v.Args[:1])
	case ssa.OpInsertDyn:
		return an.poison[v.Args[0].ID] || an.poison[v.Args[2].ID]
	case ssa.OpPtrCast:
		return rearrangesPointer(v) && any(v.Args)
	case ssa.OpPhi, ssa.OpCopy, ssa.OpBitcast, ssa.OpSplat, ssa.OpVec, ssa.OpExtract, ssa.OpInsert:
		return any(v.Args)
	}
	return false
}

// rearrangesPointer reports whether a PtrCast keeps the bits.
func rearrangesPointer(v *ssa.Value) bool {
	return v.Type.K == ssa.PtrGeneric || v.Type.K == v.Args[0].Type.K
}

func (an *analysis) mayPoison(v *ssa.Value) bool { return an.poison != nil && an.poison[v.ID] }

// taint returns the taint register of element i of v, or noReg.
func (d *draft) taint(v *ssa.Value, i int) reg {
	if ts := d.taints[v.ID]; ts != nil {
		return ts[i]
	}
	return noReg
}

// use adds guards for a use of all elements of a by v.
func (e *emitter) use(v, a *ssa.Value, uniform bool) {
	if e.taints[a.ID] == nil {
		return
	}
	for i := range int(a.Type.N) {
		e.useElem(v, a, i, uniform)
	}
}

// useElem adds a guard for a use of element i of a by v.
func (e *emitter) useElem(v, a *ssa.Value, i int, uniform bool) {
	t := e.taint(a, i)
	for _, g := range e.guards {
		if t != noReg && g.taint == t {
			return // the operand has its guard already
		}
	}
	if t != noReg {
		g := e.guard(v, kTaintGuard, uniform, t)
		g.taint, g.ext = t, e.origin(a, i)
	}
}

// An origin is the source of an undefined value.
type origin struct {
	what     string // such as "variable 'x'"; "" if there are several
	pos      diag.Pos
	declared bool // pos is a declaration, not a load
}

// origin returns the only possible origin of an undefined element i of a, or nil.
func (an *analysis) origin(a *ssa.Value, i int) *origin {
	var found []*origin
	seen := map[*ssa.Value]bool{}
	var visit func(v *ssa.Value)
	visit = func(v *ssa.Value) {
		if seen[v] || !an.mayPoison(v) || len(found) > 1 {
			return
		}
		seen[v] = true
		switch o := an.source(v); {
		case o == nil:
			for _, x := range v.Args {
				visit(x)
			}
		case len(found) == 0 || *found[0] != *o && (o.what == "" || found[0].what != o.what):
			found = append(found, o)
		}
	}
	if a.Op == ssa.OpVec {
		a = a.Args[i]
	}
	visit(a)
	if len(found) != 1 {
		return &origin{}
	}
	return found[0]
}

// source returns the origin if v itself is one, nil if v propagates others.
func (an *analysis) source(v *ssa.Value) *origin {
	switch v.Op {
	case ssa.OpUndef:
		if a, ok := v.Sym.(*ssa.Alloca); ok {
			return &origin{"variable '" + a.Name + "'", v.Pos, true}
		}
		return &origin{pos: v.Pos}
	case ssa.OpLoad:
		return &origin{an.variable(v.Args[0]), v.Pos, false}
	case ssa.OpShuffle:
		if !slices.ContainsFunc(v.Args, an.mayPoison) {
			return &origin{"undefined component of a vector", v.Pos, false}
		}
	}
	return nil
}

// variable describes a pointer's object, "" if unknown.
func (an *analysis) variable(p *ssa.Value) string {
	for {
		switch p.Op {
		case ssa.OpPtrAdd, ssa.OpPtrCast, ssa.OpCopy:
			p = p.Args[0]
			continue
		case ssa.OpAlloca:
			return "variable '" + p.Sym.(*ssa.Alloca).Name + "'"
		case ssa.OpGlobalAddr:
			name := p.Sym.(*ssa.Global).Name
			return "local memory of '" + name[strings.LastIndexByte(name, '.')+1:] + "'"
		case ssa.OpParam:
			if an.isKernel {
				return fmt.Sprintf("local memory of '%s' (argument %d)", an.f.Kernel.Args[p.Aux].Name, p.Aux)
			}
		}
		return ""
	}
}

// kTaintGuard reports lanes whose operand is undefined.
func kTaintGuard(v *view, in *inst) {
	for _, s := range v.act {
		t := at[uint8](v, in.a, s)
		for i := 0; ; i++ {
			k := bytes.IndexByte(t[i:], 1)
			if k < 0 {
				break
			}
			i += k
			v.x.uninitialized(in, v.lane(s, i))
		}
	}
}

// uninitialized reports the use of an undefined value, but only the first use for each variable.
func (x *reporter) uninitialized(in *inst, lane int) {
	from, _ := in.ext.(*origin)
	if from == nil || from.what == "" {
		x.report(exec.Uninitialized, in, lane, nil, 0, 0)
		return
	}
	key := findingKey{kind: exec.Uninitialized, name: from.what}
	if from.declared {
		key.pos = from.pos
	}
	f := x.record(key, in, x.times(in), lane, nil, 0, 0)
	if f == nil {
		return
	}
	f.Note = from.what
	text := "the value is loaded here"
	if from.declared {
		text = "the variable is declared here"
	}
	if from.pos != in.pos {
		f.AddPlace(from.pos, text)
	}
}

// initialized reports whether all n bytes at off are initialised.
func (x *objects) initialized(o *object, lane int, off, n uint64) bool {
	sh := x.initShadow(o, lane)
	return sh == nil || bytes.IndexByte(sh[off:off+n], 0) < 0
}

// initShadow returns the shadow bytes of o for the lane, nil if it has none.
func (x *objects) initShadow(o *object, lane int) []byte {
	if !o.shadowed {
		return nil
	}
	if o.private {
		k := uint64(lane)*x.privStride + o.off
		return x.privInit[k : k+o.size]
	}
	return x.localInit[o.off : o.off+o.size]
}

// markInit marks n bytes at off as defined or undefined.
func (x *objects) markInit(o *object, lane int, off, n uint64, defined bool) {
	sh := x.initShadow(o, lane)
	if sh == nil {
		return
	}
	b := byte(0)
	if defined {
		b = 1
	}
	sh = sh[off : off+n]
	for i := range sh {
		sh[i] = b
	}
}

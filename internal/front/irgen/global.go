package irgen

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// global returns the variable in program scope or local memory.
func (u *unit) global(v *check.Var) *ssa.Global {
	if v.Data != nil {
		return v.Data.(*ssa.Global)
	}
	name, shared := v.Name, v.Name != "" && !v.Static && (v.Func == nil || v.Extern)
	if !shared && v.Func != nil {
		name = v.Func.Name + "." + name
	}
	if d := u.linked[name]; shared && d != nil {
		if !v.Extern {
			d.Extern, d.Size, d.Align, d.Type, d.Pos = false, max(v.Type.Size(), 0), max(v.Align, 1), u.spelling(v.Type.Type), v.Span.Pos
		}
		v.Data = d
		return d
	}
	kind := spaceKinds[space(v.Type)]
	if v.Kind == check.LocalVar {
		kind = ssa.PtrLocal
	}
	if kind == ssa.PtrPrivate || kind == ssa.PtrGeneric {
		kind = ssa.PtrConstant // an unnamed constant, such as a compound literal of program scope
	}
	d := u.newGlobal(name, kind, max(v.Type.Size(), 0), v.Align, u.spelling(v.Type.Type), v.Span.Pos)
	d.Extern = v.Extern
	v.Data = d
	if shared {
		u.linked[name] = d
	}
	return d
}

func (u *unit) newGlobal(name string, kind ssa.Kind, size, align int64, typ string, pos diag.Pos) *ssa.Global {
	n := u.names[name]
	u.names[name] = n + 1
	if n > 0 || name == "" {
		name += "." + strconv.Itoa(n)
	}
	d := &ssa.Global{Name: name, Kind: kind, Size: size, Align: max(align, 1), Type: typ, Pos: pos}
	u.m.Globals = append(u.m.Globals, d)
	return d
}

// str returns the constant with a string literal's bytes; equal literals share it.
func (u *unit) str(x *check.StringConst) *ssa.Global {
	if d := u.strings[string(x.Data)]; d != nil {
		return d
	}
	d := u.newGlobal(".str", ssa.PtrConstant, int64(len(x.Data)), 1, "char["+strconv.Itoa(len(x.Data))+"]", x.S.Pos)
	d.Init = x.Data
	u.strings[string(x.Data)] = d
	return d
}

// initGlobal sets the variable's initial bytes.
func (u *unit) initGlobal(v *check.Var) {
	if v.Init == nil || v.Kind == check.LocalVar {
		return
	}
	d := u.global(v)
	if d.Init != nil {
		return
	}
	d.Init = []byte{}
	u.constInit(d, 0, v.Type.Type, v.Init)
	n := len(d.Init)
	least := 0
	if r := len(d.Relocs); r > 0 {
		least = int(d.Relocs[r-1].Off) + 8
	}
	for n > least && d.Init[n-1] == 0 {
		n--
	}
	d.Init = d.Init[:n]
}

// constInit writes the constant e, of type t, at offset off of d. A byte beyond Size is
// the initializer of a flexible array member: the variable grows.
func (u *unit) constInit(d *ssa.Global, off int64, t *types.Type, e check.Expr) {
	switch x := e.(type) {
	case *check.InitList:
		for i := range x.Items {
			it := &x.Items[i]
			if it.Field != nil {
				u.constBits(d, off+it.Offset, it.Field, it.Value)
				continue
			}
			u.constInit(d, off+it.Offset, it.Value.Type().Type, it.Value)
		}
		return
	case *check.Load:
		if c, ok := x.X.(*check.CompoundLit); ok {
			u.constInit(d, off, t, c.Var.Init)
			return
		}
		if s, ok := x.X.(*check.StringConst); ok {
			u.constInit(d, off, t, s)
			return
		}
	case *check.CompoundLit:
		u.constInit(d, off, t, x.Var.Init)
		return
	case *check.StringConst:
		n := int64(len(x.Data))
		if t.Kind == types.Array && t.Len >= 0 {
			n = min(n, t.Size())
		}
		copy(reserve(d, off, n), x.Data[:n])
		return
	}
	if t.Kind == types.Pointer {
		target, n := u.constAddr(e)
		if target != nil {
			d.Relocs = append(d.Relocs, ssa.Reloc{Off: off, Target: target, Addend: n})
			reserve(d, off, 8)
			return
		}
		binary.LittleEndian.PutUint64(reserve(d, off, 8), uint64(n))
		return
	}
	var buf [16]uint64
	bits := constBits(e, buf[:0])
	size := int64(ssaType(t).K.Num().Size())
	lanes := t.Lanes()
	out := reserve(d, off, size*int64(lanes))
	for i := 0; i < lanes; i++ {
		w := bits[0]
		if len(bits) > 1 {
			w = bits[i]
		}
		putBits(out[int64(i)*size:], size, w)
	}
}

// reserve returns bytes [off, off+n) of the initializer.
func reserve(d *ssa.Global, off, n int64) []byte {
	if need := off + n; need > int64(len(d.Init)) {
		d.Init = append(d.Init, make([]byte, need-int64(len(d.Init)))...)
		d.Size = max(d.Size, need)
	}
	return d.Init[off : off+n]
}

func putBits(b []byte, size int64, w uint64) {
	for i := int64(0); i < size; i++ {
		b[i] = byte(w >> (8 * i))
	}
}

// constBits writes a constant bit-field.
func (u *unit) constBits(d *ssa.Global, off int64, f *types.Field, e check.Expr) {
	var buf [16]uint64
	w := constBits(e, buf[:0])[0]
	for i := 0; i < f.Bits; i++ {
		at := f.BitOff + i
		b := reserve(d, off+int64(at/8), 1)
		b[0] = b[0]&^(1<<(at%8)) | byte(w>>i&1)<<(at%8)
	}
}

// constBits appends the elements of a constant.
func constBits(e check.Expr, bits []uint64) []uint64 {
	switch x := e.(type) {
	case *check.Const:
		return append(bits, x.Bits...)
	case *check.VectorLit:
		for _, y := range x.Elems {
			n := len(bits)
			bits = constBits(y, bits)
			for first := bits[n]; len(bits) < n+y.Type().Lanes(); {
				bits = append(bits, first)
			}
		}
		return bits
	case *check.Splat:
		return constBits(x.X, bits)
	}
	panic(bug(e, "is not a constant"))
}

// constAddr evaluates a constant pointer: a variable and an offset in it, or nil and
// the pointer's bits.
func (u *unit) constAddr(e check.Expr) (*ssa.Global, int64) {
	switch x := e.(type) {
	case *check.Const:
		return nil, int64(x.Bits[0])
	case *check.Bitcast:
		if x.X.Type().Kind != types.Pointer {
			var buf [16]uint64
			return nil, int64(constBits(x.X, buf[:0])[0])
		}
		return u.constAddr(x.X)
	case *check.SpaceCast:
		return u.constAddr(x.X)
	case *check.Decay:
		return u.constPlace(x.X)
	case *check.AddrOf:
		return u.constPlace(x.X)
	case *check.PtrAdd:
		target, n := u.constAddr(x.X)
		var buf [16]uint64
		return target, n + int64(constBits(x.I, buf[:0])[0])*strideOf(x.T.Elem.Type)
	}
	panic(bug(e, "is not an address constant"))
}

// constPlace evaluates a constant l-value.
func (u *unit) constPlace(e check.Expr) (*ssa.Global, int64) {
	switch x := e.(type) {
	case *check.VarRef:
		if x.Var.Kind == check.GlobalVar || x.Var.Kind == check.LocalVar {
			return u.global(x.Var), 0
		}
	case *check.StringConst:
		return u.str(x), 0
	case *check.CompoundLit:
		d := u.global(x.Var)
		u.initGlobal(x.Var)
		return d, 0
	case *check.Member:
		d, n := u.constPlace(x.X)
		return d, n + x.Field.Offset
	case *check.Deref:
		return u.constAddr(x.X)
	}
	panic(bug(e, "is not an address constant"))
}

// A Bug is the panic for a tree that check should not have produced.
type Bug struct {
	Span diag.Span
	Text string
}

func (b *Bug) Error() string { return b.Text }

func bug(e check.Expr, why string) *Bug { return &Bug{e.Span(), fmt.Sprintf("irgen: %T %s", e, why)} }

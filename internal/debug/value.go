package debug

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Value is a typed value, in memory or not.
type Value struct {
	s         *timeline
	Type      types.QType
	Item      int // the work-item for which it was read
	HasPlace  bool
	Object    uint32 // its object, if HasPlace is set
	Offset    uint64
	Bytes     []byte
	Undefined bool // a part of it has not been written
	field     *types.Field
}

// A Part is a component, element or member of a value, or the target of a pointer.
type Part struct {
	Name string
	*Value
	Err error
}

// load reads the value from memory.
func (v *Value) load() error {
	data, written := v.s.step.Bytes(v.Item, v.Object)
	size := max(v.Type.Size(), 0)
	if v.Offset+uint64(size) > uint64(len(data)) {
		o := v.s.step.Object(v.Object)
		switch {
		case v.Object == 0:
			return errors.New("null pointer")
		case o.Name == "" && o.Size == 0:
			return errors.New("a pointer to no object")
		}
		return fmt.Errorf("outside of %s: bytes %d to %d of %d", o.Name, int64(v.Offset<<24)>>24, int64(v.Offset<<24)>>24+size, o.Size)
	}
	v.Bytes = data[v.Offset : v.Offset+uint64(size) : v.Offset+uint64(size)]
	if written != nil {
		for _, w := range written[v.Offset : v.Offset+uint64(size)] {
			v.Undefined = v.Undefined || w == 0
		}
	}
	return nil
}

func little(b []byte) (x uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		x = x<<8 | uint64(b[i])
	}
	return x
}

// base returns the type without the atomic qualifier.
func (v *Value) base() *types.Type {
	t := v.Type.Type
	for t.Kind == types.Atomic {
		t = t.Elem.Type
	}
	return t
}

// truth reports whether the value differs from 0.
func (v *Value) truth() (bool, error) {
	t := v.base()
	switch {
	case v.Undefined:
		return false, errors.New("its value is not initialised")
	case t.Kind == types.Pointer:
		return little(v.Bytes[:8]) != 0, nil
	case !t.IsScalar() || t.Num() == numeric.Invalid:
		return false, fmt.Errorf("a condition must be a scalar, not %s", v.Type)
	case t.Num().IsFloat():
		return number(t.Num(), little(v.Bytes[:t.Num().Size()])) != 0, nil
	}
	return little(v.Bytes) != 0, nil
}

func number(k numeric.Kind, bits uint64) float64 {
	switch k {
	case numeric.F16:
		return numeric.Half(bits).Float64()
	case numeric.F32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// scalar formats an element.
func scalar(k numeric.Kind, bits uint64) string {
	switch {
	case k == numeric.Bool:
		return strconv.FormatBool(bits != 0)
	case k == numeric.F32:
		return strconv.FormatFloat(number(k, bits), 'g', -1, 32)
	case k == numeric.F16:
		return strconv.FormatFloat(number(k, bits), 'g', 5, 32)
	case k.IsFloat():
		return strconv.FormatFloat(number(k, bits), 'g', -1, 64)
	case k.Signed():
		n := 64 - k.Bits()
		return strconv.FormatInt(int64(bits<<n)>>n, 10)
	}
	return strconv.FormatUint(bits, 10)
}

// maxShown bounds the elements and members in Text.
const maxShown = 16

// Text formats the value in one line.
func (v *Value) Text() string {
	if v.Undefined && v.base().Kind != types.Array && v.base().Kind != types.Record && v.base().Kind != types.Vector {
		return "<not initialised>"
	}
	return v.text(0)
}

func (v *Value) text(depth int) string {
	t := v.base()
	switch t.Kind {
	case types.Pointer:
		return v.pointer()
	case types.Array, types.Record:
		if depth > 2 {
			return "{…}"
		}
		parts, more := v.Parts(0, maxShown)
		var list []string
		for _, p := range parts {
			text := ""
			switch {
			case p.Err != nil:
				text = "<" + p.Err.Error() + ">"
			case p.Undefined && p.base().IsScalar():
				text = "<not initialised>"
			default:
				text = p.text(depth + 1)
			}
			if t.Kind == types.Record {
				text = p.Name + ": " + text
			}
			list = append(list, text)
		}
		if more > len(parts) {
			list = append(list, "…")
		}
		return "{" + strings.Join(list, ", ") + "}"
	case types.Void:
		return "void"
	case types.Image, types.Sampler, types.Event:
		return v.handle()
	}
	k := t.Num()
	if k == numeric.Invalid || len(v.Bytes) < k.Size() {
		return fmt.Sprintf("% x", clip(v.Bytes))
	}
	if v.field != nil && v.field.Bits >= 0 {
		return v.bits(k)
	}
	if t.Kind != types.Vector {
		if n := k.Size(); k == numeric.I8 || k == numeric.U8 {
			c := v.Bytes[0]
			if text := scalar(k, little(v.Bytes[:n])); c >= ' ' && c < 127 {
				return fmt.Sprintf("%s '%c'", text, c)
			}
		}
		return scalar(k, little(v.Bytes[:k.Size()]))
	}
	var list []string
	undefined := v.undefinedParts(k.Size(), int(t.Len))
	for i := range int(t.Len) {
		if undefined[i] {
			list = append(list, "<not initialised>")
			continue
		}
		list = append(list, scalar(k, little(v.Bytes[i*k.Size():][:k.Size()])))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// undefinedParts reports for each of n elements of size bytes whether it has not been written.
func (v *Value) undefinedParts(size, n int) []bool {
	out := make([]bool, n)
	if !v.HasPlace {
		for i := range out {
			out[i] = v.Undefined
		}
		return out
	}
	_, written := v.s.step.Bytes(v.Item, v.Object)
	for i := range out {
		for k := i * size; written != nil && k < (i+1)*size; k++ {
			out[i] = out[i] || written[v.Offset+uint64(k)] == 0
		}
	}
	return out
}

// bits formats a bit-field.
func (v *Value) bits(k numeric.Kind) string {
	x := little(v.Bytes) >> v.field.BitOff
	n := 64 - v.field.Bits
	if k.Signed() {
		return strconv.FormatInt(int64(x<<n)>>n, 10)
	}
	return strconv.FormatUint(x<<n>>n, 10)
}

// pointer formats a pointer by its target.
func (v *Value) pointer() string {
	p := little(v.Bytes[:8])
	if p == 0 {
		return "null"
	}
	o := v.s.step.Object(uint32(p >> ssa.ObjectShift))
	if o.Size == 0 && o.Name == "" {
		return fmt.Sprintf("%#x (no object)", p)
	}
	off := int64(p<<24) >> 24
	name := o.Name[strings.LastIndexByte(o.Name, '.')+1:]
	if size := v.Type.Elem.Size(); size > 0 && off%size == 0 {
		return fmt.Sprintf("&%s[%d]", name, off/size)
	}
	return fmt.Sprintf("&%s + %d bytes", name, off)
}

// handle formats an image, a sampler or an event.
func (v *Value) handle() string {
	p := little(v.Bytes)
	if o := v.s.step.Object(uint32(p >> ssa.ObjectShift)); v.base().Kind == types.Image && o.Name != "" {
		return "image " + o.Name
	}
	return fmt.Sprintf("%#x", p)
}

// Count returns the number of the value's parts.
func (v *Value) Count() int {
	t := v.base()
	switch t.Kind {
	case types.Vector:
		return int(t.Len)
	case types.Array:
		return int(max(t.Len, 0))
	case types.Record:
		return len(t.Rec.Fields)
	case types.Pointer:
		return v.elements()
	}
	return 0
}

// elements returns the number of elements from a pointer's target to its object's end.
func (v *Value) elements() int {
	if v.Undefined || len(v.Bytes) < 8 {
		return 0
	}
	p := little(v.Bytes[:8])
	size, o := v.base().Elem.Size(), v.s.step.Object(uint32(p>>ssa.ObjectShift))
	off := p & ssa.OffsetMask
	if p == 0 || size <= 0 || off >= o.Size || v.base().Elem.Kind == types.Func {
		return 0
	}
	return int((o.Size - off) / uint64(size))
}

// Parts returns n parts from number from on, and the number of all parts.
func (v *Value) Parts(from, n int) (list []Part, all int) {
	all = v.Count()
	for i := from; i < all && i < from+n; i++ {
		list = append(list, v.part(i))
	}
	return list, all
}

func (v *Value) part(i int) Part {
	t := v.base()
	p := Part{Value: &Value{s: v.s, Item: v.Item, HasPlace: v.HasPlace, Object: v.Object}}
	off := uint64(0)
	switch t.Kind {
	case types.Vector:
		p.Name, p.Type = component(i, int(t.Len)), types.Q(t.Elem.Type)
		off = uint64(int64(i) * t.Elem.Size())
	case types.Array:
		p.Name, p.Type = fmt.Sprintf("[%d]", i), t.Elem
		off = uint64(int64(i) * t.Elem.Size())
	case types.Record:
		f := &t.Rec.Fields[i]
		p.Name, p.Type, p.field = f.Name, f.Type, f
		off = uint64(f.Offset)
	case types.Pointer:
		at := little(v.Bytes[:8])
		p.Name, p.Type, p.HasPlace = fmt.Sprintf("[%d]", i), t.Elem, true
		p.Object, p.Offset = uint32(at>>ssa.ObjectShift), at&ssa.OffsetMask+uint64(int64(i)*t.Elem.Size())
		p.Err = p.load()
		return p
	}
	if v.HasPlace {
		p.Offset = v.Offset + off
		p.Err = p.load()
		return p
	}
	if size := uint64(max(p.Type.Size(), 0)); off+size <= uint64(len(v.Bytes)) {
		p.Bytes = v.Bytes[off : off+size]
	} else {
		p.Err = errors.New("no such part")
	}
	p.Undefined = v.Undefined
	return p
}

// component returns the name of a vector's component.
func component(i, n int) string {
	if n <= 4 {
		return "xyzw"[i : i+1]
	}
	return "s" + strconv.FormatInt(int64(i), 16)
}

// Memory returns the memory of a value: for a pointer its target, else the value itself.
func (v *Value) Memory() (*Region, error) {
	object, off := v.Object, v.Offset
	if v.base().Kind == types.Pointer && len(v.Bytes) >= 8 {
		p := little(v.Bytes[:8])
		object, off = uint32(p>>ssa.ObjectShift), p&ssa.OffsetMask
	} else if !v.HasPlace {
		return nil, errors.New("the value is not in memory")
	}
	return v.s.Region(object, off, v.Item)
}

// WatchOf returns a watch of a value's memory.
func (v *Value) WatchOf(name string) (Watch, error) {
	if !v.HasPlace || len(v.Bytes) == 0 {
		return Watch{}, fmt.Errorf("%s is not in memory: a data breakpoint needs a variable, an element or a member", name)
	}
	w := Watch{Name: name, Object: v.Object, Offset: v.Offset, Size: uint64(len(v.Bytes)), Item: -1, Write: true}
	if v.s.step.Object(v.Object).Space == ssa.PtrPrivate {
		w.Item = v.Item
		w.Group, _ = v.s.step.Group()
	}
	return w, nil
}

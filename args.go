package purecl

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/vec"
)

// Local is the argument for a pointer to local memory: its size in bytes. Each work-group has
// its own.
type Local int

// A param is a kernel's parameter.
type param struct {
	*ssa.KernelArg
	layout *ssa.Layout // of a struct or array, or of a pointer's target; nil where it is not known
}

func (p *param) init(a *ssa.KernelArg) (err error) {
	p.KernelArg = a
	if a.Layout != "" {
		p.layout, err = ssa.ParseLayout(a.Layout)
	}
	return err
}

func (p *param) byValue() bool { return p.Kind == ssa.ArgValue || p.Kind == ssa.ArgStruct }

// label returns the parameter for messages, such as "n, int".
func (p *param) label() string {
	if p.Name == "" {
		return p.TypeName
	}
	return p.Name + ", " + p.TypeName
}

// An unfit is the reason why an argument does not fit.
type unfit string

func (e unfit) Error() string { return string(e) }

func unfitf(format string, args ...any) error { return unfit(fmt.Sprintf(format, args...)) }

// bind sets the arguments of the launch.
func (k *Kernel) bind(c *call, args []any) error {
	if len(args) != len(k.params) {
		return &ArgError{Kernel: k.name, Index: -1, Message: fmt.Sprintf("it takes %s, got %d", k.parameters(), len(args))}
	}
	for i, v := range args {
		c.Args = append(c.Args, exec.Arg{})
		if err := k.bindOne(c, i, v); err != nil {
			return k.argError(i, err)
		}
	}
	return nil
}

func (k *Kernel) argError(i int, err error) error {
	p := &k.params[i]
	return &ArgError{Kernel: k.name, Index: i, Name: p.Name, Type: p.TypeName, Message: err.Error()}
}

// parameters lists the kernel's parameters, such as "2 arguments (float* y, int n)".
func (k *Kernel) parameters() string {
	if len(k.params) == 0 {
		return "no arguments"
	}
	var list []string
	for i := range k.params {
		list = append(list, strings.TrimSpace(k.params[i].TypeName+" "+k.params[i].Name))
	}
	s := "s"
	if len(list) == 1 {
		s = ""
	}
	return fmt.Sprintf("%d argument%s (%s)", len(list), s, strings.Join(list, ", "))
}

func (k *Kernel) bindOne(c *call, i int, v any) error {
	p, a := &k.params[i], &c.Args[i]
	switch p.Kind {
	case ssa.ArgValue:
		a.Kind = exec.ValueArg
		return c.value(p, a, v)
	case ssa.ArgStruct:
		a.Kind = exec.ValueArg
		return c.structure(p, a, v)
	case ssa.ArgLocal:
		n, ok := v.(Local)
		if !ok || n <= 0 {
			return p.got(v)
		}
		a.Kind, a.Size = exec.LocalArg, int64(n)
		return nil
	case ssa.ArgGlobal, ssa.ArgConstant:
		return k.bindMemory(c, i, v)
	case ssa.ArgImage:
		return p.bindImage(a, v)
	case ssa.ArgSampler:
		s, ok := v.(Sampler)
		if !ok {
			return p.got(v)
		}
		if a.Sampler, ok = s.bits(); !ok {
			return unfitf("got a Sampler with the unknown Address %d", s.Address)
		}
		a.Kind = exec.SamplerArg
		return nil
	}
	return unfitf("arguments of this type cannot be given")
}

// got returns the error of a value that does not fit.
func (p *param) got(v any) error { return unfitf("got %s; %s", describe(v), p.wants()) }

// bindMemory binds the argument of a pointer to global or constant memory.
func (k *Kernel) bindMemory(c *call, i int, v any) error {
	p, a := &k.params[i], &c.Args[i]
	var mem []byte
	switch x := v.(type) {
	case nil:
		a.Kind = exec.MemoryArg
		c.nils = append(c.nils, i)
		return nil
	case Memory:
		return k.bindBuffer(c, i, x)
	case []float32:
		if p.ElemKind != ssa.F32 || p.ElemLanes != 1 {
			return k.bindSlice(c, i, v)
		}
		mem = rawBytes(x)
	case []int32:
		if p.ElemKind != ssa.I32 || p.ElemLanes != 1 {
			return k.bindSlice(c, i, v)
		}
		mem = rawBytes(x)
	case []uint8:
		mem = x
	default:
		return k.bindSlice(c, i, v)
	}
	if mem == nil {
		return k.bindSlice(c, i, v)
	}
	return k.bindBytes(c, i, mem)
}

func rawBytes[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// bindSlice binds a slice, or a pointer to a value, of any type.
func (k *Kernel) bindSlice(c *call, i int, v any) error {
	p := &k.params[i]
	rv := reflect.ValueOf(v)
	var elem reflect.Type
	var n int
	switch rv.Kind() {
	case reflect.Slice:
		elem, n = rv.Type().Elem(), rv.Len()
	case reflect.Pointer:
		elem, n = rv.Type().Elem(), 1
		if elem.Kind() == reflect.Array && (p.layout == nil || p.layout.Elem == nil) {
			n, elem = elem.Len(), elem.Elem() // the elements of an array
		}
	default:
		return p.got(v)
	}
	if !flat(elem) {
		return unfitf("got %s, whose elements kernels cannot have; %s", describe(v), p.wants())
	}
	if err := p.fitsElem(elem, n, func() string { return describe(v) }); err != nil {
		return err
	}
	if rv.IsNil() {
		c.Args[i].Kind = exec.MemoryArg
		c.nils = append(c.nils, i)
		return nil
	}
	return k.bindBytes(c, i, unsafe.Slice((*byte)(rv.UnsafePointer()), n*int(elem.Size())))
}

// bindBytes binds Go memory: in place if the device can use it, else as a copy.
func (k *Kernel) bindBytes(c *call, i int, mem []byte) error {
	p := &k.params[i]
	a, err := c.copies.Bind(k.prog.dev.exec, mem, p.Kind == ssa.ArgGlobal && !p.Const)
	if err != nil {
		return unfitf("%v", err)
	}
	c.Args[i] = a
	return nil
}

// bindBuffer binds a buffer, or a null pointer for nil.
func (k *Kernel) bindBuffer(c *call, i int, b Memory) error {
	a := &c.Args[i]
	a.Kind = exec.MemoryArg
	x := b.object()
	if x == nil {
		c.nils = append(c.nils, i)
		return nil
	}
	if x.dev.exec != k.prog.dev.exec {
		return unfitf("the buffer is on device %v, the kernel on %v", x.dev, k.prog.dev)
	}
	if err := k.params[i].fitsElem(x.elem, x.mem.Size()/int(x.elem.Size()), func() string { return "a buffer of " + typeName(x.elem) }); err != nil {
		return err
	}
	if !x.use() {
		return unfitf("the buffer is %v", ErrClosed)
	}
	c.inUse = append(c.inUse, x)
	a.Memory = x.mem
	return nil
}

// fitsElem checks the type of n elements against the parameter's pointee. Bytes fit everything, as raw memory;
// other elements must have the type of the pointee or of its components. given describes the argument for errors.
func (p *param) fitsElem(elem reflect.Type, n int, given func() string) error {
	if p.Size == 0 || elem.Kind() == reflect.Uint8 {
		return nil
	}
	if p.ElemKind == ssa.Void {
		if p.layout == nil {
			if int64(elem.Size()) != p.Size {
				return unfitf("got %s, of %d bytes each; %s has %d", given(), elem.Size(), p.pointee(), p.Size)
			}
			return nil
		}
		return p.fitsLayout(elem, given)
	}
	g := goKind(elem)
	if g.kind != p.ElemKind.Num() || g.lanes != 1 && int64(elem.Size()) != p.Size {
		return unfitf("got %s; %s", given(), p.wants())
	}
	if total := int64(n) * int64(elem.Size()); total%p.Size != 0 {
		return unfitf("got %s with %d elements, which is no whole number of %s", given(), n, p.pointee())
	}
	return nil
}

// pointee returns the name of the pointer's target type.
func (p *param) pointee() string { return strings.TrimSuffix(p.TypeName, "*") }

// flat reports whether values of t are bytes without Go pointers, of the same size on every machine.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Bool:
		return true
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		return t.Size() == 8
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return false
}

// A number is a scalar or vector; lanes is 1 for a scalar.
type number struct {
	kind  numeric.Kind
	lanes int
}

var halfType = reflect.TypeFor[vec.Half]()

var goKinds = [...]numeric.Kind{reflect.Bool: numeric.Bool, reflect.Int8: numeric.I8, reflect.Uint8: numeric.U8, reflect.Int16: numeric.I16, reflect.Uint16: numeric.U16,
	reflect.Int32: numeric.I32, reflect.Uint32: numeric.U32, reflect.Int64: numeric.I64, reflect.Int: numeric.I64, reflect.Uint64: numeric.U64, reflect.Uint: numeric.U64,
	reflect.Uintptr: numeric.U64, reflect.Float32: numeric.F32, reflect.Float64: numeric.F64, reflect.UnsafePointer: numeric.Invalid}

// goKind returns the number format of a Go type: a number, or an array of numbers such as the vectors of package
// vec. For any other type it is Invalid.
func goKind(t reflect.Type) number {
	if t == halfType {
		return number{numeric.F16, 1}
	}
	if t.Kind() == reflect.Array {
		if e := goKind(t.Elem()); e.lanes == 1 && e.kind != numeric.Invalid {
			return number{e.kind, t.Len()}
		}
		return number{}
	}
	return number{goKinds[t.Kind()], 1}
}

// put appends a value's low bytes.
func (c *call) put(a *exec.Arg, size int64, bits uint64) error {
	at := len(c.room)
	for i := range size {
		c.room = append(c.room, byte(bits>>(8*i)))
	}
	a.Bytes = c.room[at:]
	return nil
}

// value binds a scalar or vector. A Go int or float64, the default types of Go's constants, fits any number that
// can hold it; other types must be exactly the kernel's.
func (c *call) value(p *param, a *exec.Arg, v any) error {
	want := p.Type.K.Num()
	if p.Type.N == 1 {
		switch x := v.(type) {
		case float32:
			if want == numeric.F32 {
				return c.put(a, 4, uint64(math.Float32bits(x)))
			}
		case int32:
			if want == numeric.I32 {
				return c.put(a, 4, uint64(uint32(x)))
			}
		case uint32:
			if want == numeric.U32 {
				return c.put(a, 4, uint64(x))
			}
		case int:
			return c.constant(p, a, v, int64(x))
		case float64:
			return c.float(p, a, v, x)
		case Local:
			return p.got(v)
		}
	}
	rv := reflect.ValueOf(v)
	if !rv.IsValid() {
		return p.got(v)
	}
	if g := goKind(rv.Type()); g.kind == want && int64(rv.Type().Size()) == p.Size {
		return c.raw(a, rv)
	}
	if p.Type.N == 1 {
		switch rv.Kind() {
		case reflect.Int:
			return c.constant(p, a, v, rv.Int())
		case reflect.Float64:
			return c.float(p, a, v, rv.Float())
		}
	}
	return p.got(v)
}

// raw appends the bytes of v.
func (c *call) raw(a *exec.Arg, v reflect.Value) error {
	m := reflect.New(v.Type())
	m.Elem().Set(v)
	at := len(c.room)
	c.room = append(c.room, unsafe.Slice((*byte)(m.UnsafePointer()), int(v.Type().Size()))...)
	a.Bytes = c.room[at:]
	return nil
}

// constant binds a Go int to any number that can hold it. A conversion to floating point rounds.
func (c *call) constant(p *param, a *exec.Arg, v any, n int64) error {
	k := p.Type.K.Num()
	if k.IsFloat() {
		return c.float(p, a, v, float64(n))
	}
	bits := numeric.ConvertBits(k, false, numeric.RoundDefault, numeric.I64, uint64(n))
	if back := numeric.ConvertBits(numeric.I64, false, numeric.RoundDefault, k, bits); int64(back) != n || n < 0 && !k.Signed() {
		return unfitf("got %d, which no %s holds", n, p.TypeName)
	}
	return c.put(a, p.Size, bits)
}

// float binds a float64 to a floating-point number and rounds it. A finite number must stay finite.
func (c *call) float(p *param, a *exec.Arg, v any, x float64) error {
	k := p.Type.K.Num()
	if !k.IsFloat() {
		return p.got(v)
	}
	bits := numeric.ConvertBits(k, false, numeric.RTE, numeric.F64, math.Float64bits(x))
	back := math.Float64frombits(numeric.ConvertBits(numeric.F64, false, numeric.RTE, k, bits))
	if math.IsInf(back, 0) && !math.IsInf(x, 0) {
		return unfitf("got %v, which is beyond the range of %s", v, p.TypeName)
	}
	return c.put(a, p.Size, bits)
}

// structure binds a struct or array, or a pointer to one.
func (c *call) structure(p *param, a *exec.Arg, v any) error {
	if b, ok := v.([]byte); ok && int64(len(b)) == p.Size { // the struct's bytes in memory
		at := len(c.room)
		c.room = append(c.room, b...)
		a.Bytes = c.room[at:]
		return nil
	}
	rv := reflect.ValueOf(v)
	if rv.IsValid() && rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	if !rv.IsValid() || rv.Kind() != reflect.Struct && rv.Kind() != reflect.Array || !flat(rv.Type()) {
		return p.got(v)
	}
	if p.layout == nil {
		if int64(rv.Type().Size()) != p.Size {
			return unfitf("got %s, of %d bytes; %s has %d", describe(v), rv.Type().Size(), p.TypeName, p.Size)
		}
	} else if err := p.fitsLayout(rv.Type(), func() string { return describe(v) }); err != nil {
		return err
	}
	return c.raw(a, rv)
}

package beam

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/purecl/purecl"
)

// A Kernel is a kernel's name with its source and build options.
type Kernel struct {
	Source  string   // OpenCL C
	Options []string // build options, such as "-cl-std=CL3.0"
	Name    string
	Device  string // a device name for purecl.Open; "" is the worker's default device (PURECL_DEVICE)
	Threads int    // most threads of a launch; 0: all compute units of the device
}

// key identifies the compiled kernel within a process.
func (k *Kernel) key() string {
	return strings.Join([]string{k.Device, k.Name, k.Source, strings.Join(k.Options, "\x00")}, "\x01")
}

// compiled holds each kernel that this worker uses, compiled once.
var compiled sync.Map // of key to func() (*purecl.Kernel, error)

// compile returns the kernel, compiled once in each process.
func (k *Kernel) compile() (*purecl.Kernel, error) {
	once, _ := compiled.LoadOrStore(k.key(), sync.OnceValues(func() (*purecl.Kernel, error) {
		d, err := purecl.Open(k.Device)
		if err != nil {
			return nil, err
		}
		p, err := d.Compile(k.Source, k.Options...)
		if err != nil {
			return nil, err
		}
		return p.Kernel(k.Name)
	}))
	cl, err := once.(func() (*purecl.Kernel, error))()
	if err != nil {
		return nil, fmt.Errorf("beam: kernel %q: %w", k.Name, err)
	}
	return cl.With(purecl.Options{Workers: k.Threads}), nil
}

// A source is the origin of a parameter's argument.
type source uint8

// The sources.
const (
	inColumn    source = iota // a column of the input
	outColumn                 // a column of the output
	bothColumns               // an input column that the kernel changes: the output has its new values
	constant                  // a field of the constants
	count                     // the number of elements
	supplied                  // a value supplied by the transform, by name
)

// A parameter is a kernel parameter with its source.
type parameter struct {
	purecl.Arg
	from    source
	in, out int // column indices
	field   int // of the constants; -1: the constants themselves
}

// A binding maps a kernel's parameters to columns and constants.
type binding struct {
	params  []parameter
	in, out []column
}

// bind matches the parameters of cl by name. extra are names of values that the transform supplies. The error names
// the parameter or column without a match.
func bind(cl *purecl.Kernel, in, out []column, constants reflect.Type, extra ...string) (*binding, error) {
	b := &binding{in: in, out: out}
	usedIn, usedOut := make([]bool, len(in)), make([]bool, len(out))
	fail := func(format string, args ...any) (*binding, error) {
		return nil, fmt.Errorf("beam: kernel %q: %s", cl.Name(), fmt.Sprintf(format, args...))
	}
	for _, a := range cl.Args() {
		p := parameter{Arg: a, in: find(in, a.Name), out: find(out, a.Name), field: -1}
		field, isConstant := constantField(constants, a.Name)
		pointer := a.Space == "global" || a.Space == "constant"
		switch {
		case pointer && p.in >= 0 && p.out >= 0:
			p.from = bothColumns
			if in[p.in].typ != out[p.out].typ {
				return fail("parameter %q is the input column of %v and the output column of %v", a.Name, in[p.in].typ, out[p.out].typ)
			}
		case pointer && p.in >= 0:
			p.from = inColumn
		case pointer && p.out >= 0:
			p.from = outColumn
		case isConstant:
			p.from, p.field = constant, field
		case hasName(extra, a.Name):
			p.from = supplied
		case strings.EqualFold(a.Name, "n") && a.Space == "" && (a.Type == "uint" || a.Type == "int" || a.Type == "ulong" || a.Type == "long"):
			p.from = count
		default:
			return fail("parameter %q (%s) has no partner: %s", a.Name, a.Type, partners(in, out, constants, extra))
		}
		if p.in >= 0 && pointer {
			usedIn[p.in] = true
		}
		if p.out >= 0 && pointer {
			usedOut[p.out] = true
		}
		b.params = append(b.params, p)
	}
	for i, used := range usedOut {
		if !used {
			return fail("the output column %q has no parameter", out[i].name)
		}
	}
	return b, nil
}

// constantField returns the field of the constants for a parameter; -1 where the constants are
// no struct, and the parameter's name is "c".
func constantField(t reflect.Type, name string) (int, bool) {
	if t.Kind() != reflect.Struct || isVector(t) {
		return -1, strings.EqualFold(name, "c")
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && strings.EqualFold(columnName(f), name) {
			return i, true
		}
	}
	return -1, false
}

// args are the arguments of a launch over columns. Output columns are made. values are what the
// transform supplies, by name.
func (b *binding) args(in *columns, constants any, values map[string]any) (args []any, out *columns) {
	out = newColumns(b.out, in.n)
	for i := range b.params {
		p := &b.params[i]
		switch p.from {
		case inColumn:
			args = append(args, in.slice(p.in))
		case outColumn:
			args = append(args, out.slice(p.out))
		case bothColumns:
			out.copyFrom(p.out, in, p.in)
			args = append(args, out.slice(p.out))
		case constant:
			v := reflect.ValueOf(constants)
			if p.field >= 0 {
				v = v.Field(p.field)
			}
			args = append(args, constantArgument(v))
		case count:
			args = append(args, in.n)
		case supplied:
			args = append(args, values[strings.ToLower(p.Name)])
		}
	}
	return args, out
}

// constantArgument returns a constant as an argument: an empty table is the null pointer.
func constantArgument(v reflect.Value) any {
	if v.Kind() == reflect.Slice && v.Len() == 0 {
		return nil
	}
	return v.Interface()
}

// check reports whether arguments of these types match the kernel, by a launch without work-items.
func (b *binding) check(cl *purecl.Kernel, constants reflect.Type, values map[string]any) error {
	in := newColumns(b.in, 1)
	args, _ := b.args(in, sample(constants), values)
	err := cl.Run(context.Background(), purecl.Range(0), args...)
	if err != nil {
		return fmt.Errorf("beam: %w", err)
	}
	return nil
}

// sample returns constants whose tables have one element, for check.
func sample(t reflect.Type) any {
	v := reflect.New(t).Elem()
	grow := func(v reflect.Value) {
		if v.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
	}
	grow(v)
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				grow(v.Field(i))
			}
		}
	}
	return v.Interface()
}

// faultOf returns the fault that failed a launch, nil for another error and for success.
func faultOf(err error) *purecl.FaultError {
	var fault *purecl.FaultError
	if errors.As(err, &fault) && len(fault.Findings) > 0 {
		return fault
	}
	return nil
}

func hasName(list []string, name string) bool {
	for _, s := range list {
		if strings.EqualFold(s, name) {
			return true
		}
	}
	return false
}

// partners lists, for a message, the possible matches of a parameter.
func partners(in, out []column, constants reflect.Type, extra []string) string {
	var s []string
	add := func(what string, names []string) {
		if len(names) > 0 {
			s = append(s, what+" "+strings.Join(names, ", "))
		}
	}
	add("the input has", names(in))
	add("the output has", names(out))
	add("the transform has", extra)
	add("the constants are", constantNames(constants))
	return strings.Join(s, "; ")
}

// names lists columns for a message.
func names(list []column) (s []string) {
	for _, c := range list {
		s = append(s, c.name)
	}
	return s
}

// constantNames lists the constants for a message.
func constantNames(t reflect.Type) (s []string) {
	if t.Kind() != reflect.Struct || isVector(t) {
		return []string{"c"}
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			s = append(s, columnName(f))
		}
	}
	return s
}

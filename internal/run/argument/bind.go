package argument

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// An Arg is a kernel argument before the launch.
type Arg struct {
	Info   Param
	Spec   string
	Set    bool
	Data   *Data        // of a buffer or image
	Bound  exec.Arg     // the bound value of another argument
	Format image.Format // of an image
}

// A Param describes a parameter of a kernel.
type Param struct {
	*ssa.KernelArg
	Elem  numeric.Kind // number format of the value or of the pointer's target; 0 for structs and others
	Lanes int          // number of its components, 1 for a scalar
}

// Params describes the parameters of a kernel.
func Params(f *ssa.Func) []Param {
	out := make([]Param, len(f.Kernel.Args))
	for i := range out {
		a := &f.Kernel.Args[i]
		p := Param{KernelArg: a, Lanes: 1}
		switch a.Kind {
		case ssa.ArgValue:
			p.Elem, p.Lanes = a.Type.K.Num(), int(a.Type.N)
		case ssa.ArgGlobal, ssa.ArgConstant, ssa.ArgLocal:
			if a.ElemKind != ssa.Void {
				p.Elem, p.Lanes = a.ElemKind.Num(), max(1, int(a.ElemLanes))
			}
		}
		out[i] = p
	}
	return out
}

// IsMemory reports whether the parameter is a pointer to global or constant memory.
func (p *Param) IsMemory() bool { return p.Kind == ssa.ArgGlobal || p.Kind == ssa.ArgConstant }

// IsImage reports whether the parameter is an image.
func (p *Param) IsImage() bool { return p.Kind == ssa.ArgImage }

// IsDepth reports whether the parameter is an image of depths.
func (p *Param) IsDepth() bool {
	return p.IsImage() && types.ImageKind(p.Image).Row().Depth
}

// Writable reports whether the kernel may write through the parameter.
func (p *Param) Writable() bool {
	return p.Kind == ssa.ArgGlobal && !p.Const || p.IsImage() && types.Access(p.Access) >= types.WriteOnly
}

// Readable reports whether the kernel may read through the parameter.
func (p *Param) Readable() bool { return !p.IsImage() || types.Access(p.Access) != types.WriteOnly }

// give returns a hint how to pass an argument, for the end of a message.
func (s *Source) give(name, value string) string {
	if s.Give == nil {
		return ""
	}
	return ": " + s.Give(name, value)
}

// Bind assigns values, each by position or as NAME=VALUE, to the arguments of a kernel. It binds buffers first,
// because other arguments may be sizes of them.
func Bind(kernel string, params []Param, values []string, src *Source) ([]*Arg, error) {
	var args []*Arg
	for _, info := range params {
		args = append(args, &Arg{Info: info})
	}
	next := 0
	for _, a := range values {
		name, spec, named := strings.Cut(a, "=")
		var to *Arg
		if named {
			if to = Find(args, name); to == nil {
				return nil, fmt.Errorf("kernel %s has no argument %q; it has %s", kernel, name, argNames(args))
			}
		} else {
			for next < len(args) && args[next].Set {
				next++
			}
			if next == len(args) {
				return nil, fmt.Errorf("kernel %s takes %d arguments: %s; there is one too many: %s", kernel, len(args), argNames(args), a)
			}
			to, spec = args[next], a
		}
		if to.Set {
			return nil, fmt.Errorf("argument %s is given twice", to.Info.Name)
		}
		to.Spec, to.Set = spec, true
	}
	var first *Data
	for _, a := range args {
		if (a.Info.IsMemory() || a.Info.IsImage()) && a.Set {
			bind := a.bindBuffer
			if a.Info.IsImage() {
				bind = a.bindImage
			}
			if err := bind(src); err != nil {
				return nil, fmt.Errorf("argument %s: %v", a.Info.Name, err)
			}
			if first == nil {
				first = a.Data
			}
		}
	}
	for _, a := range args {
		if err := a.bindOther(src, args, first); err != nil {
			return nil, fmt.Errorf("argument %s (%s): %v", a.Info.Name, a.Info.TypeName, err)
		}
	}
	return args, nil
}

// Find returns the argument with that name or number, nil if there is none.
func Find(args []*Arg, name string) *Arg {
	for i, a := range args {
		if a.Info.Name == name || strconv.Itoa(i) == name {
			return a
		}
	}
	return nil
}

func argNames(args []*Arg) string {
	var names []string
	for _, a := range args {
		names = append(names, a.Info.TypeName+" "+a.Info.Name)
	}
	return strings.Join(names, ", ")
}

// ElemOf returns the element type that a buffer argument points to; a struct is its
// bytes.
func ElemOf(info Param) Elem {
	if info.Elem == numeric.Invalid {
		return Elem{numeric.U8, int(max(info.Size, 1)), int(max(info.Size, 1))}
	}
	return Elem{info.Elem, info.Lanes, int(info.Size)}
}

func (a *Arg) bindBuffer(src *Source) error {
	d, err := src.Parse(a.Spec, ElemOf(a.Info))
	if err != nil {
		return err
	}
	a.Data = d
	return nil
}

var sizeRE = regexp.MustCompile(`^(len|width|height)\((\w+)\)$`)

func (a *Arg) bindOther(src *Source, args []*Arg, first *Data) error {
	switch {
	case a.Data != nil:
		return nil
	case a.Info.IsMemory():
		if first == nil {
			return fmt.Errorf("not given, and there is no other buffer to take its size from%s", src.give(a.Info.Name, "zeros(N)"))
		}
		d, err := src.New(ElemOf(a.Info), first.Shape...)
		if err != nil {
			return err
		}
		a.Data = d
		return nil
	case a.Info.IsImage():
		return a.imageLike(src, args, first)
	case a.Info.Kind == ssa.ArgSampler:
		return a.bindSampler()
	case !a.Set:
		return fmt.Errorf("not given%s", src.give(a.Info.Name, ""))
	case a.Info.Kind == ssa.ArgLocal:
		s, ok := strings.CutPrefix(a.Spec, "local(")
		n, err := strconv.Atoi(strings.TrimSuffix(s, ")"))
		if !ok || err != nil {
			return fmt.Errorf("expected local(BYTES), not %s", a.Spec)
		}
		a.Bound = exec.Arg{Kind: exec.LocalArg, Size: int64(n)}
		return nil
	}
	spec := a.Spec
	if m := sizeRE.FindStringSubmatch(spec); m != nil {
		of := Find(args, m[2])
		if of == nil || of.Data == nil {
			return fmt.Errorf("%s: there is no buffer argument %s", spec, m[2])
		}
		n := of.Data.Count()
		if m[1] != "len" {
			if len(of.Data.Shape) != 2 {
				return fmt.Errorf("%s: the buffer is %s and has no width and height: make it as zeros(640x480)", spec, ShapeText(of.Data.Shape))
			}
			n = of.Data.Shape[map[string]int{"height": 0, "width": 1}[m[1]]]
		}
		spec = strconv.Itoa(n)
	}
	if a.Info.Elem == numeric.Invalid {
		return errors.New("arguments of this type cannot be given on the command line")
	}
	b, err := value(spec, ElemOf(a.Info))
	if err != nil {
		return err
	}
	a.Bound = exec.Arg{Kind: exec.ValueArg, Bytes: b}
	return nil
}

// Range returns the sizes, the first dimension first, of the first given buffer or image.
func Range(args []*Arg) []int {
	for _, a := range args {
		if a.Data == nil || !a.Set {
			continue
		}
		if s := a.Data.Shape; len(s) == 2 {
			return []int{s[1], s[0]}
		}
		return []int{a.Data.Count()}
	}
	return nil
}

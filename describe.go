package purecl

import (
	"fmt"
	"image"
	"reflect"
	"strings"

	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/vec"
)

// describe names the kind and type of a value that was given as an argument.
func describe(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case string:
		return "a string"
	case error:
		return "an error"
	case Local:
		return fmt.Sprintf("%d bytes of local memory", int(x))
	case Sampler:
		return "a Sampler"
	case *Kernel, *Program, *Device, *Stream:
		return "a *" + reflect.TypeOf(v).Elem().Name()
	case Memory:
		if m := x.object(); m != nil {
			return "a buffer of " + typeName(m.elem)
		}
		return "a nil buffer"
	case image.Image:
		if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && rv.IsNil() {
			return "a nil picture"
		}
		return "a picture of type " + fmt.Sprintf("%T", v)
	}
	t := reflect.TypeOf(v)
	switch t.Kind() {
	case reflect.Slice:
		return "a slice of " + typeName(t.Elem())
	case reflect.Pointer:
		if reflect.ValueOf(v).IsNil() {
			return "a nil pointer to " + typeName(t.Elem())
		}
		return "a pointer to " + typeName(t.Elem())
	case reflect.Func:
		return "a function"
	case reflect.Chan:
		return "a channel"
	case reflect.Map:
		return "a map"
	case reflect.Struct:
		if t.Name() == "" {
			return "a struct"
		}
		return "a struct " + typeName(t)
	case reflect.Array:
		return article(typeName(t))
	case reflect.Bool:
		return fmt.Sprintf("the bool %v", v)
	}
	if goKind(t).kind != numeric.Invalid {
		return fmt.Sprintf("the %s %v", typeName(t), v)
	}
	return article(typeName(t))
}

func article(s string) string {
	if strings.ContainsRune("aeiou", rune(s[0])) && !strings.HasPrefix(s, "u") {
		return "an " + s
	}
	return "a " + s
}

var (
	goNames = [numeric.NumKinds]string{numeric.Bool: "bool", numeric.I8: "int8", numeric.U8: "uint8", numeric.I16: "int16", numeric.U16: "uint16", numeric.I32: "int32",
		numeric.U32: "uint32", numeric.I64: "int64", numeric.U64: "uint64", numeric.F16: "vec.Half", numeric.F32: "float32", numeric.F64: "float64"}
)

// vecName returns the name of a vector's type in package vec.
func vecName(k numeric.Kind, lanes int) string {
	n := k.CName()
	return fmt.Sprintf("vec.%s%s%d", strings.ToUpper(n[:1]), n[1:], lanes)
}

var vecPath = reflect.TypeFor[vec.Half]().PkgPath()

// typeName returns the name of a Go type as users write it.
func typeName(t reflect.Type) string {
	switch {
	case t.PkgPath() == vecPath && t.Kind() == reflect.Array:
		var lanes int
		fmt.Sscanf(t.Name(), "Vec%d[", &lanes)
		return vecName(goKind(t).kind, lanes)
	case t.Name() != "" || t.Kind() == reflect.Struct && t.NumField() == 0:
		return t.String()
	case t.Kind() == reflect.Struct:
		return "struct"
	case t.Kind() == reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), typeName(t.Elem()))
	case t.Kind() == reflect.Slice:
		return "[]" + typeName(t.Elem())
	case t.Kind() == reflect.Pointer:
		return "*" + typeName(t.Elem())
	}
	return t.String()
}

// goType returns the Go type of a number or vector of OpenCL C.
func goType(k numeric.Kind, lanes int) string {
	if lanes > 1 {
		return vecName(k, lanes)
	}
	return goNames[k]
}

// fits returns the Go type that fits the parameter best.
func (p *param) fits() string {
	switch p.Kind {
	case ssa.ArgValue:
		return goType(p.Type.K.Num(), int(p.Type.N))
	case ssa.ArgStruct:
		return "struct"
	case ssa.ArgLocal:
		return "purecl.Local"
	case ssa.ArgSampler:
		return "purecl.Sampler"
	case ssa.ArgImage:
		if types.Access(p.Access) == types.WriteOnly || types.Access(p.Access) == types.ReadWrite {
			return "*image.NRGBA"
		}
		return "image.Image"
	}
	switch {
	case p.Size == 0:
		return "[]byte"
	case p.ElemKind == ssa.Void:
		return "[]struct"
	}
	return "[]" + goType(p.ElemKind.Num(), int(p.ElemLanes))
}

// wants describes the arguments that fit.
func (p *param) wants() string {
	switch p.Kind {
	case ssa.ArgValue:
		k := p.Type.K.Num()
		switch {
		case p.Type.N > 1:
			return "give " + article(vecName(k, int(p.Type.N)))
		case k == numeric.I64 || k == numeric.F64:
			return "give " + article(goNames[k])
		case k.IsFloat():
			return "give " + article(goNames[k]) + " or a number that it holds"
		}
		return "give " + article(goNames[k]) + " or an int that it holds"
	case ssa.ArgStruct:
		if p.layout != nil {
			return "give\n" + goStruct(p.layout)
		}
		return fmt.Sprintf("give a struct of %d bytes", p.Size)
	case ssa.ArgLocal:
		return "give purecl.Local(n), n bytes for each work-group"
	case ssa.ArgSampler:
		return "give a purecl.Sampler"
	case ssa.ArgImage:
		switch types.Access(p.Access) {
		case types.WriteOnly, types.ReadWrite:
			return "give an *image.NRGBA, *image.RGBA or *image.Gray, which the kernel writes to in place"
		}
		return "give an image.Image"
	}
	switch {
	case p.Size == 0:
		return "give a slice, a buffer or nil"
	case p.ElemKind == ssa.Void && p.layout != nil:
		return "give a slice of\n" + goStruct(p.layout)
	case p.ElemKind == ssa.Void:
		return fmt.Sprintf("give a slice of structs of %d bytes", p.Size)
	}
	s := "give a slice or buffer of " + goType(p.ElemKind.Num(), int(p.ElemLanes))
	if p.ElemLanes > 1 {
		s += " or of " + goNames[p.ElemKind.Num()]
	}
	return s
}

package kerneltest

import (
	"fmt"
	"math/rand/v2"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// opencl12 is the option for OpenCL C 1.2.
const opencl12 = "-cl-std=CL1.2"

// traits are the style of a kernel and the switches of what it may contain.
type traits struct {
	style    style
	focus    []numeric.Kind // the kinds of most values; nil: any
	standard string         // the option for the version of OpenCL C
	generic  bool           // the generic address space exists
	barriers bool           // the kernel has barriers: no work-item returns before its end
	groups   bool           // the kernel queries ids in the work-group
	busy     bool           // many statements of a whole work-group
	slow     bool           // library functions of many instructions are allowed
	even     bool           // uniform control flow, contiguous accesses
	sparse   bool           // few accesses have neighbours: accesses without them prevent wide gangs
	wild     bool           // accesses will be out of bounds
	prints   bool           // the kernel may print
}

// A source is the lowest layer: random numbers, and the traits that weigh the choices. It makes up names, types and
// constants. It does not know the launch or the meaning of names.
type source struct {
	*rand.Rand
	traits
	nvar int // number of names used
}

// newSource returns the source of a seed, with traits that it picks.
func newSource(seed uint64, wild bool) source {
	g := source{Rand: rand.New(rand.NewPCG(seed, 21))}
	g.standard = oneOf(g, "-cl-std=CL3.0", "-cl-std=CL2.0", opencl12)
	g.generic = g.standard != opencl12
	g.style = oneOf(g, mixed, mixed, mixed, mixed, gridlike, gridlike, gridlike, straight, straight, cooperative, crossed)
	g.even = g.style == straight
	g.sparse = g.even && g.chance(2)
	if g.style == mixed {
		g.barriers = g.IntN(3) == 0
		if g.IntN(8) == 0 {
			g.barriers, g.busy = true, true
		}
		g.groups = g.barriers || g.IntN(4) == 0
		g.slow = g.IntN(6) == 0
	}
	if g.chance(4) {
		g.focus = oneOf(g, focuses...)
	}
	g.barriers = g.barriers || g.style == cooperative
	g.groups = g.groups || g.barriers
	g.wild = g.chance([]int{mixed: 12, gridlike: 4, straight: 6, cooperative: 8, crossed: 6}[g.style])
	g.wild = g.wild || wild
	return g
}

// A style is the main pattern of a kernel.
type style uint8

const (
	mixed       style = iota // anything
	gridlike                 // loops and neighbouring elements of buffers
	straight                 // uniform control flow, contiguous accesses
	cooperative              // work-items of a group cooperate in local memory
	crossed                  // loops over what rows and columns have; buffers are read or written
)

var kinds = []numeric.Kind{numeric.I8, numeric.U8, numeric.I16, numeric.U16, numeric.I32, numeric.U32, numeric.I64, numeric.U64, numeric.F16, numeric.F32, numeric.F64}

// focuses are sets of kinds. A kernel may use one of them for most values, so that values of one type go through
// many operations.
var focuses = [][]numeric.Kind{
	{numeric.U8}, {numeric.I8, numeric.U8}, {numeric.I16, numeric.U16}, {numeric.U8, numeric.I16, numeric.I32},
	{numeric.U32}, {numeric.I64, numeric.U64}, {numeric.I64, numeric.I32, numeric.F64}, {numeric.F16, numeric.F32}, {numeric.F32},
}

// oneOf returns a random element of a list.
func oneOf[T any](g interface{ IntN(n int) int }, list ...T) T { return list[g.IntN(len(list))] }

func (g *source) chance(n int) bool { return g.IntN(n) == 0 }

func (g *source) name(prefix string) string {
	g.nvar++
	return fmt.Sprint(prefix, g.nvar)
}

// kind picks a kind of numbers.
func (g *source) kind() numeric.Kind {
	if len(g.focus) > 0 && !g.chance(4) {
		return g.focus[g.IntN(len(g.focus))]
	}
	return kinds[g.IntN(len(kinds))]
}

func (g *source) scalar() Type { return Type{g.kind(), 1} }

// typ picks a type, most often a scalar.
func (g *source) typ() Type {
	t := g.scalar()
	if g.style != mixed && g.chance(8) {
		t.N = oneOf(g, 2, 3, 4, 8)
	} else if g.style == mixed && g.chance(3) {
		t.N = oneOf(g, 2, 2, 2, 3, 3, 4, 4, 4, 8, 8, 16)
	}
	return t
}

// sameSize returns a type with the size and number of components of t.
func (g *source) sameSize(t Type) Type {
	for {
		if u := t.with(kinds[g.IntN(len(kinds))]); u.size() == t.size() {
			return u
		}
	}
}

// literal is a constant of type t.
func (g *source) literal(t Type) string {
	if t.N > 1 {
		if g.chance(2) {
			return fmt.Sprintf("(%s)(%s)", t, g.literal(t.elem()))
		}
		s := fmt.Sprintf("(%s)(", t)
		for i := range t.N {
			if i > 0 {
				s += ", "
			}
			s += g.literal(t.elem())
		}
		return s + ")"
	}
	b := randomBits(g.Rand, t.Kind)
	switch {
	case t.Kind.IsInt() && t.Kind.Size() == 8:
		return fmt.Sprintf("(%s)%#xUL", t, b)
	case t.Kind.IsInt():
		return fmt.Sprintf("(%s)%#xu", t, b)
	case t.Kind == numeric.F64:
		return fmt.Sprintf("as_double(%#xUL)", b)
	case t.Kind == numeric.F32:
		if g.chance(2) {
			return oneOf(g, "0.0f", "1.0f", "-1.0f", "0.5f", "2.0f", "3.25f", "1e10f", "-1e-3f", "255.0f")
		}
		return fmt.Sprintf("as_float(%#xu)", b)
	}
	return fmt.Sprintf("as_half((ushort)%#x)", b)
}

// private returns the address space qualifier of private pointers.
func (g *source) private() string {
	if g.generic {
		return "private "
	}
	return ""
}

// specifier returns a function's specifier. Functions of wild kernels are always inlined, so that all executors
// know which loads of their arguments are dead.
func (g *source) specifier() string {
	s := oneOf(g, "", "static ", "inline ", "__attribute__((noinline)) ")
	if g.wild && len(s) > len("static ") {
		return "static "
	}
	return s
}

package builtin_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/types"
)

// edgeBits returns widthsMultiple arguments of a kind as bits: edge cases of functions, and some values between
// them.
func edgeBits(k types.Kind) []uint64 {
	var list []uint64
	size := 8 * types.ScalarType(k).Size()
	if k >= types.Char && k <= types.ULong {
		for _, b := range []uint64{0, 1, 2, 3, 5, 7, 8, 15, 31, 33, 63, 100} {
			top := uint64(1) << (size - 1)
			list = append(list, b, -b, top-b, b*0x9e3779b97f4a7c15>>3)
		}
		return list
	}
	// Sign, exponent and significand, which has mant bits.
	mant := map[types.Kind]int{types.Half: 10, types.Float: 23, types.Double: 52}[k]
	inf := (uint64(1)<<(int(size)-1-mant) - 1) << mant
	one := inf >> 1 &^ (1<<mant - 1)
	ulp := uint64(1) << mant
	for _, b := range []uint64{
		0, 1, 0x1f, ulp - 1, ulp, ulp + 3, one / 2, one - ulp, one - 1, one, one + 1, one + ulp/2, one + ulp, one + ulp + ulp/4,
		one + 2*ulp + ulp/2, one + 3*ulp + 5, one + 4*ulp + ulp/3, one + 6*ulp + 77, one + 8*ulp + ulp/7, one + 10*ulp, one + 12*ulp + 1, inf - 1, inf, inf + ulp/2,
	} {
		list = append(list, b, b|1<<(size-1))
	}
	return list
}

// A widthGroup is the forms of one function that do the same to each component.
type widthGroup struct {
	params []types.Kind // of the values, as scalars
	shared []bool       // some form has a scalar there beside vectors
	forms  map[int][]*builtin.Overload
}

// add adds a form whose value parameters have lanes components.
func (g *widthGroup) add(o *builtin.Overload, lanes int) {
	g.forms[lanes] = append(g.forms[lanes], o)
	j := 0
	for _, p := range o.Params {
		if !p.IsPointer() {
			g.shared[j] = g.shared[j] || p.Lanes() != lanes
			j++
		}
	}
}

// componentwise returns the kinds of an overload's value parameters and its number of components; ok is false if it
// does not act on each component separately.
func componentwise(o *builtin.Overload) (params []types.Kind, lanes int, ok bool) {
	lanes = o.Result.Lanes()
	if o.Result.IsVoid() || o.Result.IsPointer() {
		return nil, 0, false
	}
	for _, p := range o.Params {
		elem := p.Unqualified()
		if p.IsPointer() {
			if p.Elem.Space != types.Private {
				return nil, 0, false
			}
			elem = p.Elem.Unqualified()
		}
		if !elem.IsArithmetic() && !elem.IsVector() || elem.Lanes() != lanes && (elem.Lanes() != 1 || p.IsPointer()) {
			return nil, 0, false
		}
		if !p.IsPointer() {
			params = append(params, elem.Element().Kind)
		}
	}
	return params, lanes, len(params) > 0
}

// TestWidths calls every function that acts on each component separately with scalars and with vectors of every
// number of components, and compares the bits. A body of lib/*.cl is written once for all of them, although a
// comparison gives 1 for scalars and -1 for vectors.
func TestWidths(t *testing.T) {
	env := &builtin.Env{Std: 300, Types: types.NewContext(), Enabled: func(name string) bool { return !strings.Contains(name, "ext_fp16") }}
	for name := range builtin.Names(env) {
		groups := map[string]*widthGroup{}
		for o := range builtin.Overloads(env, name) {
			spec := o.Row.Spec
			if !strings.HasPrefix(spec, "Math") && !strings.HasPrefix(spec, "Integer") && !strings.HasPrefix(spec, "Common") && !strings.HasPrefix(spec, "Relational") ||
				name == "select" || strings.HasPrefix(name, "dot") { // select's scalar condition is any nonzero number
				continue
			}
			if params, lanes, ok := componentwise(o); ok && o.Impl() != builtin.ImplNone {
				key := fmt.Sprint(params)
				if groups[key] == nil {
					groups[key] = &widthGroup{params, make([]bool, len(params)), map[int][]*builtin.Overload{}}
				}
				groups[key].add(o, lanes)
			}
		}
		for key, g := range groups {
			if len(g.forms) > 1 {
				t.Run(name+key, func(t *testing.T) { t.Parallel(); g.compare(t) })
			}
		}
	}
}

// compare compares all forms with the first one of the fewest components.
func (g *widthGroup) compare(t *testing.T) {
	args := g.args()
	var first [][]byte
	var firstKey string
	for _, n := range widths {
		for _, o := range g.forms[n] {
			outs := runOverload(t, o, n, args)
			if first == nil {
				first, firstKey = outs, o.Key
			}
			for i := range outs {
				if !bytes.Equal(outs[i], first[i]) {
					size := len(outs[i]) / (len(args[0]) / int(types.ScalarType(g.params[0]).Size()))
					at := 0
					for outs[i][at] == first[i][at] {
						at++
					}
					at /= size
					var in []string
					for j, a := range args {
						s := int(types.ScalarType(g.params[j]).Size())
						in = append(in, fmt.Sprintf("%#x", bitsOf(a[at*s:][:s])))
					}
					t.Errorf("result %d of (%s): %s gives %#x, %s %#x", i, strings.Join(in, ", "), firstKey, bitsOf(first[i][at*size:][:size]), o.Key, bitsOf(outs[i][at*size:][:size]))
				}
			}
		}
	}
}

func bitsOf(b []byte) uint64 {
	var w [8]byte
	copy(w[:], b)
	return binary.LittleEndian.Uint64(w[:])
}

// args returns the elements of each parameter: all edge cases of the first parameter that no form shares among
// components, for each combination of those of the others, which are equal over widthsMultiple elements.
func (g *widthGroup) args() [][]byte {
	each := []int{1, 1, widthsMultiple, 8, 4}[len(g.params)]
	combinations := int(math.Pow(float64(each), float64(len(g.params)-1)))
	varying := slices.Index(g.shared, false)
	args := make([][]byte, len(g.params))
	for c := range combinations {
		rest := c
		for j, k := range g.params {
			edges, size := edgeBits(k), types.ScalarType(k).Size()
			pick := rest % each * (widthsMultiple / each)
			if j != varying {
				rest /= each
			}
			for i := range widthsMultiple {
				if j == varying {
					pick = i
				}
				args[j] = append(args[j], binary.LittleEndian.AppendUint64(nil, edges[pick])[:size]...)
			}
		}
	}
	return args
}

// runOverload runs an overload of n components on all elements. It returns the bytes of its result and of the
// values that it stores through pointers. A truth value is 0 or 1 in a byte.
func runOverload(t *testing.T, o *builtin.Overload, n int, args [][]byte) [][]byte {
	load, store, lanes := "a%[1]d[i]", "o%[1]d[i] = %[2]s;", ""
	if n > 1 {
		lanes = fmt.Sprint(n)
		load, store = "vload"+lanes+"(i, a%[1]d)", "vstore"+lanes+"(%[2]s, i, o%[1]d);"
	}
	var params, call, before, after []string
	var buffers, outs [][]byte
	elements := 0
	output := func(typ *types.Type, value string) {
		j := len(outs)
		params = append(params, fmt.Sprintf("global %s *o%d", typ.Element().Name, j))
		after = append(after, fmt.Sprintf(store, j, value))
		outs = append(outs, make([]byte, elements*int(typ.Element().Size())))
	}
	for _, p := range o.Params {
		if p.IsPointer() {
			continue
		}
		j, elem := len(buffers), p.Unqualified()
		elements = len(args[j]) / int(elem.Element().Size())
		params = append(params, fmt.Sprintf("global const %s *a%d", elem.Element().Name, j))
		buffers = append(buffers, args[j])
	}
	values := 0
	for i, p := range o.Params {
		switch {
		case p.IsPointer():
			elem := p.Elem.Unqualified()
			before = append(before, fmt.Sprintf("%s p%d;", elem, i))
			call = append(call, fmt.Sprintf("&p%d", i))
			output(elem.Type, fmt.Sprintf("p%d", i))
		case p.Lanes() == n:
			call = append(call, fmt.Sprintf(load, values))
			values++
		default:
			call = append(call, fmt.Sprintf("a%d[i * %d]", values, n))
			values++
		}
	}
	result := o.Result.Unqualified()
	before = append(before, fmt.Sprintf("%s r = %s(%s);", result, o.Row.Name, strings.Join(call, ", ")))
	if strings.HasPrefix(o.Row.Name, "is") || o.Row.Name == "signbit" {
		truth := "r != 0" // 1 for a scalar, -1 for a vector
		if n > 1 {
			truth = fmt.Sprintf("-convert_char%s(r != (%s)0)", lanes, result)
		}
		output(types.ScalarType(types.Char), truth)
	} else {
		output(result.Type, "r")
	}
	source := fmt.Sprintf("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(%s) {\n\tsize_t i = get_global_id(0);\n\t%s\n\t%s\n}",
		strings.Join(params, ", "), strings.Join(before, "\n\t"), strings.Join(after, "\n\t"))
	build(t, source).run(t, elements/n, 0, append(buffers, outs...)...)
	return outs
}

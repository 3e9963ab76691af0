package difftest

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var every = flag.Bool("every", false, "all executors and all sizes of vectors, not some of them for each function")

// TestBuiltins calls the overloads of builtin functions on numbers, with random operands and edge cases. Machine
// code must give the reference executor's bits. It tests one number of components and one executor for each
// function and element type.
func TestBuiltins(t *testing.T) {
	env := &builtin.Env{Std: 300, Types: types.NewContext(), Enabled: func(name string) bool { return !strings.Contains(name, "ext_fp16") }}
	all := MachineExecutors()
	done, made := 0, 0
	for name := range builtin.Names(env) {
		sorts := map[string][]*filetest.Case{} // cases that differ only in the number of components
		for o := range builtin.Overloads(env, name) {
			if c, sort := overloadCase(o); c != nil {
				sorts[sort] = append(sorts[sort], c)
			}
		}
		for sort, cases := range sorts {
			seed := hash(name + sort)
			execs := all
			if n := uint64(len(all)); !*every {
				i := seed % uint64(len(cases))
				cases = cases[i : i+1]
				if n > 0 {
					execs = []exec.Executor{all[seed/7%n]}
				}
			}
			for _, c := range cases {
				r := Check(c, Options{Executors: execs})
				if r.Err != nil {
					t.Errorf("%v\n%s", r.Err, c.Source)
				}
				for _, p := range r.Problems {
					t.Errorf("%s: %s\n%s", p.Executor, p.Text, c.Source)
				}
				done++
				made += r.Machine
			}
		}
	}
	t.Logf("%d overloads, %d times machine code", done, made)
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// overloadCase returns a kernel that applies an overload to numbers, nil if it has other operands or results.
// Overloads with equal sort differ only in the number of components. Work-group functions have their own tests.
func overloadCase(o *builtin.Overload) (c *filetest.Case, sort string) {
	const n = 37
	if o.Impl() == builtin.ImplNone || len(o.Params) == 0 || strings.HasPrefix(o.Row.Name, "work_group_") || strings.HasPrefix(o.Row.Name, "sub_group_") {
		return nil, ""
	}
	c = &filetest.Case{Path: o.Row.Name + ".cl", Options: "-cl-std=CL3.0", Global: []int{n}}
	rng := rand.New(rand.NewPCG(hash(o.Key), 3))
	var params, args []string
	locals, after := "", ""
	add := func(typ types.QType, qualifier, name string) bool {
		ft, ok := filetest.ParseType(typ.Unqualified().String())
		if !ok {
			return false
		}
		params = append(params, fmt.Sprintf("global %s%s *%s", qualifier, typ.Unqualified().String(), name))
		data := kerneltest.RandomData(rng, kerneltest.Type{Kind: ft.Kind, N: ft.Lanes}, n)
		c.Args = append(c.Args, filetest.Arg{Name: name, Type: ft, Buffer: true, Count: n, Data: data})
		sort += " " + ft.Kind.String()
		return true
	}
	for i, p := range o.Params {
		name := fmt.Sprint("a", i)
		switch {
		case p.Kind == types.Pointer && p.Elem.Space == types.Private:
			if !add(p.Elem, "", name) {
				return nil, ""
			}
			locals += fmt.Sprintf("  %s v%d = %s[i];\n", p.Elem.Unqualified().String(), i, name)
			after += fmt.Sprintf("  %s[i] = v%d;\n", name, i)
			args = append(args, fmt.Sprintf("&v%d", i))
		case add(p, "const ", name):
			args = append(args, name+"[i]")
		default:
			return nil, ""
		}
	}
	if !add(o.Result, "", "r") {
		return nil, ""
	}
	c.Source = fmt.Appendf(nil, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable\nkernel void k(%s) {\n  int i = get_global_id(0);\n%s  r[i] = %s(%s);\n%s}\n",
		strings.Join(params, ", "), locals, o.Row.Name, strings.Join(args, ", "), after)
	return c, sort
}

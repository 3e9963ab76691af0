package builtin_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestAllOverloads compiles a call of every implemented overload and verifies the SSA: each Emit, and each body for
// each type and number of components.
func TestAllOverloads(t *testing.T) {
	env := &builtin.Env{Std: 300, Types: types.NewContext(), Enabled: func(name string) bool { return !strings.Contains(name, "ext_fp16") }} // with requirements that programs do not see
	none := 0
	for name := range builtin.Names(env) {
		var b strings.Builder
		b.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n")
		n := 0
		for o := range builtin.Overloads(env, name) {
			if o.Impl() == builtin.ImplNone {
				none++
				continue
			}
			if o.Row.Name == "wait_group_events" && o.Params[1].Elem.Space != types.Private {
				continue // events are only in private memory
			}
			writeCaller(&b, o, n)
			n++
		}
		if n == 0 {
			continue
		}
		res, err := compile.Compile(context.Background(), name+".cl", []byte(b.String()), &compile.Options{Source: option.Source{Std: opencl.CL30}, Verify: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, f := range res.Module.Funcs {
			for _, blk := range f.Blocks {
				for _, v := range blk.Values {
					if v.Op == ssa.OpExtern {
						t.Errorf("%s: %v stays external", name, v.Sym)
					}
				}
			}
		}
	}
	t.Logf("%d overloads without an implementation", none)
}

// writeCaller writes a kernel that passes arguments of exactly the overload's types.
func writeCaller(b *strings.Builder, o *builtin.Overload, n int) {
	var params, args []string
	for i, p := range o.Params {
		switch {
		case strings.HasSuffix(o.Row.Name, "printf"):
			args = append(args, `"%d"`)
		case p.Kind == types.Pointer && (p.Elem.Space == types.Private || p.Elem.Space == types.Generic):
			elem := p.Elem.Unqualified()
			if elem.Kind == types.Void {
				elem = types.Q(types.ScalarType(types.Int))
			}
			s := ""
			if p.Elem.Space == types.Generic {
				s = fmt.Sprintf("(__generic %s *)", elem.String())
			}
			args = append(args, fmt.Sprintf("%sa%dp", s, i))
		case p.Kind == types.Pointer:
			params = append(params, fmt.Sprintf("%s a%d", p.String(), i))
			args = append(args, fmt.Sprintf("a%d", i))
		case p.Kind == types.Event:
			args = append(args, "e")
		default:
			params = append(params, fmt.Sprintf("%s a%d", p.String(), i))
			args = append(args, fmt.Sprintf("a%d", i))
		}
	}
	fmt.Fprintf(b, "kernel void k%d(%s) {\n\tevent_t e = 0;\n", n, strings.Join(params, ", "))
	for i, p := range o.Params {
		if p.Kind == types.Pointer && (p.Elem.Space == types.Private || p.Elem.Space == types.Generic) && o.Row.Name != "printf" {
			elem := p.Elem.Unqualified()
			if elem.Kind == types.Void {
				elem = types.Q(types.ScalarType(types.Int))
			}
			fmt.Fprintf(b, "\tprivate %[1]s a%[2]dv; private %[1]s *a%[2]dp = &a%[2]dv;\n", elem.String(), i)
		}
	}
	fmt.Fprintf(b, "\t%s(%s);\n}\n", o.Row.Name, strings.Join(args, ", "))
}

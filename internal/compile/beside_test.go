package compile_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/diag"
)

// TestBeside compiles long programs, right and wrong, with one processor, where each phase
// follows the one before, and with several: nothing may differ.
func TestBeside(t *testing.T) {
	long := longKernel(t, 1500)
	half := len(long)/2 + bytes.IndexByte(long[len(long)/2:], '\n') + 1
	half += bytes.Index(long[half:], []byte("\n}\n")) + 3 // between two functions
	insert := func(text string) []byte { return slices.Concat(long[:half], []byte(text), long[half:]) }
	wrong := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "void wrong%d(int a) { int unused; a = missing%d; }\n", i, i)
		}
		return b.String()
	}
	for name, src := range map[string][]byte{
		"right":             long,
		"warnings":          insert("static int nobody(int a) { int b = a; return a; }\n#pragma unroll LATE\n"),
		"pragma with name":  insert("enum { LATE = 4 };\nvoid f(void) {\n#pragma unroll LATE\n\tfor (int i = 0; i < 9; i++) ;\n}\n"),
		"wrong":             insert(wrong(3)),
		"too much wrong":    insert(wrong(40)),
		"syntax":            insert("void f(void) { int a = ; }\n" + wrong(3)),
		"syntax after":      append(insert(wrong(3)), "void f(void) { int a = ; }\n"...),
		"syntax before":     append([]byte("int f( { }\n"), insert(wrong(3))...),
		"syntax, too much":  insert(strings.Repeat("void f(void) { int a = ; }\n", 40)),
		"typo of a type":    append(insert("void f(void) { flaot4 x; }\n"), wrong(2)...),
		"directive":         insert("#unheard of\n" + wrong(3)),
		"unterminated":      append(bytes.Clone(long), "void f(void) {"...),
		"end inside":        long[:half+40],
		"undefined at last": append(bytes.Clone(long), "int later(int);\nvoid f(global int *p) { *p = later(1); }\nvoid g(void) { h(); }\n"...),
	} {
		for _, until := range []compile.Phase{compile.Check, compile.IRGen} {
			show := func(procs int) string {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				res, err := compile.Compile(context.Background(), "k.cl", src, &compile.Options{Until: until, Diag: diag.Config{Enable: map[string]bool{"everything": true}}})
				var b strings.Builder
				fmt.Fprintln(&b, err)
				for _, d := range res.Diags {
					fmt.Fprintln(&b, res.Source.Location(d.Span.Pos), d.Severity, d.Message, d.Notes, d.Labels)
				}
				if res.Module != nil {
					b.WriteString(res.Module.String())
				}
				return b.String()
			}
			one, several := show(1), show(4)
			if one != several {
				t.Errorf("%s: one processor gives\n%.3000s\nseveral give\n%.3000s", name, one, several)
			}
			if name != "right" && strings.Count(one, "k.cl:") < 1 {
				t.Errorf("%s: nothing reported", name)
			}
		}
	}
}

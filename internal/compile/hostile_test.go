package compile_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/compile"
)

// TestHostile: deeply nested and very long programs compile or give a diagnostic, in bounded time and memory.
func TestHostile(t *testing.T) {
	many := func(n int, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(f(i))
		}
		return b.String()
	}
	const n = 5000
	body := func(s string) string { return "kernel void k(global int *p, int a) {\n" + s + "\n}\n" }
	for name, src := range map[string]string{
		"sum":         body("*p = a" + strings.Repeat(" + a", n) + ";"),
		"mixed sum":   body("*p = a" + strings.Repeat(" + 1.5f", n) + ";"),
		"compare":     body("*p = a" + strings.Repeat(" < a", n) + ";"),
		"and":         body("*p = a" + strings.Repeat(" && a", n) + ";"),
		"or in if":    body("if (a" + strings.Repeat(" || p[a]", n) + ") *p = 1;"),
		"comma":       body(strings.Repeat("a++, ", n) + "a++;"),
		"else if":     body(many(n, func(i int) string { return fmt.Sprintf("if (a == %d) *p = %d; else ", i, i) }) + "*p = -1;"),
		"cases":       body("switch (a) {" + many(n, func(i int) string { return fmt.Sprintf("case %d: *p += %d;", i*3, i) }) + "}"),
		"case ranges": body("switch (a) {" + many(200, func(i int) string { return fmt.Sprintf("case %d ... %d: *p += %d; break;", i*1000, i*1000+900, i) }) + "}"),
		"statements":  body(strings.Repeat("p[a] += a;\n", n)),
		"labels":      body(many(n, func(i int) string { return fmt.Sprintf("L%d: if (p[%d]) goto L%d;\n", i, i, (i*7919)%n) }) + ";"),
		"variables":   body(many(n, func(i int) string { return fmt.Sprintf("int v%d = p[%d]; ", i, i) }) + "*p = 0" + many(n, func(i int) string { return fmt.Sprintf("+v%d", i) }) + ";"),
		"calls":       "int f0(int x) { return x; }\n" + many(2000, func(i int) string { return fmt.Sprintf("int f%d(int x) { return f%d(x) + 1; }\n", i+1, i) }) + body("*p = f2000(a);"),
		"call bombs":  "int f0(int x) { return x * 3; }\n" + many(40, func(i int) string { return fmt.Sprintf("int f%d(int x) { return f%d(x) + f%d(x + 1); }\n", i+1, i, i) }) + body("*p = f40(a);"),
		"table":       "constant int t[] = {" + strings.Repeat("1, ", 100*n) + "};\n" + body("*p = t[a];"),
		"big private": body("int big[1 << 20]; for (int i = 0; i < 5; i++) big[i * a] = i; *p = big[a];"),
		"big zero":    body("int big[1 << 24] = {1}; *p = big[a];"),
		"huge global": "constant int t[1 << 28] = {[(1 << 20)] = 1};\n" + body("*p = t[a];"),
		"parens":      body("*p = " + strings.Repeat("(", 100000) + "a" + strings.Repeat(")", 100000) + ";"),
		"unary":       body("*p = " + strings.Repeat("- ", 100000) + "a;"),
		"ternaries":   body("*p = " + strings.Repeat("a ? 1 : ", n) + "2;"),
		"loops":       body(strings.Repeat("for (int i = 0; i < a; i++) ", 200) + "*p += i;"),
		"swizzles":    body("int4 v = a; *p = v" + strings.Repeat(".xyzw", n) + ".x;"),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, err := compile.Compile(context.Background(), "hostile.cl", []byte(src), &compile.Options{Verify: true})
			var internal *compile.InternalError
			if errors.As(err, &internal) {
				t.Errorf("%v\n%s", err, internal.Stack)
			}
			msg := "compiled"
			if err != nil {
				msg, _, _ = strings.Cut(err.Error(), "\n")
			}
			t.Logf("%v: %.150s", time.Since(start), msg)
		})
	}
}

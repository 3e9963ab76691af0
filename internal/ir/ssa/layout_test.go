package ssa

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/numeric"
)

func TestParseLayout(t *testing.T) {
	l, err := ParseLayout("{pos@0:f32x3 i@16:{c@0:i8 d@8:f64[2]}24[3] u@88:?4 @92:u16[3][2]}104")
	if err != nil {
		t.Fatal(err)
	}
	if l.Size != 104 || len(l.Fields) != 4 || l.Fields[0].Layout.Size != 16 || l.Fields[0].Layout.Lanes != 3 {
		t.Errorf("%+v", l)
	}
	in := l.Fields[1]
	if in.Offset != 16 || in.Layout.Len != 3 || in.Layout.Size != 72 || in.Layout.Elem.Fields[1].Layout.Elem.Kind != numeric.F64 {
		t.Errorf("%+v", in)
	}
	if m := l.Fields[3].Layout; m.Len != 2 || m.Elem.Len != 3 || m.Size != 12 {
		t.Errorf("%+v", m)
	}
	for _, bad := range []string{"", "f3", "f32x", "{", "{a@0:f32", "{a:f32}4", "f32[", "f32[1", "f32]", "?", "f32x4y", "{a@x:f32}4", "f32[99999999999999999999]", strings.Repeat("{a@0:", 100) + "i8"} {
		if l, err := ParseLayout(bad); err == nil {
			t.Errorf("%q is %+v", bad, l)
		}
	}
}

// TestLayoutText: a layout is unchanged by printing and parsing.
func TestLayoutText(t *testing.T) {
	const text = "kernel @k(v0 ptr.constant) {\n  arg kind=struct name=\"p\" typename=\"P\" size=8 align=4 layout=\"{x@0:i32 y@4:f32}8\"\nb0:\n  return\n}\n"
	m, err := ParseText("t", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if a := m.Func("k").Kernel.Args[0]; a.Layout != "{x@0:i32 y@4:f32}8" || !strings.Contains(m.String(), `layout="{x@0:i32 y@4:f32}8"`) {
		t.Errorf("%+v\n%s", a, m)
	}
}

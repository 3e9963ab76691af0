package gosource

import (
	"strings"
	"testing"
)

const head = "package p\n\nimport (\n\t\"regexp\"\n\tcl \"github.com/purecl/purecl\"\n)\n\n"

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name, code, source, options string
		certain                     bool
	}{
		{"raw", "var p, _ = cl.Compile(`kernel void k() {}`)\n", "kernel void k() {}", "", true},
		{"device", "func f(d *cl.Device) { d.Compile(`int x;`, \"-DN=1\", \"-w\") }\n", "int x;", "-DN=1 -w", true},
		{"constant", "const src = `int x;`\nfunc f() { cl.Compile(src) }\n", "int x;", "", true},
		{"escapes", "var p, _ = cl.Compile(\"int x;\\n\\tint y;\\u00e9\")\n", "int x; \n \tint y;    é", "", true},
		{"sum", "var p, _ = cl.Compile(`int x;` + \"int y;\")\n", "int x;     int y;", "", true},
		{"unknown options", "func f(o string) { cl.Compile(`int x;`, o) }\n", "int x;", "", false},
		{"list of options", "func f(o []string) { cl.Compile(`int x;`, o...) }\n", "int x;", "", false},
		{"broken Go", "func f() { cl.Compile(`int x;`); if {\n", "int x;", "", true},
	} {
		text := head + c.code
		list, _ := Find([]byte(text))
		if len(list) != 1 {
			t.Errorf("%s: %d literals", c.name, len(list))
			continue
		}
		l := list[0]
		if len(l.Text) != len(text) || strings.Count(string(l.Text), "\n") < strings.Count(text, "\n") {
			t.Errorf("%s: offsets or lines differ", c.name)
		}
		if got := strings.TrimSpace(string(l.Text)); got != c.source || l.Options != c.options || l.Certain != c.certain {
			t.Errorf("%s: got %q, %q, %v", c.name, got, l.Options, l.Certain)
		}
	}
	for _, code := range []string{"var r, _ = regexp.Compile(`(`)\n", "func f(s string) { cl.Compile(s) }\n", "var s = `kernel void k() {}`\n", "func f() { cl.Compile() }\n", "\x00("} {
		if list, embeds := Find([]byte(head + code)); len(list)+len(embeds) > 0 {
			t.Errorf("%s: found %v, %v", code, list, embeds)
		}
	}
	if list, _ := Find([]byte("package p\n\nvar p, _ = cl.Compile(`int x;`)\n")); len(list) > 0 {
		t.Error("found a kernel in a file that does not import purecl")
	}
}

func TestFindFiles(t *testing.T) {
	text := head + "//go:embed a.cl\nvar a string\n\n//go:embed *.cl\nvar all string\n\nfunc f(d *cl.Device, fsys any) {\n\tcl.Compile(a, \"-w\")\n\tcl.Compile(all)\n\tcl.CompileFile(\"b.cl\")\n\td.CompileFS(fsys, \"c.cl\", \"-DN\")\n}\n"
	_, list := Find([]byte(text))
	var got []string
	for _, e := range list {
		got = append(got, strings.Trim(text[e.Start:e.End], `"`)+" "+e.File+" "+e.Options)
	}
	if want := "a.cl a.cl -w,b.cl b.cl ,c.cl c.cl -DN"; strings.Join(got, ",") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

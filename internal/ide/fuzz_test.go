package ide_test

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ide"
)

// corpus returns the repository's kernels and the sources of the checker's tests.
func corpus(t testing.TB) (list []string) {
	t.Helper()
	for _, dir := range []string{"../front/check/testdata", "../front/builtin/lib", "../../examples", "../../cmd/purecl/testdata", "../run/interp/testdata"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(path, "testdata/fuzz") {
				return err
			}
			switch filepath.Ext(path) {
			case ".cl", ".txt", ".txtar":
				text, err := os.ReadFile(path)
				if err == nil && len(text) < 20000 {
					list = append(list, string(text))
				}
				return err
			}
			return nil
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if len(list) < 50 {
		t.Fatalf("the corpus has %d files only", len(list))
	}
	return list
}

// pieces are the texts that random edits insert.
var pieces = []string{".", "->", "(", ")", "{", "}", "[", "]", ";", ",", "\"", "'", "/*", "*/", "//", "#", "##", "\\\n", "\n", " ", "struct", "struct x {", "enum {", "typedef ", "int ", "float4 ",
	"(float4)(", "#define X ", "#define F(a, b) a##b\n", "F(x, y)", "#include \"h.h\"\n", "#if 1\n", "#else\n", "#endif\n", "kernel void k(", "global ", "for (", "if (", "switch (x) { case 1:", "return", "goto l; l:",
	"v.xy", "a.b->c", "= {.x = 1, [2] = ", "sizeof(", "__attribute__((", "fmax(", "convert_int4_sat(", "x = ", "?", ":", "1", "0x", "1.5f", "é", "\x00", "\xff", "__builtin_astype(", "__builtin_offsetof(", "({", "typeof("}

// edited returns a text after random edits.
func edited(text string, r *rand.Rand, n int) string {
	for range n {
		at := r.IntN(len(text) + 1)
		switch r.IntN(4) {
		case 0: // delete a part
			end := min(len(text), at+r.IntN(30))
			text = text[:at] + text[end:]
		case 1: // delete the rest
			if r.IntN(4) == 0 {
				text = text[:at]
			}
		case 2: // repeat a part elsewhere
			from := r.IntN(len(text) + 1)
			end := min(len(text), from+r.IntN(60))
			text = text[:at] + text[from:end] + text[at:]
		default:
			text = text[:at] + pieces[r.IntN(len(pieces))] + text[at:]
		}
	}
	return text
}

// answers calls every method at some positions, and checks that returned ranges are inside of the files.
func answers(t *testing.T, text string, r *rand.Rand) {
	t.Helper()
	const header = "typedef struct { int a; } inner;\n#define H(x) x.a\nint from_header(inner i);\n"
	read := func(name string) ([]byte, error) {
		if strings.HasSuffix(name, "h.h") {
			return []byte(header), nil
		}
		return nil, fs.ErrNotExist
	}
	s, err := ide.New(context.Background(), "/w/k.cl", []byte(text), ide.Options{ReadFile: read, ListDir: func(string) []string { return []string{"h.h", "d/"} }})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.InternalError(); err != nil {
		t.Fatalf("%v\nof\n%s", err, text)
	}
	inside := func(what string, x ide.Range) {
		t.Helper()
		if n := len(s.FileText(x.File)); x.Start < 0 || x.End < x.Start || x.End > n {
			t.Fatalf("%s: %+v of a file of %d bytes\nof\n%s", what, x, n, text)
		}
	}
	for _, d := range s.Diagnostics() {
		inside("diagnostic", d.Range)
		for _, x := range d.Related {
			inside("related", x.Range)
		}
		if d.Fix != nil {
			inside("fix", d.Fix.Range)
		}
	}
	for _, x := range s.Symbols("/w/k.cl") {
		inside("symbol", x.Whole)
		if x.At.Start < x.Whole.Start || x.At.End > x.Whole.End {
			t.Fatalf("the name of %s is outside of it\nof\n%s", x.Name, text)
		}
	}
	whole := ide.Range{File: "/w/k.cl", Start: 0, End: len(text)}
	last := 0
	for _, x := range s.Tokens(whole) {
		inside("token", x.Range)
		if x.Start < last {
			t.Fatalf("tokens overlap at %d\nof\n%s", x.Start, text)
		}
		last = x.End
	}
	for _, x := range s.Conversions(whole) {
		inside("hint", x.At)
	}
	for range 8 {
		file, n := "/w/k.cl", len(text)
		if r.IntN(10) == 0 && len(s.Files()) > 1 {
			file, n = s.Files()[1], len(header)
		}
		off := r.IntN(n + 1)
		if h := s.Hover(file, off); h != nil {
			inside("hover", h.Range)
		}
		for _, c := range s.Complete(file, off) {
			inside("completion", c.Replace)
		}
		s.Signatures(file, off)
		for _, x := range s.Definition(file, off) {
			if x.File != "/w/h.h" {
				inside("definition", x)
			}
		}
		s.TypeDefinition(file, off)
		for _, x := range s.References(file, off) {
			inside("reference", x.Range)
		}
		if edits, err := s.Rename(file, off, "renamed"); err == nil {
			for _, e := range edits {
				inside("rename", e.Range)
			}
		}
	}
}

// TestEdits runs a part of FuzzEdits in every test run.
func TestEdits(t *testing.T) {
	list := corpus(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		answers(t, edited(list[r.IntN(len(list))], r, 1+r.IntN(8)), r)
	}
}

// FuzzEdits checks that every method works on a file after any edits.
func FuzzEdits(f *testing.F) {
	list := corpus(f)
	for i := range 50 {
		f.Add(uint64(i), uint64(i*i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, file, seed uint64, edits uint8) {
		r := rand.New(rand.NewPCG(seed, file))
		answers(t, edited(list[file%uint64(len(list))], r, int(edits%32)), r)
	})
}

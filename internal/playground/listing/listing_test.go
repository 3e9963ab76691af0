package listing

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestTargets checks that every target lists a kernel, on any machine, and that most instructions have a source
// line.
func TestTargets(t *testing.T) {
	text, err := os.ReadFile("../../../examples/mandelbrot/mandelbrot.cl")
	if err != nil {
		t.Fatal(err)
	}
	last := strings.Count(string(text), "\n")
	for _, target := range Targets() {
		in, _ := json.Marshal(Request{Text: string(text), Kernel: "mandelbrot", Target: target})
		out, _, err := Call("list", in, nil)
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		var l Listing
		if err := json.Unmarshal(out, &l); err != nil {
			t.Fatal(err)
		}
		of := map[int]int{}
		for _, x := range l.Lines {
			if x.Source < 0 || x.Source > last {
				t.Fatalf("%s: %+v is of line %d of %d", target, x, x.Source, last)
			}
			of[x.Source]++
		}
		if len(l.Lines) < 30 || of[9]+of[10] < 20 || 3*of[0] > 2*len(l.Lines) || l.Summary == "" {
			t.Errorf("%s: %d lines, %v by line of the source\n%s", target, len(l.Lines), of, l.Summary)
		}
	}
}

func TestMistakes(t *testing.T) {
	const good = "kernel void k(global int *p) { p[get_global_id(0)] = 1; }"
	for _, c := range []struct {
		r    Request
		want string
	}{
		{Request{Text: good, Kernel: "j", Target: "ptx"}, `there is no kernel "j"`},
		{Request{Text: good, Kernel: "k", Target: "z80"}, `there is no target "z80"; there are ` + strings.Join(Targets(), ", ")},
		{Request{Text: "kernel", Kernel: "k", Target: "ptx"}, "the source has errors"},
	} {
		if _, err := List(&c.r); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if _, _, err := Call("fly", nil, nil); err == nil {
		t.Error("no error of a method that there is not")
	}
}

package difftest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/purecl/purecl/internal/test/filetest"
)

// TestOtherSpace converts pointers of every address space to every other one and accesses memory through the
// result. A pointer to another space becomes null, so that the object does not change (Address Space Qualifier
// Functions, 6.15.12).
func TestOtherSpace(t *testing.T) {
	const lanes = 24
	declare := map[string]string{
		"private":  "int all[8] = {0, 0, 5, 6, 7, 8}; int *s = all + 2;",
		"local":    "local int all[8 * 24]; local int *s = all + 8 * i + 2; s[0] = 5; s[1] = 6; s[2] = 7; s[3] = 8;",
		"global":   "global int *s = own + 8 * i + 2; s[0] = 5; s[1] = 6; s[2] = 7; s[3] = 8;",
		"variable": "global int *s = kept + 8 * i + 2; s[0] = 5; s[1] = 6; s[2] = 7; s[3] = 8;",
	}
	space := map[string]string{"private": "private", "local": "local", "global": "global", "variable": "global"}
	places := []string{"0", "1", "(i & 3)", "(n & 3)"}
	access := []string{"*p = 9;", "for (int j = 0; j < n; j++) p[j - n] += 9;", "p[0] += p[1 - n];", "vstore2((int2)(9), 0, p);", "if (i % 3) *p ^= 9;"}
	for from, text := range declare {
		for _, to := range []string{"private", "local", "global"} {
			for k, place := range places {
				for a, use := range access {
					if (k+a)%3 != 0 { // a subset
						continue
					}
					src := fmt.Sprintf("global int kept[8 * 24];\nkernel void k(global int *out, global int *own, int n) {\n"+
						"  int i = get_global_id(0);\n  %s\n  int *g = (int *)(s + %s);\n  %s int *p = to_%s(g);\n  out[5 * i] = p != 0;\n"+
						"  int was = s[%s];\n  %s\n  for (int j = 0; j < 4; j++) out[5 * i + 1 + j] = s[j];\n  if (p != 0) s[%s] = was;\n}\n", text, place, to, to, place, use, place)
					c := &filetest.Case{Path: "spaces.cl", Source: []byte(src), Kernel: "k", Options: "-cl-std=CL2.0", Global: []int{lanes}, Local: []int{lanes}}
					argument := func(name, typ string, n int, buffer bool) {
						ft, _ := filetest.ParseType(typ)
						c.Args = append(c.Args, filetest.Arg{Name: name, Type: ft, Count: n, Buffer: buffer, Data: make([]byte, 4*n)})
					}
					argument("out", "int", 5*lanes, true)
					argument("own", "int", 8*lanes, true)
					argument("n", "int", 1, false)
					c.Args[2].Data[0] = 1
					sameEverywhere(t, c, space[from] != to)
				}
			}
		}
	}
}

// sameEverywhere runs a case on all executors and compares out. If untouched is set, out must have 0 and the values
// 5 to 8 for each work-item.
func sameEverywhere(t *testing.T, c *filetest.Case, untouched bool) {
	t.Helper()
	var want []byte
	if untouched {
		for range c.Global[0] {
			for _, w := range []byte{0, 5, 6, 7, 8} {
				want = append(want, w, 0, 0, 0)
			}
		}
	}
	for _, e := range Executors() {
		got, err := e.Run(c)
		if err != nil {
			t.Fatalf("%s: %v\n%s", e.Name, err, c.Source)
		}
		out := got.Buffers["out"]
		if want == nil {
			want = out
		}
		if !bytes.Equal(out, want) {
			t.Fatalf("%s: got % x\nwant % x\n%s", e.Name, out, want, c.Source)
		}
	}
}

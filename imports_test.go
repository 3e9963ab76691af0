package purecl_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// layers is the order of the rooms in docs/ARCHITECTURE.md: a package imports only
// packages above its own line.
var layers = []string{
	"internal/base/slab",
	"internal/base/timing",
	"internal/base/environment",
	"internal/base/fpenv",
	"internal/ir/numeric",
	"internal/run/image",
	"internal/base/npy",
	"internal/cpu/asm",
	"internal/front/diag",
	"internal/front/syntax",
	"internal/front/types",
	"internal/ir/ssa",
	"internal/ir/uniform",
	"internal/front/builtin",
	"internal/front/check",
	"internal/front/irgen",
	"internal/ir/opt",
	"internal/cpu/spmd",
	"internal/cpu/regalloc",
	"internal/cpu/codegen",
	"internal/run/interp",
	"internal/run/exec",
	"internal/run/launch",
	"internal/cpu/jit",
	"vec",
	"internal/compile",
	"internal/test/filetest",
	"internal/test/kerneltest",
	"internal/test/difftest",
	"internal/run/host",
	"",
	"cmd/purecl",
	"icd",
	"examples",
	"bench",
	"bench/compare",
	"clients",
	"internal/gen",
}

// TestImportGraph holds the architecture: packages know only those above them, and only
// the standard library reaches below the language.
func TestImportGraph(t *testing.T) {
	const module = "github.com/purecl/purecl"
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	layer := func(path string) (int, bool) {
		rel := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
		best := -1 // the longest that it stands in
		for i, l := range layers {
			if (rel == l || l != "" && strings.HasPrefix(rel, l+"/")) && (best < 0 || len(l) > len(layers[best])) {
				best = i
			}
		}
		return best, best >= 0
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	n := 0
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		n++
		at, ok := layer(p.ImportPath)
		if !ok {
			t.Errorf("%s stands in no layer: add it to layers and to docs/ARCHITECTURE.md", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			if imp == "C" && !strings.HasSuffix(p.ImportPath, "/icd") {
				t.Errorf("%s uses cgo", p.ImportPath)
			}
			if strings.HasPrefix(imp, module) {
				if to, ok := layer(imp); ok && to >= at && !strings.HasPrefix(imp, p.ImportPath+"/") {
					t.Errorf("%s imports %s, which stands below it", p.ImportPath, imp)
				}
			}
		}
	}
	if n < 10 {
		t.Errorf("go list named only %d packages", n)
	}
}

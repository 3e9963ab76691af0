package compile_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestLibrary: bodies of builtins are compiled once, and cloned into every program that calls them, from many
// goroutines concurrently. No external function remains.
func TestLibrary(t *testing.T) {
	const src = "kernel void k(global float4 *p) { p[0] = exp2(p[0]) + pown(p[1], (int4)(2)) + cross(p[2], p[3]) + fract(p[4], p + 5); }"
	var wg sync.WaitGroup
	texts := make([]string, 8)
	for i := range texts {
		wg.Go(func() {
			res, err := compile.Compile(context.Background(), fmt.Sprint(i), []byte(src), &compile.Options{Verify: true})
			if err != nil {
				t.Error(err)
				return
			}
			texts[i] = res.Module.String()
			for _, f := range res.Module.Funcs {
				for _, b := range f.Blocks {
					for _, v := range b.Values {
						if v.Op == ssa.OpExtern {
							t.Errorf("%v is external", v.Sym)
						}
					}
				}
			}
		})
	}
	wg.Wait()
	for _, s := range texts {
		if s != texts[0] {
			t.Error("the same program gave different code")
		}
	}
}

package ptx_test

import (
	"context"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/ptx"
)

// TestItemsThreads wants code for several work-items in a thread to allow the largest blocks: the driver's compiler ignores
// a directive for larger ones.
func TestItemsThreads(t *testing.T) {
	res, err := compile.Compile(context.Background(), "k.cl", []byte(`kernel void k(global float *a) { a[get_global_id(0)] *= 2; }`), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ptx.Prepare(res.Module.Funcs[0])
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Compile(ptx.Options{Assume: 1, Items: p.Items})
	if err != nil {
		t.Fatal(err)
	}
	if k.Items < 2 || !strings.Contains(k.Text, ".maxntid 1024, 1, 1\n") {
		t.Errorf("%d work-items in a thread\n%s", k.Items, k.Text)
	}
}

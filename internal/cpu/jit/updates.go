package jit

import (
	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Kernels that update elements in place, such as y[i] = a * x[i] + y[i], are bound by memory where their objects exceed the
// caches. AMD's Zen 4 then takes up to a tenth longer for accesses of 64 bytes than for accesses of 32 bytes
// (docs/decisions/0008).

const (
	updateFrom = 64 << 20 // bytes that a launch reads and writes from which accesses are narrow
	mostUpdate = 40       // most values of a kernel that is bound by memory
)

// updateBytes returns the bytes that a work-item reads and writes in a kernel that consists of few operations, has no
// branches, and updates elements of an object in place; else 0.
func updateBytes(f *ssa.Func) (bytes int) {
	if len(f.Blocks) != 1 || f.CountValues() > mostUpdate {
		return 0
	}
	loaded, updates := map[*ssa.Value]bool{}, false
	for _, v := range f.Blocks[0].Values {
		if v.Op != ssa.OpLoad && v.Op != ssa.OpStore {
			continue
		}
		root := v.Args[0]
		for root.Op == ssa.OpPtrAdd {
			root = root.Args[0]
		}
		t, _ := v.AccessType()
		bytes += t.Size()
		loaded[root] = loaded[root] || v.Op == ssa.OpLoad
		updates = updates || v.Op == ssa.OpStore && loaded[root]
	}
	if !updates {
		return 0
	}
	return bytes
}

// narrow returns the variant with accesses of 32 bytes if the processor executes the launch faster so, else v.
func (v *variant) narrow(env *exec.Env) *variant {
	const regular = 1<<explain.Uniform | 1<<explain.Contiguous | 1<<explain.Again
	rg := &env.Range
	if !v.key.level.EVEX || v.key.lanes != 0 || v.grouped() || v.Shapes&^regular != 0 || uint64(v.updates)*items(rg) < updateFrom || !v.c.narrowUpdates() {
		return v
	}
	key := v.key
	key.level = x86.AVX2
	if s := v.c.variant(key, rg); s.err == nil {
		return s
	}
	return v
}

package gang_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// forms lists what the cases of testdata/run must have of an op: a class of the result, an elementwise operation on a class,
// a shape, an atomic operation, a predicate.
func forms(o gang.Op) (list []string) {
	row := &gang.Ops[o]
	add := func(words ...string) { list = append(list, o.String()+" "+strings.Join(words, " ")) }
	if row.Masked() {
		add("mask")
	}
	switch o {
	case gang.OpEach:
		for e := ssa.OpInvalid + 1; e < ssa.NumOps; e++ {
			if !e.Has(ssa.Elementwise) && e != ssa.OpSelect && e != ssa.OpBitcast || e == ssa.OpCopy {
				continue
			}
			add(e.String(), "s")
			add(e.String(), "v")
			if bits := ssa.Ops[e].Kinds; bits.HasKind(ssa.Bool) && e != ssa.OpLt && e != ssa.OpLe || e == ssa.OpConvert {
				add(e.String(), "p")
			}
		}
	case gang.OpBranch:
		for e := ssa.OpEq; e <= ssa.OpLe; e++ {
			add(e.String())
		}
	case gang.OpLoad, gang.OpStore:
		for s := gang.NoShape + 1; s < gang.NumShapes; s++ {
			stored := o == gang.OpStore
			if stored && (s == gang.Broadcast || s == gang.Lookup) || !stored && (s == gang.Fields || s == gang.Spread) {
				continue
			}
			add(s.String())
		}
	case gang.OpAtomic, gang.OpAtomicAt:
		for _, e := range []ssa.Op{ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS} {
			if o == gang.OpAtomic {
				add(e.String())
				continue
			}
			for _, s := range []gang.Shape{gang.Uniform, gang.Contiguous, gang.Gather} {
				add(e.String(), s.String())
			}
		}
		if o == gang.OpAtomicAt {
			for _, name := range ssa.RMWNames {
				add(name)
			}
		}
	default:
		if row.Dst == "" {
			add()
		}
		for _, c := range row.Dst {
			add(string(c))
		}
	}
	return list
}

// formsOf lists the forms of an op that an instruction has.
func formsOf(f *gang.Func, i *gang.Inst) (list []string) {
	add := func(words ...string) { list = append(list, i.Op.String()+" "+strings.Join(words, " ")) }
	if i.Mask != 0 {
		add("mask")
	}
	dst := "-"
	if i.Dst != 0 {
		dst = f.Type(i.Dst).Class.String()
	}
	switch i.Op {
	case gang.OpEach:
		if (i.Each >= ssa.OpEq && i.Each <= ssa.OpLe || i.Each == ssa.OpConvert) && f.Type(i.Args[0]).K == ssa.Bool && dst != "s" {
			dst = "p"
		} else if dst == "p" && f.Type(i.Args[len(i.Args)-1]).K != ssa.Bool {
			dst = "v"
		}
		add(i.Each.String(), dst)
	case gang.OpBranch:
		add(i.Each.String())
	case gang.OpLoad, gang.OpStore:
		add(i.Shape.String())
	case gang.OpAtomic:
		add(i.Each.String())
	case gang.OpAtomicAt:
		add(i.Each.String(), i.Shape.String())
		if rmw, _, _ := ssa.AtomicParts(i.Aux); i.Each == ssa.OpAtomicRMW {
			add(ssa.RMWNames[rmw])
		}
	default:
		if gang.Ops[i.Op].Dst == "" {
			add()
		} else {
			add(dst)
		}
	}
	return list
}

// TestOpsHaveCases: a case in testdata/run has each form of each op.
func TestOpsHaveCases(t *testing.T) {
	have, count := map[string]int{}, map[string]int{}
	for _, c := range cases(t) {
		count[c.Group]++
		for _, b := range c.Func.Blocks {
			for k := range b.Insts {
				for _, x := range formsOf(c.Func, &b.Insts[k]) {
					have[x]++
				}
			}
		}
	}
	wanted := 0
	for o := gang.OpInvalid + 1; o < gang.NumOps; o++ {
		for _, x := range forms(o) {
			wanted++
			if have[x] == 0 {
				t.Errorf("no case has %q", strings.TrimSpace(x))
			}
		}
	}
	for _, g := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%s: %d cases", g, count[g])
	}
	t.Logf("%d forms of ops", wanted)
}

package gangtest

import (
	"math/rand/v2"
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Mutate changes some instructions to others that the verifier accepts. It reports whether it has changed one.
func Mutate(g *gang.Func, r *rand.Rand) (changed bool) {
	for range r.IntN(12) {
		b := g.Blocks[r.IntN(len(g.Blocks))]
		i := &b.Insts[r.IntN(len(b.Insts))]
		old := *i
		old.Args = slices.Clone(i.Args)
		switch r.IntN(8) {
		case 0:
			i.Each = ssa.Op(r.IntN(int(ssa.NumOps)))
		case 1:
			i.Imm = r.Int64() >> r.IntN(64)
		case 2:
			i.Aux = r.Int64() >> r.IntN(64)
		case 3:
			i.Mask = gang.Reg(r.IntN(len(g.Types)))
		case 4:
			i.Shape = gang.Shape(r.IntN(int(gang.NumShapes)))
		case 5:
			i.Scale = int32(1 << r.IntN(5))
		default:
			if len(i.Args) > 0 {
				i.Args[r.IntN(len(i.Args))] = gang.Reg(1 + r.IntN(len(g.Types)-1))
			}
		}
		if gang.Verify(g) != nil {
			*i = old
		} else {
			changed = true
		}
	}
	return changed
}

// Elements returns the number of elements that the instructions of a function compute, a measure of its code. A division
// counts several times: it may be computed element by element.
func Elements(f *gang.Func) (n int) {
	for _, b := range f.Blocks {
		for k := range b.Insts {
			i := &b.Insts[k]
			r := i.Dst
			if r == 0 && len(i.Args) > 0 {
				r = i.Args[len(i.Args)-1]
			}
			if r == 0 {
				continue
			}
			each := f.Elements(r)
			if i.Op == gang.OpEach {
				switch ssa.Ops[i.Each].Cost {
				case ssa.CostDivide, ssa.CostMul, ssa.CostBits, ssa.CostConvert:
					each *= 8
				}
			}
			n += each
		}
	}
	return n
}

// Ordinary removes from a changed function the promises about it that may no longer be true: ranges, and properties of
// memory. It adds polls to loops. It reports whether the function then has one meaning on all machines: it does not for
// estimates, addresses of memory, and gangs that leave.
func Ordinary(f *gang.Func) bool {
	f.Ranges, f.Sums, f.Once, f.Fills = nil, nil, false, false
	for k := range f.Roots {
		f.Roots[k].WriteOnly, f.Roots[k].Elem = false, 0
	}
	if f.Rows > 1 {
		return false
	}
	for _, b := range f.Blocks {
		for k := range b.Insts {
			if i := &b.Insts[k]; !ordinary(f, b, i) {
				return false
			}
		}
	}
	for n, b := range f.Blocks {
		if slices.ContainsFunc(b.Succs, func(s *gang.Block) bool { return s.ID <= n }) {
			b.Insts = slices.Insert(b.Insts, len(b.Insts)-1, gang.Inst{Op: gang.OpPoll})
		}
	}
	return true
}

func ordinary(f *gang.Func, b *gang.Block, i *gang.Inst) bool {
	i.Sum, i.Stream = 0, false
	switch i.Op {
	case gang.OpEach:
		return i.Each != ssa.OpRecipEstimate && i.Each != ssa.OpRsqrtEstimate
	case gang.OpObject:
		return i.Imm != ssa.ObjectAddress
	case gang.OpBegin:
		return b.ID != 0
	case gang.OpQuery: // of the first gang
		return b.ID == 0 || i.Imm != int64(ssa.GlobalID) || f.Groups || f.Waits
	case gang.OpAtomic, gang.OpAtomicAt:
		rmw, _, _ := ssa.AtomicParts(i.Aux)
		return i.Each != ssa.OpAtomicRMW || rmw < ssa.NumRMW && exec.RMWFunc(rmw, f.Type(i.Args[1]).K) != nil
	}
	return true
}

// Arguments returns launches of a function with random arguments and memory.
func Arguments(f *gang.Func, seed uint64) func() (*Launch, error) {
	return func() (*Launch, error) {
		r := rand.New(rand.NewPCG(seed, 1))
		l := NewLaunch(f)
		l.Offset[0] = uint64(r.IntN(2) * r.IntN(1000))
		l.Size[0] = uint64(f.Lanes)
		switch {
		case len(f.FirstIDs) > 0:
			l.Size[0] *= uint64(len(f.FirstIDs))
		case f.Groups || f.Waits:
			l.Size[0] *= uint64(1 + r.IntN(3))
		case f.Full:
			l.Size[0] *= uint64(1 + r.IntN(2))
		}
		if !f.Full {
			l.Size[0] -= uint64(r.IntN(f.Lanes))
		}
		names := map[string]int{}
		for k, p := range f.Params {
			bits := make([]uint64, p.N)
			for e := range bits {
				bits[e] = r.Uint64() >> r.IntN(64) & ParamBits(f, k)
			}
			if slices.ContainsFunc(f.Roots, func(t gang.Root) bool { return t.Kind == gang.RootParam && t.Param == k }) {
				bits[0] = uint64(l.Add(Bytes(r, 64+r.IntN(64)*64), r.IntN(16) == 0)) << ssa.ObjectShift
			}
			l.Params = append(l.Params, bits)
		}
		for _, t := range f.Roots {
			if t.Kind == gang.RootGlobal && names[t.Name] == 0 {
				names[t.Name] = l.Add(Bytes(r, 64+r.IntN(8)*64), r.IntN(4) == 0)
			}
		}
		return l, l.bind(names)
	}
}

// ParamBits returns the bits of the smallest kind that a function gives to a parameter, whose value is zero-extended.
func ParamBits(f *gang.Func, param int) uint64 {
	bits := ^uint64(0)
	for _, b := range f.Blocks {
		for k := range b.Insts {
			if i := &b.Insts[k]; i.Op == gang.OpParam && i.Imm == int64(param) {
				bits = min(bits, ^uint64(0)>>(64-8*f.Type(i.Dst).Size()))
				if f.Type(i.Dst).K == ssa.Bool {
					bits = 1
				}
			}
		}
	}
	return bits
}

// Bytes returns n random bytes, among them those of special numbers.
func Bytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for k := range b {
		b[k] = byte(r.Uint32())
		if r.IntN(4) == 0 {
			b[k] = []byte{0, 0xff, 0x7f, 0x80, 0x3f, 0x7c, 1}[r.IntN(7)]
		}
	}
	return b
}

// Reduce removes instructions of a function as long as it fails.
func Reduce(f *gang.Func, fails func() bool) {
	for again := true; again; {
		again = false
		for _, b := range f.Blocks {
			for k := len(b.Insts) - 2; k >= 0; k-- {
				old := b.Insts
				b.Insts = slices.Delete(slices.Clone(old), k, k+1)
				if gang.Verify(f) == nil && fails() {
					again = true
				} else {
					b.Insts = old
				}
			}
		}
	}
}

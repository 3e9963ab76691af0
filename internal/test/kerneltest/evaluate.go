package kerneltest

import (
	"encoding/binary"
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// EvaluateFlow runs f, the function of a RandomFlow kernel, for one work-item. It is the oracle of RandomFlow.
//
// Votes see a gang of one lane. Every third vote reports that lanes differ: a plan must give the same results then.
func EvaluateFlow(f *ssa.Func, mem []byte, gid, lid uint64) error {
	votes := 0
	val, in := make([]uint64, f.NumValues()), []uint64(nil)
	b, from := f.Blocks[0], (*ssa.Block)(nil)
	for steps := 0; ; steps++ {
		if steps > maxSteps {
			return errEndless
		}
		phis := b.Phis()
		in = in[:0]
		for _, v := range phis {
			in = append(in, val[v.Args[edgeNumber(from, b)].ID])
		}
		for i, v := range phis {
			val[v.ID] = in[i]
		}
		for _, v := range b.Values[len(phis):] {
			arg := func(i int) uint64 { return val[v.Args[i].ID] }
			switch {
			case v.Op == ssa.OpVote:
				val[v.ID] = arg(0) // VoteNone or VoteAll
				if votes++; (votes+int(gid))%3 == 0 {
					val[v.ID] = ssa.VoteSome
				}
			case v.Op == ssa.OpEnd && v.Aux == ssa.EndsOrder:
				votes++
				val[v.ID] = uint64(min(1, (votes+int(gid))%3))
			case v.Op == ssa.OpEnd:
				val[v.ID] = arg(0)
			case v.Op == ssa.OpReturn:
				return nil
			case v.Op.Has(ssa.Terminator):
				from, b = b, b.Succs[successor(v, arg)]
			default:
				x, err := evaluate(v, arg, mem, gid, lid)
				if err != nil {
					return err
				}
				val[v.ID] = x
			}
		}
	}
}

const maxSteps = 1e6

var errEndless = fmt.Errorf("does not end")

// edgeNumber returns which of b's predecessors p is.
func edgeNumber(p, b *ssa.Block) int {
	for i, q := range b.Preds {
		if p == q {
			return i
		}
	}
	panic("kerneltest: no such edge")
}

// successor returns the index of the successor that the terminator t takes.
func successor(t *ssa.Value, arg func(int) uint64) int {
	switch t.Op {
	case ssa.OpBranch:
		if arg(0) == 0 {
			return 1
		}
	case ssa.OpSwitch:
		for i, c := range t.Bits {
			if c == arg(0) {
				return i + 1
			}
		}
	}
	return 0
}

// evaluate returns the result of v, a value of a RandomFlow kernel.
func evaluate(v *ssa.Value, arg func(int) uint64, mem []byte, gid, lid uint64) (uint64, error) {
	switch v.Op {
	case ssa.OpConst:
		return v.Bits[0], nil
	case ssa.OpParam:
		return []uint64{0, 1 << 40, FlowN}[v.Aux], nil
	case ssa.OpWorkItem:
		if ssa.WorkItemQuery(v.Aux) == ssa.LocalID {
			return lid, nil
		}
		return gid, nil
	case ssa.OpBitcast:
		return arg(0), nil
	case ssa.OpPtrAdd:
		return arg(0) + arg(1), nil
	case ssa.OpLoad:
		if at := arg(0); at >= 1<<40 {
			return uint64(tableEntry(at - 1<<40)), nil
		}
		return uint64(binary.LittleEndian.Uint32(mem[arg(0):])), nil
	case ssa.OpStore:
		binary.LittleEndian.PutUint32(mem[arg(0):], uint32(arg(1)))
		return 0, nil
	case ssa.OpSelect:
		if arg(0) != 0 {
			return arg(1), nil
		}
		return arg(2), nil
	case ssa.OpInside: // both forms are equal for one lane
		return arg(0) & 1, nil
	case ssa.OpBarrier, ssa.OpUndef:
		return 0, nil
	}
	var args [3]uint64
	for i := range v.Args {
		args[i] = arg(i)
	}
	if len(v.Args) > 0 && v.Type.N == 1 {
		if x, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args[:len(v.Args)]); ok {
			return x, nil
		}
	}
	return 0, fmt.Errorf("cannot evaluate %s", v.Op)
}

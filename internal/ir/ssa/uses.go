package ssa

// An ArgUse tells whether a kernel reads and writes the object that an argument points to.
type ArgUse struct{ Read, Written bool }

// ArgUses returns the use of each argument of a kernel. A pointer of unknown origin counts as any argument, and
// a call as a read and a write of all.
func ArgUses(f *Func) []ArgUse {
	out := make([]ArgUse, len(f.Params))
	mark := func(p *Value, u ArgUse) {
		seen := map[*Value]bool{}
		for work := []*Value{p}; len(work) > 0; work = work[1:] {
			v := work[0]
			if seen[v] {
				continue
			}
			seen[v] = true
			switch v.Op {
			case OpPtrAdd, OpPtrCast:
				work = append(work, v.Args[0])
			case OpPhi:
				work = append(work, v.Args...)
			case OpSelect:
				work = append(work, v.Args[1], v.Args[2])
			case OpGlobalAddr, OpAlloca, OpConst, OpUndef:
			case OpParam:
				o := &out[v.Aux]
				o.Read, o.Written = o.Read || u.Read, o.Written || u.Written
			default:
				for i := range out {
					out[i] = ArgUse{out[i].Read || u.Read, out[i].Written || u.Written}
				}
			}
		}
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			switch v.Op {
			case OpLoad, OpAtomicLoad:
				mark(v.Args[0], ArgUse{Read: true})
			case OpStore, OpAtomicStore, OpMemZero:
				mark(v.Args[0], ArgUse{Written: true})
			case OpAtomicRMW, OpAtomicCAS:
				mark(v.Args[0], ArgUse{true, true})
			case OpCall:
				for i := range out {
					out[i] = ArgUse{true, true}
				}
			case OpMemCopy:
				mark(v.Args[0], ArgUse{Written: true})
				mark(v.Args[1], ArgUse{Read: true})
			}
		}
	}
	return out
}

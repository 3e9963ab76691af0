package gang

import "slices"

// removeEmpty removes blocks that only jump, and unreachable blocks. The entry and loops stay.
func removeEmpty(f *Func) {
	to := make([]*Block, len(f.Blocks)) // where control goes from the start of each block
	for k, b := range f.Blocks {
		for to[k] = b; len(to[k].Insts) == 1 && to[k].Term().Op == OpJump; {
			if to[k] = to[k].Succs[0]; to[k] == b {
				break
			}
		}
	}
	reached, work := make([]bool, len(f.Blocks)), []*Block{f.Blocks[0]}
	reached[0] = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for k, s := range b.Succs {
			s = to[s.ID]
			if b.Succs[k] = s; !reached[s.ID] {
				reached[s.ID] = true
				work = append(work, s)
			}
		}
	}
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *Block) bool { return !reached[b.ID] })
	for k, b := range f.Blocks {
		b.ID = k
	}
}

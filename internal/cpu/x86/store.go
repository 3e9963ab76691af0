package x86

import (
	"sync"

	"github.com/purecl/purecl/internal/cpu/regalloc"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// A store is memory for the instructions of blocks, for one kernel after the other. The
// list that it extended last, usually that of the current block, goes on where it is.
type store struct {
	chunks [][]inst
	n      int    // chunks that were begun
	rest   []inst // of the last of them, from the beginning of the list that was extended last
	taken  int    // of rest, by that list
}

// minChunk and maxChunk are the numbers of instructions in the first chunks and in later
// ones; keptChunks is how many chunks are kept for other kernels.
const (
	minChunk   = 128
	maxChunk   = 2048
	keptChunks = 64
)

// extend returns a list with room for more instructions.
func (s *store) extend(list []inst, more int) []inst {
	n := len(list)
	if n+more <= cap(list) {
		return list
	}
	if n > 0 && len(s.rest) > 0 && &list[0] == &s.rest[0] && n+more <= len(s.rest) {
		s.taken = min(n+max(more, 8), len(s.rest))
		return s.rest[:n:s.taken]
	}
	room := n + max(more, n/2, 8)
	s.rest = s.rest[s.taken:]
	if len(s.rest) < room {
		s.chunk(room)
	}
	s.taken = room
	return s.rest[:copy(s.rest, list):room]
}

// chunk begins a chunk with so many instructions at least.
func (s *store) chunk(least int) {
	size := max(least, min(minChunk<<min(s.n, 8), maxChunk))
	switch {
	case s.n == len(s.chunks):
		s.chunks = append(s.chunks, make([]inst, size))
	case len(s.chunks[s.n]) < least:
		s.chunks[s.n] = make([]inst, size)
	}
	s.rest = s.chunks[s.n]
	s.n++
}

// reset takes all memory back, and releases what only the largest kernels need.
func (s *store) reset() {
	kept := s.chunks[:0]
	for i, x := range s.chunks {
		if len(x) > maxChunk || len(kept) == keptChunks {
			continue
		}
		if i < s.n {
			clear(x)
		}
		kept = append(kept, x)
	}
	clear(s.chunks[len(kept):])
	s.chunks = kept
	s.n, s.rest, s.taken = 0, nil, 0
}

// An insertion is an instruction to be put before another, by the index of that.
type insertion struct {
	at int
	inst
}

// insert puts more instructions into a block; they are in the order of their places.
func (c *code) insert(b *mblock, more []insertion) {
	if len(more) == 0 {
		return
	}
	n := len(b.insts)
	list := c.work.insts.extend(b.insts, len(more))[:n+len(more)]
	for to := len(list); len(more) > 0; {
		last := &more[len(more)-1]
		to -= n - last.at
		copy(list[to:], list[last.at:n])
		n = last.at
		to--
		list[to] = last.inst
		more = more[:len(more)-1]
	}
	b.insts = list
}

// A workspace is memory that generating code needs, for one kernel after the other. Nothing
// that Generate returns lies in it.
type workspace struct {
	insts     store
	regs      regalloc.Allocator
	remat     []*inst
	count     []int32
	more      []insertion
	assembler asm.Assembler
}

// workspaces are those that no kernel is using.
var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// newCode begins code of a level, in a workspace that release gives back.
func newCode(lv *Level) *code {
	w := workspaces.Get().(*workspace)
	w.regs.Reset(lv.registerFile())
	return &code{lv: lv, frame: frameSlots, spillBase: rFrame, work: w, regs: &w.regs, remat: w.remat[:0]}
}

// release returns the workspace to the pool. Of the code only its bytes are valid afterwards.
func (c *code) release() {
	c.work.insts.reset()
	clear(c.remat)
	c.work.remat = c.remat
	workspaces.Put(c.work)
	c.work, c.regs = nil, nil
}

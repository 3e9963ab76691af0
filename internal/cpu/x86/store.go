package x86

import (
	"sync"

	"github.com/purecl/purecl/internal/cpu/regalloc"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// A store is memory for the instructions of blocks, reused for each kernel. Extending the list that was
// extended last, usually that of the current block, needs no copy.
type store struct {
	chunks [][]inst
	n      int    // chunks in use
	rest   []inst // of the last chunk, from the start of the list extended last
	taken  int    // instructions of that list
}

// minChunk and maxChunk are the numbers of instructions in the first chunks and in later ones. keptChunks is
// the number of chunks kept for other kernels.
const (
	minChunk   = 128
	maxChunk   = 2048
	keptChunks = 64
)

// extend returns the list with room for more instructions.
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

// chunk begins a chunk of at least least instructions.
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

// reset frees all lists, and releases chunks that only the largest kernels need.
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

// An insertion is an instruction to insert before the instruction with an index.
type insertion struct {
	at int
	inst
}

// insert inserts instructions into a block; more is sorted by index.
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

// A workspace is scratch memory for code generation, reused for each kernel. Results of Generate do not refer
// to it.
type workspace struct {
	insts     store
	regs      regalloc.Allocator
	remat     []*inst
	count     []int32
	more      []insertion
	assembler asm.Assembler
}

// workspaces is the pool of unused workspaces.
var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// newCode begins code for a level, in a workspace that release returns.
func newCode(lv *Level) *code {
	w := workspaces.Get().(*workspace)
	w.regs.Reset(lv.registerFile())
	return &code{lv: lv, frame: frameSlots, spillBase: rFrame, work: w, regs: &w.regs, remat: w.remat[:0]}
}

// release returns the workspace to the pool. Afterwards only the code's bytes are valid.
func (c *code) release() {
	c.work.insts.reset()
	clear(c.remat)
	c.work.remat = c.remat
	workspaces.Put(c.work)
	c.work, c.regs = nil, nil
}

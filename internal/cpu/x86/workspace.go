package x86

import (
	"sync"

	"github.com/purecl/purecl/internal/base/slab"
	"github.com/purecl/purecl/internal/cpu/regalloc"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

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
	list := c.work.insts.Extend(b.insts, len(more))[:n+len(more)]
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
	insts     slab.Growing[inst]
	blocks    slab.Of[mblock]
	inserts   slab.Growing[insert]
	remats    slab.Of[inst] // that rematerialise registers
	refs      []int32
	regs      regalloc.Allocator
	remat     []*inst
	count     []int32
	since     []int32
	stays     []bool
	operands  perRegister
	more      []insertion
	assembler asm.Assembler
	tables    tables
}

// tables are the tables of the layers of a lowerer.
type tables struct {
	consts map[constKey]reg
	limits map[rootKey]reg
	joined map[reg]joint
	cuts   map[reg]cut
	wider  map[widened]vec
	bytes  map[reg]byteOf
}

func (t *tables) reset() {
	t.consts, t.limits, t.joined = slab.Emptied(t.consts), slab.Emptied(t.limits), slab.Emptied(t.joined)
	t.cuts, t.wider, t.bytes = slab.Emptied(t.cuts), slab.Emptied(t.wider), slab.Emptied(t.bytes)
}

// workspaces is the pool of unused workspaces.
var workspaces = sync.Pool{New: func() any {
	w := new(workspace)
	w.tables.reset()
	return w
}}

// newCode begins code for a level, in a workspace that release returns.
func newCode(lv *Level) *code {
	w := workspaces.Get().(*workspace)
	w.regs.Reset(lv.registerFile())
	return &code{lv: lv, frame: frameSlots, spillBase: rFrame, work: w, regs: &w.regs, remat: w.remat[:0]}
}

// release returns the workspace to the pool. Afterwards only the code's bytes are valid.
func (c *code) release() {
	c.work.insts.Reset()
	c.work.blocks.Reset()
	c.work.inserts.Reset()
	c.work.remats.Reset()
	c.work.tables.reset()
	clear(c.remat)
	c.work.remat = c.remat
	workspaces.Put(c.work)
	c.work, c.regs = nil, nil
}

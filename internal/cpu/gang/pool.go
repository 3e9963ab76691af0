package gang

import (
	"sync"

	"github.com/purecl/purecl/internal/base/slab"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// memory holds the blocks and instructions of a function under construction. [Func.Release] gives it back.
type memory struct {
	insts  slab.Growing[Inst]
	regs   slab.Lists[Reg] // arguments, and elements of values
	blocks slab.Of[Block]
	vals   []value
	tables tables

	inserts   slab.Growing[insert]
	inserting []*Block // blocks with inserts
	order     []uint64
}

// memories is the pool of unused memory.
var memories = sync.Pool{New: func() any {
	m := new(memory)
	m.tables.reset()
	return m
}}

// tables are the tables of the layers of a builder.
type tables struct {
	consts  map[constant]Reg
	ramps   map[ramp]Reg
	agreed  map[*ssa.Value]Reg
	copies  map[*ssa.Value]Reg
	ordinal map[*ssa.Value]int32
}

func (t *tables) reset() {
	t.consts, t.ramps, t.agreed = slab.Emptied(t.consts), slab.Emptied(t.ramps), slab.Emptied(t.agreed)
	t.copies, t.ordinal = slab.Emptied(t.copies), slab.Emptied(t.ordinal)
}

// maxKept is the number of values whose memory is kept: more are in the largest kernels only.
const maxKept = 1 << 14

// values returns zeroed memory for that many values.
func (m *memory) values(n int) []value {
	if cap(m.vals) < n {
		m.vals = make([]value, n)
	}
	return m.vals[:n]
}

// Release frees the memory of a function that Build has made, for other functions. Afterwards the function, its blocks and
// its instructions are invalid.
func (f *Func) Release() {
	m := f.mem
	if m == nil {
		return
	}
	m.insts.Reset()
	m.regs.Reset()
	m.blocks.Reset()
	m.inserts.Reset()
	m.tables.reset()
	clear(m.inserting)
	m.inserting = m.inserting[:0]
	if clear(m.vals); cap(m.vals) > maxKept {
		m.vals = nil
	}
	f.mem, f.Blocks = nil, nil
	memories.Put(m)
}

// regs returns a list of registers that lives as long as the function.
func (b *emitter) regs(list ...Reg) []Reg { return b.mem.regs.Keep(list) }

// newRegs returns n new registers.
func (b *emitter) newRegs(n uint8, t Type) []Reg {
	list := b.regsOf(int(n))
	for k := range list {
		list[k] = b.f.NewReg(t)
	}
	return list
}

// regsOf returns a list of n registers, all 0.
func (b *emitter) regsOf(n int) []Reg { return b.mem.regs.Make(n) }

// newBlock returns a block, which place adds to the function.
func (b *emitter) newBlock(depth int, cold bool) *Block {
	x := b.mem.blocks.New()
	x.Depth, x.Cold = depth, cold
	return x
}

package compile

import (
	"sync"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/syntax"
)

// A memory holds the tokens and trees of one translation unit. They are dead once the unit is SSA, and the next
// unit reuses the memory.
type memory struct {
	tokens preprocess.Memory
	syntax syntax.Memory
	tree   check.Memory
}

// memories is the pool of unused memories.
var memories = sync.Pool{New: func() any { return new(memory) }}

// maxReused bounds the tokens of units whose memory is reused; that is about 20 MB.
const maxReused = 1 << 17

// release makes the memory of the unit's tokens and trees available again. A compilation that panicked does not
// release its memory: another goroutine may still use it.
func (c *compilation) release() {
	m := c.memory
	c.memory = nil
	if m == nil || c.opts.KeepProgram || c.opts.Debug { // the types of a debugger's variables are in it
		return
	}
	c.res.Program = nil
	if c.tokens <= maxReused {
		m.syntax.Reset()
		m.tree.Reset()
		memories.Put(m)
	}
}

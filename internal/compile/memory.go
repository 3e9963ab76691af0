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

// memories are those that no compilation is using.
var memories = sync.Pool{New: func() any { return new(memory) }}

// maxReused is the number of tokens of the largest unit of which the memory is kept: about
// 20 MB.
const maxReused = 1 << 17

// release makes the memory of the unit's tokens and trees available again. A compilation that panicked does not
// release its memory: another goroutine may still use it.
func (c *compilation) release() {
	m := c.memory
	c.memory = nil
	if m == nil || c.opts.KeepProgram || c.opts.Debug { // a debugger's variables have their types
		return
	}
	c.res.Program = nil
	if c.tokens <= maxReused {
		m.syntax.Reset()
		m.tree.Reset()
		memories.Put(m)
	}
}

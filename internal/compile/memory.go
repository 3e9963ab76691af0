package compile

import (
	"sync"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/syntax"
)

// A memory is what the tokens and trees of one translation unit are made of. They are dead
// when the unit is SSA, so the next unit is made of the same.
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

// release ends the life of the unit's tokens and trees. A compilation that panicked does
// not come here: nobody knows what still goes on in it.
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

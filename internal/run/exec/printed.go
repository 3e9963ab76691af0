package exec

import (
	"cmp"
	"slices"
	"sync"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// maxPrinted bounds the bytes that the work-items of one batch print. The rest is dropped.
const maxPrinted = 1 << 30

// Printed is the text that the work-items of a batch have printed. Its zero value is empty.
type Printed struct {
	buf   []byte
	parts []printedPart
}

// A printedPart is the text of one call, buf[from:to].
type printedPart struct {
	group, item uint64
	from, to    int
}

// Print adds the text of a call by a work-item, given by the number of its work-group and its own number in that.
// It reports whether OpenCL C allows the format. The other arguments are those of [PrintfCall.Append].
func (p *Printed) Print(group, item uint64, call *PrintfCall, format string, bits func(i, k int) uint64, str func(p uint64) (string, bool)) bool {
	if len(p.buf) > maxPrinted {
		return call.Check(format)
	}
	from, ok := len(p.buf), false
	if p.buf, ok = call.Append(p.buf, format, bits, str); ok {
		p.parts = append(p.parts, printedPart{group, item, from, len(p.buf)})
	}
	return ok
}

// Drain returns the text by work-group, then by work-item, then by time, and empties p.
func (p *Printed) Drain() []byte {
	if len(p.parts) == 0 {
		return nil
	}
	slices.SortStableFunc(p.parts, func(a, b printedPart) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.item, b.item))
	})
	out := make([]byte, 0, len(p.buf))
	for _, q := range p.parts {
		out = append(out, p.buf[q.from:q.to]...)
	}
	p.buf, p.parts = p.buf[:0], p.parts[:0]
	return out
}

// Calls caches a value that an executor computes once for each host call, such as a [PrintfCall]. Workers share it.
// Its zero value is empty.
type Calls[C any] struct {
	mu   sync.Mutex
	byOp map[*ssa.Value]C
}

// Of returns the value of an operation, which learn computes at the first call.
func (c *Calls[C]) Of(v *ssa.Value, learn func(*ssa.Value) C) C {
	c.mu.Lock()
	defer c.mu.Unlock()
	call, ok := c.byOp[v]
	if !ok {
		call = learn(v)
		if c.byOp == nil {
			c.byOp = map[*ssa.Value]C{}
		}
		c.byOp[v] = call
	}
	return call
}

package exec

import (
	"io"
	"sync"
)

// A Printer writes the batches' text in order.
type Printer struct {
	mu      sync.Mutex
	w       io.Writer
	next    int64
	pending map[int64][]byte
	err     error
}

// NewPrinter returns a printer without batches.
func NewPrinter(w io.Writer) *Printer { return &Printer{w: w} }

// Deliver passes the text of batch b to the printer.
func (p *Printer) Deliver(b int64, text []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b != p.next {
		if p.pending == nil {
			p.pending = map[int64][]byte{}
		}
		p.pending[b] = text
		return p.err
	}
	for {
		if len(text) > 0 && p.err == nil {
			_, p.err = p.w.Write(text)
		}
		p.next++
		t, ok := p.pending[p.next]
		if !ok {
			return p.err
		}
		delete(p.pending, p.next)
		text = t
	}
}

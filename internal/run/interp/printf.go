package interp

import (
	"bytes"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Printer writes the batches' text in order.
type Printer struct {
	mu      sync.Mutex
	w       io.Writer
	next    int64
	pending map[int64][]byte
	err     error
}

// NewPrinter returns a printer that has no batch yet.
func NewPrinter(w io.Writer) *Printer { return &Printer{w: w} }

// Deliver hands over the text of batch b.
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

// printed is what the lanes of a batch have printed.
type printed struct {
	buf   []byte
	parts []printedPart
}

type printedPart struct{ lane, from, to int32 }

// take returns the text in order of work-item, for each in order of time, and empties p.
func (p *printed) take(x *worker) []byte {
	if len(p.parts) == 0 {
		return nil
	}
	slices.SortStableFunc(p.parts, func(a, b printedPart) int { return int(a.lane - b.lane) })
	out := make([]byte, 0, len(p.buf))
	for _, q := range p.parts {
		out = append(out, p.buf[q.from:q.to]...)
	}
	p.buf, p.parts = p.buf[:0], p.parts[:0]
	return out
}

// MaxPrinted is how many bytes the lanes of one batch may print.
const MaxPrinted = 1 << 30

// A PrintfCall is a call of printf. It may be shared.
type PrintfCall struct {
	types []ssa.Type // of the arguments behind the format
	cache map[string][]directive
	mu    sync.Mutex
}

// NewPrintfCall returns the call that v, an OpPrintf, is.
func NewPrintfCall(v *ssa.Value) *PrintfCall {
	call := &PrintfCall{cache: map[string][]directive{}}
	for _, a := range v.Args[1:] {
		call.types = append(call.types, a.Type)
	}
	return call
}

// Types returns the types of the arguments behind the format.
func (c *PrintfCall) Types() []ssa.Type { return c.types }

// Append appends what the call prints for one work-item to buf; false if the format is
// bad. bits returns component k of argument i behind the format, str the string at a
// pointer.
func (c *PrintfCall) Append(buf []byte, format string, bits func(i, k int) uint64, str func(p uint64) (string, bool)) ([]byte, bool) {
	dirs := c.parse(format)
	if dirs == nil {
		return buf, false
	}
	args := make([]printArg, len(c.types))
	for i, t := range c.types {
		args[i].typ = t
		for k := range int(t.N) {
			args[i].bits[k] = bits(i, k)
		}
	}
	return appendFormat(buf, dirs, args, str), true
}

// printf lowers OpPrintf.
func (l *lowerer) printf(v *ssa.Value) {
	in := l.newInst(v, kPrintf, false)
	in.effect, in.keep = true, true
	in.mem = &access{base: noReg, index: noReg, note: "printf"}
	for i, a := range v.Args {
		l.use(v, a, false)
		if i == 0 {
			in.a = l.vary(l.comps[a.ID][0])
			continue
		}
		for _, r := range l.comps[a.ID] {
			in.src = append(in.src, l.vary(r))
		}
	}
	in.ext = NewPrintfCall(v)
	in.d = l.newReg(4, false)
	l.comps[v.ID] = []reg{in.d}
	l.emit(in)
}

// kPrintf prints for each active lane. The result is 0, or -1 where the format is bad.
func kPrintf(v *view, in *inst) {
	x := v.x
	call := in.ext.(*PrintfCall)
	types := call.Types()
	first := make([]int, len(types)) // component of each argument among in.src
	for i := 1; i < len(first); i++ {
		first[i] = first[i-1] + int(types[i-1].N)
	}
	for _, s := range v.act {
		d := at[int32](v, in.d, s)
		for i, p := range at[uint64](v, in.a, s) {
			lane := s.lo + int32(i)
			d[i] = -1
			format, ok := x.cstring(p, int(lane))
			if !ok {
				x.violation(in, int(lane), p, 1)
				continue
			}
			if x.run.printer == nil || len(x.text.buf) > MaxPrinted {
				if call.Check(format) {
					d[i] = 0
				}
				continue
			}
			from := len(x.text.buf)
			bits := func(i, k int) uint64 {
				return elementBits(v, in.src[first[i]+k], span{lane, lane + 1}, elemSize(types[i]))
			}
			x.text.buf, ok = call.Append(x.text.buf, format, bits, func(p uint64) (string, bool) { return x.cstring(p, int(lane)) })
			if ok {
				d[i] = 0
				x.text.parts = append(x.text.parts, printedPart{lane, int32(from), int32(len(x.text.buf))})
			}
		}
	}
}

func elementBits(v *view, u int32, s span, size uint8) uint64 {
	b := elementBytes(v, u, s, size)
	r := uint64(0)
	for i := len(b) - 1; i >= 0; i-- {
		r = r<<8 | uint64(b[i])
	}
	return r
}

// maxString bounds the strings that printf reads.
const maxString = 1 << 20

// cstring reads the string at p; false if it leaves its object before its end.
func (x *worker) cstring(p uint64, lane int) (string, bool) {
	o := x.object(p >> ssa.ObjectShift)
	off := p & ssa.OffsetMask
	if off >= o.size {
		return "", false
	}
	b := o.bytes
	if o.private {
		k := uint64(lane)*x.privStride + o.off
		b = x.priv[k : k+o.size]
	}
	return CString(b[off:])
}

// CString returns the string at the beginning of b; false if it has no end.
func CString(b []byte) (string, bool) {
	b = b[:min(len(b), maxString)]
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return "", false
	}
	return string(b[:n]), true
}

// Check reports whether a format is one that OpenCL C allows with the arguments.
func (c *PrintfCall) Check(format string) bool { return c.parse(format) != nil }

// parse returns the directives of a format, nil if it is not one that OpenCL C allows.
func (c *PrintfCall) parse(format string) []directive {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.cache[format]
	if !ok {
		d = parseFormat(format, c.types)
		c.cache[format] = d
	}
	return d
}

// A printArg is an argument of printf.
type printArg struct {
	typ  ssa.Type
	bits [16]uint64
}

// float returns element i as a float64.
func (a *printArg) float(i int) float64 {
	switch k := a.typ.K.Num(); {
	case k.IsFloat():
		return numeric64(k, a.bits[i])
	case k.Signed():
		return float64(a.signed(i))
	default:
		return float64(a.bits[i])
	}
}

// signed returns element i, sign-extended where its type has a sign.
func (a *printArg) signed(i int) int64 {
	k := a.typ.K.Num()
	if k.IsFloat() {
		return int64(a.float(i))
	}
	if k.Signed() {
		sh := 64 - k.Bits()
		return int64(a.bits[i]<<sh) >> sh
	}
	return int64(a.bits[i])
}

func numeric64(k numeric.Kind, bits uint64) float64 {
	if k == numeric.F64 {
		return math.Float64frombits(bits)
	}
	return math.Float64frombits(numeric.ConvertBits(numeric.F64, false, numeric.RTE, k, bits))
}

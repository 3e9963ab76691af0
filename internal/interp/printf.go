package interp

import (
	"bytes"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/purecl/purecl/internal/numeric"
	"github.com/purecl/purecl/internal/ssa"
)

// A printer writes the batches' text in order.
type printer struct {
	mu      sync.Mutex
	w       io.Writer
	next    int64
	pending map[int64][]byte
	err     error
}

// deliver hands over the text of batch b.
func (p *printer) deliver(b int64, text []byte) error {
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

// maxPrinted is how many bytes the lanes of one batch may print.
const maxPrinted = 1 << 30

// A printfCall is a call of printf: the types of its arguments behind the format, whose
// elements follow one another in inst.src.
type printfCall struct {
	types []ssa.Type
	cache map[string][]directive
	mu    sync.Mutex
}

// printf lowers OpPrintf.
func (l *lowerer) printf(v *ssa.Value) {
	in := l.newInst(v, kPrintf, false)
	in.effect, in.keep = true, true
	in.mem = &access{base: noReg, index: noReg, note: "printf"}
	call := &printfCall{cache: map[string][]directive{}}
	for i, a := range v.Args {
		l.use(v, a, false)
		if i == 0 {
			in.a = l.vary(l.comps[a.ID][0])
			continue
		}
		call.types = append(call.types, a.Type)
		for _, r := range l.comps[a.ID] {
			in.src = append(in.src, l.vary(r))
		}
	}
	in.ext = call
	in.d = l.newReg(4, false)
	l.comps[v.ID] = []reg{in.d}
	l.emit(in)
}

// kPrintf prints for each active lane. The result is 0, or -1 where the format is bad.
func kPrintf(v *view, in *inst) {
	x := v.x
	call := in.ext.(*printfCall)
	args := make([]printArg, len(call.types))
	for _, s := range v.act {
		d := at[int32](v, in.d, s)
		for i, p := range at[uint64](v, in.a, s) {
			lane := s.lo + int32(i)
			format, ok := x.cstring(p, int(lane))
			if !ok {
				x.violation(in, int(lane), p, 1)
				d[i] = -1
				continue
			}
			dirs := call.parse(format)
			if dirs == nil {
				d[i] = -1
				continue
			}
			d[i] = 0
			if x.run.printer == nil || len(x.text.buf) > maxPrinted {
				continue
			}
			src := in.src
			one := span{lane, lane + 1}
			for k, t := range call.types {
				args[k].typ = t
				for e := range int(t.N) {
					args[k].bits[e] = elementBits(v, src[e], one, elemSize(t))
				}
				src = src[t.N:]
			}
			from := len(x.text.buf)
			x.text.buf = appendFormat(x.text.buf, dirs, args, func(p uint64) (string, bool) { return x.cstring(p, int(lane)) })
			x.text.parts = append(x.text.parts, printedPart{lane, int32(from), int32(len(x.text.buf))})
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
	b = b[off:]
	b = b[:min(len(b), maxString)]
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return "", false
	}
	return string(b[:n]), true
}

// parse returns the directives of a format, nil if it is not one that OpenCL C allows.
func (c *printfCall) parse(format string) []directive {
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

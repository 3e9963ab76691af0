package interp

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

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
	in.ext = exec.NewPrintfCall(v)
	in.d = l.newReg(4, false)
	l.comps[v.ID] = []reg{in.d}
	l.emit(in)
}

// kPrintf prints for each active lane. The result is 0, or -1 if the format is invalid.
func kPrintf(v *view, in *inst) {
	x := v.x
	call := in.ext.(*exec.PrintfCall)
	types := call.Types()
	first := make([]int, len(types)) // index in in.src of each argument's first component
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
			if x.run.printer == nil {
				if call.Check(format) {
					d[i] = 0
				}
				continue
			}
			bits := func(i, k int) uint64 {
				return elementBits(v, in.src[first[i]+k], span{lane, lane + 1}, elemSize(types[i]))
			}
			str := func(p uint64) (string, bool) { return x.cstring(p, int(lane)) }
			if x.text.Print(0, uint64(lane), call, format, bits, str) { // lanes are in order of work-group and work-item
				d[i] = 0
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

// cstring reads the string at p; ok is false if it is not terminated inside of its object.
func (x *objects) cstring(p uint64, lane int) (string, bool) {
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
	return exec.CString(b[off:])
}

package x86

// Code for work-groups of known size (package spmd, unfold.go). Local ids are constants plus the lane number,
// and so are addresses in local memory. Addresses of variables are certainly in bounds.

// rampFrom returns first in the first lane, and from lane to lane step more.
func (l *values) rampFrom(sz int, first uint64, step int64) vec {
	per := int(l.lv.VL) / sz
	p := make(vec, l.parts(sz))
	for k := range p {
		buf := make([]byte, 0, l.lv.VL)
		for i := range per {
			n := first + uint64(int64(k*per+i)*step)
			for j := range sz {
				buf = append(buf, byte(n>>(8*j)))
			}
		}
		p[k] = l.table(l.lv.VL, buf)
	}
	return p
}

package device

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// printed writes the launch's printf output, in order of work-groups and work-items.
func (q *session) printed(v *variant, c *call) error {
	var head [ptx.PrintHead]byte
	if err := q.fetch(head[:], q.print); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint64(head[:])
	if n > printRoom-ptx.PrintHead {
		return fmt.Errorf("kernel %s: printf needs %d bytes for its arguments, GPU devices have %d for a launch", v.k.Func.Name, n, printRoom-ptx.PrintHead)
	}
	mem := make([]byte, n)
	if n == 0 {
		return nil
	}
	if err := q.fetch(mem, q.print+ptx.PrintHead); err != nil {
		return err
	}
	type entry struct {
		item uint64
		mem  []byte
	}
	var list []entry
	for len(mem) > 0 {
		size := binary.LittleEndian.Uint32(mem[ptx.PrintBytes:])
		list = append(list, entry{binary.LittleEndian.Uint64(mem[ptx.PrintItem:]), mem[:size]})
		mem = mem[size:]
	}
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.item, b.item) })
	var out []byte
	calls := map[uint32]*exec.PrintfCall{}
	for _, e := range list {
		n := binary.LittleEndian.Uint32(e.mem[ptx.PrintCall:])
		x := v.k.Printfs[n]
		if calls[n] == nil {
			calls[n] = exec.NewPrintfCall(x)
		}
		first := make([]int, len(x.Args))
		for i := 1; i < len(x.Args)-1; i++ {
			first[i] = first[i-1] + int(x.Args[i].Type.N)
		}
		bits := func(i, k int) uint64 {
			return binary.LittleEndian.Uint64(e.mem[ptx.PrintArgs+8*(first[i]+k):])
		}
		format, _ := ptx.ConstantString(x.Args[0])
		out, _ = calls[n].Append(out, format, bits, func(p uint64) (string, bool) { return q.text(c, p) })
	}
	_, err := c.stdout.Write(out)
	return err
}

// text returns the string at pointer p.
func (q *session) text(c *call, p uint64) (string, bool) {
	n, off := p>>ssa.ObjectShift, p&ssa.OffsetMask
	if n == 0 || n >= uint64(len(c.objects)) {
		return "", false
	}
	o := &c.objects[n]
	if o.kind == ssa.PtrLocal || off >= o.size {
		return "", false
	}
	mem := make([]byte, min(o.size-off, 1<<20))
	if q.fetch(mem, o.addr+off) != nil {
		return "", false
	}
	return exec.CString(mem)
}

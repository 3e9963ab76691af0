package device

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A found is a finding with its position in the order of findings.
type found struct {
	exec.Finding
	item uint64 // key of the work-item, as in a record
	time uint64 // time, as in a record
}

// before compares two findings by work-item, then by time.
func (f *found) before(g *found) int {
	return cmp.Or(cmp.Compare(f.item, g.item), cmp.Compare(f.time, g.time))
}

// recordsSize returns the bytes of a kernel's records.
func recordsSize(k *ptx.Kernel) int {
	return ptx.RecordsHead + len(k.Accesses)*ptx.NumBad*ptx.RecordSize
}

// findings returns the findings of the records, and clears the records.
func (q *session) findings(c *call) ([]*exec.Finding, error) {
	v := c.v
	mem := make([]byte, recordsSize(v.k))
	err := q.aside(func(s Stream) error {
		err := s.Read(mem, c.records)
		if err == nil {
			err = s.Clear(c.records, len(mem))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	mem = mem[ptx.RecordsHead:]
	get := binary.LittleEndian.Uint64
	all := map[exec.AccessKey]*found{}
	for i := 0; i < len(mem)/ptx.RecordSize; i++ {
		r := mem[i*ptx.RecordSize:]
		item := get(r[ptx.RecordItem:])
		if item == 0 {
			continue
		}
		x := v.k.Accesses[i/ptx.NumBad]
		f := c.found(v.k, x, i%ptx.NumBad, r)
		f.Count, f.item, f.time = get(r[ptx.RecordCount:]), item-1, get(r[ptx.RecordTime:])
		c.place(v.k, f)
		at := f.AccessKey(x)
		old := all[at]
		if old == nil {
			all[at] = f
			continue
		}
		n := old.Count + f.Count
		if f.before(old) < 0 {
			all[at] = f
		}
		all[at].Count = n
	}
	var list []*found
	for _, f := range all {
		list = append(list, f)
	}
	slices.SortFunc(list, (*found).before)
	out := make([]*exec.Finding, 0, len(list))
	for _, f := range list {
		out = append(out, &f.Finding)
	}
	return out, nil
}

// found returns the finding that a record r has of an access.
func (c *call) found(k *ptx.Kernel, v *ssa.Value, bad int, r []byte) *found {
	p := binary.LittleEndian.Uint64(r[ptx.RecordPtr:])
	if v.Op.Has(ssa.ImageAccess) {
		return c.outside(v, [3]int32{int32(binary.LittleEndian.Uint32(r[ptx.RecordX:])), int32(p), int32(p >> 32)})
	}
	f := &found{Finding: exec.BadAccess(v, p)}
	num := p >> ssa.ObjectShift
	switch bad {
	case ptx.BadBarrier:
		f.Finding = exec.Finding{Pos: v.Pos, Kind: exec.BarrierDivergence, Note: "others wait at another barrier"}
		if v.Op == ssa.OpSubGroupBarrier {
			f.What, f.Note = "sub-group", "others are elsewhere"
		}
		return f
	case ptx.BadNull:
		f.Kind = exec.NullPointer
		return f
	case ptx.BadObject:
		f.Kind = exec.WildPointer
		return f
	case ptx.BadWrite:
		f.Kind, f.Offset = exec.ConstantWrite, p&ssa.OffsetMask
	default:
		f.Kind = exec.OutOfBounds
	}
	if int(num) < len(c.objects) {
		o := &c.objects[num]
		f.Object, f.What, f.Space, f.Extent = o.name, o.what, o.kind, o.size
		if o.kind == ssa.PtrLocal && !o.local {
			f.Extent = 0
		}
		return f
	}
	a := k.Allocas[int(num)-len(c.objects)]
	f.OfVariable(a.Name)
	f.Extent = uint64(a.Size)
	return f
}

// place sets the finding's work-item.
func (c *call) place(k *ptx.Kernel, f *found) {
	r := &c.rng
	groups := r.Groups()
	at, thread := f.item>>ptx.ItemBits, f.item&(1<<ptx.ItemBits-1)
	f.Group = [3]uint64{at % groups[0], at / groups[0] % groups[1], at / groups[0] / groups[1]}
	size := r.Local
	for d := range 3 {
		if k.Linear {
			size[d] = min(size[d], r.Global[d]-f.Group[d]*r.Local[d])
		}
	}
	f.Local = [3]uint64{thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]}
	for d := range 3 {
		f.Global[d] = f.Group[d]*r.Local[d] + f.Local[d] + r.Offset[d]
	}
}

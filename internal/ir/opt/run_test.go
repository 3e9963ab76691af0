package opt

import (
	"encoding/binary"
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

// A machine is a small evaluator of one work-item, the tests' oracle. It evaluates pure ops by ssa.Eval and
// package numeric, and memory as byte slices.
type machine struct {
	objects [][]byte // by object number, from 1
	globals map[*ssa.Global]uint64
	item    uint64 // the global id
	steps   int
	buf     []uint64
	trace   map[accessed]int // if not nil: the number of accesses of each byte of the buffers
}

// buffers is the number of kernel arguments, which are the first objects.
const buffers = 3

type accessed struct {
	item, object, offset uint64
	write                bool
}

func (m *machine) object(b []byte) uint64 {
	m.objects = append(m.objects, b)
	return uint64(len(m.objects)) << ssa.ObjectShift
}

func (m *machine) bytes(p uint64, n int) []byte {
	return m.objects[p>>ssa.ObjectShift-1][p&ssa.OffsetMask:][:n]
}

// access counts an access of n bytes of a buffer.
func (m *machine) access(p uint64, n int, write bool) {
	object := p >> ssa.ObjectShift
	if m.trace == nil || object > buffers {
		return
	}
	for i := range n {
		m.trace[accessed{m.item, object, p&ssa.OffsetMask + uint64(i), write}]++
	}
}

// call runs f. A value is the raw bits of its elements.
func (m *machine) call(f *ssa.Func, args [][]uint64) []uint64 {
	vals := make([][]uint64, f.NumValues())
	b, prev := f.Blocks[0], (*ssa.Block)(nil)
	for {
		var phis [][]uint64
		for _, v := range b.Phis() {
			for i, p := range b.Preds {
				if p == prev {
					phis = append(phis, vals[v.Args[i].ID])
					break
				}
			}
		}
		for i, x := range phis {
			vals[b.Values[i].ID] = x
		}
		for _, v := range b.Values[len(phis):] {
			if m.steps++; m.steps > 1_000_000 {
				panic("the function runs too long")
			}
			if v.Op.Has(ssa.Terminator) {
				break
			}
			vals[v.ID] = m.value(v, vals, args)
		}
		t := b.Term()
		prev = b
		switch t.Op {
		case ssa.OpReturn:
			if len(t.Args) > 0 {
				return vals[t.Args[0].ID]
			}
			return nil
		case ssa.OpJump:
			b = b.Succs[0]
		case ssa.OpBranch:
			b = b.Succs[1-vals[t.Args[0].ID][0]]
		case ssa.OpSwitch:
			x, to := vals[t.Args[0].ID][0], 0
			for i, c := range t.Bits {
				if c == x {
					to = i + 1
					break
				}
			}
			b = b.Succs[to]
		}
	}
}

func (m *machine) value(v *ssa.Value, vals [][]uint64, params [][]uint64) []uint64 {
	arg := func(i int) []uint64 { return vals[v.Args[i].ID] }
	switch v.Op {
	case ssa.OpParam:
		return params[v.Aux]
	case ssa.OpWorkItem:
		return []uint64{m.item}
	case ssa.OpUndef:
		return make([]uint64, v.Type.N)
	case ssa.OpConst:
		out := make([]uint64, v.Type.N)
		for i := range out {
			out[i] = v.ConstElem(i)
		}
		return out
	case ssa.OpAlloca:
		return []uint64{m.object(make([]byte, v.Sym.(*ssa.Alloca).Size))}
	case ssa.OpGlobalAddr:
		g := v.Sym.(*ssa.Global)
		if m.globals[g] == 0 {
			m.globals[g] = m.object(append(append([]byte{}, g.Init...), make([]byte, int(g.Size)-len(g.Init))...))
		}
		return []uint64{m.globals[g]}
	case ssa.OpLoad:
		e := v.Type.K.Num().Size()
		b := m.bytes(arg(0)[0], v.Type.Size())
		m.access(arg(0)[0], len(b), false)
		out := make([]uint64, v.Type.N)
		for i := range out {
			var w [8]byte
			copy(w[:e], b[i*e:])
			out[i] = binary.LittleEndian.Uint64(w[:])
		}
		return out
	case ssa.OpStore:
		t := v.Args[1].Type
		e := t.K.Num().Size()
		b := m.bytes(arg(0)[0], t.Size())
		m.access(arg(0)[0], len(b), true)
		for i, x := range arg(1) {
			var w [8]byte
			binary.LittleEndian.PutUint64(w[:], x)
			copy(b[i*e:], w[:e])
		}
		return nil
	case ssa.OpMemCopy:
		copy(m.bytes(arg(0)[0], int(v.Aux)), m.bytes(arg(1)[0], int(v.Aux)))
		m.access(arg(0)[0], int(v.Aux), true)
		m.access(arg(1)[0], int(v.Aux), false)
		return nil
	case ssa.OpMemZero:
		clear(m.bytes(arg(0)[0], int(v.Aux)))
		m.access(arg(0)[0], int(v.Aux), true)
		return nil
	case ssa.OpCall:
		var args [][]uint64
		for i := range v.Args {
			args = append(args, arg(i))
		}
		return m.call(v.Sym.(*ssa.Func), args)
	}
	return m.pure(v, vals)
}

// pure evaluates pure ops by ssa.Eval, and those without a compile-time value by itself.
func (m *machine) pure(v *ssa.Value, vals [][]uint64) []uint64 {
	c := ssa.Value{Op: v.Op, Type: v.Type, Aux: v.Aux, Lanes: v.Lanes}
	for _, a := range v.Args {
		c.Args = append(c.Args, &ssa.Value{Op: ssa.OpConst, Type: a.Type, Bits: vals[a.ID]})
	}
	out := make([]uint64, v.Type.N)
	if bits, ok := ssa.Eval(&c, m.buf); ok {
		for i := range out {
			out[i] = bits[min(i, len(bits)-1)]
		}
		return out
	}
	switch v.Op {
	case ssa.OpExtractDyn:
	case ssa.OpShuffle:
		n := int(v.Args[0].Type.N)
		for i, l := range v.Lanes {
			if l == ssa.ShuffleUndef {
				continue
			}
			if int(l) < n {
				out[i] = vals[v.Args[0].ID][l]
			} else {
				out[i] = vals[v.Args[1].ID][int(l)-n]
			}
		}
	case ssa.OpDiv, ssa.OpRem, ssa.OpConvert:
		for i := range out {
			var args []uint64
			for _, a := range v.Args {
				args = append(args, vals[a.ID][i])
			}
			x, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args)
			if !ok {
				panic(v.String())
			}
			out[i] = x
		}
	default:
		panic("cannot evaluate " + v.String())
	}
	return out
}

// run runs the kernel @k of a random module on a few work-items and returns what they wrote.
func run(m *ssa.Module) string { return runTraced(m, nil) }

// runTraced is run with a count of the accesses of the buffers.
func runTraced(m *ssa.Module, trace map[accessed]int) (result string) {
	defer func() {
		if e := recover(); e != nil {
			result += fmt.Sprint("panic: ", e)
		}
	}()
	const items = 4
	mach := &machine{globals: map[*ssa.Global]uint64{}, trace: trace}
	var data [buffers][]byte
	for b := range data {
		data[b] = make([]byte, items*kerneltest.ModuleBytes)
		for k := range data[b] {
			data[b][k] = byte(k*(2*b+1) + k>>6<<5)
		}
		mach.object(data[b])
	}
	for i := range uint64(items) {
		mach.item = i
		x := uint64(uint32(i)*0x9e3779b9) ^ i
		fl := numeric.ConvertBits(numeric.F32, false, 0, numeric.I32, uint64(uint32(i-2)))
		mach.call(m.Func("k"), [][]uint64{{1 << ssa.ObjectShift}, {2 << ssa.ObjectShift}, {3 << ssa.ObjectShift},
			{uint64(uint32(x))}, {fl}, {1, uint64(uint32(-i)), x & 0xffff, 7}, {x * 77}, {x << 40}, {x & 0xff}})
	}
	return fmt.Sprintf("%x", data[0])
}

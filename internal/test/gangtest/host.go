package gangtest

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A Host performs a launch's host calls and accesses through pointers. It is the [gang.Host] of the interpreter;
// machine code that serves pointers by itself uses Access for large copies only.
type Host struct {
	Log
	l       *Launch
	ctx     gang.Context
	gangs   []Gang
	at      int                                 // the current gang
	first   uint64                              // global id in dimension 0 of its lane 0
	private [][]byte                            // by gang: its private memory, for the interpreter
	places  []int                               // by object: of a private one, the offset of its copies in that memory
	Copy    func(object, gang, lane int) []byte // the lane's copy of a private object
	polls   int
}

// ErrPolls is the error of a function that does not end.
var ErrPolls = errors.New("the function does not end")

// maxPolls bounds the polls of a run.
const maxPolls = 2000

// NewHost returns a host at the launch's first gang.
func (l *Launch) NewHost() *Host {
	h := &Host{l: l, gangs: l.Gangs()}
	h.Enter(0)
	return h
}

// Enter makes gang number k the current one.
func (h *Host) Enter(k int) {
	h.at, h.first = k, h.gangs[k].Global[0]
	c := &h.ctx
	c.Global, c.Local, c.Active = h.gangs[k].Global, h.gangs[k].Local, h.gangs[k].Active
	if h.private == nil {
		return
	}
	for r, n := range h.l.Roots {
		if o := &h.l.Objects[n]; o.private() {
			c.Roots[r].Data = h.private[k][h.places[n]:][:o.Size*uint64(h.l.Func.Lanes)]
		}
	}
}

// Begin announces the gang whose lane 0 has a global id in dimension 0.
func (h *Host) Begin(global uint64) { h.first = global }

// Poll ends functions that do not end by themselves.
func (h *Host) Poll() bool {
	h.polls++
	return h.polls < maxPolls
}

// Watched returns a variable that is true: the function must poll.
func (h *Host) Watched() *atomic.Bool { return &always }

var always atomic.Bool

func init() { always.Store(true) }

// Next makes the next gang of the work-group current.
func (h *Host) Next() bool {
	h.Enter((h.at + 1) % len(h.gangs))
	return h.at > 0
}

// bytes returns the memory that a pointer's object has for a lane, nil if there is no such object.
func (h *Host) bytes(p uint64, lane int) (mem []byte, readOnly bool, k ViolationKind) {
	n := int(p >> ssa.ObjectShift)
	switch {
	case n == 0:
		return nil, false, BadNull
	case n >= len(h.l.Objects):
		return nil, false, BadObject
	case h.l.Objects[n].private():
		return h.Copy(n, h.at, lane), false, BadBounds
	}
	o := &h.l.Objects[n]
	return o.Data, o.ReadOnly, BadBounds
}

// Violate logs a violation of a lane of the current gang.
func (h *Host) Violate(access int, k ViolationKind, p uint64, lane int) {
	g := &h.gangs[h.at]
	v := Violation{Access: access, Kind: k, Count: 1, Ptr: p, Global: [3]uint64{h.first + uint64(lane), g.Global[1], g.Global[2]}}
	if h.l.InGroups() {
		v.order = g.Local[0] + uint64(lane) + h.l.Size[0]*(g.Local[1]+h.l.Size[1]*g.Local[2])
	}
	h.Add(v)
}

// move copies the bytes of d, to or from memory at p, that are in bounds. Others read as zero.
func (h *Host) move(r *gang.Request, lane int, p uint64, d []byte, write bool) {
	mem, readOnly, k := h.bytes(p, lane)
	off, n := p&ssa.OffsetMask, uint64(len(mem))
	lo, hi := uint64(0), uint64(len(d))
	if off > n || n-off < hi {
		h.Violate(r.Access, k, p, lane)
		lo, hi = exec.Inside(off, hi, n)
	} else if write && readOnly {
		h.Violate(r.Access, BadWrite, p, lane)
	}
	if !write {
		clear(d[:min(lo, uint64(len(d)))])
		clear(d[max(lo, hi):])
	}
	if lo >= hi || write && readOnly {
		return
	}
	at := mem[(off+lo)&ssa.OffsetMask:]
	if write {
		copy(at, d[lo:hi])
	} else {
		copy(d[lo:hi], at)
	}
}

// Access performs an access through lanes' pointers.
func (h *Host) Access(r *gang.Request) {
	if k := int(r.Inst.Gang); k != 0 { // of a work-group of known size
		h.Enter(k)
		defer h.Enter(0)
	}
	for lane, on := range r.Lanes {
		if !on {
			continue
		}
		data := r.Data[lane*r.Size:][:r.Size]
		switch r.Inst.Op {
		case gang.OpLoadPtr:
			h.move(r, lane, r.Ptr[lane], data, false)
		case gang.OpStorePtr:
			h.move(r, lane, r.Ptr[lane], data, true)
		case gang.OpCopyPtr:
			h.move(r, lane, r.From[lane], data, false)
		case gang.OpZeroPtr:
			clear(data)
			h.move(r, lane, r.Ptr[lane], data, true)
		default:
			h.atomic(r, lane, data)
		}
	}
	if r.Inst.Op == gang.OpCopyPtr {
		for lane, on := range r.Lanes {
			if on {
				h.move(r, lane, r.Ptr[lane], r.Data[lane*r.Size:][:r.Size], true)
			}
		}
	}
}

// atomic performs a lane's atomic operation. d holds the operand and receives the old value.
func (h *Host) atomic(r *gang.Request, lane int, d []byte) {
	p := r.Ptr[lane]
	mem, readOnly, k := h.bytes(p, lane)
	off, n := p&ssa.OffsetMask, uint64(len(mem))
	if off > n || n-off < uint64(len(d)) {
		h.Violate(r.Access, k, p, lane)
		clear(d)
		return
	}
	if readOnly && r.Inst.Each != ssa.OpAtomicLoad {
		h.Violate(r.Access, BadWrite, p, lane)
		clear(d)
		return
	}
	at := mem[off:][:len(d)]
	old, x := numeric.Load(at, len(d)), numeric.Load(d, len(d))
	switch r.Inst.Each {
	case ssa.OpAtomicStore:
		numeric.Store(at, len(d), x)
	case ssa.OpAtomicCAS:
		if old == numeric.Load(r.Expected[lane*r.Size:], r.Size) {
			numeric.Store(at, len(d), x)
		}
	case ssa.OpAtomicRMW:
		rmw, _, _ := ssa.AtomicParts(r.Inst.Aux)
		t := h.l.Func.Type(r.Inst.Args[1])
		numeric.Store(at, len(d), exec.RMWFunc(rmw, t.K)(old, x))
	}
	numeric.Store(d, len(d), old)
}

// Call logs a host call and computes its result.
func (h *Host) Call(c *gang.Call) {
	elements, mask := 0, ^uint64(0)
	if i := h.l.Inst(c.Access); i.Dst != 0 {
		t := h.l.Func.Type(i.Dst)
		elements, mask = int(t.N), ^uint64(0)>>(64-8*t.Size())
	}
	for lane, on := range c.Lanes {
		if !on {
			for k := range elements { // unspecified
				c.Result[lane*elements+k] = h.ctx.Noise & mask
			}
			continue
		}
		sum, text := uint64(0), ""
		for _, a := range c.Args {
			sum += a[lane]
			text += fmt.Sprintf(" %#x", a[lane])
		}
		h.Calls = append(h.Calls, fmt.Sprintf("call %d by work-item %d:%s", c.Access, h.first+uint64(lane), text))
		for k := range elements {
			c.Result[lane*elements+k] = (sum + uint64(k)) & mask
		}
	}
}

// Interpret runs the launch by the interpreter. noise selects the unspecified values. An error is one of the
// function: it does not end, or accesses memory out of bounds without a check.
func (l *Launch) Interpret(noise uint64) (*Log, error) {
	defer fpenv.EnterKernel(l.Flush).Leave()
	h := l.NewHost()
	h.ctx.Params, h.ctx.Queries, h.ctx.IDEnd, h.ctx.Flush, h.ctx.Host, h.ctx.Noise = l.Params, l.Queries(), l.IDEnd(), l.Flush, h, noise
	for _, n := range l.Roots {
		o := &l.Objects[n]
		h.ctx.Roots = append(h.ctx.Roots, gang.Memory{Pointer: uint64(n) << ssa.ObjectShift, Size: o.Size, Data: o.Data, Writable: !o.ReadOnly})
	}
	total := 0
	h.places = make([]int, len(l.Objects))
	for n := range l.Objects {
		if o := &l.Objects[n]; o.private() {
			h.places[n] = total
			total += int(o.Size) * l.Func.Lanes
		}
	}
	for range h.gangs {
		mem := make([]byte, total)
		for k := range mem {
			mem[k] = byte(noise >> (8 * (k % 8)))
		}
		h.private = append(h.private, mem)
	}
	h.Copy = func(n, gang, lane int) []byte {
		size := int(l.Objects[n].Size)
		return h.private[gang][h.places[n]+lane*size:][:size]
	}
	h.Enter(0)
	err := h.interpret()
	if errors.Is(err, gang.ErrLeave) {
		h.Left, err = true, nil
	}
	if err == nil && h.polls >= maxPolls {
		err = ErrPolls
	}
	return &h.Log, err
}

// interpret runs the function; gangs that wait at barriers take turns.
func (h *Host) interpret() error {
	if !h.l.Func.Waits {
		return h.l.Func.Run(&h.ctx)
	}
	states := make([]*gang.State, len(h.gangs))
	for k := range states {
		h.Enter(k)
		states[k] = h.l.Func.NewState(&h.ctx)
	}
	for {
		var at *gang.Inst
		for k, s := range states {
			if s == nil {
				continue
			}
			h.Enter(k)
			barrier, err := s.Resume()
			switch {
			case err != nil:
				return err
			case barrier == nil:
				states[k] = nil
			case at != nil && at.Imm != barrier.Imm:
				h.Diverged = true
				return nil
			default:
				at = barrier
			}
		}
		if at == nil || h.polls >= maxPolls {
			return nil
		}
	}
}

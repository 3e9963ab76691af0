package gang

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A run is a function under interpretation. Registers hold the raw bits of their elements, zero-extended, lane
// 0 first.
type run struct {
	f    *Func
	m    *Context
	regs [][]uint64
	args [4]uint64
	req  Request
	b    *Block // the block to execute next
	at   int
	last uint64 // state of the generator of unspecified values
}

// A State is a function under interpretation, which can be suspended at a barrier.
type State run

// NewState returns the state of the function at its entry. Unwritten registers hold noise, so that a result
// that depends on one is found.
func (f *Func) NewState(m *Context) *State {
	r := &run{f: f, m: m, regs: make([][]uint64, len(f.Types)), b: f.Blocks[0], last: m.Noise + 1}
	for k, t := range f.Types {
		if t.Class == NoClass {
			continue
		}
		r.regs[k] = make([]uint64, t.elements(f.Lanes))
		for e := range r.regs[k] {
			r.regs[k][e] = r.noise(t.K)
		}
	}
	return (*State)(r)
}

// These numbers as a Context's Noise make all bits of unspecified values 0 or 1.
const (
	ZeroNoise = 1<<64 - 1 - iota
	OnesNoise
)

// noise returns an unspecified value of kind k.
func (r *run) noise(k ssa.Kind) uint64 {
	switch r.m.Noise {
	case ZeroNoise:
		return 0
	case OnesNoise:
		return cut(^uint64(0), k)
	}
	r.last = r.last*6364136223846793005 + 1442695040888963407
	switch r.last >> 60 { // like registers that machine code has not written
	case 0, 1, 2, 3:
		return 0
	case 4, 5:
		return cut(^uint64(0), k)
	}
	return cut(r.last>>29|r.last<<35, k)
}

// Run interprets the function for the gangs of m. It is slow and exact: tests compare it with the reference
// executor, and machine code with it.
func (f *Func) Run(m *Context) error {
	_, err := f.NewState(m).Resume()
	return err
}

// ErrLeave is returned by Resume if an OpLeave ends the function: the launch must execute the work-items of the current
// gang, and the gangs after it.
var ErrLeave = errors.New("the gang's work-items need another function")

// Resume runs until the function ends, the host ends it, or the gang waits at a barrier. It returns the
// barrier's instruction.
func (s *State) Resume() (barrier *Inst, err error) {
	r := (*run)(s)
	for r.b != nil {
		for ; r.at < len(r.b.Insts)-1; r.at++ {
			i := &r.b.Insts[r.at]
			switch i.Op {
			case OpPoll:
				if !r.m.Host.Poll() {
					return nil, nil
				}
			case OpLeave:
				return nil, ErrLeave
			case OpBarrier:
				r.at++
				return i, nil
			default:
				if err := r.inst(i); err != nil {
					return nil, fmt.Errorf("b%d: %s: %w", r.b.ID, r.f.Inst(i), err)
				}
			}
		}
		r.b, r.at = r.next(r.b), 0
	}
	return nil, nil
}

// Execute executes an instruction that is neither a terminator nor a poll. regs has the elements of the
// registers, by number. Machine code calls it for operations that it has no instructions for.
func (f *Func) Execute(m *Context, i *Inst, regs [][]uint64) error {
	return (&run{f: f, m: m, regs: regs}).inst(i)
}

// Elements returns the number of elements of a register.
func (f *Func) Elements(r Reg) int { return f.Types[r].elements(f.Lanes) }

// cut truncates bits to the width of kind k.
func cut(x uint64, k ssa.Kind) uint64 {
	if k == ssa.Bool {
		return x & 1
	}
	return x & (1<<(8*k.Num().Size()) - 1)
}

func (r *run) scalar(x Reg) uint64 { return r.regs[x][0] }

// on reports whether a mask contains a lane.
func (r *run) on(mask Reg, lane int) bool { return mask == 0 || r.regs[mask][lane] != 0 }

// next returns the block after b, nil at the end of the function.
func (r *run) next(b *Block) *Block {
	i := b.Term()
	first := true // the first successor is next
	switch i.Op {
	case OpReturn:
		return nil
	case OpBranch:
		k := r.f.Type(i.Args[0]).K
		x, _ := ssa.EvalScalar(i.Each, ssa.Bool, k, 0, []uint64{r.scalar(i.Args[0]), r.scalar(i.Args[1])})
		first = x != 0
	case OpAny:
		n := int(r.f.Type(i.Args[0]).N)
		first = false
		for e, x := range r.regs[i.Args[0]] {
			first = first || x != 0 && r.on(i.Mask, e/n)
		}
	case OpSwitch:
		return b.Succs[1+slices.Index(i.Cases, r.scalar(i.Args[0]))]
	case OpNext:
		first = r.m.Host.Next()
	case OpCheck:
		first = r.check(i)
	case OpDisjoint:
		first = r.m.Roots[i.Root].disjoint(&r.m.Roots[i.Aux])
	case OpRuns:
		for _, off := range r.regs[i.Args[0]] {
			first = first && r.m.Roots[i.Root].contains(i.scaled(off), int(i.Size), i.Write)
		}
	}
	if first {
		return b.Succs[0]
	}
	return b.Succs[1]
}

// check executes an OpCheck.
func (r *run) check(i *Inst) bool {
	off, n := i.scaled(r.scalar(i.Args[0])), uint64(i.Size)
	if i.Scale != 0 && off/uint64(i.Scale) != r.scalar(i.Args[0]) {
		return false
	}
	if i.Mask != 0 {
		first, last := -1, 0
		for lane, on := range r.regs[i.Mask] {
			if on != 0 && first < 0 {
				first = lane
			}
			if on != 0 {
				last = lane
			}
		}
		if first < 0 {
			return false
		}
		off, n = off+n*uint64(first), n*uint64(last-first+1)
	}
	return r.m.Roots[i.Root].contains(off, int(n), i.Write)
}

// scaled returns a lane's offset in bytes.
func (i *Inst) scaled(off uint64) uint64 {
	if i.Scale != 0 {
		return off * uint64(i.Scale)
	}
	return off
}

// halves reports whether a machine may take the elements that an OpInside is for out of aligned words, which those at odd
// addresses cross. The interpreter leaves out these, too.
func (f *Func) halves(i *Inst) bool {
	return i.Size%4 == 2 && !i.Write && f.Roots[i.Root].Kind != RootPrivate
}

// inst executes an instruction that is not a terminator.
func (r *run) inst(i *Inst) error {
	f, m := r.f, r.m
	var d []uint64
	if i.Dst != 0 {
		d = r.regs[i.Dst]
	}
	fill := func(x uint64) {
		for e := range d {
			d[e] = x
		}
	}
	switch i.Op {
	case OpConst:
		fill(cut(uint64(i.Imm), f.Type(i.Dst).K))
	case OpCopy:
		copy(d, r.regs[i.Args[0]])
	case OpEach:
		return r.each(i, d)
	case OpSplat:
		fill(r.scalar(i.Args[0]))
	case OpRamp:
		r.ramp(i, d)
	case OpFirst:
		fill(0)
		for lane, x := range r.regs[i.Args[0]] {
			if r.on(i.Mask, lane) {
				d[0] = x
				break
			}
		}
	case OpPart:
		n := int(f.Type(i.Args[0]).N)
		for lane := range d {
			d[lane] = r.regs[i.Args[0]][lane*n+int(i.Imm)]
		}
	case OpJoin:
		for k, a := range i.Args {
			for lane, x := range r.regs[a] {
				d[lane*len(i.Args)+k] = x
			}
		}
	case OpShuffle:
		r.shuffle(i, d)
	case OpInsert:
		r.insert(i, d)
	case OpActive:
		for lane := range d {
			d[lane] = 0
			if lane < m.Active {
				d[lane] = 1
			}
		}
	case OpVote:
		r.vote(i, d)
	case OpPermute:
		r.permute(i, d)
	case OpExchange:
		return r.exchange(i, d)
	case OpBallot:
		r.ballot(i, d)
	case OpRank, OpCount:
		r.rank(i, d)
	case OpParam, OpQuery, OpIDEnd, OpRoot, OpObject:
		fill(r.given(i))
	case OpInside:
		for lane, off := range r.regs[i.Args[0]] {
			d[lane] = 0
			if r.on(i.Mask, lane) && m.Roots[i.Root].contains(i.scaled(off), int(i.Size), i.Write) && (!f.halves(i) || i.scaled(off)&1 == 0) {
				d[lane] = 1
			}
		}
	default:
		return r.effect(i, d)
	}
	return nil
}

// given returns what the context gives the function.
func (r *run) given(i *Inst) uint64 {
	f, m := r.f, r.m
	switch i.Op {
	case OpParam:
		return cut(m.Params[i.Imm][i.Aux], f.Type(i.Dst).K)
	case OpQuery:
		return cut(r.query(ssa.WorkItemQuery(i.Imm), int(i.Aux)), f.Type(i.Dst).K)
	case OpIDEnd:
		return m.IDEnd
	case OpObject:
		return m.Roots[i.Root].fact(i.Imm)
	}
	return m.Roots[i.Root].Pointer
}

// effect executes an instruction that accesses memory or calls the host.
func (r *run) effect(i *Inst, d []uint64) error {
	switch i.Op {
	case OpLoad, OpStore:
		return r.access(i)
	case OpLoadPtr, OpStorePtr, OpCopyPtr, OpZeroPtr, OpAtomic:
		r.pointers(i, r.regs[i.Args[0]])
	case OpAtomicAt:
		return r.atomicAt(i)
	case OpClear:
		for k := range r.f.Roots {
			if mem := &r.m.Roots[k]; r.f.Roots[k].Kind == RootPrivate {
				clear(mem.Data)
			}
		}
	case OpZeroOwn:
		mem := &r.m.Roots[i.Root]
		for lane := range r.f.Lanes {
			if r.on(i.Mask, lane) {
				clear(mem.Data[uint64(lane)*mem.Size:][i.Imm:][:i.Size])
			}
		}
	case OpCall:
		r.call(i, d)
	case OpBegin:
		r.m.Host.Begin(r.scalar(i.Args[0]))
	}
	return nil
}

// shuffle executes an OpShuffle.
func (r *run) shuffle(i *Inst, d []uint64) {
	a, b := r.regs[i.Args[0]], r.regs[i.Args[1]]
	n, m, k := int(r.f.Type(i.Args[0]).N), int(r.f.Type(i.Args[1]).N), len(i.Cases)
	out := make([]uint64, len(d)) // the result may be one of the arguments
	for e := range out {
		if c := int(i.Cases[e%k]); c < n {
			out[e] = a[e/k*n+c]
		} else {
			out[e] = b[e/k*m+c-n]
		}
	}
	copy(d, out)
}

// rank executes an OpRank or an OpCount.
func (r *run) rank(i *Inst, d []uint64) {
	n := uint64(0)
	for lane, x := range r.regs[i.Args[0]] {
		n += x & 1
		d[lane%len(d)] = n
	}
}

// permute executes an OpPermute.
func (r *run) permute(i *Inst, d []uint64) {
	both := append(slices.Clone(r.regs[i.Args[0]]), r.regs[i.Args[1]]...)
	for lane := range d {
		d[lane] = both[i.Cases[lane]]
	}
}

// insert executes an OpInsert.
func (r *run) insert(i *Inst, d []uint64) {
	n, from := int(r.f.Type(i.Dst).N), slices.Clone(r.regs[i.Args[1]])
	copy(d, r.regs[i.Args[0]])
	for lane, x := range from {
		d[lane*n+int(i.Imm)] = x
	}
}

// recast reinterprets elements side by side as elements of another size.
func (r *run) recast(i *Inst, d []uint64) {
	ds, from := r.f.Type(i.Dst).Size(), r.f.Type(i.Args[0]).Size()
	mem := make([]byte, len(d)*ds)
	for e, x := range r.regs[i.Args[0]] {
		numeric.Store(mem[e*from:], from, x)
	}
	for e := range d {
		d[e] = numeric.Load(mem[e*ds:], ds)
	}
}

// each computes an elementwise operation.
func (r *run) each(i *Inst, d []uint64) error {
	t := r.f.Type(i.Dst)
	from := r.f.Type(i.Args[0])
	if t.N != from.N && i.Each == ssa.OpBitcast {
		r.recast(i, d)
		return nil
	}
	args := r.args[:len(i.Args)]
	for e := range d {
		for k, a := range i.Args {
			at := e
			if i.Each == ssa.OpSelect && k == 0 {
				at = e * int(from.N) / int(t.N) // one condition may select all elements of a lane
			}
			args[k] = r.regs[a][at]
		}
		switch i.Each {
		case ssa.OpSelect:
			d[e] = args[2]
			if args[0] != 0 {
				d[e] = args[1]
			}
		case ssa.OpBitcast, ssa.OpPtrCast:
			d[e] = args[0]
		default:
			x, ok := ssa.EvalScalar(i.Each, t.K, from.K, i.Aux, args)
			if !ok {
				return fmt.Errorf("%v of %v has no meaning", i.Each, from.K)
			}
			d[e] = x
		}
	}
	return nil
}

func (r *run) ramp(i *Inst, d []uint64) {
	k := r.f.Type(i.Dst).K
	first := r.scalar(i.Args[0])
	for lane := range d {
		step := uint64(i.Imm) * uint64(lane)
		if k.IsPtr() {
			d[lane] = first&^ssa.OffsetMask | (first+step)&ssa.OffsetMask
		} else {
			d[lane] = cut(first+step, k)
		}
	}
}

func (r *run) vote(i *Inst, d []uint64) {
	all, none := true, true
	n := int(r.f.Type(i.Args[0]).N)
	for e, x := range r.regs[i.Args[0]] {
		if r.on(i.Mask, e/n) {
			all, none = all && x != 0, none && x == 0
		}
	}
	switch {
	case all:
		d[0] = ssa.VoteAll
	case none:
		d[0] = ssa.VoteNone
	default:
		d[0] = ssa.VoteSome
	}
}

// exchange returns an error if a number that must be less than the size of a sub-group is not.
func (r *run) exchange(i *Inst, d []uint64) error {
	from, which := r.regs[i.Args[0]], r.regs[i.Args[1]]
	n := int(i.Aux)
	out := make([]uint64, len(d)) // the result may be one of the arguments
	for lane := range d {
		if i.Imm == 1 && which[lane] >= uint64(n) {
			return fmt.Errorf("lane %d has the number %d of %d", lane, which[lane], n)
		}
		if at := lane/n*n + int(which[lane]); which[lane] < uint64(n) && r.on(i.Mask, at) {
			out[lane] = from[at]
		}
	}
	copy(d, out)
	return nil
}

func (r *run) ballot(i *Inst, d []uint64) {
	n := int(i.Aux)
	for first := 0; first < len(d); first += n {
		bits := uint64(0)
		for k := range n {
			if r.on(i.Mask, first+k) {
				bits |= r.regs[i.Args[0]][first+k] << k
			}
		}
		for k := range n {
			d[first+k] = bits
		}
	}
}

// call makes the host perform an operation.
func (r *run) call(i *Inst, d []uint64) {
	c := Call{Access: int(i.Access), Lanes: make([]bool, r.f.Lanes), Result: make([]uint64, len(d))}
	for lane := range c.Lanes {
		c.Lanes[lane] = r.on(i.Mask, lane)
	}
	for _, a := range i.Args {
		c.Args = append(c.Args, r.regs[a])
	}
	r.m.Host.Call(&c)
	copy(d, c.Result)
}

func (r *run) query(q ssa.WorkItemQuery, dim int) uint64 {
	switch q {
	case ssa.GlobalID:
		return r.m.Global[dim]
	case ssa.LocalID:
		return r.m.Local[dim]
	}
	return r.m.Queries[q][dim]
}

// address returns the offset of a lane's first element.
func (r *run) address(i *Inst, lane, bytes int) uint64 {
	off := r.regs[i.Args[0]]
	at := i.scaled(off[0]) + uint64(i.Imm)
	switch i.Shape {
	case Contiguous, Fields:
		at += uint64(lane * bytes)
	case Lookup:
		at = uint64(i.Imm) + off[lane]*uint64(bytes)
	case Strided:
		at += uint64(lane) * uint64(i.Aux)
	case Permuted:
		by := r.scalar(i.Args[len(i.Args)-1]) & uint64(r.f.Lanes-1)
		at += uint64(bytes) * (uint64(lane) ^ by)
	case Spread:
		at += i.Cases[lane]
	case Gather, OwnGather, Rows, Runs, Pieces:
		at = i.scaled(off[lane]) + uint64(i.Imm)
	}
	return at
}

// access executes a load or store of a root. An access out of bounds is an error of the function: it must have
// been checked before.
func (r *run) access(i *Inst) error {
	val := i.Dst
	if i.Op == OpStore {
		val = i.Args[1]
	}
	t := r.f.Type(val)
	es, n := t.Size(), int(t.N)
	elems := r.regs[val]
	mem := &r.m.Roots[i.Root]
	for lane := range max(1, len(elems)/n) {
		on, firstLanes := r.on(i.Mask, lane), i.Shape == Contiguous && i.Aux != 0
		if firstLanes && on != (int64(lane) < i.Aux) {
			return fmt.Errorf("not the first %d lanes", i.Aux)
		}
		for c := range n {
			if !on && i.Op == OpLoad {
				elems[lane*n+c] = r.noise(t.K)
			}
		}
		if !on || i.Shape == Spread && i.Cases[lane] == NotStored {
			continue
		}
		if err := r.kept(i, lane, es*n); err != nil {
			return err
		}
		at := r.address(i, lane, es*n)
		if !mem.contains(at, es*n, i.Op == OpStore) {
			return fmt.Errorf("lane %d accesses %d bytes at offset %d of %d", lane, es*n, int64(at), mem.Size)
		}
		if !on {
			continue
		}
		if i.Shape == Own || i.Shape == OwnGather {
			at += uint64(lane) * mem.Size
		}
		for c := range n {
			b := mem.Data[at+uint64(c*es):][:es]
			if i.Shape == Fields && i.Aux>>c&1 == 0 {
				continue
			}
			if i.Op == OpStore {
				numeric.Store(b, es, elems[lane*n+c])
			} else {
				elems[lane*n+c] = numeric.Load(b, es)
			}
		}
	}
	return nil
}

// kept returns an error if an access breaks the promise of its shape.
func (r *run) kept(i *Inst, lane, bytes int) error {
	first := lane
	switch {
	case i.Shape == Lookup && r.regs[i.Args[0]][lane] >= uint64(i.Aux):
		return fmt.Errorf("lane %d has the index %d of %d", lane, r.regs[i.Args[0]][lane], i.Aux)
	case i.Shape == Gather && i.Op == OpLoad && bytes%4 == 2 && r.address(i, lane, bytes)&1 != 0:
		return fmt.Errorf("lane %d loads from an odd address", lane)
	case i.Shape == Pieces:
		first = lane &^ (int(i.Aux) - 1)
	}
	if first != lane && r.on(i.Mask, first) && r.address(i, lane, bytes) != r.address(i, first, bytes)+uint64((lane-first)*bytes) {
		return fmt.Errorf("lane %d is not beside its neighbours", lane)
	}
	return nil
}

// atomicAt makes the host perform an atomic operation on a root. One out of bounds is an error of the function.
func (r *run) atomicAt(i *Inst) error {
	mem, size := &r.m.Roots[i.Root], r.f.Bytes(i)
	ptr := make([]uint64, r.f.Lanes)
	for lane := range ptr {
		at := r.address(i, lane, size)
		if r.on(i.Mask, lane) && !mem.contains(at, size, i.Each != ssa.OpAtomicLoad) {
			return fmt.Errorf("lane %d accesses %d bytes at offset %d of %d", lane, size, int64(at), mem.Size)
		}
		ptr[lane] = mem.Pointer | at&ssa.OffsetMask
	}
	r.pointers(i, ptr)
	return nil
}

// pointers makes the host access memory through the lanes' pointers.
func (r *run) pointers(i *Inst, ptr []uint64) {
	f, q := r.f, &r.req
	lanes := f.Lanes
	*q = Request{Inst: i, Access: int(i.Access), Size: f.Bytes(i), Ptr: ptr, Lanes: make([]bool, lanes)}
	for lane := range q.Lanes {
		q.Lanes[lane] = r.on(i.Mask, lane)
	}
	pack := func(a Reg) []byte {
		es := f.Type(a).Size()
		b := make([]byte, 0, lanes*q.Size)
		for _, x := range r.regs[a] {
			b = b[:len(b)+es]
			numeric.Store(b[len(b)-es:], es, x)
		}
		return b
	}
	switch i.Op {
	case OpCopyPtr:
		q.From = r.regs[i.Args[1]]
	case OpStorePtr:
		q.Data = pack(i.Args[1])
	case OpAtomic, OpAtomicAt:
		if len(i.Args) > 1 {
			q.Data = pack(i.Args[len(i.Args)-1])
		}
		if len(i.Args) > 2 {
			q.Expected = pack(i.Args[1])
		}
	}
	if q.Data == nil {
		q.Data = make([]byte, lanes*q.Size)
	}
	r.m.Host.Access(q)
	if i.Dst == 0 {
		return
	}
	d, es := r.regs[i.Dst], f.Type(i.Dst).Size()
	for e := range d {
		if lane := e / int(f.Type(i.Dst).N); q.Lanes[lane] {
			d[e] = numeric.Load(q.Data[e*es:], es)
		} else {
			d[e] = r.noise(f.Type(i.Dst).K)
		}
	}
}

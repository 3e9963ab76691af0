//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/gangtest"
)

// A gangRun runs the machine code of one gang function, without a kernel and an executor.
type gangRun struct {
	l     *gangtest.Launch
	c     *x86.Code
	host  *gangtest.Host
	arena []byte
	code  codePiece
	ctx   []byte
	recOf []byte
	recs  []byte
	table []byte
	frame []byte
	priv  []byte // of all gangs
	stop  atomic.Bool
}

// errShape is the error of a function with an access in a shape that the level does not have.
var errShape = errors.New("not a shape of the level")

// generate makes the code of a function for a level.
func generate(f *gang.Func, lv *x86.Level) (c *x86.Code, err error) {
	defer func() {
		if r := recover(); r != nil {
			if s, ok := r.(string); !ok || !strings.HasPrefix(s, "x86: ") {
				panic(r)
			}
			err = fmt.Errorf("%w: %v", errShape, r)
		}
	}()
	return x86.Generate(f, x86.Options{Level: lv, Step: 1, Check: true})
}

// runCode runs a launch by machine code of a level.
func runCode(l *gangtest.Launch, lv *x86.Level) (*gangtest.Log, error) {
	c, err := generate(l.Func, lv)
	if err != nil {
		return nil, err
	}
	r := &gangRun{l: l, c: c, host: l.NewHost()}
	if r.code, err = executable(c.Bytes); err != nil {
		return nil, err
	}
	defer r.code.free()
	if err := r.allocate(); err != nil {
		return nil, err
	}
	defer release(r.arena)
	r.setContext()
	r.setObjects()
	r.setFrames()
	if err := r.run(); err != nil {
		return nil, err
	}
	r.violations()
	r.addSums()
	return &r.host.Log, nil
}

// allocate divides one allocation into the parts that the code uses.
func (r *gangRun) allocate() (err error) {
	accesses, gangs := len(r.c.Accesses)+1, len(r.l.Gangs())
	parts := []struct {
		mem  *[]byte
		size int
	}{
		{&r.ctx, r.c.CtxSize + 64},
		{&r.recOf, 4 * accesses * x86.NumBad},
		{&r.recs, accesses * x86.NumBad * x86.RecordSize},
		{&r.table, len(r.l.Objects) * x86.ObjectEntry},
		{&r.frame, gangs * r.c.FrameSize},
		{&r.priv, gangs * r.privateSize()},
	}
	total := 0
	for _, p := range parts {
		total += pages(p.size)
	}
	if r.arena, err = allocate(total); err != nil {
		return err
	}
	at := 0
	for _, p := range parts {
		*p.mem = r.arena[at:][:p.size]
		at += pages(p.size)
	}
	for k := range r.priv {
		r.priv[k] = 0x5A
	}
	return nil
}

// privateSize returns the bytes of a gang's private memory.
func (r *gangRun) privateSize() int {
	return r.c.Private * max(r.c.Lanes, r.c.Level.Lanes)
}

func (r *gangRun) put(off int, v uint64) { *word(r.ctx, off) = v }

// setContext sets the context's fields.
func (r *gangRun) setContext() {
	l := r.l
	r.put(x86.CtxObjects, uint64(address(r.table)))
	r.put(x86.CtxNumObjects, uint64(len(l.Objects)))
	r.put(x86.CtxRecordsOf, uint64(address(r.recOf)))
	r.put(x86.CtxRecords, uint64(address(r.recs)))
	r.put(x86.CtxNoRecords, uint64(address(r.recs)))
	r.put(x86.CtxUnaligned, uint64(uintptr(exec.Unaligned.Address())))
	r.put(x86.CtxStop, uint64(uintptr(unsafe.Pointer(&r.stop))))
	r.put(x86.CtxStopped, uint64(uintptr(unsafe.Pointer(&r.stop))))
	r.put(x86.CtxStride, uint64(r.c.FrameSize))
	r.put(x86.CtxGroups, 1)
	r.put(x86.CtxIDEnd, l.IDEnd())
	for q, ids := range l.Queries() {
		for d, v := range ids {
			if at := x86.CtxQueries + 8*(3*q+d); at < x86.CtxGroups {
				r.put(at, v)
			}
		}
	}
	if l.InGroups() {
		r.put(x86.CtxOrder, 1)
		r.put(x86.CtxGroupSize, l.Size[0])
	}
	for k, p := range r.c.Params {
		for e := range p[1] {
			r.put(p[0]+8*e, l.Params[k][e])
		}
	}
}

// setObjects sets the object table, the roots and the sums.
func (r *gangRun) setObjects() {
	for n := range r.l.Objects {
		o := &r.l.Objects[n]
		row := r.table[n*x86.ObjectEntry:]
		*word(row, x86.ObjLen) = o.Size
		if len(o.Data) > 0 {
			*word(row, x86.ObjBase) = uint64(address(o.Data))
		}
		if o.ReadOnly {
			*word(row, x86.ObjFlags) = x86.ObjReadOnly
		}
	}
	for _, p := range r.c.Privates {
		row := r.table[r.l.Roots[p.Root]*x86.ObjectEntry:]
		*word(row, x86.ObjBase), *word(row, x86.ObjLane) = uint64(p.Offset), uint64(r.c.Stride)
		*word(row, x86.ObjFlags) = x86.ObjPrivate
		if e := r.c.Roots[p.Root].Elem; e > 0 {
			*word(row, x86.ObjFlags) = x86.ObjPrivate | x86.ObjRows | uint64(e-1)<<x86.ObjElem
		}
	}
	for k, n := range r.l.Roots {
		at, row := x86.CtxRoots+x86.RootSize*k, r.table[n*x86.ObjectEntry:]
		r.put(at+x86.RootPtr, uint64(n)<<ssa.ObjectShift)
		r.put(at+x86.RootBase, *word(row, x86.ObjBase))
		r.put(at+x86.RootLen, *word(row, x86.ObjLen))
		if !r.l.Objects[n].ReadOnly {
			r.put(at+x86.RootWrites, *word(row, x86.ObjLen))
		}
	}
	for k := range r.c.Sums {
		s := &r.c.Sums[k]
		for lane := range max(r.c.Lanes, r.c.Level.Lanes) {
			size := s.Kind.Num().Size()
			numeric.Store(r.ctx[s.At+x86.SumLanes+lane*size:], size, s.Neutral())
		}
		shares := slices.ContainsFunc(s.Others, func(o int32) bool { return r.l.Roots[o] == r.l.Roots[s.Root] })
		if shares {
			r.put(s.At, x86.NoSum)
		}
	}
}

// setFrames sets the gangs' frames.
func (r *gangRun) setFrames() {
	start := uint64(address(r.code.mem)) + uint64(r.c.Start)
	gangs := r.l.Gangs()
	for k, g := range gangs {
		f := r.frame[k*r.c.FrameSize:]
		for d := range 3 {
			*word(f, x86.FrameGlobal+8*d), *word(f, x86.FrameLocal+8*d) = g.Global[d], g.Local[d]
		}
		*word(f, x86.FrameLanes) = uint64(g.Active)
		*word(f, x86.FramePrivate) = uint64(address(r.priv[k*r.privateSize():]))
		*word(f, x86.FrameStart), *word(f, x86.FrameResume) = start, start
		if r.l.InGroups() {
			*word(f, x86.FrameOrder) = g.Local[0] + r.l.Size[0]*(g.Local[1]+r.l.Size[1]*g.Local[2])
		}
	}
	first := uint64(address(r.frame))
	r.put(x86.CtxFrame, first)
	r.put(x86.CtxFirst, first)
	r.put(x86.CtxEnd, first+uint64(len(r.frame)))
	r.put(x86.CtxLive, uint64(len(gangs)))
	r.put(x86.CtxResume, start)
	r.put(x86.CtxRowFirst, gangs[0].Global[0])
	r.put(x86.CtxRowIDEnd, r.l.IDEnd())
	r.put(x86.CtxRowLanes, uint64(gangs[0].Active))
	r.put(x86.CtxRowStart, start)
	r.put(x86.CtxRowsEnd, 1)
	r.host.Copy = func(n, gang, lane int) []byte {
		row := r.table[n*x86.ObjectEntry:]
		return r.priv[gang*r.privateSize()+int(*word(row, x86.ObjBase))+lane*int(*word(row, x86.ObjLane)):][:*word(row, x86.ObjLen)]
	}
}

// run enters the code until it ends, and performs its host calls.
func (r *gangRun) run() error {
	env := uint32(fpenv.Standard)
	if r.l.Flush {
		env = fpenv.Flushing
	}
	watchdog := time.AfterFunc(20*time.Second, func() { r.stop.Store(true) })
	defer watchdog.Stop()
	for {
		enter(unsafe.Pointer(&r.ctx[0]), unsafe.Pointer(&r.code.mem[0]), env)
		switch s := *word(r.ctx, x86.CtxStatus); s {
		case x86.StatusDone:
			return nil
		case x86.StatusLeft:
			r.host.Left = true
			return nil
		case x86.StatusBarrier:
			r.host.Diverged = true
			return nil
		case x86.StatusYield:
			r.yield(&r.c.Ops[*word(r.ctx, x86.CtxYield)])
		default:
			return fmt.Errorf("machine code returned status %d", s)
		}
	}
}

// yield performs an operation of the host.
func (r *gangRun) yield(o *x86.HostOp) {
	defer fpenv.EnterKernel(r.l.Flush).Leave()
	if o.Access == nil {
		var args [4]uint64
		out, size := r.ctx[x86.CtxArgs+3*x86.CtxArgSize:], o.Kind.Num().Size()
		for lane := range r.c.Lanes {
			for i, k := range o.Args {
				args[i] = laneBits(r.ctx[x86.CtxArgs+x86.CtxArgSize*i:], k, lane)
			}
			x, _ := ssa.EvalScalar(o.Each, o.Kind, o.Args[0], o.Aux, args[:len(o.Args)])
			numeric.Store(out[size*lane:], size, x)
		}
		return
	}
	access := 0
	for k := range r.c.Accesses {
		if &r.c.Accesses[k] == o.Access {
			access = k
		}
	}
	i := r.l.Inst(access)
	slot := func(n int) []byte { return r.ctx[r.c.Area+8*max(r.c.Lanes, r.c.Level.Lanes)*(1+n):] }
	frame := int(*word(r.ctx, x86.CtxFrame)-uint64(address(r.frame))) / r.c.FrameSize
	r.host.Enter(frame)
	r.host.Begin(*word(r.frame, frame*r.c.FrameSize+x86.FrameGlobal))
	lanes := make([]bool, r.c.Lanes)
	args := make([][]uint64, len(i.Args))
	for lane := range lanes {
		lanes[lane] = *word(r.ctx, r.c.Area)>>lane&1 != 0
		for k, a := range i.Args {
			args[k] = append(args[k], laneBits(slot(k), r.l.Func.Type(a).K, lane))
		}
	}
	if i.Op != gang.OpCall {
		q := gang.Request{Inst: i, Access: access, Size: int(i.Size), Lanes: lanes, Ptr: args[0], Data: make([]byte, int(i.Size)*r.c.Lanes)}
		if i.Op == gang.OpCopyPtr {
			q.From = args[1]
		}
		r.host.Access(&q)
		return
	}
	c := gang.Call{Access: access, Lanes: lanes, Args: args, Result: make([]uint64, r.l.Func.Elements(i.Dst))}
	if i.Dst == 0 {
		c.Result = nil
	}
	r.host.Call(&c)
	t := r.l.Func.Type(i.Dst)
	for e, x := range c.Result {
		numeric.Store(slot(e % int(t.N))[e/int(t.N)*t.Size():], t.Size(), x)
	}
}

// violations logs the records.
func (r *gangRun) violations() {
	recs := r.recs[:*word(r.ctx, x86.CtxRecords)-uint64(address(r.recs))]
	for rec := range slices.Chunk(recs, x86.RecordSize) {
		get := func(off int) uint64 { return binary.LittleEndian.Uint64(rec[off:]) }
		of, rest := get(x86.RecOf), get(x86.RecRest)
		r.host.Add(gangtest.Violation{Access: int(of / x86.NumBad), Kind: gangtest.ViolationKind(of % x86.NumBad), Count: get(x86.RecCount), Ptr: get(x86.RecPtr),
			Global: [3]uint64{get(x86.RecGlobal), uint64(uint32(rest)), rest >> 32}})
	}
}

// addSums applies the code's sums to memory.
func (r *gangRun) addSums() {
	for k := range r.c.Sums {
		s := &r.c.Sums[k]
		at := *word(r.ctx, s.At)
		if at == 0 || at == x86.NoSum {
			continue
		}
		o, size := &r.l.Objects[r.l.Roots[s.Root]], s.Kind.Num().Size()
		p := o.Data[at-uint64(address(o.Data)):]
		f, x := exec.RMWFunc(s.RMW, s.Kind), numeric.Load(p, size)
		for lane := range max(r.c.Lanes, r.c.Level.Lanes) {
			x = f(x, numeric.Load(r.ctx[s.At+x86.SumLanes+lane*size:], size))
		}
		numeric.Store(p, size, x)
	}
}

// refused reports whether a level has no code for a function.
func refused(err error) bool {
	var u *gang.Unsupported
	return errors.As(err, &u)
}

// TestGangCases runs the cases of package gang as machine code of every level that this processor has. The memory and the
// violations are those of the interpreter, which the cases' files have.
func TestGangCases(t *testing.T) {
	cases, err := gangtest.Cases("../gang/testdata/run")
	if err != nil {
		t.Fatal(err)
	}
	for _, lv := range Levels() {
		for _, c := range cases {
			if !c.Runs(lv.Name, lv.Lanes) {
				continue
			}
			t.Run(lv.Name+"/"+c.Group+"/"+c.Name(), func(t *testing.T) {
				n, err := gangtest.Compare(c.Launch, func(l *gangtest.Launch) (*gangtest.Log, error) { return runCode(l, lv) })
				if errors.Is(err, errShape) || refused(err) {
					t.Skip(err) // the goldens of package x86 have this error
				}
				if err != nil || n == 0 {
					t.Errorf("%v: %d bytes compared: %v", c, n, err)
				}
			})
		}
	}
}

// compareCode compares the machine code of a level with the interpreter. It returns false if the level has no code for the
// function, or its behaviour is not defined.
func compareCode(launch func() (*gangtest.Launch, error), lv *x86.Level) (bool, error) {
	n, err := gangtest.Compare(launch, func(l *gangtest.Launch) (*gangtest.Log, error) { return runCode(l, lv) })
	if errors.Is(err, errShape) || refused(err) || errors.Is(err, gangtest.ErrUndefined) {
		return false, nil
	}
	return n > 0, err
}

// reduced reports a difference between machine code and the interpreter, with the smallest function that still has one.
func reduced(t *testing.T, f *gang.Func, launch func() (*gangtest.Launch, error), lv *x86.Level, err error) {
	t.Helper()
	gangtest.Reduce(f, func() bool {
		_, again := compareCode(launch, lv)
		if again != nil {
			err = again
		}
		return again != nil
	})
	t.Fatalf("on %s: %v\n%s", lv.Name, err, f)
}

var (
	randomGangs = flag.Int("gangs", 400, "random gang functions of TestRandomGangs")
	firstGang   = flag.Uint64("gang", 0, "seed of the first")
)

// TestRandomGangs compares random gang functions on machine code of each level with the interpreter.
func TestRandomGangs(t *testing.T) {
	levels := Levels()
	if len(levels) == 0 {
		t.Skip("no level")
	}
	ran := 0
	for seed := *firstGang; seed < *firstGang+uint64(*randomGangs); seed++ {
		lv := levels[seed%uint64(len(levels))]
		f, launch := gangtest.Random(seed, lv.Lanes<<(seed/7%3), lv.Target())
		ok, err := compareCode(launch, lv)
		if err != nil {
			t.Logf("seed %d", seed)
			reduced(t, f, launch, lv, err)
		}
		if ok {
			ran++
		}
	}
	t.Logf("%d of %d functions", ran, *randomGangs)
	if ran < *randomGangs/2 {
		t.Errorf("only %d of %d functions were compared", ran, *randomGangs)
	}
}

// maxElements bounds the size of the functions that FuzzGangs compares: code for more takes long to make and check.
const maxElements = 1 << 14

// FuzzGangs compares machine code of each level of the processor with the interpreter. It runs a gang function that the verifier
// accepts, and a random one. The corpus is the cases of package gang. A seed changes their instructions and makes their arguments.
func FuzzGangs(f *testing.F) {
	cases, err := gangtest.Cases("../gang/testdata/run")
	if err != nil {
		f.Fatal(err)
	}
	for k, c := range cases {
		f.Add(c.Text, uint64(k))
	}
	levels := Levels()
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		g, err := gang.Parse(text)
		if err != nil || gangtest.Elements(g) > maxElements || len(levels) == 0 {
			t.Skip()
		}
		gangtest.Mutate(g, rand.New(rand.NewPCG(seed, 0)))
		lv := levels[seed%uint64(len(levels))]
		if gangtest.Ordinary(g) && gangtest.Elements(g) <= maxElements && (g.Lanes == 1 || g.Lanes%lv.Lanes == 0) {
			if _, err := compareCode(gangtest.Arguments(g, seed), lv); err != nil {
				reduced(t, g, gangtest.Arguments(g, seed), lv, err)
			}
		}
		r, launch := gangtest.Random(seed, lv.Lanes<<(seed/7%3), lv.Target())
		if _, err := compareCode(launch, lv); err != nil {
			reduced(t, r, launch, lv, err)
		}
	})
}

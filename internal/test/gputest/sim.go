package gputest

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/ptxsim"
)

// Sim returns a GPU simulated by package ptxsim.
func Sim() device.Machine { return &sim{m: ptxsim.New()} }

// otherNaNs are NaNs that differ from the reference executor's: those of NVIDIA's GPUs, and two whose bits have
// little in common. A kernel that computes with the bits of a NaN, or with their remainder by a small number, gives
// a different result with at least one of them.
var otherNaNs = []ptxsim.NaNs{
	{F16: 0x7fff, F32: 0x7fffffff, F64: 0x7fffffffffffffff},
	{F16: 0x7fff, F32: 0x7fffffff, F64: 0xfff8000000000000, Widened: true}, // an H200's
	{F16: 0x7e2d, F32: 0x7fdead01, F64: 0x7ffbadbadbadbad1},
	{F16: 0xfe54, F32: 0xffc1fe54, F64: 0xfff8052481a3ffc2},
}

// simWith is Sim with other NaNs.
func simWith(n *ptxsim.NaNs) device.Machine {
	m := ptxsim.New()
	m.NaNs = n
	return &sim{m: m}
}

type sim struct {
	m         *ptxsim.Machine
	launching sync.Mutex // a launch at a time
}

func (s *sim) Info() *exec.Info {
	return &exec.Info{Kind: "gpu", Name: "simulated", Vendor: "NVIDIA", Driver: "1", ComputeUnits: 1, LocalMemory: 1 << 20, Memory: 1 << 32, MaxAlloc: 1 << 31, Constant: 64 << 20, MaxGroup: 1024, MaxSizes: [3]int{1024, 1024, 64}, Lanes: 32}
}

func (s *sim) Details() *exec.Details { return &exec.Details{Bus: &[4]uint32{}} }

func (s *sim) Target() string { return "sm_70" }

func (s *sim) Alloc(n int) (uint64, error) {
	mem := make([]byte, n)
	for i := range mem {
		mem[i] = 0x5a
	}
	return s.m.Map(mem), nil
}

func (s *sim) Free(addr uint64, _ int) { s.m.Free(addr) }

func (s *sim) Generation() int { return 1 }

func (s *sim) Load(text, entry string) (device.Code, error) {
	mod, err := s.m.Load(text)
	if err != nil {
		return nil, err
	}
	if list := ptxsim.Undefined(text); len(list) > 0 {
		return nil, fmt.Errorf("a register is read that is not set on all paths: %s", list[0])
	}
	return &simCode{mod, entry}, nil
}

// Assemble checks a module. The simulator has no machine code to return.
func (s *sim) Assemble(text string) ([]byte, error) {
	_, err := s.m.Load(text)
	return nil, err
}

func (s *sim) NewStream() (device.Stream, error) {
	q := &simStream{s: s, signals: make([]uint32, device.SignalsRoom/4)}
	q.changed.L = &q.mu
	q.at = s.m.Map(unsafe.Slice((*byte)(unsafe.Pointer(&q.signals[0])), device.SignalsRoom))
	return q, nil
}

type simCode struct {
	mod   *ptxsim.Module
	entry string
}

func (c *simCode) MaxThreads() int { return 1024 }

func (c *simCode) Close() {}

// A simStream does its work on a goroutine of its own.
type simStream struct {
	s       *sim
	signals []uint32
	at      uint64
	pinned  [][]byte

	mu      sync.Mutex
	changed sync.Cond
	work    []func() error
	held    []func() error // launches that start with the next work, at the latest when Flush is called
	running bool           // a goroutine does the work
	added   uint64         // pieces of work so far
	done    uint64         // of these
	err     error          // the first error that Wait has not returned
}

// add adds a piece of work.
func (q *simStream) add(do func() error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held = append(q.held, do)
	q.start()
	return nil
}

// start starts the held work. The caller holds the lock.
func (q *simStream) start() {
	q.work = append(q.work, q.held...)
	q.added += uint64(len(q.held))
	q.held = nil
	if !q.running && len(q.work) > 0 {
		q.running = true
		go q.run()
	}
}

func (q *simStream) Flush() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.start()
}

func (q *simStream) run() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.work) > 0 {
		do := q.work[0]
		q.work = q.work[1:]
		q.mu.Unlock()
		err := do()
		q.mu.Lock()
		if q.err == nil {
			q.err = err
		}
		q.done++
		q.changed.Broadcast()
	}
	q.running = false
}

func (q *simStream) Write(dst uint64, src []byte) error {
	src = bytes.Clone(src)
	return q.add(func() error { copy(q.s.m.Bytes(dst, len(src)), src); return nil })
}

func (q *simStream) Read(dst []byte, src uint64) error {
	err := q.add(func() error { copy(dst, q.s.m.Bytes(src, len(dst))); return nil })
	if len(dst) > 0 && !q.isPinned(&dst[0]) {
		q.Sync() // Wait returns its error
	}
	return err
}

func (q *simStream) Copy(dst, src uint64, n int) error {
	return q.add(func() error { copy(q.s.m.Bytes(dst, n), q.s.m.Bytes(src, n)); return nil })
}

func (q *simStream) Clear(dst uint64, n int) error {
	return q.add(func() error { clear(q.s.m.Bytes(dst, n)); return nil })
}

func (q *simStream) Launch(c device.Code, g *device.Grid) error {
	grid, params := *g, bytes.Clone(g.Params)
	do := func() error {
		x := c.(*simCode)
		q.s.launching.Lock()
		defer q.s.launching.Unlock()
		return x.mod.Launch(x.entry, grid.Blocks, grid.Threads, grid.Shared, params)
	}
	if !g.More {
		return q.add(do)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held = append(q.held, do)
	return nil
}

func (q *simStream) Wait() error {
	q.Flush()
	err := q.Sync()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.err = nil
	return err
}

func (q *simStream) Sync() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for end := q.added; q.done < end; {
		q.changed.Wait()
	}
	return q.err
}

func (q *simStream) Idle() (bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.done == q.added, q.err
}

func (q *simStream) Pinned(n int) ([]byte, error) {
	mem := make([]byte, n)
	q.pinned = append(q.pinned, mem)
	return mem, nil
}

// isPinned reports whether p points into memory that Pinned returned.
func (q *simStream) isPinned(p *byte) bool {
	at := uintptr(unsafe.Pointer(p))
	return slices.ContainsFunc(q.pinned, func(mem []byte) bool {
		first := uintptr(unsafe.Pointer(&mem[0]))
		return at >= first && at-first < uintptr(len(mem))
	})
}

// A simMark is a piece of work that takes the time.
type simMark struct {
	q    *simStream
	done chan struct{}
	at   time.Time
}

func (q *simStream) Mark(bool) (exec.Mark, error) {
	m := &simMark{q: q, done: make(chan struct{})}
	return m, q.add(func() error {
		m.at = time.Now()
		close(m.done)
		return nil
	})
}

func (m *simMark) Done() (bool, error) {
	select {
	case <-m.done:
		return true, m.q.failed()
	default:
		return false, nil
	}
}

func (m *simMark) Wait() error {
	<-m.done
	return m.q.failed()
}

func (q *simStream) failed() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err
}

func (m *simMark) Since(earlier exec.Mark) (time.Duration, error) {
	return m.at.Sub(earlier.(*simMark).at), nil
}

func (m *simMark) Release() {}

func (q *simStream) Signals() ([]uint32, uint64) { return q.signals, q.at }

func (q *simStream) Close() {}

package gputest

import (
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/ptxsim"
)

// Sim returns a GPU simulated by package ptxsim. It does work synchronously.
func Sim() device.Machine { return &sim{ptxsim.New()} }

// otherNaNs are NaNs that differ from the reference executor's: those of NVIDIA's GPUs, and two whose bits have
// little in common. A kernel that computes with the bits of a NaN, or with their remainder by a small number, gives
// a different result with at least one of them.
var otherNaNs = []ptxsim.NaNs{
	{F16: 0x7fff, F32: 0x7fffffff, F64: 0x7fffffffffffffff},
	{F16: 0x7e2d, F32: 0x7fdead01, F64: 0x7ffbadbadbadbad1},
	{F16: 0xfe54, F32: 0xffc1fe54, F64: 0xfff8052481a3ffc2},
}

// simWith is Sim with other NaNs.
func simWith(n *ptxsim.NaNs) device.Machine {
	m := ptxsim.New()
	m.NaNs = n
	return &sim{m}
}

type sim struct{ m *ptxsim.Machine }

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
	return &simCode{mod, entry}, nil
}

// Assemble checks a module. The simulator has no machine code to return.
func (s *sim) Assemble(text string) ([]byte, error) {
	_, err := s.m.Load(text)
	return nil, err
}

func (s *sim) NewStream() (device.Stream, error) {
	q := &simStream{s: s, signals: make([]uint32, device.SignalsRoom/4)}
	q.at = s.m.Map(unsafe.Slice((*byte)(unsafe.Pointer(&q.signals[0])), device.SignalsRoom))
	return q, nil
}

type simCode struct {
	mod   *ptxsim.Module
	entry string
}

func (c *simCode) MaxThreads() int { return 1024 }

func (c *simCode) Close() {}

// A simStream delays launches until Wait, when they run.
type simStream struct {
	s       *sim
	signals []uint32
	at      uint64
	work    []func() error
	times   [2]time.Time
}

func (q *simStream) Write(dst uint64, src []byte) error {
	q.work = append(q.work, func() error { copy(q.s.m.Bytes(dst, len(src)), src); return nil })
	return nil
}

func (q *simStream) Read(dst []byte, src uint64) error {
	q.work = append(q.work, func() error { copy(dst, q.s.m.Bytes(src, len(dst))); return nil })
	return nil
}

func (q *simStream) Copy(dst, src uint64, n int) error {
	q.work = append(q.work, func() error { copy(q.s.m.Bytes(dst, n), q.s.m.Bytes(src, n)); return nil })
	return nil
}

func (q *simStream) Clear(dst uint64, n int) error {
	q.work = append(q.work, func() error { clear(q.s.m.Bytes(dst, n)); return nil })
	return nil
}

func (q *simStream) Launch(c device.Code, g *device.Grid) error {
	grid, params := *g, append([]byte(nil), g.Params...)
	q.work = append(q.work, func() error {
		x := c.(*simCode)
		return x.mod.Launch(x.entry, grid.Blocks, grid.Threads, grid.Shared, params)
	})
	return nil
}

func (q *simStream) Wait() (err error) {
	for _, do := range q.work {
		if e := do(); err == nil {
			err = e
		}
	}
	q.work = nil
	return err
}

func (q *simStream) Begin() error { return q.mark(0) }

func (q *simStream) End() error { return q.mark(1) }

func (q *simStream) mark(n int) error {
	q.work = append(q.work, func() error { q.times[n] = time.Now(); return nil })
	return nil
}

func (q *simStream) Elapsed() (time.Duration, error) { return q.times[1].Sub(q.times[0]), nil }

func (q *simStream) Signals() ([]uint32, uint64) { return q.signals, q.at }

func (q *simStream) Close() {}

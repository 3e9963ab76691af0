package jit

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Profile measures the time of kernels by source line. The code of an executor with a profile counts the
// executions of its blocks. A block's share of the time is its count times the weights of its instructions
// ([x86.Weight]). A clock measures host calls.
type Profile struct {
	mu    sync.Mutex
	units map[*unit]*unitProfile
	order []*unitProfile // in order of first use
}

// A unitProfile is the profile of one unit of machine code.
type unitProfile struct {
	f     *ssa.Func
	code  *x86.Code
	runs  []uint64        // executions by block
	hosts []time.Duration // time by host call
	took  time.Duration   // time in machine code, of all workers
}

// KernelTime is the time of one kernel's machine code on all threads together.
type KernelTime struct {
	Kernel *ssa.Func
	Level  string
	Lanes  int // work-items of a whole gang
	Total  time.Duration
	Lines  []LineTime // longest first
	// Flops counts the floating-point operations of vector and scalar instructions, by the bytes of an element.
	// Inactive lanes count too.
	Flops map[int]uint64
}

// LineTime is the time of a source line, over all copies of its code.
type LineTime struct {
	Pos   diag.Pos // of one operation of the line
	Time  time.Duration
	Gangs uint64 // how often gangs ran the line's most executed instruction; each version of the code has its own
}

// counts reports whether the code's blocks count their executions.
func (c *Code) counts() bool { return c.o.Count || c.o.Profile != nil }

// spent is a worker's time since its last collect.
type spent struct {
	code  time.Duration
	hosts map[*unit][]time.Duration
}

// A stopwatch attributes a worker's time. The zero value, for no profile, does nothing.
type stopwatch struct {
	on    bool
	since int64
}

// clock starts a stopwatch.
func (p *Profile) clock() stopwatch {
	if p == nil {
		return stopwatch{}
	}
	return stopwatch{true, timing.Now()}
}

func (s *stopwatch) lap() time.Duration {
	now := timing.Now()
	d := time.Duration(now - s.since)
	s.since = now
	return d
}

// code attributes the time since the last lap to machine code.
func (s *stopwatch) code(w *worker) {
	if s.on {
		w.spent.code += s.lap()
	}
}

// host attributes the time since the last lap to the current host call of a unit.
func (s *stopwatch) host(w *worker, u *unit) {
	if !s.on {
		return
	}
	if w.spent.hosts == nil {
		w.spent.hosts = map[*unit][]time.Duration{}
	}
	if w.spent.hosts[u] == nil {
		w.spent.hosts[u] = make([]time.Duration, len(u.Ops))
	}
	w.spent.hosts[u][*word(w.mem, x86.CtxYield)] += s.lap()
}

// collect adds a worker's counters to the profile and clears them.
func (p *Profile) collect(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.add(w, w.x.full, x86.CtxCounters).took += w.spent.code // the time of both units; kernel adds them up
	if w.x.partial != nil {
		p.add(w, w.x.partial, x86.CtxMoreCounters)
	}
	w.spent = spent{}
}

// add adds a worker's counters of a unit, which begin at an offset in its context.
func (p *Profile) add(w *worker, u *unit, counters int) *unitProfile {
	at := p.of(w.x.c.f, u)
	for b := range at.runs {
		c := word(w.mem, counters+8*b)
		at.runs[b] += *c
		*c = 0
	}
	for op, d := range w.spent.hosts[u] {
		at.hosts[op] += d
	}
	return at
}

// of returns the profile of a unit.
func (p *Profile) of(f *ssa.Func, u *unit) *unitProfile {
	if p.units == nil {
		p.units = map[*unit]*unitProfile{}
	}
	at := p.units[u]
	if at == nil {
		at = &unitProfile{f: f, code: u.Code, runs: make([]uint64, u.Size.Blocks), hosts: make([]time.Duration, len(u.Ops))}
		p.units[u] = at
		p.order = append(p.order, at)
	}
	return at
}

// A lineKey names a line of a file.
type lineKey struct {
	file *diag.File
	line int
}

// lineWeight is a line's share of a kernel.
type lineWeight struct {
	pos    diag.Pos
	weight float64 // of machine code
	host   time.Duration
	gangs  uint64
}

// Kernels returns the times of all kernels that ran, in order of their first launch.
func (p *Profile) Kernels() (list []KernelTime) {
	p.mu.Lock()
	defer p.mu.Unlock()
	done := map[*ssa.Func]bool{}
	for _, u := range p.order {
		if !done[u.f] {
			done[u.f] = true
			list = append(list, p.kernel(u.f))
		}
	}
	return list
}

// kernel sums the units of one kernel.
func (p *Profile) kernel(f *ssa.Func) KernelTime {
	out := KernelTime{Kernel: f, Flops: map[int]uint64{}}
	lines := map[lineKey]*lineWeight{}
	sum, code := 0.0, time.Duration(0)
	for _, u := range p.order {
		if u.f != f {
			continue
		}
		if out.Level == "" {
			out.Level, out.Lanes = u.code.Level.Name, u.code.Lanes
		}
		code += u.took
		sum += u.weigh(lines)
		u.addFlops(out.Flops)
	}
	out.Total = code
	for _, l := range lines {
		t := l.host
		if sum > 0 {
			t += time.Duration(l.weight / sum * float64(code))
		}
		out.Total += l.host
		if t > 0 || l.gangs > 0 {
			out.Lines = append(out.Lines, LineTime{l.pos, t, l.gangs})
		}
	}
	slices.SortFunc(out.Lines, func(a, b LineTime) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Pos, b.Pos))
	})
	return out
}

// weigh adds the unit's weights to lines and returns their sum. An instruction without a source position counts
// for the previous line in its block, or else for the kernel's line.
func (u *unitProfile) weigh(lines map[lineKey]*lineWeight) (sum float64) {
	stubs := u.stubWeights()
	at, block := u.f.Pos, -1
	for k := range u.code.Listing.Insts {
		i := &u.code.Listing.Insts[k]
		if i.Block < 0 {
			continue
		}
		if i.Block != block {
			at, block = u.f.Pos, i.Block
		}
		if i.Pos.IsValid() {
			at = i.Pos
		}
		n := u.runs[i.Block]
		if n == 0 {
			continue
		}
		w := float64(n) * float64(x86.Weight(&i.Inst)+stubs[i.Stub])
		l := u.line(lines, at)
		l.weight += w
		l.gangs = max(l.gangs, n)
		sum += w
	}
	for op, d := range u.hosts {
		u.line(lines, u.code.Ops[op].Pos).host += d
	}
	return sum
}

// addFlops adds the unit's floating-point operations.
func (u *unitProfile) addFlops(sum map[int]uint64) {
	for k := range u.code.Listing.Insts {
		i := &u.code.Listing.Insts[k]
		if i.Block < 0 || u.runs[i.Block] == 0 {
			continue
		}
		if n, size := x86.Flops(&i.Inst); n > 0 {
			sum[size] += uint64(n) * u.runs[i.Block]
		}
	}
}

// line returns the line of a position; without a position, the kernel's line.
func (u *unitProfile) line(lines map[lineKey]*lineWeight, pos diag.Pos) *lineWeight {
	if !pos.IsValid() {
		pos = u.f.Pos
	}
	var key lineKey
	src := u.f.Module.Source
	if file, off := src.File(src.Outermost(pos)); file != nil {
		key.file = file
		key.line, _ = file.LineCol(off)
	}
	if lines[key] == nil {
		lines[key] = &lineWeight{pos: pos}
	}
	return lines[key]
}

// stubWeights returns the weight of one pass through each stub, by number in Listing.Parts.
func (u *unitProfile) stubWeights() []int {
	parts := u.code.Listing.Parts
	w := make([]int, len(parts))
	part := 0
	for k := range u.code.Listing.Insts {
		i := &u.code.Listing.Insts[k]
		for part+1 < len(parts) && parts[part+1].Offset <= i.Offset {
			part++
		}
		if i.Block < 0 && part > 0 && parts[part].Name != "kernel" {
			w[part] += x86.Weight(&i.Inst)
		}
	}
	if len(w) > 0 {
		w[0] = 0 // for instructions that call no stub
	}
	return w
}

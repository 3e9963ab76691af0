package difftest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

var orderSeeds = flag.Int("order-seeds", 600, "random programs of TestOrder")

// TestOrder compares the reported races of random programs with the races by the axioms of the memory model (OpenCL
// 3.0, Memory Ordering Rules and the sections on atomic operations, fences and work-group functions), which this
// file implements literally. A program is a list of steps: each is a step of one work-item, or a barrier. Groups
// run one after the other.
func TestOrder(t *testing.T) {
	raced := 0
	for seed := range uint64(*orderSeeds) {
		p := randomOrder(rand.New(rand.NewPCG(seed, 3)))
		got, want := p.reported(t), p.races()
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: races at lines %v, want %v\n%d groups of %d\n%s", seed, got, want, p.groups, p.local, p.source())
		}
		raced += min(1, len(want))
	}
	if raced < *orderSeeds/10 || raced > *orderSeeds*9/10 {
		t.Errorf("%d of %d programs race: that tells little", raced, *orderSeeds)
	}
}

// A step is an action of one work-item, or a barrier.
type step struct {
	op           string // "read", "write", "load", "store", "add", "fail" (a compare-and-exchange), "fence", "barrier"
	item         int    // global id
	loc          int    // index in orderLocations
	order, scope int    // indices in orderNames and scopeNames
	local, globl bool   // fence flags
}

var (
	orderLocations = []string{"data[0]", "data[1]", "ldata", "flag[0]", "flag[1]", "lflag"}
	orderNames     = []string{"relaxed", "acquire", "release", "acq_rel", "seq_cst"}
	scopeNames     = []string{"sub_group", "work_group", "device"}
)

const firstFlag = 3 // index in orderLocations

func isLocal(loc int) bool { return strings.HasPrefix(orderLocations[loc], "l") }

type orderProgram struct {
	groups, local int
	steps         []step
}

func randomOrder(r *rand.Rand) *orderProgram {
	p := &orderProgram{groups: 1 + r.IntN(3), local: 1 + r.IntN(3)}
	for range 5 + r.IntN(10) {
		s := step{item: r.IntN(p.groups * p.local), loc: r.IntN(firstFlag), scope: []int{0, 1, 1, 2, 2, 2, 2}[r.IntN(7)]}
		orders := []int{0, 3, 4}
		switch s.op = []string{"read", "write", "load", "load", "store", "store", "add", "fail", "fence", "barrier"}[r.IntN(10)]; s.op {
		case "load":
			orders = []int{0, 1, 1, 4}
		case "store":
			orders = []int{0, 2, 2, 4}
		case "add", "fence":
			orders = []int{0, 1, 2, 3, 4}
		case "barrier":
			s.scope = 1 + r.IntN(2)
		}
		s.order = orders[r.IntN(len(orders))]
		if k := r.IntN(4); k > 0 {
			s.local, s.globl = k&1 != 0, k&2 != 0
		} else {
			s.globl = true
		}
		if !slices.Contains([]string{"read", "write", "fence", "barrier"}, s.op) {
			s.loc = firstFlag + r.IntN(len(orderLocations)-firstFlag)
		}
		p.steps = append(p.steps, s)
	}
	return p
}

// orderHead is the source before the first step; orderHeadLines counts its lines.
const orderHead = `kernel void k(global int *data, global atomic_int *flag, global int *out) {
local int ldata; local atomic_int lflag;
int sum = 0, other, id = get_global_id(0);
barrier(0); // one group after the other
`

const orderHeadLines = 4

// source returns the program's source, with a line for each step.
func (p *orderProgram) source() string {
	var b strings.Builder
	b.WriteString(orderHead)
	for _, s := range p.steps {
		order, scope := "memory_order_"+orderNames[s.order], "memory_scope_"+scopeNames[s.scope]
		flags := []string{}
		if s.local {
			flags = append(flags, "CLK_LOCAL_MEM_FENCE")
		}
		if s.globl {
			flags = append(flags, "CLK_GLOBAL_MEM_FENCE")
		}
		fence, at := strings.Join(flags, " | "), orderLocations[s.loc]
		if s.op == "barrier" {
			fmt.Fprintf(&b, "work_group_barrier(%s, %s);\n", fence, scope)
			continue
		}
		fmt.Fprintf(&b, "if (id == %d) { ", s.item)
		switch s.op {
		case "read":
			fmt.Fprintf(&b, "sum += %s;", at)
		case "write":
			fmt.Fprintf(&b, "%s = 1;", at)
		case "load":
			fmt.Fprintf(&b, "sum += atomic_load_explicit(&%s, %s, %s);", at, order, scope)
		case "store":
			fmt.Fprintf(&b, "atomic_store_explicit(&%s, 1, %s, %s);", at, order, scope)
		case "add":
			fmt.Fprintf(&b, "sum += atomic_fetch_add_explicit(&%s, 1, %s, %s);", at, order, scope)
		case "fail":
			fmt.Fprintf(&b, "other = -1; atomic_compare_exchange_strong_explicit(&%s, &other, 1, %s, memory_order_relaxed, %s);", at, order, scope)
		case "fence":
			fmt.Fprintf(&b, "atomic_work_item_fence(%s, %s, %s);", fence, order, scope)
		}
		b.WriteString(" }\n")
	}
	b.WriteString("out[id] = sum;\n}\n")
	return b.String()
}

// reported returns the lines of the races that a launch reports, by their later access.
func (p *orderProgram) reported(t *testing.T) []int {
	t.Helper()
	res, err := compile.Compile(context.Background(), "order.cl", []byte(p.source()), &compile.Options{NoOpt: true, Source: option.Source{Std: opencl.CL30}})
	if err != nil {
		t.Fatalf("%v\n%s", err, p.source())
	}
	prog := programOf(t, res.Module, nil)
	k := kernelOf(t, prog, "k")
	buffer := func(n int) launch.Arg { return launch.Memory(&launch.Buffer{Data: make([]byte, n)}) }
	n := p.groups * p.local
	rep, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Checks: exec.ChecksAll,
		Args: []launch.Arg{buffer(8), buffer(8), buffer(4 * n)}, Range: launch.Range{Global: []uint64{uint64(n)}, Local: []uint64{uint64(p.local)}}})
	if err != nil {
		t.Fatalf("%v\n%s", err, p.source())
	}
	var lines []int
	for _, f := range rep.Findings {
		if f.Kind == exec.RaceInGroup || f.Kind == exec.RaceBetweenGroups {
			lines = append(lines, prog.Location(f.Pos).Line)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// An event is an action of the execution.
type event struct {
	step
	at, group int // position in the execution
	line      int
	barrier   int // of a fence that is part of a barrier: the barrier's number in the group; else -1
	entry     bool
}

func (e *event) atomic() bool   { return e.loc >= firstFlag && e.op != "fence" }
func (e *event) modifies() bool { return e.op == "write" || e.op == "store" || e.op == "add" }
func (e *event) reads() bool {
	return e.op == "read" || e.op == "load" || e.op == "add" || e.op == "fail"
}

// A compare-and-exchange that fails is relaxed.
func (e *event) acquires() bool {
	return e.op != "fail" && e.op != "store" && (e.order == 1 || e.order >= 3)
}
func (e *event) releases() bool {
	return e.op != "fail" && e.op != "load" && e.order >= 2
}
func (e *event) fence(local bool) bool {
	return e.op == "fence" && (local && e.local || !local && e.globl)
}

// same reports whether two events access one location. Each group has its own local memory.
func (e *event) same(f *event) bool {
	return e.op != "fence" && f.op != "fence" && e.loc == f.loc && (!isLocal(e.loc) || e.group == f.group)
}

func inclusive(e, f *event) bool {
	if e.group == f.group {
		return true // each group is one sub-group
	}
	return scopeNames[e.scope] == "device" && scopeNames[f.scope] == "device"
}

// execution returns the events in the order in which they happen.
func (p *orderProgram) execution() (list []*event) {
	add := func(e event) {
		e.at = len(list)
		list = append(list, &e)
	}
	for g := range p.groups {
		for i, s := range p.steps {
			if s.op != "barrier" {
				if s.item/p.local == g {
					add(event{step: s, group: g, line: orderHeadLines + 1 + i, barrier: -1})
				}
				continue
			}
			s.op = "fence"
			for half := range 2 {
				for l := range p.local {
					s.item, s.order = g*p.local+l, 2-half // a release fence, then an acquire fence
					add(event{step: s, group: g, barrier: i, entry: half == 0})
				}
			}
		}
	}
	return list
}

// races returns the lines of accesses that race with an earlier access.
func (p *orderProgram) races() (lines []int) {
	list := p.execution()
	before := map[bool][][]bool{true: happensBefore(list, true), false: happensBefore(list, false)}
	for i, e := range list {
		for _, f := range list[:i] {
			if f.same(e) && f.item != e.item && (e.modifies() || f.modifies()) && !(e.atomic() && f.atomic() && inclusive(e, f)) &&
				!before[isLocal(e.loc)][f.at][e.at] {
				lines = append(lines, e.line)
				break
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// happensBefore returns the transitive closure of sequenced-before and synchronizes-with.
func happensBefore(list []*event, local bool) [][]bool {
	hb := make([][]bool, len(list))
	for i, e := range list {
		hb[i] = make([]bool, len(list))
		for j, f := range list[i+1:] {
			hb[i][i+1+j] = e.item == f.item || synchronizes(list, e, f, local)
		}
	}
	for k := range list {
		for i := range list {
			for j := range list {
				hb[i][j] = hb[i][j] || hb[i][k] && hb[k][j]
			}
		}
	}
	return hb
}

func synchronizes(list []*event, a, b *event, local bool) bool {
	if a.fence(local) && b.fence(local) && a.barrier >= 0 && a.barrier == b.barrier && a.group == b.group && a.entry && !b.entry {
		return true
	}
	if conditions(list, a, b, local) {
		return true
	}
	both := func(e *event) bool { return e.fence(true) && e.fence(false) }
	return both(a) && both(b) && conditions(list, a, b, !local)
}

// conditions reports whether a synchronizes with b by one of the four rules for release and acquire operations and
// fences.
func conditions(list []*event, a, b *event, local bool) bool {
	if !a.releases() || !b.acquires() || !inclusive(a, b) {
		return false
	}
	var heads, tails []*event
	for _, x := range list {
		if !x.atomic() || isLocal(x.loc) != local {
			continue
		}
		if a == x || a.fence(local) && a.item == x.item && a.at < x.at {
			heads = append(heads, x)
		}
		if b == x || b.fence(local) && b.item == x.item && x.at < b.at {
			tails = append(tails, x)
		}
	}
	for _, x := range heads {
		for _, y := range tails {
			if x.modifies() && y.reads() && x.same(y) && readsFrom(list, x, y) {
				return true
			}
		}
	}
	return false
}

// readsFrom reports whether y reads a value written by x or by the release sequence that x would head.
func readsFrom(list []*event, x, y *event) bool {
	if x.at >= y.at {
		return false
	}
	for _, m := range list[x.at+1 : y.at] {
		if m.same(x) && m.modifies() && m.op != "add" && m.item != x.item {
			return false
		}
	}
	return true
}

package gputest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// A reader is a machine that keeps the modules' text.
type reader struct {
	device.Machine
	mu    sync.Mutex
	texts []string
}

func (r *reader) Load(text, entry string) (device.Code, error) {
	r.mu.Lock()
	r.texts = append(r.texts, text)
	r.mu.Unlock()
	return r.Machine.Load(text, entry)
}

// TestPrecondition launches kernels with arguments and ranges that prove their accesses, and with others: the code has no
// checks then, or it has them and reports the accesses out of bounds.
func TestPrecondition(t *testing.T) {
	m := &reader{Machine: machine(t)}
	dev := device.New(m)
	const src = `
kernel void add(global int *a, global const int *b, int n) { int i = get_global_id(0); if (i < n) a[i] += b[i]; }
kernel void rows(global int *a, global const int *b, int n) { int x = get_global_id(0), y = get_global_id(1); a[y * n + x] = b[x]; }
kernel void tile(global int *a, global const int *b, int n) {
	local int t[8]; int i = get_local_id(0); t[i] = b[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t[n - 1 - i];
}`
	prog, q := programAndQueue(t, dev, src)
	small, large := allocated(t, dev, 4*40), allocated(t, dev, 4*64)
	run := func(kernel string, a, b exec.Memory, n int, readOnly bool, r exec.Range) *exec.Launch {
		t.Helper()
		l := &exec.Launch{Faults: exec.Robust, Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: a, ReadOnly: readOnly}, {Kind: exec.MemoryArg, Memory: b}, {Kind: exec.ValueArg, Bytes: binary.LittleEndian.AppendUint32(nil, uint32(n))}}}
		prepare(t, prog, kernel, l, r)
		if err := q.Launch(context.Background(), l); err != nil {
			t.Fatal(err)
		}
		if err := q.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		return l
	}
	one := exec.Range{Global: []uint64{64}, Local: []uint64{8}}
	two := exec.Range{Global: []uint64{8, 8}, Local: []uint64{8, 1}}
	for _, c := range []struct {
		name, kernel string
		a, b         exec.Memory
		n            int
		readOnly     bool
		r            exec.Range
		variants     int // modules so far
		checks       bool
		findings     int // work-items out of bounds, counted for each access
	}{
		{"all in bounds", "add", large, large, 64, false, one, 1, false, 0},
		{"guarded", "add", small, small, 40, false, one, 1, false, 0},
		{"a second object too small", "add", large, small, 41, false, one, 2, true, 1},
		{"both too small", "add", small, small, 64, false, one, 2, true, 72},
		{"in bounds again", "add", large, large, 3, false, one, 2, false, 0},
		{"read-only", "add", large, large, 4, true, one, 2, true, 4},
		{"offset", "add", large, large, 64, false, exec.Range{Global: []uint64{32}, Offset: []uint64{32}, Local: []uint64{8}}, 2, false, 0},
		{"offset too large", "add", large, large, 65, false, exec.Range{Global: []uint64{32}, Offset: []uint64{33}, Local: []uint64{8}}, 2, true, 3},
		{"rows", "rows", large, small, 8, false, two, 3, false, 0},
		{"rows too long", "rows", large, small, 9, false, two, 4, true, 7},
		{"local memory", "tile", large, large, 8, false, one, 5, false, 0},
		{"local memory too small", "tile", large, large, 9, false, one, 6, true, 8},
	} {
		before := len(m.texts)
		l := run(c.kernel, c.a, c.b, c.n, c.readOnly, c.r)
		n := 0
		for _, f := range l.Report.Findings {
			n += int(f.Count)
		}
		if n != c.findings {
			t.Errorf("%s: %d work-items with findings, want %d: %v", c.name, n, c.findings, l.Report.Findings)
		}
		if len(m.texts) != c.variants {
			t.Fatalf("%s: %d modules, want %d", c.name, len(m.texts), c.variants)
		}
		if len(m.texts) > before && strings.Contains(m.texts[before], "pcl_access") != c.checks {
			t.Errorf("%s: the new code has checks: %t", c.name, !c.checks)
		}
	}
}

// TestPreconditionsRandom compares kernels of one access, at a random number under random conditions, with the reference
// executor: an access out of bounds that a launch wrongly proves shows as an illegal address or a changed byte nearby.
func TestPreconditionsRandom(t *testing.T) {
	e := device.NewExecutor(machine(t))
	e.Guard = 256
	n := 400
	if testing.Short() {
		n = 100
	}
	for seed := range uint64(n) {
		g := &accessSource{Rand: rand.New(rand.NewPCG(seed, 3))}
		src := g.kernel()
		res, err := compile.Compile(context.Background(), "k.cl", []byte(src), nil)
		if err != nil {
			t.Fatalf("%s\n%v", src, err)
		}
		for range 4 {
			size := 1 + g.IntN(80)
			var args [4]uint64
			for i := range args {
				args[i] = []uint64{0, 1, ^uint64(0), 3, 8, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 63, 1<<63 - 1, uint64(g.IntN(100)), -uint64(g.IntN(100))}[g.IntN(12)]
			}
			run := func(x exec.Executor) (data []byte, text string) {
				p, err := launch.NewProgram(res.Module, x)
				if err != nil {
					t.Fatal(err)
				}
				k, err := p.Kernel("k")
				if err != nil {
					t.Fatal(err)
				}
				data = make([]byte, size)
				list := []launch.Arg{launch.Memory(&launch.Buffer{Data: data})}
				for i, a := range args {
					list = append(list, launch.Value(binary.LittleEndian.AppendUint64(nil, a)[:[]int{4, 4, 8, 8}[i]]))
				}
				rep, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: list, Range: launch.Range{Global: []uint64{20, 2}, Local: []uint64{5, 2}}, Workers: 1, Faults: exec.Robust})
				if err != nil {
					return data, err.Error()
				}
				for _, f := range rep.Findings {
					text += fmt.Sprintln(f.Kind, f.Count)
				}
				return data, text
			}
			want, wantText := run(interp.Reference)
			got, gotText := run(e)
			if !bytes.Equal(got, want) || gotText != wantText {
				t.Fatalf("seed %d, %d bytes, arguments %x:\n%s\n%v %s\nwant %v %s", seed, size, args, src, got, gotText, want, wantText)
			}
		}
	}
}

// An accessSource makes random kernels of one access.
type accessSource struct {
	*rand.Rand
	more []string // further variables
}

func (g *accessSource) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *accessSource) typ() string { return g.pick("int", "uint", "long", "ulong") }

func (g *accessSource) kernel() string {
	var b strings.Builder
	b.WriteString("kernel void k(global char *a, int i, uint u, long l, ulong w) {\n")
	for _, v := range []string{"x", "y", "z"} {
		fmt.Fprintf(&b, "\t%s %s = %s;\n", g.typ(), v, g.expr(3))
	}
	for range g.IntN(4) {
		fmt.Fprintf(&b, "\tif (%s%s) return;\n", g.pick("", "!"), g.condition())
	}
	if g.IntN(2) == 0 {
		g.loop(&b)
	} else {
		fmt.Fprintf(&b, "\tif (%s %s %s) a[%s] = 1;\n}\n", g.condition(), g.pick("&&", "||"), g.condition(), g.pick("x", "y", "z", "x + y", "z * 2 + 1", "x - 1"))
	}
	return b.String()
}

// loop writes a loop of at most 30 iterations around the access. c counts in steps, d changes in another way.
func (g *accessSource) loop(b *strings.Builder) {
	g.more = []string{"c", "d", "c", "d"}
	typ := g.typ()
	fmt.Fprintf(b, "\tint left = 30;\n\t%s d = %s;\n", g.typ(), g.expr(2))
	fmt.Fprintf(b, "\tfor (%s c = (%[1]s)%[2]s; c %[3]s (%[1]s)%[4]s; c += %[5]d) {\n\t\tif (left-- == 0) break;\n", typ, g.expr(1), g.pick("<", "<", "<", "<=", "!="), g.side(), 1+g.IntN(2)*g.IntN(20))
	fmt.Fprintf(b, "\t\tif (%s %s %s) a[%s] = 1;\n", g.condition(), g.pick("&&", "||"), g.condition(), g.pick("c", "d", "c + d", "x + c", "c * 2 + 1", "d - 1", "c - (c & 7)", "y - (y & 3) + d", "c * x + y"))
	fmt.Fprintf(b, "\t\td = %s;\n\t}\n}\n", g.pick("(d + 1) & 15", "(d + x) & 31", "d + 3", "(d < 9 ? d : 9) + 1", "d ^ c", "x", "d > 20 ? 3 : d * 2"))
}

func (g *accessSource) condition() string {
	typ := g.typ()
	return fmt.Sprintf("((%s)%s %s (%[1]s)%[4]s)", typ, g.side(), g.pick("<", "<=", ">", ">=", "==", "!="), g.side())
}

// side returns a side of a comparison.
func (g *accessSource) side() string {
	return g.pick(append([]string{"x", "y", "z", "i", "u", "l", "w", "0", "40", "7", "x + 3", "y - 2", "z + 1"}, g.more...)...)
}

func (g *accessSource) expr(depth int) string {
	if depth == 0 || g.IntN(3) == 0 {
		return fmt.Sprintf("(%s)%s", g.typ(), g.pick("get_global_id(0)", "get_global_id(1)", "get_local_id(0)", "get_group_id(0)", "get_local_size(0)", "i", "u", "l", "w", "5", "1"))
	}
	typ := g.typ()
	x, y := fmt.Sprintf("(%s)(%s)", typ, g.expr(depth-1)), fmt.Sprintf("(%s)(%s)", typ, g.expr(depth-1))
	switch g.IntN(9) {
	case 8:
		return fmt.Sprintf("(-%s)", x)
	case 0:
		return fmt.Sprintf("(%s & %s)", x, g.pick("15", "63", "1"))
	case 1:
		return fmt.Sprintf("(%s %s %d)", x, g.pick("<<", ">>"), g.IntN(5))
	case 2:
		return fmt.Sprintf("%s(%s, %s)", g.pick("min", "max"), x, y)
	case 3:
		return fmt.Sprintf("clamp(%s, (%s)0, (%s)%d)", x, typ, typ, g.IntN(40))
	case 4:
		return fmt.Sprintf("(%s ? %s : %s)", g.pick("i > 3", "get_local_id(0) == 1", "get_global_id(0) == 0", "get_global_id(0) != 5", "(int)get_global_id(0) == i", "(uint)get_global_id(1) != u", "get_group_id(0) != w"), x, y)
	}
	return fmt.Sprintf("(%s %s %s)", x, g.pick("+", "-", "*"), y)
}

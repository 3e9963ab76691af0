package lanes_test

import (
	"errors"
	"flag"
	"fmt"
	"testing"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var kernels = flag.Int("kernels", 100, "random kernels")

// claims counts the checked facts, so that a test cannot pass without checking any.
type claims struct{ exact, wraps, ordered, bounded, multiples, addresses, linear int }

// checker compares the facts of a plan with the values of a gang.
type checker struct {
	f *lanes.Facts
	n int
	claims
}

func (c *checker) value(v *ssa.Value, active []bool, of func(v *ssa.Value) []uint64) error {
	if v.Type.N != 1 || v.Type.K == ssa.Void {
		return nil
	}
	x, got := c.f.Of(v), of(v)
	first := -1
	for k := range got {
		if active != nil && !active[k] {
			continue
		}
		if err := c.number(v, x, got[k]); err != nil {
			return fmt.Errorf("lane %d: %w", k, err)
		}
		if first < 0 {
			first = k
			continue
		}
		if err := c.distance(v, x, first, k, got[k]-got[first], of); err != nil {
			return fmt.Errorf("v%d is %#x in lane %d and %#x in lane %d; %s: %w", v.ID, got[first], first, got[k], k, x, err)
		}
	}
	if v.Op == ssa.OpLoad {
		return c.address(v.Args[0], active, of)
	}
	return nil
}

// number checks the fact of v in one lane.
func (c *checker) number(v *ssa.Value, x *lanes.Fact, bits uint64) error {
	k := v.Type.K
	if !lanes.IsInt(k) {
		return nil
	}
	if x.Bounded {
		n := int64(bits)
		if b := k.Num().Bits(); k.Num().Signed() {
			n = int64(bits<<(64-b)) >> (64 - b)
		} else if n < 0 {
			return fmt.Errorf("v%d is %#x, want in [%d, %d]", v.ID, bits, x.Lo, x.Hi)
		}
		if n < x.Lo || n > x.Hi {
			return fmt.Errorf("v%d is %d, want in [%d, %d]", v.ID, n, x.Lo, x.Hi)
		}
		c.bounded++
	}
	if x.Zeros > 0 {
		if x.Zeros < 63 && bits&(1<<x.Zeros-1) != 0 || x.Zeros >= 63 && bits != 0 {
			return fmt.Errorf("v%d is %#x, want a multiple of 2^%d", v.ID, bits, x.Zeros)
		}
		c.multiples++
	}
	return nil
}

var errDistance = errors.New("wrong distance between lanes")

// distance checks the difference between the values of two lanes.
func (c *checker) distance(v *ssa.Value, x *lanes.Fact, i, j int, diff uint64, of func(v *ssa.Value) []uint64) error {
	mask := ^uint64(0)
	switch {
	case v.Type.K.IsPtr():
		mask = ssa.OffsetMask
	case v.Type.K == ssa.Bool:
		mask = 1
	case v.Type.K.Num().Bits() < 64:
		mask = 1<<v.Type.K.Num().Bits() - 1
	}
	want := int64(0)
	switch x.Shape {
	case lanes.Varying:
		return nil
	case lanes.Affine:
		want = int64(j-i) * x.Stride
		c.exact++
		if x.MayWrap { // by whole multiples of 2³²
			mask &= 1<<32 - 1
			c.wraps++
		}
		if o := x.Order; o != nil {
			by := int(of(o.By)[i] & uint64(c.n-1))
			if (of(o.Of)[i]-uint64(i))&uint64(c.n-1) != 0 {
				return nil // not aligned
			}
			want = int64((j^by)-(i^by)) * x.Stride
			c.ordered++
		}
	}
	if (diff-uint64(want))&mask != 0 {
		return errDistance
	}
	return nil
}

// address checks the parts of an address against the pointer's value.
func (c *checker) address(p *ssa.Value, active []bool, of func(v *ssa.Value) []uint64) error {
	a := c.f.Address(p, false)
	if a.Root == nil {
		return nil
	}
	form, isLinear := lanes.LinearOf(p)
	first := -1
	for k, got := range of(p) {
		if active != nil && !active[k] {
			continue
		}
		sum := of(a.Root)[k] + uint64(a.Disp)
		for _, t := range a.Terms {
			n := of(t)[k]
			if t.Type.K.IsPtr() {
				n -= of(a.Root)[k]
			}
			sum += n
		}
		if (got-sum)&ssa.OffsetMask != 0 {
			return fmt.Errorf("v%d is %#x in lane %d, the sum of its terms is %#x", p.ID, got, k, sum)
		}
		c.addresses++
		if isLinear && len(form.Narrow) == 0 {
			if sum := linear(&form, k, of); (got-sum)&ssa.OffsetMask != 0 {
				return fmt.Errorf("v%d is %#x in lane %d, its linear form is %#x", p.ID, got, k, sum)
			}
			c.linear++
		}
		if first < 0 {
			first = k
		}
		if diff := got - of(p)[first] - uint64(int64(k-first)*a.Stride); a.Even && diff&(1<<32-1) != 0 {
			return fmt.Errorf("v%d: lanes %d and %d are not %d apart", p.ID, first, k, a.Stride)
		}
	}
	return nil
}

// linear returns the value of a linear form without narrow constants in a lane.
func linear(f *lanes.Linear, k int, of func(v *ssa.Value) []uint64) uint64 {
	sum := of(f.Root)[k] + uint64(f.Disp)
	for _, t := range f.Terms {
		n := uint64(0)
		for _, v := range t.Parts.All() {
			n += of(v)[k]
		}
		if !t.Wide() {
			if n &= 1<<32 - 1; t.Signed {
				n = uint64(int64(int32(n)))
			}
		}
		sum += n * uint64(t.By)
	}
	return sum
}

// check runs the plans of a random kernel and checks every fact.
func check(t *testing.T, seed uint64, total *claims) {
	const items, local = 64, 32
	m := kerneltest.RandomLanes(seed)
	if seed%3 != 0 {
		if err := opt.Run(m, opt.Config{}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	for _, versions := range []bool{false, true} {
		p, err := spmd.Prepare(m.Func("k"), spmd.Options{RowUniform: true, GroupUniform: true, Versions: versions})
		if err != nil {
			continue
		}
		mem := make([]byte, items*kerneltest.FlowBytes)
		for _, n := range []int{8, 32} {
			c := &checker{f: p.Facts, n: n, claims: *total}
			for i := 0; i < items; i += n {
				if err := kerneltest.RunPlan(p, mem, uint64(i), local, n, c.value); err != nil {
					t.Fatalf("seed %d, versions %v, %d lanes: %v\n%s", seed, versions, n, err, p.Facts.Dump())
				}
			}
			*total = c.claims
		}
	}
}

// TestFacts checks every fact of random kernels in each lane that executes the value.
func TestFacts(t *testing.T) {
	var c claims
	for seed := range uint64(*kernels) {
		check(t, seed, &c)
	}
	if min(c.exact, c.wraps, c.ordered, c.bounded, c.multiples, c.addresses, c.linear) < *kernels {
		t.Errorf("too few facts checked: %+v", c)
	}
}

// FuzzFacts is TestFacts on any seed.
func FuzzFacts(f *testing.F) {
	f.Add(uint64(1 << 32))
	f.Fuzz(func(t *testing.T, seed uint64) {
		var c claims
		check(t, seed, &c)
	})
}

// TestFiles runs testdata: "lanes [versions]" prints the facts of the function's plan.
func TestFiles(t *testing.T) {
	filetest.SSA(t, "testdata", map[string]filetest.Command{
		"lanes": func(args []string, m *ssa.Module) (string, error) {
			p, err := spmd.Prepare(m.Funcs[0], spmd.Options{RowUniform: true, GroupUniform: true, Versions: len(args) > 0})
			if err != nil {
				return "", err
			}
			return p.Facts.Dump(), nil
		},
	})
}

package beam_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/purecl/purecl/beam"
)

// A volume is an in-memory source with its result.
type volume struct {
	grid    beam.Grid
	in, out []int32
}

var volumes struct {
	sync.Mutex
	list map[string]*volume
}

// each calls f with the index of each element of a region.
func (v *volume) each(r beam.Region, f func(i int)) {
	for z := range r.D {
		for y := range r.H {
			for x := range r.W {
				f(((r.Z+z)*v.grid.Height+r.Y+y)*v.grid.Width + r.X + x)
			}
		}
	}
}

func volumeOf(name string) (*volume, error) {
	volumes.Lock()
	defer volumes.Unlock()
	if v := volumes.list[name]; v != nil {
		return v, nil
	}
	return nil, fmt.Errorf("no volume %q", name)
}

var inMemory = beam.TileIO[int32, int32]{
	Read: func(_ context.Context, name string, r beam.Region) (list []int32, err error) {
		v, err := volumeOf(name)
		if err != nil {
			return nil, err
		}
		v.each(r, func(i int) { list = append(list, v.in[i]) })
		return list, nil
	},
	Write: func(_ context.Context, name string, r beam.Region, elements []int32) error {
		v, err := volumeOf(name)
		if err != nil {
			return err
		}
		volumes.Lock()
		defer volumes.Unlock()
		k := 0
		v.each(r, func(i int) { v.out[i] = elements[k]; k++ })
		return nil
	},
}

// cross sums an element and its neighbours along each axis, and faults on tiles that contain an element below 0.
var cross = beam.NewTiles[int32, int32, beam.None](beam.Kernel{
	Name: "cross",
	Source: `kernel void cross(global const int *in, global int *out, int origin, int row, int plane, int x, int y, int z, int w, int h, int depth)
	{
		int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
		global const int *p = in + origin + k * plane + j * row + i;
		if (*p < 0) out[-1] = 0;
		int sum = p[0] + p[-1] + p[1] + p[-row] + p[row];
		if (depth > 1) sum += p[-plane] + p[plane];
		out[(k * h + j) * w + i] = sum + 1000 * (x + i) + 100 * (y + j) + 10 * (z + k);
	}`,
}, inMemory)

type source struct {
	Name string
	Grid beam.Grid
}

func splitSource(s source) (string, beam.Grid) { return s.Name, s.Grid }

func formatBadTile(b beam.BadTile) string {
	return fmt.Sprint(b.Name, " ", b.X, " ", b.Y, " ", b.Z, " ", b.Finding.Kind)
}

func init() {
	register.Function1x2(splitSource)
	register.Function1x1(formatBadTile)
}

// at returns the element of the whole grid at x, y, z. For a position outside of the grid it applies the edge rule.
func (v *volume) at(x, y, z int) int32 {
	g := v.grid
	depth := max(g.Depth, 1)
	cx, cy, cz := min(max(x, 0), g.Width-1), min(max(y, 0), g.Height-1), min(max(z, 0), depth-1)
	if g.Edge == beam.EdgeZero && (cx != x || cy != y || cz != z) {
		return 0
	}
	return v.in[(cz*g.Height+cy)*g.Width+cx]
}

// TestTiles compares pictures and volumes, cut in several ways, with plain loops.
func TestTiles(t *testing.T) {
	volumes.list = map[string]*volume{}
	var sources []any
	for name, g := range map[string]beam.Grid{
		"picture": {Width: 37, Height: 29, TileWidth: 16, TileHeight: 10, HaloX: 1, HaloY: 1},
		"zeros":   {Width: 37, Height: 29, TileWidth: 8, TileHeight: 29, HaloX: 3, HaloY: 2, Edge: beam.EdgeZero},
		"one":     {Width: 5, Height: 4, TileWidth: 100, TileHeight: 100, HaloX: 1, HaloY: 1},
		"volume":  {Width: 13, Height: 11, Depth: 9, TileWidth: 6, TileHeight: 5, TileDepth: 4, HaloX: 1, HaloY: 1, HaloZ: 1},
	} {
		n := g.Width * g.Height * max(g.Depth, 1)
		v := &volume{grid: g, in: make([]int32, n), out: make([]int32, n)}
		for i := range v.in {
			v.in[i] = int32(i * 7919 % 1000)
		}
		volumes.list[name] = v
		sources = append(sources, source{name, g})
	}
	p, s := sdk.NewPipelineWithRoot()
	_, bad, err := cross.Apply(s, sdk.ParDo(s, splitSource, sdk.Create(s, sources...)), sdk.PCollection{}, beam.Options{})
	if err != nil {
		t.Fatal(err)
	}
	passert.Empty(s, bad)
	run(t, p)
	for name, v := range volumes.list {
		g := v.grid
		for i, got := range v.out {
			x, y, z := i%g.Width, i/g.Width%g.Height, i/g.Width/g.Height
			want := v.at(x, y, z) + v.at(x-1, y, z) + v.at(x+1, y, z) + v.at(x, y-1, z) + v.at(x, y+1, z)
			if g.Depth > 1 {
				want += v.at(x, y, z-1) + v.at(x, y, z+1)
			}
			if want += int32(1000*x + 100*y + 10*z); got != want {
				t.Fatalf("%s: element %d, %d, %d is %d, want %d", name, x, y, z, got, want)
			}
		}
	}
}

// TestBadTile checks that only the tile on which the kernel faults is in the second output, and that the others are
// written.
func TestBadTile(t *testing.T) {
	g := beam.Grid{Width: 8, Height: 8, TileWidth: 4, TileHeight: 4, HaloX: 1, HaloY: 1}
	v := &volume{grid: g, in: make([]int32, 64), out: make([]int32, 64)}
	v.in[5*8+6] = -1
	volumes.list = map[string]*volume{"v": v}
	p, s := sdk.NewPipelineWithRoot()
	done, bad, err := cross.Apply(s, sdk.ParDo(s, splitSource, sdk.Create(s, source{"v", g})), sdk.PCollection{}, beam.Options{})
	if err != nil {
		t.Fatal(err)
	}
	passert.Count(s, done, "tiles", 3)
	passert.Equals(s, sdk.ParDo(s, formatBadTile, bad), "v 4 4 0 out-of-bounds")
	run(t, p)
	if v.out[4*8+4] != 0 || v.out[1] != 1000 {
		t.Errorf("the bad tile was written, or another was not: %v", v.out)
	}
}

type Sample struct {
	Value  int32
	Weight float32
}

type Stats struct {
	Sum      int64
	Max, Min int32
}

var stats = beam.NewReduce[Sample, Stats, Limits](beam.Kernel{
	Name: "stats",
	Source: `typedef struct { long sum; int max, min; } Stats;
	kernel void stats(global const int *value, global const float *weight, global Stats *acc, int n, int largest, global int *trap)
	{
		Stats s = {0, INT_MIN, INT_MAX};
		for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
			if (value[i] > largest) trap[value[i]] = 1;
			s.sum += value[i] * (int)weight[i]; s.max = max(s.max, value[i]); s.min = min(s.min, value[i]);
		}
		acc[get_global_id(0)] = s;
	}`,
}, func(a, b Stats) Stats { return Stats{a.Sum + b.Sum, max(a.Max, b.Max), min(a.Min, b.Min)} })

type Limits struct {
	Largest int32
	Trap    []int32
}

// TestReduce folds numbers in batches of several sizes.
func TestReduce(t *testing.T) {
	want := Stats{Max: -1 << 31, Min: 1<<31 - 1}
	var in []any
	for i := range 5000 {
		v := Sample{int32(i*7919%10007) - 5000, 2}
		want.Sum += 2 * int64(v.Value)
		want.Max, want.Min = max(want.Max, v.Value), min(want.Min, v.Value)
		in = append(in, v)
	}
	for _, bytes := range []int{0, 10_000, 8} {
		p, s := sdk.NewPipelineWithRoot()
		out, bad, err := stats.Apply(s, sdk.Create(s, in...), sdk.Create(s, Limits{Largest: 1 << 30, Trap: []int32{0}}), beam.Options{BatchBytes: bytes})
		if err != nil {
			t.Fatal(err)
		}
		passert.Equals(s, out, want)
		passert.Empty(s, bad)
		run(t, p)
	}
}

// TestBadBatch checks that a batch on which the kernel faults is left out.
func TestBadBatch(t *testing.T) {
	p, s := sdk.NewPipelineWithRoot()
	out, bad, err := stats.Apply(s, sdk.Create(s, Sample{1, 1}, Sample{50, 1}, Sample{3, 1}), sdk.Create(s, Limits{Largest: 10, Trap: []int32{0}}), beam.Options{BatchBytes: 8})
	if err != nil {
		t.Fatal(err)
	}
	passert.Equals(s, out, Stats{4, 3, 1})
	passert.Count(s, bad, "batches", 1)
	run(t, p)
}

package beam

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/purecl/purecl"
)

// An Edge selects the contents of a halo beyond the border of a picture or volume.
type Edge int

// The edges.
const (
	EdgeClamp Edge = iota // the nearest element
	EdgeZero              // zeros
)

// A Grid describes how to cut a picture or volume into tiles. Sizes are in elements.
type Grid struct {
	Width, Height, Depth             int // of the whole; Depth 0 is 1, a picture
	TileWidth, TileHeight, TileDepth int // of a tile; tiles at the edges are smaller; TileDepth 0 is 1
	HaloX, HaloY, HaloZ              int // elements beside a tile, on each side, that the kernel can read
	Edge                             Edge
}

// A Region is a box of elements: its first element and its size.
type Region struct{ X, Y, Z, W, H, D int }

// A Tile is a region of a picture or volume.
type Tile struct {
	Name string
	Grid Grid
	Region
}

// ReadError is the kind of finding of a tile that could not be read.
const ReadError = "read-error"

// A BadTile is a tile that could not be read, or on which the kernel faulted.
type BadTile struct {
	Name string
	Region
	Finding Finding
}

// normalised returns the grid with its defaults, or an error for invalid sizes.
func (g Grid) normalised() (Grid, error) {
	if g.Depth == 0 {
		g.Depth = 1
	}
	if g.TileDepth == 0 {
		g.TileDepth = 1
	}
	switch {
	case g.Width <= 0 || g.Height <= 0 || g.Depth < 0:
		return g, fmt.Errorf("beam: a grid of %d×%d×%d elements", g.Width, g.Height, g.Depth)
	case g.TileWidth <= 0 || g.TileHeight <= 0 || g.TileDepth < 0:
		return g, fmt.Errorf("beam: tiles of %d×%d×%d elements", g.TileWidth, g.TileHeight, g.TileDepth)
	case g.HaloX < 0 || g.HaloY < 0 || g.HaloZ < 0:
		return g, fmt.Errorf("beam: a halo of %d, %d, %d elements", g.HaloX, g.HaloY, g.HaloZ)
	}
	return g, nil
}

// regions calls f for each tile's region.
func (g Grid) regions(f func(Region)) {
	for z := 0; z < g.Depth; z += g.TileDepth {
		for y := 0; y < g.Height; y += g.TileHeight {
			for x := 0; x < g.Width; x += g.TileWidth {
				f(Region{x, y, z, min(g.TileWidth, g.Width-x), min(g.TileHeight, g.Height-y), min(g.TileDepth, g.Depth-z)})
			}
		}
	}
}

// TileIO reads the tiles of a source and writes those of the result. Elements are stored row by row, plane by
// plane. Several goroutines call both functions at once.
type TileIO[T, U any] struct {
	// Read returns the elements of a region, which is inside of the source of that name. If it returns an error,
	// the tile is a bad one with the kind [ReadError]. If Read is nil, the kernel creates tiles without a source,
	// and has no parameter in.
	Read func(ctx context.Context, name string, r Region) ([]T, error)
	// Write stores the elements of a tile of the result. A runner that retries a bundle writes a
	// tile again, with the same elements.
	Write func(ctx context.Context, name string, r Region, elements []U) error
}

// A Tiling is a transform that runs a kernel over tiles of sources larger than memory, with a work-item for each
// element of the result and a launch for each tile. Its input is a PCollection<KV<string, Grid>> of names and
// grids.
//
// Besides constants, a kernel's parameters are in (the tile with its halo), out (the tile's result), origin (the
// index in in of the tile's first element), row and plane (distance in elements between rows, and between planes,
// of in), x, y, z (the tile's first element in the whole), w, h, d (the tile's size), n (its number of elements)
// and width, height, depth (the size of the whole).
type Tiling[T, U, C any] struct{ kernel Kernel }

// tileParameters are the names of the parameters that a Tiling supplies.
var tileParameters = []string{"in", "out", "origin", "row", "plane", "x", "y", "z", "w", "h", "d", "n", "width", "height", "depth"}

// NewTiles declares a tiling, like NewMap in a package-level variable. A program declares a kernel for one TileIO
// only.
func NewTiles[T, U, C any](k Kernel, io TileIO[T, U]) *Tiling[T, U, C] {
	registerOnce(func() {
		register.Function3x1(expandGridFn)
		register.Emitter1[Tile]()
	}, reflect.TypeFor[Tile]())
	registerOnce(func() {
		register.DoFn5x1[context.Context, Tile, C, func(Tile), func(BadTile), error]((*tileFn[T, U, C])(nil))
		register.Emitter1[BadTile]()
	}, reflect.TypeFor[tileFn[T, U, C]]())
	declare(k, io)
	return &Tiling[T, U, C]{k}
}

// Apply adds the tiling to a pipeline. done has each written Tile, bad is a PCollection<BadTile>. constants and the
// error are those of [Mapping.Apply].
func (m *Tiling[T, U, C]) Apply(s beam.Scope, sources, constants beam.PCollection, o Options) (done, bad beam.PCollection, err error) {
	fn := &tileFn[T, U, C]{Kernel: m.kernel, Options: o}
	if err := fn.Setup(); err != nil {
		return done, bad, err
	}
	s = s.Scope("purecl.Tiles(" + m.kernel.Name + ")")
	constants, err = constantsOf[C](s, constants)
	if err != nil {
		return done, bad, err
	}
	tiles := beam.Reshuffle(s, beam.ParDo(s, expandGridFn, sources))
	outs, err := beam.TryParDo(s, fn, tiles, beam.SideInput{Input: constants})
	if err != nil {
		return done, bad, fmt.Errorf("beam: kernel %q: %w", m.kernel.Name, err)
	}
	return outs[0], outs[1], nil
}

// expandGridFn emits the tiles of a source.
func expandGridFn(name string, g Grid, emit func(Tile)) error {
	g, err := g.normalised()
	if err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	g.regions(func(r Region) { emit(Tile{name, g, r}) })
	return nil
}

// tileFn is the DoFn of a Tiling.
type tileFn[T, U, C any] struct {
	Kernel  Kernel
	Options Options

	cl      *purecl.Kernel
	binding *binding
	io      TileIO[T, U]
}

// Setup compiles the kernel and matches its parameters.
func (f *tileFn[T, U, C]) Setup() (err error) {
	for _, t := range []reflect.Type{reflect.TypeFor[T](), reflect.TypeFor[U]()} {
		if err := plain(t); err != nil {
			return fmt.Errorf("beam: elements of %v: %w", t, err)
		}
	}
	if f.io, err = declared[TileIO[T, U]](f.Kernel); err != nil {
		return err
	}
	if f.cl, err = f.Kernel.compile(); err != nil {
		return err
	}
	names := tileParameters
	if f.io.Read == nil {
		names = names[1:]
	}
	if f.binding, err = bind(f.cl, nil, nil, reflect.TypeFor[C](), names...); err != nil {
		return err
	}
	return f.binding.check(f.cl, reflect.TypeFor[C](), tileArguments(Tile{Region: Region{W: 1, H: 1, D: 1}}, make([]T, 1), make([]U, 1)))
}

// tileArguments returns the values of tileParameters.
func tileArguments[T, U any](t Tile, in []T, out []U) map[string]any {
	g := t.Grid
	row := t.W + 2*g.HaloX
	plane := row * (t.H + 2*g.HaloY)
	return map[string]any{
		"in": in, "out": out, "row": row, "plane": plane, "origin": g.HaloZ*plane + g.HaloY*row + g.HaloX,
		"x": t.X, "y": t.Y, "z": t.Z, "w": t.W, "h": t.H, "d": t.D, "n": t.W * t.H * t.D,
		"width": g.Width, "height": g.Height, "depth": g.Depth,
	}
}

// ProcessElement reads a tile with its halo, runs the kernel and writes the result.
func (f *tileFn[T, U, C]) ProcessElement(ctx context.Context, t Tile, constants C, done func(Tile), bad func(BadTile)) error {
	var in []T
	if f.io.Read != nil {
		var err error
		if in, err = readHalo(ctx, t, f.io.Read); err != nil && f.Options.FailOnFault {
			return fmt.Errorf("beam: reading %q: %w", t.Name, err)
		} else if err != nil {
			countFault(ctx)
			bad(BadTile{t.Name, t.Region, Finding{Kind: ReadError, Message: err.Error(), File: t.Name}})
			return nil
		}
	}
	out := make([]U, t.W*t.H*t.D)
	args, _ := f.binding.args(newColumns(nil, 0), constants, tileArguments(t, in, out))
	begin := time.Now()
	err := f.cl.Run(ctx, tileRange(t), args...)
	countLaunch(ctx, begin, sliceBytes(in)+sliceBytes(out))
	if fault := faultOf(err); fault != nil {
		countFault(ctx)
		if !f.Options.FailOnFault {
			bad(BadTile{t.Name, t.Region, newFinding(fault.Findings[0])})
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("beam: the tile at %d, %d, %d of %q: %w", t.X, t.Y, t.Z, t.Name, err)
	}
	if err := f.io.Write(ctx, t.Name, t.Region, out); err != nil {
		return fmt.Errorf("beam: writing %q: %w", t.Name, err)
	}
	done(t)
	return nil
}

// tileRange returns a tile's index space.
func tileRange(t Tile) purecl.NDRange {
	if t.Grid.Depth > 1 {
		return purecl.Range(t.W, t.H, t.D)
	}
	return purecl.Range(t.W, t.H)
}

// sliceBytes returns the size of a slice's elements in bytes.
func sliceBytes[T any](s []T) int { return len(s) * int(reflect.TypeFor[T]().Size()) }

// readHalo reads a tile with the part of its halo that is in the source, and fills the rest by the grid's edge.
func readHalo[T any](ctx context.Context, t Tile, read func(context.Context, string, Region) ([]T, error)) ([]T, error) {
	g := t.Grid
	x0, x1 := max(0, t.X-g.HaloX), min(g.Width, t.X+t.W+g.HaloX)
	y0, y1 := max(0, t.Y-g.HaloY), min(g.Height, t.Y+t.H+g.HaloY)
	z0, z1 := max(0, t.Z-g.HaloZ), min(g.Depth, t.Z+t.D+g.HaloZ)
	inside := Region{x0, y0, z0, x1 - x0, y1 - y0, z1 - z0}
	have, err := read(ctx, t.Name, inside)
	if err != nil {
		return nil, err
	}
	if n := inside.W * inside.H * inside.D; len(have) != n {
		return nil, fmt.Errorf("TileIO.Read returned %d elements of %d×%d×%d = %d", len(have), inside.W, inside.H, inside.D, n)
	}
	w, h, d := t.W+2*g.HaloX, t.H+2*g.HaloY, t.D+2*g.HaloZ
	if inside.W == w && inside.H == h && inside.D == d {
		return have, nil
	}
	all := make([]T, w*h*d)
	for z := range d {
		for y := range h {
			sy, sz := t.Y-g.HaloY+y, t.Z-g.HaloZ+z
			if g.Edge == EdgeZero && (sy != min(max(sy, y0), y1-1) || sz != min(max(sz, z0), z1-1)) {
				continue
			}
			sy, sz = min(max(sy, y0), y1-1), min(max(sz, z0), z1-1)
			from := have[((sz-z0)*inside.H+sy-y0)*inside.W:][:inside.W]
			to := all[(z*h+y)*w:][:w]
			left := x0 - (t.X - g.HaloX)
			copy(to[left:], from)
			if g.Edge == EdgeClamp {
				fill(to[:left], from[0])
				fill(to[left+inside.W:], from[inside.W-1])
			}
		}
	}
	return all, nil
}

func fill[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}

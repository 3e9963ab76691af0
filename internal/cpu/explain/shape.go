package explain

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Shape describes how the lanes of a gang access memory, for listings.
type Shape uint8

// The shapes.
const (
	Uniform     Shape = iota // one address for all
	Contiguous               // side by side, in order
	Strided                  // at equal distances
	Flipped                  // side by side, permuted by i ^ a uniform number
	Scattered                // at any addresses in one object: a gather or scatter
	LaneByLane               // one after the other, each with its own check
	InRegisters              // elements of a small table that is loaded once
	Again                    // no access: an earlier equal load has left the value in registers
	Runs                     // in runs with gaps, which a test detects; else scattered
	Rows                     // several elements side by side in each lane, which are transposed
	Pieces                   // pieces of several contiguous lanes
	Window                   // near each other, in an order that is known: accessed as vectors and permuted
	Joined                   // each lane at one of several addresses that are uniform or contiguous
	Copies                   // lane by lane, in an array and copies of it in turn
	NumShapes
)

// String returns the shape's name.
func (s Shape) String() string {
	return [...]string{"uniform", "contiguous", "strided", "flipped", "gather/scatter", "lane by lane", "a table in registers", "in registers already", "runs", "rows", "pieces", "a window, permuted", "joined", "in copies"}[s]
}

// shapes maps patterns to shapes.
var shapes = [...]Shape{lanes.Pointers: LaneByLane, lanes.Broadcast: Uniform, lanes.Contiguous: Contiguous, lanes.Reversed: Strided, lanes.Permuted: Flipped,
	lanes.Strided: Strided, lanes.Records: Strided, lanes.Fields: Strided, lanes.Rows: Rows, lanes.Lookup: InRegisters, lanes.Gather: Scattered, lanes.Runs: Runs, lanes.Pieces: Pieces, lanes.Window: Window, lanes.Spread: Window, lanes.Joined: Joined, lanes.Own: Contiguous, lanes.OwnGather: Scattered}

// Has lists properties of a kernel's code, for tests.
type Has struct {
	Forms  spmd.Forms
	Shapes uint16 // bit s: an access has the Shape s
}

// Of returns the properties of a function's code.
func Of(p *spmd.Plan, f *gang.Func, code *x86.Code) Has {
	h := Has{Forms: f.Forms}
	for k := range f.Notes {
		h.Shapes |= 1 << shapeOf(p, &f.Notes[k], code)
	}
	return h
}

// shapeOf returns the shape of an access in the code.
func shapeOf(p *spmd.Plan, n *gang.Note, code *x86.Code) Shape {
	switch v := n.Value; {
	case n.Earlier != nil:
		return Again
	case !isAtomic(v.Op) || n.Pattern == lanes.Broadcast:
		return shapes[n.Pattern]
	case n.Pattern == lanes.Gather && slices.ContainsFunc(code.Binned, func(k int32) bool { return code.Accesses[k].Value == p.Origin(v) }):
		return Scattered // it finds the lanes with one address first
	case n.Pattern == lanes.Gather && slices.ContainsFunc(code.InCopies, func(k int32) bool { return code.Accesses[k].Value == p.Origin(v) }):
		return Copies
	}
	return LaneByLane
}

func isAtomic(op ssa.Op) bool {
	return op == ssa.OpAtomicLoad || op == ssa.OpAtomicStore || op == ssa.OpAtomicRMW || op == ssa.OpAtomicCAS
}

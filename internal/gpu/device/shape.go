package device

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Sizes of work-groups that the device chooses. A processor holds up to maxResident work-items and mostGroups groups at
// once, or more.
const (
	warp        = 32
	mostChosen  = 256
	maxResident = 2048
	mostGroups  = 16
)

// sizeFor returns the most work-items of a group for a range of so many work-items: a range that does not fill the
// processors has smaller groups if the processor with the most work-items then has an eighth less of them.
func sizeFor(total uint64, processors int) uint64 {
	units := uint64(max(processors, 1))
	if total > units*maxResident {
		return mostChosen
	}
	load := func(size uint64) uint64 { return ceil(ceil(total, size), units) * size }
	best := uint64(mostChosen)
	for size := best / 2; size >= warp; size /= 2 {
		if x := load(size); x <= load(best)*7/8 && x <= mostGroups*size {
			best = size
		}
	}
	return best
}

func ceil(n, by uint64) uint64 { return (n + by - 1) / by }

// chooseLocal picks a local size that need not divide the range: whole warps if the range has enough work-items, in the
// widest shape with the fewest threads that are no work-items.
func chooseLocal(r *exec.NDRange, processors int) [3]uint64 {
	g := [3]uint64{max(r.Global[0], 1), max(r.Global[1], 1), max(r.Global[2], 1)}
	size := sizeFor(g[0]*g[1]*g[2], processors)
	if g[1] == 1 && g[2] == 1 {
		return [3]uint64{min(size, g[0]), 1, 1}
	}
	var best [3]uint64
	least := ^uint64(0)
	for x := size; x >= warp; x /= 2 {
		local := [3]uint64{min(x, g[0]), 1, 1}
		local[1] = min(size/local[0], g[1])
		local[2] = min(size/(local[0]*local[1]), g[2], 64)
		threads := ceil(local[0]*local[1]*local[2], warp) * warp
		for d, n := range local {
			threads *= ceil(g[d], n)
		}
		if threads < least {
			best, least = local, threads
		}
	}
	return best
}

// divisor returns the largest divisor of n up to most, of those that are multiples of a warp if one is at least half as large.
func divisor(n, most uint64) uint64 {
	best := uint64(1)
	for k := min(most, n); k > 1; k-- {
		if n%k == 0 {
			best = k
			break
		}
	}
	for k := best / warp * warp; k >= warp && 2*k >= best; k -= warp {
		if n%k == 0 {
			return k
		}
	}
	return best
}

// grouped reports whether a kernel's results may depend on how its work-items form groups. f must be a kernel.
func grouped(f *ssa.Func) bool {
	for _, a := range f.Kernel.Args {
		if a.Kind == ssa.ArgLocal {
			return true
		}
	}
	return groupedCode(f, map[*ssa.Func]bool{})
}

func groupedCode(f *ssa.Func, seen map[*ssa.Func]bool) bool {
	if seen[f] {
		return false
	}
	seen[f] = true
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			switch v.Op {
			case ssa.OpWorkItem:
				switch ssa.WorkItemQuery(v.Aux) {
				case ssa.LocalSize, ssa.EnqueuedLocalSize, ssa.LocalID, ssa.NumGroups, ssa.GroupID, ssa.LocalLinearID:
					return true
				}
			case ssa.OpGlobalAddr:
				if v.Sym.(*ssa.Global).Kind == ssa.PtrLocal {
					return true
				}
			case ssa.OpCall:
				if groupedCode(v.Sym.(*ssa.Func), seen) {
					return true
				}
			case ssa.OpExtern, ssa.OpPrintf: // the output is in the order of groups
				return true
			default:
				if v.Op.Has(ssa.Convergent) {
					return true
				}
			}
		}
	}
	return false
}

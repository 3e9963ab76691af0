package spmd

import "strings"

// Forms is the set of special forms of code in a kernel. Tests use it to ensure that some kernel covers each
// form.
type Forms uint64

// The forms, including those of package x86.
const (
	Peeled       Forms = 1 << iota // a copy of a loop for lanes that stay together (peel.go)
	Guarded                        // a fast path for gangs that agree on a branch (guard.go)
	Unclamped                      // accesses of gangs without clamped indices (clamp.go)
	Inside                         // a loop version with all accesses in bounds (inside.go)
	Unfolded                       // gangs of a known work-group without a loop (unfold.go)
	Long                           // gangs of more work-items than a mask register has bits
	Unchecked                      // accesses checked before their loop
	MergedChecks                   // accesses checked together with their neighbours (merge.go)
	Quotients                      // gangs whose lanes have one quotient (quotient.go)
	RowLoops                       // rows read in pieces (rows.go)
	RowStores                      // rows written in pieces (stores.go)
	GroupTests                     // tests of ids made uniform for the work-group (grain.go)
	Vectorised                     // row loops with vectorised iterations (vectorise.go)
	Fields                         // fields of structures written as vectors (fields.go)
	Coarse                         // gangs of several rows (coarsen.go)
	Collapsed                      // work-groups whose dimensions are one (collapse.go)
	Nests                          // nests of loops with several columns at once, or memory in registers (nests.go)
	Single                         // scalar code, one work-item after the other (scalar.go)
	Hoisted                        // loads hoisted from loops (hoist.go)
	Evaluated                      // local arrays in registers (evaluate.go)
	Prechecked                     // accesses whose bounds the launch tests (extent.go)
	Once                           // loads executed once for all work-groups (tested.go)
	Trips                          // loops with a uniform number of iterations between varying ends (trips.go)
	Extended                       // elements extended within their structures (package gang)
	Copies                         // atomic operations on copies of objects (package x86)
	Clamped                        // elements of arrays in registers at clamped indices (clamped.go)
	Stepped                        // known numbers of steps (steps.go)
	Interior                       // work-groups whose clamped bounds are constants (interior.go)
	RowByRow                       // row loops with iterations in the lanes, one row after the other (byrow.go)
	IndexSets                      // iterations without clamped indices (indexset.go)
	Offsets                        // accesses to local memory that share a sum (offsets.go)
	Ahead                          // prefetches of what later gangs access (package gang)
	PrefixSums                     // prefix sums of conditions as counts and ranks (prefix.go)
	NumForms     = iota
)

var formNames = [NumForms]string{"peeled", "guarded", "unclamped", "inside", "unfolded", "long", "unchecked", "merged checks", "quotients", "rows", "stores of rows", "group tests", "vectorised loops", "fields", "several rows", "collapsed", "nests", "scalar", "hoisted loads", "arrays in registers", "bounds tested by the launch", "loads once for all groups", "uniform iterations", "extended elements", "copies of counters", "clamped elements in registers", "known numbers of steps", "work-groups in the interior", "one row after the other", "iterations in the interior", "shared offsets", "prefetches", "prefix sums"}

// String returns the names of the forms, separated by commas.
func (f Forms) String() string {
	var list []string
	for i, name := range formNames {
		if f>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ",")
}

package spmd

import "strings"

// Forms are the forms of code that not every kernel gets: tests ask which a kernel has, so
// that none of them is without a kernel some day.
type Forms uint16

// The forms, those of package x86 too.
const (
	Peeled       Forms = 1 << iota // a loop that the lanes go through together first (peel.go)
	Guarded                        // a way for gangs that agree about a branch (guard.go)
	Unclamped                      // accesses of gangs in which no index is clamped (clamp.go)
	Inside                         // a loop for when all its accesses are in bounds (inside.go)
	Unfolded                       // gangs of a known work-group in one piece (unfold.go)
	Long                           // gangs of more work-items than a mask has bits
	Unchecked                      // accesses that were checked before their loop
	Together                       // accesses that were checked with their neighbours (together.go)
	Quotients                      // gangs whose lanes have one quotient (quotient.go)
	Walked                         // pieces of the lanes' rows, read at once (rows.go)
	WalkedStores                   // pieces of the lanes' rows, written at once (stores.go)
	GroupTests                     // tests of ids that the whole work-group answers alike (grain.go)
	Abreast                        // rounds of row walks as elements of vectors (abreast.go)
	Fields                         // fields of structures, written as vectors (fields.go)
	Coarse                         // gangs of several rows (coarsen.go)
	Collapsed                      // work-groups whose dimensions are one (collapse.go)
	NumForms     = iota
)

var formNames = [NumForms]string{"peeled", "guarded", "unclamped", "inside", "unfolded", "long", "unchecked", "together", "quotients", "rows", "stores of rows", "group tests", "rounds abreast", "fields", "several rows", "collapsed"}

// String returns the names of the forms, with commas between them.
func (f Forms) String() string {
	var list []string
	for i, name := range formNames {
		if f>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ",")
}

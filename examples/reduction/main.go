// Reduction sums a million numbers: work-groups reduce in local memory, then one
// work-group reduces their results.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"log"

	"github.com/purecl/purecl"
)

//go:embed reduction.cl
var source string

const group = 256

func main() {
	prog, err := purecl.Compile(source)
	if err != nil {
		log.Fatal(err)
	}
	sum, err := prog.Kernel("sum")
	if err != nil {
		log.Fatal(err)
	}
	x := make([]float32, 1<<20)
	for i := range x {
		x[i] = float32(i%10) / 4
	}
	for len(x) > 1 {
		groups := (len(x) + group - 1) / group
		partial := make([]float32, groups)
		r := purecl.Range(groups * group).Local(group)
		if err := sum.Run(context.Background(), r, x, partial, len(x), purecl.Local(4*group)); err != nil {
			log.Fatal(err)
		}
		x = partial
	}
	fmt.Println("sum =", x[0])
}

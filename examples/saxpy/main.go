// Saxpy is the smallest complete program: compile a kernel and run it on Go slices.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"log"

	"github.com/purecl/purecl"
)

//go:embed saxpy.cl
var source string

func main() {
	prog, err := purecl.Compile(source)
	if err != nil {
		log.Fatal(err)
	}
	saxpy, err := prog.Kernel("saxpy")
	if err != nil {
		log.Fatal(err)
	}
	x := make([]float32, 1000)
	y := make([]float32, len(x))
	for i := range x {
		x[i], y[i] = float32(i), 1
	}
	if err := saxpy.Run(context.Background(), purecl.Range(len(x)), y, x, 2.0); err != nil {
		log.Fatal(err)
	}
	fmt.Println("y[0], y[1], y[999] =", y[0], y[1], y[999])
}

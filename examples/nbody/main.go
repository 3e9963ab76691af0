// Nbody moves bodies under gravity and shows that momentum is conserved.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"github.com/purecl/purecl"
	"github.com/purecl/purecl/vec"
)

//go:embed nbody.cl
var source string

const group = 64

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 512, "bodies, a multiple of 64")
	steps := flag.Int("steps", 10, "time steps")
	flag.Parse()
	if *n <= 0 || *n%group != 0 {
		log.Fatalf("%d bodies are not a multiple of %d", *n, group)
	}
	prog, err := purecl.Compile(source)
	if err != nil {
		log.Fatal(err)
	}
	step, err := prog.Kernel("step")
	if err != nil {
		log.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	pos, next, vel := make([]vec.Float4, *n), make([]vec.Float4, *n), make([]vec.Float4, *n)
	for i := range pos {
		pos[i] = vec.Float4{r.Float32() - 0.5, r.Float32() - 0.5, r.Float32() - 0.5, 1 / float32(*n)}
	}
	for range *steps {
		err := step.Run(context.Background(), purecl.Range(*n).Local(group), pos, next, vel, *n, 0.01, 0.01, purecl.Local(16*group))
		if err != nil {
			log.Fatal(err)
		}
		pos, next = next, pos
	}
	var momentum, spread float64
	for i := range pos {
		momentum += float64(vel[i][0]) * float64(pos[i][3])
		spread += float64(pos[i][0]) * float64(pos[i][0])
	}
	fmt.Printf("%d bodies, %d steps: momentum %.4f, mean x² %.4f\n", *n, *steps, math.Abs(momentum), spread/float64(*n))
}

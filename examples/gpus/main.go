// Gpus splits one launch over several devices: each computes its part of the result into a sub-buffer of its own, from its
// own copy of the input.
//
//	go run -tags gpu ./examples/gpus -devices gpu:0,gpu:1
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/purecl/purecl"
	"github.com/purecl/purecl/vec"
)

//go:embed gpus.cl
var source string

const group = 64

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 8192, "bodies, a multiple of 64 for each device")
	rounds := flag.Int("rounds", 3, "launches of which the shortest time counts")
	names := flag.String("devices", "cpu,cpu", "devices, as purecl devices names them")
	flag.Parse()
	list := strings.Split(*names, ",")
	if *n <= 0 || *n%(group*len(list)) != 0 {
		log.Fatalf("%d bodies cannot be split over %d devices into parts of a multiple of %d", *n, len(list), group)
	}
	r := rand.New(rand.NewPCG(1, 2))
	pos := make([]vec.Float4, *n)
	for i := range pos {
		pos[i] = vec.Float4{r.Float32(), r.Float32(), r.Float32(), 1 / float32(*n)}
	}
	one, first, err := split(list[:1], pos, *rounds)
	if err != nil {
		log.Fatal(err)
	}
	all, last, err := split(list, pos, *rounds)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d bodies on %s: %.2f ms\n", *n, list[0], one.Seconds()*1e3)
	fmt.Printf("%d bodies on %d devices: %.2f ms, %.2f times as fast\n", *n, len(list), all.Seconds()*1e3, one.Seconds()/all.Seconds())
	if !slices.Equal(first, last) {
		log.Fatal("the results differ")
	}
	fmt.Println("the results are equal")
}

// A share is a device's part of the work.
type share struct {
	stream *purecl.Stream
	pull   *purecl.Kernel
	pos    *purecl.Buffer[vec.Float4]
	out    *purecl.Buffer[vec.Float4] // the device's part of its whole buffer
	first  int                        // body of the part
}

// split computes the pull on all bodies, a part on each device, and returns the shortest time of a launch on all.
func split(names []string, pos []vec.Float4, rounds int) (best time.Duration, out []vec.Float4, err error) {
	ctx := context.Background()
	part := len(pos) / len(names)
	out = make([]vec.Float4, len(pos))
	var shares []*share
	for i, name := range names {
		s, err := newShare(name, pos, i*part, part)
		if err != nil {
			return 0, nil, err
		}
		shares = append(shares, s)
	}
	for range rounds + 1 { // the first makes the code
		began := time.Now()
		for _, s := range shares {
			s.stream.Run(s.pull, purecl.Range(part).Local(group), s.out, s.pos, len(pos), s.first)
		}
		for _, s := range shares {
			if err := s.stream.Wait(ctx); err != nil {
				return 0, nil, err
			}
		}
		if took := time.Since(began); best == 0 || took < best {
			best = took
		}
	}
	for _, s := range shares {
		s.stream.Read(out[s.first:s.first+part], s.out)
	}
	for _, s := range shares {
		if err := s.stream.Close(); err != nil {
			return 0, nil, err
		}
	}
	return best, out, nil
}

func newShare(name string, pos []vec.Float4, first, n int) (*share, error) {
	dev, err := purecl.Open(name)
	if err != nil {
		return nil, err
	}
	prog, err := dev.Compile(source)
	if err != nil {
		return nil, err
	}
	s := &share{stream: dev.Stream(), first: first}
	if s.pull, err = prog.Kernel("pull"); err != nil {
		return nil, err
	}
	if s.pos, err = purecl.NewBuffer(dev, pos); err != nil {
		return nil, err
	}
	whole, err := purecl.NewBuffer(dev, make([]vec.Float4, len(pos)))
	if err != nil {
		return nil, err
	}
	s.out, err = whole.Part(first, first+n)
	return s, err
}

// Histogram counts how often each byte value occurs in a file, with atomics.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/purecl/purecl"
)

//go:embed histogram.cl
var source string

func main() {
	log.SetFlags(0)
	in := flag.String("in", "examples/scene.png", "file to count")
	flag.Parse()
	data, err := os.ReadFile(*in)
	if err != nil {
		log.Fatal(err)
	}
	prog, err := purecl.Compile(source)
	if err != nil {
		log.Fatal(err)
	}
	k, err := prog.Kernel("histogram")
	if err != nil {
		log.Fatal(err)
	}
	counts := make([]uint32, 256)
	if err := k.Run(context.Background(), purecl.Range(4096).Local(128), data, len(data), counts); err != nil {
		log.Fatal(err)
	}
	total, most := 0, 0
	for b, n := range counts {
		total += int(n)
		if n > counts[most] {
			most = b
		}
	}
	fmt.Printf("%d bytes; the most frequent is 0x%02x, %d times\n", total, most, counts[most])
}

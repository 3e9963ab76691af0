// Command options prices European call options by the Monte-Carlo method. The seed of an option
// follows from its key, so that the price is the same however many workers there are.
//
//	go run ./examples/options -options 10000 -out prices.csv
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"hash/fnv"
	"log"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/purecl/purecl/beam"
)

//go:embed price.cl
var source string

// An Option is a European call option.
type Option struct {
	Spot, Strike, Years float64
	Seed                uint32
}

// A Price is an option's value, and the standard error of it.
type Price struct{ Value, Error float64 }

// A Market holds the constants of all options.
type Market struct {
	Rate, Volatility float64
	Paths            int32
}

var price = beam.NewMap[string, Option, Price, Market](beam.Kernel{Source: source, Name: "price"})

func init() {
	register.Function1x2(option)
	register.Function2x1(line)
}

// option returns option number n of a fictitious book, with its key.
func option(n int) (string, Option) {
	key := fmt.Sprintf("call-%06d", n)
	h := fnv.New32a()
	h.Write([]byte(key))
	return key, Option{100, 80 + float64(n%41), 0.25 * float64(1+n%8), h.Sum32()}
}

func line(key string, p Price) string { return fmt.Sprintf("%s,%.17g,%.3g", key, p.Value, p.Error) }

// book adds the prices of options to a pipeline.
func book(s sdk.Scope, options int, m Market, o beam.Options) (sdk.PCollection, error) {
	numbers := make([]any, options)
	for i := range numbers {
		numbers[i] = i
	}
	out, _, err := price.Apply(s, sdk.ParDo(s, option, sdk.Reshuffle(s, sdk.Create(s, numbers...))), sdk.Create(s, m), o)
	return out, err
}

func main() {
	options := flag.Int("options", 1000, "number of options")
	paths := flag.Int("paths", 10000, "random paths of each")
	out := flag.String("out", "prices.csv", "file of the result")
	flag.Parse()
	sdk.Init()
	p, s := sdk.NewPipelineWithRoot()
	prices, err := book(s, *options, Market{0.03, 0.2, int32(*paths)}, beam.Options{FailOnFault: true})
	if err != nil {
		log.Fatal(err)
	}
	textio.Write(s, *out, sdk.ParDo(s, line, prices))
	if err := beamx.Run(context.Background(), p); err != nil {
		log.Fatal(err)
	}
}

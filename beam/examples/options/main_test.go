package main

import (
	"context"
	"math"
	"os"
	"sync"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/purecl/purecl/beam"
)

func TestMain(m *testing.M) {
	sdk.Init()
	os.Exit(m.Run())
}

var collected struct {
	sync.Mutex
	prices map[string]Price
}

func init() { register.Function2x0(collect) }

func collect(key string, p Price) {
	collected.Lock()
	defer collected.Unlock()
	collected.prices[key] = p
}

func prices(t *testing.T, options int, m Market, o beam.Options) map[string]Price {
	t.Helper()
	collected.prices = map[string]Price{}
	p, s := sdk.NewPipelineWithRoot()
	out, err := book(s, options, m, o)
	if err != nil {
		t.Fatal(err)
	}
	sdk.ParDo0(s, collect, out)
	if _, err := prism.Execute(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	if len(collected.prices) != options {
		t.Fatalf("%d prices, want %d", len(collected.prices), options)
	}
	return collected.prices
}

// blackScholes returns the exact value of a European call option (F. Black and M. Scholes, 1973).
func blackScholes(o Option, m Market) float64 {
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	d := (math.Log(o.Spot/o.Strike) + (m.Rate+m.Volatility*m.Volatility/2)*o.Years) / (m.Volatility * math.Sqrt(o.Years))
	return o.Spot*normal(d) - o.Strike*math.Exp(-m.Rate*o.Years)*normal(d-m.Volatility*math.Sqrt(o.Years))
}

// TestPrices compares prices with the formula, and checks that they have the same bits for several batch sizes.
func TestPrices(t *testing.T) {
	const options = 300
	m := Market{0.03, 0.2, 4000}
	whole := prices(t, options, m, beam.Options{FailOnFault: true})
	far := 0
	for n := range options {
		key, o := option(n)
		if p := whole[key]; math.Abs(p.Value-blackScholes(o, m)) > 3*p.Error {
			far++
		}
	}
	if far > options/50 { // 0.3 % are expected beyond three standard errors
		t.Errorf("%d of %d prices are more than three standard errors from the formula", far, options)
	}
	for _, bytes := range []int{1, 500} {
		for key, p := range prices(t, options, m, beam.Options{BatchBytes: bytes, FailOnFault: true}) {
			if p != whole[key] {
				t.Fatalf("%s: %v in batches of %d bytes, %v in one", key, p, bytes, whole[key])
			}
		}
	}
}

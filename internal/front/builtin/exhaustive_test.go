package builtin_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// The complete TestAccuracyFloat takes hours of processor time. It can be divided, and run on machines without Go:
//
//	go test -c ./internal/front/builtin
//	./builtin.test -test.run 'AccuracyFloat$' -test.v -exhaustive -shard 1/4
//	./builtin.test -test.run 'AccuracyFloat$' -test.v -exhaustive -functions '^(sin|cos)$'
//
// from internal/front/builtin. It prints the lines of testdata/accuracy.txt.
var (
	exhaustive = flag.Bool("exhaustive", false, "TestAccuracyFloat: all 2^32 arguments")
	argBits    = flag.Int("bits", 18, "TestAccuracyFloat: log2 of the number of arguments, 16 to 32")
	functions  = flag.String("functions", "", "accuracy tests: only functions whose name matches the regular expression")
	shard      = flag.String("shard", "1/1", "TestAccuracyFloat: i/n is the i-th of n parts of the functions")
)

// wanted reports whether the flags select function number i.
func wanted(t testing.TB, name string, i int) bool {
	var k, n int
	if _, err := fmt.Sscanf(*shard, "%d/%d", &k, &n); err != nil || n < 1 || k < 1 || k > n {
		t.Fatalf("-shard %s: want i/n", *shard)
	}
	ok, err := regexp.MatchString(*functions, name)
	if err != nil {
		t.Fatal(err)
	}
	return ok && i%n == k-1
}

// A worstCase is the greatest error among a number of arguments.
type worstCase struct {
	ulp float64
	x   float32
}

// add takes the results y of the arguments x into account.
func (w *worstCase) add(err func(x, got float32) float64, x, y []float32) {
	for i, v := range x {
		if e := err(v, y[i]); e > w.ulp {
			*w = worstCase{e, v}
		}
	}
}

func TestAccuracyFloat(t *testing.T) {
	total, coverage := uint64(1)<<*argBits, fmt.Sprintf("2^%d", *argBits)
	if *exhaustive || *argBits == 32 {
		total, coverage = 1<<32, "all"
	}
	i := 0
	for m := range measurements(1) {
		f := oracles[m.base]
		if f == nil {
			continue
		}
		if i++; !wanted(t, m.row.Name, i-1) {
			continue
		}
		t.Run(m.row.Name, func(t *testing.T) {
			k := buildWidths[float32](t, &m, "float", 1) // measure has a worker for each core
			hard := append(recordedArgs(t, m.row, "float"), specials...)
			run := func(x, y []float32) { k.run(t, x, x, y) }
			w := measure(total, hard, run, m.err(f))
			if total > 1<<18 && total < 1<<32 { // the arguments of a normal run too
				if v := measure(1<<18, hard, run, m.err(f)); v.ulp > w.ulp {
					w = v
				}
			}
			if *argBits > 18 || *exhaustive {
				fmt.Println(strings.Join(accuracyLine(m.row, "float", coverage, w.ulp, float64(w.x)), " "))
			}
			record(t, m.row, "float", coverage, w.ulp, float64(w.x))
		})
	}
}

// measure compares results with f for total arguments, evenly over all bit patterns (one random argument in each
// step), and for the hard ones. All cores run chunks.
func measure(total uint64, hard []float32, run func(x, y []float32), err func(x, got float32) float64) worstCase {
	const chunk = 1 << 16
	step := uint64(1<<32) / total
	worst := make([]worstCase, total/chunk)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			x, y := make([]float32, chunk), make([]float32, chunk)
			for {
				n := next.Add(1) - 1
				if n >= int64(len(worst)) {
					return
				}
				rng := rand.New(rand.NewPCG(1, uint64(n)))
				for i := range chunk {
					at := (uint64(n)*chunk + uint64(i)) * step
					if step > 1 {
						at += rng.Uint64N(step)
					}
					x[i] = math.Float32frombits(uint32(at))
				}
				if step > 1 {
					copy(x, hard)
				}
				run(x, y)
				worst[n].ulp = -1
				worst[n].add(err, x[:chunk], y[:chunk])
			}
		})
	}
	wg.Wait()
	w := worst[0]
	for _, o := range worst {
		if o.ulp > w.ulp {
			w = o
		}
	}
	return w
}

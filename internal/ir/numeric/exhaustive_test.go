package numeric

import (
	"bytes"
	"flag"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/numeric/hardware"
)

var allValues = flag.Bool("exhaustive", false, "TestExhaustive: all 2^32 values of each kind, not 2^19 of them")

// TestExhaustive converts every value of the 32-bit kinds to every kind, in every mode, with and without
// saturation. It compares the results with the exact oracle and, if possible, with the processor. Without
// -exhaustive (make exhaustive) it tests a subset, in chunks spread over all values.
func TestExhaustive(t *testing.T) {
	const chunk, chunks = 1 << 16, 1 << 16
	stride := int64(chunks / 8)
	if *allValues {
		stride = 1
	}
	for _, k := range []Kind{F32, I32, U32} {
		t.Run(k.String(), func(t *testing.T) {
			start := time.Now()
			var next atomic.Int64
			var wg sync.WaitGroup
			for range runtime.GOMAXPROCS(0) {
				wg.Go(func() {
					e := newExhaustive(k, chunk)
					for !t.Failed() {
						c := next.Add(stride) - stride
						if c >= chunks {
							return
						}
						e.run(t, uint64(c)*chunk)
						if *allValues && c%8192 == 8191 {
							t.Logf("%d of %d after %v", c+1, chunks, time.Since(start).Round(time.Second))
						}
					}
				})
			}
			wg.Wait()
			t.Logf("%d values in %v on %d threads", chunk*(chunks/stride), time.Since(start).Round(time.Millisecond), runtime.GOMAXPROCS(0))
		})
	}
}

// exhaustive checks one chunk of successive bit patterns at a time.
type exhaustive struct {
	batch
	kind    Kind
	rounded []rounded
	again   []byte
}

func newExhaustive(k Kind, n int) *exhaustive {
	return &exhaustive{
		batch: *newBatch(k, make([]uint64, n)), kind: k, rounded: make([]rounded, n),
		again: make([]byte, 8*n),
	}
}

func (e *exhaustive) run(t *testing.T, first uint64) {
	for i := range e.values {
		v := first + uint64(i)
		e.values[i] = v
		e.decoded[i] = decode(e.kind, v)
		putBits(unsafe.Pointer(&e.src[4*i]), e.kind, v)
	}
	for _, r := range []Round{RTE, RTZ, RTP, RTN} {
		for i := range e.rounded {
			e.rounded[i] = e.decoded[i].round(r)
		}
		for dst := Bool; dst < NumKinds; dst++ {
			e.conversion(t, Conversion{dst, e.kind, false, r})
			if dst.IsInt() {
				e.conversion(t, Conversion{dst, e.kind, true, r})
			}
		}
	}
	if hardware.Available() {
		hardwareResults(e.kind, e.src, len(e.values), func(c Conversion, theirs []byte) {
			c.Apply(e.dst, e.src)
			if err := compareHardware(c, e.src, e.dst, theirs, len(e.values)); err != nil {
				t.Error(err)
			}
		})
	}
}

// conversion checks one conversion of the chunk. If the mode cannot matter, it asks the oracle in one mode, and the
// other modes must give the same bytes. RoundDefault must give those of its mode.
func (e *exhaustive) conversion(t *testing.T, c Conversion) {
	exactly := !e.kind.IsFloat() && c.Dst.IsInt() || c.Dst == Bool || c.Dst == F64 || c.Dst == e.kind
	size := c.Dst.Size()
	n := len(e.values) * size
	c.Apply(e.dst, e.src)
	other := c
	if other.Round = RoundDefault; exactly && c.Round != RTZ {
		other.Round = RTZ
	}
	if exactly || c.Round == RTZ && c.Dst.IsInt() || c.Round == RTE && c.Dst.IsFloat() {
		other.Apply(e.again, e.src)
		if !bytes.Equal(e.dst[:n], e.again[:n]) {
			t.Errorf("%v differs from %v", c, other)
		}
		if exactly && c.Round != RTZ {
			return
		}
	}
	toInt := c.Dst.IsInt() && c.Dst != e.kind
	for i, v := range e.values {
		var want uint64
		if toInt {
			want = toIntOracle(c.Dst, &e.decoded[i], e.rounded[i], c.Sat)
		} else {
			want = oracleOf(c, v, &e.decoded[i])
		}
		if got := getBits(unsafe.Pointer(&e.dst[i*size]), c.Dst); got != want {
			t.Errorf("%v: %#x → %#x, want %#x", c, v, got, want)
			return
		}
	}
}

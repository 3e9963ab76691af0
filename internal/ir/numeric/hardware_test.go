package numeric

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/numeric/hardware"
)

// kindNamed is the inverse of Kind.String.
func kindNamed(s string) Kind {
	for k := Bool; k < NumKinds; k++ {
		if k.String() == s {
			return k
		}
	}
	panic(s)
}

// hardwareResults calls f with every conversion that the processor supports, and its results for the column src of
// n elements, a multiple of hardware.Block.
func hardwareResults(kind Kind, src []byte, n int, f func(c Conversion, dst []byte)) {
	dst := make([]byte, n*8)
	for name, loops := range hardware.Loops {
		from, to := kindNamed(name[:3]), kindNamed(name[3:])
		if from != kind {
			continue
		}
		for i, r := range []Round{RTE, RTZ, RTP, RTN} {
			loops[i](unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), n/hardware.Block)
			f(Conversion{to, from, false, r}, dst[:n*to.Size()])
		}
	}
}

// compareHardware compares this package's column with the processor's. The instructions for unsigned destinations
// return all ones out of range; decision record 0002 explains why this package does not.
func compareHardware(c Conversion, src, ours, theirs []byte, n int) error {
	if string(ours[:len(theirs)]) == string(theirs) {
		return nil
	}
	s, d := c.Src.Size(), c.Dst.Size()
	for i := range n {
		x := getBits(unsafe.Pointer(&src[i*s]), c.Src)
		got, want := getBits(unsafe.Pointer(&ours[i*d]), c.Dst), getBits(unsafe.Pointer(&theirs[i*d]), c.Dst)
		if got == want || (c.Dst == U32 || c.Dst == U64) && want == ^uint64(0)>>(64-c.Dst.Bits()) && c.BitsOutOfRange(x) {
			continue
		}
		return fmt.Errorf("%v: %#x → %#x, the processor says %#x", c, x, got, want)
	}
	return nil
}

// TestHardware compares edge cases and a spread of values with the processor.
func TestHardware(t *testing.T) {
	if !hardware.Available() {
		t.Log("no AVX-512 here: nothing to compare with")
		return
	}
	for _, k := range []Kind{F16, F32, F64, I32, U32, I64, U64} {
		t.Run(k.String(), func(t *testing.T) {
			values := append(specialBits(k), spreadBits(k, 1<<16, 13)...)
			values = values[:len(values)/hardware.Block*hardware.Block]
			src, ours := column(k, values), make([]byte, 8*len(values))
			hardwareResults(k, src, len(values), func(c Conversion, theirs []byte) {
				c.Apply(ours, src)
				if err := compareHardware(c, src, ours, theirs, len(values)); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

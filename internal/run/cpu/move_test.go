package cpu

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// movers are devices with one compute unit and with several.
func movers() []*Device { return []*Device{All().Some(1), All().Some(5)} }

// noise returns n random bytes.
func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n)}).Read(b)
	return b
}

func TestCopyBytes(t *testing.T) {
	const most = 10<<20 + 7
	src, dst := noise(most), make([]byte, most+2)
	for _, d := range movers() {
		for _, n := range []int{0, 1, leastPiece, 2*leastPiece - 1, 2 * leastPiece, 3*leastPiece + 1, 2<<20 + 3, most} {
			clear(dst)
			d.CopyBytes(dst[1:1+n], src[:n])
			if !bytes.Equal(dst[1:1+n], src[:n]) || dst[0] != 0 || dst[1+n] != 0 {
				t.Errorf("%d units: %d bytes: wrong copy", d.info.ComputeUnits, n)
			}
		}
		// Overlapping memories are copied as by copy.
		both := bytes.Clone(src)
		d.CopyBytes(both[5000:], both[:most-5000])
		if !bytes.Equal(both[5000:], src[:most-5000]) {
			t.Errorf("%d units: wrong copy within one memory", d.info.ComputeUnits)
		}
		d.CopyBytes(both, both)
	}
}

func TestCopyBox(t *testing.T) {
	const most = 6 << 20
	src := noise(most)
	for _, d := range movers() {
		for _, c := range []struct{ region, dp, sp [3]int }{
			{[3]int{1, 1, 1}, [3]int{1, 1, 1}, [3]int{1, 1, 1}},
			{[3]int{7, 5, 3}, [3]int{1, 7, 35}, [3]int{1, 9, 60}},
			{[3]int{1000, 1000, 5}, [3]int{1, 1000, 1000000}, [3]int{1, 1000, 1000000}}, // contiguous rows and slices
			{[3]int{1000, 1000, 5}, [3]int{1, 1000, 1000001}, [3]int{1, 1000, 1000000}}, // contiguous slices
			{[3]int{1000, 1000, 5}, [3]int{1, 1001, 1010000}, [3]int{1, 1100, 1100000}},
			{[3]int{1 << 20, 1, 4}, [3]int{1, 1 << 20, 1<<20 + 64}, [3]int{1, 1 << 20, 1<<20 + 1}},
			{[3]int{3, 600_000, 1}, [3]int{1, 3, 0}, [3]int{1, 4, 0}},
			{[3]int{3, 1, 600_000}, [3]int{1, 3, 4}, [3]int{1, 3, 3}},
			{[3]int{5 << 20, 1, 1}, [3]int{1, 5 << 20, 5 << 20}, [3]int{}},
			{[3]int{1000, 300, 2}, [3]int{1, 1000, 400_000}, [3]int{}}, // one row repeatedly
		} {
			got, want := make([]byte, most), make([]byte, most)
			for z := range c.region[2] {
				for y := range c.region[1] {
					for x := range c.region[0] {
						want[x+y*c.dp[1]+z*c.dp[2]] = src[x+y*c.sp[1]+z*c.sp[2]]
					}
				}
			}
			d.CopyBox(got, c.dp, src, c.sp, c.region)
			if !bytes.Equal(got, want) {
				t.Errorf("%d units: region %v, pitches %v and %v: wrong copy", d.info.ComputeUnits, c.region, c.dp, c.sp)
			}
		}
		rows := bytes.Clone(src) // rows onto themselves
		d.CopyBox(rows, [3]int{1, 1000, 0}, rows, [3]int{1, 1000, 0}, [3]int{900, 6000, 1})
		if !bytes.Equal(rows, src) {
			t.Errorf("%d units: memory copied onto itself changed", d.info.ComputeUnits)
		}
	}
}

func TestFill(t *testing.T) {
	const most = 9 << 20
	for _, d := range movers() {
		for _, pattern := range [][]byte{{0}, {7}, make([]byte, 128), noise(2), noise(16), noise(128), append(make([]byte, 63), 1)} {
			for _, n := range []int{0, len(pattern), 4096, 16 << 10, 16<<10 + 128, leastPiece, leastPiece + 128, 2<<20 + 256, most} {
				got := noise(n + 2)
				ends := [2]byte{got[0], got[n+1]}
				d.Fill(got[1:1+n], pattern, false)
				if want := bytes.Repeat(pattern, n/len(pattern)); !bytes.Equal(got[1:1+n], want) || got[0] != ends[0] || got[n+1] != ends[1] {
					t.Errorf("%d units: %d bytes of a pattern of %d: wrong", d.info.ComputeUnits, n, len(pattern))
				}
			}
		}
	}
}

// TestFillZeros fills large memory with zeros, whole or in part and repeatedly. The part must be zero and the rest
// unchanged, whichever method the system uses.
func TestFillZeros(t *testing.T) {
	const size = 3*LargeFrom + 1000
	d := All()
	m, err := d.Allocate(size)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Free()
	whole := m.Bytes()
	for _, c := range []struct{ off, len int }{{0, size}, {1 << 20, 2 * LargeFrom}, {4, size - 8}, {size - LargeFrom, LargeFrom}, {8, 1 << 20}, {1<<20 + 4, LargeFrom}} {
		for i := range whole {
			whole[i] = byte(i) | 1
		}
		want := bytes.Clone(whole)
		clear(want[c.off : c.off+c.len])
		d.Fill(whole[c.off:c.off+c.len], make([]byte, 4), true)
		if !bytes.Equal(whole, want) {
			t.Errorf("%d bytes from %d: wrong", c.len, c.off)
		}
	}
}

// TestAllocate checks that memory is counted until it is freed, and only once, and has the alignment of the largest
// type.
func TestAllocate(t *testing.T) {
	d := All()
	before, freed := Allocated(), 0
	if _, err := d.Allocate(int(d.info.MaxAlloc) + 1); err == nil {
		t.Error("more than the device allocates at once")
	}
	if _, err := d.AllocateFrom(100, func(int) ([]byte, func()) { return nil, nil }); err == nil || Allocated() != before {
		t.Errorf("%v, %d bytes allocated, want %d", err, Allocated(), before)
	}
	m, err := d.AllocateFrom(100, func(n int) ([]byte, func()) { return AlignedBytes(n), func() { freed++ } })
	if err != nil {
		t.Fatal(err)
	}
	if at := uintptr(unsafe.Pointer(unsafe.SliceData(m.Bytes()))); at%BaseAlign != 0 || m.Size() != 100 || Allocated() != before+100 {
		t.Errorf("address %#x, %d bytes, %d allocated", at, m.Size(), Allocated())
	}
	part := m.Part(10, 20)
	part.Bytes()[0] = 7
	if part.Size() != 20 || m.Bytes()[10] != 7 {
		t.Error("a part is not the memory")
	}
	part.Free()
	m.Free()
	m.Free()
	if freed != 1 || Allocated() != before {
		t.Errorf("freed %d times, %d bytes allocated, want %d", freed, Allocated(), before)
	}
}

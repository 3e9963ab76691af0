package cpu

import (
	"slices"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/run/launch"
)

// These methods move memory for commands. The device's compute units share a large transfer in pieces, because one
// processor seldom reaches the memory's bandwidth.

const (
	leastPiece  = 128 << 10 // bytes
	mostPiece   = 4 << 20
	movingSpeed = 10 // approximate speed of one processor in bytes per nanosecond
)

// pieces returns the size of the pieces of n bytes, a multiple of a page, and their number.
func (d *Device) pieces(n int) (size, count int) {
	const page = 4096
	size = min(max(n/(8*d.info.ComputeUnits), leastPiece), mostPiece) &^ (page - 1)
	return size, (n + size - 1) / size
}

// share calls do(0) … do(count-1), in parallel if that pays; size is the number of bytes per call.
func (d *Device) share(size, count int, do func(i int)) {
	launch.Share(d.info.ComputeUnits, int64(count), time.Duration(size/movingSpeed), func(i int64) { do(int(i)) })
}

// CopyBytes copies src to dst, which must have the same length.
func (d *Device) CopyBytes(dst, src []byte) {
	if len(dst) < 2*leastPiece || overlap(dst, src) {
		move(dst, src)
		return
	}
	size, count := d.pieces(len(dst))
	d.share(size, count, func(i int) { copy(dst[i*size:min((i+1)*size, len(dst))], src[i*size:]) })
}

// overlap reports whether a and b share bytes.
func overlap(a, b []byte) bool {
	pa, pb := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return pa < pb+uintptr(len(b)) && pb < pa+uintptr(len(a))
}

// move copies src to dst unless they are the same memory, as when a buffer uses the host's memory.
func move(dst, src []byte) {
	if unsafe.SliceData(dst) != unsafe.SliceData(src) {
		copy(dst, src)
	}
}

// CopyBox copies region = (bytes, rows, slices) between two memories with pitches dp and sp, both from their
// beginning. Boxes must not overlap, except that rows of both may be the same memory.
func (d *Device) CopyBox(dst []byte, dp [3]int, src []byte, sp [3]int, region [3]int) {
	for range 2 { // contiguous rows are merged, and then contiguous slices
		if n := region[0]; region[1] > 1 && (dp[1] != n || sp[1] != n) {
			break
		}
		region = [3]int{region[0] * region[1], region[2], 1}
		dp[1], sp[1] = dp[2], sp[2]
	}
	row := func(r int) (to, from []byte) {
		y, z := r%region[1], r/region[1]
		i, j := y*dp[1]+z*dp[2], y*sp[1]+z*sp[2]
		return dst[i : i+region[0]], src[j : j+region[0]]
	}
	rows, total := region[1]*region[2], region[0]*region[1]*region[2]
	if total < 2*leastPiece || region[0] >= mostPiece {
		for r := range rows {
			d.CopyBytes(row(r))
		}
		return
	}
	size, _ := d.pieces(total)
	each := (size + region[0] - 1) / region[0] // rows in a piece
	d.share(size, (rows+each-1)/each, func(i int) {
		for r := i * each; r < min((i+1)*each, rows); r++ {
			move(row(r))
		}
	})
}

// Fill fills dst with repetitions of pattern, whose length is a power of two and divides the length of dst. own
// reports that dst is the device's memory, not the application's.
func (d *Device) Fill(dst, pattern []byte, own bool) {
	const cached = 16 << 10 // fits the first-level cache
	if !slices.ContainsFunc(pattern, func(b byte) bool { return b != 0 }) {
		if own && len(dst) >= LargeFrom {
			var before []byte
			before, dst = zeroPages(dst)
			d.zero(before)
		}
		d.zero(dst)
		return
	}
	n := copy(dst, pattern)
	for n < min(len(dst), cached) {
		n += copy(dst[n:min(len(dst), cached)], dst[:n])
	}
	size, count := d.pieces(len(dst))
	d.share(size, count, func(i int) {
		for piece := dst[max(n, i*size):min((i+1)*size, len(dst))]; len(piece) > 0; {
			piece = piece[copy(piece, dst[:n]):]
		}
	})
}

// zero fills dst with zeros.
func (d *Device) zero(dst []byte) {
	size, count := d.pieces(len(dst))
	d.share(size, count, func(i int) { clear(dst[i*size : min((i+1)*size, len(dst))]) })
}

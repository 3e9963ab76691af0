package difftest

import (
	"bytes"
	"slices"
	"strings"
)

// canary is how many bytes of canaries lie before a buffer, and behind it.
const canary = 4096

// Fence returns a copy of a buffer's contents between canaries, and what says later whether
// those are as they were.
func Fence(data []byte) (mem []byte, intact func() bool) {
	const mark = 0xC5
	whole := bytes.Repeat([]byte{mark}, 2*canary+len(data))
	end := canary + len(data)
	mem = whole[canary:end:end]
	copy(mem, data)
	return mem, func() bool {
		return bytes.Count(whole[:canary], []byte{mark}) == canary && bytes.Count(whole[end:], []byte{mark}) == canary
	}
}

// Alike reports whether two launches of a kernel whose accesses may leave their buffers
// failed alike: got and want are the errors of each, in order. Errors of loads that nothing
// needs may be missing: perhaps has them all. So may those of a load that another one of the
// same work-item repeats, which machine code may take for one.
func Alike(got, want, perhaps []string) bool {
	got = slices.DeleteFunc(slices.Clone(got), func(g string) bool { return !slices.Contains(want, g) && slices.Contains(perhaps, g) })
	want = slices.DeleteFunc(slices.Clone(want), func(w string) bool {
		return !slices.Contains(got, w) && slices.ContainsFunc(got, func(g string) bool { return sameLoad(g, w) })
	})
	return slices.Equal(got, want)
}

// sameLoad reports whether two errors differ in their place in the source alone, and are of loads.
func sameLoad(a, b string) bool {
	_, a, _ = strings.Cut(a, ": ")
	_, b, _ = strings.Cut(b, ": ")
	return a == b && strings.Contains(a, ": load of ")
}

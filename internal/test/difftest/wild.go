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
// needs may be missing: perhaps has them all. So may those of a load that repeats another load
// or a store of the same work-item, whose value machine code may take.
func Alike(got, want, perhaps []string) bool {
	got = slices.DeleteFunc(slices.Clone(got), func(g string) bool { return !slices.Contains(want, g) && slices.Contains(perhaps, g) })
	want = slices.DeleteFunc(slices.Clone(want), func(w string) bool {
		return !slices.Contains(got, w) && slices.ContainsFunc(got, func(g string) bool { return repeats(w, g) })
	})
	return slices.Equal(got, want)
}

// repeats reports whether the error w is of a load from where the access of the error g is.
func repeats(w, g string) bool {
	_, w, _ = strings.Cut(w, ": ")
	_, g, _ = strings.Cut(g, ": ")
	rest, load := strings.CutPrefix(w, "out of bounds: load of ")
	return load && (g == w || g == "out of bounds: store of "+rest)
}

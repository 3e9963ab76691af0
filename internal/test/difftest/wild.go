package difftest

import (
	"bytes"
	"slices"
	"strings"
)

// canary is the number of canary bytes before and after a buffer.
const canary = 4096

// Fence returns a copy of a buffer's contents between canaries, and a function that reports whether the canaries
// are unchanged.
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

// Alike reports whether two launches of a wild kernel failed alike. got and want are their errors, in order. Errors
// of dead loads may be missing: perhaps has all of them. Errors of a load that repeats another access of the same
// work-item may be missing too, since machine code may forward the value.
func Alike(got, want, perhaps []string) bool {
	got = slices.DeleteFunc(slices.Clone(got), func(g string) bool { return !slices.Contains(want, g) && slices.Contains(perhaps, g) })
	want = slices.DeleteFunc(slices.Clone(want), func(w string) bool {
		return !slices.Contains(got, w) && slices.ContainsFunc(got, func(g string) bool { return repeats(w, g) })
	})
	return slices.Equal(got, want)
}

// repeats reports whether the error w is of a load from the address at which the access of error g failed.
func repeats(w, g string) bool {
	_, w, _ = strings.Cut(w, ": ")
	_, g, _ = strings.Cut(g, ": ")
	rest, load := strings.CutPrefix(w, "out of bounds: load of ")
	return load && (g == w || g == "out of bounds: store of "+rest)
}

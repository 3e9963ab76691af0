package difftest

import (
	"bytes"
	"fmt"
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
// of dead loads may be missing: perhaps has all of them. One error stands for all loads of a line and column, such as
// the copies of an unrolled loop; if only some copies are dead, its first offset and its count may differ, and the
// count lies between those of want and perhaps. Errors of a load that repeats another access of the same work-item
// may be missing too, since machine code may forward the value.
func Alike(got, want, perhaps []string) bool {
	partlyDead := map[string]bool{} // sites of loads of which some copies are dead
	got = slices.DeleteFunc(slices.Clone(got), func(g string) bool {
		if slices.Contains(want, g) {
			return false
		}
		dead := slices.Contains(perhaps, g) || between(g, want, perhaps)
		if dead {
			partlyDead[site(g)] = true
		}
		return dead
	})
	want = slices.DeleteFunc(slices.Clone(want), func(w string) bool {
		if slices.Contains(got, w) {
			return false
		}
		return partlyDead[site(w)] || slices.ContainsFunc(got, func(g string) bool { return repeats(w, g) })
	})
	return slices.Equal(got, want)
}

// site returns the position, kind and size of an error's access.
func site(e string) string {
	s, _, _ := strings.Cut(e, " at ")
	return s
}

// between reports whether the error g stands for more loads of its site than the error of want, and for fewer than
// that of perhaps.
func between(g string, want, perhaps []string) bool {
	if !strings.Contains(g, ": out of bounds: load of ") {
		return false
	}
	low, high := 0, 0
	for _, w := range want {
		if site(w) == site(g) {
			low += times(w)
		}
	}
	for _, p := range perhaps {
		if site(p) == site(g) {
			high += times(p)
		}
	}
	n := times(g)
	return low < n && n < high
}

// times returns how often an error occurred.
func times(e string) int {
	n := 1
	if i := strings.LastIndex(e, " ("); i >= 0 {
		fmt.Sscanf(e[i:], " (%d times)", &n)
	}
	return n
}

// repeats reports whether the error w is of a load from the address at which the access of error g failed.
func repeats(w, g string) bool {
	_, w, _ = strings.Cut(w, ": ")
	_, g, _ = strings.Cut(g, ": ")
	rest, load := strings.CutPrefix(w, "out of bounds: load of ")
	return load && (g == w || g == "out of bounds: store of "+rest)
}

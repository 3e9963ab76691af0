package diag

import "strings"

// Nearest returns the candidate that name was most likely meant to be: the one with the least Damerau-Levenshtein
// distance (optimal string alignment; letters that differ only in case count half, and a name that differs in
// nothing else is preferred). ok is false if even the best needs more edits than a third of the name's length,
// rounded up. Of equal candidates the earlier one is returned.
func Nearest(name string, candidates []string) (best string, ok bool) {
	limit := 2 * ((len(name) + 2) / 3) // in halves of an edit
	if len(name) > 64 {
		return "", false
	}
	var rows [3][66]int
	for _, c := range candidates {
		d := len(c) - len(name)
		if c == name || 2*d > limit || -2*d > limit || len(c) > 64 {
			continue
		}
		if strings.EqualFold(c, name) {
			return c, true
		}
		// A candidate that replaces every letter is not suggested.
		if n := editDistance(name, c, limit, &rows); n <= limit && n < 2*len(name) {
			best, ok, limit = c, true, n-1
		}
	}
	return best, ok
}

// editDistance returns twice the distance between a and b, or more than limit once
// it is known to exceed that. rows is scratch space.
func editDistance(a, b string, limit int, rows *[3][66]int) int {
	prev2, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := 0; j <= len(b); j++ {
		prev[j] = 2 * j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = 2 * i
		least := cur[0]
		for j := 1; j <= len(b); j++ {
			cost := 2
			if x, y := a[i-1], b[j-1]; x == y {
				cost = 0
			} else if strings.EqualFold(string(rune(x)), string(rune(y))) {
				cost = 1
			}
			d := min(prev[j]+2, cur[j-1]+2, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, prev2[j-2]+2)
			}
			cur[j] = d
			least = min(least, d)
		}
		if least > limit {
			return least
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}

// Clip shortens text of a source that a message shows to 80 bytes.
func Clip(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:77], "") + "..."
	}
	return s
}

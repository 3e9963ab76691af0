package spmd

import "slices"

// A places is an immutable set of positions in the order of blocks: disjoint, sorted runs that do not touch.
// Many blocks may share one.
type places []run

// A run is the positions [from, to).
type run struct{ from, to int32 }

// placesOf returns the set of the positions in a list, and sorts the list.
func placesOf(list []int32) (s places) {
	slices.Sort(list)
	for _, k := range list {
		if n := len(s) - 1; n >= 0 && s[n].to >= k {
			s[n].to = k + 1
		} else {
			s = append(s, run{k, k + 1})
		}
	}
	return s
}

// next returns the first position in s at or after k, or -1.
func (s places) next(k int32) int32 {
	if s = s.after(k - 1); len(s) == 0 {
		return -1
	}
	return max(k, s[0].from)
}

func (s places) has(k int32) bool { return s.next(k) == k }

// after returns a subset of s that contains all its positions after k.
func (s places) after(k int32) places {
	i, _ := slices.BinarySearchFunc(s, k+1, func(r run, k int32) int {
		if r.to <= k {
			return -1
		}
		return 1
	})
	return s[i:]
}

// same reports whether s and t are the same set in memory.
func (s places) same(t places) bool {
	return len(s) == len(t) && (len(s) == 0 || &s[0] == &t[0])
}

// contains reports whether t is a subset of s.
func (s places) contains(t places) bool {
	for _, r := range t {
		for len(s) > 0 && s[0].to < r.to {
			s = s[1:]
		}
		if len(s) == 0 || s[0].from > r.from {
			return false
		}
	}
	return true
}

// union returns the places that are in s or t.
func (s places) union(t places) places {
	if s.contains(t) {
		return s
	}
	if t.contains(s) {
		return t
	}
	u := make(places, 0, len(s)+len(t))
	for len(s) > 0 || len(t) > 0 {
		if len(s) == 0 || len(t) > 0 && t[0].from < s[0].from {
			s, t = t, s
		}
		if n := len(u) - 1; n >= 0 && u[n].to >= s[0].from {
			u[n].to = max(u[n].to, s[0].to)
		} else {
			u = append(u, s[0])
		}
		s = s[1:]
	}
	return u
}

// without returns the places of s that are not in t.
func (s places) without(t places) (u places) {
	for _, r := range s {
		for len(t) > 0 && t[0].to <= r.from {
			t = t[1:]
		}
		for _, x := range t {
			if x.from >= r.to {
				break
			}
			if r.from < x.from {
				u = append(u, run{r.from, x.from})
			}
			r.from = x.to
		}
		if r.from < r.to {
			u = append(u, r)
		}
	}
	return u
}

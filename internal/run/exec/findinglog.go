package exec

import (
	"cmp"
	"slices"
)

// A FindingLog collects the findings of one worker. For equal keys it keeps the first finding, in order of
// work-groups, then of work-items, then of time, and counts all. The zero value is empty. K is the type of keys.
type FindingLog[K comparable] struct {
	list map[K]*logged
	seq  int64
	// Watched enables New: the findings with new keys, which the user removes.
	Watched bool
	New     []*Finding
}

// A logged is a finding with its position in the order.
type logged struct {
	Finding
	group, item uint64
	seq         int64
}

func (f *logged) compare(g *logged) int {
	return cmp.Or(cmp.Compare(f.group, g.group), cmp.Compare(f.item, g.item), cmp.Compare(f.seq, g.seq))
}

// Get returns the finding of a key, nil if there is none.
func (l *FindingLog[K]) Get(key K) *Finding {
	if f := l.list[key]; f != nil {
		return &f.Finding
	}
	return nil
}

// Record counts n occurrences for work-item number item of work-group number group. If the occurrence is the
// first one in the log's order, Record returns the finding, and the caller sets its fields other than Count;
// else it returns nil.
func (l *FindingLog[K]) Record(key K, group, item, n uint64) *Finding {
	l.seq++
	f := &logged{group: group, item: item, seq: l.seq}
	old := l.list[key]
	switch {
	case old == nil:
		if l.list == nil {
			l.list = map[K]*logged{}
		}
		l.list[key] = f
		if l.Watched {
			l.New = append(l.New, &f.Finding)
		}
	case old.compare(f) <= 0:
		old.Count += n
		return nil
	default:
		f.Count = old.Count
		*old = *f
		f = old
	}
	f.Count += n
	return &f.Finding
}

// Clone returns a copy of the log without New, which later findings do not change.
func (l *FindingLog[K]) Clone() FindingLog[K] {
	c := FindingLog[K]{list: make(map[K]*logged, len(l.list)), seq: l.seq, Watched: l.Watched}
	for k, f := range l.list {
		g := *f
		c.list[k] = &g
	}
	return c
}

// Empty reports whether the log has no findings.
func (l *FindingLog[K]) Empty() bool { return len(l.list) == 0 }

// Clear empties the log.
func (l *FindingLog[K]) Clear() { l.list, l.seq = nil, 0 }

// MergeFindings returns the findings of the workers of a launch, in a FindingLog's order. The logs must not be used
// afterwards.
func MergeFindings[K comparable](logs []*FindingLog[K]) []*Finding {
	if !slices.ContainsFunc(logs, func(l *FindingLog[K]) bool { return len(l.list) > 0 }) {
		return nil
	}
	all := map[K]*logged{}
	for _, l := range logs {
		for k, f := range l.list {
			g := all[k]
			if g == nil {
				all[k] = f
				continue
			}
			n := f.Count + g.Count
			if f.compare(g) < 0 {
				g = f
				all[k] = f
			}
			g.Count = n
		}
	}
	list := make([]*logged, 0, len(all))
	for _, f := range all {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b *logged) int {
		return cmp.Or(a.compare(b), cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.OtherPos, b.OtherPos))
	})
	out := make([]*Finding, len(list))
	for i, f := range list {
		out[i] = &f.Finding
	}
	return out
}

package slab

// A Growing is memory for lists that grow. Extending the list that was extended last needs no copy. The zero Growing is
// ready for use.
type Growing[T any] struct {
	chunks [][]T
	n      int // chunks in use
	rest   []T // of the last chunk, from the start of the list extended last
	taken  int // values of that list
}

// minChunk and maxChunk are the numbers of values in the first chunks and in later ones. keptChunks is the number of
// chunks kept for later lists.
const (
	minChunk   = 128
	maxChunk   = 2048
	keptChunks = 64
)

// Extend returns the list, which is nil or was returned by Extend, with room for more values.
// The argument is invalid afterwards.
func (s *Growing[T]) Extend(list []T, more int) []T {
	n := len(list)
	if n+more <= cap(list) {
		return list
	}
	if n > 0 && len(s.rest) > 0 && &list[0] == &s.rest[0] && n+more <= len(s.rest) {
		s.taken = min(n+max(more, 8), len(s.rest))
		return s.rest[:n:s.taken]
	}
	room := n + max(more, n/2, 8)
	s.rest = s.rest[s.taken:]
	if len(s.rest) < room {
		s.chunk(room)
	}
	s.taken = room
	return s.rest[:copy(s.rest, list):room]
}

// chunk begins a chunk of at least least values.
func (s *Growing[T]) chunk(least int) {
	size := max(least, min(minChunk<<min(s.n, 8), maxChunk))
	switch {
	case s.n == len(s.chunks):
		s.chunks = append(s.chunks, make([]T, size))
	case len(s.chunks[s.n]) < least:
		s.chunks[s.n] = make([]T, size)
	}
	s.rest = s.chunks[s.n]
	s.n++
}

// Reset frees all lists, and releases chunks that only the largest users need.
func (s *Growing[T]) Reset() {
	if s.n > 0 {
		clear(s.chunks[s.n-1][:len(s.chunks[s.n-1])-len(s.rest)+s.taken]) // no list has used the rest
	}
	kept := s.chunks[:0]
	for i, x := range s.chunks {
		if len(x) > maxChunk || len(kept) == keptChunks {
			continue
		}
		if i < s.n-1 {
			clear(x)
		}
		kept = append(kept, x)
	}
	clear(s.chunks[len(kept):])
	s.chunks = kept
	s.n, s.rest, s.taken = 0, nil, 0
}

package slab

// mostEntries is the number of entries up to which a map is kept: clearing takes time proportional to the memory of a map, which
// never shrinks.
const mostEntries = 256

// Emptied returns an empty map: m without its entries, or a new one if m is nil or large.
func Emptied[K comparable, V any](m map[K]V) map[K]V {
	if m == nil || len(m) > mostEntries {
		return map[K]V{}
	}
	clear(m)
	return m
}

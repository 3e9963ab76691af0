package token

import "testing"

// TestHashAttack creates names with equal hashes under published FNV-1a, from pairs of words that lead from one
// state to the same next one: here their hashes must differ.
func TestHashAttack(t *testing.T) {
	const published = 2166136261
	step := func(h uint32, word string) uint32 {
		for i := range len(word) {
			h = (h ^ uint32(word[i])) * HashPrime
		}
		return h
	}
	word := func(n uint64) string {
		var b [7]byte
		n = n * 0x9E3779B97F4A7C15 >> 24 // scattered, so that neighbours hardly collide
		for i := range b {
			b[i], n = 'a'+byte(n%26), n/26
		}
		return string(b[:])
	}
	names, h := []string{""}, uint32(published)
	for range 6 {
		seen := map[uint32]string{}
		for i := uint64(0); ; i++ {
			a := word(i)
			next := step(h, a)
			if b := seen[next]; b != "" {
				var longer []string
				for _, n := range names {
					longer = append(longer, n+a, n+b)
				}
				names, h = longer, next
				break
			}
			seen[next] = a
		}
	}
	hashes := map[uint32]bool{}
	for _, n := range names {
		if step(published, n) != h {
			t.Fatalf("%s is no collision", n)
		}
		hashes[NameHash(n)] = true
	}
	if len(hashes) < len(names)/2 {
		t.Errorf("%d names that collide have %d hashes", len(names), len(hashes))
	}
}

package numeric

// Magic returns m of n bits with x / c = x*m >> (n+s) for all x up to greatest. For m = (2^(n+s) + e) / c the
// error x*e / (c * 2^(n+s)) must be below 1/c.
func Magic(c, greatest uint64, n int) (m uint64, s int, ok bool) {
	for s = 0; s < 32 && n+s < 64; s++ {
		p := uint64(1) << (n + s)
		m = p/c + 1
		if m>>n != 0 {
			return 0, 0, false
		}
		if e := m*c - p; e*greatest < p {
			return m, s, true
		}
	}
	return 0, 0, false
}

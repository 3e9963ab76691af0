package exec

// AsyncLimit returns how many of n elements an async copy has to try: those up to the first
// that lies outside both objects, as the ones behind it do nothing. dst and src are the
// bytes from the first element to the object's end, the pitches the distances of elements.
func AsyncLimit(n, dst, src, dstPitch, srcPitch uint64) uint64 {
	switch {
	case dstPitch == 0 && srcPitch == 0:
		return min(n, 1)
	case dstPitch == 0:
		return min(n, src/srcPitch+2)
	case srcPitch == 0:
		return min(n, dst/dstPitch+2)
	}
	return min(n, max(dst/dstPitch, src/srcPitch)+2)
}

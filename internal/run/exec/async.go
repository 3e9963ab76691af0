package exec

// AsyncLimit returns how many of the n elements of an async copy have an effect: all up to and including the first
// that is outside both objects. dst and src are the bytes from the first element to the end of each object, the
// pitches the distances between elements.
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

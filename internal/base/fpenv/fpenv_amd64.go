package fpenv

// The bits of MXCSR: DAZ (6), masks of exceptions (7 to 12), rounding (13, 14), FZ (15). The
// rest are flags of past exceptions. (Intel SDM volume 1, 10.2.3.)
const (
	control  = 0xffc0
	standard = 0x1f80
)

func get() uint64
func set(w uint64)

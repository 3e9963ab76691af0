package fpenv

// The bits of MXCSR: DAZ (6), exception masks (7 to 12), rounding (13, 14), FZ (15). The others are flags of past
// exceptions. (Intel SDM volume 1, 10.2.3.)
const (
	control = 0xffc0

	Standard = 0x1f80                  // the default environment
	Flushing = Standard | 1<<15 | 1<<6 // with subnormal numbers flushed to zero
)

func get() uint64
func set(w uint64)

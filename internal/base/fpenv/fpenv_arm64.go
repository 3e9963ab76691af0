package fpenv

// The bits of FPCR: FIZ, AH, NEP (0 to 2), traps (8 to 12, 15), FZ16 (19), rounding (22, 23),
// FZ (24), DN (25), AHP (26). (Arm Architecture Reference Manual, FPCR.)
const (
	control = 0x7<<0 | 0x9f<<8 | 1<<19 | 0x1f<<22

	Standard = 0       // the default environment
	Flushing = 1 << 24 // with subnormal numbers flushed to zero
)

func get() uint64
func set(w uint64)

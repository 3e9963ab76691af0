//go:build !amd64

package hardware

import "unsafe"

// Available reports whether the processor and the system have the instructions.
func Available() bool { return false }

// Block is the number of elements that a loop takes at a time.
const Block = 16

// A Loop converts blocks·Block elements.
type Loop func(dst, src unsafe.Pointer, blocks int)

// Loops is empty here.
var Loops map[string][4]Loop

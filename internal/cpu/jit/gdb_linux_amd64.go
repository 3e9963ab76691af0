package jit

import (
	"sync"
	"unsafe"
)

// GDB's JIT interface (GDB manual, "JIT Compilation Interface") is a list of images, which the debugger finds
// through the variable __jit_debug_descriptor, and a function __jit_debug_register_code with the debugger's
// breakpoint. Both are in gdb_linux_amd64.s, because the linker symbols of Go names include the package.

// A gdbDescriptor is the list's head.
type gdbDescriptor struct {
	_        uint32 // version
	action   uint32 // of relevant
	relevant *gdbEntry
	first    *gdbEntry
}

// The actions.
const (
	gdbNothing = iota
	gdbAdd
	gdbRemove
)

// A gdbEntry is an image.
type gdbEntry struct {
	next, prev *gdbEntry
	image      *byte
	size       uint64
}

// gdbDescribe returns the variable __jit_debug_descriptor. The garbage collector does not know it; gdbImages
// keeps its referents alive.
func gdbDescribe() *gdbDescriptor

// gdbNotify calls __jit_debug_register_code.
func gdbNotify()

var gdbImages = struct {
	sync.Mutex
	entries map[*gdbEntry][]byte
}{entries: map[*gdbEntry][]byte{}}

// gdbRegister adds an image to the debugger's list; remove removes it.
func gdbRegister(image []byte) (remove func()) {
	gdbImages.Lock()
	defer gdbImages.Unlock()
	d := gdbDescribe()
	e := &gdbEntry{next: d.first, image: unsafe.SliceData(image), size: uint64(len(image))}
	if e.next != nil {
		e.next.prev = e
	}
	gdbImages.entries[e] = image
	d.first, d.relevant, d.action = e, e, gdbAdd
	gdbNotify()
	return func() {
		gdbImages.Lock()
		defer gdbImages.Unlock()
		d := gdbDescribe()
		if e.prev != nil {
			e.prev.next = e.next
		} else {
			d.first = e.next
		}
		if e.next != nil {
			e.next.prev = e.prev
		}
		d.relevant, d.action = e, gdbRemove
		gdbNotify()
		d.relevant, d.action = nil, gdbNothing
		delete(gdbImages.entries, e)
	}
}

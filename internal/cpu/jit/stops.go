package jit

import (
	"unsafe"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/run/exec"
)

// Work-items that have stopped: see x86's stubs (lose, poll). In machine code they go on
// beside the others of their gang. Nothing that they do counts: they cause no more findings,
// print nothing, and a gang that only they keep in a loop ends.

// gangAt is the address of the current gang's frame.
func (w *worker) gangAt() int {
	return int(*word(w.mem, x86.CtxFrame) - uint64(address(w.frame)))
}

// lost returns the first 64 lanes of the current gang that have stopped, one bit a lane.
func (w *worker) lost() uint64 {
	at := w.gangAt()
	if *word(w.mem, x86.CtxFaulted) == 0 || *word(w.frame, at+x86.FrameFaulted) != *word(w.frame, at+x86.FrameGlobal) {
		return 0
	}
	return *word(w.frame, at+x86.FrameLost)
}

// faults notes that a work-item of the current gang faults in Go. It returns false where it
// had stopped before, so that there is nothing to tell.
func (w *worker) faults(lane int) bool {
	if w.x.env.Faults != exec.Strict {
		return true
	}
	lost := w.lost()
	if lost>>lane&1 != 0 {
		return false
	}
	at := w.gangAt()
	*word(w.frame, at+x86.FrameFaulted) = *word(w.frame, at+x86.FrameGlobal)
	*word(w.frame, at+x86.FrameLost) = lost | 1<<lane
	*word(w.mem, x86.CtxFaulted) = 1
	*word(w.mem, x86.CtxRounds) = x86.LostRounds
	*word(w.mem, x86.CtxStop) = uint64(address(w.mem)) + x86.CtxFaulted
	return true
}

// fault adds the finding for a bad access of a lane at the pointer p.
func (o *hostCall) fault(p uint64, lane int) {
	if o.w.faults(lane) {
		o.w.violation(o.v, p, o.w.globalID(lane), 1)
	}
}

// clearFaults forgets the work-items that have stopped, between runs of machine code.
func (w *worker) clearFaults() {
	for at := 0; at < int(w.x.gangs*w.x.stride); at += int(w.x.stride) {
		clear(w.frame[at+x86.FrameLost:][:x86.MaxLanes/8])
	}
	*word(w.mem, x86.CtxFaulted) = 0
	*word(w.mem, x86.CtxStop) = uint64(uintptr(unsafe.Pointer(w.x.stop)))
}

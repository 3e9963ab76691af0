package jit

import (
	"unsafe"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/run/exec"
)

// Stopped work-items (package x86: the stubs lose and poll). In machine code they continue in their lanes without
// effects: they cause no more findings and print nothing. A gang is ended if only stopped work-items still loop.

// gangAt returns the offset of the current gang's frame.
func (w *worker) gangAt() int {
	return int(*word(w.mem, x86.CtxFrame) - uint64(address(w.frame)))
}

// lost returns the stopped lanes among the first 64 of the current gang, one bit per lane.
func (w *worker) lost() uint64 {
	at := w.gangAt()
	if *word(w.mem, x86.CtxFaulted) == 0 || *word(w.frame, at+x86.FrameFaulted) != *word(w.frame, at+x86.FrameGlobal) {
		return 0
	}
	return *word(w.frame, at+x86.FrameLost)
}

// faults records that a work-item of the current gang faults in a host call. It returns false if the work-item
// had stopped before, so that nothing more is reported.
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

// fault adds a finding for a lane's bad access at the pointer p.
func (o *hostCall) fault(p uint64, lane int) {
	if o.w.faults(lane) {
		o.w.violation(o.v, p, o.w.globalID(lane), 1)
	}
}

// clearFaults clears the set of stopped work-items between runs of machine code.
func (w *worker) clearFaults() {
	for at := 0; at < int(w.x.gangs*w.x.stride); at += int(w.x.stride) {
		clear(w.frame[at+x86.FrameLost:][:x86.MaxLanes/8])
	}
	*word(w.mem, x86.CtxFaulted) = 0
	*word(w.mem, x86.CtxStop) = uint64(uintptr(unsafe.Pointer(w.x.stop)))
}

//go:build cgo && linux

package main

// #include "driver.h"
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/base/environment"
	"github.com/purecl/purecl/internal/run/host"
)

// The log is the file that PURECL_LOG names, else the standard error.
var logFile = sync.OnceValue(func() *os.File {
	if name := environment.Get("PURECL_LOG"); name != "" {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
		if err == nil {
			C.purecl_log = C.int(f.Fd())
			return f
		}
		fmt.Fprintf(os.Stderr, "purecl: PURECL_LOG: %v; used instead: the standard error\n", err)
	}
	return os.Stderr
})

// inFile reports whether the log is a file of its own, where additional messages disturb no reader.
func inFile() bool { return logFile() != os.Stderr }

func logf(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	fmt.Fprintf(logFile(), "purecl: %s\n", strings.TrimRight(s, "\n"))
}

// A place identifies a mistake of a kernel, independent of builds and launches.
type place struct {
	program, kernel, kind, file string
	line, column                int
}

// findings are the reported places, each with the number of later launches with the same finding. C holds these
// counts, because it prints them when the process exits (driver.c).
var findings findingLog

type findingLog struct {
	mu    sync.Mutex
	again map[place]*C.struct_purecl_repeat
	said  map[string]bool // messages logged so far; a program may be built repeatedly
	more  bool            // the message about too many places was logged
	hint  bool            // the message about further checks was logged
}

// maxPlaces bounds the number of reported places.
const maxPlaces = 200

// report passes a notice to the context's callback or, without one, to the log. A log file gets every notice. A
// finding is reported once for each place in the source: in the log, and to each context's callback.
func (c *contextObject) report(n *host.Notice) {
	if exiting.Load() {
		return
	}
	notify := c.notify
	where := fmt.Sprintf("in kernel %s of program %s:\n", n.Kernel, n.Program)
	if n.Kernel == "" {
		where = ""
	}
	inLog, toHost := true, true
	switch n.Kind {
	case host.NoticeFallback:
		if message := "program " + n.Program + ": " + n.Message; inFile() && findings.once(message) {
			logf("%s", message)
		}
		return
	case host.NoticeFinding:
		inLog, toHost = c.firstAt(place{n.Program, n.Kernel, n.Finding.Kind, n.Finding.File, n.Finding.Line, n.Finding.Column})
	}
	if inLog && (notify.fn == nil || inFile()) {
		logf("%s%s", where, n.Message)
		if n.Kind == host.NoticeFinding {
			hintChecks()
		}
	}
	if toHost && notify.fn != nil {
		s := C.CString(where + n.Message)
		C.purecl_call_notify(notify.fn, s, notify.user)
		C.free(unsafe.Pointer(s))
	}
	if n.Kind == host.NoticeFinding && n.Finding.Error && aborts() {
		logf("PURECL_FAULT=abort ends the process")
		C.abort()
	}
}

// firstAt counts a finding at a place and reports whether it belongs in the log and in the context's callback.
func (c *contextObject) firstAt(p place) (inLog, toHost bool) {
	f := &findings
	f.mu.Lock()
	defer f.mu.Unlock()
	if toHost = !c.told[p] && len(c.told) < maxPlaces; toHost {
		if c.told == nil {
			c.told = map[place]bool{}
		}
		c.told[p] = true
	}
	return f.first(p), toHost
}

// once reports whether a message is new.
func (f *findingLog) once(message string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.said[message] || len(f.said) == maxPlaces {
		return false
	}
	if f.said == nil {
		f.said = map[string]bool{}
	}
	f.said[message] = true
	return true
}

// first counts a finding at a place and reports whether it is the first one.
func (f *findingLog) first(p place) bool {
	if r := f.again[p]; r != nil {
		atomic.AddUint64((*uint64)(&r.count), 1)
		return false
	}
	if len(f.again) == maxPlaces {
		if !f.more {
			f.more = true
			logf("there are more than %d places where kernels do something wrong: no more are told", maxPlaces)
		}
		return false
	}
	if f.again == nil {
		f.again = map[place]*C.struct_purecl_repeat{}
	}
	s := C.CString(fmt.Sprintf("%s:%d:%d: %s in kernel %s of program %s", p.file, p.line, p.column, p.kind, p.kernel, p.program))
	f.again[p] = C.purecl_repeat_new(s)
	return true
}

// hintChecks logs, once, that checks find more.
func hintChecks() {
	f := &findings
	f.mu.Lock()
	said := f.hint
	f.hint = true
	f.mu.Unlock()
	if !said && checks() != host.CheckAll {
		logf("PURECL_CHECK=all finds more, such as uninitialised values and data races; PURECL_FAULT=abort stops at the first fault")
	}
}

var hintTypeOnce sync.Once

// hintType logs, once, how a program that asks for a missing type of device can get one.
func (p *platformObject) hintType(typ uint64) {
	for _, t := range []host.DeviceType{host.DeviceGPU, host.DeviceAccelerator} {
		if typ&uint64(t) != 0 && !p.listed.Load() {
			name := map[host.DeviceType]string{host.DeviceGPU: "gpu", host.DeviceAccelerator: "accelerator"}[t]
			hintTypeOnce.Do(func() {
				logf("the program asks for a device of type %s and PureCL's is a %s: PURECL_DEVICE_TYPE=%s makes it one", name, p.typeName(), name)
			})
			return
		}
	}
}

// typeName returns the device's type as written in PURECL_DEVICE_TYPE.
func (p *platformObject) typeName() string {
	for name, t := range deviceTypes {
		if name != "" && t == p.devices[0].Info().Type {
			return name
		}
	}
	return "device of another type"
}

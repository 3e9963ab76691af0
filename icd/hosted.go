//go:build cgo && linux && hosted

package main

// int purecl_host(int argc, char **argv);
import "C"

import (
	"fmt"
	"os"
	"time"
)

// With the tag "hosted" the driver is a program that loads its host: a C program as a shared object, whose path is
// the first argument (hosted.c). The race detector works only in executables, and so needs this. If the host
// succeeds, run prints the number of handles that it has not released.
func init() { run = hosted }

func hosted() {
	argv := make([]*C.char, len(os.Args))
	for i, a := range os.Args[1:] {
		argv[i] = C.CString(a)
	}
	code := C.purecl_host(C.int(len(os.Args)-1), &argv[0])
	if n := handlesLeft(); n > 0 && code == 0 {
		fmt.Println("handles left:", n)
	}
	os.Exit(int(code))
}

// handlesLeft counts the handles of the host's objects. Handles of events may end a moment
// after their commands.
func handlesLeft() (n int) {
	for range 100 {
		slots.mu.Lock()
		used := slots.used
		slots.mu.Unlock()
		n = 0
		for i := range used {
			if e := slots.at(slots.base + uintptr(i)*slotSize); e != nil && e.kind != kindPlatform && e.kind != kindDevice {
				n++
			}
		}
		if n == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return n
}

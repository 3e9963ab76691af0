//go:build cgo && linux

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/base/environment"
	"github.com/purecl/purecl/internal/debug"
	"github.com/purecl/purecl/internal/debug/adapter"
	"github.com/purecl/purecl/internal/run/host"
	running "github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/run/program"
)

// debugger returns the function that debugs the chosen launch of the kernel in PURECL_DEBUG, or nil without the
// variable. The function returns false for other launches.
var debugger = sync.OnceValue(func() func(*host.DebugLaunch) (bool, error) {
	name, number, _ := strings.Cut(environment.Get("PURECL_DEBUG"), ":")
	if name == "" {
		return nil
	}
	nth, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		nth = 1
	}
	var seen atomic.Int64
	return func(l *host.DebugLaunch) (bool, error) {
		if l.Kernel.Func.Name != name || seen.Add(1) != nth {
			return false, nil
		}
		return debugLaunch(l)
	}
})

// debugLaunch waits for a debugger and carries out the launch under its control. After the debugger disconnects, it
// completes the launch.
func debugLaunch(l *host.DebugLaunch) (bool, error) {
	name := l.Kernel.Func.Name
	m, err := program.Debug(l.Units, l.Options)
	if err != nil {
		logf("PURECL_DEBUG: kernel %s cannot be compiled for a debugger: %v", name, err)
		return false, nil
	}
	p, err := l.Kernel.Program.Instance(m.Module.Module)
	if err != nil {
		logf("PURECL_DEBUG: kernel %s cannot be debugged: %v", name, err)
		return false, nil
	}
	to := &redirect{to: l.Stdout}
	s, err := debug.New(debug.Config{Module: m, Program: p, Kernel: name, Args: l.Args, Faults: l.Faults, Output: to,
		Range: running.Range{Global: l.Range.Global[:l.Range.Dims], Local: l.Range.Local[:l.Range.Dims], Offset: l.Range.Offset[:l.Range.Dims], NonUniform: true}})
	if err != nil {
		logf("PURECL_DEBUG: kernel %s cannot be debugged: %v", name, err)
		return false, nil
	}
	defer s.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		logf("PURECL_DEBUG: %v", err)
		return false, nil
	}
	defer listener.Close()
	token := rand.Text()
	fmt.Fprintf(os.Stderr, "purecl: kernel %s waits for a debugger on 127.0.0.1 port %d, token %s\n", name, listener.Addr().(*net.TCPAddr).Port, token)
	server := &adapter.Server{Session: s, Token: token, Output: to.set}
	for !server.Attached() {
		conn, err := listener.Accept()
		if err != nil {
			break
		}
		if err := server.Serve(context.Background(), conn, conn); err != nil {
			logf("PURECL_DEBUG: %v", err)
		}
		conn.Close()
	}
	s.Finish()
	return true, nil
}

// A redirect writes to the launch's output and, while a debugger is connected, to the debugger.
type redirect struct {
	mu       sync.Mutex
	to, also io.Writer
}

func (r *redirect) set(w io.Writer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.also = w
}

func (r *redirect) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.also != nil {
		_, _ = r.also.Write(b)
	}
	if r.to == nil {
		return os.Stdout.Write(b)
	}
	return r.to.Write(b)
}

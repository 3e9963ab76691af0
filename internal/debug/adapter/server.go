// Package adapter serves a debugger to editors by the Debug Adapter Protocol.
//
// Input: requests of one client at a time, and a function that creates sessions of package debug from launch
// requests. Output: responses and events. It must not know of: the command line's flags, how clients connect.
//
// A running launch has its own goroutine. Requests that arrive meanwhile pause it.
//
// Start reading at Server.Serve, then requests.go.
package adapter

import (
	"bufio"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/google/go-dap"

	"github.com/purecl/purecl/internal/debug"
)

// A Server serves clients, one after the other.
type Server struct {
	// Load returns the configuration of a launch request; nil if Session is set.
	Load func(request json.RawMessage, stdout io.Writer) (debug.Config, error)
	// Session is a launch that waits for a debugger. Clients attach to it with Token.
	Session *debug.Session
	Token   string
	// Output, if not nil, redirects the output of Session's kernel to the client; nil ends that.
	Output func(w io.Writer)

	attached bool
}

// Attached reports whether a client has attached with the right token.
func (s *Server) Attached() bool { return s.attached }

// A client is a connection.
type client struct {
	*Server
	mu  sync.Mutex // guards out and seq
	out *bufio.Writer
	seq int

	s          *debug.Session
	allowed    bool // the token was right, or none is required
	entry      bool // stop at the first statement
	atEnd      bool // stop at the end
	together   bool // steps move the whole work-group
	configured bool
	running    chan *debug.Stop // nil while the launch is paused
	again      func() *debug.Stop
	end        bool

	refs    []any            // scopes and values, by reference
	sources []string         // files that are not on disk, by reference
	lines   map[string][]int // breakpoints by file
	funcs   []int            // breakpoints in functions
	data    []int            // data breakpoints
	ended   bool             // the client has been told that the launch ended
}

// maxMessage bounds the bytes of a message.
const maxMessage = 16 << 20

// Serve serves one client until it disconnects.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c := &client{Server: s, out: bufio.NewWriter(out), s: s.Session, allowed: s.Token == "", lines: map[string][]int{}}
	if s.Output != nil {
		s.Output(c)
		defer s.Output(nil)
	}
	messages, failed := make(chan dap.Message), make(chan error, 1)
	gone := make(chan struct{})
	defer close(gone)
	go func() {
		r := bufio.NewReader(in)
		for {
			m, err := read(r)
			if err != nil {
				failed <- err
				return
			}
			select {
			case messages <- m:
			case <-gone:
				return
			}
		}
	}()
	defer c.close()
	for !c.end {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("debug adapter: %w", err)
		case stop := <-c.running:
			c.running = nil
			c.stopped(stop)
		case m := <-messages:
			c.message(m)
		}
	}
	return nil
}

// close ends the session of the client.
func (c *client) close() {
	if c.s == nil {
		return
	}
	if c.running != nil {
		c.s.Pause()
		<-c.running
	}
	if c.Session == nil {
		c.s.Close()
	}
}

// read reads a message. It returns a plain *dap.Request for a request that the protocol does not define.
func read(r *bufio.Reader) (dap.Message, error) {
	length := -1
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		text := strings.TrimSpace(string(line))
		if text == "" {
			break
		}
		if v, ok := strings.CutPrefix(strings.ToLower(text), "content-length:"); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(v)); err != nil {
				return nil, fmt.Errorf("a message with the length %q", v)
			}
		}
	}
	if length < 0 || length > maxMessage {
		return nil, fmt.Errorf("a message of %d bytes; up to %d are read", length, maxMessage)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err
	}
	m, err := dap.DecodeProtocolMessage(body)
	if err != nil {
		var plain dap.Request
		if json.Unmarshal(body, &plain) == nil && plain.Type == "request" {
			return &plain, nil
		}
		return nil, err
	}
	return m, nil
}

// send sends a message with the next sequence number.
func (c *client) send(m dap.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	switch m := m.(type) {
	case dap.ResponseMessage:
		r := m.GetResponse()
		r.Seq, r.Type = c.seq, "response"
	case dap.EventMessage:
		e := m.GetEvent()
		e.Seq, e.Type = c.seq, "event"
	}
	if dap.WriteProtocolMessage(c.out, m) == nil {
		_ = c.out.Flush()
	}
}

// Write sends the kernel's output to the client.
func (c *client) Write(b []byte) (int, error) {
	e := &dap.OutputEvent{Event: event("output")}
	e.Body = dap.OutputEventBody{Category: "stdout", Output: string(b)}
	c.send(e)
	return len(b), nil
}

func event(name string) dap.Event { return dap.Event{Event: name} }

// done returns the response of a successful request.
func done(r *dap.Request) dap.Response {
	return dap.Response{RequestSeq: r.Seq, Command: r.Command, Success: true}
}

// fail answers a request with an error.
func (c *client) fail(r *dap.Request, err error) {
	e := &dap.ErrorResponse{Response: dap.Response{RequestSeq: r.Seq, Command: r.Command, Message: err.Error()}}
	e.Body.Error = &dap.ErrorMessage{Id: 1, Format: err.Error(), ShowUser: r.Command == "launch" || r.Command == "attach"}
	c.send(e)
}

// message handles a message. It pauses a running launch if the request needs that.
func (c *client) message(m dap.Message) {
	q, ok := m.(dap.RequestMessage)
	if !ok {
		return
	}
	r := q.GetRequest()
	switch m := m.(type) {
	case *dap.PauseRequest:
		if c.running != nil {
			c.s.Pause()
		}
		c.send(&dap.PauseResponse{Response: done(r)})
		return
	case *dap.DisconnectRequest:
		c.send(&dap.DisconnectResponse{Response: done(r)})
		c.end = true
		return
	case *dap.TerminateRequest:
		c.send(&dap.TerminateResponse{Response: done(r)})
		c.send(&dap.TerminatedEvent{Event: event("terminated")})
		return
	case *dap.InitializeRequest:
		c.initialize(m)
		return
	}
	resume := false
	if c.running != nil {
		c.s.Pause()
		stop := <-c.running
		if c.running = nil; stop.Reason == debug.Paused {
			resume = true
		} else {
			c.stopped(stop)
		}
	}
	if err := c.request(m); err != nil {
		c.fail(r, err)
	}
	if resume && c.running == nil && !c.end {
		c.start(c.again)
	}
}

// start runs the launch.
func (c *client) start(run func() *debug.Stop) {
	c.again = run
	c.refs = nil
	running := make(chan *debug.Stop, 1)
	c.running = running
	go func() { running <- run() }()
}

// reasons maps stops to the protocol's words.
var reasons = map[debug.Reason]string{debug.Stepped: "step", debug.AtBreak: "breakpoint", debug.AtAccess: "data breakpoint", debug.AtFinding: "exception",
	debug.Paused: "pause", debug.Entry: "entry", debug.AtStart: "entry", debug.ItemEnded: "step", debug.Explaining: "exception", debug.AtEnd: "pause"}

// stopped reports a stop to the client.
func (c *client) stopped(stop *debug.Stop) {
	c.refs = nil
	if stop.Reason == debug.AtEnd && !c.atEnd {
		c.ended = true
		c.send(&dap.ExitedEvent{Event: event("exited")})
		c.send(&dap.TerminatedEvent{Event: event("terminated")})
		return
	}
	e := &dap.StoppedEvent{Event: event("stopped")}
	e.Body = dap.StoppedEventBody{Reason: reasons[stop.Reason], Description: string(stop.Reason), Text: stop.Text, ThreadId: c.s.Item + 1, AllThreadsStopped: true}
	for _, b := range stop.Breakpoints {
		e.Body.HitBreakpointIds = append(e.Body.HitBreakpointIds, b.ID)
	}
	c.send(e)
}

// permit checks the token of a client that attaches.
func (c *client) permit(token string) error {
	if c.Token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(c.Token)) != 1 {
		c.end = true
		return errors.New("the token is not the one that the program printed")
	}
	c.allowed, c.attached = true, true
	return nil
}

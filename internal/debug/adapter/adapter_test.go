package adapter

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-dap"

	"github.com/purecl/purecl/internal/debug"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/run/program"
)

const source = `typedef struct { int a; float4 v; } pair;
int twice(int x) {
  return 2 * x;
}
kernel void k(global int *out, int n) {
  int i = get_global_id(0);
  pair p;
  p.a = twice(i);
  p.v = (float4)(1, 2, 3, i);
  for (int j = 0; j < 3; j++)
    p.a += j;
  out[i + n] = p.a;
  printf("%d\n", p.a);
}
`

// A script is a client that sends requests and waits for their effects.
type script struct {
	t      *testing.T
	w      io.Writer
	in     chan dap.Message
	seq    int
	events []dap.Message
	output string
}

// editor begins a session with the kernel in a file and n as the launch's second argument.
func editor(t *testing.T, n byte) (*script, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "k.cl")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	load := func(_ json.RawMessage, out io.Writer) (debug.Config, error) {
		m, err := program.Debug([]program.Unit{{Source: program.Source{Name: file, Text: source}}}, &option.Build{})
		if err != nil {
			return debug.Config{}, err
		}
		return debug.Config{Module: m, Kernel: "k", Output: out, Range: launch.Range{Global: []uint64{8}, Local: []uint64{4}},
			Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: make([]byte, 32)}), launch.Value([]byte{n, 0, 0, 0})}}, nil
	}
	return connect(t, &Server{Load: load}), file
}

// connect starts serving a client.
func connect(t *testing.T, s *Server) *script {
	here, there := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(context.Background(), there, there) }()
	c := &script{t: t, w: here, in: make(chan dap.Message, 100)}
	go func() {
		r := bufio.NewReader(here)
		for {
			m, err := dap.ReadProtocolMessage(r)
			if err != nil {
				close(c.in)
				return
			}
			c.in <- m
		}
	}()
	t.Cleanup(func() {
		here.Close()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Error("the adapter does not end with its client")
		}
	})
	return c
}

// next returns the next message that is not the kernel's output.
func (c *script) next() dap.Message {
	c.t.Helper()
	for {
		select {
		case m, ok := <-c.in:
			if !ok {
				c.t.Fatal("the adapter has hung up")
			}
			if o, ok := m.(*dap.OutputEvent); ok {
				c.output += o.Body.Output
				continue
			}
			return m
		case <-time.After(20 * time.Second):
			c.t.Fatal("no message for 20 s")
		}
	}
}

// ask sends a request, whose arguments are JSON, and returns its response.
func (c *script) ask(command, arguments string) dap.Message {
	c.t.Helper()
	c.seq++
	body, err := json.Marshal(map[string]any{"seq": c.seq, "type": "request", "command": command, "arguments": json.RawMessage(arguments)})
	if err != nil {
		c.t.Fatal(err)
	}
	if err := dap.WriteBaseMessage(c.w, body); err != nil {
		c.t.Fatal(err)
	}
	for {
		m := c.next()
		if r, ok := m.(dap.ResponseMessage); ok && r.GetResponse().RequestSeq == c.seq {
			return m
		}
		c.events = append(c.events, m)
	}
}

// must is ask for a request that must succeed.
func (c *script) must(command, arguments string) dap.Message {
	c.t.Helper()
	m := c.ask(command, arguments)
	if r := m.(dap.ResponseMessage).GetResponse(); !r.Success {
		c.t.Fatalf("%s %s: %s", command, arguments, r.Message)
	}
	return m
}

// wrong is ask for a request that must fail with a message that contains want.
func (c *script) wrong(command, arguments, want string) {
	c.t.Helper()
	if r := c.ask(command, arguments).(dap.ResponseMessage).GetResponse(); r.Success || !strings.Contains(r.Message, want) {
		c.t.Errorf("%s %s: success %v with %q, want the error %q", command, arguments, r.Success, r.Message, want)
	}
}

// event waits for an event.
func (c *script) event(name string) dap.Message {
	c.t.Helper()
	for {
		var m dap.Message
		if len(c.events) > 0 {
			m, c.events = c.events[0], c.events[1:]
		} else {
			m = c.next()
		}
		if e, ok := m.(dap.EventMessage); ok && e.GetEvent().Event == name {
			return m
		}
	}
}

// stopped waits for a stop and returns its reason, and the function and line of the thread.
func (c *script) stopped() (reason, function string, line int) {
	c.t.Helper()
	e := c.event("stopped").(*dap.StoppedEvent)
	body, _ := json.Marshal(dap.StackTraceArguments{ThreadId: e.Body.ThreadId})
	frames := c.must("stackTrace", string(body)).(*dap.StackTraceResponse).Body.StackFrames
	if len(frames) == 0 {
		return e.Body.Reason, "", 0
	}
	return e.Body.Reason, frames[0].Name, frames[0].Line
}

func (c *script) at(reason, function string, line int) {
	c.t.Helper()
	if r, f, l := c.stopped(); r != reason || f != function || l != line {
		c.t.Fatalf("stopped for %s in %s:%d, want %s in %s:%d", r, f, l, reason, function, line)
	}
}

func (c *script) value(expr, want string) *dap.EvaluateResponse {
	c.t.Helper()
	body, _ := json.Marshal(dap.EvaluateArguments{Expression: expr, Context: "watch"})
	m := c.must("evaluate", string(body)).(*dap.EvaluateResponse)
	if m.Body.Result != want {
		c.t.Errorf("%s is %q, want %q", expr, m.Body.Result, want)
	}
	return m
}

func (c *script) variables(ref int) map[string]dap.Variable {
	c.t.Helper()
	body, _ := json.Marshal(dap.VariablesArguments{VariablesReference: ref})
	out := map[string]dap.Variable{}
	for _, v := range c.must("variables", string(body)).(*dap.VariablesResponse).Body.Variables {
		out[v.Name] = v
	}
	return out
}

// begin initialises a session and launches, with breakpoints as JSON.
func (c *script) begin(file, breakpoints, launch string) []dap.Breakpoint {
	c.t.Helper()
	if caps := c.must("initialize", `{"adapterID":"purecl"}`).(*dap.InitializeResponse).Body; !caps.SupportsStepBack || !caps.SupportsDataBreakpoints {
		c.t.Error("the adapter does not say what it can do")
	}
	c.must("launch", launch)
	c.event("initialized")
	src, _ := json.Marshal(dap.Source{Path: file})
	list := c.must("setBreakpoints", `{"source":`+string(src)+`,"breakpoints":`+breakpoints+`}`).(*dap.SetBreakpointsResponse).Body.Breakpoints
	c.must("setExceptionBreakpoints", `{"filters":["findings","races"]}`)
	c.must("configurationDone", `{}`)
	return list
}

// TestProtocol runs a whole session as an editor would.
func TestProtocol(t *testing.T) {
	c, file := editor(t, 0)
	list := c.begin(file, `[{"line":9,"condition":"i == 5"},{"line":11,"hitCondition":"2","logMessage":"a is {p.a}"},{"line":99}]`, `{}`)
	if len(list) != 3 || !list[0].Verified || list[2].Verified || list[2].Message == "" {
		t.Errorf("breakpoints: %+v", list)
	}
	c.at("breakpoint", "k", 9)
	if threads := c.must("threads", `{}`).(*dap.ThreadsResponse).Body.Threads; len(threads) != 4 || threads[1].Name != "work-item (5)" {
		t.Errorf("threads: %+v", threads)
	}
	frame := c.must("stackTrace", `{"threadId":2}`).(*dap.StackTraceResponse).Body.StackFrames[0]
	if frame.Source.Path != file {
		t.Errorf("the frame is in %+v", frame.Source)
	}
	id, _ := json.Marshal(frame.Id)
	scopes := c.must("scopes", `{"frameId":`+string(id)+`}`).(*dap.ScopesResponse).Body.Scopes
	vars := c.variables(scopes[0].VariablesReference)
	if vars["i"].Value != "5" || vars["n"].Value != "0" {
		t.Errorf("variables: %+v", vars)
	}
	members := c.variables(vars["p"].VariablesReference)
	if members["a"].Value != "10" || members["v"].Type != "float4" {
		t.Errorf("members: %+v", members)
	}
	if items := c.variables(scopes[len(scopes)-1].VariablesReference); items["get_global_id(0)"].Value != "5" {
		t.Errorf("ids: %+v", items)
	}
	c.value("p.a * 2 + twice(i)", "30")
	c.wrong("evaluate", `{"expression":"nothing"}`, "undeclared identifier 'nothing'")
	c.must("next", `{"threadId":2}`)
	c.at("step", "k", 10)
	c.value("p.v", "(1, 2, 3, 5)")
	x := c.value("&out[0]", "&out[0]")
	mem := c.must("readMemory", `{"memoryReference":"`+x.Body.MemoryReference+`","offset":16,"count":100}`).(*dap.ReadMemoryResponse).Body
	if mem.UnreadableBytes != 84 {
		t.Errorf("memory: %+v", mem)
	}
	info := c.must("dataBreakpointInfo", `{"name":"out[6]"}`).(*dap.DataBreakpointInfoResponse).Body
	data, _ := json.Marshal(info.DataId)
	c.must("setDataBreakpoints", `{"breakpoints":[{"dataId":`+string(data)+`,"accessType":"write"}]}`)
	c.must("stepBack", `{"threadId":2}`)
	c.at("step", "k", 9)
	c.must("continue", `{"threadId":2}`)
	c.at("data breakpoint", "k", 12)
	c.must("reverseContinue", `{"threadId":2}`)
	c.at("breakpoint", "k", 9)
	c.must("setDataBreakpoints", `{"breakpoints":[]}`)
	c.wrong("gotoTargets", `{"source":{},"line":1}`, "gotoTargets")
	c.must("continue", `{"threadId":2}`)
	c.event("terminated")
	if !strings.Contains(c.output, "a is ") || !strings.Contains(c.output, "13\n15\n17\n") {
		t.Errorf("printed %q", c.output)
	}
	c.must("disconnect", `{}`)
}

// TestStepping tests steps into and out of functions, the stop at the entry, the console's commands and restart.
func TestStepping(t *testing.T) {
	c, file := editor(t, 0)
	c.begin(file, `[]`, `{"stopOnEntry":true,"stopAtEnd":true}`)
	c.at("entry", "k", 6)
	c.must("next", `{"threadId":1}`)
	c.at("step", "k", 8)
	c.must("stepIn", `{"threadId":1}`)
	c.at("step", "twice", 3)
	c.must("stepOut", `{"threadId":1}`)
	c.at("step", "k", 8)
	if m := c.must("evaluate", `{"expression":":grid","context":"repl"}`).(*dap.EvaluateResponse); !strings.Contains(m.Body.Result, "k.cl:6") {
		t.Errorf("grid: %s", m.Body.Result)
	}
	c.wrong("evaluate", `{"expression":":continue","context":"repl"}`, "no command")
	c.must("setFunctionBreakpoints", `{"breakpoints":[{"name":"twice","condition":"x == 7"}]}`)
	c.must("continue", `{"threadId":1}`)
	c.at("breakpoint", "twice", 3)
	c.must("restart", `{}`)
	c.at("entry", "k", 6)
	c.must("setFunctionBreakpoints", `{"breakpoints":[]}`)
	c.must("continue", `{"threadId":1}`)
	if e := c.event("stopped").(*dap.StoppedEvent); e.Body.Description != "end" {
		t.Errorf("stopped for %+v", e.Body)
	}
}

// TestFinding checks that a finding stops the launch and is described, and that a running launch can be paused.
func TestFinding(t *testing.T) {
	c, file := editor(t, 3)
	c.begin(file, `[]`, `{}`)
	c.at("exception", "k", 12)
	if info := c.must("exceptionInfo", `{"threadId":1}`).(*dap.ExceptionInfoResponse).Body; info.ExceptionId != "out-of-bounds" {
		t.Errorf("exception: %+v", info)
	}
	c.must("terminate", `{}`)
	c.event("terminated")
}

// TestToken checks that a waiting session requires its token.
func TestToken(t *testing.T) {
	s := &Server{Session: &debug.Session{}, Token: "secret"}
	c := connect(t, s)
	c.must("initialize", `{}`)
	c.wrong("threads", `{}`, "launch or attach first")
	c.wrong("attach", `{"token":"guess"}`, "token")
}

// TestBadMessages checks that invalid messages end the connection or get an error.
func TestBadMessages(t *testing.T) {
	for _, text := range []string{"Content-Length: 99999999999\r\n\r\n", "Content-Length: x\r\n\r\n", "\r\n\r\n", "Content-Length: 2\r\n\r\n{}", strings.Repeat("x", 1<<17)} {
		in := strings.NewReader(text)
		if err := (&Server{}).Serve(context.Background(), in, io.Discard); err == nil {
			t.Errorf("%.20q is taken for a message", text)
		}
	}
	c, _ := editor(t, 0)
	c.wrong("next", `{"threadId":1}`, "launch or attach first")
	c.wrong("attach", `{}`, "use a launch request")
	c.wrong("nonsense", `{}`, "launch or attach first")
}

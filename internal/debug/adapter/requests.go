package adapter

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"github.com/purecl/purecl/internal/debug"
	"github.com/purecl/purecl/internal/debug/console"
	"github.com/purecl/purecl/internal/run/interp"
)

// initialize answers with the adapter's capabilities.
func (c *client) initialize(m *dap.InitializeRequest) {
	c.send(&dap.InitializeResponse{Response: done(&m.Request), Body: dap.Capabilities{
		SupportsConfigurationDoneRequest: true, SupportsFunctionBreakpoints: true, SupportsConditionalBreakpoints: true, SupportsHitConditionalBreakpoints: true,
		SupportsEvaluateForHovers: true, SupportsStepBack: true, SupportsLogPoints: true, SupportsDataBreakpoints: true, SupportsReadMemoryRequest: true,
		SupportsTerminateRequest: true, SupportsRestartRequest: true, SupportsExceptionInfoRequest: true, SupportsSingleThreadExecutionRequests: true,
		ExceptionBreakpointFilters: []dap.ExceptionBreakpointsFilter{
			{Filter: "findings", Label: "Findings", Description: "Accesses out of bounds, uninitialised values and all else that the reference executor reports", Default: true},
			{Filter: "races", Label: "Data races", Description: "Both accesses of each data race", Default: true},
		},
	}})
}

// An attachment holds the arguments of launch and attach requests that the adapter itself uses.
type attachment struct {
	Token       string `json:"token"`
	StopOnEntry bool   `json:"stopOnEntry"`
	StopAtEnd   bool   `json:"stopAtEnd"`
	StepGroup   bool   `json:"stepGroup"`
}

// attach starts debugging: a launch of its own if load is set, else the server's session.
func (c *client) attach(arguments json.RawMessage, load bool) error {
	var a attachment
	if err := json.Unmarshal(arguments, &a); err != nil {
		return fmt.Errorf("the arguments of the request: %w", err)
	}
	if err := c.permit(a.Token); err != nil {
		return err
	}
	c.entry, c.atEnd, c.together = a.StopOnEntry, a.StopAtEnd, a.StepGroup
	if c.Session != nil {
		c.entry = true
		return nil
	}
	if !load || c.Load == nil {
		return errors.New("nothing waits for a debugger here: use a launch request, or start the program with PURECL_DEBUG")
	}
	if c.s != nil {
		return errors.New("a launch is being debugged already")
	}
	cfg, err := c.Load(arguments, c)
	if err != nil {
		return err
	}
	c.s, err = debug.New(cfg)
	return err
}

// request handles a request while the launch is paused.
func (c *client) request(m dap.Message) error {
	switch m := m.(type) {
	case *dap.LaunchRequest:
		if err := c.attach(m.Arguments, true); err != nil {
			return err
		}
		c.send(&dap.LaunchResponse{Response: done(&m.Request)})
		c.send(&dap.InitializedEvent{Event: event("initialized")})
		return nil
	case *dap.AttachRequest:
		if err := c.attach(m.Arguments, false); err != nil {
			return err
		}
		c.send(&dap.AttachResponse{Response: done(&m.Request)})
		c.send(&dap.InitializedEvent{Event: event("initialized")})
		return nil
	}
	if c.s == nil || !c.allowed {
		return errors.New("nothing is being debugged yet: launch or attach first")
	}
	if known, err := c.breakpointRequest(m); known {
		return err
	}
	if known, err := c.runRequest(m); known {
		return err
	}
	return c.viewRequest(m)
}

// breakpointRequest handles the requests about breakpoints, and the end of the configuration. known is false for
// other requests.
func (c *client) breakpointRequest(m dap.Message) (known bool, err error) {
	switch m := m.(type) {
	case *dap.SetBreakpointsRequest:
		c.send(&dap.SetBreakpointsResponse{Response: done(&m.Request), Body: dap.SetBreakpointsResponseBody{Breakpoints: c.setLines(&m.Arguments)}})
	case *dap.SetFunctionBreakpointsRequest:
		c.remove(&c.funcs)
		list := []dap.Breakpoint{}
		for _, b := range m.Arguments.Breakpoints {
			x, err := c.s.BreakIn(b.Name)
			list = append(list, c.breakpoint(x, err, b.Condition, b.HitCondition, ""))
			if err == nil {
				c.funcs = append(c.funcs, x.ID)
			}
		}
		c.send(&dap.SetFunctionBreakpointsResponse{Response: done(&m.Request), Body: dap.SetFunctionBreakpointsResponseBody{Breakpoints: list}})
	case *dap.SetExceptionBreakpointsRequest:
		ignore := []string{"all"}
		races := false
		for _, f := range m.Arguments.Filters {
			switch f {
			case "findings":
				ignore = ignore[:0]
			case "races":
				races = true
			}
		}
		if !races {
			ignore = append(ignore, "race-in-group")
		}
		c.s.IgnoreFindings(ignore)
		c.send(&dap.SetExceptionBreakpointsResponse{Response: done(&m.Request)})
	case *dap.DataBreakpointInfoRequest:
		return true, c.dataInfo(m)
	case *dap.SetDataBreakpointsRequest:
		c.remove(&c.data)
		list := []dap.Breakpoint{}
		for _, b := range m.Arguments.Breakpoints {
			var x *debug.Breakpoint
			w, err := parseWatch(b.DataId)
			if err == nil {
				w.Read = b.AccessType == "read" || b.AccessType == "readWrite"
				w.Write = b.AccessType != "read"
				x, err = c.s.BreakAccess(w)
			}
			list = append(list, c.breakpoint(x, err, "", b.HitCondition, ""))
			if err == nil {
				c.data = append(c.data, x.ID)
			}
		}
		c.send(&dap.SetDataBreakpointsResponse{Response: done(&m.Request), Body: dap.SetDataBreakpointsResponseBody{Breakpoints: list}})
	case *dap.ConfigurationDoneRequest:
		c.send(&dap.ConfigurationDoneResponse{Response: done(&m.Request)})
		if c.configured = true; c.entry {
			c.stopped(&debug.Stop{Reason: debug.Entry, Text: "the first statement of the launch"})
		} else {
			c.start(c.s.Continue)
		}
	default:
		return false, nil
	}
	return true, nil
}

// remove deletes the breakpoints in list, which the client sets again.
func (c *client) remove(list *[]int) {
	for _, id := range *list {
		c.s.Delete(id)
	}
	*list = nil
}

// setLines replaces the breakpoints of a file.
func (c *client) setLines(a *dap.SetBreakpointsArguments) []dap.Breakpoint {
	file := c.fileOf(&a.Source)
	old := c.lines[file]
	c.remove(&old)
	delete(c.lines, file)
	list := []dap.Breakpoint{}
	for _, b := range a.Breakpoints {
		x, err := c.s.BreakAt(file, b.Line)
		list = append(list, c.breakpoint(x, err, b.Condition, b.HitCondition, b.LogMessage))
		if err == nil {
			c.lines[file] = append(c.lines[file], x.ID)
		}
	}
	return list
}

// breakpoint sets a breakpoint's condition, hit count and log text, and returns its form in the protocol.
func (c *client) breakpoint(b *debug.Breakpoint, err error, condition, hits, log string) dap.Breakpoint {
	if err == nil && hits != "" {
		n, nerr := strconv.Atoi(strings.TrimLeft(hits, ">= "))
		if nerr != nil || n < 1 {
			c.s.Delete(b.ID)
			err = fmt.Errorf("%q is no number of arrivals", hits)
		} else {
			b.HitCount = n
		}
	}
	if err != nil {
		return dap.Breakpoint{Message: err.Error()}
	}
	b.Condition, b.Log = condition, log
	out := dap.Breakpoint{Id: b.ID, Verified: true, Line: b.Line}
	if b.File != "" {
		out.Source = c.source(b.File)
	}
	return out
}

// fileOf returns the program's name of a source file.
func (c *client) fileOf(s *dap.Source) string {
	if n := s.SourceReference; n > 0 && n <= len(c.sources) {
		return c.sources[n-1]
	}
	if s.Path != "" {
		return s.Path
	}
	return s.Name
}

// source returns the description of a program's file: its path, or a reference if the file is not on disk.
func (c *client) source(file string) *dap.Source {
	if abs, err := filepath.Abs(file); err == nil {
		if st, err := os.Stat(abs); err == nil && st.Mode().IsRegular() {
			return &dap.Source{Name: filepath.Base(file), Path: abs}
		}
	}
	for i, f := range c.sources {
		if f == file {
			return &dap.Source{Name: filepath.Base(file), SourceReference: i + 1}
		}
	}
	c.sources = append(c.sources, file)
	return &dap.Source{Name: filepath.Base(file), SourceReference: len(c.sources)}
}

// runRequest handles the requests that run the launch. known is false for other requests.
func (c *client) runRequest(m dap.Message) (known bool, err error) {
	moves := func(thread int, run func() *debug.Stop) {
		c.choose(thread)
		c.start(run)
	}
	step := func(kind debug.Kind, single bool) func() *debug.Stop {
		return func() *debug.Stop { return c.s.Step(kind, c.together && !single) }
	}
	back := func(do func() (*debug.Stop, error)) func() *debug.Stop {
		return func() *debug.Stop {
			stop, err := do()
			if err != nil {
				return &debug.Stop{Reason: debug.Paused, Text: err.Error(), Item: c.s.Item}
			}
			return stop
		}
	}
	switch m := m.(type) {
	case *dap.ContinueRequest:
		c.send(&dap.ContinueResponse{Response: done(&m.Request), Body: dap.ContinueResponseBody{AllThreadsContinued: true}})
		moves(m.Arguments.ThreadId, c.s.Continue)
	case *dap.NextRequest:
		c.send(&dap.NextResponse{Response: done(&m.Request)})
		moves(m.Arguments.ThreadId, step(debug.Over, m.Arguments.SingleThread))
	case *dap.StepInRequest:
		c.send(&dap.StepInResponse{Response: done(&m.Request)})
		moves(m.Arguments.ThreadId, step(debug.Into, m.Arguments.SingleThread))
	case *dap.StepOutRequest:
		c.send(&dap.StepOutResponse{Response: done(&m.Request)})
		moves(m.Arguments.ThreadId, step(debug.Out, m.Arguments.SingleThread))
	case *dap.StepBackRequest:
		c.send(&dap.StepBackResponse{Response: done(&m.Request)})
		moves(m.Arguments.ThreadId, back(c.s.StepBack))
	case *dap.ReverseContinueRequest:
		c.send(&dap.ReverseContinueResponse{Response: done(&m.Request)})
		moves(m.Arguments.ThreadId, back(c.s.ReverseContinue))
	case *dap.RestartRequest:
		stop, err := c.s.Restart()
		if err != nil {
			return true, err
		}
		c.send(&dap.RestartResponse{Response: done(&m.Request)})
		if c.entry {
			c.stopped(stop)
		} else {
			c.start(c.s.Continue)
		}
	default:
		return false, nil
	}
	return true, nil
}

// choose selects the work-item of a thread.
func (c *client) choose(thread int) {
	if thread > 0 && thread <= c.s.Items() {
		c.s.Item, c.s.Frame = thread-1, 0
	}
}

// maxThreads bounds the work-items that are listed as threads.
const maxThreads = 128

// threads lists the work-items of the group: the selected one, and the first ones.
func (c *client) threads() (list []dap.Thread) {
	n := c.s.Items()
	for i := range n {
		if len(list) >= maxThreads-1 && i != c.s.Item {
			continue
		}
		g, _, _ := c.s.ItemIDs(i)
		dims := c.s.Range().Dims
		words := make([]string, max(1, dims))
		for d := range words {
			words[d] = strconv.FormatUint(g[d], 10)
		}
		name := "work-item (" + strings.Join(words, ",") + ")"
		switch _, status := c.s.Frames(i); status {
		case interp.LaneWaits:
			name += " at a barrier"
		case interp.LaneEnded:
			name += " ended"
		case interp.LaneFaulted:
			name += " stopped for a finding"
		}
		list = append(list, dap.Thread{Id: i + 1, Name: name})
	}
	return list
}

// viewRequest handles the requests that read state.
func (c *client) viewRequest(m dap.Message) error {
	switch m := m.(type) {
	case *dap.ThreadsRequest:
		c.send(&dap.ThreadsResponse{Response: done(&m.Request), Body: dap.ThreadsResponseBody{Threads: c.threads()}})
	case *dap.StackTraceRequest:
		c.send(&dap.StackTraceResponse{Response: done(&m.Request), Body: c.stack(&m.Arguments)})
	case *dap.ScopesRequest:
		c.send(&dap.ScopesResponse{Response: done(&m.Request), Body: dap.ScopesResponseBody{Scopes: c.scopes(m.Arguments.FrameId)}})
	case *dap.VariablesRequest:
		list, err := c.variables(&m.Arguments)
		if err != nil {
			return err
		}
		c.send(&dap.VariablesResponse{Response: done(&m.Request), Body: dap.VariablesResponseBody{Variables: list}})
	case *dap.EvaluateRequest:
		return c.evaluate(m)
	case *dap.ReadMemoryRequest:
		return c.readMemory(m)
	case *dap.SourceRequest:
		file := ""
		if n := m.Arguments.SourceReference; n > 0 && n <= len(c.sources) {
			file = c.sources[n-1]
		}
		text := c.s.Text(file)
		if text == nil {
			return errors.New("no such source")
		}
		c.send(&dap.SourceResponse{Response: done(&m.Request), Body: dap.SourceResponseBody{Content: string(text)}})
	case *dap.ExceptionInfoRequest:
		body := dap.ExceptionInfoResponseBody{ExceptionId: "none", BreakMode: "always"}
		if stop := c.s.Last; stop != nil && stop.Finding != nil {
			body.ExceptionId, body.Description = stop.Finding.Kind.String(), stop.Text
			body.Details = &dap.ExceptionDetails{Message: stop.Finding.String(), TypeName: stop.Finding.Kind.String()}
		}
		c.send(&dap.ExceptionInfoResponse{Response: done(&m.Request), Body: body})
	case dap.RequestMessage:
		return fmt.Errorf("the debugger has no request %q", m.GetRequest().Command)
	}
	return nil
}

// evaluate evaluates an expression. In the console, a line that begins with ":" is a read-only command of the
// terminal debugger.
func (c *client) evaluate(m *dap.EvaluateRequest) error {
	c.at(m.Arguments.FrameId)
	text := m.Arguments.Expression
	if cmd, ok := strings.CutPrefix(text, ":"); ok && m.Arguments.Context == "repl" {
		word, _, _ := strings.Cut(cmd, " ")
		if !shows[word] {
			return fmt.Errorf("the console has no command :%s; it has :grid, :where, :locals, :x, :findings, :info", word)
		}
		var out strings.Builder
		(&console.Console{Session: c.s, Out: &out}).Do(cmd)
		c.send(&dap.EvaluateResponse{Response: done(&m.Request), Body: dap.EvaluateResponseBody{Result: strings.TrimRight(out.String(), "\n")}})
		return nil
	}
	v, err := c.s.Evaluate(text)
	if err != nil {
		return err
	}
	x := c.variable("", v, nil)
	c.send(&dap.EvaluateResponse{Response: done(&m.Request), Body: dap.EvaluateResponseBody{Result: x.Value, Type: x.Type, VariablesReference: x.VariablesReference,
		IndexedVariables: x.IndexedVariables, NamedVariables: x.NamedVariables, MemoryReference: x.MemoryReference}})
	return nil
}

// shows are the terminal debugger's commands that an editor's console accepts.
var shows = map[string]bool{"grid": true, "where": true, "locals": true, "x": true, "findings": true, "info": true}

func (c *client) readMemory(m *dap.ReadMemoryRequest) error {
	var object uint32
	var off uint64
	var item int
	if _, err := fmt.Sscanf(m.Arguments.MemoryReference, "%d:%d:%d", &object, &off, &item); err != nil || item < 0 || item >= c.s.Items() {
		return fmt.Errorf("no memory %q", m.Arguments.MemoryReference)
	}
	body := dap.ReadMemoryResponseBody{Address: m.Arguments.MemoryReference}
	at := int64(off) + int64(m.Arguments.Offset)
	count := max(0, min(m.Arguments.Count, maxMessage/2))
	if r, err := c.s.Region(object, uint64(max(at, 0)), item); err == nil && at >= 0 {
		n := min(count, len(r.Data))
		body.Data = base64.StdEncoding.EncodeToString(r.Data[:n])
		body.UnreadableBytes = count - n
	} else {
		body.UnreadableBytes = count
	}
	body.Address = fmt.Sprintf("0x%x", uint64(object)<<40|uint64(at)&(1<<40-1))
	c.send(&dap.ReadMemoryResponse{Response: done(&m.Request), Body: body})
	return nil
}

package lsp_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/lsp"
	"github.com/purecl/purecl/internal/lsp/protocol"
)

// patience is how long a test waits for the server.
const patience = 30 * time.Second

// A client talks to a server over the protocol, as an editor does.
type client struct {
	t    testing.TB
	conn *protocol.Conn
	dir  string // the workspace
	end  io.Closer
	done chan error // result of Serve

	mu       sync.Mutex
	next     int
	answers  map[string]chan *protocol.Message
	diags    map[string]protocol.PublishDiagnosticsParams // latest diagnostics by URI
	logged   []string
	shown    []string
	asked    []string // methods of the server's requests
	settings any      // the answer to workspace/configuration
	changed  chan struct{}
}

// launch starts a server and a client in a workspace with files, without initialize.
func launch(t *testing.T, files map[string]string) *client {
	t.Helper()
	c := newClient(t, files)
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	c.conn, c.end = protocol.NewConn(fromServer, toServer), toServer
	s := &lsp.Server{Version: "test"}
	go func() {
		c.done <- s.Serve(context.Background(), fromClient, toClient)
		toClient.Close()
	}()
	go c.read()
	t.Cleanup(func() { toServer.Close(); fromServer.Close() })
	return c
}

// newClient returns a client in a workspace with files, without a server.
func newClient(t testing.TB, files map[string]string) *client {
	t.Helper()
	c := &client{t: t, dir: t.TempDir(), answers: map[string]chan *protocol.Message{}, diags: map[string]protocol.PublishDiagnosticsParams{}, changed: make(chan struct{}, 1), done: make(chan error, 1)}
	for name, text := range files {
		c.write(name, text)
	}
	return c
}

// serverVariable, if set, makes the test program a server on its standard input and output.
const serverVariable = "PURECL_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serverVariable) != "" {
		if err := (&lsp.Server{Version: "test"}).Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	os.Exit(m.Run())
}

// spawn starts a server process and its client.
func spawn(t testing.TB, files map[string]string, env []string, name string, args ...string) *client {
	t.Helper()
	c := newClient(t, files)
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.conn = protocol.NewConn(out, in)
	go c.read()
	t.Cleanup(func() { in.Close(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return c
}

// start starts a server and initializes it.
func start(t *testing.T, files map[string]string, settings map[string]any) *client {
	t.Helper()
	c := launch(t, files)
	c.initialize(settings, nil)
	return c
}

func (c *client) initialize(settings map[string]any, capabilities map[string]any) protocol.InitializeResult {
	c.t.Helper()
	if capabilities == nil {
		capabilities = map[string]any{}
	}
	var result protocol.InitializeResult
	c.call("initialize", map[string]any{"processId": nil, "rootUri": c.uri(""), "capabilities": capabilities, "initializationOptions": settings}, &result)
	c.notify("initialized", map[string]any{})
	return result
}

func (c *client) write(name, text string) {
	c.t.Helper()
	file := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) uri(name string) string {
	p := filepath.ToSlash(filepath.Join(c.dir, name))
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return "file://" + p
}

// read handles the server's messages.
func (c *client) read() {
	for {
		m, err := c.conn.Read()
		if err != nil {
			return
		}
		c.mu.Lock()
		switch {
		case m.Method != "" && len(m.ID) > 0:
			c.asked = append(c.asked, m.Method)
			result := json.RawMessage("null")
			if m.Method == "workspace/configuration" {
				result, _ = json.Marshal([]any{c.settings})
			}
			go c.conn.Write(&protocol.Message{ID: m.ID, Result: result})
		case m.Method == "textDocument/publishDiagnostics":
			var p protocol.PublishDiagnosticsParams
			if json.Unmarshal(m.Params, &p) == nil {
				c.diags[p.Uri] = p
			}
		case m.Method == "window/logMessage" || m.Method == "window/showMessage":
			var p protocol.LogMessageParams
			_ = json.Unmarshal(m.Params, &p)
			if m.Method == "window/logMessage" {
				c.logged = append(c.logged, p.Message)
			} else {
				c.shown = append(c.shown, p.Message)
			}
		case len(m.ID) > 0:
			if a := c.answers[string(m.ID)]; a != nil {
				a <- m
			}
		}
		c.mu.Unlock()
		select {
		case c.changed <- struct{}{}:
		default:
		}
	}
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := c.conn.Write(&protocol.Message{Method: method, Params: text}); err != nil {
		c.t.Fatal(err)
	}
}

// send sends a request and returns its id and the channel for its answer.
func (c *client) send(method string, params any) (string, chan *protocol.Message) {
	c.t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	c.next++
	id := strconv.Itoa(c.next)
	a := make(chan *protocol.Message, 1)
	c.answers[id] = a
	c.mu.Unlock()
	if err := c.conn.Write(&protocol.Message{ID: json.RawMessage(id), Method: method, Params: text}); err != nil {
		c.t.Fatal(err)
	}
	return id, a
}

// try sends a request and returns its error, if it failed.
func (c *client) try(method string, params, result any) *protocol.Failure {
	c.t.Helper()
	_, a := c.send(method, params)
	select {
	case m := <-a:
		if m.Error != nil {
			return m.Error
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				c.t.Fatalf("%s: %v: %s", method, err, m.Result)
			}
		}
		return nil
	case <-time.After(patience):
		c.t.Fatalf("%s is not answered", method)
	}
	return nil
}

// call sends a request, which must not fail.
func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if f := c.try(method, params, result); f != nil {
		c.t.Fatalf("%s: %s", method, f.Message)
	}
}

// wait waits until a condition holds for the received messages.
func (c *client) wait(what string, ok func() bool) {
	c.t.Helper()
	deadline := time.After(patience)
	for {
		c.mu.Lock()
		done := ok()
		c.mu.Unlock()
		if done {
			return
		}
		select {
		case <-c.changed:
		case <-deadline:
			c.t.Fatalf("waited in vain for %s; diagnostics: %v; log: %q", what, c.diags, c.logged)
		}
	}
}

// An opened is a document that the client has opened.
type opened struct {
	*client
	uri     string
	version int32
	text    string
}

// open opens a document, whose text may contain markers, and returns their offsets.
func (c *client) open(name, source string) (*opened, map[byte]int) {
	c.t.Helper()
	at := map[byte]int{}
	var b strings.Builder
	for i := 0; i < len(source); i++ {
		if source[i] == '$' && i+2 < len(source) && source[i+2] == '$' {
			at[source[i+1]] = b.Len()
			i += 2
			continue
		}
		b.WriteByte(source[i])
	}
	d := &opened{client: c, uri: c.uri(name), version: 1, text: b.String()}
	lang := "opencl"
	if strings.HasSuffix(name, ".go") {
		lang = "go"
	}
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": d.uri, "languageId": lang, "version": 1, "text": d.text}})
	return d, at
}

// position converts an offset in ASCII text to a position.
func (d *opened) position(off int) protocol.Position {
	before := d.text[:off]
	return protocol.Position{Line: uint32(strings.Count(before, "\n")), Character: uint32(off - strings.LastIndexByte(before, '\n') - 1)}
}

// at returns the parameters of a request for a position.
func (d *opened) at(off int) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": d.uri}, "position": d.position(off)}
}

func (d *opened) whole() map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": d.uri}, "range": protocol.Range{Start: d.position(0), End: d.position(len(d.text))}, "context": map[string]any{"diagnostics": []any{}}}
}

// edit replaces a part of the document.
func (d *opened) edit(start, end int, text string) {
	d.t.Helper()
	d.version++
	change := map[string]any{"range": protocol.Range{Start: d.position(start), End: d.position(end)}, "text": text}
	d.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": d.uri, "version": d.version}, "contentChanges": []any{change}})
	d.text = d.text[:start] + text + d.text[end:]
}

// diagnostics waits for the diagnostics of the document's version.
func (d *opened) diagnostics() []protocol.Diagnostic {
	d.t.Helper()
	d.wait("diagnostics of "+d.uri, func() bool { return d.diags[d.uri].Version == d.version })
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.diags[d.uri].Diagnostics
}

// slice returns the text in a range of the document.
func (d *opened) slice(r protocol.Range) string {
	return d.text[d.offset(r.Start):d.offset(r.End)]
}

func (d *opened) offset(p protocol.Position) int {
	lines := strings.SplitAfter(d.text, "\n")
	off := 0
	for i := range int(p.Line) {
		off += len(lines[i])
	}
	return off + int(p.Character)
}

package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"

	"github.com/purecl/purecl/internal/lsp/protocol"
)

// A Server serves one client.
type Server struct {
	Version string // of the program, sent to the client

	conn     *protocol.Conn
	ctx      context.Context
	docs     open
	root     string // the workspace's folder, "" if there is none
	encoding encoding
	client   clientCapabilities

	state      state
	mu         sync.Mutex // guards config, running, waiting and nextID
	config     Settings
	running    map[string]context.CancelFunc // cancel functions of requests, by id
	waiting    map[string]chan *protocol.Message
	nextID     int
	slots      chan struct{} // limits the concurrent requests
	background sync.WaitGroup

	publishing sync.Mutex                                  // guards published
	published  map[string]map[string][]protocol.Diagnostic // by document, then by the file that they are in

	formatter string // path of clang-format, "" if there is none
}

// A state is a state of the connection (Language Server Protocol, "Server lifecycle").
type state uint8

const (
	created state = iota
	initialized
	shutDown
)

// clientCapabilities are the client's capabilities that the server uses.
type clientCapabilities struct {
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	TextDocument struct {
		Completion struct {
			CompletionItem struct {
				SnippetSupport bool `json:"snippetSupport"`
			} `json:"completionItem"`
		} `json:"completion"`
	} `json:"textDocument"`
	Workspace struct {
		Configuration         bool `json:"configuration"`
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
		InlayHint struct {
			RefreshSupport bool `json:"refreshSupport"`
		} `json:"inlayHint"`
	} `json:"workspace"`
}

// maxRunning bounds the concurrent requests.
const maxRunning = 8

// errExit ends the server after an exit notification, errAbandoned if the client did not send shutdown before.
var (
	errExit      = errors.New("exit")
	errAbandoned = errors.New("the client has sent exit without shutdown before")
)

// Serve reads messages until the client ends the connection. The error is nil after an orderly end.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx, s.conn = ctx, protocol.NewConn(in, out)
	s.docs.list = map[string]*document{}
	s.running, s.waiting = map[string]context.CancelFunc{}, map[string]chan *protocol.Message{}
	s.published = map[string]map[string][]protocol.Diagnostic{}
	s.slots = make(chan struct{}, maxRunning)
	s.config, s.encoding = defaultSettings(), encoding(protocol.PositionEncodingKindUTF16)
	defer s.background.Wait()
	defer cancel()
	for {
		m, err := s.conn.Read()
		var failure *protocol.Failure
		switch {
		case errors.As(err, &failure):
			s.reply(json.RawMessage("null"), nil, failure)
			continue
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		switch err := s.handle(m); {
		case err == errExit:
			return nil
		case err != nil:
			return err
		}
	}
}

// handle handles a message; requests continue in the background.
func (s *Server) handle(m *protocol.Message) error {
	switch {
	case m.Method == "" && len(m.ID) > 0:
		s.answered(m)
		return nil
	case m.Method == "":
		s.reply(json.RawMessage("null"), nil, &protocol.Failure{Code: int32(protocol.ErrorCodesInvalidRequest), Message: "a message has neither a method nor an id"})
		return nil
	case m.Method == "exit":
		if s.state == shutDown {
			return errExit
		}
		return errAbandoned
	case len(m.ID) == 0:
		s.notified(m)
		return nil
	}
	if f := s.refused(m.Method); f != nil {
		s.reply(m.ID, nil, f)
		return nil
	}
	switch m.Method {
	case "initialize":
		result, err := s.initialize(m.Params)
		s.reply(m.ID, result, err)
		return nil
	case "shutdown":
		s.state = shutDown
		s.reply(m.ID, nil, nil)
		return nil
	}
	s.start(m)
	return nil
}

// refused returns the error for a request that the server's state does not allow or that it does not have, or nil.
func (s *Server) refused(method string) *protocol.Failure {
	switch {
	case s.state == created && method != "initialize":
		return &protocol.Failure{Code: int32(protocol.ErrorCodesServerNotInitialized), Message: fmt.Sprintf("%s comes before initialize", method)}
	case s.state == initialized && method == "initialize":
		return &protocol.Failure{Code: int32(protocol.ErrorCodesInvalidRequest), Message: "initialize comes a second time"}
	case s.state == shutDown:
		return &protocol.Failure{Code: int32(protocol.ErrorCodesInvalidRequest), Message: fmt.Sprintf("%s comes after shutdown", method)}
	case method != "initialize" && method != "shutdown" && requests[method] == nil:
		return &protocol.Failure{Code: int32(protocol.ErrorCodesMethodNotFound), Message: fmt.Sprintf("the server has no request %q", method)}
	}
	return nil
}

// start starts a request in the background.
func (s *Server) start(m *protocol.Message) {
	ctx, cancel := context.WithCancel(s.ctx)
	id := string(m.ID)
	s.mu.Lock()
	s.running[id] = cancel
	s.mu.Unlock()
	// The document is looked up here, so that the request does not see later changes.
	do, err := requests[m.Method](s, m.Params)
	s.background.Add(1)
	go func() {
		defer s.background.Done()
		defer func() {
			s.mu.Lock()
			delete(s.running, id)
			s.mu.Unlock()
			cancel()
		}()
		if err != nil {
			s.reply(m.ID, nil, err)
			return
		}
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
		}
		result, err := s.attempt(ctx, m.Method, do)
		if ctx.Err() != nil {
			result, err = nil, &protocol.Failure{Code: int32(protocol.LSPErrorCodesRequestCancelled), Message: "the request was cancelled"}
		}
		s.reply(m.ID, result, err)
	}()
}

// attempt runs a request. It converts a panic to an error.
func (s *Server) attempt(ctx context.Context, method string, do work) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			s.logPanic(method, r)
			result, err = nil, &protocol.Failure{Code: int32(protocol.ErrorCodesInternalError), Message: fmt.Sprintf("%s: %v", method, r)}
		}
	}()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return do(ctx)
}

// survive is deferred by background work: it logs a panic.
func (s *Server) survive(what string) {
	if r := recover(); r != nil {
		s.logPanic(what, r)
	}
}

func (s *Server) logPanic(what string, cause any) {
	s.log(protocol.MessageTypeError, fmt.Sprintf("purecl: internal error: %s: %v\n%s", what, cause, debug.Stack()))
}

func (s *Server) log(t protocol.MessageType, text string) {
	s.notify("window/logMessage", protocol.LogMessageParams{Type: t, Message: text})
}

func (s *Server) show(t protocol.MessageType, text string) {
	s.notify("window/showMessage", protocol.ShowMessageParams{Type: t, Message: text})
}

// reply answers a request.
func (s *Server) reply(id json.RawMessage, result any, err error) {
	m := &protocol.Message{ID: id}
	if err != nil {
		f, ok := err.(*protocol.Failure)
		if !ok {
			f = &protocol.Failure{Code: int32(protocol.LSPErrorCodesRequestFailed), Message: err.Error()}
		}
		m.Error = f
	} else if m.Result, err = json.Marshal(result); err != nil {
		m.Result, m.Error = nil, &protocol.Failure{Code: int32(protocol.ErrorCodesInternalError), Message: err.Error()}
	}
	_ = s.conn.Write(m) // if the client has gone, reading ends too
}

func (s *Server) notify(method string, params any) {
	if text, err := json.Marshal(params); err == nil {
		_ = s.conn.Write(&protocol.Message{Method: method, Params: text})
	}
}

// ask sends a request to the client and waits for its answer.
func (s *Server) ask(method string, params, result any) error {
	var text json.RawMessage
	if params != nil {
		var err error
		if text, err = json.Marshal(params); err != nil {
			return err
		}
	}
	s.mu.Lock()
	s.nextID++
	id := strconv.Itoa(s.nextID)
	c := make(chan *protocol.Message, 1)
	s.waiting[id] = c
	s.mu.Unlock()
	if err := s.conn.Write(&protocol.Message{ID: json.RawMessage(id), Method: method, Params: text}); err != nil {
		return err
	}
	select {
	case m := <-c:
		if m.Error != nil {
			return m.Error
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// answered passes an answer of the client to the waiting request.
func (s *Server) answered(m *protocol.Message) {
	s.mu.Lock()
	c := s.waiting[string(m.ID)]
	delete(s.waiting, string(m.ID))
	s.mu.Unlock()
	if c != nil {
		c <- m
	}
}

// settings returns the client's settings.
func (s *Server) settings() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config
}

// configure applies settings and reports invalid ones to the user.
func (s *Server) configure(data json.RawMessage) {
	config, err := readSettings(data)
	if err != nil {
		s.show(protocol.MessageTypeError, err.Error())
		return
	}
	s.mu.Lock()
	s.config = config
	s.mu.Unlock()
	for _, d := range s.docs.all() {
		fresh := d.renewed()
		s.docs.put(d.uri, fresh)
		s.diagnose(fresh)
	}
	if s.client.Workspace.InlayHint.RefreshSupport && s.state == initialized {
		s.later(func() { _ = s.ask("workspace/inlayHint/refresh", nil, nil) })
	}
}

// later runs work in the background, which may wait for the client.
func (s *Server) later(do func()) {
	s.background.Add(1)
	go func() {
		defer s.background.Done()
		do()
	}()
}

func (s *Server) initialize(params json.RawMessage) (any, error) {
	var p protocol.InitializeParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	if len(p.Capabilities) > 0 {
		if err := decode(p.Capabilities, &s.client); err != nil {
			return nil, err
		}
	}
	config, err := readSettings(p.InitializationOptions)
	if err != nil {
		return nil, invalid("%v", err)
	}
	s.config = config
	switch {
	case len(p.WorkspaceFolders) > 0:
		s.root = pathOf(p.WorkspaceFolders[0].Uri)
	case p.RootUri != "":
		s.root = pathOf(p.RootUri)
	case p.RootPath != "":
		s.root = p.RootPath
	}
	if slices.Contains(s.client.General.PositionEncodings, string(protocol.PositionEncodingKindUTF8)) {
		s.encoding = encoding(protocol.PositionEncodingKindUTF8)
	}
	program := config.ClangFormat
	if program == "" {
		program = "clang-format"
	}
	s.formatter, _ = exec.LookPath(program)
	s.state = initialized
	result := protocol.InitializeResult{Capabilities: s.capabilities()}
	result.ServerInfo = &struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}{"purecl", s.Version}
	return result, nil
}

// A work computes the result of a request.
type work func(ctx context.Context) (any, error)

// decode decodes parameters.
func decode(data json.RawMessage, into any) error {
	if err := json.Unmarshal(data, into); err != nil {
		return invalid("the parameters are not as expected: %v", err)
	}
	return nil
}

func invalid(format string, args ...any) error {
	return &protocol.Failure{Code: int32(protocol.ErrorCodesInvalidParams), Message: fmt.Sprintf(format, args...)}
}

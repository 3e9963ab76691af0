package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/lsp/protocol"
)

// A Server serves one client: it reads its messages, and starts and cancels requests.
type Server struct {
	features
	Version string // of the program, sent to the client

	state atomic.Uint32 // created, initialized or shutDown
	slots chan struct{} // limits the concurrent requests

	cancelling sync.Mutex                    // guards running
	running    map[string]context.CancelFunc // cancel functions of requests, by id
}

// The states of a server (Language Server Protocol, "Server lifecycle").
const (
	created = iota
	initialized
	shutDown
)

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
	s.ctx, s.docsCtx, s.conn = ctx, ctx, protocol.NewConn(in, out)
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
		if s.state.Load() == shutDown {
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
		s.state.Store(shutDown)
		s.reply(m.ID, nil, nil)
		return nil
	}
	s.start(m)
	return nil
}

// refused returns the error for a request that the server's state does not allow or that it does not have, or nil.
func (s *Server) refused(method string) *protocol.Failure {
	switch {
	case s.state.Load() == created && method != "initialize":
		return &protocol.Failure{Code: int32(protocol.ErrorCodesServerNotInitialized), Message: fmt.Sprintf("%s comes before initialize", method)}
	case s.state.Load() == initialized && method == "initialize":
		return &protocol.Failure{Code: int32(protocol.ErrorCodesInvalidRequest), Message: "initialize comes a second time"}
	case s.state.Load() == shutDown:
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
	s.cancelling.Lock()
	s.running[id] = cancel
	s.cancelling.Unlock()
	// The document is looked up here, so that the request does not see later changes.
	do, err := requests[m.Method](&s.features, m.Params)
	s.later(func() {
		defer func() {
			s.cancelling.Lock()
			delete(s.running, id)
			s.cancelling.Unlock()
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
	})
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

// configure applies settings and reports invalid ones to the user.
func (s *Server) configure(data json.RawMessage) {
	config, err := readSettings(data)
	if err != nil {
		s.show(protocol.MessageTypeError, err.Error())
		return
	}
	s.setSettings(config)
	for _, d := range s.docs.all() {
		s.diagnoseAgain(d)
	}
	if s.client.Workspace.InlayHint.RefreshSupport && s.state.Load() == initialized {
		s.later(func() { _ = s.ask("workspace/inlayHint/refresh", nil, nil) })
	}
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
	s.setSettings(config)
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
	s.state.Store(initialized)
	result := protocol.InitializeResult{Capabilities: s.capabilities()}
	result.ServerInfo = &struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}{"purecl", s.Version}
	return result, nil
}

// A work computes the result of a request.
type work func(ctx context.Context) (any, error)

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strconv"
	"sync"

	"github.com/purecl/purecl/internal/lsp/protocol"
)

// A connection exchanges messages with the client, and runs the background work of the server. It must not know of
// documents.
type connection struct {
	conn       *protocol.Conn
	ctx        context.Context // cancelled when the connection ends
	client     clientCapabilities
	background sync.WaitGroup // the work of later

	asking  sync.Mutex                        // guards waiting and nextID
	waiting map[string]chan *protocol.Message // of requests to the client without an answer yet, by id
	nextID  int
}

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

// reply answers a request.
func (s *connection) reply(id json.RawMessage, result any, err error) {
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

// notify sends the client a notification.
func (s *connection) notify(method string, params any) {
	if text, err := json.Marshal(params); err == nil {
		_ = s.conn.Write(&protocol.Message{Method: method, Params: text})
	}
}

// ask sends a request to the client and waits for its answer.
func (s *connection) ask(method string, params, result any) error {
	var text json.RawMessage
	if params != nil {
		var err error
		if text, err = json.Marshal(params); err != nil {
			return err
		}
	}
	s.asking.Lock()
	s.nextID++
	id := strconv.Itoa(s.nextID)
	c := make(chan *protocol.Message, 1)
	s.waiting[id] = c
	s.asking.Unlock()
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
func (s *connection) answered(m *protocol.Message) {
	s.asking.Lock()
	c := s.waiting[string(m.ID)]
	delete(s.waiting, string(m.ID))
	s.asking.Unlock()
	if c != nil {
		c <- m
	}
}

// log sends the client a line of its log.
func (s *connection) log(t protocol.MessageType, text string) {
	s.notify("window/logMessage", protocol.LogMessageParams{Type: t, Message: text})
}

// show sends the client a message for the user.
func (s *connection) show(t protocol.MessageType, text string) {
	s.notify("window/showMessage", protocol.ShowMessageParams{Type: t, Message: text})
}

// logPanic logs the panic of the work what, with the stack.
func (s *connection) logPanic(what string, cause any) {
	s.log(protocol.MessageTypeError, fmt.Sprintf("purecl: internal error: %s: %v\n%s", what, cause, debug.Stack()))
}

// survive is deferred by background work: it logs a panic.
func (s *connection) survive(what string) {
	if r := recover(); r != nil {
		s.logPanic(what, r)
	}
}

// later runs do in the background. do may wait for the client.
func (s *connection) later(do func()) {
	s.background.Add(1)
	go func() {
		defer s.background.Done()
		do()
	}()
}

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

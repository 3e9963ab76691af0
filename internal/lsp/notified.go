package lsp

import (
	"encoding/json"
	"fmt"

	"github.com/purecl/purecl/internal/lsp/protocol"
)

// notifications are the client's notifications. Others are ignored if their name begins with $/, as the protocol
// requires, and logged otherwise.
var notifications = map[string]func(s *Server, params json.RawMessage) error{
	"initialized":                      func(s *Server, _ json.RawMessage) error { s.begun(); return nil },
	"$/cancelRequest":                  (*Server).cancelled,
	"$/setTrace":                       func(*Server, json.RawMessage) error { return nil },
	"textDocument/didOpen":             (*Server).didOpen,
	"textDocument/didChange":           (*Server).didChange,
	"textDocument/didClose":            (*Server).didClose,
	"textDocument/didSave":             func(*Server, json.RawMessage) error { return nil },
	"workspace/didChangeConfiguration": (*Server).didChangeConfiguration,
	"workspace/didChangeWatchedFiles":  (*Server).didChangeWatchedFiles,
}

// notified handles a notification. Notifications have no answer, so that errors are logged.
func (s *Server) notified(m *protocol.Message) {
	do := notifications[m.Method]
	if do == nil {
		if len(m.Method) < 2 || m.Method[:2] != "$/" {
			s.log(protocol.MessageTypeWarning, fmt.Sprintf("purecl: the server has no notification %q", m.Method))
		}
		return
	}
	if s.state.Load() != initialized {
		s.log(protocol.MessageTypeWarning, fmt.Sprintf("purecl: %s is ignored: the server is not initialized", m.Method))
		return
	}
	defer s.survive(m.Method)
	if err := do(s, m.Params); err != nil {
		s.log(protocol.MessageTypeError, fmt.Sprintf("purecl: %s: %v", m.Method, err))
	}
}

// begun sends the server's requests after the client's initialized notification.
func (s *Server) begun() {
	w := &s.client.Workspace
	if w.Configuration {
		s.later(s.fetchSettings)
	}
	if w.DidChangeWatchedFiles.DynamicRegistration {
		kinds := []map[string]string{}
		for _, glob := range []string{"**/" + ConfigFile, "**/*.cl", "**/*.clh", "**/*.h"} {
			kinds = append(kinds, map[string]string{"globPattern": glob})
		}
		options, _ := json.Marshal(map[string]any{"watchers": kinds})
		p := protocol.RegistrationParams{Registrations: []protocol.Registration{{Id: "files", Method: "workspace/didChangeWatchedFiles", RegisterOptions: options}}}
		s.later(func() {
			if err := s.ask("client/registerCapability", p, nil); err != nil && s.ctx.Err() == nil {
				s.log(protocol.MessageTypeWarning, "purecl: changes of files outside of the editor are not seen: "+err.Error())
			}
		})
	}
}

// fetchSettings requests the client's configuration section "purecl".
func (s *Server) fetchSettings() {
	var list []json.RawMessage
	p := protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: "purecl"}}}
	if err := s.ask("workspace/configuration", p, &list); err != nil || len(list) == 0 || string(list[0]) == "null" {
		return
	}
	s.configure(list[0])
}

func (s *Server) cancelled(params json.RawMessage) error {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := decode(params, &p); err != nil {
		return err
	}
	s.cancelling.Lock()
	defer s.cancelling.Unlock()
	if cancel := s.running[string(p.ID)]; cancel != nil {
		cancel()
	}
	return nil
}

func (s *Server) didOpen(params json.RawMessage) error {
	var p protocol.DidOpenTextDocumentParams
	if err := decode(params, &p); err != nil {
		return err
	}
	t := &p.TextDocument
	if t.Uri == "" {
		return invalid("a document has no URI")
	}
	d := s.newDocument(t.Uri, string(t.LanguageId), t.Version, []byte(t.Text))
	s.docs.put(t.Uri, d)
	s.changed(d)
	return nil
}

func (s *Server) didChange(params json.RawMessage) error {
	var p protocol.DidChangeTextDocumentParams
	if err := decode(params, &p); err != nil {
		return err
	}
	old := s.docs.get(p.TextDocument.Uri)
	if old == nil {
		return invalid("%s is not open", p.TextDocument.Uri)
	}
	text, err := s.change(old.text, p.ContentChanges)
	if err != nil {
		return err
	}
	d := s.newDocument(old.uri, old.lang, p.TextDocument.Version, text)
	s.docs.put(d.uri, d)
	s.changed(d)
	return nil
}

func (s *Server) didClose(params json.RawMessage) error {
	var p protocol.DidCloseTextDocumentParams
	if err := decode(params, &p); err != nil {
		return err
	}
	d := s.docs.get(p.TextDocument.Uri)
	if d == nil {
		return invalid("%s is not open", p.TextDocument.Uri)
	}
	s.docs.put(d.uri, nil)
	s.withdraw(d.uri)
	s.onDisk(d.path)
	return nil
}

func (s *Server) didChangeConfiguration(params json.RawMessage) error {
	var p protocol.DidChangeConfigurationParams
	if err := decode(params, &p); err != nil {
		return err
	}
	if s.client.Workspace.Configuration {
		s.later(s.fetchSettings)
		return nil
	}
	s.configure(p.Settings)
	return nil
}

func (s *Server) didChangeWatchedFiles(params json.RawMessage) error {
	var p protocol.DidChangeWatchedFilesParams
	if err := decode(params, &p); err != nil {
		return err
	}
	for _, c := range p.Changes {
		s.onDisk(pathOf(c.Uri))
	}
	return nil
}

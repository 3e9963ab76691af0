package lsp

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/purecl/purecl/internal/ide"
	"github.com/purecl/purecl/internal/ide/gosource"
	"github.com/purecl/purecl/internal/lsp/protocol"
)

// A publisher diagnoses documents, and sends the client the diagnostics of each file whenever they change.
type publisher struct {
	connection
	workspace
	publishing sync.Mutex                                  // guards published
	published  map[string]map[string][]protocol.Diagnostic // by document, then by the file that they are in
}

// diagnose compiles a document in the background and publishes its diagnostics and those of the files that it
// includes.
func (s *publisher) diagnose(d *document) {
	s.later(func() {
		defer s.survive("diagnostics of " + d.uri)
		if d.isHeader() && included(d) {
			s.publish(d, nil)
			return
		}
		units, err := d.compiled()
		if err != nil || d.ctx.Err() != nil {
			return
		}
		found := map[string][]protocol.Diagnostic{}
		for _, u := range units {
			if !u.certain {
				continue
			}
			for _, x := range u.Diagnostics() {
				uri := s.uriOf(x.File)
				found[uri] = append(found[uri], s.diagnostic(u.Snapshot, &x))
			}
		}
		if d.isGo() && s.settings().GoFiles {
			found[d.uri] = append(found[d.uri], s.embedded(d)...)
		}
		if e, ok := d.project.(*projectError); ok {
			line := uint32(max(e.line-1, 0))
			found[s.uriOf(e.file)] = append(found[s.uriOf(e.file)], protocol.Diagnostic{
				Range:    protocol.Range{Start: protocol.Position{Line: line}, End: protocol.Position{Line: line + 1}},
				Severity: protocol.DiagnosticSeverityError, Source: "purecl", Message: e.err.Error(),
			})
		}
		s.publish(d, found)
	})
}

// diagnoseAgain diagnoses a document whose text is the same, after what it depends on has changed.
func (s *publisher) diagnoseAgain(d *document) {
	if fresh := s.docs.renew(d); fresh != nil {
		s.diagnose(fresh)
	}
}

// included reports whether an open document includes the header d.
func included(d *document) bool {
	u, err := d.unitAt(0)
	return err == nil && u != nil && u.Name != d.path
}

// embedded diagnoses the files that a Go file compiles. It returns a diagnostic at the name of each file with
// errors.
func (s *publisher) embedded(d *document) (list []protocol.Diagnostic) {
	_, embeds := gosource.Find(d.text)
	for _, e := range embeds {
		if !e.Certain {
			continue
		}
		file := e.File
		if !path.IsAbs(file) {
			file = path.Join(path.Dir(d.path), file)
		}
		at := d.lines.span(e.Start, e.End, s.encoding)
		text, err := s.readFile(file)
		if err != nil {
			list = append(list, protocol.Diagnostic{Range: at, Severity: protocol.DiagnosticSeverityError, Source: "purecl", Message: fmt.Sprintf("cannot read %s", e.File)})
			continue
		}
		snap, err := ide.New(d.ctx, file, text, ide.Options{Build: []ide.Build{{Options: e.Options, Dir: path.Dir(d.path)}}, ReadFile: s.readFile})
		if err != nil {
			return list
		}
		if x, ok := s.summary(snap, e.File); ok {
			x.Range = at
			list = append(list, x)
		}
	}
	return list
}

// publish sends the diagnostics that a document has caused in itself and in other files, and removes those that it
// caused before.
func (s *publisher) publish(d *document, found map[string][]protocol.Diagnostic) {
	s.publishing.Lock()
	defer s.publishing.Unlock()
	if s.docs.get(d.uri) != d { // a newer version exists
		return
	}
	targets := map[string]bool{d.uri: true}
	for uri := range s.published[d.uri] {
		targets[uri] = true
	}
	for uri := range found {
		targets[uri] = true
	}
	s.published[d.uri] = found
	s.send(targets)
}

// withdraw removes the diagnostics of a closed document.
func (s *publisher) withdraw(uri string) {
	s.publishing.Lock()
	defer s.publishing.Unlock()
	targets := map[string]bool{uri: true}
	for u := range s.published[uri] {
		targets[u] = true
	}
	delete(s.published, uri)
	s.send(targets)
}

// send publishes the diagnostics of all documents for each of the files.
func (s *publisher) send(targets map[string]bool) {
	for uri := range targets {
		list := []protocol.Diagnostic{}
		type key struct {
			at      protocol.Range
			message string
		}
		seen := map[key]bool{}
		roots := make([]string, 0, len(s.published))
		for root := range s.published {
			roots = append(roots, root)
		}
		slices.Sort(roots)
		for _, root := range roots {
			for _, x := range s.published[root][uri] {
				if k := (key{x.Range, x.Message}); !seen[k] {
					seen[k] = true
					list = append(list, x)
				}
			}
		}
		p := protocol.PublishDiagnosticsParams{Uri: uri, Diagnostics: list}
		if d := s.docs.get(uri); d != nil {
			p.Version = d.version
		}
		s.notify("textDocument/publishDiagnostics", p)
	}
}

// changed compiles a changed document, and the documents that include it, again.
func (s *publisher) changed(d *document) {
	s.diagnose(d)
	for _, other := range s.docs.all() {
		if other.uri == d.uri || !other.includes(d.path) {
			continue
		}
		s.diagnoseAgain(other)
	}
}

// includes reports whether a compiled document includes a file, or misses a header of that name.
func (d *document) includes(file string) bool {
	d.mu.Lock()
	units := d.units
	d.mu.Unlock()
	for _, u := range units {
		if u.Depends(file) {
			return true
		}
	}
	if d.isGo() {
		_, embeds := gosource.Find(d.text)
		for _, e := range embeds {
			if strings.HasSuffix(file, "/"+e.File) || file == e.File {
				return true
			}
		}
	}
	return false
}

// onDisk compiles the documents that depend on a file again, after it has changed on disk.
func (s *publisher) onDisk(file string) {
	project := strings.HasSuffix(file, ConfigFile)
	for _, d := range s.docs.all() {
		if d.path != file && (project || d.includes(file)) {
			s.diagnoseAgain(d)
		}
	}
}

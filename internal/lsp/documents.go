package lsp

import (
	"context"
	"errors"
	"path"
	"slices"
	"sync"

	"github.com/purecl/purecl/internal/ide"
	"github.com/purecl/purecl/internal/ide/gosource"
	"github.com/purecl/purecl/internal/lsp/protocol"
)

// A document is one version of an open document. It is immutable, except for results computed on demand.
type document struct {
	uri     string
	path    string // slash-separated; the URI if it is not a file
	lang    string
	version int32
	text    []byte
	lines   *lines

	workspace *workspace
	ctx       context.Context // cancelled when the version is replaced
	cancel    context.CancelFunc

	mu      sync.Mutex // guards the fields below
	units   []*unit
	project error // error in its purecl.toml
	hints   map[string]*machineHints
}

// A unit is a document's OpenCL C: all of it, or a literal of a Go file.
type unit struct {
	*ide.Snapshot
	start, end int  // byte range in the document
	certain    bool // its build options are complete
}

// isGo reports whether a document is a Go file.
func (d *document) isGo() bool { return d.lang == "go" || path.Ext(d.path) == ".go" }

// isHeader reports whether a document is a header by its name.
func (d *document) isHeader() bool {
	return slices.Contains([]string{".h", ".clh", ".inc", ".hpp", ".def"}, path.Ext(d.path))
}

// open is the set of open documents.
type open struct {
	mu   sync.Mutex
	list map[string]*document // by URI
}

func (o *open) get(uri string) *document {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.list[uri]
}

func (o *open) byPath(path string) *document {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.list {
		if d.path == path {
			return d
		}
	}
	return nil
}

// all returns the open documents, sorted by URI.
func (o *open) all() []*document {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := make([]*document, 0, len(o.list))
	for _, d := range o.list {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b *document) int {
		if a.uri < b.uri {
			return -1
		}
		return 1
	})
	return list
}

// put replaces a document; nil removes it.
func (o *open) put(uri string, d *document) {
	o.mu.Lock()
	old := o.list[uri]
	if d == nil {
		delete(o.list, uri)
	} else {
		o.list[uri] = d
	}
	o.mu.Unlock()
	if old != nil {
		old.cancel()
	}
}

// renew replaces d with a copy that will be compiled again, and returns the copy. It returns nil if d is closed or another
// version has replaced it.
func (o *open) renew(d *document) *document {
	fresh := d.workspace.newDocument(d.uri, d.lang, d.version, d.text)
	o.mu.Lock()
	current := o.list[d.uri] == d
	if current {
		o.list[d.uri] = fresh
	}
	o.mu.Unlock()
	if !current {
		fresh.cancel()
		return nil
	}
	d.cancel()
	return fresh
}

// errChanged is the error of a request for an outdated version of a document.
var errChanged = &protocol.Failure{Code: int32(protocol.LSPErrorCodesContentModified), Message: "the document has changed"}

// compiled returns the units of a document, compiled at most once.
func (d *document) compiled() ([]*unit, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.units != nil {
		return d.units, nil
	}
	if d.isGo() {
		return d.compiledGo()
	}
	build, err := d.workspace.buildOf(d.path, d.text)
	d.project = err
	snap, err := d.snapshot(d.text, build)
	if err != nil {
		return nil, err
	}
	d.units = []*unit{{snap, 0, len(d.text), true}}
	return d.units, nil
}

// compiledGo compiles the literals of a Go file.
func (d *document) compiledGo() ([]*unit, error) {
	units := []*unit{}
	if d.workspace.settings().GoFiles {
		literals, _ := gosource.Find(d.text)
		for _, l := range literals {
			snap, err := d.snapshot(l.Text, []ide.Build{{Options: l.Options, Dir: path.Dir(d.path)}})
			if err != nil {
				return nil, err
			}
			units = append(units, &unit{snap, l.Start, l.End, l.Certain})
		}
	}
	d.units = units
	return units, nil
}

func (d *document) snapshot(text []byte, build []ide.Build) (*ide.Snapshot, error) {
	snap, err := ide.New(d.ctx, d.path, text, ide.Options{Build: build, ReadFile: d.workspace.readFile, ListDir: d.workspace.listDir})
	if errors.Is(err, context.Canceled) {
		return nil, errChanged
	}
	return snap, err
}

// unitAt returns the unit that contains an offset of a document, nil if there is none. For a header it is the unit
// of an open document that includes it.
func (d *document) unitAt(off int) (*unit, error) {
	if d.isHeader() {
		for _, other := range d.workspace.docs.all() {
			if other == d || other.isHeader() || other.isGo() {
				continue
			}
			units, err := other.compiled()
			if err == nil && slices.Contains(units[0].Files(), d.path) {
				return units[0], nil
			}
		}
	}
	units, err := d.compiled()
	if err != nil {
		return nil, err
	}
	for _, u := range units {
		if u.start <= off && off <= u.end {
			return u, nil
		}
	}
	return nil, nil
}

package playground

import (
	"encoding/json"
	"fmt"
)

// FileName is the name of the page's source in diagnostics.
const FileName = "kernel.cl"

// A Playground serves a page.
type Playground struct {
	// Progress, if not nil, is called during a run with the work done and all work.
	Progress func(done, total int64)

	source sourceCache
	run    *execution
}

// A Reply is what a method returns.
type Reply struct {
	Value any      // for JSON
	Bytes [][]byte // pictures, buffers and files
}

// methods are the page's requests.
var methods = map[string]func(p *Playground, params []byte, files map[string][]byte) (Reply, error){
	"diagnose": method((*Playground).diagnose),
	"tokens":   method((*Playground).tokens),
	"hover":    method((*Playground).hover),
	"complete": method((*Playground).complete),
	"kernels":  method((*Playground).kernels),
	"explain":  method((*Playground).explain),
	"eval":     method((*Playground).eval),
	"prepare":  method((*Playground).prepare),
	"run":      method((*Playground).runPart),
	"changes":  method((*Playground).changes),
	"merge":    method((*Playground).merge),
	"view":     method((*Playground).view),
	"save":     method((*Playground).save),
}

// method returns a method that decodes its parameters.
func method[T any](f func(*Playground, *T, map[string][]byte) (Reply, error)) func(*Playground, []byte, map[string][]byte) (Reply, error) {
	return func(p *Playground, params []byte, files map[string][]byte) (Reply, error) {
		var x T
		if err := json.Unmarshal(params, &x); err != nil {
			return Reply{}, fmt.Errorf("the request cannot be read: %w", err)
		}
		return f(p, &x, files)
	}
}

// Call serves a request. The error is for the page's user. A panic, which is an internal mistake, becomes an error.
func (p *Playground) Call(name string, params []byte, files map[string][]byte) (value []byte, bytes [][]byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			value, bytes, err = nil, nil, fmt.Errorf("internal error in %s: %v", name, r)
		}
	}()
	f := methods[name]
	if f == nil {
		return nil, nil, fmt.Errorf("there is no method %q", name)
	}
	reply, err := f(p, params, files)
	if err != nil {
		return nil, nil, err
	}
	value, err = json.Marshal(reply.Value)
	return value, reply.Bytes, err
}

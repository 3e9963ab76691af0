package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/google/go-dap"

	"github.com/purecl/purecl/internal/debug"
)

// frameBits is the number of low bits of a frame's id that hold its depth.
const frameBits = 10

// at selects the work-item and activation of a frame id; 0 keeps the selection.
func (c *client) at(frame int) {
	if frame > 0 {
		c.choose(frame >> frameBits)
		c.s.Frame = frame & (1<<frameBits - 1)
	}
}

// stack lists the activations of a work-item.
func (c *client) stack(a *dap.StackTraceArguments) (body dap.StackTraceResponseBody) {
	body.StackFrames = []dap.StackFrame{}
	frames, _ := c.s.Frames(a.ThreadId - 1)
	body.TotalFrames = len(frames)
	for i, f := range frames {
		if i < a.StartFrame || a.Levels > 0 && i >= a.StartFrame+a.Levels {
			continue
		}
		x := dap.StackFrame{Id: a.ThreadId<<frameBits | i, Name: f.Function}
		if f.File == "" {
			x.PresentationHint = "subtle"
		} else {
			x.Source, x.Line, x.Column = c.source(f.File), f.Line, f.Column
		}
		body.StackFrames = append(body.StackFrames, x)
	}
	return body
}

// A scope is a list of variables of an activation.
type scope struct {
	frame int
	kind  scopeKind
}

type scopeKind uint8

const (
	privateScope scopeKind = iota
	localScope
	itemScope
)

// reference returns the id by which the client requests the parts of x.
func (c *client) reference(x any) int {
	c.refs = append(c.refs, x)
	return len(c.refs)
}

func (c *client) scopes(frame int) []dap.Scope {
	list := []dap.Scope{{Name: "Private", PresentationHint: "locals", VariablesReference: c.reference(scope{frame, privateScope})}}
	c.at(frame)
	if _, local := c.s.Variables(); len(local) > 0 {
		list = append(list, dap.Scope{Name: "Local memory", VariablesReference: c.reference(scope{frame, localScope})})
	}
	return append(list, dap.Scope{Name: "Work-item", VariablesReference: c.reference(scope{frame, itemScope})})
}

// maxVariables bounds the variables of one response.
const maxVariables = 4096

// variables lists the parts of a reference.
func (c *client) variables(a *dap.VariablesArguments) ([]dap.Variable, error) {
	list := []dap.Variable{}
	if a.VariablesReference < 1 || a.VariablesReference > len(c.refs) {
		return nil, errors.New("the launch has continued: these variables no longer exist")
	}
	switch x := c.refs[a.VariablesReference-1].(type) {
	case scope:
		c.at(x.frame)
		private, local := c.s.Variables()
		switch x.kind {
		case privateScope:
			for _, v := range private {
				list = append(list, c.variable(v.Name, v.Value, v.Err))
			}
		case localScope:
			for _, v := range local {
				list = append(list, c.variable(v.Name, v.Value, v.Err))
			}
		case itemScope:
			list = c.ids()
		}
	case *debug.Value:
		n := a.Count
		if n <= 0 || n > maxVariables {
			n = maxVariables
		}
		parts, _ := x.Parts(max(0, a.Start), n)
		for _, p := range parts {
			list = append(list, c.variable(p.Name, p.Value, p.Err))
		}
	}
	return list, nil
}

// ids returns the ids of the selected work-item as variables.
func (c *client) ids() (list []dap.Variable) {
	global, local, group := c.s.ItemIDs(c.s.Item)
	for _, q := range []struct {
		name string
		v    [3]uint64
	}{{"get_global_id", global}, {"get_local_id", local}, {"get_group_id", group}} {
		for d := range max(1, c.s.Range().Dims) {
			list = append(list, dap.Variable{Name: fmt.Sprintf("%s(%d)", q.name, d), Value: strconv.FormatUint(q.v[d], 10), Type: "size_t"})
		}
	}
	return list
}

// variable returns a value in the protocol's form.
func (c *client) variable(name string, v *debug.Value, err error) dap.Variable {
	out := dap.Variable{Name: name, EvaluateName: name, Type: v.Type.Type.String()}
	if err != nil {
		out.Value = "<" + err.Error() + ">"
		return out
	}
	out.Value = v.Text()
	if n := v.Count(); n > 0 {
		out.VariablesReference = c.reference(v)
		if n > 100 {
			out.IndexedVariables = n
		}
	}
	if r, err := v.Memory(); err == nil {
		out.MemoryReference = fmt.Sprintf("%d:%d:%d", r.Object, r.Offset, v.Item)
	}
	return out
}

// dataInfo answers whether a variable or an expression can have a data breakpoint.
func (c *client) dataInfo(m *dap.DataBreakpointInfoRequest) error {
	a := &m.Arguments
	body := dap.DataBreakpointInfoResponseBody{AccessTypes: []dap.DataBreakpointAccessType{"write", "read", "readWrite"}}
	v, err := c.named(a)
	var w debug.Watch
	if err == nil {
		w, err = v.WatchOf(a.Name)
	}
	if err != nil {
		body.Description, body.AccessTypes = err.Error(), nil
	} else {
		id, _ := json.Marshal(w)
		body.DataId, body.Description = string(id), a.Name
	}
	c.send(&dap.DataBreakpointInfoResponse{Response: done(&m.Request), Body: body})
	return nil
}

// named returns the value of a name among the parts of a reference, or of an expression.
func (c *client) named(a *dap.DataBreakpointInfoArguments) (*debug.Value, error) {
	if n := a.VariablesReference; n > 0 && n <= len(c.refs) {
		switch x := c.refs[n-1].(type) {
		case *debug.Value:
			parts, _ := x.Parts(0, maxVariables)
			for _, p := range parts {
				if p.Name == a.Name {
					return p.Value, p.Err
				}
			}
		case scope:
			c.at(x.frame)
		}
	}
	c.at(a.FrameId)
	return c.s.Evaluate(a.Name)
}

// parseWatch parses an id that dataInfo returned.
func parseWatch(id string) (w debug.Watch, err error) {
	if err = json.Unmarshal([]byte(id), &w); err != nil || w.Size == 0 {
		return w, errors.New("no such data")
	}
	return w, nil
}

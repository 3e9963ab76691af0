package debug

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// An evaluationKey identifies an expression at a statement.
type evaluationKey struct {
	statement int
	text      string
}

// A compiled is an expression compiled for any work-item at its statement.
type compiled struct {
	expr *interp.Expression
	made *compile.Evaluation
	err  error
}

const (
	maxCompiled    = 512             // compiled expressions in the cache
	evaluationTime = 2 * time.Second // longest evaluation
)

// An inspector selects a work-item and one of its activations, evaluates expressions there and lists the variables.
type inspector struct {
	findings
	Item  int   // the selected work-item: its number in the group
	Frame int   // the selected activation, 0 the innermost
	Last  *Stop // the last stop
	cache map[evaluationKey]*compiled
}

// Evaluate evaluates an expression in the selected activation of the selected work-item.
func (s *inspector) Evaluate(text string) (*Value, error) { return s.evaluate(text, s.Item, s.Frame) }

// evaluate evaluates an expression in an activation of a work-item.
func (s *inspector) evaluate(text string, lane, frame int) (*Value, error) {
	status, frames := s.step.Status(lane)
	if frame >= len(frames) {
		if status == interp.LaneEnded {
			return nil, errors.New("the work-item has ended")
		}
		return nil, errors.New("nothing runs")
	}
	n := s.nearest(&frames[frame])
	if n < 0 {
		return nil, fmt.Errorf("function %s has no source", frames[frame].Func.Name)
	}
	c := s.compiled(n, text)
	if c.err != nil {
		return nil, c.err
	}
	result, found, stopped := s.step.Evaluate(c.expr, lane, int(c.made.Size))
	if stopped {
		return nil, fmt.Errorf("the expression took longer than %v", evaluationTime)
	}
	v := &Value{s: &s.timeline, Item: lane, Type: c.made.Type}
	for _, f := range found {
		switch {
		case f.Kind == exec.ConstantWrite:
			return nil, errors.New("expressions of a debugger cannot write memory")
		case f.Kind == exec.Uninitialized:
			v.Undefined = true
		case f.Kind.IsError():
			return nil, errors.New(f.Message())
		}
	}
	if !c.made.Place {
		v.Bytes = result
		return v, nil
	}
	p := little(result)
	v.Object, v.Offset, v.HasPlace = uint32(p>>ssa.ObjectShift), p&ssa.OffsetMask, true
	return v, v.load()
}

// compiled returns an expression compiled for a statement, from the cache if possible.
func (s *inspector) compiled(n int, text string) *compiled {
	key := evaluationKey{n, text}
	if c := s.cache[key]; c != nil {
		return c
	}
	if len(s.cache) >= maxCompiled {
		clear(s.cache)
	}
	c := s.compile(n, text)
	s.cache[key] = c
	return c
}

func (s *inspector) compile(n int, text string) *compiled {
	t := &s.statements[n]
	made, err := s.module.Evaluate(context.Background(), t.File, t.Range, text)
	if err != nil {
		return &compiled{err: err}
	}
	c := &compiled{made: made, expr: &interp.Expression{Globals: map[*ssa.Global]uint32{}, Own: map[*ssa.Global][]byte{}, Limit: evaluationTime}}
	if c.expr.Program, err = interp.Compile(made.Func, exec.ChecksMemory); err != nil {
		return &compiled{err: err}
	}
	for _, v := range made.Vars {
		object, err := s.variable(t, v)
		if err != nil {
			return &compiled{err: err}
		}
		c.expr.Params = append(c.expr.Params, uint64(object)<<ssa.ObjectShift)
	}
	for _, g := range c.expr.Program.Globals {
		if !s.global(c.expr, g) {
			return &compiled{err: fmt.Errorf("%s has no memory in this launch", strings.TrimPrefix(g.Name, t.Func.Name+"."))}
		}
	}
	return c
}

// variable returns the object number of an automatic variable that an expression refers to.
func (s *inspector) variable(t *Statement, v *check.Var) (uint32, error) {
	var best *ssa.DebugVar
	for i := range t.Func.Debug.Vars {
		d := &t.Func.Debug.Vars[i]
		if d.Name == v.Name && d.Value != nil && (d.Scope.Contains(t.From) || t.Contains(d.Scope.From)) && (best == nil || best.Scope.From.Before(d.Scope.From)) {
			best = d
		}
	}
	if best != nil {
		if n, ok := s.step.VariableObject(best.Value.Sym); ok {
			return n, nil
		}
	}
	return 0, fmt.Errorf("variable %s does not live yet", v.Name)
}

// global assigns memory to a variable of an expression's module: that of the launch's variable of the same name, or
// memory of its own for a constant.
func (s *inspector) global(e *interp.Expression, g *ssa.Global) bool {
	for _, h := range s.module.Globals {
		if h.Name == g.Name && h.Size == g.Size && h.Kind == g.Kind {
			if n, ok := s.step.VariableObject(h); ok {
				e.Globals[g] = n
				return true
			}
		}
	}
	if g.Kind != ssa.PtrConstant || len(g.Relocs) > 0 {
		return false
	}
	data := make([]byte, g.Size)
	copy(data, g.Init)
	e.Own[g] = data
	return true
}

// A Variable is a variable of an activation.
type Variable struct {
	Name string
	*Value
	Err error
}

// Variables returns the visible variables of the selected activation: private ones and parameters, and those in
// local memory.
func (s *inspector) Variables() (private, local []Variable) {
	_, frames := s.step.Status(s.Item)
	if s.Frame >= len(frames) {
		return nil, nil
	}
	f := &frames[s.Frame]
	d := f.Func.Debug
	if d == nil {
		return nil, nil
	}
	loc := s.src.Location(f.Pos)
	at := ssa.LineColumn{Line: loc.Line, Column: loc.Column}
	if f.Statement >= 0 {
		at = s.statements[f.Statement].From
	}
	for i := range d.Vars {
		v := &d.Vars[i]
		if !v.Scope.Contains(at) || hidden(d, i, at) {
			continue
		}
		var sym any = v.Global
		if v.Value != nil {
			sym = v.Value.Sym
		}
		object, ok := s.step.VariableObject(sym)
		if !ok {
			continue
		}
		val := &Value{s: &s.timeline, Item: s.Item, Type: v.Data.(types.QType), Object: object, HasPlace: true}
		err := val.load()
		if v.Global != nil && v.Global.Kind == ssa.PtrLocal {
			local = append(local, Variable{v.Name, val, err})
		} else {
			private = append(private, Variable{v.Name, val, err})
		}
	}
	return private, local
}

// A Frame is an activation of a function at a stop.
type Frame struct {
	Function string
	File     string // "" for a function of the language's library
	Line     int
	Column   int
}

// Frames returns the activations of a work-item, innermost first, and its status.
func (s *inspector) Frames(item int) ([]Frame, interp.LaneStatus) {
	if item < 0 || item >= s.step.Lanes() {
		return nil, interp.LaneEnded
	}
	status, frames := s.step.Status(item)
	out := make([]Frame, len(frames))
	for i := range frames {
		out[i] = s.frame(&frames[i])
	}
	if last := s.Last; last != nil && last.Place != nil && last.Tick == s.tick && last.Item == item && len(out) > 0 && out[0].Function == last.Place.Function {
		out[0] = *last.Place
	}
	return out, status
}

// line is the position that a step leaves: a line in an activation.
type line struct {
	file        string
	line, depth int
}

// at returns the selected work-item's line and its status.
func (s *inspector) at() (l line, status interp.LaneStatus) {
	status, frames := s.step.Status(s.Item)
	l.depth = len(frames)
	if len(frames) > 0 {
		loc := s.src.Location(frames[0].Pos)
		l.file, l.line = loc.File, loc.Line
		if n := frames[0].Statement; n >= 0 {
			l.line = s.statements[n].From.Line
		}
	}
	return l, status
}

// stop ends a run by selecting the stop's work-item.
func (s *inspector) stop(stop *Stop) *Stop {
	if stop.Item >= 0 && stop.Item < s.step.Lanes() {
		s.Item = stop.Item
	}
	s.Item = max(0, min(s.Item, s.step.Lanes()-1))
	s.Frame = 0
	s.Last, stop.Tick = stop, s.tick
	return stop
}

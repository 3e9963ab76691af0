package debug

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/run/interp"
)

// A Breakpoint stops the launch at a line, at the start of a function, or at accesses to memory.
type Breakpoint struct {
	ID        int
	File      string
	Line      int    // its line, which may be below the requested one
	Function  string // the function, if it is at a function's start
	Condition string // an expression that must not be 0
	HitCount  int    // it stops from this arrival on; 0: always
	Log       string // printed instead of stopping, with {expressions} replaced by their values
	Watch     *Watch
	Hits      int
	Problem   string // why Condition or an expression in Log cannot be evaluated

	statements []int
}

// A Watch is memory whose accesses stop the launch.
type Watch struct {
	Name         string // shown to the user
	Object       uint32
	Offset, Size uint64
	Item         int // the work-item whose private memory it is, -1 for shared memory
	Group        int64
	Read, Write  bool
}

// String returns the breakpoint's place.
func (b *Breakpoint) String() string {
	text := fmt.Sprintf("%d: ", b.ID)
	switch {
	case b.Watch != nil:
		text += map[bool]string{false: "writes of ", true: "accesses to "}[b.Watch.Read] + b.Watch.Name
	case b.Function != "":
		text += "function " + b.Function
	default:
		text += fmt.Sprintf("%s:%d", b.File, b.Line)
	}
	if b.Condition != "" {
		text += " if " + b.Condition
	}
	if b.HitCount > 0 {
		text += fmt.Sprintf(", from arrival %d on", b.HitCount)
	}
	if b.Log != "" {
		text += ", prints " + b.Log
	}
	if b.Hits > 0 {
		text += fmt.Sprintf(" (%d hits)", b.Hits)
	}
	return text
}

// A breakpointSet is the set of breakpoints. It finds the breakpoints that a step reaches.
type breakpointSet struct {
	inspector
	breakpoints []*Breakpoint
	byStatement map[int][]*Breakpoint
	nextID      int
}

// Breakpoints returns the breakpoints in the order of their creation.
func (s *breakpointSet) Breakpoints() []*Breakpoint { return s.breakpoints }

// BreakAt sets a breakpoint at a line of a file, or at the first line below it that has a statement.
func (s *breakpointSet) BreakAt(file string, at int) (*Breakpoint, error) {
	b := &Breakpoint{}
	for i := range s.statements {
		t := &s.statements[i]
		if !sameFile(file, t.File) || t.From.Line < at {
			continue
		}
		if b.Line == 0 || t.From.Line < b.Line {
			b.File, b.Line, b.statements = t.File, t.From.Line, nil
		}
		if t.From.Line == b.Line && t.File == b.File {
			b.statements = append(b.statements, i)
		}
	}
	if b.Line == 0 {
		return nil, fmt.Errorf("no statement at or below line %d of %s; files with statements: %s", at, file, strings.Join(s.Files(), ", "))
	}
	// A statement within another one of the line, such as a condition's part, is reached through that one.
	b.statements = s.firstOf(b.statements)
	return s.add(b), nil
}

// BreakIn sets a breakpoint at the first statement of a function.
func (s *breakpointSet) BreakIn(name string) (*Breakpoint, error) {
	b := &Breakpoint{Function: name}
	var names []string
	for i := range s.statements {
		t := &s.statements[i]
		if d := t.Func.Debug; d.Name != name {
			if !slices.Contains(names, d.Name) {
				names = append(names, d.Name)
			}
			continue
		}
		if b.Line == 0 || t.From.Line < b.Line {
			b.File, b.Line, b.statements = t.File, t.From.Line, []int{i}
		}
	}
	if b.Line == 0 {
		return nil, fmt.Errorf("no function %q with statements; there are %s", name, strings.Join(names, ", "))
	}
	return s.add(b), nil
}

// maxWatches bounds the data breakpoints, which every step checks.
const maxWatches = 16

// BreakAccess sets a breakpoint at accesses to memory.
func (s *breakpointSet) BreakAccess(w Watch) (*Breakpoint, error) {
	n := 0
	for _, b := range s.breakpoints {
		if b.Watch != nil {
			n++
		}
	}
	if n == maxWatches {
		return nil, fmt.Errorf("there are %d data breakpoints already", n)
	}
	return s.add(&Breakpoint{Watch: &w}), nil
}

func (s *breakpointSet) add(b *Breakpoint) *Breakpoint {
	s.nextID++
	b.ID = s.nextID
	s.breakpoints = append(s.breakpoints, b)
	for _, n := range b.statements {
		s.byStatement[n] = append(s.byStatement[n], b)
	}
	return b
}

// Delete removes a breakpoint. It returns false if no breakpoint has the id.
func (s *breakpointSet) Delete(id int) bool {
	i := slices.IndexFunc(s.breakpoints, func(b *Breakpoint) bool { return b.ID == id })
	if i < 0 {
		return false
	}
	b := s.breakpoints[i]
	s.breakpoints = slices.Delete(s.breakpoints, i, i+1)
	for _, n := range b.statements {
		s.byStatement[n] = slices.DeleteFunc(s.byStatement[n], func(x *Breakpoint) bool { return x == b })
	}
	return true
}

// hit returns the stop of the breakpoints that the chosen step reaches, or nil.
func (s *breakpointSet) hit() *Stop {
	if len(s.byStatement) == 0 {
		return nil
	}
	n, lanes := s.arriving()
	if n < 0 || len(lanes) == 0 || len(s.byStatement[n]) == 0 {
		return nil
	}
	lanes = slices.Clone(lanes)
	var stop *Stop
	for _, b := range s.byStatement[n] {
		fits, problem := lanes, ""
		if b.Condition != "" {
			fits, problem = s.fitting(b.Condition, lanes)
		}
		b.Problem = problem
		if len(fits) == 0 && problem == "" {
			continue
		}
		if b.Hits++; b.Hits < b.HitCount {
			continue
		}
		if b.Log != "" && problem == "" {
			s.log(b, fits)
			continue
		}
		if stop == nil {
			stop = &Stop{Reason: AtBreak, Text: fmt.Sprintf("breakpoint %d", b.ID)}
			if problem != "" {
				stop.Text += ": the condition cannot be evaluated: " + problem
				fits = lanes
			}
			stop.Items, stop.Item = fits, fits[0]
			if slices.Contains(fits, s.Item) {
				stop.Item = s.Item
			}
		}
		stop.Breakpoints = append(stop.Breakpoints, b)
	}
	return stop
}

// fitting returns the work-items for which a condition is true, and why it cannot be evaluated.
func (s *breakpointSet) fitting(condition string, lanes []int) (fits []int, problem string) {
	for _, lane := range lanes {
		v, err := s.evaluate(condition, lane, 0)
		if err != nil {
			return nil, err.Error()
		}
		yes, err := v.truth()
		if err != nil {
			return nil, err.Error()
		}
		if yes {
			fits = append(fits, lane)
		}
	}
	return fits, ""
}

// log prints the log text of a breakpoint for each work-item, unless this step is a replay.
func (s *breakpointSet) log(b *Breakpoint, lanes []int) {
	if s.tick < s.printed || s.output == nil {
		return
	}
	for _, lane := range lanes {
		fmt.Fprintln(s.output, s.expand(b.Log, lane))
	}
}

// expand replaces {expressions} by their values.
func (s *breakpointSet) expand(text string, lane int) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		out.WriteString(before)
		expr, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			if ok {
				out.WriteString("{" + rest)
			}
			return out.String()
		}
		if v, err := s.evaluate(expr, lane, 0); err != nil {
			fmt.Fprintf(&out, "{%s: %v}", expr, err)
		} else {
			out.WriteString(v.Text())
		}
		text = after
	}
}

// A watchHit is an access to watched memory, with the bytes before it.
type watchHit struct {
	b     *Breakpoint
	lanes []int
	read  bool
	known bool // the access certainly happens
	old   []byte
}

// watchBefore returns the accesses to watched memory that the chosen step is about to make.
func (s *breakpointSet) watchBefore() (hits []watchHit) {
	for _, b := range s.breakpoints {
		w := b.Watch
		if w == nil {
			continue
		}
		if group, _ := s.step.Group(); w.Item >= 0 && group != w.Group {
			continue
		}
		h := watchHit{b: b}
		h.known = s.step.Accesses(func(a interp.Access) {
			if a.Object == w.Object && a.Offset < w.Offset+w.Size && w.Offset < a.Offset+a.Size && (a.Write && w.Write || !a.Write && w.Read) && (w.Item < 0 || w.Item == a.Lane) {
				h.read = !a.Write
				h.lanes = append(h.lanes, a.Lane)
			}
		})
		if len(h.lanes) == 0 && h.known {
			continue
		}
		if data, _ := s.step.Bytes(max(w.Item, 0), w.Object); uint64(len(data)) >= w.Offset+w.Size {
			h.old = bytes.Clone(data[w.Offset : w.Offset+w.Size])
		}
		if len(h.lanes) == 0 {
			s.step.Each(func(lane int) { h.lanes = append(h.lanes, lane) })
		}
		hits = append(hits, h)
	}
	return hits
}

// watched returns the stop of the watched accesses that a step has made, or nil.
func (s *breakpointSet) watched(hits []watchHit) *Stop {
	for _, h := range hits {
		w := h.b.Watch
		data, _ := s.step.Bytes(max(w.Item, 0), w.Object)
		if uint64(len(data)) < w.Offset+w.Size {
			continue
		}
		now := data[w.Offset : w.Offset+w.Size]
		if !h.known && bytes.Equal(now, h.old) {
			continue
		}
		if h.b.Hits++; h.b.Hits < h.b.HitCount {
			continue
		}
		text := fmt.Sprintf("%s writes %s: % x becomes % x", s.describe(h.lanes[0]), w.Name, clip(h.old), clip(now))
		switch {
		case h.read:
			text = fmt.Sprintf("%s reads %s: % x", s.describe(h.lanes[0]), w.Name, clip(now))
		case bytes.Equal(now, h.old):
			text = fmt.Sprintf("%s writes %s again: % x", s.describe(h.lanes[0]), w.Name, clip(now))
		}
		if n := len(h.lanes); n > 1 {
			text += fmt.Sprintf(" (%d work-items in this step)", n)
		}
		return &Stop{Reason: AtAccess, Text: text, Item: h.lanes[0], Items: h.lanes, Breakpoints: []*Breakpoint{h.b}}
	}
	return nil
}

func clip(b []byte) []byte { return b[:min(len(b), 32)] }

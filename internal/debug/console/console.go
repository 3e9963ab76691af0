// Package console is the debugger's terminal program without the line editor: it executes commands and writes their
// output.
//
// Input: lines of text and a [debug.Session]. Output: text, with colours if requested. It must not know of: files
// other than the program's, the command line's flags, how lines are edited.
//
// Start reading at Console.Do.
package console

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/debug"
	"github.com/purecl/purecl/internal/run/exec"
)

// A Console executes commands.
type Console struct {
	Session *debug.Session
	Out     io.Writer
	Color   bool

	begun  bool
	last   string // the command that an empty line repeats
	listed int    // the line after the last one that list printed
	found  []*exec.Finding
}

// A command is a row of the table.
type command struct {
	names  string // the full name, then abbreviations
	args   string
	help   string
	repeat bool // an empty line repeats it
	do     func(c *Console, args string) error
}

// errQuit is the error that ends the program.
var errQuit = errors.New("quit")

var commands []command

func init() {
	commands = []command{
		{"break b", "[FILE:]LINE | FUNCTION [if EXPR] [count N]", "stop there; only where EXPR is not 0, from the Nth arrival on", false, (*Console).breakAt},
		{"log", "[FILE:]LINE TEXT", "print TEXT there and go on; {EXPR} is its value", false, (*Console).logAt},
		{"watch", "EXPR", "stop where a variable, element or member is written", false, func(c *Console, a string) error { return c.watch(a, false) }},
		{"rwatch", "EXPR", "stop where it is read or written", false, func(c *Console, a string) error { return c.watch(a, true) }},
		{"delete d", "N", "remove a breakpoint", false, (*Console).delete},
		{"run r", "", "run from the start of the launch", false, (*Console).run},
		{"continue c", "", "go on until something stops the launch", true, func(c *Console, _ string) error { c.begun = true; c.show(c.Session.Continue()); return nil }},
		{"step s", "[group] [N]", "to the next line, into functions; the work-item alone or its work-group", true, func(c *Console, a string) error { return c.step(debug.Into, a) }},
		{"next n", "[group] [N]", "to the next line of the function", true, func(c *Console, a string) error { return c.step(debug.Over, a) }},
		{"finish f", "[group]", "to the end of the function", true, func(c *Console, a string) error { return c.step(debug.Out, a) }},
		{"back", "[N]", "back to the line before", true, (*Console).back},
		{"rcontinue rc", "", "back to the breakpoint before, or the start", true, func(c *Console, _ string) error { return c.went(c.Session.ReverseContinue()) }},
		{"restart", "", "back to the start of the launch", false, func(c *Console, _ string) error { return c.went(c.Session.Restart()) }},
		{"who", "EXPR", "back to the last write of a variable, element or member", false, (*Console).who},
		{"print p", "EXPR", "the value of an expression of OpenCL C", false, (*Console).print},
		{"x", "EXPR [N]", "N bytes of a variable's memory, or of the memory that a pointer points to", false, (*Console).memory},
		{"where bt", "", "the work-item's calls", false, (*Console).where},
		{"up", "", "select the caller", false, func(c *Console, _ string) error { return c.frame(c.Session.Frame + 1) }},
		{"down", "", "select the callee", false, func(c *Console, _ string) error { return c.frame(c.Session.Frame - 1) }},
		{"grid", "", "all work-items of the group, by line", false, (*Console).grid},
		{"item", "X [Y [Z]]", "select a work-item by its global id; run to it if its group is another", false, (*Console).item},
		{"group", "X [Y [Z]]", "run to the start of a work-group", false, (*Console).group},
		{"locals", "", "the variables in scope", false, (*Console).locals},
		{"list l", "[LINE]", "the source", true, (*Console).list},
		{"findings", "", "what the kernel has done wrong so far, and its races", false, (*Console).findings},
		{"explain", "N", "go to the first cause of finding N; continue leads to the finding", false, (*Console).explain},
		{"ignore", "[CODE…|all]", "findings that do not stop the launch", false, (*Console).ignore},
		{"info", "[breakpoints]", "the launch, the stop and the breakpoints", false, (*Console).info},
		{"help h", "", "this list", false, (*Console).help},
		{"quit q", "", "end the program", false, func(*Console, string) error { return errQuit }},
	}
}

// Names returns the names of the commands.
func Names() (list []string) {
	for _, c := range commands {
		list = append(list, strings.Fields(c.names)[0])
	}
	return list
}

// Do executes a line. It returns false if the program should end.
func (c *Console) Do(line string) bool {
	line = strings.TrimSpace(line)
	if line == "" {
		line = c.last
	}
	c.last = ""
	if line == "" || line[0] == '#' {
		return true
	}
	word, args, _ := strings.Cut(line, " ")
	cmd, err := find(word)
	if err == nil {
		if err = cmd.do(c, strings.TrimSpace(args)); cmd.repeat {
			c.last = line
		}
	}
	if err == errQuit {
		return false
	}
	if err != nil {
		fmt.Fprintln(c.Out, "error: "+err.Error())
	}
	return true
}

// find returns a command by its name, an abbreviation, or an unambiguous prefix of its name.
func find(word string) (*command, error) {
	var near []*command
	for i := range commands {
		names := strings.Fields(commands[i].names)
		for _, n := range names {
			if n == word {
				return &commands[i], nil
			}
		}
		if strings.HasPrefix(names[0], word) {
			near = append(near, &commands[i])
		}
	}
	switch len(near) {
	case 1:
		return near[0], nil
	case 0:
		return nil, fmt.Errorf("no command %q; \"help\" lists them", word)
	}
	var names []string
	for _, n := range near {
		names = append(names, strings.Fields(n.names)[0])
	}
	return nil, fmt.Errorf("%q may be %s", word, strings.Join(names, ", "))
}

func (c *Console) help(string) error {
	for _, cmd := range commands {
		names := strings.Fields(cmd.names)
		fmt.Fprintf(c.Out, "  %-32s %s", strings.TrimSpace(names[0]+" "+cmd.args), cmd.help)
		if len(names) > 1 {
			fmt.Fprintf(c.Out, " (%s)", strings.Join(names[1:], ", "))
		}
		fmt.Fprintln(c.Out)
	}
	fmt.Fprintln(c.Out, "An empty line repeats a step. Ctrl-C pauses a kernel that runs.")
	return nil
}

// place sets a breakpoint at [FILE:]LINE or a function.
func (c *Console) place(where string) (*debug.Breakpoint, error) {
	file, at := "", where
	if i := strings.LastIndexByte(where, ':'); i >= 0 {
		file, at = where[:i], where[i+1:]
	}
	if n, err := strconv.Atoi(at); err == nil && n > 0 {
		if file == "" {
			file = c.file()
		}
		return c.Session.BreakAt(file, n)
	}
	if where == "" {
		return nil, errors.New("give a line or a function, such as \"break 12\" or \"break scan\"")
	}
	return c.Session.BreakIn(where)
}

func (c *Console) breakAt(args string) error {
	where, rest, _ := strings.Cut(args, " ")
	rest = strings.TrimSpace(rest)
	count := 0
	if i := strings.LastIndex(" "+rest, " count "); i >= 0 {
		n, err := strconv.Atoi(strings.TrimSpace(rest[i+5:]))
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number of arrivals", strings.TrimSpace(rest[i+5:]))
		}
		count, rest = n, strings.TrimSpace((" " + rest)[:i])
	}
	cond := ""
	if rest != "" {
		var ok bool
		if cond, ok = strings.CutPrefix(rest, "if "); !ok {
			return fmt.Errorf("expected \"if\" and a condition behind %s, not %q", where, rest)
		}
	}
	b, err := c.place(where)
	if err != nil {
		return err
	}
	b.Condition, b.HitCount = strings.TrimSpace(cond), count
	fmt.Fprintln(c.Out, "breakpoint "+b.String())
	return nil
}

func (c *Console) logAt(args string) error {
	where, text, ok := strings.Cut(args, " ")
	if !ok {
		return errors.New("give a line and a text, such as \"log 12 sum is {sum}\"")
	}
	b, err := c.place(where)
	if err != nil {
		return err
	}
	b.Log = text
	fmt.Fprintln(c.Out, "breakpoint "+b.String())
	return nil
}

func (c *Console) watch(expr string, read bool) error {
	v, err := c.Session.Evaluate(expr)
	if err != nil {
		return err
	}
	w, err := v.WatchOf(expr)
	if err != nil {
		return err
	}
	w.Read = read
	b, err := c.Session.BreakAccess(w)
	if err == nil {
		fmt.Fprintln(c.Out, "breakpoint "+b.String())
	}
	return err
}

func (c *Console) delete(args string) error {
	n, err := strconv.Atoi(args)
	if err != nil || !c.Session.Delete(n) {
		return fmt.Errorf("no breakpoint %q; \"info\" lists them", args)
	}
	return nil
}

func (c *Console) run(string) error {
	if c.begun {
		if _, err := c.Session.Restart(); err != nil {
			return err
		}
	}
	c.begun = true
	c.show(c.Session.Continue())
	return nil
}

func (c *Console) step(kind debug.Kind, args string) error {
	rest, together := strings.CutPrefix(args+" ", "group ")
	n, err := times(rest)
	if err != nil {
		return err
	}
	c.begun = true
	var stop *debug.Stop
	for ; n > 0; n-- {
		if stop = c.Session.Step(kind, together); stop.Reason != debug.Stepped {
			break
		}
	}
	c.show(stop)
	return nil
}

// times parses the number of repetitions of a command.
func times(args string) (int, error) {
	if args = strings.TrimSpace(args); args == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no number of times", args)
	}
	return n, nil
}

func (c *Console) back(args string) error {
	n, err := times(args)
	var stop *debug.Stop
	for ; err == nil && n > 0; n-- {
		stop, err = c.Session.StepBack()
	}
	return c.went(stop, err)
}

// went prints the stop that a request led to.
func (c *Console) went(stop *debug.Stop, err error) error {
	if err == nil {
		c.show(stop)
	}
	return err
}

func (c *Console) who(expr string) error {
	v, err := c.Session.Evaluate(expr)
	if err != nil {
		return err
	}
	w, err := v.WatchOf(expr)
	if err != nil {
		return err
	}
	return c.went(c.Session.WhoWrote(w.Object, w.Offset, w.Size, v.Item))
}

// position parses up to three numbers.
func position(args string) (v [3]uint64, err error) {
	words := strings.FieldsFunc(args, func(r rune) bool { return strings.ContainsRune(" ,()", r) })
	if len(words) == 0 || len(words) > 3 {
		return v, errors.New("give one to three numbers, such as \"item 5\" or \"item 3 7\"")
	}
	for i, w := range words {
		if v[i], err = strconv.ParseUint(w, 0, 64); err != nil {
			return v, fmt.Errorf("%q is no id", w)
		}
	}
	return v, nil
}

func (c *Console) item(args string) error {
	v, err := position(args)
	if err != nil {
		return err
	}
	if n := c.Session.ItemAt(v); n >= 0 {
		c.Session.Item, c.Session.Frame = n, 0
		c.here()
		return nil
	}
	c.begun = true
	return c.went(c.Session.To(v))
}

func (c *Console) group(args string) error {
	v, err := position(args)
	if err != nil {
		return err
	}
	c.begun = true
	return c.went(c.Session.ToGroup(v))
}

func (c *Console) frame(n int) error {
	frames, _ := c.Session.Frames(c.Session.Item)
	if n < 0 || n >= len(frames) {
		return errors.New("no call there")
	}
	c.Session.Frame = n
	c.here()
	return nil
}

func (c *Console) explain(args string) error {
	if c.found == nil {
		c.found = c.Session.Findings()
	}
	n, err := strconv.Atoi(args)
	if args == "" && c.Session.Last != nil && c.Session.Last.Finding != nil {
		return c.went(c.Session.Explain(c.Session.Last.Finding))
	}
	if err != nil || n < 1 || n > len(c.found) {
		return fmt.Errorf("no finding %q; \"findings\" lists them", args)
	}
	return c.went(c.Session.Explain(c.found[n-1]))
}

func (c *Console) ignore(args string) error {
	c.Session.IgnoreFindings(strings.Fields(args))
	return nil
}

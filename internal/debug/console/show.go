package console

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/debug"
	"github.com/purecl/purecl/internal/run/interp"
)

// colors are the terminal colours of lines in a grid.
var colors = [...]int{32, 33, 36, 35, 34, 31, 92, 93, 96, 95, 94, 91}

func (c *Console) paint(color int, text string) string {
	if !c.Color {
		return text
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", color, text)
}

// file returns the file of the selected activation, or the program's first file.
func (c *Console) file() string {
	frames, _ := c.Session.Frames(c.Session.Item)
	if n := c.Session.Frame; n < len(frames) && frames[n].File != "" {
		return frames[n].File
	}
	if files := c.Session.Files(); len(files) > 0 {
		return files[0]
	}
	return ""
}

// source returns a line of a file.
func (c *Console) source(file string, line int) (string, bool) {
	lines := bytes.Split(c.Session.Text(file), []byte("\n"))
	if line < 1 || line > len(lines) {
		return "", false
	}
	return strings.ReplaceAll(strings.TrimRight(string(lines[line-1]), "\r"), "\t", "    "), true
}

// itemName describes a work-item.
func (c *Console) itemName(item int) string {
	g, l, group := c.Session.ItemIDs(item)
	dims := c.Session.Range().Dims
	return fmt.Sprintf("work-item %s, local %s in group %s", ids(g, dims), ids(l, dims), ids(group, dims))
}

func ids(v [3]uint64, dims int) string {
	words := make([]string, max(1, dims))
	for i := range words {
		words[i] = strconv.FormatUint(v[i], 10)
	}
	return "(" + strings.Join(words, ",") + ")"
}

// show prints why and where the launch has stopped.
func (c *Console) show(stop *debug.Stop) {
	c.found = nil
	if stop == nil {
		c.here()
		return
	}
	text := stop.Text
	if text != "" && stop.Reason != debug.AtBreak && stop.Reason != debug.AtEnd && stop.Reason != debug.Paused {
		text = string(stop.Reason) + ": " + text
	}
	if n := len(stop.Items); n > 1 {
		text += fmt.Sprintf(", %d work-items together", n)
	}
	if text != "" {
		fmt.Fprintln(c.Out, c.paint(1, strings.TrimPrefix(text, ", ")))
	}
	if stop.Reason != debug.AtEnd {
		c.here()
	}
}

// here prints the position of the selected work-item.
func (c *Console) here() {
	s := c.Session
	frames, status := s.Frames(s.Item)
	if s.Frame >= len(frames) {
		fmt.Fprintln(c.Out, "nothing runs")
		return
	}
	f := frames[s.Frame]
	state := map[interp.LaneStatus]string{interp.LaneWaits: ", waits at a barrier", interp.LaneEnded: ", has ended", interp.LaneFaulted: ", was stopped"}[status]
	fmt.Fprintf(c.Out, "%s%s\n", c.itemName(s.Item), state)
	c.listed = f.Line + 1
	if text, ok := c.source(f.File, f.Line); ok {
		fmt.Fprintf(c.Out, "%s:%d  %s\n", f.File, f.Line, c.paint(1, text))
		return
	}
	fmt.Fprintf(c.Out, "in %s\n", f.Function)
}

func (c *Console) print(expr string) error {
	v, err := c.Session.Evaluate(expr)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "(%s) %s\n", v.Type.Type, v.Text())
	return nil
}

// maxDump bounds the bytes that x prints.
const maxDump = 1 << 16

func (c *Console) memory(args string) error {
	n := 64
	if i := strings.LastIndexByte(args, ' '); i >= 0 {
		if k, err := strconv.Atoi(args[i+1:]); err == nil {
			n, args = k, args[:i]
		}
	}
	if n < 1 || n > maxDump {
		return fmt.Errorf("%d is no number of bytes from 1 to %d", n, maxDump)
	}
	v, err := c.Session.Evaluate(args)
	if err != nil {
		return err
	}
	r, err := v.Memory()
	if err != nil {
		return err
	}
	for off := 0; off < min(n, len(r.Data)); off += 16 {
		line := r.Data[off:min(off+16, n, len(r.Data))]
		var hex, chars strings.Builder
		for i, b := range line {
			if r.Written != nil && r.Written[off+i] == 0 {
				hex.WriteString("-- ")
			} else {
				fmt.Fprintf(&hex, "%02x ", b)
			}
			if b < ' ' || b > 126 {
				b = '.'
			}
			chars.WriteByte(b)
		}
		fmt.Fprintf(c.Out, "%s+%-6d %-48s %s\n", r.Name, int(r.Offset)+off, hex.String(), chars.String())
	}
	return nil
}

func (c *Console) where(string) error {
	frames, _ := c.Session.Frames(c.Session.Item)
	fmt.Fprintln(c.Out, c.itemName(c.Session.Item))
	for i, f := range frames {
		mark := " "
		if i == c.Session.Frame {
			mark = ">"
		}
		at := "the language's library"
		if f.File != "" {
			at = fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		fmt.Fprintf(c.Out, "%s %d %s at %s\n", mark, i, f.Function, at)
	}
	return nil
}

func (c *Console) locals(string) error {
	private, local := c.Session.Variables()
	if len(private)+len(local) == 0 {
		return errors.New("no variables here")
	}
	show := func(list []debug.Variable, space string) {
		for _, v := range list {
			text := ""
			if v.Err != nil {
				text = "<" + v.Err.Error() + ">"
			} else {
				text = v.Text()
			}
			fmt.Fprintf(c.Out, "  %s%s %s = %s\n", space, v.Type.Type, v.Name, text)
		}
	}
	show(private, "")
	show(local, "local ")
	return nil
}

func (c *Console) list(args string) error {
	from := max(1, c.listed-6)
	if args != "" {
		n, err := strconv.Atoi(args)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no line", args)
		}
		from = max(1, n-5)
	}
	file := c.file()
	frames, _ := c.Session.Frames(c.Session.Item)
	n := 0
	for ; n < 11; n++ {
		text, ok := c.source(file, from+n)
		if !ok {
			break
		}
		mark := " "
		if k := c.Session.Frame; k < len(frames) && frames[k].Line == from+n && frames[k].File == file {
			mark = ">"
		}
		fmt.Fprintf(c.Out, "%s%5d  %s\n", mark, from+n, text)
	}
	if n == 0 {
		return fmt.Errorf("%s ends before line %d", file, from)
	}
	c.listed = from + n + 5
	return nil
}

// A spot is a line that some work-items of the group have reached.
type spot struct {
	file   string
	line   int
	status interp.LaneStatus
	count  int
}

// maxGrid bounds the work-items in a grid.
const maxGrid = 4096

// grid draws the work-group: a letter for each work-item, which denotes the work-item's line.
func (c *Console) grid(string) error {
	s := c.Session
	n := s.Items()
	if n == 0 || s.Ended() {
		return errors.New("nothing runs")
	}
	var spots []*spot
	of := make([]*spot, n)
	for i := range n {
		frames, status := s.Frames(i)
		at := spot{status: status}
		if len(frames) > 0 && status < interp.LaneEnded {
			k := slices.IndexFunc(frames, func(f debug.Frame) bool { return f.File != "" })
			if k >= 0 {
				at.file, at.line = frames[k].File, frames[k].Line
			}
		}
		k := slices.IndexFunc(spots, func(p *spot) bool {
			return p.file == at.file && p.line == at.line && p.status == at.status
		})
		if k < 0 {
			k = len(spots)
			spots = append(spots, &at)
		}
		spots[k].count++
		of[i] = spots[k]
	}
	slices.SortStableFunc(spots, func(a, b *spot) int { return a.line - b.line })
	letter, marks := 0, map[*spot]string{}
	for _, p := range spots {
		switch p.status {
		case interp.LaneEnded:
			marks[p] = "."
		case interp.LaneFaulted:
			marks[p] = c.paint(31, "!")
		default:
			marks[p] = c.paint(colors[letter%len(colors)], string(rune('a'+letter%26)))
			letter++
		}
	}
	c.draw(of, marks)
	for _, p := range spots {
		text := map[interp.LaneStatus]string{interp.LaneEnded: "ended", interp.LaneFaulted: "stopped for a finding"}[p.status]
		if p.line > 0 {
			line, _ := c.source(p.file, p.line)
			text = fmt.Sprintf("%s:%d  %s", p.file, p.line, strings.TrimSpace(line))
			if p.status == interp.LaneWaits {
				text += "  (at a barrier)"
			}
		}
		fmt.Fprintf(c.Out, "%s %5d  %s\n", marks[p], p.count, text)
	}
	return nil
}

// draw draws the letters, with a line for each row of the group and the selected work-item in brackets.
func (c *Console) draw(of []*spot, marks map[*spot]string) {
	var row [2]uint64
	for i, p := range of {
		if i == maxGrid {
			fmt.Fprintf(c.Out, "\n… %d more", len(of)-i)
			break
		}
		_, l, _ := c.Session.ItemIDs(i)
		if r := [2]uint64{l[1], l[2]}; i > 0 && r != row || i > 0 && c.Session.Range().Dims == 1 && i%64 == 0 {
			fmt.Fprintln(c.Out)
			row = r
		}
		if i == c.Session.Item {
			fmt.Fprintf(c.Out, "[%s]", marks[p])
		} else {
			fmt.Fprintf(c.Out, " %s ", marks[p])
		}
	}
	fmt.Fprintln(c.Out)
}

func (c *Console) findings(string) error {
	c.found = c.Session.Findings()
	for i, f := range c.found {
		fmt.Fprintf(c.Out, "%3d %s: %s\n", i+1, c.Session.Location(f.Pos), f)
	}
	if len(c.found) == 0 {
		fmt.Fprintln(c.Out, "none so far")
	}
	return nil
}

func (c *Console) info(string) error {
	s := c.Session
	n, at := s.Groups()
	r := s.Range()
	fmt.Fprintf(c.Out, "kernel %s, %s work-items in groups of %s\n", s.Kernel(), ids(r.Global, r.Dims), ids(r.Local, r.Dims))
	if s.Ended() {
		fmt.Fprintln(c.Out, "the launch has ended")
	} else {
		fmt.Fprintf(c.Out, "group %d of %d, step %d\n", at+1, n, s.Tick())
	}
	for _, b := range s.Breakpoints() {
		fmt.Fprintln(c.Out, "breakpoint "+b.String())
	}
	return nil
}

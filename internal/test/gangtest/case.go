package gangtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/filetest"
)

// A Case is a gang function with its arguments and expected results.
type Case struct {
	Group string // the file's name without its extension
	Text  string // of the function
	Func  *gang.Func
	run   *filetest.Case
}

// Name returns the name of the case's function.
func (c *Case) Name() string { return c.Func.Name }

// String returns the place of the case.
func (c *Case) String() string { return fmt.Sprintf("%s:%d: %s", c.run.Path, c.run.Line, c.Name()) }

// Cases reads the .gang files of a folder.
func Cases(dir string) (list []*Case, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.gang"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no .gang files in %s", dir)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		cases, err := parse(name, string(src))
		if err != nil {
			return nil, err
		}
		list = append(list, cases...)
	}
	return list, nil
}

// parse reads the cases of a file.
func parse(path, src string) (list []*Case, err error) {
	lines := strings.SplitAfter(src, "\n")
	for at := 0; at < len(lines); {
		end := at + 1
		for end < len(lines) && !strings.HasPrefix(lines[end], "; run:") {
			end++
		}
		if !strings.HasPrefix(lines[at], "; run:") {
			return nil, fmt.Errorf(`%s:%d: expected "; run:"`, path, at+1)
		}
		before := strings.Repeat("\n", at) // so that the lines have the file's numbers
		runs, err := filetest.ParseRuns(path, []byte(before+strings.Join(lines[at:end], "")))
		if err != nil {
			return nil, err
		}
		c := &Case{Group: strings.TrimSuffix(filepath.Base(path), ".gang"), run: runs[0]}
		for at < end && strings.HasPrefix(lines[at], ";") {
			at++
		}
		c.Text = strings.TrimSpace(strings.Join(lines[at:end], "")) + "\n"
		if c.Func, err = gang.Parse(strings.Repeat("\n", at) + c.Text); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, c)
		at = end
	}
	return list, nil
}

// Runs reports whether a level with so many lanes, whose name may be that of a group of levels and a suffix, has code for the
// case.
func (c *Case) Runs(level string, lanes int) bool {
	if only := c.words("only"); len(only) > 0 && !slices.ContainsFunc(only, func(o string) bool { return strings.HasPrefix(level, o) }) {
		return false
	}
	return c.Func.Lanes == 1 || c.Func.Lanes%lanes == 0
}

// words returns the values of a word of the run line.
func (c *Case) words(key string) (list []string) {
	for w := range strings.FieldsSeq(c.run.Options) {
		if k, v, _ := strings.Cut(w, "="); k == key {
			list = append(list, v)
		}
	}
	return list
}

// Launch returns a launch of the case with its own memory.
func (c *Case) Launch() (*Launch, error) {
	l := NewLaunch(c.Func)
	l.Flush = len(c.words("flush")) > 0
	l.Dims = len(c.run.Global)
	for d, n := range c.run.Global {
		l.Size[d] = uint64(n)
		if c.run.Offset != nil {
			l.Offset[d] = uint64(c.run.Offset[d])
		}
	}
	objects := map[string]int{}
	for k := range c.run.Args {
		a := &c.run.Args[k]
		if a.Buffer || a.Local > 0 {
			data := make([]byte, a.Local)
			if a.Buffer {
				data = a.Data
			}
			objects[a.Name] = l.Add(data, slices.Contains(c.words("readonly"), a.Name))
		}
	}
	for _, w := range c.words("alias") {
		name, other, _ := strings.Cut(w, ":")
		if objects[other] == 0 {
			return nil, fmt.Errorf("%s: no argument %q", c, other)
		}
		objects[name] = objects[other]
	}
	if len(c.run.Args) < len(c.Func.Params) {
		return nil, fmt.Errorf("%s: %d arguments of %d", c, len(c.run.Args), len(c.Func.Params))
	}
	for k, p := range c.Func.Params {
		a := &c.run.Args[k]
		if a.Name != p.Name {
			return nil, fmt.Errorf("%s: the argument of parameter %q is called %q", c, p.Name, a.Name)
		}
		bits := make([]uint64, p.N)
		for e := range bits {
			if n := objects[a.Name]; n != 0 {
				bits[e] = uint64(n) << ssa.ObjectShift
				continue
			}
			size := a.Type.Kind.Size()
			if (e+1)*size > len(a.Data) {
				return nil, fmt.Errorf("%s: the argument %q has too few elements", c, p.Name)
			}
			bits[e] = numeric.Load(a.Data[e*size:], size)
		}
		l.Params = append(l.Params, bits)
	}
	return l, l.bind(objects)
}

// Check returns the differences between a launch's results and those that the case wants.
func (c *Case) Check(l *Launch, log *Log) []string {
	res := &filetest.Result{Buffers: map[string][]byte{}}
	n := 0
	for k := range c.run.Args {
		if a := &c.run.Args[k]; a.Buffer || a.Local > 0 {
			n++
			res.Buffers[a.Name] = l.Objects[n].Data
		}
	}
	for _, v := range log.sorted() {
		res.Findings = append(res.Findings, filetest.Finding{Code: v.Kind.String(), Text: v.String()})
	}
	if log.Diverged {
		res.Findings = append(res.Findings, filetest.Finding{Code: "divergence", Text: "gangs wait at different barriers"})
	}
	if log.Left {
		res.Findings = append(res.Findings, filetest.Finding{Code: "left", Text: "the function left its gang"})
	}
	return c.run.Check(res)
}

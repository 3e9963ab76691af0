package playground

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/argument"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/run/program"
)

// Limits of a run. A browser allows an instance at most 4 GiB, for the data, a copy of it and the observers' state.
const (
	maxArgument = 256 << 20 // bytes of one argument
	maxMemory   = 512 << 20 // bytes of all arguments
	maxPrinted  = 1 << 20   // bytes of printed text
)

var runLimits = exec.Limits{PrivateBytes: 512 << 20, LocalBytes: 1 << 20, ShadowBytes: 1 << 30}

// A Launch is the page's request for a run.
type Launch struct {
	Source
	Kernel string   `json:"kernel"`
	Args   []string `json:"args"`   // each NAME=VALUE, as for `purecl run -a`
	Global string   `json:"global"` // sizes such as 640x480; "": the first buffer's
	Local  string   `json:"local"`
	Offset string   `json:"offset"`
	Checks string   `json:"checks"` // "none", "memory", "all" or "pedantic"
	Robust bool     `json:"robust"` // faults do not stop work-items
	Parts  bool     `json:"parts"`  // the run is one part of several
}

// Prepared is the reply of prepare.
type Prepared struct {
	Global []uint64 `json:"global"`
	Local  []uint64 `json:"local"`
	Items  uint64   `json:"items"`
	Groups uint64   `json:"groups"`
	Alone  string   `json:"alone,omitempty"` // reason why the run cannot be split
}

// An execution is a kernel with its arguments and results.
type execution struct {
	module *program.Module
	units  *units
	launch launch.Launch
	rng    exec.NDRange
	args   []*argument.Arg
	before [][]byte // by argument: the bytes before the run, if they may change
}

var checkLevels = map[string]exec.Checks{"none": exec.ChecksNone, "memory": exec.ChecksMemory, "all": exec.ChecksAll, "pedantic": exec.ChecksPedantic}

func (p *Playground) prepare(l *Launch, files map[string][]byte) (Reply, error) {
	p.run = nil
	checks, ok := checkLevels[l.Checks]
	if !ok {
		return Reply{}, fmt.Errorf("there are no checks %q; there are none, memory, all and pedantic", l.Checks)
	}
	m, err := p.build(&l.Source, checks != exec.ChecksNone, checks == exec.ChecksPedantic)
	if err != nil {
		return Reply{}, err
	}
	f := m.Func(l.Kernel)
	if f == nil || f.Kernel == nil {
		return Reply{}, fmt.Errorf("there is no kernel %q", l.Kernel)
	}
	x := &execution{module: m, units: newUnits(l.Text)}
	if x.args, err = argument.Bind(l.Kernel, argument.Params(f), l.Args, fileSource(files)); err != nil {
		return Reply{}, err
	}
	if err := checkMemory(x.args); err != nil {
		return Reply{}, err
	}
	prog, err := launch.NewProgram(m.Module.Module, nil)
	if err != nil {
		return Reply{}, err
	}
	k, err := prog.Kernel(l.Kernel)
	if err != nil {
		return Reply{}, err
	}
	r, err := readRange(l, x.args, m.NonUniform)
	if err == nil {
		x.rng, err = k.Resolve(r)
	}
	if err != nil {
		return Reply{}, err
	}
	x.launch = launch.Launch{Kernel: k, Resolved: x.rng, Checks: checks, Workers: 1, Limits: runLimits}
	if l.Robust {
		x.launch.Faults = exec.Robust
	}
	x.bind(l.Parts)
	p.run = x
	g := x.rng.Groups()
	out := Prepared{Global: x.rng.Global[:x.rng.Dims], Local: x.rng.Local[:x.rng.Dims], Items: x.rng.Global[0] * x.rng.Global[1] * x.rng.Global[2], Groups: g[0] * g[1] * g[2], Alone: alone(f)}
	if out.Alone == "" && checks >= exec.ChecksAll {
		out.Alone = "its checks watch for races between all work-groups"
	}
	return Reply{Value: out}, nil
}

// fileSource returns a source of arguments that reads the page's files.
func fileSource(files map[string][]byte) *argument.Source {
	return &argument.Source{
		Limit: maxArgument,
		Open: func(name string) (*argument.File, error) {
			b, ok := files[name]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return &argument.File{ReadSeeker: bytes.NewReader(b), Size: int64(len(b)), Close: func() error { return nil }}, nil
		},
	}
}

func checkMemory(args []*argument.Arg) error {
	total := 0
	for _, a := range args {
		if a.Data != nil {
			total += len(a.Data.Bytes)
		}
	}
	if total > maxMemory {
		return fmt.Errorf("the arguments take %d MiB; the playground's limit is %d MiB", total>>20, maxMemory>>20)
	}
	return nil
}

// readRange parses the sizes of a launch.
func readRange(l *Launch, args []*argument.Arg, nonUniform bool) (launch.Range, error) {
	r := launch.Range{NonUniform: nonUniform}
	for _, d := range []struct {
		name, text string
		to         *[]uint64
	}{{"work-items", l.Global, &r.Global}, {"work-group size", l.Local, &r.Local}, {"offset", l.Offset, &r.Offset}} {
		list, err := readSizes(d.text)
		if err != nil {
			return r, fmt.Errorf("%s: %w", d.name, err)
		}
		*d.to = list
	}
	if r.Global == nil {
		for _, n := range argument.Range(args) {
			r.Global = append(r.Global, uint64(n))
		}
		if r.Global == nil {
			return r, errors.New("give the number of work-items: the kernel has no buffer to take it from")
		}
	}
	return r, nil
}

func readSizes(text string) (list []uint64, err error) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("x×, ", r) }) {
		n, err := strconv.ParseUint(part, 10, 63)
		if err != nil {
			return nil, fmt.Errorf("%q is no size; expected numbers such as 1024, 640x480 or 8x8x8", text)
		}
		list = append(list, n)
	}
	return list, nil
}

// bind sets the launch's arguments. If the run is one part of several, it keeps a copy of the memory that may
// change.
func (x *execution) bind(parts bool) {
	x.before = make([][]byte, len(x.args))
	for i, a := range x.args {
		var to launch.Arg
		switch {
		case a.Info.IsMemory():
			to = launch.Memory(&launch.Buffer{Data: a.Data.Bytes, ReadOnly: !a.Info.Writable()})
		case a.Info.IsImage():
			to = launch.Picture(&launch.Image{Image: a.Bound.Image, ReadOnly: a.Bound.ReadOnly})
		case a.Info.Kind == ssa.ArgSampler:
			to = launch.Sampler(a.Bound.Sampler)
		case a.Info.Kind == ssa.ArgLocal:
			to = launch.Local(a.Bound.Size)
		default:
			to = launch.Value(a.Bound.Bytes)
		}
		x.launch.Args = append(x.launch.Args, to)
		if parts && a.Data != nil && a.Info.Writable() {
			x.before[i] = bytes.Clone(a.Data.Bytes)
		}
	}
}

// A Part is a range of a run's work-groups; the zero Part is all of them.
type Part struct {
	Index int `json:"index"`
	Of    int `json:"of"`
}

// Ran is the reply of run.
type Ran struct {
	Findings []Finding `json:"findings"`
	Printed  string    `json:"printed"`
	Millis   float64   `json:"millis"`
	Failed   bool      `json:"failed"` // a finding fails the run
}

// A Finding is an error or observation of a launch, with its first work-item.
type Finding struct {
	Place
	Line     int       `json:"line"` // from 1; 0: not in the source
	Severity string    `json:"severity"`
	Code     string    `json:"code"`
	Message  string    `json:"message"`
	Item     [3]uint64 `json:"item"` // global id of the work-item
	Group    [3]uint64 `json:"group"`
	Local    [3]uint64 `json:"local"`
	Object   string    `json:"object,omitempty"`
	Offset   int64     `json:"offset"`
	Count    uint64    `json:"count"`
	Related  []Related `json:"related,omitempty"`
}

var errNotPrepared = errors.New("nothing has been run yet")

func (p *Playground) runPart(part *Part, _ map[string][]byte) (Reply, error) {
	x := p.run
	if x == nil {
		return Reply{}, errNotPrepared
	}
	if part.Of < 0 || part.Index < 0 || part.Of > 0 && part.Index >= part.Of {
		return Reply{}, fmt.Errorf("there is no part %d of %d", part.Index, part.Of)
	}
	var printed limitedText
	l := x.launch
	l.Part, l.Stdout, l.Progress = launch.Part(*part), &printed, p.Progress
	start := time.Now()
	rep, err := launch.Run(context.Background(), &l)
	var fault *launch.Fault
	if err != nil && !errors.As(err, &fault) {
		var bug *exec.InternalError
		if errors.As(err, &bug) {
			return Reply{}, errors.New(bug.Report())
		}
		return Reply{}, err
	}
	out := Ran{Findings: []Finding{}, Printed: printed.String(), Millis: float64(time.Since(start)) / 1e6, Failed: fault != nil}
	for _, f := range rep.Findings {
		out.Findings = append(out.Findings, x.finding(f))
	}
	return Reply{Value: out}, nil
}

// finding converts a finding for the page.
func (x *execution) finding(f *exec.Finding) Finding {
	src := x.module.Source
	pf := program.NewFinding(src, f, x.launch.Faults)
	out := Finding{Severity: "warning", Code: pf.Kind, Message: pf.Message, Item: pf.GlobalID, Group: pf.GroupID, Local: pf.LocalID, Object: pf.Object, Offset: pf.Offset, Count: pf.Count}
	if pf.Error {
		out.Severity = "error"
	}
	if src == nil {
		return out
	}
	if file, off := src.File(src.Outermost(f.Pos)); file != nil && file.Name == FileName {
		out.Place, out.Line = x.word(off), lineOf(x.units.text, off)
	}
	for _, n := range pf.Diag.Notes {
		if file, off := src.File(src.Outermost(n.Span.Pos)); file != nil && file.Name == FileName {
			out.Related = append(out.Related, Related{x.word(off), n.Text})
		}
	}
	return out
}

// word returns the range of the word or sign at a byte offset.
func (x *execution) word(off int) Place {
	text, end := x.units.text, off
	for end < len(text) && (text[end] == '_' || text[end] >= '0' && text[end] <= '9' || text[end]|32 >= 'a' && text[end]|32 <= 'z') {
		end++
	}
	return Place{x.units.units(off), x.units.units(max(end, off+1))}
}

// limitedText collects the kernel's output, up to the page's limit.
type limitedText struct {
	strings.Builder
	cut bool
}

func (t *limitedText) Write(b []byte) (int, error) {
	switch room := maxPrinted - t.Len(); {
	case len(b) <= room:
		t.Builder.Write(b)
	case !t.cut:
		t.cut = true
		t.Builder.Write(b[:max(0, room)])
		fmt.Fprintf(&t.Builder, "\n… and more: the playground shows %d KiB", maxPrinted>>10)
	}
	return len(b), nil
}

// changes returns the buffers and images that the run may have changed, in the order of the arguments.
func (p *Playground) changes(*struct{}, map[string][]byte) (Reply, error) {
	if p.run == nil {
		return Reply{}, errNotPrepared
	}
	var out Reply
	for i, a := range p.run.args {
		if p.run.before[i] != nil {
			out.Bytes = append(out.Bytes, a.Data.Bytes)
		}
	}
	return out, nil
}

// merge applies the changes of another instance: files "0", "1", … are that instance's reply to changes.
func (p *Playground) merge(_ *struct{}, files map[string][]byte) (Reply, error) {
	if p.run == nil {
		return Reply{}, errNotPrepared
	}
	n := 0
	for i, a := range p.run.args {
		before := p.run.before[i]
		if before == nil {
			continue
		}
		other, own := files[strconv.Itoa(n)], a.Data.Bytes
		if len(other) != len(own) {
			return Reply{}, fmt.Errorf("argument %s has %d bytes on one worker and %d on another", a.Info.Name, len(own), len(other))
		}
		n++
		for k, b := range other {
			if b != before[k] {
				own[k] = b
			}
		}
	}
	return Reply{}, nil
}

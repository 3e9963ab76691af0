// Package listing lists the code of kernels for the playground: machine code of amd64 at any CPU level, and PTX,
// each line with its source line.
//
// Input: a source with build options; output: lines of text. It runs no kernels, so that it works on any machine.
package listing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/ide"
	"github.com/purecl/purecl/internal/ir/imagecode"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/image"
)

// A Request requests the code of a kernel.
type Request struct {
	Text    string `json:"text"`
	Options string `json:"options"`
	Kernel  string `json:"kernel"`
	Target  string `json:"target"` // "ptx", or a CPU level
}

// A Line is a line of a listing.
type Line struct {
	Text   string `json:"text"`
	Source int    `json:"source"` // its source line, from 1; 0: none
	Cold   bool   `json:"cold,omitempty"`
}

// A Listing is the reply.
type Listing struct {
	Summary string `json:"summary"`
	Lines   []Line `json:"lines"`
}

// Targets returns the targets of listings.
func Targets() []string {
	list := []string{"ptx"}
	for _, lv := range x86.Levels {
		list = append(list, lv.Name)
	}
	return list
}

const fileName = "kernel.cl"

// Call serves the methods "targets" and "list".
func Call(method string, params []byte, _ map[string][]byte) (value []byte, bytes [][]byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error in %s: %v", method, r)
		}
	}()
	switch method {
	case "targets":
		value, err = json.Marshal(Targets())
		return value, nil, err
	case "list":
		var r Request
		if err := json.Unmarshal(params, &r); err != nil {
			return nil, nil, err
		}
		l, err := List(&r)
		if err != nil {
			return nil, nil, err
		}
		value, err = json.Marshal(l)
		return value, nil, err
	}
	return nil, nil, fmt.Errorf("there is no method %q", method)
}

// List returns a kernel's listing.
func List(r *Request) (*Listing, error) {
	opts, err := compile.ParseOptions(strings.TrimSpace(ide.CommentOptions([]byte(r.Text)) + " " + r.Options))
	if err != nil {
		return nil, err
	}
	res, err := compile.Compile(context.Background(), fileName, []byte(r.Text), opts)
	var list *diag.List
	if errors.As(err, &list) {
		return nil, errors.New("the source has errors")
	}
	if err != nil {
		return nil, err
	}
	f := res.Module.Func(r.Kernel)
	if f == nil || f.Kernel == nil {
		return nil, fmt.Errorf("there is no kernel %q", r.Kernel)
	}
	l := lister{src: res.Source}
	if r.Target == "ptx" {
		return l.ptx(f)
	}
	for _, lv := range x86.Levels {
		if lv.Name == r.Target {
			return l.machine(f, lv)
		}
	}
	return nil, fmt.Errorf("there is no target %q; there are %s", r.Target, strings.Join(Targets(), ", "))
}

type lister struct{ src *diag.Source }

// line returns the source line of a position, 0 if the position is not in the page's source.
func (l *lister) line(p diag.Pos) int {
	if !p.IsValid() {
		return 0
	}
	if at := l.src.Location(p); at.File == fileName {
		return at.Line
	}
	return 0
}

// machine lists the machine code for a CPU level. Image arguments have format rgba8; sampler arguments are edge and
// nearest.
func (l *lister) machine(f *ssa.Func, lv *x86.Level) (*Listing, error) {
	if k := imagecode.New(f); k != nil {
		var err error
		if f, err = k.Func(k.KeyOf(image.Format{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}, opencl.SamplerClampToEdge|opencl.SamplerNearest), false); err != nil {
			return nil, err
		}
	}
	code, _, err := jit.List(f, lv, jit.WholeGangs)
	if err != nil {
		return nil, fmt.Errorf("kernel %s has no machine code and runs on the reference executor: %w", f.Name, err)
	}
	list := code.Listing
	targets := map[string]bool{} // names that instructions refer to
	for i := range list.Insts {
		text := list.Insts[i].Text
		targets[text[strings.LastIndexByte(text, ' ')+1:]] = true
	}
	names := map[int][]string{}
	for _, n := range list.Names {
		if targets[n.Name] {
			names[n.Offset] = append(names[n.Offset], n.Name)
		}
	}
	out := &Listing{}
	count, spills := 0, 0
	for i := range list.Insts {
		x := &list.Insts[i]
		if !x.Body {
			continue
		}
		count++
		for _, n := range names[x.Offset] {
			out.Lines = append(out.Lines, Line{Text: n + ":", Cold: x.Cold})
		}
		text := fmt.Sprintf("%6x  %s", x.Offset, x.Text)
		if x.Spill {
			text += " ; spill"
			spills++
		}
		out.Lines = append(out.Lines, Line{Text: text, Source: l.line(x.Pos), Cold: x.Cold})
	}
	gathers, accesses := list.Gathers()
	out.Summary = fmt.Sprintf("%s: %d work-items in a gang, %d instructions, %d spills, %d of %d accesses gather or go lane by lane", lv.Name, code.Lanes, count, spills, len(gathers), accesses)
	return out, nil
}

var locLine = regexp.MustCompile(`^\t\.loc (\d+) (\d+) \d+`)

// ptx lists PTX for the oldest supported GPUs. Its .loc directives give the source lines.
func (l *lister) ptx(f *ssa.Func) (*Listing, error) {
	k, err := ptx.Compile(f, ptx.Options{Lines: func(p diag.Pos) diag.Location { return l.src.Location(p) }})
	if err != nil {
		return nil, err
	}
	out := &Listing{}
	files := map[string]string{}
	source, count, entry := 0, 0, false
	for text := range strings.Lines(k.Text) { // the kernel's callees precede it
		text = strings.TrimRight(text, "\n")
		if m := fileLine.FindStringSubmatch(text); m != nil {
			files[m[1]] = m[2]
		}
		if entry = entry || strings.HasPrefix(text, ".visible .entry "); !entry {
			continue
		}
		if m := locLine.FindStringSubmatch(text); m != nil {
			source = 0
			if files[m[1]] == fileName {
				source, _ = strconv.Atoi(m[2])
			}
			continue
		}
		inst := strings.HasPrefix(text, "\t") && !strings.HasPrefix(text, "\t.")
		line := Line{Text: strings.ReplaceAll(text, "\t", "    ")}
		if inst {
			line.Source = source
			count++
		}
		out.Lines = append(out.Lines, line)
	}
	out.Summary = fmt.Sprintf("PTX: a work-item is a thread, %d instructions, private memory of a work-item: %d bytes", count, k.Private)
	return out, nil
}

var fileLine = regexp.MustCompile(`^\s*\.file\s+(\d+)\s+"(.*)"`)

// Package machine describes the machine code of a file's kernels at positions in the source: the shapes of a gang's
// memory accesses, and loops that spill registers.
//
// Input: a snapshot without errors and a CPU level; output: hints for an editor. The package must use nothing of
// the code except its listing.
package machine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ide"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Level returns the CPU level of a name. "" means that of this processor or, if it has none, the highest.
func Level(name string) (*x86.Level, error) {
	if name == "" {
		if lv := jit.Level(); lv != nil {
			return lv, nil
		}
		return x86.Levels[len(x86.Levels)-1], nil
	}
	var names []string
	for _, lv := range x86.Levels {
		if lv.Name == name {
			return lv, nil
		}
		names = append(names, lv.Name)
	}
	return nil, fmt.Errorf("there is no CPU level %q; there are %s", name, strings.Join(names, ", "))
}

// Hints compiles the kernels of a snapshot for a level and returns hints about their code. A kernel that has no
// machine code gets a hint with the reason. The error is the compiler's or the context's.
func Hints(ctx context.Context, s *ide.Snapshot, lv *x86.Level) ([]ide.Hint, error) {
	res, err := compile.Compile(ctx, s.Name, s.Text, s.CompileOptions())
	if err != nil {
		return nil, err
	}
	h := hints{src: res.Source, byPlace: map[diag.Pos]*access{}}
	for _, f := range res.Module.Funcs {
		if f.Kernel == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		code, _, err := jit.List(f, lv, jit.WholeGangs)
		if err != nil {
			h.add(f.Pos, "reference executor", fmt.Sprintf("`%s` has no machine code: %v", f.Name, err))
			continue
		}
		h.kernel(code)
	}
	h.accesses()
	slices.SortStableFunc(h.out, func(a, b ide.Hint) int { return a.At.Start - b.At.Start })
	return h.out, nil
}

// hints collects the hints of a file.
type hints struct {
	src     *diag.Source
	byPlace map[diag.Pos]*access // by position in a file
	out     []ide.Hint
}

// An access summarises the machine code of all accesses at one position: unrolling and inlining create several.
type access struct {
	shapes []string
	doc    []string
}

func (h *hints) kernel(code *jit.Listed) {
	for i := range code.Listing.Accesses {
		h.note(&code.Listing.Accesses[i])
	}
	for _, n := range code.Listing.Loops() {
		if n.Loop == nil || n.Spills == 0 {
			continue
		}
		at := loopPos(n.Loop)
		text := fmt.Sprintf("%d spills", n.Spills)
		if n.Spills == 1 {
			text = "1 spill"
		}
		h.line(at, text, fmt.Sprintf("The loop needs more registers than the processor has: %d reads and writes of registers that are kept in memory, among %d instructions. It uses %d vector, %d general and %d mask registers.",
			n.Spills, n.Insts, n.Vectors, n.General, n.MaskRegs))
	}
}

// shapeWords are the hints' words for access shapes.
var shapeWords = [explain.NumShapes]string{explain.Uniform: "uniform", explain.Contiguous: "contiguous", explain.Strided: "strided", explain.Flipped: "flipped",
	explain.Scattered: "gathered", explain.LaneByLane: "lane by lane", explain.InRegisters: "table", explain.Again: "again", explain.Runs: "runs", explain.Rows: "rows", explain.Pieces: "pieces", explain.Window: "a window", explain.Joined: "joined", explain.Copies: "in copies"}

func (h *hints) note(a *explain.Access) {
	p := h.src.Outermost(a.Value.Pos)
	if !p.IsValid() {
		return
	}
	x := h.byPlace[p]
	if x == nil {
		x = &access{}
		h.byPlace[p] = x
	}
	word := shapeWords[a.Shape]
	if a.Shape == explain.Scattered && a.Value.Op == ssa.OpStore {
		word = "scattered"
	}
	doc := fmt.Sprintf("%v of %d bytes, %v", a.Value.Op, a.Bytes, a.Shape)
	if a.Shape == explain.Strided {
		word += fmt.Sprintf(" %d", a.Step)
		doc += fmt.Sprintf(", step %d bytes", a.Step)
	}
	if a.Checked != "" {
		doc += ", bounds checked " + a.Checked
	}
	for _, r := range a.Why {
		doc += "\n  - " + r.Text
	}
	if a.Shape != explain.Again && !slices.Contains(x.shapes, word) {
		x.shapes = append(x.shapes, word)
	}
	if !slices.Contains(x.doc, doc) {
		x.doc = append(x.doc, doc)
	}
}

// accesses adds the hints of the accesses.
func (h *hints) accesses() {
	for p, x := range h.byPlace {
		if len(x.shapes) > 0 {
			h.add(p, strings.Join(x.shapes, ", ")+":", "- "+strings.Join(x.doc, "\n- "))
		}
	}
}

func (h *hints) add(p diag.Pos, text, doc string) {
	if f, off := h.src.File(h.src.Outermost(p)); f != nil {
		h.out = append(h.out, ide.Hint{At: ide.Range{File: f.Name, Start: off, End: off}, Text: text, Doc: doc})
	}
}

// line adds a hint at the end of a position's line.
func (h *hints) line(p diag.Pos, text, doc string) {
	f, off := h.src.File(h.src.Outermost(p))
	if f == nil {
		return
	}
	for off < len(f.Src) && f.Src[off] != '\n' && f.Src[off] != '\r' {
		off++
	}
	h.out = append(h.out, ide.Hint{At: ide.Range{File: f.Name, Start: off, End: off}, Text: text, Doc: doc, After: true})
}

// loopPos returns the position of the first value of a loop that has one.
func loopPos(x *ssa.Loop) diag.Pos {
	for _, b := range x.Blocks {
		for _, v := range b.Values {
			if v.Pos.IsValid() && v.Op != ssa.OpPhi {
				return v.Pos
			}
		}
	}
	return 0
}

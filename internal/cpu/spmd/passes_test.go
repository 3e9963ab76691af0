package spmd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/filetest"
)

// TestPipeline: the pipeline satisfies the order that the passes require.
func TestPipeline(t *testing.T) {
	var order []string
	for _, s := range Pipeline {
		order = append(order, s.Passes...)
	}
	for i, name := range order {
		p := Find(name)
		if p == nil {
			t.Fatalf("no pass %q", name)
		}
		for _, r := range p.Requires {
			if !slices.Contains(order[:i], r) {
				t.Errorf("%s requires %s, which is not before it", name, r)
			}
		}
		if p.Versions {
			continue // the driver restores the canonical form after each round
		}
		for _, b := range p.Breaks {
			if !slices.Contains(order[i+1:], b) {
				t.Errorf("%s breaks %s, which does not come after it", name, b)
			}
		}
	}
	for _, p := range Passes {
		if !slices.Contains(order, p.Name) {
			t.Errorf("%s is not in the pipeline", p.Name)
		}
	}
}

// options returns the options in a test's header: names of passes to run, and piece=N lanedim=D local=N lanes=N registers=N size=NxM machine=NxM aligned tested
// argument=PARAM:VALUE.
func options(words []string) (o Options, err error) {
	o = Options{RowUniform: true, GroupUniform: true, Versions: true, Gangs: true}
	o.Config.Verify = true
	o.Config.Disable = map[string]bool{}
	for _, p := range Passes {
		o.Config.Disable[p.Name] = true
	}
	for _, w := range words {
		switch {
		case Find(w) != nil:
			delete(o.Config.Disable, w)
			switch w {
			case "flat":
				o.Flat = true
			case "rows", "nests":
				o.Rows = 16
			case "evaluate":
				o.Evaluate = true
			case "hoist":
				o.Scalar = true
			case "coarsen":
				o.Coarsen = Coarsening{Registers: 32}
			}
		case w == "aligned":
			o.Aligned = true
		case w == "tested":
			o.Unfold.Tested = true
		case w == "masked":
			o.Unfold.TestMasked = true
		case strings.HasPrefix(w, "piece="):
			_, err = fmt.Sscanf(w, "piece=%d", &o.Rows)
		case strings.HasPrefix(w, "size="):
			o.Local[2] = 1
			_, err = fmt.Sscanf(w, "size=%dx%d", &o.Local[0], &o.Local[1])
		case strings.HasPrefix(w, "local="):
			o.Unfold.Local = [3]uint64{1, 1, 1}
			_, err = fmt.Sscanf(w, "local=%d", &o.Unfold.Local[0])
		case strings.HasPrefix(w, "registers="):
			_, err = fmt.Sscanf(w, "registers=%d", &o.Unfold.Registers)
		case strings.HasPrefix(w, "machine="): // after coarsen: its vector registers and the bytes of a piece
			_, err = fmt.Sscanf(w, "machine=%dx%d", &o.Coarsen.Registers, &o.Coarsen.Piece)
		case strings.HasPrefix(w, "argument="):
			a := Argument{}
			_, err = fmt.Sscanf(w, "argument=%d:%d", &a.Param, &a.Bits)
			o.Unfold.Arguments = append(o.Unfold.Arguments, a)
		case strings.HasPrefix(w, "lanedim="):
			_, err = fmt.Sscanf(w, "lanedim=%d", &o.LaneDim)
		case strings.HasPrefix(w, "lanes="):
			o.Unfold.Registers, o.Unfold.Width = 32, 64
			_, err = fmt.Sscanf(w, "lanes=%d", &o.Unfold.Lanes)
		default:
			err = fmt.Errorf("no pass %q", w)
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

// TestFiles runs testdata: "spmd PASS…" prints the function after these passes and the mandatory ones, "plan
// PASS…" the plan.
func TestFiles(t *testing.T) {
	prepared := func(args []string, m *ssa.Module) (*Plan, error) {
		o, err := options(args)
		if err != nil {
			return nil, err
		}
		return Prepare(m.Funcs[0], o)
	}
	filetest.SSA(t, "testdata", map[string]filetest.Command{
		"spmd": func(args []string, m *ssa.Module) (string, error) {
			p, err := prepared(args, m)
			if err != nil {
				return "", err
			}
			return p.F.String(), nil
		},
		"plan": func(args []string, m *ssa.Module) (string, error) {
			p, err := prepared(args, m)
			if err != nil {
				return "", err
			}
			return p.Dump(), nil
		},
	})
}

package gang

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/target"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

// TestBuild runs the goldens. Their header is "; test: gang lanes=16", with "partial" for gangs with inactive
// lanes, "versions" for specialised copies of code, "large" for objects of any size, "native" for a machine with many patterns of accesses,
// "ahead" for prefetches, "groups=64" for work-groups of that many work-items; with "used=63", the others pad the group.
func TestBuild(t *testing.T) {
	filetest.SSA(t, "testdata", map[string]filetest.Command{"gang": func(args []string, m *ssa.Module) (string, error) {
		o, p := Options{Lanes: 16, Full: true}, planOptions
		for _, a := range args {
			switch a {
			case "partial":
				o.Full = false
			case "large":
				o.Large = true
			case "ahead":
				o.Ahead = true
			case "versions":
				p.Versions = true
			case "native":
				o.Target, p.Rows = native, native.VectorBytes
			default:
				if _, err := fmt.Sscanf(a, "used=%d", &p.Local[0]); err == nil {
					p.Local[1], p.Local[2], p.Padded = 1, 1, p.Unfold.Local
					continue
				}
				p.Unfold.Local = [3]uint64{0, 1, 1}
				if _, err := fmt.Sscanf(a, "groups=%d", &p.Unfold.Local[0]); err == nil {
					p.Unfold.Lanes, p.Unfold.Registers, p.Unfold.Width = o.Lanes, 28, 64
				} else if _, err := fmt.Sscanf(a, "lanes=%d", &o.Lanes); err != nil {
					return "", fmt.Errorf("unknown word %q", a)
				}
			}
		}
		f, err := build(m.Funcs[0], o, p)
		if err != nil {
			return "", err
		}
		text := f.String()
		if _, err := Parse(text); err != nil {
			return "", fmt.Errorf("the text does not parse: %w", err)
		}
		return text, Verify(f)
	}})
}

var planOptions = spmd.Options{RowUniform: true, GroupUniform: true, Gangs: true}

// native is a target with many patterns of accesses.
var native = &target.Target{VectorBytes: 64, Lanes: 16, Masks: 1 | 2 | 4 | 8, Permutes: 2 | 4 | 8, TwoSources: 2 | 4 | 8, Collects: 2 | 4 | 8, Records: 4 | 8, Tables: 2 | 4,
	RegionElements: 4, RegionRegs: 16, RecordMasks: 7, Runs: 4 | 8, MaskedPieces: 4 | 8, RowPiece: 16, GatherBytes: 4, PrivateRows: true}

func build(f *ssa.Func, o Options, po spmd.Options) (*Func, error) {
	p, err := spmd.Prepare(f, po)
	if err != nil {
		return nil, err
	}
	return Build(p, o)
}

// reparsed checks that a function's text parses to the same function.
func reparsed(t *testing.T, f *Func) {
	t.Helper()
	if err := Verify(f); err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	text := f.String()
	g, err := Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again := g.String(); again != text {
		t.Fatalf("printed:\n%s\nprinted again:\n%s", text, again)
	}
}

// TestText builds random kernels and checks that the functions' texts parse to the same functions.
func TestText(t *testing.T) {
	built := 0
	for seed := range uint64(60) {
		m := kerneltest.RandomModule(seed, 30, false)
		if seed%2 == 0 {
			m = kerneltest.RandomFlow(seed, seed%4 == 0)
		}
		for _, full := range []bool{true, false} {
			o, p := Options{Lanes: 8, Full: full}, planOptions
			p.Versions = full
			if seed%3 == 0 {
				o.Target, p.Rows = native, native.VectorBytes
			}
			f, err := build(m.Func("k"), o, p)
			if err != nil {
				continue
			}
			built++
			reparsed(t, f)
		}
	}
	if built < 30 {
		t.Errorf("only %d functions were built", built)
	}
}

// TestVerify: the verifier rejects each text in testdata/wrong with a line's number and the reason in its first line.
func TestVerify(t *testing.T) {
	files, _ := filepath.Glob("testdata/wrong/*.gang")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(strings.TrimPrefix(string(src), "; error: "), "\n; error: ") {
			want, text, _ := strings.Cut(part, "\n")
			_, err := Parse(text)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "line ") {
				t.Errorf("%s: got %v, want a line and %q in\n%s", name, err, want, text)
			}
		}
	}
}

// FuzzGangText: no text makes the parser or the verifier panic. An accepted text prints and parses to the same
// function.
func FuzzGangText(f *testing.F) {
	for seed := range uint64(12) {
		m := kerneltest.RandomModule(seed, 12, false)
		if seed%2 == 0 {
			m = kerneltest.RandomFlow(seed, true)
		}
		p := planOptions
		p.Versions = seed%2 == 0
		if g, err := build(m.Func("k"), Options{Lanes: 8, Full: seed%3 == 0}, p); err == nil {
			f.Add(g.String())
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Parse(text)
		if err == nil {
			reparsed(t, g)
		}
	})
}

package x86

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/test/gangtest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

// maxElements bounds the elements that the instructions of a fuzzed function compute, and thereby the time to make and check
// its code: divisions of 16 long integers in each of 128 lanes, 250 of them, fit 8 KiB of text and take 40 seconds. Go's fuzzer ends a
// process that needs 10 seconds for an input.
const maxElements = 1 << 15

// FuzzSelection: each gang function that the verifier accepts has machine code at every level, whose register allocation the
// checker proves, or is refused with a reason. The texts begin with the goldens and with random modules; a seed changes
// their instructions.
func FuzzSelection(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.gang")
	if err != nil || len(files) == 0 {
		f.Fatal("no goldens", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for part := range strings.SplitSeq(string(text), "; test:") {
			_, part, _ = strings.Cut(part, "\n")
			if body, _, ok := strings.Cut(part, "; want:"); ok {
				f.Add(body, uint64(len(body)))
			}
		}
	}
	for seed := range uint64(12) {
		m := kerneltest.RandomModule(seed, 12, false)
		if seed%2 == 0 {
			m = kerneltest.RandomFlow(seed, seed%4 == 0)
		}
		p, err := spmd.Prepare(m.Func("k"), spmd.Options{RowUniform: true, GroupUniform: true, Gangs: true, Versions: seed%3 == 0})
		if err != nil {
			continue
		}
		lv := Levels[seed%uint64(len(Levels))]
		if g, err := gang.Build(p, gang.Options{Lanes: lv.Lanes << (seed % 3), Full: seed%5 != 0, Large: seed%7 == 0, Target: lv.Target()}); err == nil {
			f.Add(g.String(), seed)
		}
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		g, err := gang.Parse(text)
		if err != nil || gangtest.Elements(g) > maxElements {
			t.Skip()
		}
		gangtest.Mutate(g, rand.New(rand.NewPCG(seed, 0)))
		if gangtest.Elements(g) > maxElements {
			t.Skip()
		}
		for _, lv := range []*Level{AVX2, AVX512, FP16} {
			if err := selected(g, lv); err != nil {
				t.Fatalf("%s: %v\n%s", lv.Name, err, g)
			}
		}
	})
}

// selected makes the code of a function for a level, and returns an error that is no refusal. A function whose shapes are
// not those of the level's target is none of the level's.
func selected(g *gang.Func, lv *Level) error {
	defer func() {
		if r := recover(); r != nil {
			if s, ok := r.(string); !ok || !strings.HasPrefix(s, "x86: ") {
				panic(r)
			}
		}
	}()
	_, err := Generate(g, Options{Level: lv, Step: 1, Check: true})
	var refused *gang.Unsupported
	if errors.As(err, &refused) || errors.Is(err, errLanes) {
		return nil
	}
	return err
}

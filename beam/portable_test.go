package beam_test

import (
	"context"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/vet"
	"github.com/purecl/purecl/beam"
)

// TestPortable checks that the job sent to other runners is complete: every reference in it resolves, code runs in
// the given environment, and Beam's own checks of portability pass.
func TestPortable(t *testing.T) {
	p, s := sdk.NewPipelineWithRoot()
	elements := sdk.ParDo(s, split, sdk.Create(s, word{"a", 1}))
	if _, _, err := pick.Apply(s, elements, sdk.Create(s, Scale{Table: []float32{1, 2}}), beam.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := stats.Apply(s, sdk.Create(s, Sample{1, 1}), sdk.Create(s, Limits{}), beam.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := cross.Apply(s, sdk.ParDo(s, splitSource, sdk.Create(s, source{"v", beam.Grid{Width: 1, Height: 1, TileWidth: 1, TileHeight: 1}})), sdk.PCollection{}, beam.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := vet.Execute(context.Background(), p); err != nil {
		t.Errorf("vet: %v", err)
	}
	edges, _, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	env, err := graphx.CreateEnvironment(context.Background(), "beam:env:docker:v1", func(context.Context) string { return "example.org/worker" })
	if err != nil {
		t.Fatal(err)
	}
	job, err := graphx.Marshal(edges, &graphx.Options{Environment: env})
	if err != nil {
		t.Fatal(err)
	}
	c := job.GetComponents()
	code := 0
	for id, x := range c.GetTransforms() {
		for _, sub := range x.GetSubtransforms() {
			if c.GetTransforms()[sub] == nil {
				t.Errorf("transform %s: no part %s", id, sub)
			}
		}
		for _, io := range []map[string]string{x.GetInputs(), x.GetOutputs()} {
			for _, pc := range io {
				if c.GetPcollections()[pc] == nil {
					t.Errorf("transform %s: no collection %s", id, pc)
				}
			}
		}
		if x.GetSpec().GetUrn() == "beam:transform:pardo:v1" {
			code++
			if e := c.GetEnvironments()[x.GetEnvironmentId()]; e.GetUrn() != "beam:env:docker:v1" {
				t.Errorf("transform %s runs in the environment %q", id, e.GetUrn())
			}
		}
	}
	for id, pc := range c.GetPcollections() {
		if c.GetCoders()[pc.GetCoderId()] == nil || c.GetWindowingStrategies()[pc.GetWindowingStrategyId()] == nil {
			t.Errorf("collection %s lacks its coder or windows", id)
		}
	}
	if code < 6 || len(job.GetRootTransformIds()) == 0 {
		t.Errorf("%d transforms with code, %d roots", code, len(job.GetRootTransformIds()))
	}
}

// TestStaticWorker checks that the program that workers download needs no libraries.
func TestStaticWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("links a program")
	}
	name := filepath.Join(t.TempDir(), "worker")
	cmd := exec.Command("go", "build", "-o", name, "./examples/options")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	libs, err := f.ImportedLibraries()
	if err != nil || len(libs) > 0 || slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Errorf("the worker needs %q, error %v", libs, err)
	}
}

package local_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/purecl/purecl/beam"
	"github.com/purecl/purecl/beam/local"
)

func TestMain(m *testing.M) {
	flag.Parse()
	sdk.Init()
	local.Init()
	os.Exit(m.Run())
}

var double = beam.NewMap[int, float32, float32, beam.None](beam.Kernel{Name: "twice",
	Source: "kernel void twice(global const float *in, global float *out) { size_t i = get_global_id(0); out[i] = 2 * in[i]; }"})

func init() {
	register.Function2x0(count)
	register.Function2x1(format)
	register.DoFn3x0[int, float32, func(int, float32)](&obey{})
	register.Emitter2[int, float32]()
}

func count(n int, emit func(int, float32)) {
	for i := range n {
		emit(i, float32(i))
	}
}

func format(k int, v float32) string { return strconv.Itoa(k) + " " + strconv.Itoa(int(v)) }

// obey writes its process id to a file, and carries out Order when it processes element At.
type obey struct {
	File, Order string
	At          int
}

func (o *obey) ProcessElement(k int, v float32, emit func(int, float32)) {
	if k == o.At {
		_ = os.WriteFile(o.File+"~", []byte(strconv.Itoa(os.Getpid())), 0o600)
		_ = os.Rename(o.File+"~", o.File)
		switch o.Order {
		case "exit":
			os.Exit(3)
		case "panic":
			panic("so ordered")
		case "wait":
			time.Sleep(time.Minute)
		}
	}
	emit(k, v)
}

// job returns a pipeline of n elements through a kernel, with obey before it.
func job(t *testing.T, n int, o *obey) (*sdk.Pipeline, sdk.Scope, sdk.PCollection) {
	t.Helper()
	p, s := sdk.NewPipelineWithRoot()
	in := sdk.Reshuffle(s, sdk.ParDo(s, o, sdk.ParDo(s, count, sdk.Create(s, n))))
	out, _, err := double.Apply(s, in, sdk.PCollection{}, beam.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, s, out
}

// TestExecute checks that the kernel runs in another process.
func TestExecute(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	p, s, out := job(t, 3, &obey{File: file})
	passert.Equals(s, sdk.ParDo(s, format, out), "0 0", "1 2", "2 4")
	if _, err := local.Execute(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	if pid, err := os.ReadFile(file); err != nil || string(pid) == strconv.Itoa(os.Getpid()) {
		t.Errorf("the worker's process is %s, this one %d, error %v", pid, os.Getpid(), err)
	}
}

// TestLostWorker checks that the death of a worker, by itself or killed at any moment, fails the job with an error
// that says so, and that a panic in a worker is an error with its text.
func TestLostWorker(t *testing.T) {
	for _, c := range []struct {
		order string
		want  string
	}{{"exit", "exit status 3"}, {"panic", "so ordered"}, {"wait", "signal: killed"}} {
		file := filepath.Join(t.TempDir(), "pid")
		p, _, _ := job(t, 100, &obey{file, c.order, 50})
		if c.order == "wait" {
			go kill(t, file, 0)
		}
		lost(t, c.order, p, c.want)
	}
	if testing.Short() {
		return
	}
	for delay := 0 * time.Millisecond; delay < 500*time.Millisecond; delay += 100 * time.Millisecond {
		file := filepath.Join(t.TempDir(), "pid")
		p, _, _ := job(t, 3_000_000, &obey{File: file})
		go kill(t, file, delay)
		lost(t, "killed after "+delay.String(), p, "signal: killed")
	}
}

// kill kills the process whose id is in the file, some time after the file appears.
func kill(t *testing.T, file string, delay time.Duration) {
	for {
		text, err := os.ReadFile(file)
		if err != nil {
			time.Sleep(time.Millisecond)
			continue
		}
		pid, err := strconv.Atoi(string(text))
		if err != nil {
			t.Error(err)
			return
		}
		time.Sleep(delay)
		p, err := os.FindProcess(pid)
		if err == nil {
			err = p.Kill()
		}
		if err != nil {
			t.Error(err)
		}
		return
	}
}

// lost runs a pipeline whose worker dies.
func lost(t *testing.T, name string, p *sdk.Pipeline, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := local.Execute(ctx, p)
	if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%s: error %v, want %q", name, err, want)
		return
	}
	if page, readErr := os.ReadFile("../../docs/beyond-one-machine.md"); readErr != nil || errors.Is(err, local.ErrWorker) && name == "wait" && !strings.Contains(string(page), "\n"+err.Error()+"\n") {
		t.Errorf("docs/beyond-one-machine.md does not show %q (%v)", err, readErr)
	}
}

// Package local runs a pipeline on this machine with its kernels in a separate process: Prism and the program in
// one, Beam's worker in another. If the worker dies, for lack of memory or in a driver, the job fails with an error
// and the program continues.
//
// The worker is the same program, started again:
//
//	func main() {
//		flag.Parse()
//		beam.Init()
//		local.Init()
//		…
//		_, err := local.Execute(ctx, p)
//	}
package local

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

var serve = flag.Bool("purecl_worker", false, "be the worker process of github.com/purecl/purecl/beam/local; Execute sets it")

// ErrWorker is the error of a job whose worker process ended before the job.
var ErrWorker = errors.New("the worker process ended before the job")

// Init turns the process into a worker if Execute has started it as one, and then does not return. Call it after
// flag.Parse and beam.Init, and before all other work of the program.
func Init() {
	if !*serve {
		return
	}
	ctx := context.Background()
	s, err := extworker.StartLoopback(ctx, 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, "beam:", err)
		os.Exit(1)
	}
	fmt.Println(s.EnvironmentConfig(ctx))
	_, _ = io.Copy(io.Discard, os.Stdin) // input ends when the parent process ends
	os.Exit(0)
}

// running is held while a job runs: the options of Beam's runners are global variables.
var running sync.Mutex

// Execute runs the pipeline on Prism with its worker in a new process, and waits for the end of both. The error is
// [ErrWorker], with the state of the process, if the process ended before the job: it was killed, or called
// os.Exit. Only one job runs at a time.
func Execute(ctx context.Context, p *beam.Pipeline) (beam.PipelineResult, error) {
	running.Lock()
	defer running.Unlock()
	w, err := start()
	if err != nil {
		return nil, fmt.Errorf("beam: starting the worker process: %w", err)
	}
	defer w.stop()
	binary, err := os.CreateTemp("", "purecl-worker-*") // the file that Beam lets workers download: this worker already has it
	if err != nil {
		return nil, err
	}
	defer os.Remove(binary.Name())
	binary.Close()
	defer set(jobopts.EnvironmentType, "EXTERNAL")()
	defer set(jobopts.EnvironmentConfig, w.address)()
	defer set(jobopts.WorkerBinary, binary.Name())()

	if *jobopts.JobName == "" {
		defer set(jobopts.JobName, fmt.Sprintf("purecl-%d-%d", os.Getpid(), jobs.Add(1)))()
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() { // Prism does not notice a worker that dies between two replies, and would wait for ever
		<-w.ended
		cancel(ErrWorker)
	}()
	res, err := prism.Execute(ctx, p)
	if err == nil {
		return res, nil
	}
	cancelJob(*jobopts.Endpoint, *jobopts.JobName)
	select {
	case <-ctx.Done():
	case <-time.After(settle):
	}
	if context.Cause(ctx) == ErrWorker {
		return res, fmt.Errorf("beam: %w: %v", ErrWorker, w.cmd.ProcessState)
	}
	return res, err
}

// settle is how long a failed job waits for the worker's end, which Prism may notice first.
const settle = 200 * time.Millisecond

// jobs numbers the jobs of the process.
var jobs atomic.Int64

// cancelJob cancels an abandoned job, and with it Prism's work for it.
func cancelJob(endpoint, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c, err := grpcx.Dial(ctx, endpoint, 10*time.Second)
	if err != nil {
		return // no job runs
	}
	defer c.Close()
	client := jobpb.NewJobServiceClient(c)
	list, err := client.GetJobs(ctx, &jobpb.GetJobsRequest{})
	if err != nil {
		return
	}
	for _, j := range list.GetJobInfo() {
		if j.GetJobName() == name {
			_, _ = client.Cancel(ctx, &jobpb.CancelJobRequest{JobId: j.GetJobId()}) // it has ended, or will end
		}
	}
}

// set sets an option and returns the function that restores it.
func set(option *string, value string) (restore func()) {
	old := *option
	*option = value
	return func() { *option = old }
}

// A worker is a worker process.
type worker struct {
	cmd     *exec.Cmd
	stdin   io.Closer
	address string
	ended   chan struct{} // closed when the process has ended
}

// start starts a worker process and waits until it accepts connections.
func start() (*worker, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &worker{cmd: exec.Command(program, "-purecl_worker"), ended: make(chan struct{})}
	w.cmd.Stderr = os.Stderr
	stdin, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	w.stdin = stdin
	stdout, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	go func() {
		_ = w.cmd.Wait() // the state is in cmd
		close(w.ended)
	}()
	if err != nil {
		w.stop()
		return nil, fmt.Errorf("%s -purecl_worker says no address (%v): its main must call local.Init", program, w.cmd.ProcessState)
	}
	w.address = strings.TrimSpace(line)
	return w, nil
}

// stop ends the process and waits for its end.
func (w *worker) stop() {
	w.stdin.Close()
	_ = w.cmd.Process.Kill() // it may have ended already
	<-w.ended
}

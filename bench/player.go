//go:build linux

package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/purecl/purecl"
	"github.com/purecl/purecl/internal/cpu/jit"
)

// A Player runs rows' cases on the shared memory.
type Player interface {
	// Play runs the row's kernel repeats times.
	Play(r *Row, small bool, threads, repeats int) (Times, error)
	// Close ends the player.
	Close() error
}

// Times are the durations of runs, and the processor time of all of them together.
type Times struct {
	Runs []time.Duration
	CPU  time.Duration
	// Pending says that the player's process was making code in the background, which later runs may use.
	Pending bool
}

// PureCL is the player that runs kernels in its own process.
type PureCL struct {
	memory *Memory
	row    *Row
	kernel *purecl.Kernel
	// executor ran the kernel reported.
	reported *purecl.Kernel
	executor string
}

// Name returns the executor of the last kernel.
func (p *PureCL) Name() string { return p.executor }

// NewPureCL returns a player on memory m.
func NewPureCL(m *Memory) *PureCL { return &PureCL{memory: m} }

// ServePureCL is [Serve] with PureCL as the player.
func ServePureCL(size string, orders io.Reader, answers io.Writer) error {
	return Serve(size, orders, answers, func(m *Memory) (Server, error) { return NewPureCL(m), nil })
}

// Close does nothing.
func (p *PureCL) Close() error { return nil }

func (r *Row) compile() (*purecl.Kernel, error) {
	text, err := r.source()
	if err != nil {
		return nil, err
	}
	prog, err := purecl.Compile(text, r.Options)
	if err != nil {
		return nil, err
	}
	return prog.Kernel(r.Kernel)
}

// Play implements [Player].
func (p *PureCL) Play(r *Row, small bool, threads, repeats int) (Times, error) {
	if p.row != r {
		k, err := r.compile()
		if err != nil {
			return Times{}, err
		}
		p.row, p.kernel = r, k
	}
	c := r.Case(r.size(small))
	args, err := c.arguments(p.memory)
	if err != nil {
		return Times{}, err
	}
	return times(repeats, func() error { return p.launch(p.kernel, &c, threads, args) })
}

// times measures repeats runs of f.
func times(repeats int, f func() error) (Times, error) {
	t := Times{Runs: make([]time.Duration, repeats)}
	cpu := processorTime()
	for i := range t.Runs {
		start := time.Now()
		if err := f(); err != nil {
			return t, err
		}
		t.Runs[i] = time.Since(start)
	}
	t.CPU, t.Pending = processorTime()-cpu, jit.Pending()
	return t, nil
}

// processorTime returns the processor time of this process, as the sum of its threads' clocks. The process clock
// would miss up to 4 ms: it leaves out the time of threads on other processors since their last timer tick.
func processorTime() time.Duration {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		panic(err) // Linux always has this folder
	}
	sum := time.Duration(0)
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			continue
		}
		const perThread, scheduled = 4, 2 // CPUCLOCK_PERTHREAD_MASK, CPUCLOCK_SCHED
		var t unix.Timespec
		if unix.ClockGettime(int32(^id<<3|perThread|scheduled), &t) == nil { // else the thread has ended
			sum += time.Duration(t.Nano())
		}
	}
	return sum
}

// First returns the times from the source text to the results of the row's small case, each without anything
// cached.
func (p *PureCL) First(r *Row, threads, repeats int) (Times, error) {
	c := r.Case(r.Small)
	args, err := c.arguments(p.memory)
	if err != nil {
		return Times{}, err
	}
	return times(repeats, func() error {
		k, err := r.compile()
		if err != nil {
			return err
		}
		return p.launch(k, &c, threads, args)
	})
}

func (p *PureCL) launch(k *purecl.Kernel, c *Case, threads int, args []any) error {
	o := purecl.Options{Workers: threads}
	if k != p.reported {
		p.reported = k
		o.Report = func(r *purecl.Report) { p.executor = r.Executor }
	}
	k = k.With(o)
	r := purecl.Range(c.Global...)
	if c.Local != nil {
		r = r.Local(c.Local...)
	}
	return k.Run(context.Background(), r, args...)
}

// arguments returns the case's arguments for a launch: memory objects as bytes, or images.
func (c *Case) arguments(m *Memory) ([]any, error) {
	var args []any
	for i, part := range c.objects(m) {
		switch a := c.Args[i]; {
		case a.number != nil:
			args = append(args, a.number)
		case a.picture != nil:
			x, err := a.picture.over(part)
			if err != nil {
				return nil, err
			}
			args = append(args, x)
		default:
			args = append(args, part)
		}
	}
	return args, nil
}

// A process is a player in another process, which answers each order, a line, with a line. If it ended, or had to
// be killed, the next order starts it again.
type process struct {
	command  func() *exec.Cmd
	settings []string // added to the environment
	memory   *Memory
	cmd      *exec.Cmd // nil if not running
	orders   io.WriteCloser
	answers  *bufio.Reader
}

// patience is the longest duration of an order.
const patience = time.Minute

func (p *process) start() error {
	cmd := p.command()
	cmd.Env = append(os.Environ(), p.settings...)
	cmd.ExtraFiles = []*os.File{p.memory.file}
	cmd.Stderr = os.Stderr
	orders, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd, p.orders, p.answers = cmd, orders, bufio.NewReader(answers)
	return nil
}

// Close ends the process.
func (p *process) Close() error {
	if p.cmd == nil {
		return nil
	}
	p.orders.Close()
	err := p.cmd.Wait()
	p.cmd = nil
	return err
}

func (p *process) ask(order string) (string, error) {
	if p.cmd == nil {
		if err := p.start(); err != nil {
			return "", err
		}
	}
	cmd := p.cmd
	timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_, err := io.WriteString(p.orders, order+"\n")
	var answer string
	if err == nil {
		answer, err = p.answers.ReadString('\n')
	}
	if err != nil {
		return "", fmt.Errorf("%s ended on the order %q: %w", filepath.Base(cmd.Path), order, errors.Join(err, p.Close()))
	}
	answer = strings.TrimSpace(answer)
	if why, bad := strings.CutPrefix(answer, "error: "); bad {
		return "", errors.New(why)
	}
	return answer, nil
}

// Reference is the player of C functions.
type Reference struct {
	*process
	function func(*Row) string // name of the C function
}

// NewReference returns the player of the reference program at path.
func NewReference(path string, m *Memory) *Reference {
	return newReference(path, m, func(r *Row) string { return r.Reference })
}

// NewLibraries returns the player of the program at path that [BuildLibraries] has compiled. It runs the rows that
// have a Library, on one thread.
func NewLibraries(path string, m *Memory) *Reference {
	p := newReference(path, m, func(r *Row) string { return r.Library })
	p.settings = []string{"OPENBLAS_NUM_THREADS=1"}
	return p
}

func newReference(path string, m *Memory, function func(*Row) string) *Reference {
	return &Reference{&process{command: func() *exec.Cmd { return exec.Command(path) }, memory: m}, function}
}

// Play implements [Player].
func (p *Reference) Play(r *Row, small bool, threads, repeats int) (Times, error) {
	c := r.Case(r.size(small))
	offsets, _ := c.layout()
	answer, err := p.ask(c.order(p.function(r), offsets, threads, repeats))
	if err != nil {
		return Times{}, err
	}
	var list []time.Duration
	for _, s := range strings.Fields(answer) {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return Times{}, err
		}
		list = append(list, time.Duration(n))
	}
	if len(list) != repeats+1 {
		return Times{}, fmt.Errorf("the reference answered %q", answer)
	}
	return Times{Runs: list[1:], CPU: list[0]}, nil
}

// Remote is a player in a process of its own, which can have another environment.
type Remote struct {
	*process
	// Executor is the name of what ran the last kernel.
	Executor string
}

// An order is a line that a Remote writes to its process, an answer the line that comes back.
type order struct {
	Row              string
	First, Small     bool
	Threads, Repeats int
}

type answer struct {
	Times    Times
	Executor string
}

// NewRemote returns a player that runs this program again, with settings such as "PURECL_CPU=avx2" added to its
// environment. The program's main function must call [Serve] if its first argument is "serve".
func NewRemote(m *Memory, settings ...string) *Remote {
	return NewRemoteOf(m, settings, "/proc/self/exe")
}

// NewRemoteOf is NewRemote with another program and its arguments. "serve" and the size of the memory in
// bytes follow them.
func NewRemoteOf(m *Memory, settings []string, program string, args ...string) *Remote {
	args = append(args, "serve", strconv.Itoa(len(m.bytes)))
	return &Remote{process: &process{memory: m, settings: settings, command: func() *exec.Cmd { return exec.Command(program, args...) }}}
}

// Play implements [Player].
func (p *Remote) Play(r *Row, small bool, threads, repeats int) (Times, error) {
	return p.play(order{Row: r.Name, Small: small, Threads: threads, Repeats: repeats})
}

// First is [PureCL.First].
func (p *Remote) First(r *Row, threads, repeats int) (Times, error) {
	return p.play(order{Row: r.Name, First: true, Threads: threads, Repeats: repeats})
}

func (p *Remote) play(o order) (Times, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return Times{}, err
	}
	reply, err := p.ask(string(text))
	if err != nil {
		return Times{}, err
	}
	var a answer
	err = json.Unmarshal([]byte(reply), &a)
	p.Executor = a.Executor
	return a.Times, err
}

// A Server is a player that answers the orders of a [Remote].
type Server interface {
	Player
	// First returns how long it takes from the source text to the results of the row's small case, each
	// time from the start.
	First(r *Row, threads, repeats int) (Times, error)
	// Name returns the name of what ran the last kernel.
	Name() string
}

// Serve answers the orders of the process that started this one. size is the size of the shared memory in
// bytes, which is descriptor 3; open returns the player on it.
func Serve(size string, orders io.Reader, answers io.Writer, open func(*Memory) (Server, error)) error {
	n, err := strconv.Atoi(size)
	if err != nil {
		return err
	}
	m, err := openMemory(os.NewFile(3, "memory"), n)
	if err != nil {
		return err
	}
	rows := map[string]*Row{}
	for _, r := range Rows() {
		rows[r.Name] = r
	}
	p, err := open(m)
	if err != nil {
		return err
	}
	for scan := bufio.NewScanner(orders); scan.Scan(); {
		text, err := serve(p, rows, scan.Bytes())
		if err != nil {
			text = []byte("error: " + strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; "))
		}
		if _, err := answers.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func serve(p Server, rows map[string]*Row, line []byte) ([]byte, error) {
	var o order
	if err := json.Unmarshal(line, &o); err != nil {
		return nil, err
	}
	r := rows[o.Row]
	if r == nil {
		return nil, fmt.Errorf("there is no row %s", o.Row)
	}
	play := func() (Times, error) { return p.Play(r, o.Small, o.Threads, o.Repeats) }
	if o.First {
		play = func() (Times, error) { return p.First(r, o.Threads, o.Repeats) }
	}
	times, err := play()
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer{times, p.Name()})
}

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

	"github.com/purecl/purecl"
)

// A Player runs rows' cases on the shared memory.
type Player interface {
	// Play runs the row's kernel repeats times and returns how long each took.
	Play(r *Row, small bool, threads, repeats int) ([]time.Duration, error)
	// Close ends the player.
	Close() error
}

// PureCL is the player that runs kernels in this process.
type PureCL struct {
	memory *Memory
	row    *Row
	kernel *purecl.Kernel
	// Executor is what ran the last kernel.
	Executor string
}

// NewPureCL returns a player on the memory.
func NewPureCL(m *Memory) *PureCL { return &PureCL{memory: m} }

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

// Play is [Player]'s.
func (p *PureCL) Play(r *Row, small bool, threads, repeats int) ([]time.Duration, error) {
	if p.row != r {
		k, err := r.compile()
		if err != nil {
			return nil, err
		}
		p.row, p.kernel = r, k
	}
	c := r.Case(r.size(small))
	args := c.arguments(p.memory)
	times := make([]time.Duration, repeats)
	for i := range times {
		start := time.Now()
		if err := p.launch(p.kernel, &c, threads, args); err != nil {
			return nil, err
		}
		times[i] = time.Since(start)
	}
	return times, nil
}

// First returns how long it takes from the source text to the results of the row's small
// case, each time from the start.
func (p *PureCL) First(r *Row, threads, repeats int) ([]time.Duration, error) {
	c := r.Case(r.Small)
	args := c.arguments(p.memory)
	times := make([]time.Duration, repeats)
	for i := range times {
		start := time.Now()
		k, err := r.compile()
		if err != nil {
			return nil, err
		}
		if err := p.launch(k, &c, threads, args); err != nil {
			return nil, err
		}
		times[i] = time.Since(start)
	}
	return times, nil
}

func (p *PureCL) launch(k *purecl.Kernel, c *Case, threads int, args []any) error {
	rep, err := k.RunWith(context.Background(), purecl.RunOptions{Workers: threads}, purecl.NDRange{Global: c.Global, Local: c.Local}, args...)
	if rep != nil {
		p.Executor = rep.Executor
	}
	return err
}

// arguments returns the case's arguments as RunWith takes them.
func (c *Case) arguments(m *Memory) []any {
	var args []any
	for i, part := range c.objects(m) {
		if a := c.Args[i]; a.number != nil {
			args = append(args, a.number)
		} else {
			args = append(args, a.slice(part))
		}
	}
	return args
}

// a process is a player that answers orders of one line with one line.
type process struct {
	cmd     *exec.Cmd
	orders  io.WriteCloser
	answers *bufio.Reader
}

func start(cmd *exec.Cmd, m *Memory) (*process, error) {
	cmd.ExtraFiles = []*os.File{m.file}
	cmd.Stderr = os.Stderr
	orders, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &process{cmd, orders, bufio.NewReader(answers)}, nil
}

// Close ends the process.
func (p *process) Close() error {
	p.orders.Close()
	return p.cmd.Wait()
}

func (p *process) ask(order string) (string, error) {
	if _, err := io.WriteString(p.orders, order+"\n"); err != nil {
		return "", err
	}
	answer, err := p.answers.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%s ended on the order %q: %w", filepath.Base(p.cmd.Path), order, err)
	}
	answer = strings.TrimSpace(answer)
	if why, bad := strings.CutPrefix(answer, "error: "); bad {
		return "", errors.New(why)
	}
	return answer, nil
}

// Reference is the player of the C functions.
type Reference struct{ *process }

// StartReference starts the reference program.
func StartReference(path string, m *Memory) (*Reference, error) {
	p, err := start(exec.Command(path), m)
	return &Reference{p}, err
}

// Play is [Player]'s.
func (p *Reference) Play(r *Row, small bool, threads, repeats int) ([]time.Duration, error) {
	c := r.Case(r.size(small))
	offsets, _ := c.layout()
	answer, err := p.ask(c.order(r.Reference, offsets, threads, repeats))
	if err != nil {
		return nil, err
	}
	var times []time.Duration
	for _, s := range strings.Fields(answer) {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return nil, err
		}
		times = append(times, time.Duration(n))
	}
	return times, nil
}

// Remote is a PureCL player in a process of its own, which can have another environment.
type Remote struct {
	*process
	// Executor is what ran the last kernel.
	Executor string
}

// An order is what a Remote is told, an answer what it says.
type order struct {
	Row              string
	First, Small     bool
	Threads, Repeats int
}

type answer struct {
	Times    []time.Duration
	Executor string
}

// StartRemote starts this program once more, with settings like "PURECL_CPU=avx2" added to
// its environment. Its main function must call [Serve] when the first argument is "serve".
func StartRemote(m *Memory, settings ...string) (*Remote, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "serve", strconv.Itoa(len(m.bytes)))
	cmd.Env = append(os.Environ(), settings...)
	p, err := start(cmd, m)
	return &Remote{process: p}, err
}

// Play is [Player]'s.
func (p *Remote) Play(r *Row, small bool, threads, repeats int) ([]time.Duration, error) {
	return p.play(order{Row: r.Name, Small: small, Threads: threads, Repeats: repeats})
}

// First is as [PureCL.First].
func (p *Remote) First(r *Row, threads, repeats int) ([]time.Duration, error) {
	return p.play(order{Row: r.Name, First: true, Threads: threads, Repeats: repeats})
}

func (p *Remote) play(o order) ([]time.Duration, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	reply, err := p.ask(string(text))
	if err != nil {
		return nil, err
	}
	var a answer
	err = json.Unmarshal([]byte(reply), &a)
	p.Executor = a.Executor
	return a.Times, err
}

// Serve answers the orders of the process that started this one; size is that of the
// shared memory, descriptor 3.
func Serve(size string, orders io.Reader, answers io.Writer) error {
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
	p := NewPureCL(m)
	for scan := bufio.NewScanner(orders); scan.Scan(); {
		text, err := p.serve(rows, scan.Bytes())
		if err != nil {
			text = []byte("error: " + strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; "))
		}
		if _, err := answers.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func (p *PureCL) serve(rows map[string]*Row, line []byte) ([]byte, error) {
	var o order
	if err := json.Unmarshal(line, &o); err != nil {
		return nil, err
	}
	r := rows[o.Row]
	if r == nil {
		return nil, fmt.Errorf("there is no row %s", o.Row)
	}
	play := func() ([]time.Duration, error) { return p.Play(r, o.Small, o.Threads, o.Repeats) }
	if o.First {
		play = func() ([]time.Duration, error) { return p.First(r, o.Threads, o.Repeats) }
	}
	times, err := play()
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer{times, p.Executor})
}

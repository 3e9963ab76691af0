//go:build linux

package opencl

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/purecl/purecl/bench"
	"github.com/purecl/purecl/internal/compile"
)

// A Player runs rows of package bench on a library. The library decides about threads.
type Player struct {
	cl     *Library
	memory *bench.Memory
	row    *bench.Row
	small  bool
	launch *launch
}

// NewPlayer returns a player that works on the memory.
func NewPlayer(cl *Library, m *bench.Memory) *Player { return &Player{cl: cl, memory: m} }

// Name returns the device's name.
func (p *Player) Name() string { return p.cl.name }

// Close releases the kernel and the memory objects of the last row.
func (p *Player) Close() error {
	if p.launch != nil {
		p.launch.release()
		p.launch = nil
	}
	return nil
}

// Play is [bench.Player]'s. A run is a launch and the wait for its end.
func (p *Player) Play(r *bench.Row, small bool, _, repeats int) (bench.Times, error) {
	if p.row != r || p.small != small || p.launch == nil {
		_ = p.Close()
		l, err := p.prepare(r, small)
		if err != nil {
			return bench.Times{}, err
		}
		p.row, p.small, p.launch = r, small, l
	}
	return bench.Time(repeats, p.launch.run)
}

// First returns how long the library takes from the source text to the results of the row's small case. Its
// cache of programs should be off.
func (p *Player) First(r *bench.Row, _, repeats int) (bench.Times, error) {
	return bench.Time(repeats, func() error {
		l, err := p.prepare(r, true)
		if err != nil {
			return err
		}
		defer l.release()
		return l.run()
	})
}

// A launch is a kernel with its arguments.
type launch struct {
	cl      *Library
	kernel  uintptr
	objects []uintptr
	c       bench.Case
}

func (l *launch) run() error { return l.cl.Run(l.kernel, l.c.Global, l.c.Local) }

func (l *launch) release() {
	for _, m := range l.objects {
		l.cl.ReleaseObject(m)
	}
	l.cl.ReleaseKernel(l.kernel)
}

// prepare builds the row's kernel and sets its arguments.
func (p *Player) prepare(r *bench.Row, small bool) (*launch, error) {
	n := r.Full
	if small {
		n = r.Small
	}
	l := &launch{cl: p.cl, c: r.Case(n)}
	text, err := r.Text()
	if err != nil {
		return nil, err
	}
	numbers, err := Numbers(r, text, &l.c)
	if err != nil {
		return nil, err
	}
	if l.kernel, err = p.cl.Build(text, r.Options, r.Kernel); err != nil {
		if l.kernel, err = p.cl.Build(text, r.Options+" -cl-std=CL3.0", r.Kernel); err != nil {
			return nil, err
		}
	}
	if l.c.Local == nil {
		if l.c.Local, err = p.cl.Required(l.kernel); err != nil {
			l.release()
			return nil, err
		}
	}
	for i, part := range l.c.Objects(p.memory) {
		if err := l.set(i, part, numbers[i]); err != nil {
			l.release()
			return nil, err
		}
	}
	return l, nil
}

// set sets argument i: a number, or the memory object that lies at part.
func (l *launch) set(i int, part, number []byte) error {
	if number != nil {
		return l.cl.SetArg(l.kernel, i, number)
	}
	var m uintptr
	var err error
	if format, size, ok := l.c.Args[i].Image(); ok {
		m, err = l.cl.sharedImage(format, size, part)
	} else {
		m, err = l.cl.shared(part)
	}
	if err != nil {
		return err
	}
	l.objects = append(l.objects, m)
	return l.cl.SetObject(l.kernel, i, m)
}

// Numbers returns the bytes of the case's arguments that are numbers, by argument; nil for memory objects.
func Numbers(r *bench.Row, text string, c *bench.Case) ([][]byte, error) {
	opts, err := compile.ParseOptions(r.Options)
	if err != nil {
		return nil, err
	}
	res, err := compile.Compile(context.Background(), r.Name, []byte(text), opts)
	if err != nil {
		return nil, err
	}
	for _, f := range res.Module.Funcs {
		if f.Kernel == nil || f.Name != r.Kernel {
			continue
		}
		list := make([][]byte, len(c.Args))
		for i, a := range f.Kernel.Args {
			if x := c.Args[i].Number(); x != nil {
				if list[i], err = number(x, int(a.Size), f.Params[i].Type.K.Num().IsFloat()); err != nil {
					return nil, err
				}
			}
		}
		return list, nil
	}
	return nil, fmt.Errorf("the program has no kernel %s", r.Kernel)
}

// number returns a number as a kernel's argument of a size.
func number(x any, size int, float bool) ([]byte, error) {
	var bits uint64
	switch n := x.(type) {
	case int:
		bits = uint64(n)
		if float {
			return number(float64(n), size, float)
		}
	case float64:
		switch bits = math.Float64bits(n); size {
		case 4:
			bits = uint64(math.Float32bits(float32(n)))
		case 2:
			return nil, errors.New("arguments of type half are not supported")
		}
	}
	return binary.LittleEndian.AppendUint64(nil, bits)[:size], nil
}

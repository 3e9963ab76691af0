package launch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// A Program is an instance of a module. It holds the storage of the module's variables, which keep their values
// from launch to launch.
type Program struct {
	Module *ssa.Module
	// Checked compiles the program again with every access of the source, for launches with checks; nil: Module
	// already has them. It is called at most once, and must be set before the first launch.
	Checked func() (*ssa.Module, error)

	compiled   sync.Once
	watched    atomic.Pointer[Program] // the instance for launches with checks, which shares the variables
	watchedErr error

	mu      sync.Mutex
	exec    exec.Executor
	kernels map[string]*Kernel
	objects []exec.Object // number 0 is null
	numbers map[*ssa.Global]uint32
}

// maxVariables bounds the memory of a program's variables.
const maxVariables = 1 << 32

// NewProgram returns an instance of a verified module. If with is nil, the reference executor runs it.
func NewProgram(m *ssa.Module, with exec.Executor) (*Program, error) {
	if with == nil {
		with = interp.Reference
	}
	p := &Program{Module: m, exec: with, kernels: map[string]*Kernel{}, numbers: map[*ssa.Global]uint32{}}
	p.objects = append(p.objects, exec.Object{Name: "null"})
	if err := p.variables(m.Globals); err != nil {
		return nil, err
	}
	return p, nil
}

// variables allocates storage for globals that have none.
func (p *Program) variables(globals []*ssa.Global) error {
	total := int64(0)
	for _, g := range globals {
		if g.Size < 0 || g.Size > maxVariables || total+g.Size > maxVariables && g.Kind != ssa.PtrLocal {
			return fmt.Errorf("variable %s of %d bytes is too large", g.Name, g.Size)
		}
		o := exec.Object{Name: g.Name, Space: g.Kind, Size: g.Size, ReadOnly: g.Kind == ssa.PtrConstant, WhereMsg: "variable"}
		if g.Kind != ssa.PtrLocal {
			total += g.Size
			o.Data = aligned(g.Size)
			copy(o.Data, g.Init)
		}
		p.numbers[g] = uint32(len(p.objects))
		p.objects = append(p.objects, o)
	}
	for _, g := range globals {
		data := p.objects[p.numbers[g]].Data
		for _, r := range g.Relocs {
			if r.Off < 0 || r.Off+8 > int64(len(data)) {
				return fmt.Errorf("variable %s: a pointer at offset %d lies outside it", g.Name, r.Off)
			}
			n, ok := p.numbers[r.Target]
			if !ok {
				return fmt.Errorf("variable %s points to a variable of another program", g.Name)
			}
			binary.LittleEndian.PutUint64(data[r.Off:], uint64(n)<<ssa.ObjectShift|uint64(r.Addend)&ssa.OffsetMask)
		}
	}
	return nil
}

// forChecks returns the instance for launches with checks, which shares the program's variables.
func (p *Program) forChecks() (*Program, error) {
	p.compiled.Do(func() {
		if p.Checked == nil {
			p.watched.Store(p)
			return
		}
		m, err := p.Checked()
		if err == nil {
			var q *Program
			q, err = p.instance(m)
			p.watched.Store(q)
		}
		p.watchedErr = err
	})
	return p.watched.Load(), p.watchedErr
}

// Instance returns an instance of another compilation of the program, which shares its variables.
func (p *Program) Instance(m *ssa.Module) (*Program, error) { return p.instance(m) }

// Copy returns an instance of the program with its own copy of the variables.
func (p *Program) Copy() (*Program, error) {
	q, err := NewProgram(p.Module, p.exec)
	if err != nil {
		return nil, err
	}
	if len(q.objects) == len(p.objects) { // an instance of another compilation has more
		for i := range q.objects {
			copy(q.objects[i].Data, p.objects[i].Data)
		}
	}
	return q, nil
}

// instance returns an instance of another compilation of the program. Pointers stored in the variables refer to the
// same objects in both.
func (p *Program) instance(m *ssa.Module) (*Program, error) {
	q := &Program{Module: m, exec: p.exec, kernels: map[string]*Kernel{}, numbers: map[*ssa.Global]uint32{}}
	q.objects = slices.Clone(p.objects)
	shared := map[string][]*ssa.Global{} // by name: variables of functions may have equal ones
	for _, g := range p.Module.Globals {
		switch o := &q.objects[p.numbers[g]]; g.Kind {
		case ssa.PtrGlobal:
			shared[g.Name] = append(shared[g.Name], g)
		case ssa.PtrLocal:
			o.Size, o.Data = 0, []byte{} // the other compilation has its own
		}
	}
	var own []*ssa.Global
	for _, g := range m.Globals {
		if g.Kind != ssa.PtrGlobal {
			own = append(own, g)
			continue
		}
		list := shared[g.Name]
		if len(list) == 0 || list[0].Size != g.Size {
			return nil, fmt.Errorf("internal error: variable %s is not the same in both compilations", g.Name)
		}
		q.numbers[g] = p.numbers[list[0]]
		shared[g.Name] = list[1:]
	}
	if err := q.variables(own); err != nil {
		return nil, err
	}
	return q, nil
}

// Variables returns the program's objects, of which number 0 is null, and the object numbers of its variables. A
// device with its own memory starts with copies of them.
func (p *Program) Variables() ([]exec.Object, map[*ssa.Global]uint32) { return p.objects, p.numbers }

// aligned returns n zero bytes at an address that is a multiple of 8.
func aligned(n int64) []byte {
	// The allocator aligns blocks of 8 bytes and more.
	return make([]byte, n, max(n, 8))
}

// Variable returns the storage of the program-scope variable of that name, nil if there
// is none.
func (p *Program) Variable(name string) []byte {
	for _, g := range p.Module.Globals {
		if g.Name == name && g.Kind != ssa.PtrLocal {
			return p.objects[p.numbers[g]].Data
		}
	}
	return nil
}

// Location resolves a position in the program's source.
func (p *Program) Location(pos diag.Pos) diag.Location {
	if p.Module.Source == nil || !pos.IsValid() {
		return diag.Location{}
	}
	p.mu.Lock() // a Source indexes its files on first use
	defer p.mu.Unlock()
	return p.Module.Source.Location(pos)
}

// A Kernel is a kernel of a Program.
type Kernel struct {
	Program *Program
	Func    *ssa.Func
	code    [exec.ChecksPedantic + 1]prepared

	survey sync.Once
	local  int64 // the result of LocalVariables
}

type prepared struct {
	once sync.Once
	code exec.Code
	err  error

	launched atomic.Bool
	first    atomic.Int64 // duration of the first launch in nanoseconds
}

// ErrNoKernel is the error of an unknown kernel name.
var ErrNoKernel = errors.New("no such kernel")

// Kernel returns the kernel of that name.
func (p *Program) Kernel(name string) (*Kernel, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := p.kernels[name]; k != nil {
		return k, nil
	}
	f := p.Module.Func(name)
	if f == nil || f.Kernel == nil {
		return nil, fmt.Errorf("%w: %s", ErrNoKernel, name)
	}
	k := &Kernel{Program: p, Func: f}
	p.kernels[name] = k
	return k, nil
}

// forChecks returns the kernel that launches with these checks run.
func (k *Kernel) forChecks(checks exec.Checks) (*Kernel, error) {
	if checks == exec.ChecksNone {
		return k, nil
	}
	p, err := k.Program.forChecks()
	if err != nil || p == k.Program {
		return k, err
	}
	return p.Kernel(k.Func.Name)
}

// Prepare prepares the kernel to run with these checks; a launch does so itself.
func (k *Kernel) Prepare(checks exec.Checks) (exec.Code, error) {
	k, err := k.forChecks(checks)
	if err != nil {
		return nil, err
	}
	c, err := k.prepare(checks, nil)
	if err != nil {
		return nil, err
	}
	return c.code, nil
}

func (k *Kernel) prepare(checks exec.Checks, first *exec.NDRange) (*prepared, error) {
	if checks > exec.ChecksPedantic {
		return nil, fmt.Errorf("no level of checks %d", checks)
	}
	c := &k.code[checks]
	c.once.Do(func() { k.make(c, checks, first) })
	return c, c.err
}

func (k *Kernel) make(c *prepared, checks exec.Checks, first *exec.NDRange) {
	if len(k.Func.Blocks) == 0 {
		c.err = fmt.Errorf("kernel %s has no body", k.Func.Name)
		return
	}
	defer func() {
		if r := recover(); r != nil {
			e := exec.NewInternalError(r)
			e.Kernel, e.Doing = k.Func.Name, "preparing"
			c.err = e
		}
	}()
	defer fpenv.Enter().Leave() // the compiler folds floating-point constants
	c.code, c.err = k.Program.exec.Prepare(k.Func, checks, first)
}

// Times returns the durations of the kernel's compilation, for all checks that it was launched with, and of the
// first launches.
func (k *Kernel) Times() timing.Times {
	var sum timing.Times
	k.times(&sum)
	if p := k.Program.watched.Load(); p != nil && p != k.Program {
		if w, err := p.Kernel(k.Func.Name); err == nil {
			w.times(&sum)
		}
	}
	return sum
}

func (k *Kernel) times(sum *timing.Times) {
	for i := range k.code {
		c := &k.code[i]
		if !c.launched.Load() {
			continue
		}
		t := c.code.Times()
		sum.Add(&t)
		sum[timing.Launch] += time.Duration(c.first.Load())
	}
}

// Memory returns the bytes of local memory of a work-group and of private memory of a work-item, without the
// kernel's arguments.
func (k *Kernel) Memory() (local, private int64) {
	seen := map[*ssa.Global]bool{}
	for _, b := range k.Func.Blocks {
		for _, v := range b.Values {
			switch sym := v.Sym.(type) {
			case *ssa.Global:
				if sym.Kind == ssa.PtrLocal && !seen[sym] {
					seen[sym] = true
					local += sym.Size
				}
			case *ssa.Alloca:
				private += sym.Size
			}
		}
	}
	return local, private
}

// LocalVariables returns the bytes of local memory that the kernel's variables occupy, with their alignment.
// Arguments follow them; see [AfterLocal].
func (k *Kernel) LocalVariables() int64 {
	k.survey.Do(func() {
		used := map[*ssa.Global]bool{}
		for _, b := range k.Func.Blocks {
			for _, v := range b.Values {
				if g, ok := v.Sym.(*ssa.Global); ok {
					used[g] = true
				}
			}
		}
		for _, g := range k.Program.Module.Globals {
			if used[g] && g.Kind == ssa.PtrLocal {
				k.local = AfterLocal(k.local, g.Size)
			}
		}
	})
	return k.local
}

// AfterLocal returns the end of an object of size bytes of local memory that follows an object that ends at end.
func AfterLocal(end, size int64) int64 { return (end+127)&^127 + size }

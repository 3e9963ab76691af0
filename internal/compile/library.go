package compile

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
)

type overload = builtin.Overload

// A libraryCache holds the compiled bodies of builtin functions. Each is in its own module, in which calls of
// other builtins with bodies are external.
type libraryCache struct {
	mu      sync.Mutex
	entries map[string]*libraryEntry // by Overload.Key
}

// A libraryEntry is a body. It is compiled on first use and immutable afterwards.
type libraryEntry struct {
	ov    *overload
	begun atomic.Bool // a goroutine compiles the body or has compiled it
	once  sync.Once
	fn    *ssa.Func
	err   error
}

// library is the cache of the process.
var library = libraryCache{entries: map[string]*libraryEntry{}}

// register adds an overload that a program calls.
func (l *libraryCache) register(ov *overload) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries[ov.Key] == nil {
		l.entries[ov.Key] = &libraryEntry{ov: ov}
	}
}

// entry returns the entry of a function, nil if the function is not in the library.
func (l *libraryCache) entry(x *ssa.Extern) *libraryEntry {
	if !x.Builtin {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entries[x.Name]
}

// link clones the library functions that m calls, directly or indirectly, into m.
func (l *libraryCache) link(m *ssa.Module) error {
	var w sync.WaitGroup
	for _, f := range m.Funcs {
		l.prepare(f, &w)
	}
	w.Wait()
	var failed error
	linker := ssa.Linker{M: m, Lookup: func(x *ssa.Extern) *ssa.Func {
		e := l.entry(x)
		if e == nil {
			return nil
		}
		l.need(e, nil)
		if e.err != nil && failed == nil {
			failed = e.err
		}
		return e.fn
	}}
	if err := linker.Link(); err != nil {
		return err
	}
	return failed
}

// prepare compiles the bodies that f calls, directly or indirectly, each on its own goroutine.
func (l *libraryCache) prepare(f *ssa.Func, w *sync.WaitGroup) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op != ssa.OpExtern {
				continue
			}
			if e := l.entry(v.Sym.(*ssa.Extern)); e != nil && !e.begun.Swap(true) {
				w.Go(func() { l.need(e, w) })
			}
		}
	}
}

// need compiles an entry on first use, and prepares its callees.
func (l *libraryCache) need(e *libraryEntry, w *sync.WaitGroup) {
	e.once.Do(func() { e.fn, e.err = l.compile(e.ov) })
	if e.fn != nil && w != nil {
		l.prepare(e.fn, w)
	}
}

// compile compiles the body of an overload. It ignores the context of the calling compilation, because others use
// the entry too.
func (l *libraryCache) compile(ov *overload) (*ssa.Func, error) {
	name, src := builtin.Source(ov)
	res, err := Compile(context.Background(), "<builtin "+ov.Key+">", []byte(src), &Options{
		Source: option.Source{Std: opencl.CL30},
		Until:  IRGen,
	})
	if err != nil {
		return nil, fmt.Errorf("the library's %s: %w", ov.Key, err)
	}
	f := res.Module.Func(name)
	if f == nil {
		return nil, fmt.Errorf("the library's %s: its source has no function %s", ov.Key, name)
	}
	// Programs compiled for checks need all accesses; for other programs the optimiser drops unused ones later.
	if err := opt.Run(res.Module, opt.Config{Roots: []*ssa.Func{f}, KeepAccesses: true}); err != nil {
		return nil, fmt.Errorf("the library's %s: %w", ov.Key, err)
	}
	f.Name = ov.Key
	return f, nil
}

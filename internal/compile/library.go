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

// A libraryCache holds the compiled bodies of builtin functions, each in a module of its
// own in which other builtins with bodies are still external.
type libraryCache struct {
	mu      sync.Mutex
	entries map[string]*libraryEntry // by Overload.Key
}

// A libraryEntry is a body, compiled on first use. It does not change afterwards.
type libraryEntry struct {
	ov    *overload
	begun atomic.Bool // a goroutine has been given it
	once  sync.Once
	fn    *ssa.Func
	err   error
}

// library is the process's library.
var library = libraryCache{entries: map[string]*libraryEntry{}}

// register notes that a program calls the overload.
func (l *libraryCache) register(ov *overload) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries[ov.Key] == nil {
		l.entries[ov.Key] = &libraryEntry{ov: ov}
	}
}

// entry returns the entry of a function, nil if it is not one of the library's.
func (l *libraryCache) entry(x *ssa.Extern) *libraryEntry {
	if !x.Builtin {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entries[x.Name]
}

// link imports the library functions that m calls, directly or not.
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

// prepare compiles the bodies that f calls, directly or not, each on a goroutine of its
// own.
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

// need compiles an entry unless that is done, and prepares its callees.
func (l *libraryCache) need(e *libraryEntry, w *sync.WaitGroup) {
	e.once.Do(func() { e.fn, e.err = l.compile(e.ov) })
	if e.fn != nil && w != nil {
		l.prepare(e.fn, w)
	}
}

// compile compiles the body of an overload. It does not end with the compilation that
// wants it: the entry is for others too.
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
	// A program that is compiled for checks wants to see them; others drop them later.
	if err := opt.Run(res.Module, opt.Config{Roots: []*ssa.Func{f}, KeepAccesses: true}); err != nil {
		return nil, fmt.Errorf("the library's %s: %w", ov.Key, err)
	}
	f.Name = ov.Key
	return f, nil
}

package x86

import (
	"slices"
	"sync"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// stubCache has the code of stubs. Most kernels have the same few, which are as long as the code of a small kernel.
var stubCache = struct {
	sync.RWMutex
	code map[stubKey]*asm.Fragment
}{code: map[stubKey]*asm.Fragment{}}

// mostCachedStubs bounds the cache.
const mostCachedStubs = 1 << 10

// A stubKey determines the code of a stub: it is the stub without its label.
type stubKey struct {
	level *Level
	stub
}

// stub appends the code of a stub, from the cache unless there is a listing.
func (e *emitter) stub(s *stub) {
	if s.kind == sInside && !slices.ContainsFunc(e.stubs, (*stub).callsInside) {
		return
	}
	if e.listing != nil {
		stubCode[s.kind].code(e, s)
		return
	}
	key := stubKey{e.lv, *s}
	key.label = 0
	stubCache.RLock()
	f := stubCache.code[key]
	stubCache.RUnlock()
	if f != nil {
		e.a.Paste(f, fixedLabels{e}.label)
		return
	}
	from := e.a.Mark()
	stubCode[s.kind].code(e, s)
	f = e.a.Cut(from, fixedLabels{e}.number)
	stubCache.Lock()
	if len(stubCache.code) < mostCachedStubs {
		stubCache.code[key] = f
	}
	stubCache.Unlock()
}

// fixedLabels numbers the labels that stubs may refer to, the same in all kernels: 0 is the exit, n is the stub n-1, which every
// kernel has.
type fixedLabels struct{ *emitter }

func (e fixedLabels) label(n asm.Label) asm.Label {
	if n == 0 {
		return e.exit
	}
	return e.stubs[n-1].label
}

// number is the inverse of label.
func (e fixedLabels) number(l asm.Label) asm.Label {
	for n := range asm.Label(numFixedStubs + 1) {
		if e.label(n) == l {
			return n
		}
	}
	panic("x86: a stub refers to code of its kernel")
}

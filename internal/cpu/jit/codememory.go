package jit

import "sync"

// A codeRegion is memory for the code of several kernels: one system call gets it, and one returns it. Each piece of code
// has pages of its own, which are never writable and executable at once.
type codeRegion struct {
	mem  []byte
	used int // bytes of the pieces that were made
	live int // pieces that were not freed
}

// regionSize is the size of a region. Code that is larger than a quarter of it has a region of its own.
const regionSize = 64 << 10

// codeMemory has the region from which the next piece comes, or nil. Its mutex protects all regions.
var codeMemory struct {
	sync.Mutex
	next *codeRegion
}

// A codePiece is code in executable memory.
type codePiece struct {
	mem []byte
	in  *codeRegion
}

// executable returns readable and executable memory with the code.
func executable(code []byte) (codePiece, error) {
	p, err := newPiece(pages(len(code)))
	if err != nil {
		return codePiece{}, err
	}
	copy(p.mem, code)
	if err := protect(p.mem); err != nil {
		p.free()
		return codePiece{}, err
	}
	return p, nil
}

// newPiece returns a writable piece of n bytes.
func newPiece(n int) (codePiece, error) {
	codeMemory.Lock()
	defer codeMemory.Unlock()
	r := codeMemory.next
	if large := n > regionSize/4; large || r == nil || n > len(r.mem)-r.used {
		size := regionSize
		if large {
			size = n
		}
		m, err := allocate(size)
		if err != nil {
			return codePiece{}, err
		}
		if r = (&codeRegion{mem: m}); !large {
			codeMemory.next = r
		}
	}
	m := r.mem[r.used:][:n:n]
	r.used += n
	r.live++
	return codePiece{m, r}, nil
}

// free frees a piece. The system gets its pages back at once, and their addresses with the last piece of the region.
func (p codePiece) free() {
	codeMemory.Lock()
	defer codeMemory.Unlock()
	r := p.in
	if r.live--; r.live > 0 {
		discard(p.mem)
		return
	}
	if codeMemory.next == r {
		codeMemory.next = nil
	}
	release(r.mem)
}

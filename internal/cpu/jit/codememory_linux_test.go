//go:build amd64

package jit

import (
	"bytes"
	"strings"
	"sync"
	"testing"
)

// TestCodeRegions: pieces of code share a region but not pages; a freed piece is empty at once, and a region is unmapped with
// its last piece.
func TestCodeRegions(t *testing.T) {
	if len(levels()) == 0 {
		return // no machine code on this processor
	}
	codeMemory.Lock()
	codeMemory.next = nil
	codeMemory.Unlock()
	var list []codePiece
	piece := func(n int) codePiece {
		p, err := executable(bytes.Repeat([]byte{byte(len(list) + 1)}, n))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
		return p
	}
	a, b, large := piece(1), piece(5000), piece(regionSize/4+1)
	for i, p := range list {
		if n := bytes.Count(p.mem, []byte{byte(i + 1)}); n == 0 || len(p.mem) != pages(n) {
			t.Errorf("piece %d: %d bytes of code in %d", i, n, len(p.mem))
		}
		if s := mapping(t, address(p.mem)); !strings.Contains(s, " r-xp ") {
			t.Errorf("piece %d is mapped so: %q", i, s)
		}
	}
	if a.in != b.in || address(b.mem) != address(a.mem)+uintptr(len(a.mem)) || large.in == a.in {
		t.Errorf("pieces at %#x, %#x and %#x", address(a.mem), address(b.mem), address(large.mem))
	}
	b.free()
	if b.mem[0] != 0 || a.mem[0] != 1 || large.mem[0] != 3 {
		t.Error("a freed piece keeps its code, or another has lost it")
	}
	large.free()
	for range 100 { // more than a region
		piece(4096)
	}
	if list[len(list)-1].in == a.in {
		t.Error("one region has all pieces")
	}
	a.free()
	for _, p := range list[3:] {
		if p.mem[0] == 0 {
			t.Fatal("a piece has lost its code")
		}
		p.free()
	}
	for _, r := range []*codeRegion{a.in, large.in, list[len(list)-1].in} {
		if s := mapping(t, address(r.mem)); r.live != 0 || strings.Contains(s, " r-xp ") {
			t.Errorf("an unused region with %d pieces is mapped so: %q", r.live, s)
		}
	}
}

// TestCodeRegionsConcurrent: goroutines make and free pieces.
func TestCodeRegionsConcurrent(t *testing.T) {
	if len(levels()) == 0 {
		return // no machine code on this processor
	}
	var wait sync.WaitGroup
	for id := range byte(4) {
		wait.Go(func() {
			var list []codePiece
			for n := range 300 {
				p, err := executable(bytes.Repeat([]byte{id + 1}, 1+n%3*4000))
				if err != nil {
					t.Error(err)
					return
				}
				list = append(list, p)
				if n%3 > 0 {
					continue
				}
				for _, p := range list {
					if p.mem[0] != id+1 {
						t.Error("another goroutine's code")
					}
					p.free()
				}
				list = nil
			}
			for _, p := range list {
				p.free()
			}
		})
	}
	wait.Wait()
}

package slab

import (
	"slices"
	"testing"
)

// TestReuse allocates more values than a block has, twice with a Reset between. The second values must be zero, in
// the same memory and without an allocation.
func TestReuse(t *testing.T) {
	type node struct {
		next *node
		n    int
	}
	var s Of[node]
	take := func() (list []*node) {
		for range 5*MaxBlock + 3 {
			p := s.New()
			if *p != (node{}) {
				t.Fatalf("a new value is %v", *p)
			}
			*p = node{p, len(list)}
			list = append(list, p)
		}
		return list
	}
	first := take()
	for i, p := range first {
		if p.next != p || p.n != i {
			t.Fatalf("value %d was handed out twice", i)
		}
	}
	s.Reset()
	if second := take(); !slices.Equal(first, second) {
		t.Error("after Reset the values are others")
	}
	if n := testing.AllocsPerRun(3, func() {
		s.Reset()
		for range 5 * MaxBlock {
			s.New()
		}
	}); n != 0 {
		t.Errorf("%v allocations where memory was free", n)
	}
}

// TestLists nests sequences, some longer than a block, and checks the results.
func TestLists(t *testing.T) {
	var l Lists[int]
	for round := range 3 {
		var all, want [][]int
		for i := range 400 {
			outer := l.Mark()
			for k := range i {
				l.Push(k)
				inner := l.Mark()
				l.Push(-k)
				l.Push(round)
				want = append(want, []int{-k, round})
				if !slices.Equal(l.Since(inner), []int{-k, round}) {
					t.Fatal(l.Since(inner))
				}
				all = append(all, l.Cut(inner))
				if k%50 == 0 {
					all[len(all)-1] = append(all[len(all)-1], 7) // must not overwrite the next slice
					want[len(want)-1] = append(want[len(want)-1], 7)
				}
			}
			var numbers []int
			for k := range i {
				numbers = append(numbers, k)
			}
			all, want = append(all, l.Cut(outer)), append(want, numbers)
		}
		if l.Mark() != 0 {
			t.Fatal("the stack is not empty")
		}
		for i := range want {
			if !slices.Equal(all[i], want[i]) {
				t.Fatalf("round %d: sequence %d is %v, want %v", round, i, all[i], want[i])
			}
		}
		l.Reset()
	}
}

// TestUnlisted checks that slab fields, exported or not, that a list lacks are found.
func TestUnlisted(t *testing.T) {
	var s struct {
		a     Of[int]
		list  Lists[string]
		B     Of[string]
		count int
		words []uint64
	}
	if got := Unlisted(&s, []Resetter{&s.list}); !slices.Equal(got, []string{"a", "B"}) {
		t.Errorf("unlisted are %q", got)
	}
	all := []Resetter{&s.list, &s.a, &s.B}
	if got := Unlisted(&s, all); len(got) > 0 {
		t.Errorf("unlisted are %q", got)
	}
	*s.a.New() = 5
	s.list.Push("x")
	kept := s.list.Cut(0)
	if Reset(all); s.list.Keep([]string{"y"})[0] != kept[0] || *s.a.New() != 0 {
		t.Errorf("%v %v", kept, &s)
	}
}

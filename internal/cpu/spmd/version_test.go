package spmd

import (
	"fmt"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// prepare makes the plan of a kernel (ptr.global a, i32 n). Value v5 is the global id as an i32; some constants
// precede it.
func prepare(t *testing.T, body string, versions bool) *Plan {
	t.Helper()
	m, err := ssa.ParseText("t.ssa", []byte(`kernel @k(v0 ptr.global, v1 i32) {
  arg kind=global name="a" typename="int*" size=4 align=4 elem=i32
  arg kind=value name="n" typename="int" type=i32 size=4 align=4
b0:
  v2 = const u32 0
  v3 = const i32 1
  v4 = workitem u64 v2 query=global_id
  v5 = convert i32 v4
  v6 = convert i64 v5
  v7 = ptradd ptr.global v0, v6
  v8 = const i32 -1
`+body+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := ssa.VerifyModule(m); err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(m.Funcs[0], Options{RowUniform: true, GroupUniform: true, Versions: versions})
	if err != nil {
		t.Fatal(err)
	}
	if err := ssa.VerifyPlan(p.F); err != nil {
		t.Fatalf("%v\n%s", err, p.F)
	}
	return p
}

// TestVersions checks which parts of a kernel have versions, and the stores in them.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		name, body          string
		votes               int
		whole, some, stores int // stores that whole gangs execute together, and others
	}{
		{"early exit", `  v9 = lt bool v5, v1
  branch v9 b1 b2
b1:
  store v7, v5 align=4
  jump b2
b2:
  return
`, 1, 1, 1, 2},
		{"a chain of tests grows once", `  v9 = lt bool v8, v5
  branch v9 b1 b5
b1:
  v10 = add i32 v1, v8
  v11 = lt bool v5, v10
  branch v11 b2 b5
b2:
  v12 = sub i32 v10, v3
  v13 = le bool v5, v12
  branch v13 b3 b5
b3:
  store v7, v5 align=4
  jump b5
b5:
  store v7, v1 align=4
  return
`, 3, 2, 1, 3},
		{"a conjunction", `  v9 = lt bool v8, v5
  v10 = add i32 v1, v8
  v11 = lt bool v5, v10
  v12 = lt bool v1, v3
  v13 = and bool v9, v12
  v14 = and bool v13, v11
  branch v14 b1 b2
b1:
  store v7, v5 align=4
  jump b3
b2:
  store v7, v1 align=4
  jump b3
b3:
  return
`, 2, 2, 2, 4},
		{"clamped and wrapped indices", `  v9 = const i32 0
  v10 = add i32 v1, v8
  v11 = max i32 v5, v3
  v12 = min i32 v11, v10
  v13 = convert i64 v12
  v14 = ptradd ptr.global v0, v13
  v15 = load i32 v14 align=1
  v16 = eq bool v5, v10
  v17 = add i32 v5, v3
  v18 = select i32 v16, v9, v17
  v19 = convert i64 v18
  v20 = ptradd ptr.global v0, v19
  store v20, v15 align=1
  return
`, 3, 2, 0, 2},
		{"data says nothing", `  v9 = load i32 v7 align=4
  v10 = lt bool v9, v1
  branch v10 b1 b2
b1:
  store v7, v5 align=4
  jump b2
b2:
  return
`, 0, 0, 1, 1},
		{"an id's low bits neither", `  v9 = and i32 v5, v3
  v10 = lt bool v9, v3
  branch v10 b1 b2
b1:
  store v7, v5 align=4
  jump b2
b2:
  return
`, 0, 0, 1, 1},
		{"one lane only", `  v10 = eq bool v5, v1
  branch v10 b1 b2
b1:
  store v7, v5 align=4
  jump b3
b2:
  store v7, v1 align=4
  jump b3
b3:
  return
`, 1, 1, 2, 3},
		{"a loop that lanes leave one after the other", `  jump b1
b1:
  v10 = phi i32 b0:v8 b2:v12
  v11 = lt bool v10, v5
  branch v11 b2 b3
b2:
  store v7, v10 align=4
  v12 = add i32 v10, v3
  jump b1
b3:
  return
`, 1, 1, 1, 2},
		{"a test in such a loop", `  jump b1
b1:
  v10 = phi i32 b0:v8 b4:v12
  v11 = lt bool v10, v5
  branch v11 b2 b5
b2:
  v13 = le bool v5, v1
  branch v13 b3 b4
b3:
  store v7, v10 align=4
  jump b4
b4:
  v12 = add i32 v10, v3
  jump b1
b5:
  return
`, 2, 1, 2, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := prepare(t, c.body, true)
			votes, whole, some := 0, 0, 0
			for _, b := range p.Order {
				for _, v := range b.Values {
					switch {
					case v.Op == ssa.OpVote:
						votes++
					case v.Op == ssa.OpStore && p.Divergent[b.ID]:
						some++
					case v.Op == ssa.OpStore:
						whole++
					}
				}
			}
			got, want := fmt.Sprint(votes, whole, some), fmt.Sprint(c.votes, c.whole, c.some)
			if got != want || whole+some != c.stores {
				t.Errorf("votes, stores by whole gangs, others: got %s, want %s\n%s\n%s", got, want, p.F, p)
			}
			origins := map[*ssa.Value]bool{}
			for _, b := range prepare(t, c.body, false).Order {
				for _, v := range b.Values {
					if v.Op == ssa.OpStore {
						origins[v] = true
					}
				}
			}
			seen := map[*ssa.Value]bool{}
			for _, b := range p.Order {
				for _, v := range b.Values {
					if v.Op == ssa.OpStore {
						seen[p.Origin(v)] = true
					}
				}
			}
			if len(seen) != len(origins) {
				t.Errorf("%d stores are copies of %d, want %d", c.stores, len(seen), len(origins))
			}
		})
	}
}

// TestVersionsEnd: a kernel too large to copy stays unchanged.
func TestVersionsEnd(t *testing.T) {
	body := "  v9 = lt bool v5, v1\n  branch v9 b1 b2\nb1:\n"
	for i := range maxCopied {
		body += fmt.Sprintf("  v%d = add i32 v5, v1\n", 10+i)
	}
	body += "  store v7, v10 align=4\n  jump b2\nb2:\n  return\n"
	p := prepare(t, body, true)
	if n := p.F.CountValues(); n > maxCopied+30 {
		t.Errorf("%d values", n)
	}
}

// TestLoopAfterBranch: the counter of a loop after a divergent branch is uniform if it begins with one value.
func TestLoopAfterBranch(t *testing.T) {
	p := prepare(t, `  v9 = load i32 v7 align=4
  v10 = const i32 0
  v11 = lt bool v9, v1
  branch v11 b1 b2
b1:
  store v7, v5 align=4
  jump b2
b2:
  v12 = phi i32 b0:v10 b1:v10 b3:v14
  v13 = lt bool v12, v1
  branch v13 b3 b4
b3:
  barrier flags=1
  v14 = add i32 v12, v3
  jump b2
b4:
  return
`, false)
	for _, l := range p.Loops.All {
		for _, v := range l.Header.Phis() {
			if p.Varying[v.ID] {
				t.Errorf("the loop's counter varies\n%s", p.Dump())
			}
		}
	}
}

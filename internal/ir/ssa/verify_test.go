package ssa

import (
	"strings"
	"testing"
)

// TestVerifyRejects has one rule per row: the body of @f, and part of the error.
func TestVerifyRejects(t *testing.T) {
	const head = "global @g ptr.constant size=4 align=4\nfunc @h(v0 i32) i32 {\nb0:\n  return v0\n}\nfunc @f(v0 i32, v1 f32, v2 ptr.global, v3 v4f32, v4 bool) {\n"
	for _, c := range []struct{ body, want string }{
		{"", "no blocks"},
		{"b0:\n v9 = add i32 v0 v0\n", "no terminator"},
		{"b0:\n return\n return\n", "terminator before the end of the block"},
		{"b0:\n jump b0\n", "entry block has predecessors"},
		{"b0:\n jump b1\nb1:\n v9 = add i32 v0 v0\n v8 = phi i32 b0:v0\n return\n", "phi after other values"},
		{"b0:\n branch v4 b1 b1\nb1:\n v8 = phi i32 b0:v0 b0:v9\n v9 = add i32 v0 v0\n return\n", "does not dominate"},
		{"b0:\n v9 = add i32 v0 v0\n branch v4 b1 b1\nb1:\n v8 = phi i32 b0:v0 b0:v9\n return\n", "different values from b0"},
		{"b0:\n branch v4 b1 b2\nb1:\n v9 = add i32 v0 v0\n jump b2\nb2:\n v8 = add i32 v9 v0\n return\n", "v9 does not dominate"},
		{"b0:\n v8 = add i32 v9 v0\n v9 = add i32 v0 v0\n return\n", "v9 does not dominate"},
		{"b0:\n jump b1\nb1:\n v9 = alloca ptr.private size=4 align=4\n return\n", "misplaced"},
		{"b0:\n v9 = param i32 index=0\n return\n", "misplaced"},
		{"b0:\n v9 = add i32 v0 v1\n return\n", "wrong types"},
		{"b0:\n v9 = add bool v4 v4\n return\n", "undefined on bool"},
		{"b0:\n v9 = and f32 v1 v1\n return\n", "undefined on f32"},
		{"b0:\n v9 = fma i32 v0 v0 v0\n return\n", "undefined on i32"},
		{"b0:\n v9 = lt i32 v0 v0\n return\n", "wrong types"},
		{"b0:\n v9 = lt bool v4 v4\n return\n", "undefined on bool"},
		{"b0:\n v9 = lt bool v3 v3\n return\n", "wrong types"},
		{"b0:\n v9 = abs i32 v0\n return\n", "wrong types"},
		{"b0:\n v9 = add i32 v0\n return\n", "1 arguments, want 2"},
		{"b0:\n v9 = const v4i32 (1 2)\n return\n", "wrong types"},
		{"b0:\n v9 = const v5i32 1\n return\n", "expected a type"},
		{"b0:\n v9 = splat v4i32 v1\n return\n", "wrong types"},
		{"b0:\n v9 = imagequery i32 v0 query=width\n return\n", "wrong types"},
		{"b0:\n v8 = undef handle\n v9 = imageread v4f32 v8 v1\n return\n", "wrong types"},
		{"b0:\n v8 = undef handle\n v9 = imagequery u32 v8 query=width\n return\n", "wrong types"},
		{"b0:\n v9 = subgroupballot u32 v1\n return\n", "wrong types"},
		{"b0:\n v9 = vote i32 v4\n return\n", "is allowed in plans only"},
		{"b0:\n v9 = end i32 v0 end=first\n return\n", "is allowed in plans only"},
		{"b0:\n gangs at=begin\n return\n", "is allowed in plans only"},
		{"b0:\n fence \"x\"\n return\n", "must not have a name"},
		{"b0:\n v9 = extract f32 v3 lane=4\n return\n", "wrong types"},
		{"b0:\n v9 = shuffle v2f32 v3 v3 lanes=0:8\n return\n", "wrong types"},
		{"b0:\n v9 = shuffle v2f32 v3 v3 lanes=0\n return\n", "wrong types"},
		{"b0:\n v9 = vec v2f32 v1\n return\n", "wrong types"},
		{"b0:\n v9 = select f32 v0 v1 v1\n return\n", "wrong types"},
		{"b0:\n v9 = bitcast i64 v1\n return\n", "wrong types"},
		{"b0:\n v9 = convert.sat f32 v0\n return\n", "wrong types"},
		{"b0:\n v9 = convert v4f32 v0\n return\n", "wrong types"},
		{"b0:\n v9 = ptradd ptr.global v2 v0\n return\n", "wrong types"},
		{"b0:\n v9 = ptrcast ptr.local v2\n return\n", "wrong types"},
		{"b0:\n v9 = load f32 v2 align=3\n return\n", "wrong types"},
		{"b0:\n v9 = load f32 v0 align=4\n return\n", "wrong types"},
		{"b0:\n v9 = global ptr.constant @g\n store v9 v0 align=4\n return\n", "wrong types"},
		{"b0:\n v9 = global ptr.global @g\n return\n", "wrong types"},
		{"b0:\n v9 = atomicrmw.and f32 v2 v1\n return\n", "wrong types"},
		{"b0:\n v9 = workitem u64 v0 query=local_id\n return\n", "wrong types"},
		{"b0:\n v9 = call i32 @h v1\n return\n", "wrong types"},
		{"b0:\n call @h v0\n return\n", "wrong types"},
		{"b0:\n return v0\n", "wrong types"},
		{"b0:\n branch v0 b1 b1\nb1:\n return\n", "wrong types"},
		{"b0:\n branch v4 b1\nb1:\n return\n", "branch with 1 successors"},
		{"b0:\n switch v0 b1 1:b1 1\nb1:\n return\n", "unexpected"},
		{"b0:\n barrier\n v9 = add i32 v8 v0\n return\nb1:\n v8 = add i32 v0 v0\n jump b1\n", "v8 does not dominate"},
	} {
		m, err := ParseText("t", []byte(head+c.body+"}\n"))
		if err == nil {
			err = VerifyModule(m)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.body, err, c.want)
		}
	}
}

// TestVerifyPlan: the verifier rejects ops that only plans may contain in a module, and accepts them in a plan.
func TestVerifyPlan(t *testing.T) {
	planted := map[Op]string{OpRecipEstimate: "v2 = recipestimate f32 v5", OpRsqrtEstimate: "v2 = rsqrtestimate f32 v5", OpPermute: "v2 = permute i32 v0 v0 lanes=1:2", OpRank: "v2 = rank u32 v1", OpCount: "v2 = count u32 v1", OpVote: "v2 = vote i32 v1", OpEnd: "v2 = end i32 v0 end=first", OpInside: "v2 = inside bool v3 of=loop", OpObject: "v2 = object u64 v4 of=bytes", OpLeave: "leave", OpGangs: "gangs at=begin"}
	for op := OpConst; op < NumOps; op++ {
		if !op.Has(PlanOnly) {
			continue
		}
		m := parse(t, "func @f(v0 i32, v1 bool, v3 i64, v4 ptr.global, v5 f32) {\nb0:\n  "+planted[op]+"\n  return\n}\n")
		if err := VerifyModule(m); planted[op] == "" || err == nil || !strings.Contains(err.Error(), "is allowed in plans only") {
			t.Errorf("%v in a module: %v", op, err)
		}
		if err := VerifyPlan(m.Funcs[0]); err != nil {
			t.Errorf("%v in a plan: %v", op, err)
		}
	}
}

// TestVerifyStructure breaks invariants that the text form cannot express.
func TestVerifyStructure(t *testing.T) {
	const src = "func @f(v0 bool) {\nb0:\n  branch v0 b1 b2\nb1:\n  jump b2\nb2:\n  return\n}\n"
	for name, breakIt := range map[string]func(f *Func){
		"predecessors":          func(f *Func) { f.Blocks[2].Preds = f.Blocks[2].Preds[:1] },
		"is a predecessor more": func(f *Func) { f.Blocks[2].Preds[1] = f.Blocks[0] },
		"wrong Block":           func(f *Func) { f.Blocks[1].Values[0].Block = f.Blocks[0] },
		"duplicate number":      func(f *Func) { f.Blocks[1].Values[0].ID = 0 },
		"is not value":          func(f *Func) { f.Params = append(f.Params, f.Params[0]) },
		"not in the function":   func(f *Func) { f.Blocks[0].Values[1].Args[0] = f.NewConst(TBool, 1) },
		"successor is not":      func(f *Func) { f.Blocks[1].Succs[0] = &Block{Func: f, ID: 1 << 20} },
	} {
		m := parse(t, src)
		breakIt(m.Funcs[0])
		if err := Verify(m.Funcs[0]); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want %q, got %v", name, err)
		}
	}
}

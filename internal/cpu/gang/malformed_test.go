package gang_test

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/gang"
)

// TestMalformed reads bad texts. A syntax error names the line and the mistake. An error of the verifier names the line, the
// function, the block and the instruction.
func TestMalformed(t *testing.T) {
	const head = "gang @k lanes=8 {\nparam 0 1 \"p\"\nroot 0 param 0\naccess 0 load\n" // four lines
	body := func(lines string) string { return head + "b0:\n" + lines + "\n}\n" }
	for _, c := range []struct{ text, want string }{
		{"", "line 0: the text ends before the function"},
		{"; only a comment\n", "line 1: the text ends before the function"},
		{"gang k lanes=8 {\n}", `line 1: expected "gang @NAME lanes=N {"`},
		{"gang @ lanes=8 {\n}", `line 1: expected "gang @NAME lanes=N {"`},
		{"gang @k lanes=8\n}", `line 1: expected "gang @NAME lanes=N {"`},
		{"\n\ngang @k lanes=x {\n}", `line 3: expected a number up to 128, found "x"`},
		{"gang @k lanes=256 {\n}", `line 1: expected a number up to 128, found "256"`},
		{"gang @k lanes=6 {\n}", "line 1: lanes must be a power of two"},
		{"gang @k lanes=0 {\n}", "line 1: lanes must be a power of two"},
		{"gang @k full {\n}", "line 1: "},
		{"gang @k lanes=8 whole {\n}", `line 1: unknown word "whole"`},
		{"gang @k lanes=8 rows=-1 {\n}", `line 1: expected a number up to 65536, found "-1"`},
		{"gang @k lanes=8 forms=99999999999 {\n}", "line 1: expected a number"},
		{head + "param 2 1 \"q\"\n}", "line 5: expected param 1"},
		{head + "param 1 x \"q\"\n}", "line 5: expected a number"},
		{head + "param 1 1 q\n}", "line 5: expected a quoted name, found q"},
		{head + "param 1 1\n}", "line 5: expected param 1"},
		{head + "root 3 param 0\n}", "line 5: expected root 1"},
		{head + "root 1 shared 0\n}", `line 5: unknown kind of root "shared"`},
		{head + "root 1 private big \"x\"\n}", `line 5: expected a number up to`},
		{head + "root 1 param p\n}", "line 5: expected a number"},
		{head + "root 1 global x\n}", "line 5: expected a quoted name"},
		{head + "root 1 private align=x 8 \"x\"\n}", "line 5: expected a number"},
		{head + "access 2 load\n}", "line 5: expected access 1 and its name"},
		{head + "access 1\n}", "line 5: expected access 1 and its name"},
		{head + "firstids 0 x\n}", "line 5: expected a number"},
		{head + "sum 0 0 add\n}", "line 5: expected sum 0"},
		{head + "sum 1 0 add i32\n}", "line 5: expected sum 0"},
		{head + "sum 0 0 plus i32\n}", "line 5: there is no sum plus of i32"},
		{head + "sum 0 0 add i31\n}", "line 5: there is no sum add of i31"},
		{head + "s1:i32 = const\n}", "line 5: an instruction outside of a block"},
		{head + "b1:\n  return\n}", "line 5: expected block b0"},
		{head + "b0: depth=x\n  return\n}", "line 5: expected a number"},
		{head + "b0: hot\n  return\n}", `line 5: unknown word "hot"`},
		{head + "bx:\n  return\n}", "line 5: expected a number"},
		{body("  s1:i32 = cnst"), `line 6: unknown op "cnst"`},
		{body("  s1 = const"), "line 6: expected the result's type after s1"},
		{body("  s1:i33 = const"), `line 6: unknown kind "i33"`},
		{body("  v1:i32x99 = const"), "line 6: expected a number up to 16"},
		{body("  x1:i32 = const"), `line 6: expected a register, found "x1"`},
		{body("  s0:i32 = const"), "line 6: there is no register 0"},
		{body("  s:i32 = const"), "line 6: expected a register"},
		{body("  s99999999:i32 = const"), "line 6: expected a number up to"},
		{body("  s1:i32 = const imm=x"), `line 6: expected a number, found "x"`},
		{body("  s1:i32 = const imm=99999999999999999999"), "line 6: expected a number"},
		{body("  s1:i32 = const aux=1"), "line 6: const has no aux"},
		{body("  s1:i32 = const mask=p1"), "line 6: const has no mask"},
		{body("  s1:i32 = const 5"), `line 6: expected a register, found "5"`},
		{body("  s1:i32 = const\n  s1:f32 = const"), "line 7: s1 has the type i32 elsewhere"},
		{body("  s1:i32 = const\n  v2:i32 = splat v1"), "line 7: v1 is of another class elsewhere"},
		{body("  s1:i64 = const\n  v2:i32 = load.sideways s1"), `line 7: unknown op "load.sideways"`},
		{body("  s1:i64 = const\n  v2:i32 = load s1\n  return"), "line 7: @k: b0: v2:i32 = load s1: load is not elementwise"},
		{body("  s1:i64 = const\n  v2:i32 = atomicat.atomicload s1"), `line 7: unknown op "atomicat.atomicload"`},
		{body("  s1:i64 = const\n  v2:i32 = load.contiguous s1 root=-1"), "line 7: expected a number"},
		{body("  s1:i64 = const\n  v2:i32 = load.contiguous s1 fast"), `line 7: expected a register, found "fast"`},
		{body("  branch.plus s1, s1 -> b0, b0"), `line 6: unknown op "branch.plus"`},
		{body("  jump -> c0"), `line 6: expected a block, found "c0"`},
		{body("  jump -> b9"), "line 6: there is no block b9"},
		{body("  s1:i32 = copy s2\n  return"), "line 6: no instruction defines s2"},
		{body("  switch s1 [1 x] -> b0"), `line 6: expected a number, found "x"`},
		{body("  return\nrange s1 1"), "line 7: expected a register, its least and its greatest value"},
		{body("  return") + "x", "line 8: text after the function's end"},
		{head + "b0:\n  return\n", "line 6: the text ends before the function"},
		// The rules.
		{head + "}", "line 1: @k: no blocks"},
		{head + "b0:\nb1:\n  return\n}", "line 5: @k: b0: no terminator"},
		{body("  fence"), "line 6: @k: b0: fence: the block ends without a terminator"},
		{body("  s1:i64 = const\n\n  v2:i32 = load.contiguous s1 root=1\n  return"), "line 8: @k: b0: v2:i32 = load.contiguous s1 root=1: there is no root 1"},
		{body("  s1:i64 = const\n  s2:i32 = load.contiguous s1\n  return"), "line 7: @k: b0: s2:i32 = load.contiguous s1: the value has the wrong class"},
		{body("  s1:u64 = query imm=11\n  return"), "line 6: @k: b0: s1:u64 = query imm=11: no such query"},
		{body("  barrier\n  return"), "line 6: @k: b0: barrier: gangs do not wait in this function"},
		{body("  s1:f32 = const\n  s2:f32 = popcount s1\n  return"), "line 7: @k: b0: s2:f32 = popcount s1: popcount is not defined for f32"},
		{body("  jump -> b1\nb1:\n  jump -> b0, b1"), "line 8: @k: b1: jump -> b0, b1: 2 successors, want 1"},
		{body("  s1:i32 = copy s2\n  s2:i32 = const\n  return"), "line 6: @k: b0: s1:i32 = copy s2: no path has written s2"},
		{body("  s1:f32 = const\n  return\nrange s1 0 1"), "line 8: @k: no such range of s1"},
		{head + "root 1 param 4\nb0:\n  return\n}", "line 5: @k: root 1: there is no parameter 4"},
		{"gang @k lanes=8 {\nparam 0 0 \"p\"\nroot 0 param 0\nb0:\n  return\n}", "line 3: @k: root 0: parameter 0 has 0 elements, a pointer has one"},
		{head + "sum 0 7 add i32\nb0:\n  return\n}", "line 5: @k: sum 0 of a root that does not exist"},
	} {
		f, err := gang.Parse(c.text)
		if err == nil || f != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got the error %v, want %q, of\n%s", err, c.want, c.text)
		}
	}
}

// TestUnread: without a text, an error of the verifier has the function, the block and the instruction.
func TestUnread(t *testing.T) {
	f := gang.NewFunc("k", 8)
	b := f.NewBlock()
	b.Insts = []gang.Inst{{Op: gang.OpNext}}
	b.Succs = []*gang.Block{b, b}
	for _, want := range []string{"@k: b0: next -> b0, b0: the function is not of the work-group", "@k: b0: instruction 0: no op"} {
		if err := gang.Verify(f); err == nil || err.Error() != want {
			t.Errorf("got the error %v, want %q", err, want)
		}
		b.Insts[0].Op = gang.OpInvalid
	}
}

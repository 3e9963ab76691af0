package debug

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/run/program"
)

const example = `#define TWICE(x) ((x) * 2)
typedef struct { int a; float4 v; uchar last; } pair;

int add(int x, int y) {
  int sum = x + y;
  return sum;
}

kernel void k(global int *out, global const int *in, int n) {
  int i = get_global_id(0);
  local int tile[4];
  tile[get_local_id(0)] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  pair p;
  p.a = tile[3 - get_local_id(0)];
  p.v = (float4)(i, 2, 3, 4);
  int total = 0;
  for (int j = 0; j <= i; j++) {
    total = add(total, TWICE(j));
  }
  if (i == 5)
    total += 1000;
  out[i] = total + p.a + n;
}
`

// start begins a session on the example: 8 work-items in groups of 4.
func start(t *testing.T, src string, out *bytes.Buffer) (*Session, []byte) {
	t.Helper()
	m, err := program.Debug([]program.Unit{{Source: program.Source{Name: "k.cl", Text: src}}}, &option.Build{})
	if err != nil {
		t.Fatal(err)
	}
	in, res := make([]byte, 32), make([]byte, 32)
	for i := range 8 {
		binary.LittleEndian.PutUint32(in[i*4:], uint32(i*10))
	}
	s, err := New(Config{Module: m, Kernel: "k", Output: out, Range: launch.Range{Global: []uint64{8}, Local: []uint64{4}},
		Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: res}), launch.Memory(&launch.Buffer{Data: in}), launch.Value([]byte{7, 0, 0, 0})}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, res
}

// where returns the selected work-item's position and the reason of the stop.
func where(s *Session, stop *Stop) string {
	if stop.Reason == AtEnd {
		return "end"
	}
	frames, _ := s.Frames(s.Item)
	g, _, _ := s.ItemIDs(s.Item)
	if len(frames) == 0 {
		return fmt.Sprintf("%s: item %d nowhere", stop.Reason, g[0])
	}
	return fmt.Sprintf("%s: item %d at %s:%d depth %d", stop.Reason, g[0], frames[0].Function, frames[0].Line, len(frames))
}

func at(t *testing.T, s *Session, stop *Stop, want string) {
	t.Helper()
	if got := where(s, stop); got != want {
		t.Fatalf("got %q (%s), want %q", got, stop.Text, want)
	}
}

func value(t *testing.T, s *Session, expr, want string) {
	t.Helper()
	v, err := s.Evaluate(expr)
	got := ""
	if err != nil {
		got = "error: " + err.Error()
	} else {
		got = v.Text()
	}
	if got != want {
		t.Errorf("%s is %q, want %q", expr, got, want)
	}
}

// expected returns the example's result for work-item i.
func expected(i int) int32 {
	sum := int32(i*(i+1)) + int32((i/4*4+3-i%4)*10) + 7
	if i == 5 {
		sum += 1000
	}
	return sum
}

func result(b []byte) (out []int32) {
	for i := range len(b) / 4 {
		out = append(out, int32(binary.LittleEndian.Uint32(b[i*4:])))
	}
	return out
}

// TestSteps tests breakpoints, steps of a work-item and of its group, expressions and the results.
func TestSteps(t *testing.T) {
	s, res := start(t, example, nil)
	b, err := s.BreakAt("k.cl", 17)
	if err != nil || b.Line != 17 {
		t.Fatal(b, err)
	}
	at(t, s, s.Continue(), "breakpoint: item 0 at k:17 depth 1")
	if len(s.Last.Items) != 4 {
		t.Errorf("%d work-items arrive together, want 4", len(s.Last.Items))
	}
	s.Item = 2
	value(t, s, "i", "2")
	value(t, s, "i + 1", "3")
	value(t, s, "total", "<not initialised>")
	value(t, s, "p", "{a: 10, v: (2, 2, 3, 4), last: <not initialised>}")
	value(t, s, "p.v.zx", "(3, 2)")
	value(t, s, "tile", "{0, 10, 20, 30}")
	value(t, s, "tile[get_local_id(0)] * TWICE(2)", "80")
	value(t, s, "add(i, n)", "9")
	value(t, s, "out[get_global_id(0)]", "0")
	value(t, s, "in", "&in[0]")
	value(t, s, "&in[3]", "&in[3]")
	value(t, s, "sin(0.0f) + get_local_size(0)", "4")
	value(t, s, "in[8]", "error: outside of in: bytes 32 to 36 of 32")
	value(t, s, "in[8] + 1", "error: out of bounds: load of 4 bytes at offset 32, outside the 32 bytes of the global memory of in (argument 1)")
	value(t, s, "i = 3", "error: expressions of a debugger cannot write memory")
	value(t, s, "nothing", "error: use of undeclared identifier 'nothing' (column 1)")
	value(t, s, "j", "error: use of undeclared identifier 'j' (column 1)")
	s.Delete(b.ID)
	at(t, s, s.Step(Over, false), "step: item 2 at k:18 depth 1")
	at(t, s, s.Step(Over, false), "step: item 2 at k:19 depth 1")
	value(t, s, "total + j", "0")
	at(t, s, s.Step(Into, false), "step: item 2 at add:5 depth 2")
	value(t, s, "x", "0")
	at(t, s, s.Step(Over, false), "step: item 2 at add:6 depth 2")
	at(t, s, s.Step(Out, false), "step: item 2 at k:19 depth 1")
	at(t, s, s.Step(Over, true), "step: item 2 at k:18 depth 1")
	if frames, _ := s.Frames(0); frames[0].Line != 18 && frames[0].Line != 21 {
		t.Errorf("a step of the group leaves work-item 0 at line %d", frames[0].Line)
	}
	at(t, s, s.Continue(), "end")
	for i, got := range result(res) {
		if got != expected(i) {
			t.Errorf("out[%d] is %d, want %d", i, got, expected(i))
		}
	}
}

// TestConditions tests conditions, hit counts, log texts, and runs to work-items and groups.
func TestConditions(t *testing.T) {
	var out bytes.Buffer
	s, _ := start(t, example, &out)
	b, _ := s.BreakIn("k")
	b.Condition = "get_global_id(0) == 6"
	at(t, s, s.Continue(), "breakpoint: item 6 at k:10 depth 1")
	b.Condition = "no"
	if stop, err := s.Restart(); err != nil || stop.Reason != AtStart {
		t.Fatal(stop, err)
	}
	if stop := s.Continue(); !strings.Contains(stop.Text, "undeclared identifier 'no'") {
		t.Errorf("a wrong condition: %s", stop.Text)
	}
	s.Delete(b.ID)
	l, _ := s.BreakAt("k.cl", 22)
	l.Log = "total {total} of {i}, {i + }"
	h, _ := s.BreakAt("k.cl", 19)
	h.HitCount = 3
	if _, err := s.Restart(); err != nil {
		t.Fatal(err)
	}
	if end := s.Continue(); h.Hits != 3 {
		t.Errorf("%s after %d arrivals, want 3", end.Text, h.Hits)
	}
	s.Delete(h.ID)
	at(t, s, s.Continue(), "end")
	if got := out.String(); !strings.HasPrefix(got, "total 30 of 5, {i + : expected expression") || strings.Count(got, "\n") != 1 {
		t.Errorf("logged %q", got)
	}
	stop, err := s.To([3]uint64{5})
	if err != nil {
		t.Fatal(err)
	}
	at(t, s, stop, "step: item 5 at k:10 depth 1")
	if _, err := s.To([3]uint64{8}); err == nil {
		t.Error("work-item 8 of 8 is reached")
	}
}

// TestBack checks that going back restores earlier states, from which the launch continues to the same results.
func TestBack(t *testing.T) {
	s, res := start(t, example, nil)
	b, _ := s.BreakAt("k.cl", 23)
	b.Condition = "i == 5"
	at(t, s, s.Continue(), "breakpoint: item 5 at k:23 depth 1")
	value(t, s, "total", "1030")
	stop, err := s.StepBack()
	if err != nil {
		t.Fatal(err)
	}
	at(t, s, stop, "step: item 5 at k:22 depth 1")
	value(t, s, "total", "30")
	v, err := s.Evaluate("total")
	if err != nil {
		t.Fatal(err)
	}
	if stop, err = s.WhoWrote(v.Object, v.Offset, 4, s.Item); err != nil {
		t.Fatal(err)
	}
	at(t, s, stop, "data breakpoint: item 5 at k:19 depth 1")
	value(t, s, "total", "20")
	at(t, s, s.Step(Over, false), "step: item 5 at k:18 depth 1")
	value(t, s, "total", "30")
	if stop, err = s.ReverseContinue(); err != nil {
		t.Fatal(err)
	}
	at(t, s, stop, "start: item 1 at k:10 depth 1")
	at(t, s, s.Continue(), "breakpoint: item 5 at k:23 depth 1")
	at(t, s, s.Continue(), "end")
	for i, got := range result(res) {
		if got != expected(i) {
			t.Errorf("out[%d] is %d, want %d", i, got, expected(i))
		}
	}
}

// TestHistory checks that going back works from any step of a long launch, within the memory limit.
func TestHistory(t *testing.T) {
	s, _ := start(t, `kernel void k(global int *out, global const int *in, int n) {
  int x = 0;
  for (int j = 0; j < 30000; j++) {
    x += j ^ n;
    out[get_global_id(0)] = x;
  }
}`, nil)
	s.history.limit = 1 << 20
	at(t, s, s.Continue(), "end")
	if len(s.history.points) > maxPoints || s.history.bytes > s.history.limit {
		t.Errorf("%d snapshots of %d bytes", len(s.history.points), s.history.bytes)
	}
	end := s.tick
	for _, tick := range []int64{end - 1, end / 2, end/2 + 1, 17, end - 100} {
		s.goTo(tick)
		if s.tick != tick {
			t.Errorf("step %d instead of %d", s.tick, tick)
		}
		if tick == end/2 {
			v, err := s.Evaluate("x")
			if err != nil {
				t.Fatal(err)
			}
			before := v.Text()
			s.goTo(0)
			s.goTo(tick)
			value(t, s, "x", before)
		}
	}
}

// TestAccess tests data breakpoints.
func TestAccess(t *testing.T) {
	s, _ := start(t, example, nil)
	s.prepare()
	v, err := s.Evaluate("out[6]")
	if err != nil {
		t.Fatal(err)
	}
	w, err := v.WatchOf("out[6]")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.BreakAccess(w); err != nil {
		t.Fatal(err)
	}
	at(t, s, s.Continue(), "data breakpoint: item 6 at k:23 depth 1")
	if !strings.Contains(s.Last.Text, "writes out[6]: 00 00 00 00 becomes 63 00 00 00") {
		t.Errorf("it says %q", s.Last.Text)
	}
	at(t, s, s.Continue(), "end")
}

// TestFindings checks that findings stop the launch, and that races and uninitialised values are explained in two
// stops.
func TestFindings(t *testing.T) {
	s, _ := start(t, `kernel void k(global int *out, global const int *in, int n) {
  int i = get_global_id(0);
  int x;
  if (i > 6)
    x = 1;
  if (x)
    out[i] = in[i + 1];
  out[0] = i;
}`, nil)
	stop := s.Continue()
	at(t, s, stop, "finding: item 0 at k:6 depth 1")
	first, err := s.Explain(stop.Finding)
	if err != nil {
		t.Fatal(err)
	}
	at(t, s, first, "explanation: item 0 at k:4 depth 1")
	at(t, s, s.Continue(), "explanation: item 0 at k:6 depth 1")
	at(t, s, s.Continue(), "finding: item 0 at k:6 depth 1")
	var stops []string
	for stop := s.Continue(); stop.Reason != AtEnd && len(stops) < 9; stop = s.Continue() {
		stops = append(stops, where(s, stop)+" "+stop.Text)
	}
	text := strings.Join(stops, "\n")
	if strings.Count(text, "one access of a data race") == 0 || strings.Count(text, "the other access of a data race") == 0 || !strings.Contains(text, "out of bounds: load of 4 bytes at offset 32") {
		t.Errorf("the findings are\n%s", text)
	}
}

// TestPause checks that a kernel with an endless loop can be paused.
func TestPause(t *testing.T) {
	s, _ := start(t, "kernel void k(global int *out, global const int *in, int n) { while (n) out[0]++; }", nil)
	s.addRaces()
	s.IgnoreFindings([]string{"all"})
	done := make(chan *Stop)
	go func() { done <- s.Continue() }()
	for {
		s.Pause()
		select {
		case stop := <-done:
			at(t, s, stop, "pause: item 0 at k:1 depth 1")
			return
		default:
		}
	}
}

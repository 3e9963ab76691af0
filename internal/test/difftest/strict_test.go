package difftest

import (
	"slices"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// TestStrictCooperation stops a work-item that others wait for. It does not compare what the others observe then, which
// is unspecified; it compares that the launch fails, the position and the kind.
func TestStrictCooperation(t *testing.T) {
	check := func(body string) (s *strictCheck, differ bool) {
		c := (&faultRow{body: body}).launch()
		m, err := compileCase(c, compile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := guarded(m, c, interp.Reference, exec.ChecksNone, exec.Strict, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		s = &strictCheck{m: m, c: c, limit: time.Minute, want: want, comparable: true}
		for _, e := range MachineExecutors() {
			got, err := guarded(m, c, e, exec.ChecksNone, exec.Strict, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			differ = differ || !slices.Equal(got.errors, want.errors)
			if text := s.difference(e); text != "" {
				t.Errorf("%s: %s", e.Name(), text)
			}
		}
		return s, differ
	}
	const faults = "l[i] = 0; barrier(CLK_LOCAL_MEM_FENCE); uchar v = 0; if (i == 5) v = a[n + 40]; "
	s, differ := check(faults + "l[i] = v + 7; barrier(CLK_LOCAL_MEM_FENCE); out[l[(i + 1) % 24] == 7 ? i : n + 1000] = 1;")
	if !cooperates(s.m) || !differ {
		t.Errorf("the kernel of this test shows nothing: its work-items cooperate: %t, executors differ: %t", cooperates(s.m), differ)
	}
	s.want.faults[0].kind = exec.NullPointer
	if s.want.faults = s.want.faults[:1]; s.difference(MachineExecutors()[0]) == "" {
		t.Error("another first fault is not noticed")
	}
	if s, _ := check("if (i == 5) o[0] = a[n + 40]; o[1] = 1;"); cooperates(s.m) {
		t.Error("work-items that are alone cooperate")
	}
}

func TestBeginAlike(t *testing.T) {
	at := func(group uint64, pos diag.Pos) fault {
		return fault{group: [3]uint64{group}, kind: exec.OutOfBounds, pos: pos}
	}
	for _, c := range []struct {
		got, want []fault
		alike     bool
	}{
		{nil, nil, true},
		{[]fault{at(0, 1)}, nil, false},
		{nil, []fault{at(0, 1)}, false},
		{[]fault{at(0, 1), at(0, 2)}, []fault{at(0, 2), at(1, 1)}, true},
		{[]fault{at(0, 1), at(1, 2)}, []fault{at(0, 2), at(1, 2)}, false},
		{[]fault{at(1, 1)}, []fault{at(0, 1), at(1, 1)}, false},
	} {
		if beginAlike(c.got, c.want) != c.alike {
			t.Errorf("%v and %v: not %t", c.got, c.want, c.alike)
		}
	}
}

// TestLoadsLeftOut checks that dead loads, and one of two equal loads, are removed from machine code even if the
// passes that remove them were skipped.
func TestLoadsLeftOut(t *testing.T) {
	for _, body := range []string{"uchar x[4]; x[i % 4] = a[n + 40]; o[0] = 1;", "o[0] = a[n + i] != a[n + i];"} {
		c := (&faultRow{body: body}).launch()
		if r := Check(c, Options{Executors: MachineExecutors()[:2], Disable: Plain(), Wild: true}); r.Err != nil || len(r.Problems) > 0 {
			t.Errorf("%s: %v %v", body, r.Err, r.Problems)
		}
	}
}

package timing

import (
	"testing"
	"time"
)

// TestClock checks that a clock's phases have no gaps: their sum is the time that passes.
func TestClock(t *testing.T) {
	var c Clock
	start := time.Now()
	c.Begin(Parse)
	time.Sleep(2 * time.Millisecond)
	c.Begin(Check)
	c.Begin(Parse)
	time.Sleep(time.Millisecond)
	c.Begin(None)
	passed := time.Since(start)
	time.Sleep(time.Millisecond)
	c.Begin(None)
	if c.Times[Parse] < 3*time.Millisecond || c.Times.Total() > passed || c.Times.Total() != c.Times[Parse]+c.Times[Check] {
		t.Errorf("%v in %v", c.Times, passed)
	}
	sum := c.Times
	sum.Add(&c.Times)
	if sum[Parse] != 2*c.Times[Parse] || sum.Total() != 2*c.Times.Total() {
		t.Errorf("%v is not twice %v", sum, c.Times)
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for p := None + 1; p < NumPhases; p++ {
		if p.String() == "" || seen[p.String()] {
			t.Errorf("phase %d is called %q", p, p)
		}
		seen[p.String()] = true
	}
}

// TestNow checks that the clock does not go back, and that some of its steps are short.
func TestNow(t *testing.T) {
	least := int64(time.Hour)
	for last, i := Now(), 0; i < 100_000; i++ {
		now := Now()
		if now < last {
			t.Fatalf("%d after %d", now, last)
		}
		if now > last {
			least = min(least, now-last)
		}
		last = now
	}
	if least > 10_000 {
		t.Errorf("the shortest step is of %d ns", least)
	}
}

// TestProcessor checks that processor time increases while the program works.
func TestProcessor(t *testing.T) {
	begin, rounds := Processor(), 0
	for Processor() == begin && rounds < 1e8 {
		rounds++
	}
	if d := Processor() - begin; d <= 0 {
		t.Errorf("%v of processor time for %d rounds", d, rounds)
	}
}

//go:build linux

package bench

import (
	"encoding/json"
	"testing"
	"time"
)

// A pendingPlayer makes code in the background until it has played a number of times.
type pendingPlayer struct {
	Player
	plays, until int
}

func (p *pendingPlayer) Play(_ *Row, _ bool, _, repeats int) (Times, error) {
	p.plays++
	t := Times{Runs: make([]time.Duration, repeats), Pending: p.plays < p.until}
	for i := range t.Runs {
		t.Runs[i] = round
	}
	return t, nil
}

// TestWarmUp checks that the turns begin after the code is ready.
func TestWarmUp(t *testing.T) {
	p := &pendingPlayer{until: 20}
	if err := warmUp(Rows()[0], &side{player: p}); err != nil {
		t.Fatal(err)
	}
	if want := p.until + idleRounds - 1; p.plays != want {
		t.Errorf("%d rounds of launches, want %d", p.plays, want)
	}
}

// TestPending checks that the answer of the process that plays says that it makes code in the background.
func TestPending(t *testing.T) {
	data, err := serve(pendingServer{}, map[string]*Row{"x": {}}, []byte(`{"Row":"x","Repeats":1}`))
	if err != nil {
		t.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(data, &a); err != nil || !a.Times.Pending {
		t.Errorf("answer %s is read as %v, %v", data, a, err)
	}
}

type pendingServer struct{ Server }

func (pendingServer) Play(*Row, bool, int, int) (Times, error) { return Times{Pending: true}, nil }

func (pendingServer) Name() string { return "" }

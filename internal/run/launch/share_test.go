package launch

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestShare checks that each number is passed once, that all calls have ended when Share returns, and that at most
// workers of them run at once.
func TestShare(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 20 {
		wg.Go(func() {
			for _, workers := range []int{0, 1, 2, 5} {
				for _, n := range []int64{0, 1, 2, 63, 1000} {
					counts := make([]int, n) // not atomic: the race detector reports a call that has not ended
					var now, most atomic.Int32
					Share(workers, n, time.Duration(g)*time.Microsecond, func(i int64) {
						if k := now.Add(1); k > most.Load() {
							most.Store(k)
						}
						counts[i]++
						now.Add(-1)
					})
					for i, k := range counts {
						if k != 1 {
							t.Errorf("%d workers: number %d of %d was given %d times", workers, i, n, k)
						}
					}
					if k := most.Load(); k > int32(max(1, workers)) {
						t.Errorf("%d calls at once with %d workers", k, workers)
					}
				}
			}
		})
	}
	wg.Wait()
}

// TestShareTogether checks that long work is shared.
func TestShareTogether(t *testing.T) {
	const workers = 2
	var here sync.WaitGroup
	here.Add(workers)
	Share(workers, workers, time.Second, func(int64) {
		here.Done()
		here.Wait() // wait for the other calls
	})
}

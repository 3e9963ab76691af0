package exec

import (
	"testing"

	"github.com/purecl/purecl/internal/front/diag"
)

// TestKinds checks that each kind has a code of its own, and that the errors are the forbidden accesses and
// diverged barriers.
func TestKinds(t *testing.T) {
	seen := map[*diag.Code]bool{}
	for k := range numFindingKinds {
		c := k.Code()
		if c == nil || seen[c] {
			t.Fatalf("kind %d: code %v", k, c)
		}
		seen[c] = true
		if want := k <= BarrierDivergence; k.IsError() != want {
			t.Errorf("%v: IsError is %t", k, k.IsError())
		}
	}
}

// TestFindingLog checks that the log has the first occurrence of each key and the number of all, for any order of
// records and any division among workers.
func TestFindingLog(t *testing.T) {
	type record struct{ key, group, item uint64 }
	records := []record{{1, 2, 3}, {1, 0, 5}, {2, 1, 1}, {1, 0, 4}, {1, 0, 4}, {2, 1, 0}, {1, 7, 0}}
	for workers := 1; workers <= 3; workers++ {
		logs := make([]*FindingLog[uint64], workers)
		for i := range logs {
			logs[i] = new(FindingLog[uint64])
		}
		for i, r := range records {
			l := logs[int(r.group)%workers]
			if f := l.Record(r.key, r.group, r.item, 1); f != nil {
				*f = Finding{Count: f.Count, Offset: uint64(i), Size: r.key}
			}
		}
		list := MergeFindings(logs)
		if len(list) != 2 {
			t.Fatalf("%d workers: %d findings", workers, len(list))
		}
		for i, want := range []Finding{{Size: 1, Offset: 3, Count: 5}, {Size: 2, Offset: 5, Count: 2}} {
			if f := list[i]; f.Size != want.Size || f.Offset != want.Offset || f.Count != want.Count {
				t.Errorf("%d workers: key %d, record %d, %d times; want %d, %d, %d", workers, f.Size, f.Offset, f.Count, want.Size, want.Offset, want.Count)
			}
		}
	}
}

//go:build linux

package bench

import (
	"testing"
)

// Every row's kernel gives the results of its reference in C.
func TestRows(t *testing.T) {
	program, err := BuildReference("native")
	if err != nil {
		t.Fatal(err)
	}
	rows := Rows()
	m, err := NewMemory(Size(rows, true))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	ref := NewReference(program, m)
	ours := NewPureCL(m)
	names := map[string]bool{}
	for _, r := range rows {
		if names[r.Name] {
			t.Errorf("there are two rows %s", r.Name)
		}
		names[r.Name] = true
		if err := Check(r, true, 2, m, ours, ref); err != nil {
			t.Errorf("%s/%s: %v", r.Class.Name, r.Name, err)
		}
	}
	if err := ref.Close(); err != nil {
		t.Error(err)
	}
}

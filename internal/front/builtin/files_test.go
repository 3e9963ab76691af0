package builtin

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestLibraryFiles checks that libFiles lists all files of lib.
func TestLibraryFiles(t *testing.T) {
	want, err := filepath.Glob("lib/*.cl")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range libFiles {
		got = append(got, f.name)
		if f.text == "" {
			t.Errorf("%s is empty", f.name)
		}
	}
	for i := range want {
		want[i] = filepath.ToSlash(want[i])
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed are %q, lib has %q", got, want)
	}
}

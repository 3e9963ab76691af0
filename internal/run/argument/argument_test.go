package argument

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

var floats = Param{KernelArg: &ssa.KernelArg{Name: "x", TypeName: "float*", Kind: ssa.ArgGlobal, Size: 4}, Elem: numeric.F32, Lanes: 1}

// memory is a source whose only file is in memory.
var memory = &Source{Limit: 1 << 20, Open: func(name string) (*File, error) {
	if name != "x.raw" {
		return nil, fs.ErrNotExist
	}
	r := strings.NewReader("\x00\x00\x80\x3f")
	return &File{ReadSeeker: r, Size: r.Size(), Close: func() error { return nil }}, nil
}}

// TestRange checks that a launch's default sizes are those of the first given buffer, its width first.
func TestRange(t *testing.T) {
	y := floats
	y.KernelArg = &ssa.KernelArg{Name: "y", TypeName: "float*", Kind: ssa.ArgGlobal, Size: 4}
	args, err := Bind("k", []Param{floats, y}, []string{"y=zeros(6x4)"}, memory)
	if err != nil {
		t.Fatal(err)
	}
	if got := Range(args); !slices.Equal(got, []int{6, 4}) {
		t.Errorf("range %v, want [6 4]", got)
	}
	if got := args[0].Data.Shape; !slices.Equal(got, []int{4, 6}) {
		t.Errorf("the buffer that was left out has the shape %v, want [4 6]", got)
	}
}

func TestSource(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"x=x.raw", ""},
		{"x=zeros(1000000)", "argument x: a list of 1000000 elements, each of 4 bytes, is more than the limit of 1 MiB"},
		{"x=y.raw", `argument x: "y.raw" is neither a file nor zeros(N), range(N), rand(N), fill(N,VALUE) or a list [...]`},
		{"x=[1, 2", `argument x: the list "[1, 2" does not end with ]`},
		{"z=1", `kernel k has no argument "z"; it has float* x`},
	} {
		args, err := Bind("k", []Param{floats}, []string{c.spec}, memory)
		switch {
		case err != nil && err.Error() != c.want || err == nil && c.want != "":
			t.Errorf("%s: %v, want %q", c.spec, err, c.want)
		case err == nil && args[0].Data.At(0, 0) != 1:
			t.Errorf("%s: %v", c.spec, args[0].Data)
		}
	}
	if _, err := Bind("k", []Param{floats}, nil, memory); err == nil || err.Error() != "argument x (float*): not given, and there is no other buffer to take its size from" {
		t.Errorf("nothing given: %v", err)
	}
}

package option

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
)

func TestParse(t *testing.T) {
	def := func(pairs ...string) (d []Define) {
		for i := 0; i < len(pairs); i += 2 {
			d = append(d, Define{Name: pairs[i], Value: pairs[i+1]})
		}
		return d
	}
	for _, c := range []struct {
		in   string
		want Build
	}{
		{"", Build{}},
		{"  \t\n ", Build{}},
		{"-D A -DB -D C=2 -DD=x=y", Build{Source: Source{Defines: def("A", "1", "B", "1", "C", "2", "D", "x=y")}}},
		{`-DX="a b" -D "Y=c d" "-DZ=e f" -D 'M(x)=(x)' -DE=`, Build{Source: Source{Defines: def("X", "a b", "Y", "c d", "Z", "e f", "M(x)", "(x)", "E", "")}}},
		{`-DS=\"str\" -DT="\"q\"" -DP=a\ b -DW=C:\dir -DB=\\ -DQ='"\'`, Build{Source: Source{Defines: def("S", `"str"`, "T", `"q"`, "P", "a b", "W", `C:\dir`, "B", `\`, "Q", `"\`)}}},
		{`-Idir -I dir2 -I"dir with space" -I "an other" "-Ithird one" -I./a/../b`, Build{Source: Source{IncludeDirs: []string{"dir", "dir2", "dir with space", "an other", "third one", "./a/../b"}}}},
		{"-DA -UA -U B", Build{Source: Source{Defines: []Define{{Name: "A", Value: "1"}, {Name: "A", Undef: true}, {Name: "B", Undef: true}}}}},
		{"-cl-std=CL1.2", Build{Source: Source{Std: opencl.CL12}}},
		{"-cl-std=CL3.0 -cl-std=CL2.0", Build{Source: Source{Std: opencl.CL20}}},
		{"-cl-std=cl1.1", Build{Source: Source{Std: opencl.CL11}}},
		{"-cl-fast-relaxed-math", Build{Source: Source{FastMath: true}, FiniteMathOnly: true, UnsafeMath: true, NoSignedZeros: true, MadEnable: true, DenormsAreZero: true}},
		{"-cl-unsafe-math-optimizations", Build{UnsafeMath: true, NoSignedZeros: true, MadEnable: true, DenormsAreZero: true}},
		{"-cl-single-precision-constant -cl-denorms-are-zero -cl-fp32-correctly-rounded-divide-sqrt -cl-opt-disable -cl-strict-aliasing -cl-uniform-work-group-size -cl-no-subgroup-ifp -cl-mad-enable -cl-no-signed-zeros -cl-finite-math-only -cl-kernel-arg-info -g",
			Build{Source: Source{KernelInfo: true, SinglePrecision: true}, DenormsAreZero: true, CorrectDivideSqrt: true, OptDisable: true, StrictAliasing: true,
				UniformWorkGroupSize: true, NoSubgroupIFP: true, MadEnable: true, NoSignedZeros: true, FiniteMathOnly: true, Debug: true}},
		{"-w -Werror -ferror-limit=0", Build{Diagnostics: diag.Config{NoWarnings: true, Werror: true, MaxErrors: -1}}},
		{"-Wall -Wextra -Wno-unused -Werror=shadow -Wno-error=undef -ferror-limit=7", Build{Diagnostics: diag.Config{MaxErrors: 7,
			Enable: map[string]bool{"all": true, "extra": true, "unused": false, "shadow": true}, ErrorOf: map[string]bool{"shadow": true, "undef": false}}}},
		{"-O3 -x cl -s \"/tmp/k.cl\"", Build{}},
		{"-O0", Build{OptDisable: true}},
		{"-O0 -O2", Build{}},
		{"-create-library -enable-link-options -cl-denorms-are-zero", Build{CreateLibrary: true, EnableLinkOptions: true, DenormsAreZero: true}},
		{"-cl-nv-verbose -fbin-exe -save-temps=x -cl-nv-maxrregcount=32", Build{Ignored: []string{"-cl-nv-verbose", "-fbin-exe", "-save-temps=x", "-cl-nv-maxrregcount=32"}}},
	} {
		got, err := Parse(c.in)
		c.want.text = c.in
		if err != nil || !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s:\n got %+v %v\nwant %+v", c.in, got, err, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		in, option string
		offset     int
		text       string
	}{
		{"-DA -cl-mad-enabel", "-cl-mad-enabel", 4, "unknown option, did you mean '-cl-mad-enable'?"},
		{"-cl-sdt=CL1.2", "-cl-sdt=CL1.2", 0, "did you mean '-cl-std=CL1.2'?"},
		{"-Zfoo", "-Zfoo", 0, "unknown option"},
		{"  kernel.cl", "kernel.cl", 2, "not an option"},
		{"-cl-std=CLC++", "-cl-std=CLC++", 0, "C++ for OpenCL is not supported"},
		{"-cl-std=CL4.0", "-cl-std=CL4.0", 0, "unknown version 'CL4.0'"},
		{"-g -D", "-D", 3, "argument is missing"},
		{"-D =3", "-D", 0, "macro name missing"},
		{"-g -DA=\"x y", "-DA=\"x y", 3, "the quote at offset 7 is not closed"},
		{"-O9", "-O9", 0, "invalid optimization level"},
		{"-ferror-limit=x", "-ferror-limit=x", 0, "not a number"},
		{"-enable-link-options", "-enable-link-options", 0, "needs -create-library"},
		{"-x spir", "-x", 0, "language 'spir' is not supported"},
		{"-cl-denorms-are-zeroes", "-cl-denorms-are-zeroes", 0, "did you mean '-cl-denorms-are-zero'?"},
	} {
		_, err := Parse(c.in)
		var e *Error
		if !errors.As(err, &e) || e.Option != c.option || e.Offset != c.offset || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %q at %d: %s", c.in, err, c.option, c.offset, c.text)
		}
	}
	if _, err := ParseArgs([]string{"-D", "A=b c", "-bad"}); err == nil || !strings.Contains(err.Error(), "'-bad' at offset 2") {
		t.Error(err)
	}
}

// TestExtensions checks that -cl-ext and -U change the supported features, and that dependencies between features
// of 3.0 are enforced.
func TestExtensions(t *testing.T) {
	for _, c := range []struct {
		options, name string
		want          bool
		err           string
	}{
		{"-cl-std=CL1.2", "cl_khr_fp64", true, ""},
		{"-cl-std=CL1.2 -cl-ext=-cl_khr_fp64", "cl_khr_fp64", false, ""},
		{"-cl-std=CL1.2 -cl-ext=-all,+cl_khr_fp64", "cl_khr_fp64", true, ""},
		{"-cl-std=CL1.2 -cl-ext=-all,+cl_khr_fp64", "cl_khr_fp16", false, ""},
		{"-cl-std=CL1.2 -cl-ext=-all -cl-ext=cl_khr_fp16", "cl_khr_fp16", true, ""},
		{"-cl-std=CL3.0 -U__opencl_c_subgroups", "__opencl_c_subgroups", false, ""},
		{"-cl-ext=-cl_khr_fp64 -cl-std=CL3.0", "", false, "options cl_khr_fp64 and __opencl_c_fp64 are set to different values"},
		{"-cl-std=CL3.0 -U __opencl_c_images", "", false, "requires support of __opencl_c_images feature"},
		{"-cl-ext=-", "", false, "names no extension"},
	} {
		o, err := Parse(c.options)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: the error is %v, want %q", c.options, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.options, err)
		} else if got := o.Supported(c.name); got != c.want {
			t.Errorf("%s: %s is supported: %v", c.options, c.name, got)
		}
	}
	o, err := Parse("-cl-ext=+cl_khr_nosuch")
	if err != nil || len(o.Ignored) != 1 {
		t.Errorf("an extension that the device lacks: %v, %v", o, err)
	}
}

// TestParseArgs checks that the String of a command line's options parses to the same options.
func TestParseArgs(t *testing.T) {
	args := []string{"-D", `A=b "c"`, `-IC:\dir`, "-w", "-DE=", "-D", "M(x, y)=x"}
	got, err := ParseArgs(args, "-cl-std=CL3.0 -DB='d e'", "-O0")
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(got.String())
	if err != nil || !reflect.DeepEqual(got, again) {
		t.Errorf("%s: %+v, %v; want %+v", got, again, err, got)
	}
	if len(got.Defines) != 4 || got.Defines[0].Value != `b "c"` || got.Std != opencl.CL30 || !got.OptDisable {
		t.Errorf("%q is read as %+v", args, got)
	}
	if _, err := ParseArgs(nil, "-w", "-Zx"); err == nil {
		t.Error("a wrong option in a text is no error")
	}
	if s := (*Build)(nil).String(); s != "" {
		t.Errorf("no build has the options %q", s)
	}
}

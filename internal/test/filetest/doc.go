// Package filetest reads the project's textual tests. It knows nothing of the compiler:
// a test file's package hands it functions to run. Expectations that `go test -update`
// rewrites come from those functions, so read the diff.
//
// # IR tests: SSA
//
// A .ssa file is a sequence of cases:
//
//	; test: opt sroa mem2reg
//	; why this case is here (optional comment lines)
//	func @f(v0 i32) i32 { … }
//	; want:
//	func @f(v0 i32) i32 { … }
//
// The words after "test:" are a command and its arguments. "print" parses and prints,
// "verify" verifies a module; the caller brings further commands. The output, or
// "error: " and the error's text, must be exactly the lines after "; want:" up to the
// next "; test:" line; blank lines at either end do not count.
//
// # Diagnostics: Diagnostics
//
// In a .cl file the expectation stands in a comment right after the token at whose first
// byte the diagnostic must begin:
//
//	ushort4 c = convert_uchar4(f) /* ERROR no-vector-conversion "convert_ushort4" */ ;
//	int x = y; // ERROR undeclared "y"
//
// The words are ERROR or WARNING, the code, and one or more quoted strings (Go syntax)
// that the message must contain. Several such comments after one token are several
// diagnostics there. Where no token begins, say where: ERROR@12:7 code "text" (line and
// column from 1), or ERROR@eof. Expected and reported diagnostics must match one to one:
// severity, code, line, column and text. A line of the form
//
//	// options: -cl-std=CL3.0 -DX=1
//
// among the comment lines that begin the file gives the build options.
//
// # Runs: Runs
//
// A .cl or .ssa file that begins with a header of comment lines ("//" or ";"):
//
//	// run: kernel=k global=4,2 local=2,1 offset=0,0 -cl-std=CL3.0
//	// arg: out int4[4] = zeros
//	// arg: n int 7
//	// arg: scratch local 64
//	// want: out (1,2,3,4) (5,6,7,8) 2*(0) _
//
// Each "run:" line begins a case; what is left of its words are build options. Sizes
// have one to three dimensions; without local the implementation chooses. Arguments come
// in the kernel's order; words of each are name, type and values:
//
//   - types are OpenCL C's names (char … ulong, half, float, double, bool, size_t, with
//     2, 3, 4, 8, 16) or the SSA's (i32, v4f32); T[n] is a buffer, a 3-vector takes the
//     place of a 4-vector; "local n" is n bytes of local memory. Without a type an
//     integer is an int, another number a float;
//   - an image is "image2d ORDER TYPE WxH" (image1d, image1d_buffer, image1d_array,
//     image2d_array, image3d with as many sizes as it has coordinates; ORDER and TYPE are
//     OpenCL's names without CL_), its values are elements as they are stored; a sampler
//     "sampler" and words of normalized, none, edge, clamp, repeat, mirror, nearest, linear;
//   - a number is decimal, hexadecimal (0x1.8p3 too), nan, inf, -inf, true, false, or
//     bits(0x7fc00001); it must be representable, floats round to nearest; C's suffixes
//     may stand behind it. A vector is (a,b,c,d); one number stands for all its elements;
//     n*x repeats x;
//   - a buffer's values may also be zeros, fill(x), range(start,step) (range alone counts
//     0, 1, …), rand(seed); elements that are not given are zero.
//
// "want: name values" gives a buffer's contents from its beginning; several lines for
// one name go on where the last ended; _ is any element. nan is any NaN, everything else
// is compared by bits unless "ulp=2", "tol=1e-6" (absolute) or "rel=1e-6" stand before
// the values. "want-error: code "text"…" says that the run must report this finding, and
// so does a comment "FINDS code "text"…" behind a line of the kernel, for that line;
// one that is not announced fails the case. Each case runs on every executor given.
//
// Where to start reading: file.go.
package filetest

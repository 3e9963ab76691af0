// Package filetest reads the project's textual tests. It does not know the compiler: the
// package of a test file passes functions that run the cases. `go test -update` rewrites
// expectations with the results of these functions, so read the diff.
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
// "verify" verifies a module; the caller defines further commands. The output, or
// "error: " and the error's text, must equal the lines from "; want:" to the next
// "; test:" line, except for blank lines at either end.
//
// # Diagnostics: Diagnostics
//
// In a .cl file a comment after a token expects a diagnostic that begins at the first byte
// of the token:
//
//	ushort4 c = convert_uchar4(f) /* ERROR no-vector-conversion "convert_ushort4" */ ;
//	int x = y; // ERROR undeclared "y"
//
// The words are ERROR or WARNING, the code, and one or more quoted strings (Go syntax)
// that the message must contain. Several comments after one token expect several
// diagnostics. Positions without a token are written as ERROR@12:7 code "text" (line and
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
// Each "run:" line begins a case; its other words are build options. Sizes
// have one to three dimensions; without local the implementation chooses. Arguments come
// in the kernel's order. Each has a name, a type and values:
//
//   - types are OpenCL C's names (char … ulong, half, float, double, bool, size_t, with
//     2, 3, 4, 8, 16) or the SSA's (i32, v4f32). T[n] is a buffer, in which a 3-vector has
//     the size of a 4-vector. "local n" is n bytes of local memory. Without a type an
//     integer is an int, another number a float;
//   - an image is "image2d ORDER TYPE WxH" (image1d, image1d_buffer, image1d_array,
//     image2d_array, image3d with as many sizes as it has coordinates; ORDER and TYPE are
//     OpenCL's names without CL_), and its values are the stored elements. A sampler is
//     "sampler" and words of normalized, none, edge, clamp, repeat, mirror, nearest, linear;
//   - a number is decimal, hexadecimal (0x1.8p3 too), nan, inf, -inf, true, false, or
//     bits(0x7fc00001); it must be representable, floats round to nearest; C's suffixes
//     may follow. A vector is (a,b,c,d); one number is the value of all its elements;
//     n*x repeats x;
//   - a buffer's values may also be zeros, fill(x), range(start,step) (range alone counts
//     0, 1, …), rand(seed); other elements are zero.
//
// "want: name values" expects the contents of a buffer from its start. Further lines for
// the same name continue where the previous one ended; _ is any element. nan is any NaN.
// Other values are compared by bits, unless "ulp=2", "tol=1e-6" (absolute) or "rel=1e-6"
// precedes the values. "want-error: code "text"…" expects a finding of the run, and a
// comment "FINDS code "text"…" after a line of the kernel expects one in that line. An
// unexpected finding fails the case. Each case runs on all executors.
//
// Start reading at file.go.
package filetest

// Package bench compares PureCL with other programs on the same kernels and data, in one run, and reports ratios:
// absolute times mean little on shared machines.
//
// # The comparison with C
//
// "make bench" or
//
//	go run ./bench/compare [-run EXPRESSION] [-time 500ms] [-threads N] [-level avx2|avx512|none] [-bounds] [-opencl LIBRARY] [-libraries] [-json]
//
// interleaves two sides. One runs each row's kernel (kernels/*.cl) through the Go API on slices in place, including
// the launch. The other does the same work in C (reference/*.c: gcc -O3 for this processor, intrinsics where gcc
// misses a vectorisation, the same number of threads). -run selects rows by class/name, as in -run
// '^stencil/|saxpy'; -list lists them.
//
// Each side is a process of its own. Both work on the same memory, in huge pages if the system has them: equal
// pages make their cache misses alike. First the results are compared: bit for bit, with a tolerance only where the
// standard gives functions one. Then the sides take turns of some milliseconds each. The first run of a turn, which
// finds the other side's data in the caches, is not counted if it is short. If minima still fall at the end of the
// time, as on a busy machine, it is extended to at most four times as long.
//
// # How to read it
//
//	row         the row's name, the worst ratio first
//	PureCL µs   the shortest run of all turns, including the launch
//	C µs        the same for C, including the time to wake and await its threads
//	ratio       the first divided by the second: above 1 PureCL is slower
//	of medians  the ratio of the medians; if the two differ, other programs disturbed
//	of CPU      the ratio of the processor times of all threads, which other programs disturb
//	            less; it includes the short time that both sides' helpers spin before they sleep
//	rate        PureCL's floating-point operations, or bytes of its memory objects, per second
//	of limit    that rate divided by the machine's: of multiply-adds of the same type in registers, or of a copy
//	            in C of as many bytes. Rows in a core's cache can exceed it, since each thread has its own
//	scaling     PureCL with one worker divided by PureCL with all (-threads)
//	C scaling   the same for C: the machine's limit
//	bounds      PureCL's processor time divided by that without bounds checks (with -bounds):
//	            1.05 means that checks cost 5 %
//	first ms    the shortest time from source text to the results of the small case; below, the median of the rows
//	other       with -opencl or -libraries: the shortest run of the other library, PureCL's time divided by it,
//	            and an OpenCL library's time from source text to the results of the small case, once, without
//	            its cache
//	executor    the executor of the kernel; "reference" is not machine code
//
// The classes follow: geometric means and worst ratios with their bars.
//
//	convert-compute  conversions in a core's cache (cached_), or in registers (chain_)
//	convert-stream   conversions of 64 MiB: memory speed
//	images           images read and written through samplers
//	long             some of the others at sizes that keep 16 threads busy for milliseconds
//	forms            alternative sources of one kernel, each beside the reference of the best
//	rows             work-items that each access a row
//	cooperating      work-groups that cooperate through local memory in many steps
//	steps            steps of algorithms that programs run repeatedly
//	real             kernels of benchmark suites and programs, written anew in the shape of the originals
//	the others       named by their work; one bar holds for all of them together
//
// # Another OpenCL library
//
// With -opencl libOpenCL.so.1 -platform Portable (PoCL) a third process runs the rows on that library, on the same
// memory and with the same number of threads. Results are compared within a relative error of a thousandth. The
// rows on which the library is ahead, and those that it does not run, follow the classes. bench/drivers/compare.py
// compares whole drivers through PyOpenCL.
//
// # OpenBLAS and FFTW
//
// With -libraries a third process does the work of some rows by OpenBLAS (products of matrices, a step of an LU
// decomposition) and FFTW (transforms of 256 points): library/library.c. All sides use one thread, and other rows are
// not measured. Results are compared as with -opencl. "sh setup.sh libraries" installs the two libraries.
//
// # Fairness
//
// A reference is the program that a good C programmer would write for the same algorithm on the same data: the same
// memory accesses, the same operations. It may use means that the kernel cannot express (its own loop order,
// several vectors at once, instructions that C compilers do not find), and PureCL is measured against that. Threads
// claim chunks of the work from a counter, as PureCL's workers do. Products and sums are fused, explicitly, exactly
// where PureCL fuses them (docs/decisions/0001), so that results agree in every bit. Functions are those of glibc's
// vector library. Vectors have PureCL's width: gcc's default would be 32 bytes on many processors that have 64.
// With -level avx2 both sides use AVX2 only.
//
// # On another machine
//
// CGO_ENABLED=0 go build ./bench/compare builds the runner, compare -build FILE -march CPU the reference; both are
// static. There: compare -reference FILE. With -libraries, -build compiles the program with OpenBLAS and FFTW, which
// -library FILE names there. go build ./bench/driver builds the program that -driver names for another
// OpenCL library.
//
// # Adding a row
//
// Add the kernel to a file kernels/*.cl, as a paragraph without an empty line in it; its reference to reference/*.c
// by REFERENCE; and a row to the table of that file's name. go test ./bench compares the results of all rows in
// their small cases.
//
// # Other comparisons
//
// go test ./bench -bench Oclgrind compares the reference executor, with every observer, with Oclgrind.
package bench

// Package bench compares PureCL with other programs on the same kernels and data, in one
// run, and reports ratios: absolute times mean little on shared machines.
//
// # The comparison with C
//
// "make bench" or
//
//	go run ./bench/compare [-run EXPRESSION] [-time 500ms] [-threads N] [-level avx2|avx512|none] [-bounds] [-opencl LIBRARY] [-json]
//
// runs each row's kernel (kernels/*.cl) through the Go API on slices in place, the launch
// included, and the same work in C (reference/*.c: gcc -O3 for this processor, intrinsics
// where gcc does not vectorise what can be, the same number of threads), interleaved. -run
// chooses rows by class/name, as in -run '^stencil/|saxpy'; -list lists them.
//
// Both sides are processes of their own that work on the same memory, mapped in huge pages
// where the system gives them: the same pages, so that caches and their misses are alike.
// First the results are compared: bit for bit, with a tolerance only where the standard
// gives functions one. Then the sides take turns of some milliseconds each; the first run of
// a turn is not counted if it is short, as it finds the caches as another side left them.
// Where minima still fall when the time is over, as on a busy machine, it is up to four times
// as long.
//
// # How to read it
//
//	row         what was measured, the worst ratio first
//	PureCL µs   the shortest run of all turns, launch included
//	C µs        likewise, waking and awaiting the threads included
//	ratio       the first by the second: above 1 PureCL is slower
//	of medians  the same of the medians; where the two differ, something else was running
//	of CPU      the same of the processor time of all threads, which other programs that run
//	            disturb less; both sides' helpers spin a little before they sleep, and that is
//	            in it
//	rate        PureCL's floating-point operations, or the bytes of its memory objects, in a second
//	of limit    that rate divided by the machine's: multiply-adds of the same type in registers, or a copy in C of
//	            as many bytes. Rows in a core's cache can be above it, as their threads' caches are more than one
//	scaling     PureCL with one worker by PureCL with all (-threads)
//	C scaling   the same of the reference: what the machine gives
//	bounds      PureCL's processor time by that without bounds checks (with -bounds), so 1.05:
//	            checks cost 5 %
//	first ms    from source text to the results of the small case, the shortest; below, the median of the rows
//	other       with -opencl: the shortest run on the other OpenCL library, PureCL's time divided by it, and its time
//	            from source text to the results of the small case, once, without its cache of programs
//	executor    what ran the kernel; "reference" is no machine code
//
// Below stand the classes: geometric means and worst ratios with their bars.
//
//	convert-compute  conversions in a core's cache (cached_), or in registers (chain_)
//	convert-stream   conversions of 64 MiB: the speed of memory
//	images           images read and written through samplers
//	long             some of the others at sizes that keep 16 threads busy for milliseconds
//	forms            ways of writing one kernel, each beside the reference of the best
//	rows             work-items that each walk along a row
//	cooperating      work-groups that cooperate through local memory in many steps
//	steps            steps of algorithms that run over and over
//	the others       what their names say; their bars hold for all of them together
//
// # Another OpenCL library
//
// With -opencl libOpenCL.so.1 -platform Portable (PoCL) a further process runs the rows on that library, on the same
// memory and with the same number of threads, and takes its turns. Results are compared within a relative error of a
// thousandth; below the classes stand the rows on which the library is ahead, and those that it does not run.
// bench/drivers/compare.py compares whole drivers through PyOpenCL.
//
// # Fairness
//
// A reference is what a good C programmer would write for the same algorithm on the same data:
// same reads and writes of memory, same operations. It may use what the kernel cannot say (its
// own order of loops, several vectors under way, instructions that C compilers do not find),
// and PureCL is measured against that. Threads take chunks of the work from a counter, as
// PureCL's workers do. Products and sums are fused exactly where PureCL fuses them
// (docs/decisions/0001), by name, so that results agree in every bit. Functions are those of
// glibc's vector library. Vectors have the width that PureCL takes: gcc's own choice would be
// 32 bytes on many processors that have 64. With -level avx2 both sides have AVX2 only.
//
// # On another machine
//
// CGO_ENABLED=0 go build ./bench/compare makes the runner, compare -build FILE -march CPU
// the reference; both are static. There: compare -reference FILE. go build ./bench/driver makes the program that
// -driver names for another OpenCL library.
//
// # Adding a row
//
// A kernel in a paragraph of its own of kernels/*.cl, without an empty line in it; its
// reference in reference/*.c by REFERENCE; a row in the table of that file's name. go test
// ./bench compares the results of all rows in their small cases.
//
// # Other comparisons
//
// go test ./bench -bench Oclgrind compares the reference executor, every observer on, with
// Oclgrind.
package bench

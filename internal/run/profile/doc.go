// Package profile reports where the time of kernels went, by source line.
//
// Input: the times that an executor with a [jit.Profile] has collected, from code that counts its blocks. Output:
// the source with a percentage beside each line, for people, and pprof's format, for its tools.
//
// The times of all threads are added up. A line's share of machine code's time is the execution count of its
// instructions, weighted by their cost with data in the nearest cache: a line that waits for memory takes longer
// than its share.
//
// Must not know: devices, launches, files. Start reading at text.go.
package profile

//go:build linux

// Command clients runs real, unmodified OpenCL programs through libpurecl.so and compares
// their results with the CPU's or with PoCL's. "make clients" runs all of them, "make
// check" the quick ones:
//
//	go run ./clients [-run EXPRESSION] [-quick] [-install] [-record] [-document] [-repeat N] [-driver FILE] [-reference NAME] [-list]
//
// Each program is one row of the table in table.go: the Debian packages that it needs, its
// commands, how their output is read and what may fail for which reason. Commands run in an
// empty directory of their own below -work, once for each driver, with that driver as the
// only one that the OpenCL loader finds. Their output stays there, in output.txt, and the
// driver's log in driver.log.
//
// A row passes when at least one of its tests passed and none failed that the row does not
// explain. Results come from one of three places:
//
//   - the program's own tests (formats in parse.go);
//   - a script in scripts/, which runs the program with OpenCL and without, and prints a
//     line for each comparison;
//   - files that the program writes on both drivers, which must agree (compare.go).
//
// -install installs the Debian packages that are missing and says so; without it a row whose
// packages are missing is skipped. -record writes results.json and docs/clients.md, keeping
// the rows that did not run.
//
// The times are of whole programs, with their start, their own work on the processor and the
// compilation of kernels: nothing is in a cache when a run starts.
package main

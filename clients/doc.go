//go:build linux

// Command clients runs real, unmodified OpenCL programs on libpurecl.so and compares their results with the CPU's
// or with PoCL's. "make clients" runs all of them, "make check" the quick ones:
//
//	go run ./clients [-run EXPRESSION] [-quick] [-install] [-record] [-document] [-repeat N] [-driver FILE] [-reference NAME] [-list]
//
// Each program is a row of the table in table.go: its Debian packages, its commands, the format of their output,
// and the known failures with their reasons. Commands run in an empty directory of their own below -work, once for
// each driver, with that driver as the only one that the OpenCL loader finds. Their output is kept there in
// output.txt, the driver's log in driver.log.
//
// A row passes if at least one of its tests passed and each failure is a known one. Results come from one of three
// sources:
//
//   - the program's own tests (formats in parse.go);
//   - a script in scripts/, which runs the program with OpenCL and without, and prints a
//     line for each comparison;
//   - files that the program writes on both drivers, which must agree (compare.go).
//
// -install installs missing Debian packages and prints their names; without it a row whose packages are missing is
// skipped. -record writes results.json and docs/clients.md, and keeps the results of rows that did not run.
//
// The times are of whole programs: their start, their own work on the processor and the compilation of kernels,
// with empty caches.
package main

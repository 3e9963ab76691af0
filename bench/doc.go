// Package bench compares PureCL with other programs on the same kernels and data, in one
// run, and reports ratios: absolute times mean little on shared machines. It holds
// benchmarks only.
package bench

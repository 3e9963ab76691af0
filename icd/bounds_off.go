//go:build purecl_nobounds

package main

// Without bounds checks a kernel can corrupt its host, so the tag is for benchmarks only.
var _ = this_program_is_not_built_with_purecl_nobounds

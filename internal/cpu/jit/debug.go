package jit

import "github.com/purecl/purecl/internal/cpu/codegen"

// DebugPanics makes a mistake of the code generator crash with its stack instead of
// leaving the kernel to the reference executor, for tests.
var DebugPanics = false

// Made, if it is set, is told of all code that is made, by several goroutines, for tests.
var Made func(*codegen.Code)

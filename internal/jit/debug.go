package jit

// DebugPanics makes a mistake of the code generator crash with its stack instead of
// leaving the kernel to the reference executor, for tests.
var DebugPanics = false

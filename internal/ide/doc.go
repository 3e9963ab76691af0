// Package ide answers an editor's questions about an OpenCL C source file: diagnostics, descriptions and
// completions at a position, definitions and uses of a name.
//
// Input: a file's text with build options and a function that reads included files ([Options]), so that unsaved
// files count. Output: a [Snapshot], whose methods return plain values. Positions are [Range], byte offsets in a
// named file; texts are Markdown. A snapshot is immutable and safe for concurrent use. Files may be incomplete or
// invalid: no method fails or panics.
//
// A snapshot is compiled twice. The first compilation is a normal one and gives the diagnostics. The second runs
// when a method first needs it, and tolerates errors. It reports nothing and fills a check.Info and a
// preprocess.Record, from which index.go lists all names in all files with their meanings.
//
// The package must not know a protocol, a file system or a process: the language server (internal/lsp) and programs
// in a browser build on it. Package machine below describes a kernel's machine code.
//
// Start reading at snapshot.go, then index.go and hover.go.
package ide

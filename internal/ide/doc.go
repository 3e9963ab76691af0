// Package ide answers what an editor asks about an OpenCL C source file: diagnostics, what stands at
// a position, what could be written there, where a name is declared and used.
//
// Input: a file's text with build options and a function that reads included files ([Options]), so
// that unsaved files count. Output: a [Snapshot], whose methods return plain values: places are
// [Range], byte offsets in a named file, texts are Markdown. A snapshot does not change and is safe
// for concurrent use. Broken files are welcome: no method fails or panics.
//
// A snapshot is compiled twice. The first compilation is that of every program and gives the
// diagnostics. The second, made when a method first needs it, goes on after errors, reports nothing
// and fills a check.Info and a preprocess.Record, from which index.go makes a
// list of all names in all files with what each means.
//
// The package must not know a protocol, a file system or a process: the language server
// (internal/lsp) and programs in a browser build on it. The package machine below says
// what machine code makes of a kernel.
//
// Start reading at snapshot.go, then index.go and hover.go.
package ide

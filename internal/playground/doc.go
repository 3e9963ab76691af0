// Package playground is the compiler and the reference executor for a web page.
//
// Input: requests of the page, each a method's name, JSON and files ([Playground.Call]); output: JSON and bytes.
// Texts have offsets in UTF-16 code units, as in the page. methods.go lists the methods; their requests and replies
// are the types of this package, which page/src/protocol.ts repeats.
//
// An instance runs in a Web Worker and serves one request at a time. Nothing here starts a goroutine; a kernel with
// an endless loop is ended with its worker. Several instances can each run a part of a launch (launch.Part), each
// on its own copy of the buffers, whose changes [Playground] merges. alone.go decides which kernels must not be
// split.
//
// The package must not know of a browser (package wasm below does), and must not import machine code. Listings need
// machine code: they are package listing, a separate file that the page loads on demand. Package site serves the
// built page.
//
// Start reading at methods.go, then run.go.
package playground

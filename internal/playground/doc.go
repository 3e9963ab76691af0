// Package playground is the compiler and the reference executor for a page in a browser.
//
// Input: requests of the page, each a method's name, JSON and files ([Playground.Call]); output: JSON and bytes.
// Texts have offsets in UTF-16 code units, as the page counts them. methods.go lists the methods; their requests and
// replies are the types of this package, which page/src/protocol.ts repeats.
//
// One instance runs in one Web Worker and serves one request at a time: nothing here starts a goroutine, and a
// kernel that does not end is ended with its worker. Kernels run on several instances in parts (launch.Part), each
// on its own copy of the buffers, whose changes [Playground] merges; alone.go says which kernels cannot.
//
// The package must not know of a browser (package wasm below does), and must not import machine code: listings,
// which need it, are package listing, in a file of their own that the page loads when somebody looks at them.
// Package site serves the built page.
//
// Start reading at methods.go, then run.go.
package playground

// Package lsp is a language server for OpenCL C: package ide with the Language Server Protocol 3.17.
//
// Input and output: messages on two streams (protocol.Conn). The server keeps the texts of open documents
// (documents.go, workspace.go), compiles each version in the background and publishes its diagnostics (diagnose.go),
// and answers requests (features.go, edit.go). Each request has its own goroutine, which ends early if the client cancels it.
// Notifications are handled in order, so that a request sees every earlier change.
//
// A document is a file of OpenCL C, a header, which is compiled as part of an open file that includes it, or a Go
// file with kernels in it. The build options of a file come from the client's settings, purecl.toml and the file's
// first comments (config.go).
//
// The server is a stack of layers. Each is a type that embeds those below it and uses nothing above itself. The
// receiver of all layers is named s, for the server whose part it is. From the bottom up:
//   - connection (connection.go): messages to the client, and background work;
//   - workspace (workspace.go, documents.go, config.go): documents, files and settings, beside connection; it sends no messages;
//   - publisher (diagnose.go): when documents are compiled, and where their diagnostics go;
//   - features (features.go, edit.go): the answers to requests;
//   - Server (server.go, notified.go): reads messages, starts and cancels requests.
//
// The package must not analyse OpenCL C itself.
//
// Start reading at server.go.
package lsp

// Package protocol has the types of the Language Server Protocol 3.17 that the server uses, generated
// from the protocol's published model (internal/gen/lsp), and the framing of its messages (conn.go).
//
// A property that may have one of several types is an any: the server writes the one that it means.
package protocol

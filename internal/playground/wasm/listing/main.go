//go:build js && wasm

// Command listing runs package listing in a Web Worker; see package bridge.
package main

import (
	"github.com/purecl/purecl/internal/playground/listing"
	"github.com/purecl/purecl/internal/playground/wasm/bridge"
)

func main() { bridge.Serve(listing.Call) }

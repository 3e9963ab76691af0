//go:build js && wasm

// Command wasm is an instance of the playground in a Web Worker: it makes package playground a JavaScript function.
//
// pureclCall(method, params, files) takes a name, JSON and an object of Uint8Arrays by name. It returns an object
// with value (JSON) and bytes (Uint8Arrays), or with error. While a kernel runs it calls pureclProgress(done,
// total).
package main

import (
	_ "image/jpeg" // formats of input pictures
	"syscall/js"

	"github.com/purecl/purecl/internal/playground"
	"github.com/purecl/purecl/internal/playground/wasm/bridge"
)

func main() {
	p := &playground.Playground{Progress: func(done, total int64) {
		js.Global().Call("pureclProgress", float64(done), float64(total))
	}}
	bridge.Serve(p.Call)
}

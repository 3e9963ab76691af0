//go:build !(js && wasm)

package main

import "log"

func main() { log.Fatal("this program is for browsers: make playground builds it") }

//go:build !(linux || darwin || windows)

package jit

import "errors"

var errMemory = errors.ErrUnsupported

func protect([]byte) error { return errMemory }

func discard([]byte) {}

func allocate(int) ([]byte, error) { return nil, errMemory }

func release([]byte) {}

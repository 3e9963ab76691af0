//go:build !(linux || darwin || windows)

package jit

import "errors"

var errMemory = errors.ErrUnsupported

func executable([]byte) ([]byte, error) { return nil, errMemory }

func allocate(int) ([]byte, error) { return nil, errMemory }

func release([]byte) {}

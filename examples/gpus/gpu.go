//go:build gpu

package main

import _ "github.com/purecl/purecl/gpu"

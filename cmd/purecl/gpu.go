//go:build gpu

package main

import _ "github.com/purecl/purecl/gpu" // builds purecl-gpu, the command with GPU devices

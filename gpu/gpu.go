// Package gpu adds NVIDIA's GPUs to the devices of package purecl. It is imported for its effect:
//
//	import _ "github.com/purecl/purecl/gpu"
//
// purecl.Open("gpu") then opens the first GPU, "gpu:1" the second. The package needs only a driver for CUDA 11.7 or
// later, and a GPU of compute capability 7.0 or later. The program is then linked dynamically, because it loads the
// driver's library.
package gpu

import (
	"github.com/purecl/purecl/internal/gpu/cuda"
	"github.com/purecl/purecl/internal/run/exec"
)

func init() { exec.Register("gpu", cuda.Open) }

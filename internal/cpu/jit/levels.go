package jit

import (
	"github.com/purecl/purecl/internal/base/environment"
	"github.com/purecl/purecl/internal/cpu/x86"
)

// Level returns the best level of this processor, nil if it has none. The environment variable PURECL_CPU
// (avx512fp16, avx512vbmi, avx512vnni, avx512, avx2vnni, avx2, none) forces a lower one.
func Level() *x86.Level {
	forced := environment.Get("PURECL_CPU")
	if forced == "none" {
		return nil
	}
	have := Levels()
	for _, lv := range have {
		if lv.Name == forced {
			return lv
		}
	}
	if len(have) == 0 {
		return nil
	}
	return have[len(have)-1]
}

package codegen

import "github.com/purecl/purecl/internal/spmd"

// Lanes returns how many work-items a gang of the kernel should have.
func Lanes(p *spmd.Plan, lv *Level) int { return lv.Lanes }

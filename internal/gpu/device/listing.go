package device

import (
	"fmt"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// List makes the PTX of a kernel for a device, with .loc directives for the source lines that
// where tells, and machine code of it. Without a device (nil) it is PTX for the oldest GPUs, and
// no machine code. asmErr says why there is none.
func List(d exec.Device, f *ssa.Func, where func(diag.Pos) diag.Location) (k *ptx.Kernel, code []byte, asmErr, err error) {
	o := ptx.Options{Lines: where}
	x, ok := d.(*gpu)
	if ok {
		o.Target = x.m.Target()
	} else if d != nil {
		return nil, nil, nil, fmt.Errorf("%s runs no PTX", d.Info().Name)
	}
	if k, err = ptx.Compile(f, o); err != nil || !ok {
		return k, nil, nil, err
	}
	code, asmErr = x.m.Assemble(k.Text)
	return k, code, asmErr, nil
}

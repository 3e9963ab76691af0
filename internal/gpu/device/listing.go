package device

import (
	"fmt"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// List compiles a kernel for device d to PTX, with a .loc directive for each source line that where returns, and to
// machine code. If d is nil, the PTX is for the oldest supported GPUs, and there is no machine code. asmErr is the
// reason why machine code is missing.
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

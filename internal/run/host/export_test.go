package host

import (
	"context"
	"math"
	"reflect"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Run runs a kernel on Go values and waits for its end.
func (k *Kernel) Run(ctx context.Context, r NDRange, args ...any) error {
	_, err := k.RunWith(ctx, RunOptions{}, r, args...)
	return err
}

// RunWith is Run with options. The report is nil only where the kernel did not run.
func (k *Kernel) RunWith(ctx context.Context, opts RunOptions, r NDRange, args ...any) (*Report, error) {
	if err := k.valid(); err != nil {
		return nil, err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if n := len(k.code.fn.Kernel.Args); len(args) != n {
		return nil, failf(opencl.InvalidKernelArgs, "kernel %s takes %d arguments, not %d", k.Name(), n, len(args))
	}
	bound := make([]argument, len(args))
	for i, v := range args {
		v, err := k.object(i, v)
		if err == nil {
			bound[i], err = k.bind(i, v)
		}
		if err != nil {
			return nil, err
		}
	}
	dev := k.on[0].dev
	if err := r.check(dev); err != nil {
		return nil, err
	}
	rng, err := k.resolve(r, new([9]uint64))
	if err != nil {
		return nil, err
	}
	return k.launch(ctx, dev, &opts, &rng, bound, true, nil)
}

// SetGo is Set with a Go value.
func (k *Kernel) SetGo(i int, v any) error {
	if err := k.valid(); err != nil {
		return err
	}
	if i < 0 || i >= len(k.args) {
		return k.Set(i, v)
	}
	v, err := k.object(i, v)
	if err != nil {
		return err
	}
	return k.Set(i, v)
}

// object returns the object for the Go value v as argument i: a buffer over a slice's memory, the bytes of a
// number, vector or struct, or a sampler.
func (k *Kernel) object(i int, v any) (any, error) {
	info := &k.code.fn.Kernel.Args[i]
	rv := reflect.ValueOf(v)
	switch info.Kind {
	case ssa.ArgGlobal, ssa.ArgConstant:
		if rv.Kind() == reflect.Slice {
			n := rv.Len() * int(rv.Type().Elem().Size())
			return k.prog.ctx.NewBuffer(MemUseHostPtr, n, unsafe.Slice((*byte)(rv.UnsafePointer()), n))
		}
	case ssa.ArgSampler:
		if d, ok := v.(SamplerDesc); ok {
			return k.prog.ctx.NewSampler(d)
		}
	case ssa.ArgValue, ssa.ArgStruct:
		if _, ok := v.(RawValue); !ok && rv.IsValid() {
			return rawValue(info, rv), nil
		}
	}
	return v, nil
}

func rawValue(info *ssa.KernelArg, v reflect.Value) RawValue {
	if int64(v.Type().Size()) == info.Size && v.Kind() != reflect.Int && v.Kind() != reflect.Float64 || info.Kind == ssa.ArgStruct {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		return append(RawValue(nil), unsafe.Slice((*byte)(p.UnsafePointer()), int(v.Type().Size()))...)
	}
	to, bits := info.Type.K.Num(), uint64(0)
	if v.Kind() == reflect.Float64 {
		bits = numeric.ConvertBits(to, false, numeric.RoundDefault, numeric.F64, math.Float64bits(v.Float()))
	} else {
		bits = numeric.ConvertBits(to, false, numeric.RoundDefault, numeric.I64, uint64(v.Int()))
	}
	b := make(RawValue, info.Size)
	for i := range b {
		b[i] = byte(bits >> (8 * i))
	}
	return b
}

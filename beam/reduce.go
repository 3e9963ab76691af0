package beam

import (
	"context"
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/purecl/purecl"
)

// ReduceItems is the most work-items that fold a batch.
const ReduceItems = 4096

// A Reduction is a transform that folds the elements of a PCollection<In> into one Acc: a kernel
// folds each batch, merge does the rest, by Beam's combine.
//
// Of the n elements of a batch, work-item i folds those at i, i + get_global_size(0), … and stores the
// result in acc[i]. A result that does not depend on batches and workers needs a merge for which
// the order does not matter; sums of floating-point numbers are not such.
type Reduction[In, Acc, C any] struct{ kernel Kernel }

// A BadBatch is a batch on which the kernel faulted.
type BadBatch struct {
	Elements int
	Finding  Finding
}

// NewReduce declares a reduction: as NewMap, in a package-level variable.
func NewReduce[In, Acc, C any](k Kernel, merge func(a, b Acc) Acc) *Reduction[In, Acc, C] {
	registerOnce(func() {
		register.DoFn6x1[context.Context, beam.Window, In, C, func(Acc), func(BadBatch), error]((*foldFn[In, Acc, C])(nil))
		register.Combiner1[Acc]((*mergeFn[Acc])(nil))
		register.Emitter1[Acc]()
		register.Emitter1[BadBatch]()
	}, reflect.TypeFor[foldFn[In, Acc, C]]())
	declare(k, merge)
	return &Reduction[In, Acc, C]{k}
}

// Apply adds the reduction to a pipeline. out is a PCollection<Acc> with one element, or none
// if there were no elements; bad is a PCollection<BadBatch>, whose elements are missing in out. constants and
// errors are as of [Mapping.Apply].
func (m *Reduction[In, Acc, C]) Apply(s beam.Scope, elements, constants beam.PCollection, o Options) (out, bad beam.PCollection, err error) {
	fn := &foldFn[In, Acc, C]{Kernel: m.kernel, Options: o}
	if err := fn.Setup(); err != nil {
		return out, bad, err
	}
	s = s.Scope("purecl.Reduce(" + m.kernel.Name + ")")
	constants, err = constantsOf[C](s, constants)
	if err != nil {
		return out, bad, err
	}
	outs, err := beam.TryParDo(s, fn, elements, beam.SideInput{Input: constants})
	if err != nil {
		return out, bad, fmt.Errorf("beam: kernel %q: %w", m.kernel.Name, err)
	}
	return beam.Combine(s, &mergeFn[Acc]{Kernel: m.kernel}, outs[0]), outs[1], nil
}

// mergeFn is the combine function of a Reduction.
type mergeFn[Acc any] struct {
	Kernel Kernel
	merge  func(a, b Acc) Acc
}

// Setup finds the function.
func (f *mergeFn[Acc]) Setup() (err error) {
	f.merge, err = declared[func(a, b Acc) Acc](f.Kernel)
	return err
}

// MergeAccumulators merges two results.
func (f *mergeFn[Acc]) MergeAccumulators(a, b Acc) (Acc, error) {
	if f.merge == nil {
		if err := f.Setup(); err != nil {
			return a, err
		}
	}
	return f.merge(a, b), nil
}

// foldFn is the DoFn of a Reduction.
type foldFn[In, Acc, C any] struct {
	Kernel  Kernel
	Options Options

	merge   func(a, b Acc) Acc
	cl      *purecl.Kernel
	binding *binding
	size    int // elements of a batch
	batch   *columns
	n       int // elements in it
}

// Setup compiles the kernel and matches its parameters.
func (f *foldFn[In, Acc, C]) Setup() (err error) {
	in, err := columnsOf(reflect.TypeFor[In](), "in")
	if err != nil {
		return err
	}
	if err := plain(reflect.TypeFor[Acc]()); err != nil {
		return fmt.Errorf("beam: results of %v: %w", reflect.TypeFor[Acc](), err)
	}
	if f.merge, err = declared[func(a, b Acc) Acc](f.Kernel); err != nil {
		return err
	}
	if f.cl, err = f.Kernel.compile(); err != nil {
		return err
	}
	if f.binding, err = bind(f.cl, in, nil, reflect.TypeFor[C](), "acc"); err != nil {
		return err
	}
	f.size = batchSize(f.Options, bytesOf(in))
	return f.binding.check(f.cl, reflect.TypeFor[C](), map[string]any{"acc": make([]Acc, 1)})
}

// ProcessElement adds an element to the batch, and folds it when it is full.
func (f *foldFn[In, Acc, C]) ProcessElement(ctx context.Context, w beam.Window, e In, constants C, emit func(Acc), bad func(BadBatch)) error {
	if err := globalOnly(w); err != nil {
		return err
	}
	f.batch = f.batch.withRoom(f.n, f.size, f.binding.in)
	f.batch.set(f.n, unsafe.Pointer(&e))
	if f.n++; f.n == f.size {
		return f.flush(ctx, constants, emit, bad)
	}
	return nil
}

// FinishBundle folds the rest.
func (f *foldFn[In, Acc, C]) FinishBundle(ctx context.Context, constants C, emit func(Acc), bad func(BadBatch)) error {
	if f.n == 0 {
		return nil
	}
	return f.flush(ctx, constants, emit, bad)
}

// flush folds the batch and emits the result.
func (f *foldFn[In, Acc, C]) flush(ctx context.Context, constants C, emit func(Acc), bad func(BadBatch)) error {
	in := f.batch.part(0, f.n)
	f.n = 0
	acc := make([]Acc, min(in.n, ReduceItems))
	args, _ := f.binding.args(in, constants, map[string]any{"acc": acc})
	begin := time.Now()
	err := f.cl.Run(ctx, purecl.Range(len(acc)), args...)
	countLaunch(ctx, begin, in.n*bytesOf(in.list))
	if fault, ok := faultOf(err); ok {
		countFault(ctx)
		if !f.Options.FailOnFault {
			bad(BadBatch{in.n, newFinding(fault)})
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("beam: %w", err)
	}
	all := acc[0]
	for _, a := range acc[1:] {
		all = f.merge(all, a)
	}
	emit(all)
	return nil
}

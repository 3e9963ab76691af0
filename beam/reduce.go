package beam

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/mtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/purecl/purecl"
)

// ReduceItems is the greatest number of work-items that fold a batch.
const ReduceItems = 4096

// A Reduction is a transform that folds the elements of a PCollection<In> into one Acc: a kernel folds each batch,
// and merge combines the results, as Beam's combine.
//
// Of the n elements of a batch, work-item i folds those at i, i + get_global_size(0), … and stores the result in
// acc[i]. The result is independent of batches and workers only if merge is independent of the order, which sums of
// floating-point numbers are not.
type Reduction[In, Acc, C any] struct{ kernel Kernel }

// A BadBatch is a batch on which the kernel faulted.
type BadBatch struct {
	Elements int
	Finding  Finding
}

// NewReduce declares a reduction, like NewMap in a package-level variable.
func NewReduce[In, Acc, C any](k Kernel, merge func(a, b Acc) Acc) *Reduction[In, Acc, C] {
	registerOnce(func() {
		register.DoFn6x1[context.Context, beam.EventTime, In, C, func(beam.EventTime, Acc), func(beam.EventTime, BadBatch), error]((*foldFn[In, Acc, C])(nil))
		register.Combiner1[Acc]((*mergeFn[Acc])(nil))
		register.Emitter2[beam.EventTime, Acc]()
		register.Emitter2[beam.EventTime, BadBatch]()
	}, reflect.TypeFor[foldFn[In, Acc, C]]())
	declare(k, merge)
	return &Reduction[In, Acc, C]{k}
}

// Apply adds the reduction to a pipeline. out is a PCollection<Acc> with one element for each window that has
// elements; bad is a PCollection<BadBatch>, whose elements are missing in out. constants and the error are those of
// [Mapping.Apply].
func (m *Reduction[In, Acc, C]) Apply(s beam.Scope, elements, constants beam.PCollection, o Options) (out, bad beam.PCollection, err error) {
	w, err := windowsOf(elements)
	if err != nil {
		return out, bad, fmt.Errorf("beam: kernel %q: %w", m.kernel.Name, err)
	}
	fn := &foldFn[In, Acc, C]{Kernel: m.kernel, Options: o, Period: w.period()}
	if err := fn.Setup(); err != nil {
		return out, bad, err
	}
	s = s.Scope("purecl.Reduce(" + m.kernel.Name + ")")
	constants, err = constantsOf[C](s, constants)
	if err != nil {
		return out, bad, err
	}
	outs, err := beam.TryParDo(s, fn, w.leave(s, elements), beam.SideInput{Input: constants})
	if err != nil {
		return out, bad, fmt.Errorf("beam: kernel %q: %w", m.kernel.Name, err)
	}
	return beam.Combine(s, &mergeFn[Acc]{Kernel: m.kernel}, w.enter(s, outs[0])), w.enter(s, outs[1]), nil
}

// mergeFn is the combine function of a Reduction.
type mergeFn[Acc any] struct {
	Kernel Kernel
	merge  func(a, b Acc) Acc
}

// Setup looks up the merge function.
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
	Period  int64 // length of a fixed window in milliseconds; 0: the global window

	merge   func(a, b Acc) Acc
	cl      *purecl.Kernel
	binding *binding
	size    int                  // elements in a batch
	batches map[int64]*foldBatch // by window
	room    int                  // capacity of all batches in elements
}

// A foldBatch holds elements of one window.
type foldBatch struct {
	*columns
	used int
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
	f.batches = map[int64]*foldBatch{}
	return f.binding.check(f.cl, reflect.TypeFor[C](), map[string]any{"acc": make([]Acc, 1)})
}

// ProcessElement adds an element to the batch of its window. It folds a full batch, and all batches when their
// capacity reaches two full ones.
func (f *foldFn[In, Acc, C]) ProcessElement(ctx context.Context, at beam.EventTime, e In, constants C, emit func(beam.EventTime, Acc), bad func(beam.EventTime, BadBatch)) error {
	w := f.window(at)
	b := f.batches[w]
	if b == nil {
		if f.room > 2*f.size {
			if err := f.FinishBundle(ctx, constants, emit, bad); err != nil {
				return err
			}
		}
		b = &foldBatch{}
		f.batches[w] = b
	}
	if b.columns == nil || b.used == b.n {
		before := 0
		if b.columns != nil {
			before = b.n
		}
		b.columns = b.withRoom(b.used, f.size, f.binding.in)
		f.room += b.n - before
	}
	b.set(b.used, unsafe.Pointer(&e))
	if b.used++; b.used == f.size {
		return f.flush(ctx, w, b, constants, emit, bad)
	}
	return nil
}

// window returns the start of an element's window in milliseconds, as beam.WindowInto computes it.
func (f *foldFn[In, Acc, C]) window(at beam.EventTime) int64 {
	if f.Period == 0 {
		return 0
	}
	ms := at.Milliseconds()
	return ms - (ms+f.Period)%f.Period
}

// FinishBundle folds the remaining batches.
func (f *foldFn[In, Acc, C]) FinishBundle(ctx context.Context, constants C, emit func(beam.EventTime, Acc), bad func(beam.EventTime, BadBatch)) error {
	windows := slices.Sorted(maps.Keys(f.batches))
	for _, w := range windows {
		if b := f.batches[w]; b.used > 0 {
			if err := f.flush(ctx, w, b, constants, emit, bad); err != nil {
				return err
			}
		}
		if len(windows) > 1 {
			delete(f.batches, w)
		}
	}
	if len(windows) > 1 {
		f.room = 0
	}
	return nil
}

// flush folds a batch and emits the result at the start of its window.
func (f *foldFn[In, Acc, C]) flush(ctx context.Context, w int64, b *foldBatch, constants C, emit func(beam.EventTime, Acc), bad func(beam.EventTime, BadBatch)) error {
	in := b.part(0, b.used)
	b.used = 0
	at := mtime.FromMilliseconds(w)
	acc := make([]Acc, min(in.n, ReduceItems))
	args, _ := f.binding.args(in, constants, map[string]any{"acc": acc})
	begin := time.Now()
	err := f.cl.Run(ctx, purecl.Range(len(acc)), args...)
	countLaunch(ctx, begin, in.n*bytesOf(in.list))
	if fault := faultOf(err); fault != nil {
		countFault(ctx)
		if !f.Options.FailOnFault {
			bad(at, BadBatch{in.n, newFinding(fault.Findings[0])})
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
	emit(at, all)
	return nil
}

package beam

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"
	"unsafe"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/purecl/purecl"
)

// DefaultBatchBytes is the size of a batch whose Options say nothing.
const DefaultBatchBytes = 16 << 20

// Options say how a transform forms batches and what it does with bad elements.
type Options struct {
	// BatchBytes is the size of the columns of a batch, input and output together; 0 is
	// DefaultBatchBytes. A worker holds one batch for each bundle that it processes.
	BatchBytes int
	// FailOnFault fails the pipeline at the first bad element. Otherwise bad elements go to the
	// second output.
	FailOnFault bool
}

// None is the type of constants of kernels that have none.
type None struct{}

// A Finding says what a kernel did wrong, and where.
type Finding struct {
	Kind     string // such as "out-of-bounds": purecl explain knows it
	Message  string
	File     string
	Line     int
	Column   int
	Rendered string // as a terminal shows it, with the source line
}

// newFinding keeps what another machine can use of a finding.
func newFinding(f purecl.Finding) Finding {
	return Finding{f.Kind, f.Message, f.File, f.Line, f.Column, f.Rendered}
}

// A Bad is an element on which the kernel faulted.
type Bad[K, In any] struct {
	Key     K
	Element In
	Finding Finding
}

// A Mapping is a transform that runs a kernel over the elements of a PCollection<KV<K, In>>,
// one work-item an element, a launch a batch. The output is a PCollection<KV<K, Out>>.
type Mapping[K, In, Out, C any] struct{ kernel Kernel }

// NewMap declares a mapping. It registers its types with Beam, so that it must run before
// beam.Init: as the value of a package-level variable.
func NewMap[K, In, Out, C any](k Kernel) *Mapping[K, In, Out, C] {
	registerOnce(func() {
		register.DoFn8x1[context.Context, beam.Window, beam.EventTime, K, In, C, func(beam.EventTime, K, Out), func(beam.EventTime, Bad[K, In]), error](
			(*mapFn[K, In, Out, C])(nil))
		register.Emitter3[beam.EventTime, K, Out]()
		register.Emitter2[beam.EventTime, Bad[K, In]]()
	}, reflect.TypeFor[mapFn[K, In, Out, C]]())
	return &Mapping[K, In, Out, C]{k}
}

// registered holds the DoFns whose types Beam knows.
var registered sync.Map

// registerOnce calls f unless the type of a DoFn is registered already.
func registerOnce(f func(), t reflect.Type) {
	if _, done := registered.LoadOrStore(t, true); !done {
		f()
	}
}

// Apply adds the mapping to a pipeline. constants is a PCollection<C> with one element, or the
// zero PCollection if C is None. bad is a PCollection<Bad<K, In>>. The error is of a kernel that
// does not compile or does not fit the types.
func (m *Mapping[K, In, Out, C]) Apply(s beam.Scope, elements, constants beam.PCollection, o Options) (out, bad beam.PCollection, err error) {
	fn := &mapFn[K, In, Out, C]{Kernel: m.kernel, Options: o}
	if _, err := fn.prepare(); err != nil {
		return out, bad, err
	}
	s = s.Scope("purecl.Map(" + m.kernel.Name + ")")
	constants, err = constantsOf[C](s, constants)
	if err != nil {
		return out, bad, err
	}
	outs, err := beam.TryParDo(s, fn, elements, beam.SideInput{Input: constants})
	if err != nil {
		return out, bad, fmt.Errorf("beam: kernel %q: %w", m.kernel.Name, err)
	}
	return outs[0], outs[1], nil
}

// constantsOf returns the constants, or a collection of the one value of None.
func constantsOf[C any](s beam.Scope, constants beam.PCollection) (beam.PCollection, error) {
	if constants.IsValid() {
		return constants, nil
	}
	var none C
	if _, ok := any(none).(None); !ok {
		return constants, fmt.Errorf("beam: a PCollection with one %T is needed for the constants", none)
	}
	return beam.Create(s, none), nil
}

// mapFn is the DoFn of a Mapping.
type mapFn[K, In, Out, C any] struct {
	Kernel  Kernel
	Options Options

	ready *mapping
	batch *columns
	keys  []K
	times []beam.EventTime
}

// A mapping is a kernel that is compiled and bound, for one type of elements.
type mapping struct {
	cl      *purecl.Kernel
	binding *binding
	size    int // elements of a batch
}

// prepare compiles the kernel and matches it with the types.
func (f *mapFn[K, In, Out, C]) prepare() (*mapping, error) {
	in, err := columnsOf(reflect.TypeFor[In](), "in")
	if err != nil {
		return nil, err
	}
	out, err := columnsOf(reflect.TypeFor[Out](), "out")
	if err != nil {
		return nil, err
	}
	cl, err := f.Kernel.compile()
	if err != nil {
		return nil, err
	}
	b, err := bind(cl, in, out, reflect.TypeFor[C]())
	if err != nil {
		return nil, err
	}
	if err := b.check(cl, reflect.TypeFor[C](), nil); err != nil {
		return nil, err
	}
	return &mapping{cl, b, batchSize(f.Options, bytesOf(in)+bytesOf(out))}, nil
}

// batchSize is the number of elements of so many bytes in a batch.
func batchSize(o Options, bytes int) int {
	if o.BatchBytes <= 0 {
		o.BatchBytes = DefaultBatchBytes
	}
	return max(1, o.BatchBytes/max(bytes, 1))
}

// Setup compiles the kernel, once a worker.
func (f *mapFn[K, In, Out, C]) Setup() (err error) {
	f.ready, err = f.prepare()
	return err
}

// ProcessElement adds an element to the batch, and runs the kernel when that is full.
func (f *mapFn[K, In, Out, C]) ProcessElement(ctx context.Context, w beam.Window, at beam.EventTime, key K, e In, constants C, emit func(beam.EventTime, K, Out), bad func(beam.EventTime, Bad[K, In])) error {
	if err := globalOnly(w); err != nil {
		return err
	}
	f.batch = f.batch.withRoom(len(f.keys), f.ready.size, f.ready.binding.in)
	f.batch.set(len(f.keys), unsafe.Pointer(&e))
	f.keys, f.times = append(f.keys, key), append(f.times, at)
	if len(f.keys) >= f.ready.size {
		return f.flush(ctx, constants, emit, bad)
	}
	return nil
}

// globalOnly is the error of an element in a window, see the package's comment.
func globalOnly(w beam.Window) error {
	if _, ok := w.(window.GlobalWindow); !ok {
		return fmt.Errorf("beam: an element in window %v: only the global window is supported, because batches end with bundles", w)
	}
	return nil
}

// FinishBundle runs the kernel over the rest.
func (f *mapFn[K, In, Out, C]) FinishBundle(ctx context.Context, constants C, emit func(beam.EventTime, K, Out), bad func(beam.EventTime, Bad[K, In])) error {
	if len(f.keys) == 0 {
		return nil
	}
	return f.flush(ctx, constants, emit, bad)
}

// flush runs the kernel over the batch and emits its results.
func (f *mapFn[K, In, Out, C]) flush(ctx context.Context, constants C, emit func(beam.EventTime, K, Out), bad func(beam.EventTime, Bad[K, In])) error {
	n := len(f.keys)
	err := f.run(ctx, constants, f.batch.part(0, n), 0, emit, bad)
	f.keys, f.times = f.keys[:0], f.times[:0]
	return err
}

// run runs the kernel over elements of the batch, which begin at number first. A batch with a
// finding is run again by halves.
func (f *mapFn[K, In, Out, C]) run(ctx context.Context, constants C, in *columns, first int, emit func(beam.EventTime, K, Out), bad func(beam.EventTime, Bad[K, In])) error {
	args, out := f.ready.binding.args(in, constants, nil)
	begin := time.Now()
	err := f.ready.cl.Run(ctx, purecl.Range(in.n), args...)
	countLaunch(ctx, begin, in.n*(bytesOf(in.list)+bytesOf(out.list)))
	if err == nil {
		var e Out
		for i := range in.n {
			out.get(i, unsafe.Pointer(&e))
			emit(f.times[first+i], f.keys[first+i], e)
		}
		return nil
	}
	fault, ok := faultOf(err)
	switch {
	case !ok:
		return fmt.Errorf("beam: %w", err)
	case in.n > 1:
		half := in.n / 2
		if err := f.run(ctx, constants, in.part(0, half), first, emit, bad); err != nil {
			return err
		}
		return f.run(ctx, constants, in.part(half, in.n), first+half, emit, bad)
	}
	countFault(ctx)
	if f.Options.FailOnFault {
		return fmt.Errorf("beam: element with key %v: %w", f.keys[first], err)
	}
	b := Bad[K, In]{Key: f.keys[first], Finding: newFinding(fault)}
	in.get(0, unsafe.Pointer(&b.Element))
	bad(f.times[first], b)
	return nil
}

package beam

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/purecl/purecl"
)

// DefaultBatchBytes is the size of a batch unless Options set it.
const DefaultBatchBytes = 16 << 20

// Options configure a transform's batches and its treatment of bad elements.
type Options struct {
	// BatchBytes is the size of the columns of a batch, input and output together; 0 is
	// DefaultBatchBytes. A worker holds one batch for each bundle that it processes.
	BatchBytes int
	// FailOnFault fails the pipeline at the first bad element. Otherwise bad elements go to the
	// second output.
	FailOnFault bool
}

// None is the type of constants for kernels without constants.
type None struct{}

// A Finding describes a kernel's mistake and its place.
type Finding struct {
	Kind     string // such as "out-of-bounds", for purecl explain
	Message  string
	File     string
	Line     int
	Column   int
	Rendered string // the terminal's form, with the source line
}

// newFinding returns the parts of a finding that are meaningful on other machines.
func newFinding(f purecl.Finding) Finding {
	return Finding{f.Kind, f.Message, f.File, f.Line, f.Column, f.Rendered}
}

// A Bad is an element on which the kernel faulted.
type Bad[K, In any] struct {
	Key     K
	Element In
	Finding Finding
}

// A Mapping is a transform that runs a kernel over the elements of a PCollection<KV<K, In>>, with a work-item for
// each element and a launch for each batch. The output is a PCollection<KV<K, Out>>.
type Mapping[K, In, Out, C any] struct{ kernel Kernel }

// NewMap declares a mapping. It registers its types with Beam, so that it must run before beam.Init: as the value
// of a package-level variable.
func NewMap[K, In, Out, C any](k Kernel) *Mapping[K, In, Out, C] {
	registerOnce(func() {
		register.DoFn7x1[context.Context, beam.EventTime, K, In, C, func(beam.EventTime, K, Out), func(beam.EventTime, Bad[K, In]), error](
			(*mapFn[K, In, Out, C])(nil))
		register.Emitter3[beam.EventTime, K, Out]()
		register.Emitter2[beam.EventTime, Bad[K, In]]()
	}, reflect.TypeFor[mapFn[K, In, Out, C]]())
	return &Mapping[K, In, Out, C]{k}
}

// registered holds the DoFns that are registered with Beam.
var registered sync.Map

// registerOnce calls f unless the type of a DoFn is registered already.
func registerOnce(f func(), t reflect.Type) {
	if _, done := registered.LoadOrStore(t, true); !done {
		f()
	}
}

// Apply adds the mapping to a pipeline. constants is a PCollection<C> with one element, or the zero PCollection if
// C is None. bad is a PCollection<Bad<K, In>>. It returns an error if the kernel does not compile or does not match
// the types.
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
	w, err := windowsOf(elements)
	if err != nil {
		return out, bad, fmt.Errorf("beam: kernel %q: %w", m.kernel.Name, err)
	}
	outs, err := beam.TryParDo(s, fn, w.leave(s, elements), beam.SideInput{Input: constants})
	if err != nil {
		return out, bad, fmt.Errorf("beam: kernel %q: %w", m.kernel.Name, err)
	}
	return w.enter(s, outs[0]), w.enter(s, outs[1]), nil
}

// constantsOf returns the constants, or a collection of the only value of None.
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

// A mapping is a compiled kernel, bound for one type of elements.
type mapping struct {
	cl      *purecl.Kernel
	binding *binding
	size    int // elements in a batch
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

// batchSize returns the number of elements of size bytes in a batch.
func batchSize(o Options, bytes int) int {
	if o.BatchBytes <= 0 {
		o.BatchBytes = DefaultBatchBytes
	}
	return max(1, o.BatchBytes/max(bytes, 1))
}

// Setup compiles the kernel, once in each worker.
func (f *mapFn[K, In, Out, C]) Setup() (err error) {
	f.ready, err = f.prepare()
	return err
}

// ProcessElement adds an element to the batch, and runs the kernel when that is full.
func (f *mapFn[K, In, Out, C]) ProcessElement(ctx context.Context, at beam.EventTime, key K, e In, constants C, emit func(beam.EventTime, K, Out), bad func(beam.EventTime, Bad[K, In])) error {
	f.batch = f.batch.withRoom(len(f.keys), f.ready.size, f.ready.binding.in)
	f.batch.set(len(f.keys), unsafe.Pointer(&e))
	f.keys, f.times = append(f.keys, key), append(f.times, at)
	if len(f.keys) >= f.ready.size {
		return f.flush(ctx, constants, emit, bad)
	}
	return nil
}

// FinishBundle runs the kernel over the last batch.
func (f *mapFn[K, In, Out, C]) FinishBundle(ctx context.Context, constants C, emit func(beam.EventTime, K, Out), bad func(beam.EventTime, Bad[K, In])) error {
	if len(f.keys) == 0 {
		return nil
	}
	return f.flush(ctx, constants, emit, bad)
}

// flush runs the kernel over the batch, emits its results and empties it.
func (f *mapFn[K, In, Out, C]) flush(ctx context.Context, constants C, emit func(beam.EventTime, K, Out), bad func(beam.EventTime, Bad[K, In])) error {
	r := &mapRun{mapping: f.ready, constants: constants, fail: f.Options.FailOnFault}
	err := r.batch(ctx, f.batch.part(0, len(f.keys)), func(out *columns, numbers []int) {
		var e Out
		for i := range out.n {
			n := i
			if numbers != nil {
				n = numbers[i]
			}
			out.get(i, unsafe.Pointer(&e))
			emit(f.times[n], f.keys[n], e)
		}
	}, func(n int, fault *purecl.FaultError) error {
		if f.Options.FailOnFault {
			return fmt.Errorf("beam: element with key %v: %w", f.keys[n], fault)
		}
		b := Bad[K, In]{Key: f.keys[n], Finding: newFinding(fault.Findings[0])}
		f.batch.get(n, unsafe.Pointer(&b.Element))
		bad(f.times[n], b)
		return nil
	})
	f.keys, f.times = f.keys[:0], f.times[:0]
	return err
}

package purecl

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/purecl/purecl/internal/run/exec"
)

// A Buffer is memory of a device: elements of T, which are numbers, vectors, or structs and arrays of them. Several
// goroutines may call its methods. Goroutines that access the same elements at the same time must synchronise, as
// with slices.
type Buffer[T any] struct {
	m     *memory
	whole *Buffer[T] // the buffer that a part belongs to; else nil
}

// Memory is a *[Buffer] of elements of any type.
type Memory interface {
	// Len returns the number of elements.
	Len() int
	// Device returns the device that the memory belongs to.
	Device() *Device
	object() *memory
}

// A memory is the part of a buffer that does not depend on its element type.
type memory struct {
	dev   *Device
	mem   exec.Memory
	elem  reflect.Type
	*life // shared between a buffer and its parts
}

func (b *Buffer[T]) object() *memory {
	if b == nil {
		return nil
	}
	return b.m
}

// NewBuffer returns a buffer of the device with a copy of elems. It fails if elems is empty.
func NewBuffer[T any](d *Device, elems []T) (*Buffer[T], error) {
	t, err := elemType[T](d, len(elems))
	if err != nil {
		return nil, err
	}
	host := rawBytes(elems)
	mem, err := d.exec.Allocate(len(host))
	if err != nil {
		return nil, fmt.Errorf("purecl: a buffer of %d elements of %s: %w", len(elems), typeName(t), err)
	}
	b := &Buffer[T]{m: &memory{dev: d, mem: mem, elem: t, life: &life{end: mem.Free}}}
	runtime.AddCleanup(b, (*life).close, b.m.life)
	if err := b.Write(context.Background(), elems); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// WrapSlice returns a buffer that uses the slice's own memory. On a device whose kernels cannot use Go's memory
// it returns an error that wraps errors.ErrUnsupported.
func WrapSlice[T any](d *Device, elems []T) (*Buffer[T], error) {
	t, err := elemType[T](d, len(elems))
	if err != nil {
		return nil, err
	}
	mem, err := d.exec.Wrap(rawBytes(elems))
	if err != nil {
		return nil, fmt.Errorf("purecl: the slice cannot be used in place on device %v: %w; NewBuffer copies it", d, err)
	}
	return &Buffer[T]{m: &memory{dev: d, mem: mem, elem: t, life: new(life)}}, nil
}

// elemType checks that T can be the element type of a buffer of n elements on the device.
func elemType[T any](d *Device, n int) (reflect.Type, error) {
	if err := d.ok(); err != nil {
		return nil, err
	}
	t := reflect.TypeFor[T]()
	switch {
	case !flat(t):
		return nil, fmt.Errorf("purecl: a buffer of %s: elements must be numbers, vectors, or arrays and structs of them", typeName(t))
	case n == 0 || t.Size() == 0:
		return nil, fmt.Errorf("purecl: a buffer of %d elements of %s: it needs a byte at least", n, typeName(t))
	}
	return t, nil
}

// Len returns the number of elements.
func (b *Buffer[T]) Len() int {
	if b == nil || b.m == nil {
		return 0
	}
	return b.m.mem.Size() / int(b.m.elem.Size())
}

// Device returns the device that the buffer's memory belongs to.
func (b *Buffer[T]) Device() *Device {
	if b == nil || b.m == nil {
		return nil
	}
	return b.m.dev
}

// Slice returns the buffer's own memory. On a device whose memory Go cannot reach it returns an error that
// wraps errors.ErrUnsupported.
func (b *Buffer[T]) Slice() ([]T, error) {
	if err := b.begin("slice"); err != nil {
		return nil, err
	}
	defer b.m.done()
	mem := b.m.mem.Bytes()
	if mem == nil {
		return nil, fmt.Errorf("purecl: the buffer's memory is on device %v: %w; Read copies it", b.m.dev, errors.ErrUnsupported)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(mem))), b.Len()), nil
}

// Part returns the elements with the indices from up to to-1 as a buffer that shares the memory. It
// fails where the range is empty or leaves the buffer.
func (b *Buffer[T]) Part(from, to int) (*Buffer[T], error) {
	if err := b.begin("part"); err != nil {
		return nil, err
	}
	defer b.m.done()
	if from < 0 || to <= from || to > b.Len() {
		return nil, fmt.Errorf("purecl: part %d:%d of a buffer of %d elements", from, to, b.Len())
	}
	size := int(b.m.elem.Size())
	m := &memory{dev: b.m.dev, mem: b.m.mem.Part(from*size, (to-from)*size), elem: b.m.elem, life: b.m.life}
	return &Buffer[T]{m: m, whole: b}, nil
}

// begin returns the reason why the buffer cannot be used or, without one, keeps it until done is called.
func (b *Buffer[T]) begin(what string) error {
	if b == nil || b.m == nil {
		return fmt.Errorf("purecl: %s of a nil buffer: NewBuffer gives one", what)
	}
	if b.m.dev.isClosed() || !b.m.use() {
		return fmt.Errorf("purecl: %s of a buffer that is %w", what, ErrClosed)
	}
	return nil
}

// Write copies src to the buffer's first elements and waits. src must not have more elements
// than the buffer.
func (b *Buffer[T]) Write(ctx context.Context, src []T) error {
	return b.transfer(ctx, "write", len(src), func(q exec.Queue) error { return q.Write(b.m.mem, rawBytes(src)) })
}

// Read copies the buffer's first elements to dst until dst is full, and waits. dst must not have more elements than
// the buffer.
func (b *Buffer[T]) Read(ctx context.Context, dst []T) error {
	return b.transfer(ctx, "read", len(dst), func(q exec.Queue) error { return q.Read(rawBytes(dst), b.m.mem) })
}

func (b *Buffer[T]) transfer(ctx context.Context, what string, n int, do func(q exec.Queue) error) error {
	if err := b.begin(what); err != nil {
		return err
	}
	defer b.m.done()
	if n > b.Len() {
		return fmt.Errorf("purecl: %s of %d elements of a buffer of %d", what, n, b.Len())
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if err := ctx.Err(); err != nil || n == 0 {
		return err
	}
	q, err := b.m.dev.queue()
	if err != nil {
		return err
	}
	defer b.m.dev.queues.Put(q)
	if err := do(q.Queue); err != nil {
		return fmt.Errorf("purecl: %s: %w", what, err)
	}
	return q.Wait(ctx)
}

// Close releases the buffer's memory once no work uses it. The garbage collector does so too. Close has no effect
// on a part.
func (b *Buffer[T]) Close() error {
	if b != nil && b.m != nil && b.whole == nil {
		b.m.close()
	}
	return nil
}

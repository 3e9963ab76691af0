//go:build cgo && linux

package main

import (
	"fmt"
	"runtime/debug"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/host"
)

// status returns the status code of an error, CL_SUCCESS for nil.
func status(err error) int32 {
	if err == nil {
		return 0
	}
	return int32(host.StatusOf(err))
}

// object returns r and stores err's status at code, the errcode_ret of the host's call.
func object[T uintptr | unsafe.Pointer](r T, err error, code *int32) T {
	if code != nil {
		*code = status(err)
	}
	return r
}

// A panic is a bug of PureCL and need not end the host.
func rescue(call string, ret *int32) {
	if p := recover(); p != nil {
		logPanic(call, p)
		*ret = int32(opencl.OutOfResources)
	}
}

func rescueObject(call string, code *int32) {
	if p := recover(); p != nil {
		logPanic(call, p)
		if code != nil {
			*code = int32(opencl.OutOfResources)
		}
	}
}

func logPanic(call string, p any) {
	logf("internal error in %s: %v\n%s", call, p, debug.Stack())
}

// An answer is the destination of a query's value: param_value_size, param_value and param_value_size_ret.
type answer struct {
	size  int
	value unsafe.Pointer
	ret   *int
}

// bytes stores the n bytes at p as the query's value.
func (a answer) bytes(p unsafe.Pointer, n int) error {
	// CL_INVALID_VALUE: param_value_size is less than the value's and param_value is not NULL.
	if a.value != nil {
		if a.size >= 0 && a.size < n {
			return opencl.InvalidValue
		}
		copy(unsafe.Slice((*byte)(a.value), n), unsafe.Slice((*byte)(p), n))
	}
	if a.ret != nil {
		*a.ret = n
	}
	return nil
}

// str stores a string with a final zero.
func (a answer) str(s string) error { return values(a, append([]byte(s), 0)) }

// value stores a number, a handle or a structure in C's layout.
func value[T any](a answer, v T) error { return a.bytes(unsafe.Pointer(&v), int(unsafe.Sizeof(v))) }

// values stores an array.
func values[T any](a answer, v []T) error {
	var z T
	return a.bytes(unsafe.Pointer(unsafe.SliceData(v)), len(v)*int(unsafe.Sizeof(z)))
}

// boolean returns a cl_bool.
func boolean(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// put stores through a pointer that may be NULL.
func put[T any](p *T, v T) {
	if p != nil {
		*p = v
	}
}

// array returns n values at p, or nil where p is NULL.
func array[T any](p *T, n uint32) []T {
	if p == nil {
		return nil
	}
	return unsafe.Slice(p, n)
}

// text returns a C string, "" for NULL.
func text(p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(p), n))
}

// properties reads a list of names and values that ends with a zero. For a repeated name it returns an error of the
// status bad, together with the pairs before it.
func properties[T int | uint64](p *T, bad opencl.Status) (list [][2]T, raw []T, err error) {
	if p == nil {
		return nil, nil, nil
	}
	for i := 0; ; i += 2 {
		at := (*[2]T)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*unsafe.Sizeof(*p)))
		if at[0] == 0 {
			return list, append([]T{}, unsafe.Slice(p, i+1)...), nil
		}
		for _, old := range list {
			if old[0] == at[0] {
				return list, nil, fmt.Errorf("property %#x is given twice: %w", at[0], bad)
			}
		}
		list = append(list, *at)
	}
}

package host

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
)

// TestNilObjects calls every method of nil and zero objects, with zero and with valid arguments, and the methods of
// valid objects with nil arguments. No call may panic or block, and each that can return an error must do so where
// an object is invalid.
func TestNilObjects(t *testing.T) {
	good := goodObjects(t)
	types := []reflect.Type{
		reflect.TypeFor[*Context](), reflect.TypeFor[*Device](), reflect.TypeFor[*Program](), reflect.TypeFor[*Kernel](), reflect.TypeFor[*Queue](),
		reflect.TypeFor[*Event](), reflect.TypeFor[*Buffer](), reflect.TypeFor[*Image](), reflect.TypeFor[*Sampler](),
	}
	for _, typ := range types {
		for name, self := range map[string]reflect.Value{"nil": reflect.Zero(typ), "zero": reflect.New(typ.Elem()), "good": good[typ]} {
			for i := range typ.NumMethod() {
				m := typ.Method(i)
				for _, args := range []string{"zero", "good"} {
					if name == "good" && args == "good" {
						continue // tested elsewhere
					}
					in := arguments(m.Type, self, args == "good", good)
					what := fmt.Sprintf("(%s %v).%s with %s arguments", name, typ, m.Name, args)
					out := callInTime(t, what, m.Func, in)
					n := m.Type.NumOut()
					if name != "good" && out != nil && n > 0 && m.Type.Out(n-1) == reflect.TypeFor[error]() && out[n-1].IsNil() {
						t.Errorf("%s: no error", what)
					}
				}
			}
		}
	}
}

// goodObjects returns a valid object of each type.
func goodObjects(t *testing.T) map[reflect.Type]reflect.Value {
	c, q := newQueue(t, QueueProperties{})
	p := must[*Program](t)(c.Build(Source{Text: `kernel void k(global int *p) { p[0] = 1; }`}, ""))
	objects := map[reflect.Type]reflect.Value{}
	for _, o := range []any{
		c, q, p, DefaultDevice(), must[*Kernel](t)(p.Kernel("k")), c.NewUserEvent(), must[*Buffer](t)(c.NewBuffer(0, 64, nil)),
		must[*Image](t)(c.NewImage(0, ImageFormat{Order: opencl.OrderRGBA, Type: opencl.FloatChannel}, ImageDesc{Type: opencl.Image2D, Width: 4, Height: 4}, nil)),
		must[*Sampler](t)(c.NewSampler(SamplerDesc{})),
	} {
		objects[reflect.TypeOf(o)] = reflect.ValueOf(o)
	}
	return objects
}

// arguments returns arguments for a method: zeros or, if good is set, values that are as valid as possible without
// knowledge of the method.
func arguments(m reflect.Type, self reflect.Value, usable bool, good map[reflect.Type]reflect.Value) []reflect.Value {
	in := []reflect.Value{self}
	for i := 1; i < m.NumIn(); i++ {
		typ := m.In(i)
		if m.IsVariadic() && i == m.NumIn()-1 {
			if !usable && typ.Elem().Kind() == reflect.Pointer {
				in = append(in, reflect.Zero(typ.Elem())) // a nil event, device, …
			}
			break
		}
		v := reflect.Zero(typ)
		if g, ok := good[typ]; ok && usable {
			v = g
		}
		if typ == reflect.TypeFor[context.Context]() {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			v = reflect.ValueOf(ctx)
		}
		in = append(in, v)
	}
	return in
}

// callInTime calls a function and returns its results, or nil where it panics or does not return.
func callInTime(t *testing.T, what string, f reflect.Value, in []reflect.Value) []reflect.Value {
	t.Helper()
	result := make(chan []reflect.Value, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s: panic: %v", what, p)
				result <- nil
			}
		}()
		result <- f.Call(in)
	}()
	select {
	case out := <-result:
		return out
	case <-time.After(10 * time.Second):
		t.Errorf("%s does not return", what)
		return nil
	}
}

// TestZeroErrors checks zero errors and the package's functions with zero arguments.
func TestZeroErrors(t *testing.T) {
	for _, err := range []error{&FaultError{}, &BuildError{}, &APIError{}, opencl.Status(0), opencl.Status(7)} {
		if err.Error() == "" {
			t.Errorf("%T says nothing", err)
		}
	}
	wantStatus(t, "no events", WaitAll(context.Background()), opencl.InvalidValue)
	wantStatus(t, "a nil event", WaitAll(context.Background(), nil), opencl.InvalidEvent)
	wantStatus(t, "a zero event", WaitAll(context.Background(), new(Event)), opencl.InvalidEvent)
	if _, err := NewContext(nil, nil); err == nil {
		t.Error("a context of a nil device")
	}
	if _, err := NewContext(nil, new(Device)); err == nil {
		t.Error("a context of a zero device")
	}
}

// TestZeroArguments checks that zero objects are refused as kernel arguments.
func TestZeroArguments(t *testing.T) {
	p := must[*Program](t)(Compile(`kernel void k(global int *p, read_only image2d_t m, sampler_t s) { p[0] = read_imagei(m, s, (int2)(0)).x; }`, ""))
	k := must[*Kernel](t)(p.Kernel("k"))
	for i, v := range []any{new(Buffer), new(Image), new(Sampler)} {
		if k.Set(i, v) == nil {
			t.Errorf("a zero %T is no error", v)
		}
	}
	for i, v := range []any{(*Image)(nil), (*Sampler)(nil)} {
		if k.Set(i+1, v) == nil {
			t.Errorf("a nil %T is no error", v)
		}
	}
}

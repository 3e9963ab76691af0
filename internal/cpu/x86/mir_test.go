package x86

import (
	"reflect"
	"testing"
)

// TestInstSize: lists of instructions are long, copied and cleared often: an instruction fits into a cache line and has no
// pointers.
func TestInstSize(t *testing.T) {
	x := reflect.TypeFor[inst]()
	if x.Size() > 64 {
		t.Errorf("%d bytes", x.Size())
	}
	var scan func(x reflect.Type, name string)
	scan = func(x reflect.Type, name string) {
		switch x.Kind() {
		case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		case reflect.Struct:
			for i := range x.NumField() {
				scan(x.Field(i).Type, name+"."+x.Field(i).Name)
			}
		default:
			t.Errorf("%s has type %v", name, x)
		}
	}
	scan(x, "inst")
}

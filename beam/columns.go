package beam

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// A column is one field of all elements of a batch.
type column struct {
	name   string
	offset uintptr // in the element
	typ    reflect.Type
}

// columnsOf returns the columns of an element type: a struct's exported fields, or one column
// called name.
func columnsOf(t reflect.Type, name string) (list []column, err error) {
	if t.Kind() != reflect.Struct || isVector(t) {
		if err := plain(t); err != nil {
			return nil, fmt.Errorf("beam: elements of %v: %w", t, err)
		}
		return []column{{name: name, typ: t}}, nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			return nil, fmt.Errorf("beam: the field %s of %v is not exported: Beam does not carry it", f.Name, t)
		}
		if err := plain(f.Type); err != nil {
			return nil, fmt.Errorf("beam: the field %s of %v: %w", f.Name, t, err)
		}
		list = append(list, column{columnName(f), f.Offset, f.Type})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("beam: %v has no fields", t)
	}
	return list, nil
}

// columnName is the name of a field's parameter.
func columnName(f reflect.StructField) string {
	if s := f.Tag.Get("cl"); s != "" {
		return s
	}
	return strings.ToLower(f.Name)
}

// isVector reports whether t is a vector of package vec that is a struct.
func isVector(t reflect.Type) bool { return strings.HasSuffix(t.PkgPath(), "purecl/vec") }

// plain returns the reason why a type cannot be in a kernel's memory, nil if it can.
func plain(t reflect.Type) error {
	switch t.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		return nil
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if err := plain(t.Field(i).Type); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("%v is not a number of fixed size, an array or a struct of those", t)
}

func find(list []column, name string) int {
	for i, c := range list {
		if strings.EqualFold(c.name, name) {
			return i
		}
	}
	return -1
}

// bytesOf returns the size of an element in its columns.
func bytesOf(list []column) (n int) {
	for _, c := range list {
		n += int(c.typ.Size())
	}
	return n
}

// columns are a batch as a structure of arrays.
type columns struct {
	list []column
	n    int              // elements
	data []reflect.Value  // a slice for each column, all of the same capacity
	at   []unsafe.Pointer // address of each slice's memory
}

// newColumns returns columns of n zero elements.
func newColumns(list []column, n int) *columns {
	c := &columns{list: list, n: n}
	for _, col := range list {
		v := reflect.MakeSlice(reflect.SliceOf(col.typ), n, n)
		c.data = append(c.data, v)
		c.at = append(c.at, v.UnsafePointer())
	}
	return c
}

// withRoom returns the batch with room for an element after the first n; a batch has at most most elements. It
// doubles a full batch, so that small bundles need little memory. c may be nil.
func (c *columns) withRoom(n, most int, list []column) *columns {
	if c != nil && n < c.n {
		return c
	}
	larger := newColumns(list, min(most, max(1024, 2*n)))
	if c != nil {
		for i := range larger.data {
			reflect.Copy(larger.data[i], c.data[i])
		}
	}
	return larger
}

// slice returns column i as a Go slice of its type.
func (c *columns) slice(i int) any { return c.data[i].Slice(0, c.n).Interface() }

// part returns the elements from..to-1, which share the memory.
func (c *columns) part(from, to int) *columns {
	p := &columns{list: c.list, n: to - from}
	for _, v := range c.data {
		s := v.Slice(from, to)
		p.data = append(p.data, s)
		p.at = append(p.at, s.UnsafePointer())
	}
	return p
}

// gather returns a copy of the elements with the given indices.
func (c *columns) gather(numbers []int) *columns {
	p := newColumns(c.list, len(numbers))
	for k := range c.list {
		size := c.list[k].typ.Size()
		for i, n := range numbers {
			move(unsafe.Add(p.at[k], uintptr(i)*size), unsafe.Add(c.at[k], uintptr(n)*size), size)
		}
	}
	return p
}

// copyFrom copies column j of another batch to column i.
func (c *columns) copyFrom(i int, from *columns, j int) { reflect.Copy(c.data[i], from.data[j]) }

// set stores the element at p as element i.
func (c *columns) set(i int, p unsafe.Pointer) {
	for k := range c.list {
		col := &c.list[k]
		size := col.typ.Size()
		move(unsafe.Add(c.at[k], uintptr(i)*size), unsafe.Add(p, col.offset), size)
	}
}

// get loads element i to p.
func (c *columns) get(i int, p unsafe.Pointer) {
	for k := range c.list {
		col := &c.list[k]
		size := col.typ.Size()
		move(unsafe.Add(p, col.offset), unsafe.Add(c.at[k], uintptr(i)*size), size)
	}
}

// move copies the size bytes of a value without pointers.
func move(dst, src unsafe.Pointer, size uintptr) {
	switch size {
	case 4:
		*(*[4]byte)(dst) = *(*[4]byte)(src)
	case 8:
		*(*[8]byte)(dst) = *(*[8]byte)(src)
	default:
		copy(unsafe.Slice((*byte)(dst), size), unsafe.Slice((*byte)(src), size))
	}
}

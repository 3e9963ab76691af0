// Package npy reads and writes NumPy's .npy files, versions 1.0 to 3.0, of numbers in
// either byte order and in C order (NumPy enhancement proposal 1). It knows nothing of
// the rest of the project.
package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// An Array is n-dimensional data: Data holds the elements little-endian in C order.
type Array struct {
	// Type is NumPy's kind and size of an element: "f4", "u1", "i8", …, "b1".
	Type  string
	Shape []int
	Data  []byte
}

// magic begins every file.
const magic = "\x93NUMPY"

// maxHeader bounds a header: real files have headers below 1 KiB.
const maxHeader = 1 << 20

var (
	descrRE   = lazily(`'descr'\s*:\s*'([<>|=]?)([a-z])(\d+)'`)
	fortranRE = lazily(`'fortran_order'\s*:\s*(True|False)`)
	shapeRE   = lazily(`'shape'\s*:\s*\(([^)]*)\)`)
)

// lazily compiles a pattern at its first use, which programs without .npy files avoid.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// Read reads one array of at most limit bytes of data.
func Read(r io.Reader, limit int64) (*Array, error) {
	head := make([]byte, 8)
	if _, err := io.ReadFull(r, head); err != nil || string(head[:6]) != magic {
		return nil, fmt.Errorf("not a .npy file")
	}
	size := make([]byte, 2)
	if head[6] >= 2 {
		size = make([]byte, 4)
	}
	if _, err := io.ReadFull(r, size); err != nil {
		return nil, fmt.Errorf(".npy header: %w", err)
	}
	n := int64(binary.LittleEndian.Uint16(size))
	if len(size) == 4 {
		n = int64(binary.LittleEndian.Uint32(size))
	}
	if head[6] > 3 || n > maxHeader {
		return nil, fmt.Errorf(".npy version %d with a header of %d bytes is not supported", head[6], n)
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, fmt.Errorf(".npy header: %w", err)
	}
	a, swap, err := parseHeader(string(header))
	if err != nil {
		return nil, err
	}
	elem := int64(a.ElemSize())
	count := int64(1)
	for _, d := range a.Shape {
		hi, lo := bits.Mul64(uint64(count), uint64(d))
		if hi != 0 || lo > uint64(limit)/uint64(elem) {
			return nil, fmt.Errorf("the array of shape %v is larger than the limit of %d bytes", a.Shape, limit)
		}
		count = int64(lo)
	}
	// Read through a buffer that grows with the data: a header may claim more data than the file has.
	var buf bytes.Buffer
	if got, err := io.CopyN(&buf, r, count*elem); err != nil {
		return nil, fmt.Errorf("the .npy file ends after %d of %d bytes of data", got, count*elem)
	}
	a.Data = buf.Bytes()
	if swap {
		for i := 0; i < len(a.Data); i += int(elem) {
			e := a.Data[i : i+int(elem)]
			for j, k := 0, len(e)-1; j < k; j, k = j+1, k-1 {
				e[j], e[k] = e[k], e[j]
			}
		}
	}
	return a, nil
}

func parseHeader(h string) (a *Array, swap bool, err error) {
	d, f, s := descrRE().FindStringSubmatch(h), fortranRE().FindStringSubmatch(h), shapeRE().FindStringSubmatch(h)
	if d == nil || f == nil || s == nil {
		return nil, false, fmt.Errorf("the .npy header %q does not describe an array of numbers", strings.TrimSpace(h))
	}
	a = &Array{Type: d[2] + d[3], Shape: []int{}}
	switch a.Type {
	case "b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8":
	default:
		return nil, false, fmt.Errorf("elements of NumPy type %q are not supported: use b1, i1…i8, u1…u8, f2, f4 or f8", a.Type)
	}
	for _, part := range strings.Split(s[1], ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return nil, false, fmt.Errorf("bad dimension %q in the .npy header", part)
		}
		a.Shape = append(a.Shape, n)
	}
	if f[1] == "True" && len(a.Shape) > 1 {
		return nil, false, fmt.Errorf("the .npy file is in Fortran order; save it in C order (numpy.ascontiguousarray)")
	}
	return a, d[1] == ">", nil
}

// ElemSize returns the bytes of an element.
func (a *Array) ElemSize() int { return int(a.Type[1] - '0') }

// Write writes the array as version 1.0.
func (a *Array) Write(w io.Writer) error {
	order := "<"
	if a.ElemSize() == 1 {
		order = "|"
	}
	var shape strings.Builder
	for i, n := range a.Shape {
		if i > 0 {
			shape.WriteByte(' ')
		}
		fmt.Fprintf(&shape, "%d,", n)
	}
	text := shape.String()
	if len(a.Shape) > 1 {
		text = strings.TrimSuffix(text, ",")
	}
	h := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }", order, a.Type, text)
	// Pad the header with a newline at its end, so that the data starts at a multiple of 64 bytes.
	pad := 63 - (len(magic)+4+len(h))%64
	h += strings.Repeat(" ", pad) + "\n"
	if len(h) > 65535 {
		return fmt.Errorf("the shape has too many dimensions for a .npy file")
	}
	head := append([]byte(magic), 1, 0, byte(len(h)), byte(len(h)>>8))
	if _, err := w.Write(append(head, h...)); err != nil {
		return err
	}
	_, err := w.Write(a.Data)
	return err
}

package argument

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/base/npy"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// A Source creates the data of arguments.
type Source struct {
	// Open opens a file. Its error wraps fs.ErrNotExist if there is none of that name.
	Open func(name string) (*File, error)
	// Limit is the greatest size of one argument in bytes.
	Limit int
	// Give returns a hint how to pass a missing argument, such as "-a 'x=zeros(N)' gives it".
	Give func(name, value string) string
}

// A File is an open file.
type File struct {
	io.ReadSeeker
	Size  int64
	Close func() error
}

// An Elem is the element type of a buffer: Lanes components of a number format, each
// element Size bytes long (a 3-vector has the size of four).
type Elem struct {
	Kind  numeric.Kind
	Lanes int
	Size  int
}

// Data is the contents of a buffer argument.
type Data struct {
	Elem  Elem
	Shape []int // of elements: length, or height and width
	Bytes []byte
}

// Count returns the number of elements.
func (d *Data) Count() int { return len(d.Bytes) / d.Elem.Size }

// New returns zero elements of the given shape.
func (s *Source) New(e Elem, shape ...int) (*Data, error) {
	n := e.Size
	for _, k := range shape {
		if k < 0 || k > 0 && n > s.Limit/k {
			return nil, fmt.Errorf("%s, each of %s, is more than the limit of %s", ShapeText(shape), CountOf(e.Size, "byte"), s.limit())
		}
		n *= k
	}
	return &Data{e, shape, make([]byte, n)}, nil
}

// limit formats the limit.
func (s *Source) limit() string {
	if s.Limit >= 1<<30 {
		return fmt.Sprintf("%d GiB", s.Limit>>30)
	}
	return fmt.Sprintf("%d MiB", s.Limit>>20)
}

// PutBits writes the bits of a number of kind k.
func PutBits(b []byte, k numeric.Kind, bits uint64) {
	for i := range k.Size() {
		b[i] = byte(bits >> (8 * i))
	}
}

// Bits reads the bits of a number of kind k.
func Bits(b []byte, k numeric.Kind) uint64 {
	var x uint64
	for i := range k.Size() {
		x |= uint64(b[i]) << (8 * i)
	}
	return x
}

// number parses a number in OpenCL C's syntax and returns its bits in kind k. An integer must fit; a floating-point
// number is rounded to nearest.
func number(s string, k numeric.Kind) (uint64, error) {
	t := strings.TrimSpace(s)
	if k.IsFloat() {
		u := t
		if !strings.HasPrefix(strings.TrimLeft(strings.ToLower(u), "+-"), "0x") || strings.ContainsAny(u, "pP") {
			u = strings.TrimRight(u, "fFhH")
			if l := strings.ToLower(t); strings.HasSuffix(l, "inf") || strings.HasSuffix(l, "infinity") {
				u = t
			}
		} else if n, err := strconv.ParseInt(u, 0, 64); err == nil {
			return numeric.ConvertBits(k, false, numeric.RTE, numeric.I64, uint64(n)), nil
		}
		f, err := strconv.ParseFloat(u, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, fmt.Errorf("%q is no number", s)
		}
		return numeric.ConvertBits(k, false, numeric.RTE, numeric.F64, math.Float64bits(f)), nil
	}
	t = strings.TrimRight(t, "uUlL")
	if k.Signed() || strings.HasPrefix(t, "-") {
		n, err := strconv.ParseInt(t, 0, k.Bits())
		if err == nil && (k.Signed() || n >= 0) {
			return uint64(n) & (^uint64(0) >> (64 - k.Bits())), nil
		}
	} else if n, err := strconv.ParseUint(t, 0, k.Bits()); err == nil {
		return n, nil
	}
	if _, err := strconv.ParseFloat(t, 64); err == nil {
		return 0, fmt.Errorf("%s does not fit %s, which holds %s", s, k.CName(), integerRange(k))
	}
	return 0, fmt.Errorf("%q is no number", s)
}

// integerRange formats the least and the greatest value of an integer format.
func integerRange(k numeric.Kind) string {
	if k.Signed() {
		return fmt.Sprintf("%d to %d", int64(-1)<<(k.Bits()-1), int64(1)<<(k.Bits()-1)-1)
	}
	return fmt.Sprintf("0 to %d", ^uint64(0)>>(64-k.Bits()))
}

// CountOf formats a number with its noun.
func CountOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ShapeText describes a buffer's shape.
func ShapeText(shape []int) string {
	if len(shape) == 1 {
		return "a list of " + CountOf(shape[0], "element")
	}
	s := make([]string, len(shape)) // widths first, as users write them
	for i, n := range shape {
		s[len(s)-1-i] = strconv.Itoa(n)
	}
	return strings.Join(s, "x")
}

// value parses a scalar or a vector literal such as (1, 2, 3, 4) into one element. A single number fills every
// component.
func value(s string, e Elem) ([]byte, error) {
	t := strings.TrimSpace(s)
	if strings.HasPrefix(t, "(") && strings.HasSuffix(t, ")") {
		t = t[1 : len(t)-1]
	}
	parts := strings.Split(t, ",")
	if len(parts) != 1 && len(parts) != e.Lanes {
		return nil, fmt.Errorf("%s has %d components, expected %d", s, len(parts), e.Lanes)
	}
	b := make([]byte, e.Size)
	for i := range e.Lanes {
		bits, err := number(parts[min(i, len(parts)-1)], e.Kind)
		if err != nil {
			return nil, err
		}
		PutBits(b[i*e.Kind.Size():], e.Kind, bits)
	}
	return b, nil
}

var callRE = regexp.MustCompile(`^(zeros|range|rand|fill)\((.*)\)$`)

// Parse returns the buffer contents that a text describes: zeros(n), range(n), rand(n[,seed]), fill(n,value), a
// list [a, b, …], or a file. n may be WIDTHxHEIGHT.
func (s *Source) Parse(spec string, e Elem) (*Data, error) {
	if m := callRE.FindStringSubmatch(spec); m != nil {
		return s.make(m[1], m[2], e)
	}
	if strings.HasPrefix(spec, "[") && strings.HasSuffix(spec, "]") {
		return listData(spec[1:len(spec)-1], e)
	}
	if strings.HasPrefix(spec, "[") {
		return nil, fmt.Errorf("the list %q does not end with ]", spec)
	}
	return s.read(spec, e)
}

func (s *Source) make(fn, args string, e Elem) (*Data, error) {
	size, rest, _ := strings.Cut(args, ",")
	rest = strings.TrimSpace(rest)
	var shape []int
	for _, p := range strings.Split(size, "x") {
		n, err := strconv.Atoi(strings.TrimSpace(p))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%s: %q is no size", fn, size)
		}
		shape = append([]int{n}, shape...)
	}
	d, err := s.New(e, shape...)
	if err != nil {
		return nil, err
	}
	switch fn {
	case "zeros":
		if rest != "" {
			return nil, fmt.Errorf("zeros takes one argument, the number of elements")
		}
	case "fill":
		v, err := value(rest, e)
		if err != nil {
			return nil, fmt.Errorf("fill: %w", err)
		}
		for i := 0; i < len(d.Bytes); i += e.Size {
			copy(d.Bytes[i:], v)
		}
	case "range":
		d.each(func(i int) uint64 {
			return numeric.ConvertBits(e.Kind, false, numeric.RoundDefault, numeric.U64, uint64(i))
		})
	case "rand":
		seed := uint64(1)
		if rest != "" {
			if seed, err = strconv.ParseUint(rest, 0, 64); err != nil {
				return nil, fmt.Errorf("rand: %q is no seed", rest)
			}
		}
		r := rand.New(rand.NewPCG(seed, 0))
		d.each(func(int) uint64 {
			if e.Kind.IsFloat() { // in [0, 1)
				return numeric.ConvertBits(e.Kind, false, numeric.RTZ, numeric.F64, math.Float64bits(r.Float64()))
			}
			return r.Uint64() & (^uint64(0) >> (64 - e.Kind.Bits()))
		})
	}
	return d, nil
}

// At returns a component of an element.
func (d *Data) At(i, lane int) float64 {
	k := d.Elem.Kind
	return Float(k, Bits(d.Bytes[i*d.Elem.Size+lane*k.Size():], k))
}

// each sets every component; i counts components over the whole buffer.
func (d *Data) each(f func(i int) uint64) {
	size, n := d.Elem.Kind.Size(), 0
	for at := 0; at < len(d.Bytes); at += d.Elem.Size {
		for l := range d.Elem.Lanes {
			PutBits(d.Bytes[at+l*size:], d.Elem.Kind, f(n))
			n++
		}
	}
}

// listData parses a list of elements; vectors are in parentheses.
func listData(s string, e Elem) (*Data, error) {
	d := &Data{Elem: e}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		end := strings.IndexByte(s, ',')
		if s[0] == '(' {
			if end = strings.IndexByte(s, ')'); end < 0 {
				return nil, fmt.Errorf("a parenthesis is not closed in the list")
			}
			end++
		} else if end < 0 {
			end = len(s)
		}
		v, err := value(s[:end], e)
		if err != nil {
			return nil, err
		}
		d.Bytes = append(d.Bytes, v...)
		s = strings.TrimSpace(s[end:])
		if s != "" {
			if s[0] != ',' {
				return nil, fmt.Errorf("expected a comma before %q in the list", s)
			}
			s = s[1:]
		}
	}
	d.Shape = []int{d.Count()}
	return d, nil
}

// read reads a file: .npy, a picture, or any other file as raw bytes.
func (s *Source) read(name string, e Elem) (*Data, error) {
	f, err := s.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q is neither a file nor zeros(N), range(N), rand(N), fill(N,VALUE) or a list [...]", name)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Size > int64(s.Limit) {
		return nil, fmt.Errorf("%s: %d bytes are more than the limit of %s", name, f.Size, s.limit())
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".npy":
		a, err := npy.Read(f, int64(s.Limit))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return fromArray(name, a, e)
	case ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp":
		return s.readPicture(name, f, e)
	}
	all := bytes.NewBuffer(make([]byte, 0, f.Size+bytes.MinRead))
	if _, err := all.ReadFrom(f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	b := all.Bytes()
	if len(b)%e.Size != 0 {
		return nil, fmt.Errorf("%s: %d bytes are no whole number of elements of %d bytes", name, len(b), e.Size)
	}
	return &Data{e, []int{len(b) / e.Size}, b}, nil
}

// readPicture reads a picture in a format that the program has registered.
func (s *Source) readPicture(name string, f *File, e Elem) (*Data, error) {
	cfg, _, err := image.DecodeConfig(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if int64(cfg.Width)*int64(cfg.Height)*16 > int64(s.Limit) {
		return nil, fmt.Errorf("%s: a picture of %d×%d is too large", name, cfg.Width, cfg.Height)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	img, _, err := image.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s.fromPicture(name, img, e)
}

// npyTypes are NumPy's type codes by kind.
var npyTypes = [numeric.NumKinds]string{numeric.Bool: "b1", numeric.I8: "i1", numeric.U8: "u1", numeric.I16: "i2", numeric.U16: "u2", numeric.I32: "i4",
	numeric.U32: "u4", numeric.I64: "i8", numeric.U64: "u8", numeric.F16: "f2", numeric.F32: "f4", numeric.F64: "f8"}

// fromArray converts an array, whose last dimension may be the components of a vector.
func fromArray(name string, a *npy.Array, e Elem) (*Data, error) {
	if a.Type != npyTypes[e.Kind] {
		return nil, fmt.Errorf("%s holds elements of NumPy type %s, the kernel wants %s (%s): convert it with astype", name, a.Type, npyTypes[e.Kind], e.Kind.CName())
	}
	d := &Data{Elem: e, Shape: a.Shape, Bytes: a.Data}
	if e.Lanes == 1 {
		return d, nil
	}
	n := len(a.Shape)
	if n == 0 || a.Shape[n-1] != e.Lanes {
		return nil, fmt.Errorf("%s has the shape %v; for vectors of %d components its last dimension must be %d", name, a.Shape, e.Lanes, e.Lanes)
	}
	d.Shape = a.Shape[:n-1]
	if row := e.Lanes * e.Kind.Size(); row != e.Size {
		padded := make([]byte, len(a.Data)/row*e.Size)
		for i := range len(a.Data) / row {
			copy(padded[i*e.Size:], a.Data[i*row:(i+1)*row])
		}
		d.Bytes = padded
	}
	return d, nil
}

// fromPicture converts a picture's pixels, row by row from the top. uchar4 and ushort4 elements are RGBA of 8 and
// 16 bits without premultiplication, float4 the same from 0 to 1; a single component is grey.
func (s *Source) fromPicture(name string, img image.Image, e Elem) (*Data, error) {
	if e.Lanes != 1 && e.Lanes != 4 || e.Kind != numeric.U8 && e.Kind != numeric.U16 && e.Kind != numeric.F32 {
		return nil, fmt.Errorf("%s: a picture fits elements of uchar, ushort and float with 1 or 4 components", name)
	}
	r := img.Bounds()
	d, err := s.New(e, r.Dy(), r.Dx())
	if err != nil {
		return nil, err
	}
	size, at := e.Kind.Size(), 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			var px [4]uint16
			if e.Lanes == 1 {
				px[0] = color.Gray16Model.Convert(img.At(x, y)).(color.Gray16).Y
			} else {
				px = pixel(img.At(x, y))
			}
			for l := range e.Lanes {
				b := d.Bytes[at+l*size:]
				switch e.Kind {
				case numeric.U8:
					b[0] = byte(px[l] >> 8)
				case numeric.U16:
					PutBits(b, e.Kind, uint64(px[l]))
				default:
					PutBits(b, e.Kind, uint64(math.Float32bits(float32(px[l])/65535)))
				}
			}
			at += e.Size
		}
	}
	return d, nil
}

// pixel returns 16-bit components without premultiplication. The standard conversion goes through premultiplied
// components, which loses precision at low alpha.
func pixel(c color.Color) [4]uint16 {
	if n, ok := c.(color.NRGBA); ok {
		return [4]uint16{uint16(n.R) * 0x101, uint16(n.G) * 0x101, uint16(n.B) * 0x101, uint16(n.A) * 0x101}
	}
	n := color.NRGBA64Model.Convert(c).(color.NRGBA64)
	return [4]uint16{n.R, n.G, n.B, n.A}
}

// Encode returns the contents of a file by the file's name: .npy, .png, or raw for any other name.
func (d *Data) Encode(name string) ([]byte, error) {
	var out bytes.Buffer
	switch strings.ToLower(path.Ext(name)) {
	case ".npy":
		a := &npy.Array{Type: npyTypes[d.Elem.Kind], Shape: d.Shape, Data: d.packed()}
		if d.Elem.Lanes > 1 {
			a.Shape = append(append([]int{}, d.Shape...), d.Elem.Lanes)
		}
		if err := a.Write(&out); err != nil {
			return nil, err
		}
	case ".png":
		img, err := d.Picture()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := png.Encode(&out, img); err != nil {
			return nil, err
		}
	case ".jpg", ".jpeg", ".tif", ".tiff", ".bmp":
		return nil, fmt.Errorf("%s: pictures are written as .png", name)
	default:
		return d.Bytes, nil
	}
	return out.Bytes(), nil
}

// packed returns the components without the padding of 3-vectors.
func (d *Data) packed() []byte {
	row := d.Elem.Lanes * d.Elem.Kind.Size()
	if row == d.Elem.Size {
		return d.Bytes
	}
	var b []byte
	for at := 0; at < len(d.Bytes); at += d.Elem.Size {
		b = append(b, d.Bytes[at:at+row]...)
	}
	return b
}

// Picture returns the buffer as a picture, the inverse of fromPicture.
func (d *Data) Picture() (image.Image, error) {
	if len(d.Shape) != 2 {
		return nil, fmt.Errorf("a picture needs a width and a height, and the buffer is %s: make it as zeros(640x480)", ShapeText(d.Shape))
	}
	e := d.Elem
	if e.Lanes != 1 && e.Lanes != 4 || e.Kind != numeric.U8 && e.Kind != numeric.U16 && e.Kind != numeric.F32 {
		return nil, fmt.Errorf("elements must be uchar, ushort or float with 1 or 4 components")
	}
	h, w := d.Shape[0], d.Shape[1]
	img := image.NewNRGBA64(image.Rect(0, 0, w, h))
	size := e.Kind.Size()
	for i := range w * h {
		px := [4]uint16{3: 0xFFFF}
		for l := range e.Lanes {
			bits := Bits(d.Bytes[i*e.Size+l*size:], e.Kind)
			switch e.Kind {
			case numeric.U8:
				px[l] = uint16(bits) * 0x101
			case numeric.U16:
				px[l] = uint16(bits)
			default:
				f := float64(math.Float32frombits(uint32(bits)))
				px[l] = uint16(math.Round(65535 * min(max(f, 0), 1)))
				if f != f {
					px[l] = 0
				}
			}
		}
		if e.Lanes == 1 {
			px[1], px[2] = px[0], px[0]
		}
		img.SetNRGBA64(i%w, i/w, color.NRGBA64{R: px[0], G: px[1], B: px[2], A: px[3]})
	}
	if e.Kind != numeric.U8 {
		return img, nil
	}
	narrow := image.NewNRGBA(img.Rect)
	for i := range narrow.Pix {
		narrow.Pix[i] = img.Pix[2*i]
	}
	return narrow, nil
}

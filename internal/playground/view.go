package playground

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"math"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/run/argument"
)

// Limits of views, which exceed a screen.
const (
	maxElements = 4096    // of an array
	maxPixels   = 1 << 26 // of a picture
	mostPoints  = 2048    // of a line
	mostBins    = 64      // of a histogram
)

// A ViewRequest requests a view of an argument after the run.
type ViewRequest struct {
	Name string `json:"name"`
	As   string `json:"as"` // "picture", "heat", "array", "line", "histogram" or "": the most suitable
}

// A View is an argument's contents for the page. The reply's bytes are a picture's pixels, RGBA.
type View struct {
	Name     string      `json:"name"`
	Type     string      `json:"type"`
	As       string      `json:"as"`
	Can      []string    `json:"can"` // possible values of As
	Elements int         `json:"elements"`
	Shape    []int       `json:"shape"`
	Width    int         `json:"width,omitempty"`
	Height   int         `json:"height,omitempty"`
	Low      float64     `json:"low"`  // lower end of a heat map's scale
	High     float64     `json:"high"` // upper end of a heat map's scale
	Rows     []Row       `json:"rows,omitempty"`
	X        []float64   `json:"x,omitempty"`
	Lines    [][]float64 `json:"lines,omitempty"` // for line: one list for each component; for histogram: the counts
}

// A Row is a sequence of an array's elements from an index on.
type Row struct {
	Index int      `json:"index"`
	Cells []string `json:"cells"`
}

func (p *Playground) view(r *ViewRequest, _ map[string][]byte) (Reply, error) {
	a, err := p.result(r.Name)
	if err != nil {
		return Reply{}, err
	}
	v := View{Name: a.Info.Name, Type: strings.TrimSuffix(a.Info.TypeName, "*"), Elements: a.Data.Count(), Shape: a.Data.Shape, Can: canBe(a.Data)}
	v.As = cmp.Or(r.As, v.Can[0])
	if !slices.Contains(v.Can, v.As) {
		return Reply{}, fmt.Errorf("%s cannot be shown as %s: it is %s of %s", a.Info.Name, v.As, argument.ShapeText(a.Data.Shape), v.Type)
	}
	var pixels []byte
	switch v.As {
	case "picture":
		pixels, err = v.picture(a.Data)
	case "heat":
		pixels, err = v.heat(a.Data)
	case "array":
		v.array(a.Data)
	case "line":
		v.line(a.Data)
	case "histogram":
		v.histogram(a.Data)
	}
	if err != nil {
		return Reply{}, err
	}
	out := Reply{Value: v}
	if pixels != nil {
		out.Bytes = [][]byte{pixels}
	}
	return out, nil
}

// result returns an argument after the run; "" means the first that the kernel may write.
func (p *Playground) result(name string) (*argument.Arg, error) {
	if p.run == nil {
		return nil, errNotPrepared
	}
	for _, a := range p.run.args {
		if a.Data != nil && (a.Info.Name == name || name == "" && a.Info.Writable()) {
			return a, nil
		}
	}
	if name == "" {
		return nil, errors.New("the kernel writes no buffer")
	}
	return nil, fmt.Errorf("there is no buffer %q", name)
}

// canBe lists the possible views of data, the most suitable first.
func canBe(d *argument.Data) []string {
	list := []string{"array"}
	if n := d.Elem.Kind.Size() * d.Elem.Lanes; d.Count() == 0 || n > d.Elem.Size || d.Elem.Lanes > 16 {
		return list
	}
	list = append(list, "line", "histogram")
	if len(d.Shape) != 2 || d.Count() > maxPixels {
		if d.Count() > 64 {
			list[0], list[1] = "line", "array"
		}
		return list
	}
	list = append([]string{"heat"}, list...)
	if _, err := (&argument.Data{Elem: d.Elem, Shape: []int{0, 0}}).Picture(); err == nil {
		list = append([]string{"picture"}, list...)
		if d.Elem.Lanes == 1 && d.Elem.Kind.IsFloat() { // its values are seldom in [0, 1]
			list[0], list[1] = list[1], list[0]
		}
	}
	return list
}

func (v *View) picture(d *argument.Data) ([]byte, error) {
	img, err := d.Picture()
	if err != nil {
		return nil, err
	}
	r := img.Bounds()
	v.Width, v.Height = r.Dx(), r.Dy()
	if n, ok := img.(*image.NRGBA); ok {
		return n.Pix, nil
	}
	n := image.NewNRGBA(r)
	draw.Draw(n, r, img, r.Min, draw.Src)
	return n.Pix, nil
}

// magnitude returns the value of a scalar element, or the length of a vector.
func magnitude(d *argument.Data, i int) float64 {
	if d.Elem.Lanes == 1 {
		return d.At(i, 0)
	}
	m := 0.0
	for lane := range d.Elem.Lanes {
		m = math.Hypot(m, d.At(i, lane))
	}
	return m
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// heatColors are the colours at equal distances on a scale from low to high: dark to light, distinguishable without
// red-green vision.
var heatColors = [][3]float64{{0, 0, 4}, {66, 10, 104}, {147, 38, 103}, {221, 81, 58}, {252, 165, 10}, {252, 255, 164}}

// heat colours numbers by their position between the least and the greatest. Numbers that are not finite are blue.
func (v *View) heat(d *argument.Data) ([]byte, error) {
	v.Height, v.Width = d.Shape[0], d.Shape[1]
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range d.Count() {
		if x := magnitude(d, i); finite(x) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if lo > hi {
		return nil, errors.New("the buffer has no finite numbers")
	}
	v.Low, v.High = lo, hi
	pix := make([]byte, 4*d.Count())
	for i := range d.Count() {
		c := [3]float64{0, 128, 255}
		if x := magnitude(d, i); finite(x) {
			t := 0.0
			if hi > lo {
				t = (x/2 - lo/2) / (hi/2 - lo/2) * float64(len(heatColors)-1)
			}
			k := min(int(t), len(heatColors)-2)
			for j := range c {
				c[j] = heatColors[k][j] + (t-float64(k))*(heatColors[k+1][j]-heatColors[k][j])
			}
		}
		pix[4*i], pix[4*i+1], pix[4*i+2], pix[4*i+3] = byte(c[0]), byte(c[1]), byte(c[2]), 255
	}
	return pix, nil
}

// array returns the first elements, in rows of the data's width or of sixteen elements.
func (v *View) array(d *argument.Data) {
	perRow := 8
	if len(d.Shape) == 2 && d.Shape[1] > 0 {
		perRow = min(d.Shape[1], 64)
	}
	stride := perRow
	if len(d.Shape) == 2 && d.Shape[1] > 0 {
		stride = d.Shape[1]
	}
	shown := 0
	for at := 0; at < d.Count() && shown < maxElements; at += stride {
		row := Row{Index: at}
		for i := at; i < min(at+perRow, d.Count()); i++ {
			row.Cells = append(row.Cells, argument.FormatElem(d.Elem, d.Bytes[i*d.Elem.Size:]))
		}
		shown += len(row.Cells)
		v.Rows = append(v.Rows, row)
	}
}

// line returns each component over the index. For long buffers it returns the least and the greatest element of
// each interval, so that no peak is lost.
func (v *View) line(d *argument.Data) {
	n := d.Count()
	stretch := max(1, (n+mostPoints/2-1)/(mostPoints/2))
	for at := 0; at < n; at += stretch {
		v.X = append(v.X, float64(at))
		if stretch > 1 {
			v.X = append(v.X, float64(at)+float64(stretch)/2)
		}
	}
	for lane := range d.Elem.Lanes {
		line := make([]float64, 0, len(v.X))
		for at := 0; at < n; at += stretch {
			lo, hi := math.Inf(1), math.Inf(-1)
			for i := at; i < min(at+stretch, n); i++ {
				if x := d.At(i, lane); finite(x) {
					lo, hi = min(lo, x), max(hi, x)
				}
			}
			line = append(line, gap(lo))
			if stretch > 1 {
				line = append(line, gap(hi))
			}
		}
		v.Lines = append(v.Lines, line)
	}
}

// noNumber marks a gap in a line: JSON has neither NaN nor infinities.
const noNumber = -math.MaxFloat64

func gap(x float64) float64 {
	if !finite(x) {
		return noNumber
	}
	return x
}

// histogram returns a histogram of the finite numbers of all components.
func (v *View) histogram(d *argument.Data) {
	lo, hi := math.Inf(1), math.Inf(-1)
	each := func(f func(x float64)) {
		for i := range d.Count() {
			for lane := range d.Elem.Lanes {
				if x := d.At(i, lane); finite(x) {
					f(x)
				}
			}
		}
	}
	each(func(x float64) { lo, hi = min(lo, x), max(hi, x) })
	if lo > hi {
		return
	}
	counts := make([]float64, min(mostBins, max(1, d.Count())))
	each(func(x float64) {
		k := 0
		if hi > lo {
			k = min(int((x/2-lo/2)/(hi/2-lo/2)*float64(len(counts))), len(counts)-1)
		}
		counts[k]++
	})
	for i := range counts {
		middle := (float64(i) + 0.5) / float64(len(counts))
		v.X = append(v.X, lo*(1-middle)+hi*middle)
	}
	v.Lines = [][]float64{counts}
}

// A SaveRequest requests an argument as a file.
type SaveRequest struct {
	Name string `json:"name"`
	File string `json:"file"` // file name, by which the format is chosen: .npy, .png, or raw
}

func (p *Playground) save(r *SaveRequest, _ map[string][]byte) (Reply, error) {
	a, err := p.result(r.Name)
	if err != nil {
		return Reply{}, err
	}
	b, err := a.Data.Encode(r.File)
	if err != nil {
		return Reply{}, err
	}
	return Reply{Bytes: [][]byte{b}}, nil
}

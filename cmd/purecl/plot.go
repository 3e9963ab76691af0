package main

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purecl/purecl/internal/run/argument"
)

// plotFlags select the buffers to draw.
type plotFlags struct {
	Plot   []string `sep:"none" placeholder:"[NAME=]FILE" help:"Draw a buffer after the run: .png or .svg. The name may be left out where the kernel writes one buffer."`
	PlotAs string   `enum:"auto,line,heat,histogram" default:"auto" placeholder:"KIND" help:"What --plot draws: line (elements over their index), heat (a heat map over rows and columns), histogram, or auto: heat of two-dimensional buffers, else line."`
}

const (
	plotWidth, plotHeight = 16 * vg.Centimeter, 10 * vg.Centimeter
	mostPoints            = 2048    // points of a line, and cells along a side of a heat map: more than a drawing has pixels
	mostBins              = 64      // bins of a histogram
	mostRectangles        = 1 << 14 // cells of a heat map drawn as rectangles: more are drawn as a picture, which blurs their edges
)

// A plotted is a buffer with the file of its drawing.
type plotted struct {
	flag string
	arg  *arg
	file string
}

// plots evaluates the flags, before the kernel runs.
func (c *plotFlags) plots(args []*arg) (list []plotted, err error) {
	for _, text := range c.Plot {
		name, file, named := strings.Cut(text, "=")
		p := plotted{flag: "--plot " + text, file: file}
		if named {
			if p.arg, err = buffer(args, p.flag, name); err != nil {
				return nil, err
			}
		} else {
			p.file = text
			for _, a := range args {
				if a.Data == nil || !a.Info.Writable() {
					continue
				}
				if p.arg != nil {
					return nil, usagef("%s: the kernel writes several buffers; name one, such as --plot %s=%s", p.flag, p.arg.Info.Name, text)
				}
				p.arg = a
			}
			if p.arg == nil {
				return nil, usagef("%s: the kernel writes no buffer; name one, such as --plot %s=%s", p.flag, someBuffer(args), text)
			}
		}
		if plotFormat(p.file) == "" {
			return nil, usagef("%s: drawings are .png or .svg files", p.flag)
		}
		if d := p.arg.Data; c.PlotAs == "heat" && len(d.Shape) != 2 {
			return nil, usagef("%s: a heat map is of a buffer with two dimensions, such as zeros(640x480); %s is %s", p.flag, p.arg.Info.Name, argument.ShapeText(d.Shape))
		}
		list = append(list, p)
	}
	return list, nil
}

// draw draws the buffers.
func (c *plotFlags) draw(list []plotted) error {
	for _, p := range list {
		kind := c.PlotAs
		if kind == "auto" {
			if kind = "line"; len(p.arg.Data.Shape) == 2 {
				kind = "heat"
			}
		}
		main, scale, err := drawing(p.arg, kind)
		if err == nil {
			err = savePlot(main, scale, p.file)
		}
		if err != nil {
			return usagef("%s: %v", p.flag, withoutPath(err))
		}
	}
	return nil
}

// newPlot returns an empty drawing.
func newPlot(title string) *plot.Plot {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	p := plot.New()
	p.Title.Text = title
	p.Title.Padding, p.Legend.Top = vg.Millimeter*2, true
	return p
}

// plotFormat returns the format of a drawing's file, "png" or "svg", or "" for another one.
func plotFormat(file string) string {
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".png", ".svg":
		return ext[1:]
	}
	return ""
}

// savePlot writes a drawing, with its colour scale if scale is not nil.
func savePlot(p, scale *plot.Plot, file string) error {
	canvas, err := draw.NewFormattedCanvas(plotWidth, plotHeight, plotFormat(file))
	if err != nil {
		return err
	}
	area := draw.New(canvas)
	if scale != nil {
		const wide = 2 * vg.Centimeter
		scale.Draw(draw.Crop(area, plotWidth-wide, 0, 0, -3*p.Title.TextStyle.Height("X")))
		area = draw.Crop(area, 0, -wide, 0, 0)
	}
	p.Draw(area)
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = canvas.WriteTo(f)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	return err
}

// drawing returns a drawing of a buffer, and its colour scale if it is a heat map.
func drawing(a *arg, kind string) (p, scale *plot.Plot, err error) {
	d := a.Data
	p = newPlot(fmt.Sprintf("%s: %s of %s", a.Info.Name, argument.ShapeText(d.Shape), strings.TrimSuffix(a.Info.TypeName, "*")))
	switch kind {
	case "line":
		err = drawLines(p, d)
	case "histogram":
		err = drawHistogram(p, d)
	case "heat":
		scale, err = drawHeat(p, d)
	}
	return p, scale, err
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// errNothing returns the error of a drawing that would be empty.
func errNothing(d *data) error {
	if d.Count() == 0 {
		return fmt.Errorf("the buffer has no elements")
	}
	return fmt.Errorf("the buffer has no finite numbers")
}

// drawLines draws each component over the index. For long buffers it draws the least and the greatest element of
// each interval, so that no peak is lost. NaN and infinities leave gaps.
func drawLines(p *plot.Plot, d *data) error {
	p.X.Label.Text = "index"
	n := d.Count()
	stretch := max(1, (n+mostPoints/2-1)/(mostPoints/2))
	drawn := 0
	for lane := range d.Elem.Lanes {
		var run plotter.XYs
		end := func() error {
			if len(run) == 0 {
				return nil
			}
			l, err := plotter.NewLine(run)
			if err != nil {
				return err
			}
			l.Color = plotutil.Color(lane)
			p.Add(l)
			if d.Elem.Lanes > 1 && drawn == lane {
				p.Legend.Add(fmt.Sprintf("s%x", lane), l)
				drawn++
			}
			drawn = max(drawn, 1)
			run = nil
			return nil
		}
		for at := 0; at < n; at += stretch {
			lo, hi, some := at, at, false
			for i := at; i < min(at+stretch, n); i++ {
				x := d.At(i, lane)
				if !finite(x) {
					continue
				}
				if !some || x < d.At(lo, lane) {
					lo = i
				}
				if !some || x > d.At(hi, lane) {
					hi = i
				}
				some = true
			}
			if !some {
				if err := end(); err != nil {
					return err
				}
				continue
			}
			run = append(run, plotter.XY{X: float64(min(lo, hi)), Y: d.At(min(lo, hi), lane)})
			if lo != hi {
				run = append(run, plotter.XY{X: float64(max(lo, hi)), Y: d.At(max(lo, hi), lane)})
			}
		}
		if err := end(); err != nil {
			return err
		}
	}
	if drawn == 0 {
		return errNothing(d)
	}
	return nil
}

// drawHistogram draws a histogram of the finite numbers of all components.
func drawHistogram(p *plot.Plot, d *data) error {
	p.X.Label.Text, p.Y.Label.Text = "value", "elements"
	var values plotter.Values
	for i := range d.Count() {
		for lane := range d.Elem.Lanes {
			if x := d.At(i, lane); finite(x) {
				values = append(values, x)
			}
		}
	}
	if len(values) == 0 {
		return errNothing(d)
	}
	h, err := plotter.NewHist(values, min(mostBins, len(values)))
	if err != nil {
		return err
	}
	h.FillColor = plotutil.Color(0)
	p.Add(h)
	return nil
}

// cells are the means of a buffer's elements over rectangles.
type cells struct {
	d          *data
	cols, rows int
	sum        []float64 // NaN if there is no finite number
}

func (c *cells) Dims() (cols, rows int)      { return c.cols, c.rows }
func (c *cells) Z(col, row int) float64      { return c.sum[(c.rows-1-row)*c.cols+col] } // row 0 is on top, as in pictures
func (c *cells) X(col int) float64           { return c.middle(col, c.cols, c.d.Shape[1]) }
func (c *cells) Y(row int) float64           { return c.middle(row, c.rows, c.d.Shape[0]) }
func (c *cells) middle(i, n, of int) float64 { return (float64(i)+0.5)*float64(of)/float64(n) - 0.5 }

// newCells averages numbers, and the magnitudes of vectors.
func newCells(d *data) *cells {
	rows, cols := d.Shape[0], d.Shape[1]
	c := &cells{d: d, cols: min(cols, mostPoints/4), rows: min(rows, mostPoints/4)}
	c.sum = make([]float64, c.cols*c.rows)
	counts := make([]int, len(c.sum))
	for y := range rows {
		for x := range cols {
			v := d.At(y*cols+x, 0)
			if d.Elem.Lanes > 1 {
				v = 0
				for lane := range d.Elem.Lanes {
					v = math.Hypot(v, d.At(y*cols+x, lane))
				}
			}
			if at := y*c.rows/rows*c.cols + x*c.cols/cols; finite(v) {
				c.sum[at] += v
				counts[at]++
			}
		}
	}
	for i, n := range counts {
		c.sum[i] /= float64(n) // NaN if there are none
	}
	return c
}

// drawHeat draws a heat map and returns its colour scale.
func drawHeat(p *plot.Plot, d *data) (scale *plot.Plot, err error) {
	p.X.Label.Text, p.Y.Label.Text = "column", "row"
	if d.Count() == 0 {
		return nil, errNothing(d)
	}
	c := newCells(d)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range c.sum {
		if finite(x) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	switch {
	case lo > hi:
		return nil, errNothing(d)
	case lo == hi:
		hi = lo + 1 // all cells have one colour
	}
	colors := moreland.ExtendedBlackBody()
	colors.SetMin(lo)
	colors.SetMax(hi)
	h := plotter.NewHeatMap(c, colors.Palette(255))
	h.Min, h.Max = lo, hi
	h.NaN = color.RGBA{0, 128, 255, 255} // a colour that the scale lacks
	h.Rasterized = c.cols*c.rows > mostRectangles
	p.Add(h)
	p.Y.Tick.Marker = plot.TickerFunc(func(lo, hi float64) []plot.Tick {
		last := float64(d.Shape[0] - 1)
		ticks := plot.DefaultTicks{}.Ticks(last-hi, last-lo)
		for i := range ticks {
			ticks[i].Value = last - ticks[i].Value
		}
		return ticks
	})
	scale = plot.New()
	scale.HideX()
	scale.Add(&plotter.ColorBar{ColorMap: colors, Vertical: true})
	return scale, nil
}

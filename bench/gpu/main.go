//go:build linux

// Command gpu compares PureCL on a GPU with another OpenCL library on the same GPU, such as NVIDIA's. It measures
// the rows of package bench without images, with bounds checks.
//
//	go run ./bench/gpu -opencl /usr/lib/x86_64-linux-gnu/libOpenCL.so.1 [-platform NVIDIA] [-run EXPRESSION] [-time 200ms] [-nvcc nvcc]
//	go run ./bench/gpu -checks
//	go run ./bench/gpu -launches
//
// Buffers stay on the device. Both sides take turns; a run is a launch and the wait for its end, a time the
// shortest of all runs. The results are compared first. The other library builds with
// -cl-fp32-correctly-rounded-divide-sqrt.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/purecl/purecl"
	"github.com/purecl/purecl/bench"
	"github.com/purecl/purecl/bench/opencl"
	_ "github.com/purecl/purecl/gpu"
	"github.com/purecl/purecl/internal/gpu/device"
)

var (
	library  = flag.String("opencl", "libOpenCL.so.1", "the other OpenCL library")
	platform = flag.String("platform", "NVIDIA", "words in the name of its platform")
	choose   = flag.String("run", "", "rows whose class/name this expression matches")
	checks   = flag.Bool("checks", false, "compare with PureCL without bounds checks instead")
	launches = flag.Bool("launches", false, "measure launches, copies, a product of matrices and the time to the first result instead of rows")
	nvcc     = flag.String("nvcc", "", "an nvcc, to measure some rows in CUDA C++ too")
	took     = flag.Duration("time", 100*time.Millisecond, "for each row")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gpu:", err)
		os.Exit(1)
	}
}

func run() error {
	rows, err := regexp.Compile(*choose)
	if err != nil {
		return err
	}
	dev, err := purecl.Open("gpu")
	if err != nil {
		return err
	}
	if *launches {
		return measureLaunches(dev)
	}
	var cl *opencl.Library // nil: PureCL without checks
	name := "PureCL without bounds checks"
	if !*checks {
		if cl, err = opencl.Open(*library, *platform, opencl.GPU); err != nil {
			return err
		}
		name = cl.Name()
	}
	var nv *nvccRows
	if *nvcc != "" {
		if nv, err = openNvcc(*nvcc); err != nil {
			return err
		}
	}
	fmt.Printf("%s beside %s\nrow\tPureCL µs\tother µs\tratio\tnvcc µs\tratio\n", dev, name)
	classes := map[string][]float64{}
	var all, beside []float64
	for _, r := range bench.Rows() {
		if !rows.MatchString(r.Class.Name + "/" + r.Name) {
			continue
		}
		sides, err := measure(dev, cl, nv, r)
		if errors.Is(err, errImages) {
			continue
		}
		if err != nil {
			fmt.Printf("%s/%s\t%v\n", r.Class.Name, r.Name, err)
			continue
		}
		ours, theirs := sides[0].best, sides[1].best
		ratio := float64(ours) / float64(theirs)
		fmt.Printf("%s/%s\t%.1f\t%.1f\t%.2f", r.Class.Name, r.Name, float64(ours)/1e3, float64(theirs)/1e3, ratio)
		if len(sides) > 2 {
			x := float64(ours) / float64(sides[2].best)
			fmt.Printf("\t%.1f\t%.2f", float64(sides[2].best)/1e3, x)
			beside = append(beside, x)
		}
		fmt.Println()
		classes[r.Class.Name] = append(classes[r.Class.Name], ratio)
		all = append(all, ratio)
	}
	for _, c := range bench.Classes {
		if list := classes[c.Name]; len(list) > 0 {
			fmt.Printf("%s\t%d rows\tgeomean %.2f\tworst %.2f\n", c.Name, len(list), bench.Geomean(list), slices.Max(list))
		}
	}
	if len(beside) > 0 {
		fmt.Printf("beside nvcc\t%d rows\tgeomean %.3f\tworst %.2f\n", len(beside), bench.Geomean(beside), slices.Max(beside))
	}
	if len(all) > 0 {
		fmt.Printf("all\t%d rows\tgeomean %.3f\tworst %.2f\n", len(all), bench.Geomean(all), slices.Max(all))
	}
	return nil
}

var errImages = errors.New("rows with images are not measured")

// A side is one of the two: run runs the row once, read reads a memory object.
type side struct {
	run   func() error
	read  func(i int) ([]byte, error)
	best  time.Duration
	local []int // the size of work-groups that the row or its kernel requires, or nil
	close func()
}

// measure runs a row on PureCL, the other library and nvcc, if it has the row, and returns their closed sides.
func measure(dev *purecl.Device, cl *opencl.Library, nv *nvccRows, r *bench.Row) ([]*side, error) {
	c := r.Case(r.Full)
	for i := range c.Args {
		if _, _, image := c.Args[i].Image(); image {
			return nil, errImages
		}
	}
	text, err := r.Text()
	if err != nil {
		return nil, err
	}
	a, err := pureCL(dev, r, &c, text)
	if err != nil {
		return nil, fmt.Errorf("PureCL: %w", err)
	}
	defer a.close()
	b, err := other(dev, cl, r, &c, text)
	if err != nil {
		return nil, fmt.Errorf("the other: %w", err)
	}
	defer b.close()
	sides := []*side{a, b}
	switch x, err := nv.side(r, &c, text, b.local); {
	case err != nil:
		return nil, fmt.Errorf("nvcc: %w", err)
	case x != nil:
		defer x.close()
		sides = append(sides, x)
	}
	for i, s := range sides {
		if err := s.run(); err != nil {
			return nil, err
		}
		if cl == nil && i == 1 { // both have run as often
			if err := a.run(); err != nil {
				return nil, err
			}
		}
		s.best = time.Hour
	}
	for _, s := range sides[1:] {
		if err := compare(&c, a, s, r.Tolerance); err != nil {
			fmt.Printf("%s/%s\tother results: %v\n", r.Class.Name, r.Name, err)
		}
	}
	for start := time.Now(); time.Since(start) < *took; {
		for _, s := range sides {
			for turn := time.Now(); time.Since(turn) < 2*time.Millisecond; {
				begin := time.Now()
				if err := s.run(); err != nil {
					return nil, err
				}
				s.best = min(s.best, time.Since(begin))
			}
		}
	}
	return sides, nil
}

// compare describes how the results of the first run differ.
func compare(c *bench.Case, a, b *side, tolerance float64) error {
	for i := range c.Args {
		if c.Args[i].Bytes() == 0 {
			continue
		}
		got, err := a.read(i)
		if err != nil {
			return err
		}
		want, err := b.read(i)
		if err != nil {
			return err
		}
		if err := c.Args[i].Compare(got, want, tolerance); err != nil {
			return err
		}
	}
	return nil
}

// pureCL returns PureCL's side.
func pureCL(dev *purecl.Device, r *bench.Row, c *bench.Case, text string) (*side, error) {
	prog, err := dev.Compile(text, r.Options)
	if err != nil {
		return nil, err
	}
	k, err := prog.Kernel(r.Kernel)
	if err != nil {
		return nil, err
	}
	s := &side{}
	var args []any
	buffers := map[int]*purecl.Buffer[byte]{}
	s.close = func() {
		for _, b := range buffers {
			b.Close()
		}
		prog.Close()
	}
	for i := range c.Args {
		a := &c.Args[i]
		if a.Bytes() == 0 {
			args = append(args, a.Number())
			continue
		}
		if buffers[i], err = purecl.NewBuffer(dev, a.Content(i)); err != nil {
			return nil, err
		}
		args = append(args, buffers[i])
	}
	rng := purecl.Range(c.Global...)
	if c.Local != nil {
		rng = rng.Local(c.Local...)
	}
	s.run = func() error { return k.Run(context.Background(), rng, args...) }
	s.read = func(i int) ([]byte, error) {
		b := make([]byte, c.Args[i].Bytes())
		return b, buffers[i].Read(context.Background(), b)
	}
	return s, nil
}

// other returns the other library's side, or PureCL's without checks.
func other(dev *purecl.Device, cl *opencl.Library, r *bench.Row, c *bench.Case, text string) (*side, error) {
	if cl == nil {
		device.Unchecked = true
		defer func() { device.Unchecked = false }()
		s, err := pureCL(dev, r, c, text)
		if err == nil {
			err = s.run() // which makes the code
		}
		return s, err
	}
	k, err := cl.Build(text, r.Options+" -cl-fp32-correctly-rounded-divide-sqrt", r.Kernel)
	if err != nil {
		if k, err = cl.Build(text, r.Options+" -cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt", r.Kernel); err != nil {
			return nil, err
		}
	}
	numbers, err := opencl.Numbers(r, text, c)
	if err != nil {
		return nil, err
	}
	local := c.Local
	if local == nil {
		if local, err = cl.Required(k); err != nil {
			return nil, err
		}
	}
	buffers := map[int]uintptr{}
	for i := range c.Args {
		if c.Args[i].Bytes() == 0 {
			err = cl.SetArg(k, i, numbers[i])
		} else if buffers[i], err = cl.Buffer(c.Args[i].Content(i)); err == nil {
			err = cl.SetObject(k, i, buffers[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return &side{
		local: local,
		run:   func() error { return cl.Run(k, c.Global, local) },
		read:  func(i int) ([]byte, error) { return cl.Read(buffers[i], c.Args[i].Bytes()) },
		close: func() {
			for _, m := range buffers {
				cl.ReleaseObject(m)
			}
			cl.ReleaseKernel(k)
		},
	}, nil
}

//go:build linux

package main

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/purecl/purecl/bench"
	"github.com/purecl/purecl/bench/opencl"
	"github.com/purecl/purecl/internal/gpu/cuda"
	"github.com/purecl/purecl/internal/gpu/device"
)

//go:embed rows.cu
var rowsCU []byte

// nvccRows are the rows that rows.cu has in CUDA C++, compiled by nvcc to PTX and loaded by the driver.
type nvccRows struct {
	m     device.Machine
	s     device.Stream
	text  string
	names map[string]bool
}

// openNvcc compiles rows.cu with an nvcc.
func openNvcc(nvcc string) (*nvccRows, error) {
	list, err := cuda.Machines()
	if err != nil {
		return nil, err
	}
	n := &nvccRows{m: list[0], names: map[string]bool{}}
	if n.s, err = n.m.NewStream(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "nvcc")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "rows.cu"), filepath.Join(dir, "rows.ptx")
	if err := os.WriteFile(in, rowsCU, 0o600); err != nil {
		return nil, err
	}
	if msg, err := exec.Command(nvcc, "-ptx", "-std=c++14", "-arch="+n.m.Target(), "-o", out, in).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", nvcc, err, msg)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	n.text = string(text)
	for _, m := range regexp.MustCompile(`\.visible \.entry (\w+)\(`).FindAllStringSubmatch(n.text, -1) {
		n.names[m[1]] = true
	}
	return n, nil
}

// side returns nvcc's side of a row, nil if rows.cu does not have the row. required is the size of work-groups that the
// kernel requires, or nil.
func (n *nvccRows) side(r *bench.Row, c *bench.Case, source string, required []int) (*side, error) {
	if n == nil || !n.names[r.Name] {
		return nil, nil
	}
	code, err := n.m.Load(n.text, r.Name)
	if err != nil {
		return nil, err
	}
	numbers, err := opencl.Numbers(r, source, c)
	if err != nil {
		return nil, err
	}
	addresses := make([]uint64, len(c.Args))
	s := &side{best: time.Hour, close: func() {
		for _, at := range addresses {
			n.m.Free(at, n.m.Generation())
		}
		code.Close()
	}}
	var params bytes.Buffer
	for i := range c.Args {
		value := numbers[i]
		if value == nil {
			content := c.Args[i].Content(i)
			if addresses[i], err = n.m.Alloc(len(content)); err == nil {
				err = errors.Join(n.s.Write(addresses[i], content), n.s.Wait())
			}
			if err != nil {
				s.close()
				return nil, err
			}
			value = binary.LittleEndian.AppendUint64(nil, addresses[i])
		}
		for params.Len()%len(value) != 0 { // the members of a structure are aligned to their sizes
			params.WriteByte(0)
		}
		params.Write(value)
	}
	g := &device.Grid{Blocks: [3]uint32{1, 1, 1}, Threads: [3]uint32{1, 1, 1}, Params: params.Bytes()}
	for d, size := range c.Global {
		local := []int{32, 8, 1}[d]
		if len(c.Global) == 1 {
			local = 256
		}
		if required != nil {
			local = required[d]
		}
		if size%local != 0 {
			s.close()
			return nil, fmt.Errorf("%d work-items are not a multiple of %d", size, local)
		}
		g.Blocks[d], g.Threads[d] = uint32(size/local), uint32(local)
	}
	s.run = func() error { return errors.Join(n.s.Launch(code, g), n.s.Wait()) }
	s.read = func(i int) ([]byte, error) {
		b := make([]byte, c.Args[i].Bytes())
		return b, errors.Join(n.s.Read(b, addresses[i]), n.s.Wait())
	}
	return s, nil
}

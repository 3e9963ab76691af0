//go:build linux

package bench

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// Memory is the memory that the runner and the compared processes share.
type Memory struct {
	file  *os.File
	bytes []byte
}

// NewMemory returns shared memory of size bytes. The system allocates a page when it is first touched.
func NewMemory(size int) (*Memory, error) {
	fd, err := unix.MemfdCreate("purecl-bench", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), "memory")
	if err := file.Truncate(int64(size)); err != nil {
		return nil, err
	}
	return openMemory(file, size)
}

// openMemory maps the memory of another process.
func openMemory(file *os.File, size int) (*Memory, error) {
	b, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	// Without huge pages, all sides use the same small ones.
	_ = unix.Madvise(b, unix.MADV_HUGEPAGE)
	return &Memory{file, b}, nil
}

// Close unmaps the memory.
func (m *Memory) Close() error {
	if err := unix.Munmap(m.bytes); err != nil {
		return err
	}
	return m.file.Close()
}

// Size returns how much memory, in bytes, the largest case needs; the full size includes the machine's limits.
func Size(rows []*Row, small bool) int {
	size := 0
	if !small {
		c := copies(slices.Max(copySizes)).Case(0)
		_, size = c.layout()
	}
	for _, r := range rows {
		for _, n := range []int{r.Small, r.size(small)} {
			c := r.Case(n)
			_, n := c.layout()
			size = max(size, n)
		}
	}
	return size
}

// objects returns the parts of the memory that hold the case's memory objects.
func (c *Case) objects(m *Memory) [][]byte {
	offsets, _ := c.layout()
	parts := make([][]byte, len(c.Args))
	for i, a := range c.Args {
		parts[i] = m.bytes[offsets[i] : offsets[i]+a.bytes : offsets[i]+a.bytes]
	}
	return parts
}

// Fill writes the initial contents of all memory objects.
func (c *Case) Fill(m *Memory) {
	for i, part := range c.objects(m) {
		if fill := c.Args[i].fill; fill != nil {
			fill(part, i)
		}
	}
}

// Results returns copies of the results and restores the initial contents.
func (c *Case) Results(m *Memory) [][]byte {
	var list [][]byte
	for i, part := range c.objects(m) {
		if c.Args[i].compare != nil {
			list = append(list, bytes.Clone(part))
			c.Args[i].fill(part, i)
		}
	}
	return list
}

// Compare compares results; its error describes the first difference.
func (c *Case) Compare(got, want [][]byte, tolerance float64) error {
	k := 0
	for i, a := range c.Args {
		if a.compare == nil {
			continue
		}
		if err := a.compare(got[k], want[k], tolerance); err != nil {
			return fmt.Errorf("argument %d: %w", i, err)
		}
		k++
	}
	return nil
}

// compare compares a result with the reference's.
func compare[T number](got, want []byte, tolerance float64) error {
	if bytes.Equal(got, want) {
		return nil
	}
	g, w := view[T](got), view[T](want)
	for i := range g {
		if g[i] == w[i] {
			continue
		}
		x, y := value(g[i]), value(w[i])
		if math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= tolerance*max(1, math.Abs(x), math.Abs(y)) {
			continue
		}
		return fmt.Errorf("element %d of %d is %v, the reference's %v", i, len(g), x, y)
	}
	return nil
}

func value[T number](x T) float64 {
	if h, ok := any(x).(numeric.Half); ok {
		return h.Float64()
	}
	return float64(x)
}

package gputest

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
)

var speeds = flag.String("speeds", "", "file of kernels to measure, a line each: file|kernel|options|global|local|arguments; b: bytes of a buffer, i: int, f: float")

// TestSpeeds measures kernels: the build, the first launch, the shortest of many launches that each wait for the
// end, and the mean of many queued launches.
func TestSpeeds(t *testing.T) {
	if *speeds == "" {
		t.Skip("wants -speeds")
	}
	text, err := os.ReadFile(*speeds)
	if err != nil {
		t.Fatal(err)
	}
	dev := device.New(machine(t))
	queue, err := dev.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 6 {
			continue
		}
		if err := speed(dev, queue, filepath.Dir(*speeds), f); err != nil {
			t.Errorf("%s: %v", f[1], err)
		}
	}
}

func speed(dev exec.Device, queue exec.Queue, dir string, f []string) error {
	src, err := os.ReadFile(filepath.Join(dir, f[0]))
	if err != nil {
		return err
	}
	begin := time.Now()
	opts, err := compile.ParseOptions(f[2])
	if err != nil {
		return err
	}
	res, err := compile.Compile(context.Background(), f[0], src, opts)
	if err != nil {
		return err
	}
	prog, err := dev.Load(&exec.Module{Module: res.Module})
	if err != nil {
		return err
	}
	defer prog.Close()
	k, err := prog.Kernel(f[1])
	if err != nil {
		return err
	}
	front := time.Since(begin)
	l := &exec.Launch{Kernel: k}
	for a := range strings.FieldsSeq(f[5]) {
		var arg exec.Arg
		switch a[0] {
		case 'b':
			n, _ := strconv.Atoi(a[1:])
			m, err := dev.Allocate(n)
			if err != nil {
				return err
			}
			defer m.Free()
			mem := make([]byte, n)
			for i := 0; i+4 <= n; i += 4 {
				binary.LittleEndian.PutUint32(mem[i:], math.Float32bits(float32(i/4%1000)*0.01+0.5))
			}
			if err := queue.Write(m, mem); err != nil {
				return err
			}
			arg = exec.Arg{Kind: exec.MemoryArg, Memory: m}
		case 'i':
			n, _ := strconv.Atoi(a[1:])
			arg = exec.Arg{Kind: exec.ValueArg, Bytes: binary.LittleEndian.AppendUint32(nil, uint32(n))}
		case 'f':
			x, _ := strconv.ParseFloat(a[1:], 32)
			arg = exec.Arg{Kind: exec.ValueArg, Bytes: binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(x)))}
		}
		l.Args = append(l.Args, arg)
	}
	if err := queue.Wait(context.Background()); err != nil {
		return err
	}
	r := exec.Range{Global: numbers(f[3]), Local: numbers(f[4])}
	if l.Range, err = k.Resolve(r); err != nil {
		return err
	}
	begin = time.Now()
	if err := launchAndWait(queue, l); err != nil {
		return err
	}
	first := time.Since(begin)
	if len(l.Report.Findings) > 0 {
		return fmt.Errorf("found %v", l.Report.Findings[0])
	}
	best := time.Hour
	total := time.Duration(0)
	n := 0
	for ; n < 10 || total < 200*time.Millisecond && n < 2000; n++ {
		begin := time.Now()
		if err := launchAndWait(queue, l); err != nil {
			return err
		}
		d := time.Since(begin)
		best, total = min(best, d), total+d
	}
	fmt.Printf("SPEED %s best_us %.1f mean_us %.1f front_ms %.2f first_ms %.2f\n", f[1], float64(best.Nanoseconds())/1e3, float64(total.Nanoseconds())/1e3/float64(n), float64(front.Microseconds())/1e3, float64(first.Microseconds())/1e3)
	return nil
}

func numbers(s string) (list []uint64) {
	for w := range strings.SplitSeq(s, ",") {
		n, err := strconv.ParseUint(w, 10, 64)
		if err == nil {
			list = append(list, n)
		}
	}
	return list
}

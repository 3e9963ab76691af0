package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/ir/ssa"
	runexec "github.com/purecl/purecl/internal/run/exec"
)

// gpu returns the device to list code for, and whether it is a GPU. The device is nil if the computer or the
// program has no GPUs, which PTX does not need.
func (c *asmCmd) gpu() (runexec.Device, bool, error) {
	d, err := c.find()
	kind, _, _ := strings.Cut(strings.ToLower(c.Device), ":")
	switch {
	case err == nil && d.Info().Kind != "gpu":
		return nil, false, nil
	case err != nil && kind != "gpu":
		return nil, false, err
	case c.Level != "" || c.Partial || c.Rows:
		return nil, false, usagef("--level, --partial and --rows are about the processor's code; leave them out with --device %s", c.Device)
	case err != nil:
		return nil, true, nil
	}
	return d.Device, true, nil
}

// listGPU prints a kernel's PTX beside its source, and the driver's machine code if there are a driver and a
// disassembler.
func (c *asmCmd) listGPU(w io.Writer, dev runexec.Device, src *diag.Source, f *ssa.Func) error {
	f, err := c.withImages(f)
	if err != nil {
		return err
	}
	l := gpuLister{w: w, src: src, places: map[string]diag.Pos{}, all: c.All}
	k, code, asmErr, err := device.List(dev, f, l.where)
	if err != nil {
		return err
	}
	l.summary(k)
	switch {
	case dev == nil:
		fmt.Fprintf(w, "  no machine code (SASS): the driver makes it, and there is no GPU device; purecl devices says why\n")
	case asmErr != nil:
		fmt.Fprintf(w, "  no machine code (SASS): %v\n", asmErr)
	}
	if c.Summary {
		fmt.Fprintln(w)
		return nil
	}
	l.ptx(k.Text)
	if code != nil {
		l.sass(code)
	}
	fmt.Fprintln(w)
	return nil
}

// A gpuLister prints a kernel's code for a GPU.
type gpuLister struct {
	w      io.Writer
	src    *diag.Source
	places map[string]diag.Pos // a position on each source line that has code
	all    bool
}

// where returns the location of a position, and records it in places.
func (l *gpuLister) where(p diag.Pos) diag.Location {
	at := l.src.Location(p)
	key := fmt.Sprintf("%s:%d", at.File, at.Line)
	if _, ok := l.places[key]; !ok {
		l.places[key] = p
	}
	return at
}

// source prints a source line, which is named by file and line number.
func (l *gpuLister) source(name string) {
	if p, ok := l.places[name]; ok {
		fmt.Fprintf(l.w, "\n%s  %s\n", name, sourceText(l.src, p))
	}
}

var targetLine = regexp.MustCompile(`(?m)^\.target (.*)$`)

func (l *gpuLister) summary(k *ptx.Kernel) {
	insts := 0
	for line := range strings.Lines(entryOf(k.Text)) {
		if isInstruction(line) {
			insts++
		}
	}
	target := targetLine.FindStringSubmatch(k.Text)[1]
	fmt.Fprintf(l.w, "kernel %s (%s): PTX for %s\n", k.Func.Name, l.src.Location(k.Func.Pos), target)
	fmt.Fprintf(l.w, "  a work-item is a thread: %d instructions; parameters: %d bytes; private memory of a work-item: %d bytes\n", insts, k.Block, k.Private)
	if k.Compares {
		fmt.Fprintf(l.w, "  not all work-items of a group need come to each barrier: they compare where they wait\n")
	}
}

// entryOf returns the text of the kernel itself, without the functions that it calls.
func entryOf(text string) string {
	_, entry, _ := strings.Cut(text, ".visible .entry ")
	return entry
}

func isInstruction(line string) bool {
	return strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "\t.")
}

var locLine = regexp.MustCompile(`^\t\.loc (\d+) (\d+) 0`)

var fileLine = regexp.MustCompile(`(?m)^\.file \d+ (".*")$`)

// ptx prints the text, with source lines in place of .loc directives.
func (l *gpuLister) ptx(text string) {
	var files []string
	for _, m := range fileLine.FindAllStringSubmatch(text, -1) {
		name, err := strconv.Unquote(m[1])
		if err != nil {
			name = m[1]
		}
		files = append(files, name)
	}
	if !l.all {
		text = entryOf(text)
	}
	for line := range strings.Lines(text) {
		m := locLine.FindStringSubmatch(line)
		switch {
		case m != nil:
			if n, _ := strconv.Atoi(m[1]); n >= 1 && n <= len(files) {
				l.source(files[n-1] + ":" + m[2])
			}
		case l.all || !strings.HasPrefix(line, "\t.reg "):
			fmt.Fprint(l.w, strings.Replace(line, "\t", "  ", 1))
		}
	}
}

// A disassembler is a program of NVIDIA's toolkit that prints machine code.
type disassembler struct {
	name string
	args []string
}

// disassemblers lists the programs in order of preference: nvdisasm prints source lines.
var disassemblers = []disassembler{{"nvdisasm", []string{"-g", "-c"}}, {"cuobjdump", []string{"-sass"}}}

// sass prints the disassembled machine code.
func (l *gpuLister) sass(code []byte) {
	for _, d := range disassemblers {
		path := toolkit(d.name)
		if path == "" {
			continue
		}
		text, err := disassemble(path, d.args, code)
		if err != nil {
			fmt.Fprintf(l.w, "\nno machine code (SASS): %s: %v\n", path, err)
			return
		}
		fmt.Fprintf(l.w, "\nmachine code (SASS), by %s\n", d.name)
		l.instructions(text)
		return
	}
	fmt.Fprintf(l.w, "\nno machine code (SASS): neither nvdisasm nor cuobjdump of NVIDIA's toolkit is in PATH\n")
}

// toolkit returns the path of a program of NVIDIA's toolkit, "" if it is not installed.
func toolkit(name string) string {
	for _, at := range []string{name, filepath.Join(os.Getenv("CUDA_HOME"), "bin", name), filepath.Join("/usr/local/cuda/bin", name)} {
		if path, err := exec.LookPath(at); err == nil {
			return path
		}
	}
	return ""
}

// disassemble runs a disassembler, at most for a minute.
func disassemble(path string, args []string, code []byte) (string, error) {
	file, err := os.CreateTemp("", "purecl-*.cubin")
	if err != nil {
		return "", err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(code)
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	text, err := exec.CommandContext(ctx, path, append(args, file.Name())...).Output()
	return string(text), err
}

var (
	sassLine   = regexp.MustCompile(`^\s*/\*([0-9a-f]{4,})\*/\s+(.*?;)`)
	sassLabel  = regexp.MustCompile(`^(\.L_x_\d+):`)
	sassSource = regexp.MustCompile(`//## File "(.*)", line (\d+)`)
	sassBegin  = regexp.MustCompile(`\.section\s+\.text\.(\w+)|Function : (\w+)`)
)

// instructions prints a disassembler's output for the kernel, or for all functions with --all.
func (l *gpuLister) instructions(text string) {
	shown, last := l.all, ""
	for line := range strings.Lines(text) {
		if m := sassBegin.FindStringSubmatch(line); m != nil {
			name := m[1] + m[2]
			if shown = l.all || name == ptx.Entry; shown {
				fmt.Fprintf(l.w, "\n%s:\n", name)
			}
			continue
		}
		if !shown {
			continue
		}
		if m := sassSource.FindStringSubmatch(line); m != nil {
			if name := m[1] + ":" + m[2]; name != last {
				last = name
				l.source(name)
			}
		} else if m := sassLabel.FindStringSubmatch(line); m != nil {
			fmt.Fprintf(l.w, "%s:\n", m[1])
		} else if m := sassLine.FindStringSubmatch(line); m != nil {
			fmt.Fprintf(l.w, "  %s  %s\n", m[1], m[2])
		}
	}
}

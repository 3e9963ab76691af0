package profile

import (
	"io"
	"time"

	"github.com/google/pprof/profile"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/front/diag"
)

// WritePProf writes the kernels' times in pprof's format, compressed (profile.proto of github.com/google/pprof). A
// sample is a source line, its function the kernel; its values are the number of executions by gangs and the
// nanoseconds. when is the time of the first launch, wall the program's duration from then on.
func WritePProf(w io.Writer, kernels []jit.KernelTime, when time.Time, wall time.Duration) error {
	p := &profile.Profile{
		SampleType:        []*profile.ValueType{{Type: "gangs", Unit: "count"}, {Type: "time", Unit: "nanoseconds"}},
		DefaultSampleType: "time",
		PeriodType:        &profile.ValueType{Type: "time", Unit: "nanoseconds"},
		Period:            1,
		TimeNanos:         when.UnixNano(),
		DurationNanos:     int64(wall),
		Comments:          []string{How},
	}
	for i := range kernels {
		addKernel(p, &kernels[i])
	}
	if err := p.CheckValid(); err != nil {
		return err
	}
	return p.Write(w)
}

// addKernel adds a kernel: a function for each file that has lines of it.
func addKernel(p *profile.Profile, k *jit.KernelTime) {
	src := k.Kernel.Module.Source
	start := src.Location(k.Kernel.Pos)
	functions := map[string]*profile.Function{}
	function := func(l diag.Location) *profile.Function {
		f := functions[l.File]
		if f == nil {
			f = &profile.Function{ID: uint64(len(p.Function) + 1), Name: k.Kernel.Name, SystemName: k.Kernel.Name, Filename: l.File}
			if l.File == start.File {
				f.StartLine = int64(start.Line)
			}
			functions[l.File] = f
			p.Function = append(p.Function, f)
		}
		return f
	}
	for _, l := range k.Lines {
		at := src.Location(l.Pos)
		loc := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{{Function: function(at), Line: int64(at.Line)}}}
		p.Location = append(p.Location, loc)
		p.Sample = append(p.Sample, &profile.Sample{
			Location: []*profile.Location{loc},
			Value:    []int64{int64(l.Gangs), int64(l.Time)},
			Label:    map[string][]string{"kernel": {k.Kernel.Name}, "device": {"cpu"}, "level": {k.Level}},
		})
	}
}

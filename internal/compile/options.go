package compile

import (
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// ParseOptions parses the options string of clBuildProgram by option.Parse. The error is a *[option.Error].
func ParseOptions(text string) (*Options, error) {
	b, err := option.Parse(text)
	if err != nil {
		return nil, err
	}
	return NewOptions(b), nil
}

// NewOptions converts build options to options of the compiler.
func NewOptions(b *option.Build) *Options {
	o := &Options{Source: b.Source, Diag: b.Diagnostics, NoOpt: b.OptDisable, UniformGroups: b.UniformWorkGroupSize, FlushSubnormals: b.DenormsAreZero, Ignored: b.Ignored}
	for _, f := range [...]struct {
		on    bool
		flags ssa.ValueFlags
	}{
		{b.MadEnable, ssa.Contract},
		{b.NoSignedZeros, ssa.NoSignedZero},
		{b.UnsafeMath, ssa.Reassoc},
		{b.FiniteMathOnly, ssa.NoNaNInf},
	} {
		if f.on {
			o.Float |= f.flags
		}
	}
	return o
}

package compile

import (
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// ParseOptions parses the options string of clBuildProgram; syntax.ParseBuildOptions
// knows its form. The error is a *[syntax.OptionError].
func ParseOptions(text string) (*Options, error) {
	b, err := syntax.ParseBuildOptions(text)
	if err != nil {
		return nil, err
	}
	return FromBuildOptions(b), nil
}

// FromBuildOptions gives build options their meaning for the compiler.
func FromBuildOptions(b *syntax.BuildOptions) *Options {
	o := &Options{Source: b.Options, Diag: b.Diagnostics, NoOpt: b.OptDisable, UniformGroups: b.UniformWorkGroupSize, FlushSubnormals: b.DenormsAreZero, Ignored: b.Ignored}
	o.Source.SinglePrecision = b.SinglePrecisionConstant
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

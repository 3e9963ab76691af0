package main

import (
	"errors"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/option"
)

// buildFlags are the compiler options of a command that compiles a source. Words holds the options in clang's
// spelling, which arrange takes from the command line.
type buildFlags struct {
	Words   []string `name:"build-option" sep:"none" hidden:""`
	Options []string `name:"options" sep:"none" placeholder:"OPTIONS" help:"Compiler options in one text, as clBuildProgram takes them: '-w -cl-fast-relaxed-math'."`

	watched bool // launches have checks
	plain   bool // the code must compute exactly what the source says: -cl-opt-disable
}

// buildHelp describes the compiler's options in a command's help.
var buildHelp = help(
	"Compiler options are those of clBuildProgram and clang, among the others in any order:",
	"  -D NAME[=VALUE]  -U NAME  -I DIR           macros, directories of #include",
	"  -cl-std=CL1.2    CL1.0 to CL3.0            version of OpenCL C",
	"  -w  -Werror  -Wall  -WNAME  -Wno-NAME      warnings, by the names in `purecl explain`",
	"  -O0 … -O3  -cl-fast-relaxed-math  -cl-…    optimization, liberties of arithmetic",
)

// parse returns the compiler options. Its error is a usage error.
func (f *buildFlags) parse() (*option.Build, error) {
	opts, err := option.ParseArgs(f.Words, f.Options...)
	var oe *option.Error
	if errors.As(err, &oe) {
		hint := ""
		if oe.Hint != "" {
			hint = "; did you mean '" + oe.Hint + "'?"
		}
		return nil, usagef("compiler option '%s': %s%s", oe.Option, oe.Reason, hint)
	}
	if err != nil {
		return nil, usagef("%v", err)
	}
	opts.OptDisable = opts.OptDisable || f.plain
	opts.ReadFile = readInclude
	return opts, nil
}

// compileOptions returns the compiler's options. Its error is a usage error.
func (f *buildFlags) compileOptions() (*compile.Options, error) {
	b, err := f.parse()
	if err != nil {
		return nil, err
	}
	return compile.NewOptions(b), nil
}

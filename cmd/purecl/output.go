package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/program"
)

// An output is the destination of a command: the streams of the process, or those of a test of `purecl test`.
type output struct {
	out, err io.Writer
	color    bool // colour diagnostics
	progress bool // err is a terminal, on which progress is shown
}

func processOutput() *output {
	terminal := isTerminal(os.Stderr)
	return &output{out: os.Stdout, err: os.Stderr, color: terminal, progress: terminal}
}

// show writes a diagnostic in its form for people.
func (o *output) show(f diag.Finding) {
	fmt.Fprint(o.err, diag.Style{Codes: true, Color: o.color}.One(f.Source, f.Diagnostic))
}

// formFlags select the form of a command's report.
type formFlags struct {
	JSON  bool `name:"json" xor:"form" help:"Write the report as JSON on the standard output."`
	SARIF bool `name:"sarif" xor:"form" help:"Write the diagnostics as SARIF 2.1.0 on the standard output."`
}

// forMachines reports whether standard output must contain only the report.
func (f *formFlags) forMachines() bool { return f.JSON || f.SARIF }

// write writes the report: v as JSON, or the diagnostics as SARIF.
func (f *formFlags) write(w io.Writer, v any, list []diag.Finding) error {
	switch {
	case f.JSON:
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(v)
	case f.SARIF:
		return diag.WriteSARIF(w, versionText(), list)
	}
	return nil
}

// jsonDiagnostics returns diagnostics in their JSON form, never nil.
func jsonDiagnostics(list []diag.Finding) []diag.JSONDiagnostic {
	out := []diag.JSONDiagnostic{}
	for _, f := range list {
		out = append(out, f.JSON(f.Source))
	}
	return out
}

// diagsOf converts a build's diagnostics for renderers.
func diagsOf(list []program.Diagnostic) []diag.Finding {
	var out []diag.Finding
	for i := range list {
		out = append(out, list[i].Diag)
	}
	return out
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/cpu/arm64"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// listARM64 prints a kernel's machine code for arm64: a summary, then the instructions. With --all it prints the
// gang function first.
func (c *asmCmd) listARM64(w io.Writer, src *diag.Source, f *ssa.Func) error {
	if c.Rows {
		return usagef("gangs of several rows are amd64's; leave out --rows with --level %s", jit.ARM64)
	}
	code, f64, err := jit.ListARM64(f, !c.Partial)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "kernel %s (%s): %s\n", f.Name, src.Location(f.Pos), jit.ARM64)
	fmt.Fprintf(w, "  %d work-items in a gang, %d instructions, %d bytes with entry and exits\n", arm64.Lanes, code.Insts, len(code.Bytes))
	if list := code.Evaluated(); len(list) > 0 {
		slices.Sort(list)
		fmt.Fprintf(w, "  computed by the host, without instructions: %s\n", strings.Join(slices.Compact(list), ", "))
	}
	if c.All {
		fmt.Fprint(w, "\n", f64)
	}
	if !c.Summary {
		fmt.Fprint(w, "\n", code.Listing)
	}
	_, err = fmt.Fprintln(w)
	return err
}

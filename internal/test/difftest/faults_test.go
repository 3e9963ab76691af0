package difftest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// faultExecutors returns the executors of TestFaults and TestStops.
func faultExecutors() []exec.Executor {
	return append(append([]exec.Executor{interp.Reference}, MachineExecutors()...), interpreters()...)
}

func TestFaults(t *testing.T) { Faults(t, faultExecutors()) }

func TestStops(t *testing.T) { Stops(t, faultExecutors()) }

// TestFaultTable checks that the table of docs/faults.md has the rows that Faults tests.
func TestFaultTable(t *testing.T) {
	text, err := os.ReadFile("../../../docs/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| access | robust mode | finding |\n|---|---|---|\n")
	for _, r := range faultRows {
		finding := "`" + strings.TrimSuffix(r.finding, "!") + "`"
		if r.finding == "" {
			finding = "none"
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", r.access, r.robust, finding)
	}
	if !strings.Contains(string(text), table.String()) {
		t.Errorf("docs/faults.md does not have the table of these tests:\n%s", table.String())
	}
}

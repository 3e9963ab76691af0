// Package environment is the table of PureCL's environment variables: their values, defaults and meanings. All code
// reads them with Get, so that an invalid value counts as unset. A program with an output for messages prints
// Problems once. docs/environment.md is generated from the table.
package environment

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Variable is a row of the table.
type Variable struct {
	Name    string
	Kind    Kind
	Choices []string // of a Choice or List, in lower case
	Min     int      // of a Number, with Max
	Max     int
	Default string // the effect without the variable, in words
	// Required is set if an invalid value is an error instead of being ignored.
	Required bool
	Users    string // its readers: "driver", "all"
	Doc      string // meaning, in Markdown
}

// A Kind is the kind of a variable's values.
type Kind uint8

// The kinds.
const (
	Choice   Kind = iota // one of Choices, in upper or lower case
	List                 // some of Choices, between commas
	Number               // from Min to Max
	Duration             // such as 500ms, 10s, 2m, or a number of seconds
	Path                 // of a file or directory
	Device               // a kind of device, perhaps with a colon and a number
	Kernel               // a kernel's name, perhaps with a colon and the number of a launch
)

// Table holds all variables, by name.
var Table = []Variable{
	{Name: "PURECL_CHECK", Kind: Choice, Choices: []string{"none", "memory", "all"}, Default: "none", Users: "driver",
		Doc: "The checks of launches, besides those of bounds, which are always on. `memory`: also uninitialised reads and misaligned accesses. `all`: also data races and implementation-defined results. Both run on the reference executor, which is many times slower."},
	{Name: "PURECL_CPU", Kind: Choice, Choices: []string{"avx512fp16", "avx512vbmi", "avx512vnni", "avx512", "avx2vnni", "avx2", "none"}, Default: "the best that the processor has", Users: "all",
		Doc: "The instruction set of machine code. If the processor lacks it, the default is used. `none` is the reference executor."},
	{Name: "PURECL_DEBUG", Kind: Kernel, Default: "nothing", Users: "driver",
		Doc: "A kernel's name, such as `scan`, or `scan:3` for its third launch: that launch waits for a debugger on a port of 127.0.0.1. It prints the port and the token that the debugger needs ([debugger.md](debugger.md#from-a-c-or-python-program))."},
	{Name: "PURECL_DEVICE", Kind: Device, Default: "cpu", Users: "all",
		Doc: "The default device: what `purecl.Open(\"\")` opens, where `purecl run` runs without `--device`, and the first device of the driver ([Devices](#devices))."},
	{Name: "PURECL_DEVICE_THREADS", Kind: Number, Min: 1, Max: 1 << 12, Default: "all processors", Users: "driver",
		Doc: "The compute units that the device reports and uses."},
	{Name: "PURECL_DEVICE_TYPE", Kind: Choice, Choices: []string{"cpu", "gpu", "accelerator"}, Default: "what the device is", Required: true, Users: "driver",
		Doc: "The type that the driver's device reports, for programs that do not accept CPUs. It does not select a device ([Devices](#devices))."},
	{Name: "PURECL_DUMP", Kind: Path, Default: "nothing", Users: "driver",
		Doc: "A directory, or `-` for the log, for the optimised intermediate code of each program that is built."},
	{Name: "PURECL_FAULT", Kind: Choice, Choices: []string{"robust", "strict", "abort"}, Default: "robust, with PURECL_CHECK strict", Users: "driver",
		Doc: "The effect of an access to memory that a kernel must not access ([faults.md](faults.md)). `robust`: the kernel continues. `strict`: the launch fails. `abort`: the first such access is reported and ends the process by SIGABRT, for a debugger or a core file."},
	{Name: "PURECL_GDB", Kind: Choice, Choices: []string{"0", "1"}, Default: "0", Users: "all",
		Doc: "`1`: registers machine code with GDB, with source lines."},
	{Name: "PURECL_LOG", Kind: Path, Default: "the standard error", Users: "driver",
		Doc: "The file to which messages are appended: faults of kernels, invalid variables, bugs. If it is set, the reason why a kernel runs on the reference executor ([reference-executor.md](reference-executor.md)), and faults that are reported to the host's context callback, are appended too."},
	{Name: "PURECL_PERF", Kind: List, Choices: []string{"map", "lines"}, Default: "nothing", Users: "all",
		Doc: "Machine code is listed for perf in `/tmp/perf-PID.map`: with `map` as one line for each kernel, with `lines` as one for each sequence of instructions of a source line."},
	{Name: "PURECL_PROFILE", Kind: Path, Default: "nothing", Users: "driver",
		Doc: "A file for the times of all kernels' source lines in pprof's format, which is written when the process ends, as by `purecl run --pprof` ([fast.md](fast.md#where-the-time-goes)). Machine code then counts its blocks, which takes some time."},
	{Name: "PURECL_TIMEOUT", Kind: Duration, Default: "none", Users: "driver",
		Doc: "The longest duration of a launch, such as `500ms` or `10s`, after which it fails with CL_OUT_OF_RESOURCES. For kernels with endless loops."},
}

func row(name string) *Variable {
	for i := range Table {
		if Table[i].Name == name {
			return &Table[i]
		}
	}
	panic("environment: no variable " + name)
}

// Get returns a variable's value, in lower case for a choice, and "" if it is unset or invalid.
func Get(name string) string {
	v, s := row(name), os.Getenv(name)
	if v.check(s) != "" {
		return ""
	}
	if v.Kind == Choice || v.Kind == List {
		s = strings.ToLower(s)
	}
	return s
}

// GetNumber returns a Number's value, 0 if the variable is not set.
func GetNumber(name string) int {
	n, _ := strconv.Atoi(Get(name)) // Get has checked it
	return n
}

// GetDuration returns a Duration's value, 0 if the variable is not set.
func GetDuration(name string) time.Duration {
	d, _ := parseDuration(Get(name)) // Get has checked it
	return d
}

func parseDuration(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	if err != nil {
		d, err = time.ParseDuration(s + "s")
	}
	return d, err == nil && d > 0
}

// check describes the mistake in the value, "" if there is none. An empty value counts as not set.
func (v *Variable) check(s string) string {
	if s == "" {
		return ""
	}
	known := func(s string) bool { return slices.Contains(v.Choices, strings.ToLower(s)) }
	ok := true
	switch v.Kind {
	case Choice:
		ok = known(s)
	case List:
		for _, part := range strings.Split(s, ",") {
			ok = ok && known(part)
		}
	case Number:
		n, err := strconv.Atoi(s)
		ok = err == nil && n >= v.Min && n <= v.Max
	case Duration:
		_, ok = parseDuration(s)
	case Kernel:
		_, number, counted := strings.Cut(s, ":")
		n, err := strconv.Atoi(number)
		ok = !counted || err == nil && n > 0
	}
	if ok {
		return ""
	}
	return v.expected()
}

// expected describes the valid values, for a message.
func (v *Variable) expected() string {
	switch v.Kind {
	case Choice:
		n := len(v.Choices) - 1
		return strings.Join(v.Choices[:n], ", ") + " or " + v.Choices[n]
	case List:
		return strings.Join(v.Choices, ",") + " or one of them"
	case Number:
		return fmt.Sprintf("a number from %d to %d", v.Min, v.Max)
	case Duration:
		return "a time such as 500ms, 10s or 2m"
	case Kernel:
		return "a kernel's name such as scan, or scan:3 for its third launch"
	}
	return "a path"
}

// ofTests is the prefix of variables that only tests of this repository use.
const ofTests = "PURECL_TEST_"

// A Problem is a mistake in a variable.
type Problem struct {
	Name    string
	Text    string // description with the variable's name
	Instead string // value used instead, "" if there is none
}

// String returns the text, with the value used instead.
func (p Problem) String() string {
	if p.Instead == "" {
		return p.Text
	}
	return p.Text + "; used instead: " + p.Instead
}

// Problems returns the mistakes in an environment (os.Environ), by name: variables with PureCL's prefix that do
// not exist, and wrong values. Package exec checks names of devices.
func Problems(environ []string) (list []Problem) {
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, "PURECL_") || strings.HasPrefix(name, ofTests) {
			continue
		}
		i := slices.IndexFunc(Table, func(v Variable) bool { return v.Name == name })
		if i < 0 {
			list = append(list, Problem{Name: name, Text: name + ": there is no such variable and it has no effect" + like(name)})
			continue
		}
		if p := Table[i].problem(value); p.Text != "" {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b Problem) int { return strings.Compare(a.Text, b.Text) })
	return list
}

func (v *Variable) problem(value string) Problem {
	want := v.check(value)
	if want == "" {
		return Problem{}
	}
	p := Problem{Name: v.Name, Text: fmt.Sprintf("%s=%s: expected %s", v.Name, value, want)}
	if !v.Required {
		p.Instead = v.Default
	}
	return p
}

// Check returns an error if a variable's value is invalid.
func Check(name string) error {
	if p := row(name).problem(os.Getenv(name)); p.Text != "" {
		return errors.New(p.Text)
	}
	return nil
}

// like suggests the variable with the nearest name.
func like(name string) string {
	best, least := "", 1+len(name)/4
	for i := range Table {
		if d := distance(name, Table[i].Name); d < least {
			best, least = Table[i].Name, d
		}
	}
	if best == "" {
		return "; docs/environment.md lists all"
	}
	return "; did you mean " + best + "?"
}

// distance returns the least number of letters to change, add or remove to turn a into b (V. I. Levenshtein, 1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

// Markdown returns docs/environment.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Environment variables\n\n" +
		"<!-- Made of the table in internal/base/environment by go test ./internal/base/environment -update -->\n\n" +
		"An empty value counts as unset. An invalid value and an unknown name that begins with `PURECL_` are errors of the command line. The driver reads the\n" +
		"variables once, at its first use. It writes mistakes to its log and uses the value of the column \"without it\" instead.\n\n" +
		"| variable | values | without it | read by | meaning |\n|---|---|---|---|---|\n")
	for i := range Table {
		v := &Table[i]
		values := map[Kind]string{Device: "such as `cpu`, `gpu`, `gpu:1`", Number: fmt.Sprintf("%d to %d", v.Min, v.Max), Duration: "a time", Path: "a path", Kernel: "such as `scan`, `scan:3`"}[v.Kind]
		switch v.Kind {
		case Choice:
			values = "`" + strings.Join(v.Choices, "`, `") + "`"
		case List:
			values = "`" + strings.Join(v.Choices, "`, `") + "`, with commas"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", v.Name, values, v.Default, map[string]string{"driver": "the driver", "all": "everything"}[v.Users], v.Doc)
	}
	b.WriteString(devices)
	return b.String()
}

const devices = `
## Devices

` + "`purecl devices`" + ` lists the devices and marks the default. The processor, ` + "`cpu:0`" + `, is always the first and, without PURECL_DEVICE, the default. A device has the
name of its kind and its number among that kind: ` + "`cpu`" + ` is ` + "`cpu:0`" + `, ` + "`gpu:1`" + ` is the second GPU.

| | the device |
|---|---|
| ` + "`purecl.Open(name)`" + `, ` + "`--device NAME`" + ` of ` + "`purecl run`, `bench`, `test`, `eval`, `repl`" + ` | that of the name |
| ` + "`purecl.Open(\"\")`, `purecl.Compile`" + `, ` + "`purecl run`" + ` without ` + "`--device`" + ` | the default device |
| the driver | the default device, the first that it lists; GPUs follow unless PURECL_DEVICE names the processor |

A name that no device has is an error that lists the devices. The driver then lists none: clGetDeviceIDs answers CL_DEVICE_NOT_FOUND and the log
has the error. ` + "`PURECL_DEVICE_TYPE`" + ` changes the answer to CL_DEVICE_TYPE and nothing else, so that a program that asks for a GPU takes the processor. A wrong
value leaves the driver without a device too.
`

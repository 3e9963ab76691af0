// Package environment is the table of PureCL's environment variables: what each may hold, what
// holds without it, and what it means. Whoever reads one asks Get, so that a wrong value means
// the same as none; whoever has a place for messages shows Problems once.
// docs/environment.md is made of the table.
package environment

import (
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
	Default string // what holds without it, in words
	Users   string // who reads it: "driver", "api", "all"
	Doc     string // what it means, in Markdown
}

// A Kind is what a variable holds.
type Kind uint8

// The kinds.
const (
	Choice   Kind = iota // one of Choices, in upper or lower case
	List                 // some of Choices, between commas
	Number               // from Min to Max
	Duration             // such as 500ms, 10s, 2m, or a number of seconds
	Path                 // of a file or directory
	Device               // a kind of device, perhaps with a colon and a number
)

// Table holds all variables, by name.
var Table = []Variable{
	{Name: "PURECL_CHECK", Kind: Choice, Choices: []string{"none", "memory", "all"}, Default: "none", Users: "driver",
		Doc: "What launches watch for besides accesses out of bounds, which are always caught. `memory`: uninitialised reads and misaligned accesses too. `all`: data races and implementation-defined results too. Both run on the reference executor, which is many times slower."},
	{Name: "PURECL_CPU", Kind: Choice, Choices: []string{"avx512fp16", "avx512vnni", "avx512", "avx2vnni", "avx2", "none"}, Default: "the best that the processor has", Users: "all",
		Doc: "The instructions that machine code may use. One that the processor lacks means the default; `none` is the reference executor."},
	{Name: "PURECL_DEVICE", Kind: Device, Default: "cpu", Users: "api",
		Doc: "The default device of the Go API: what `purecl.Open(\"\")` opens and `purecl.Compile` compiles for. One that there is not is an error."},
	{Name: "PURECL_DEVICE_THREADS", Kind: Number, Min: 1, Max: 1 << 12, Default: "all processors", Users: "driver",
		Doc: "The compute units that the device reports and uses."},
	{Name: "PURECL_DEVICE_TYPE", Kind: Choice, Choices: []string{"cpu", "gpu", "accelerator"}, Default: "cpu", Users: "driver",
		Doc: "The type that the device reports: many programs take no CPU."},
	{Name: "PURECL_DUMP", Kind: Path, Default: "nothing", Users: "driver",
		Doc: "A directory, or `-` for the log: the optimised intermediate code of each program that is built goes there."},
	{Name: "PURECL_FAULT", Kind: Choice, Choices: []string{"robust", "strict", "abort"}, Default: "robust, with PURECL_CHECK strict", Users: "driver",
		Doc: "What happens where a kernel accesses memory that it must not ([faults.md](faults.md)). `robust`: it goes on. `strict`: the launch fails. `abort`: the first such access is told and ends the process by SIGABRT, for a debugger or a core file."},
	{Name: "PURECL_GDB", Kind: Choice, Choices: []string{"0", "1"}, Default: "0", Users: "all",
		Doc: "`1`: machine code is announced to GDB, with source lines."},
	{Name: "PURECL_LOG", Kind: Path, Default: "the standard error", Users: "driver",
		Doc: "The file that messages are appended to: faults of kernels, wrong variables, bugs. With it, a kernel that runs on the reference executor says why ([reference-executor.md](reference-executor.md)), and faults that the host's context callback is told stand here too."},
	{Name: "PURECL_PERF", Kind: List, Choices: []string{"map", "lines"}, Default: "nothing", Users: "all",
		Doc: "Machine code is announced to perf in `/tmp/perf-PID.map`: `map` a line for each kernel, `lines` one for each run of instructions of a source line."},
	{Name: "PURECL_TIMEOUT", Kind: Duration, Default: "none", Users: "driver",
		Doc: "How long a launch may run, such as `500ms` or `10s`; then it fails with CL_OUT_OF_RESOURCES. For kernels that do not end."},
}

func row(name string) *Variable {
	for i := range Table {
		if Table[i].Name == name {
			return &Table[i]
		}
	}
	panic("environment: no variable " + name)
}

// Get returns a variable's value, in lower case where it is a choice; "" where it is not set
// or wrong.
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

// GetNumber returns a Number's value, 0 where there is none.
func GetNumber(name string) int {
	n, _ := strconv.Atoi(Get(name)) // checked
	return n
}

// GetDuration returns a Duration's value, 0 where there is none.
func GetDuration(name string) time.Duration {
	d, _ := parseDuration(Get(name)) // checked
	return d
}

func parseDuration(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	if err != nil {
		d, err = time.ParseDuration(s + "s")
	}
	return d, err == nil && d > 0
}

// check says what the value is not, "" where it is good; an empty one is as none.
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
	}
	if ok {
		return ""
	}
	return v.expected()
}

// expected says what a value is, for a message.
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
	}
	return "a path"
}

// ofTests begins the names that only tests of this repository use.
const ofTests = "PURECL_TEST_"

// Problems says what is wrong with an environment, as os.Environ returns it: variables with
// PureCL's prefix that there are not, and wrong values, with what is used instead.
func Problems(environ []string) (list []string) {
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, "PURECL_") || strings.HasPrefix(name, ofTests) {
			continue
		}
		i := slices.IndexFunc(Table, func(v Variable) bool { return v.Name == name })
		if i < 0 {
			list = append(list, fmt.Sprintf("%s: there is no such variable and it has no effect%s", name, like(name)))
			continue
		}
		if want := Table[i].check(value); want != "" {
			list = append(list, fmt.Sprintf("%s=%s: expected %s; used instead: %s", name, value, want, Table[i].Default))
		}
	}
	slices.Sort(list)
	return list
}

// like suggests the variable whose name is nearest.
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

// distance is how many letters must be changed, added or removed to make one of the other
// (V. I. Levenshtein, 1966).
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

// Markdown is docs/environment.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Environment variables\n\n" +
		"<!-- Made of the table in internal/base/environment by go test ./internal/base/environment -update -->\n\n" +
		"The driver reads them once, when it is first used. It names unknown variables that begin with `PURECL_` and wrong values in its log, and the command\n" +
		"line on the standard error, with what is used instead. An empty value is as none.\n\n" +
		"| variable | values | without it | read by | meaning |\n|---|---|---|---|---|\n")
	for i := range Table {
		v := &Table[i]
		values := map[Kind]string{Device: "such as `cpu`, `gpu`, `gpu:1`", Number: fmt.Sprintf("%d to %d", v.Min, v.Max), Duration: "a time", Path: "a path"}[v.Kind]
		switch v.Kind {
		case Choice:
			values = "`" + strings.Join(v.Choices, "`, `") + "`"
		case List:
			values = "`" + strings.Join(v.Choices, "`, `") + "`, with commas"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", v.Name, values, v.Default, map[string]string{"driver": "the driver", "api": "the Go API", "all": "everything"}[v.Users], v.Doc)
	}
	return b.String()
}

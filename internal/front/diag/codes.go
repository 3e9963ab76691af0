package diag

// A Code is a kind of diagnostic: a row of the registry. `purecl explain NAME` prints it, and its examples run as
// tests: Bad must produce this code first (others may follow), Good must compile without diagnostics.
type Code struct {
	Name     string // kebab-case; for a warning also its -W name
	Severity Severity
	Off      bool   // a warning that is off unless -Wname enables it
	Group    string // a warning group that switches it too: "all", "extra", "pedantic" or ""
	Doc      string // meaning and remedy
	Spec     string // section of the specification, by title and number
	Bad      string // a whole translation unit
	Good     string // the same, corrected
	Options  string // build options of the examples, such as -cl-std=CL3.0
	Link     bool   // found when units are linked

	index int // in Codes
}

// Codes is the registry in order of declaration; newCode adds to it.
var Codes []*Code

func newCode(c Code) *Code {
	p := &c
	p.index = len(Codes)
	Codes = append(Codes, p)
	return p
}

// Lookup returns the code of the given name, or nil. A leading "-W" is ignored.
func Lookup(name string) *Code {
	if len(name) > 2 && name[:2] == "-W" {
		name = name[2:]
	}
	for _, c := range Codes {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// The codes of the reporter itself.
var (
	// TooManyErrors is reported once the cap on errors is reached.
	TooManyErrors = newCode(Code{Name: "too-many-errors", Severity: Fatal,
		Doc: "The compilation stopped because it had reported as many errors as -ferror-limit allows (20 by default)."})
	// IgnoredOption is reported for a build option of another implementation.
	IgnoredOption = newCode(Code{Name: "ignored-option", Severity: Warning,
		Doc: "The program was built with an option that other OpenCL implementations know and that has no meaning here, such as -cl-nv-verbose. It changes nothing."})
	// LeftOut is reported by the command line, which runs the other kernels of a file.
	LeftOut = newCode(Code{Name: "left-out", Severity: Warning,
		Doc: "A function has errors, but the kernel that is run does without it: purecl run, bench and test leave such a function out. The first of its errors is named; purecl check shows all."})
	// SourceTooLarge is reported if files and macro expansions exceed the position space.
	SourceTooLarge = newCode(Code{Name: "source-too-large", Severity: Fatal,
		Doc: "All source files and macro expansions of one program together may take at most 4 GiB."})
)

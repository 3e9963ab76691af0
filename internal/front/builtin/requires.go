package builtin

import (
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
)

// Requirements are words separated by spaces, all of which must be satisfied. A word is a version of OpenCL C
// ("2.0": that or later), or alternatives of extensions and features joined by '|', one of which must exist.

// needNames are the requirements of types, by bit of needs.
var needNames = [...]string{"cl_khr_fp64", "cl_khr_fp16", "2.0 __opencl_c_generic_address_space"}

func (e *Env) meetsWord(w string) bool {
	for a := range strings.SplitSeq(w, "|") {
		if v, ok := opencl.ParseVersion(a); ok {
			if e.Std >= v {
				return true
			}
		} else if e.has(a) {
			return true
		}
	}
	return false
}

// has reports whether a feature or extension exists. OpenCL C 2.0 has all the features that are optional in 3.0,
// without their macros.
func (e *Env) has(name string) bool {
	if x := opencl.FindExtension(name); e.Std == opencl.CL20 && x != nil && x.In20 {
		return true
	}
	return e.Enabled == nil || e.Enabled(name)
}

func (e *Env) meets(req string) bool {
	for w := range strings.FieldsSeq(req) {
		if !e.meetsWord(w) {
			return false
		}
	}
	return true
}

// missing formats the first unsatisfied requirement.
func (e *Env) missing(req string) string {
	for w := range strings.FieldsSeq(req) {
		if !e.meetsWord(w) {
			w = strings.ReplaceAll(w, "|", " or ")
			if w[0] >= '0' && w[0] <= '9' {
				w = "OpenCL C " + w + " (-cl-std=CL" + w + ")"
			}
			return w
		}
	}
	return ""
}

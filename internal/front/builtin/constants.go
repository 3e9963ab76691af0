package builtin

import (
	"github.com/purecl/purecl/internal/base/opencl"
)

// LookupConstant returns the predeclared constant of that name.
func LookupConstant(env *Env, name string) (*opencl.Constant, bool) {
	for i := range opencl.Constants {
		if c := &opencl.Constants[i]; c.Name == name && env.Std >= c.Since {
			return c, true
		}
	}
	return nil, false
}

// LookupType returns the predeclared type name.
func LookupType(env *Env, name string) (*opencl.TypeName, bool) {
	for i := range opencl.TypeNames {
		if t := &opencl.TypeNames[i]; t.Name == name && env.Std >= t.Since && env.meets(t.Needs) {
			return t, true
		}
	}
	return nil, false
}

package option

import (
	"fmt"

	"github.com/purecl/purecl/internal/base/opencl"
)

// Supported reports whether this implementation has the extension (cl_khr_…) or optional feature (__opencl_c_…)
// in the version of the options, so that its macro is predefined.
func (o *Source) Supported(name string) bool {
	x := opencl.FindExtension(name)
	return x != nil && x.In(o.Std.OrDefault()) && !o.Withdrawn(name)
}

// Withdrawn reports whether -cl-ext disables an extension or feature, or -U a feature.
func (o *Source) Withdrawn(name string) bool {
	off := false
	for _, x := range o.Extensions {
		if x.Name == name || x.Name == "all" {
			off = !x.On
		}
	}
	for _, d := range o.Defines {
		if d.Name == name && opencl.IsFeature(name) {
			off = d.Undef
		}
	}
	return off
}

// inconsistency describes a contradiction among the extensions and features that options enable and disable, "" if
// there is none.
func (o *Source) inconsistency() string {
	if o.Std < opencl.CL30 {
		return ""
	}
	for i := range opencl.Extensions {
		x := &opencl.Extensions[i]
		switch {
		case x.Twin != "" && o.Supported(x.Name) != o.Supported(x.Twin):
			return fmt.Sprintf("options %s and %s are set to different values", x.Name, x.Twin)
		case x.Needs != "" && o.Supported(x.Name) && !o.Supported(x.Needs):
			return fmt.Sprintf("feature %s requires support of %s feature", x.Name, x.Needs)
		}
	}
	return ""
}

package syntax

import (
	"fmt"
	"strings"
	"sync"
)

// Supported reports whether this implementation has the extension (cl_khr_…) or
// optional feature (__opencl_c_…) in the version of the options: those whose macros
// are predefined.
func Supported(opts *Options, name string) bool {
	row, ok := features()[name]
	std := opts.Std
	if std == 0 {
		std = CL12
	}
	return ok && row.since <= std && (row.until == 0 || std <= row.until) && !opts.Withdrawn(name)
}

// Withdrawn reports whether -cl-ext switches an extension or feature off, or -U a feature.
func (o *Options) Withdrawn(name string) bool {
	off := false
	for _, x := range o.Extensions {
		if x.Name == name || x.Name == "all" {
			off = !x.On
		}
	}
	for _, d := range o.Defines {
		if d.Name == name && strings.HasPrefix(name, "__opencl_c_") {
			off = d.Undef
		}
	}
	return off
}

// dependencies are features of OpenCL C 3.0 with what they need, and pairs of names of one
// thing (OpenCL C, "Features", 6.2.1).
var dependencies = []struct {
	name, needs string
	same        bool
}{
	{name: "__opencl_c_read_write_images", needs: "__opencl_c_images"},
	{name: "__opencl_c_3d_image_writes", needs: "__opencl_c_images"},
	{name: "cl_khr_3d_image_writes", needs: "__opencl_c_3d_image_writes", same: true},
	{name: "cl_khr_fp64", needs: "__opencl_c_fp64", same: true},
}

// inconsistency says what is wrong with the extensions and features that options switch
// on and off, "" if nothing is.
func (o *Options) inconsistency() string {
	if o.Std < CL30 {
		return ""
	}
	for _, d := range dependencies {
		a, b := Supported(o, d.name), Supported(o, d.needs)
		switch {
		case d.same && a != b:
			return fmt.Sprintf("options %s and %s are set to different values", d.name, d.needs)
		case !d.same && a && !b:
			return fmt.Sprintf("feature %s requires support of %s feature", d.name, d.needs)
		}
	}
	return ""
}

var features = sync.OnceValue(func() map[string]*ppPredef {
	m := map[string]*ppPredef{}
	for i := range ppPredefined {
		if n := ppPredefined[i].name; strings.HasPrefix(n, "cl_") || strings.HasPrefix(n, "__opencl_c_") {
			m[n] = &ppPredefined[i]
		}
	}
	return m
})

// Names returns the extensions (prefix "cl_") or optional features (prefix
// "__opencl_c_") of a version, in the table's order.
func Names(std Version, prefix string) (names []string) {
	for i := range ppPredefined {
		row := &ppPredefined[i]
		if strings.HasPrefix(row.name, prefix) && row.since <= std && (row.until == 0 || std <= row.until) {
			names = append(names, row.name)
		}
	}
	return names
}

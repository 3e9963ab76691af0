package syntax

import (
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
	return ok && row.since <= std && (row.until == 0 || std <= row.until)
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

package option

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
)

// Names returns the build options that have an effect, such as "-cl-mad-enable" and "-cl-std=CL3.0".
func Names() (list []string) {
	for i := range optionRows {
		switch o := &optionRows[i]; o.name {
		case "-cl-nv-": // the suffix belongs to other implementations
			return list
		case "-cl-std=":
			for _, v := range opencl.Versions {
				list = append(list, o.name+v.Option())
			}
		case "-W":
			list = append(list, "-Wall", "-Wextra", "-Werror")
			for _, c := range diag.Codes {
				if c.Severity == diag.Warning {
					list = append(list, o.name+c.Name)
				}
			}
		default:
			list = append(list, o.name)
		}
	}
	return list
}

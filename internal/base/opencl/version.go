package opencl

// A Version is a version of OpenCL C, such as 120 for 1.2: the value of __OPENCL_C_VERSION__.
type Version int

// The versions of OpenCL C. 0 in a table's row means all versions.
const (
	CL10 Version = 100
	CL11 Version = 110
	CL12 Version = 120
	CL20 Version = 200
	CL30 Version = 300

	// Default is the version of a program that is built without -cl-std
	// (OpenCL API, "Options Controlling the OpenCL C Version").
	Default = CL12
	// Newest is the newest version.
	Newest = CL30
)

// Versions are the versions that -cl-std accepts, oldest first.
var Versions = [...]Version{CL10, CL11, CL12, CL20, CL30}

// String returns the version's number, such as "1.2".
func (v Version) String() string {
	return string([]byte{'0' + byte(v/100), '.', '0' + byte(v/10%10)})
}

// Option returns the version's value of -cl-std, such as "CL1.2".
func (v Version) Option() string { return "CL" + v.String() }

// OrDefault returns v, or [Default] if v is 0.
func (v Version) OrDefault() Version {
	if v == 0 {
		return Default
	}
	return v
}

// ParseVersion returns the version with a number such as "2.0".
func ParseVersion(s string) (Version, bool) {
	for _, v := range Versions {
		if v.String() == s {
			return v, true
		}
	}
	return 0, false
}

// Numeric returns the cl_version of the version: major, minor and patch in 10, 10 and 12 bits.
func (v Version) Numeric() uint32 { return uint32(v/100)<<22 | uint32(v/10%10)<<12 }

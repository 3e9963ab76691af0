package host

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
)

// TestExtensionRows checks that the table row of an extension has effect everywhere without further code: the macro
// from its version on, the pragma, -cl-ext, and the lists of the device and the platform.
func TestExtensionRows(t *testing.T) {
	d := DefaultDevice()
	info := d.Info()
	platform := ThePlatform().Extensions
	builds := func(options, text string) error {
		t.Helper()
		p := DefaultContext().NewProgram(Source{Text: text + "kernel void k(global int *p) { *p = 1; }\n"})
		return p.Build(options)
	}
	var withdrawn strings.Builder
	for _, v := range opencl.Versions {
		var want strings.Builder
		for _, x := range opencl.Extensions {
			not := "!"
			if !x.In(v) {
				not = ""
			}
			fmt.Fprintf(&want, "#if %sdefined(%s)\n#error %s\n#endif\n", not, x.Name, x.Name)
			if x.In(v) && !x.IsFeature() {
				fmt.Fprintf(&want, "#pragma OPENCL EXTENSION %s : enable\n", x.Name)
			}
		}
		if err := builds("-Werror -cl-std="+v.Option(), want.String()); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
	for _, x := range opencl.Extensions {
		onDevice := slices.Contains(info.Extensions, x.Name)
		onPlatform := slices.Contains(platform, x.Name)
		feature := slices.Contains(info.CFeatures, x.Name)
		switch {
		case onDevice != (!x.IsFeature() && (x.Scope == opencl.Language || x.Scope == opencl.Device)):
			t.Errorf("%s: listed by the device: %v", x.Name, onDevice)
		case onPlatform != (onDevice || x.Scope == opencl.Platform):
			t.Errorf("%s: listed by the platform: %v", x.Name, onPlatform)
		case feature != (x.IsFeature() && x.Scope == opencl.Language):
			t.Errorf("%s: listed as a feature: %v", x.Name, feature)
		}
		fmt.Fprintf(&withdrawn, "#ifdef %s\n#error %s\n#endif\n", x.Name, x.Name)
	}
	if err := builds("-cl-std=CL3.0 -cl-ext=-all", withdrawn.String()); err != nil {
		t.Errorf("-cl-ext=-all: %v", err)
	}
}

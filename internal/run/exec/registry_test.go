package exec

import (
	"errors"
	"strings"
	"testing"
)

type namedDevice struct {
	Device
	name string
}

// TestFind checks that the processor is the default device and the first, whichever package registers first, and
// that the error of an unknown name lists the devices.
func TestFind(t *testing.T) {
	kinds = nil
	defer func() { kinds = nil }()
	t.Setenv("PURECL_DEVICE", "")
	if _, err := Find(""); !errors.Is(err, ErrNoDevice) || !strings.HasSuffix(err.Error(), "; there are none") {
		t.Error(err)
	}
	register := func(kind string, err error, names ...string) {
		var list []Device
		for _, n := range names {
			list = append(list, namedDevice{name: n})
		}
		Register(kind, func() ([]Device, error) { return list, err })
	}
	register("gpu", errors.New("no library libcuda.so.1"))
	register("gpu", nil, "first", "second")
	register("cpu", nil, "processor")
	var ids []string
	for _, d := range All() {
		ids = append(ids, d.ID+"="+d.Device.(namedDevice).name)
	}
	if got := strings.Join(ids, " "); got != "cpu:0=processor gpu:0=first gpu:1=second" {
		t.Error(got)
	}
	for _, c := range []struct{ env, name, want, err string }{
		{"", "", "processor", ""}, {"gpu", "", "first", ""}, {"GPU:1", "", "second", ""}, {"gpu", "cpu", "processor", ""}, {"", "cpu:0", "processor", ""},
		{"gpu:2", "", "", "PURECL_DEVICE=gpu:2: there is no such device: no library libcuda.so.1; there are cpu:0, gpu:0 and gpu:1"},
		{"", "tpu", "", `device "tpu": there is no such device; there are cpu:0, gpu:0 and gpu:1`},
		{"gpu", "cpu:", "", `device "cpu:": there is no such device: "" is no number from 0; there are cpu:0, gpu:0 and gpu:1`},
	} {
		t.Setenv("PURECL_DEVICE", c.env)
		d, err := Find(c.name)
		switch {
		case c.err != "" && (!errors.Is(err, ErrNoDevice) || err.Error() != c.err):
			t.Errorf("PURECL_DEVICE=%s, %q: %v, want %v", c.env, c.name, err, c.err)
		case c.err == "" && (err != nil || d.Device.(namedDevice).name != c.want):
			t.Errorf("PURECL_DEVICE=%s, %q: %v, %v, want %s", c.env, c.name, d, err, c.want)
		}
	}
}

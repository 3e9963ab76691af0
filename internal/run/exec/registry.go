package exec

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/purecl/purecl/internal/base/environment"
)

// ErrNoDevice is the error of an unknown device name.
var ErrNoDevice = errors.New("there is no such device")

var (
	mu    sync.Mutex
	kinds []*kind
)

// A kind is a set of devices registered by one package.
type kind struct {
	name string
	open func() ([]Device, error)
	once sync.Once
	list []Device
	err  error
}

// processor is the kind of the default device, the first of all.
const processor = "cpu"

// Register adds the devices of a kind such as "gpu". open is called at the first use of the kind; its error is the
// reason why there are none.
func Register(name string, open func() ([]Device, error)) {
	mu.Lock()
	defer mu.Unlock()
	k := &kind{name: name, open: open}
	if name == processor {
		kinds = slices.Insert(kinds, 0, k)
		return
	}
	kinds = append(kinds, k)
}

// Kinds returns the names of the kinds: the processor's first, the others in the order of their registration.
func Kinds() []string {
	mu.Lock()
	defer mu.Unlock()
	var list []string
	for _, k := range kinds {
		if !slices.Contains(list, k.name) {
			list = append(list, k.name)
		}
	}
	return list
}

// Devices returns the devices of a kind, and the error that prevented others.
func Devices(name string) (list []Device, err error) {
	mu.Lock()
	of := slices.Clone(kinds)
	mu.Unlock()
	for _, k := range of {
		if k.name != name {
			continue
		}
		k.once.Do(func() { k.list, k.err = k.open() })
		list = append(list, k.list...)
		if k.err != nil {
			err = k.err
		}
	}
	return list, err
}

// A Named is a device with its full name, such as "cpu:0".
type Named struct {
	Device
	ID string
}

func named(d Device, kind string, n int) Named { return Named{d, kind + ":" + strconv.Itoa(n)} }

// All returns all devices, the processor first. It leaves out kinds whose open fails: [Find] returns their
// error.
func All() (list []Named) {
	for _, kind := range Kinds() {
		ds, _ := Devices(kind)
		for i, d := range ds {
			list = append(list, named(d, kind, i))
		}
	}
	return list
}

// Find returns the device of a name: a kind ("cpu", "gpu"), or one of several of a kind by
// its number from 0 ("gpu:1"), in upper or lower case. "" is the default device: that which
// PURECL_DEVICE names, else the processor. The Go API, the command line and the driver all
// choose their device by Find. The error wraps [ErrNoDevice] and names the devices that exist.
func Find(name string) (Named, error) {
	given := fmt.Sprintf("device %q", name)
	if name == "" {
		name = environment.Get("PURECL_DEVICE")
		given = "PURECL_DEVICE=" + name
		if name == "" {
			name, given = processor, "the default device"
		}
	}
	kind, number, numbered := strings.Cut(strings.ToLower(name), ":")
	n := 0
	if numbered {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n < 0 {
			return Named{}, fmt.Errorf("%s: %w: %q is no number from 0; %s", given, ErrNoDevice, number, existing())
		}
	}
	list, err := Devices(kind)
	switch {
	case n < len(list):
		return named(list[n], kind, n), nil
	case err != nil:
		return Named{}, fmt.Errorf("%s: %w: %w; %s", given, ErrNoDevice, err, existing())
	case kind == "gpu" && len(list) == 0:
		return Named{}, fmt.Errorf("%s: %w: this program has no GPU devices: it needs the import _ %q; the command that has them is purecl-gpu; %s", given, ErrNoDevice, "github.com/purecl/purecl/gpu", existing())
	}
	return Named{}, fmt.Errorf("%s: %w; %s", given, ErrNoDevice, existing())
}

// existing names the devices for messages.
func existing() string {
	var ids []string
	for _, d := range All() {
		ids = append(ids, d.ID)
	}
	switch n := len(ids) - 1; n {
	case -1:
		return "there are none"
	case 0:
		return "there is " + ids[0]
	default:
		return "there are " + strings.Join(ids[:n], ", ") + " and " + ids[n]
	}
}

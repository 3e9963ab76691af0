package exec

import (
	"slices"
	"sync"
)

var (
	mu    sync.Mutex
	kinds []*kind
)

// A kind is devices that one package registered.
type kind struct {
	name string
	open func() ([]Device, error)
	once sync.Once
	list []Device
	err  error
}

// Register adds devices of a kind such as "gpu". open is called when somebody first asks for
// devices; its error says why there are none.
func Register(name string, open func() ([]Device, error)) {
	mu.Lock()
	defer mu.Unlock()
	kinds = append(kinds, &kind{name: name, open: open})
}

// Kinds returns the names of the kinds in the order of their registration, each once.
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

// Devices returns the devices of a kind, and why there are no more.
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

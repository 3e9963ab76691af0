package cuda

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"unsafe"
)

// Input types and options of the driver's linker (CUjitInputType, CUjit_option).
const (
	inputPTX         = 1
	optErrorLog      = 5
	optErrorLogBytes = 6
	optLineInfo      = 13
)

// image returns what cuModuleLoadData takes for a module. Without a cache that is the text: the driver compiles it in less
// time than its linker, which alone tells what is wrong with a text.
func (m *machine) image(text string) ([]byte, error) {
	if folder := cacheFolder(); folder != "" {
		return m.compile(folder, text)
	}
	return append([]byte(text), 0), nil
}

// compile returns the machine code of a PTX module, from the cache if it is there. The key covers everything that
// the code depends on: the text, the driver and the device.
func (m *machine) compile(folder, text string) ([]byte, error) {
	key := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s", m.info.Name, m.d.version, text))
	name := hex.EncodeToString(key[:])
	path := filepath.Join(folder, name[:2], name+".cubin")
	if image, err := os.ReadFile(path); err == nil && len(image) > 0 {
		return image, nil
	}
	image, err := m.link(text, false)
	if err == nil {
		save(path, image)
	}
	return image, err
}

// cacheFolder returns the folder of the cache, "" if the user has none or wants none.
func cacheFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil || os.Getenv("CUDA_CACHE_DISABLE") == "1" {
		return ""
	}
	return filepath.Join(dir, "purecl", "gpu")
}

// save writes a file atomically. It ignores errors: without the file, the next program compiles again.
func save(path string, image []byte) {
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(image)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
}

// Assemble returns machine code with the source lines of the text's .loc directives.
func (m *machine) Assemble(text string) ([]byte, error) { return m.link(text, true) }

// link compiles PTX to machine code, with source lines if lines is set.
func (m *machine) link(text string, lines bool) ([]byte, error) {
	err := m.enter(0)
	if err != nil {
		return nil, err
	}
	defer m.leave()
	log := make([]byte, 4096)
	options := &[3]int32{optErrorLog, optErrorLogBytes, optLineInfo}
	values := &[3]uintptr{uintptr(unsafe.Pointer(&log[0])), uintptr(len(log)), 1}
	var pin runtime.Pinner
	for _, p := range []any{&log[0], options, values} { // until the linker is destroyed: it writes to log and values
		pin.Pin(p)
	}
	defer pin.Unpin()
	number := uintptr(2)
	if lines {
		number = 3
	}
	state, image, size := new(uintptr), new(*byte), new(uintptr)
	if err := m.seen(m.d.call(cuLinkCreate, number, uintptr(unsafe.Pointer(options)), uintptr(unsafe.Pointer(values)), uintptr(unsafe.Pointer(state)))); err != nil {
		return nil, err
	}
	defer m.d.call(cuLinkDestroy, *state)
	mem := append([]byte(text), 0)
	err = m.d.call(cuLinkAddData, *state, inputPTX, uintptr(unsafe.Pointer(&mem[0])), uintptr(len(mem)), uintptr(unsafe.Pointer(cstring("kernel"))), 0, 0, 0)
	if err == nil {
		err = m.d.call(cuLinkComplete, *state, uintptr(unsafe.Pointer(image)), uintptr(unsafe.Pointer(size)))
	}
	if err != nil {
		return nil, fmt.Errorf("internal error: the driver does not take a module: %w\n%s", m.seen(err), gostring(log))
	}
	return append([]byte(nil), unsafe.Slice(*image, *size)...), nil
}

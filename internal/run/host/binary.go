package host

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"slices"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/option"
)

// A program binary consists of a magic number, a checksum of the rest, and the program's units: their sources,
// options, headers and included files. Compiling them again takes about a millisecond, and works with every
// later version and on every device.

// binaryMagic names the format and its version.
const binaryMagic = "PureCL\x00\x01"

// binaryProgram is the content of a binary.
type binaryProgram struct {
	Kind    BinaryType
	Options string
	Units   []binaryUnit
}

type binaryUnit struct {
	Name, Text, Options string
	Headers             map[string]string
	Files               map[string][]byte
}

// Binary returns the program's binary, from which [Context.NewProgramBinary] makes the program. It is nil for a
// program that was not built (CL_PROGRAM_BINARIES).
func (p *Program) Binary() []byte {
	p = p.or()
	for i := range p.targets {
		if b, _ := p.BinaryFor(p.targets[i].dev); b != nil {
			return b
		}
	}
	return nil
}

// BinaryFor is [Program.Binary] for the build of a device, which must be one of the program's.
func (p *Program) BinaryFor(d *Device) ([]byte, error) {
	if err := p.valid(); err != nil {
		return nil, err
	}
	list, err := p.on([]*Device{d})
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	t := list[0]
	b := t.built
	if t.given == nil {
		b = p.serving(t).built
	}
	p.mu.Unlock()
	if b.kind == BinaryNone {
		if t.given == nil {
			return nil, nil
		}
		b.kind, b.units = t.kind, t.given // a binary, not yet built
	}
	return b.binary(), nil
}

func (b *build) binary() []byte {
	bp := binaryProgram{Kind: b.kind, Options: b.options}
	for _, u := range b.units {
		bp.Units = append(bp.Units, binaryUnit{u.Source.Name, u.Source.Text, u.Options.String(), u.Source.Headers, u.Files})
	}
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(bp); err != nil {
		panic(err) // the types above are all that gob needs
	}
	sum := sha256.Sum256(body.Bytes())
	return append(append([]byte(binaryMagic), sum[:]...), body.Bytes()...)
}

// NewProgramBinary returns a program from a binary that [Program.Binary] returned (clCreateProgramWithBinary). An
// executable must be built before it has kernels.
func (c *Context) NewProgramBinary(binary []byte) (*Program, error) {
	t, err := readBinary(binary)
	if err != nil {
		return nil, err
	}
	p := c.newProgram(Source{Name: "<binary>"}, c.devices)
	for i := range p.targets {
		t.dev = p.targets[i].dev
		p.targets[i] = t
	}
	return p, nil
}

// NewProgramBinaries is [Context.NewProgramBinary] with a binary for each of some of the
// context's devices. It returns one error for each of them, and no program if one is not nil.
func (c *Context) NewProgramBinaries(devices []*Device, binaries [][]byte) (*Program, []error) {
	p := c.newProgram(Source{Name: "<binary>"}, devices)
	errs := make([]error, len(devices))
	failed := false
	for i, d := range devices {
		if j := slices.IndexFunc(binaries[:i], func(b []byte) bool { return bytes.Equal(b, binaries[i]) }); j >= 0 {
			p.targets[i], errs[i] = p.targets[j], errs[j]
		} else {
			p.targets[i], errs[i] = readBinary(binaries[i])
		}
		p.targets[i].dev = d
		failed = failed || errs[i] != nil
	}
	if failed {
		return nil, errs
	}
	return p, errs
}

// readBinary returns the content of a binary as a target without a device.
func readBinary(binary []byte) (t target, err error) {
	// CL_INVALID_VALUE: a binary is NULL or its length is 0.
	if len(binary) == 0 {
		return t, failf(opencl.InvalidValue, "an empty binary")
	}
	// CL_INVALID_BINARY: an invalid program binary was encountered.
	body, ok := bytes.CutPrefix(binary, []byte(binaryMagic))
	if !ok || len(body) < sha256.Size {
		return t, failf(opencl.InvalidBinary, "not a binary of this implementation, or of another version")
	}
	if sum := sha256.Sum256(body[sha256.Size:]); !bytes.Equal(sum[:], body[:sha256.Size]) {
		return t, failf(opencl.InvalidBinary, "the binary is damaged")
	}
	var bp binaryProgram
	if err := gob.NewDecoder(bytes.NewReader(body[sha256.Size:])).Decode(&bp); err != nil {
		return t, failf(opencl.InvalidBinary, "the binary is damaged: %v", err)
	}
	if len(bp.Units) == 0 || bp.Kind != BinaryExecutable && bp.Kind != BinaryLibrary && bp.Kind != BinaryCompiledObject {
		return t, failf(opencl.InvalidBinary, "the binary holds no program")
	}
	t = target{kind: bp.Kind, built: build{status: BuildNone}}
	for _, u := range bp.Units {
		if u.Files == nil {
			u.Files = map[string][]byte{}
		}
		opts, err := option.Parse(u.Options)
		if err != nil {
			return t, failf(opencl.InvalidBinary, "the binary is damaged: %v", err)
		}
		t.given = append(t.given, unit{Source: Source{Name: u.Name, Text: u.Text, Headers: u.Headers}, Options: opts, Files: u.Files})
	}
	if bp.Kind != BinaryExecutable { // complete as it is: to be linked
		t.built = build{status: BuildSuccess, kind: bp.Kind, units: t.given, options: bp.Options}
	}
	return t, nil
}

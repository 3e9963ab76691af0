package purecl

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
)

// A program binary is magic, a checksum of the rest, and the units of the program: their
// sources, options, headers and included files. Compiling them again takes about a
// millisecond, and works with every later version and on every device.

// binaryMagic names the format and its version.
const binaryMagic = "PureCL\x00\x01"

// binaryProgram is what a binary holds.
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

// Binary returns what [Context.NewProgramBinary] makes the program from again, nil of a
// program that was not built (CL_PROGRAM_BINARIES).
func (p *Program) Binary() []byte {
	b := p.state()
	if b.kind == BinaryNone {
		if p.given == nil {
			return nil
		}
		b.kind, b.units = p.kind, p.given // a binary, not yet built
	}
	bp := binaryProgram{Kind: b.kind, Options: b.options}
	for _, u := range b.units {
		bp.Units = append(bp.Units, binaryUnit{u.Source.Name, u.Source.Text, u.Options, u.Source.Headers, u.Files})
	}
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(bp); err != nil {
		panic(err) // the types above are all that gob needs
	}
	sum := sha256.Sum256(body.Bytes())
	return append(append([]byte(binaryMagic), sum[:]...), body.Bytes()...)
}

// NewProgramBinary returns a program from what [Program.Binary] gave
// (clCreateProgramWithBinary). An executable must be built before it has kernels.
func (c *Context) NewProgramBinary(binary []byte) (*Program, error) {
	// CL_INVALID_VALUE: a binary is NULL or its length is 0.
	if len(binary) == 0 {
		return nil, failf(InvalidValue, "an empty binary")
	}
	// CL_INVALID_BINARY: an invalid program binary was encountered.
	body, ok := bytes.CutPrefix(binary, []byte(binaryMagic))
	if !ok || len(body) < sha256.Size {
		return nil, failf(InvalidBinary, "not a binary of this implementation, or of another version")
	}
	if sum := sha256.Sum256(body[sha256.Size:]); !bytes.Equal(sum[:], body[:sha256.Size]) {
		return nil, failf(InvalidBinary, "the binary is damaged")
	}
	var bp binaryProgram
	if err := gob.NewDecoder(bytes.NewReader(body[sha256.Size:])).Decode(&bp); err != nil {
		return nil, failf(InvalidBinary, "the binary is damaged: %v", err)
	}
	if len(bp.Units) == 0 || bp.Kind != BinaryExecutable && bp.Kind != BinaryLibrary && bp.Kind != BinaryCompiledObject {
		return nil, failf(InvalidBinary, "the binary holds no program")
	}
	p := &Program{ctx: c, source: Source{Name: "<binary>"}, kind: bp.Kind, built: build{status: BuildNone}}
	for _, u := range bp.Units {
		if u.Files == nil {
			u.Files = map[string][]byte{}
		}
		p.given = append(p.given, unit{Source{Name: u.Name, Text: u.Text, Headers: u.Headers}, u.Options, u.Files})
	}
	if bp.Kind != BinaryExecutable { // complete as it is: to be linked
		p.built = build{status: BuildSuccess, kind: bp.Kind, units: p.given, options: bp.Options}
	}
	return p, nil
}

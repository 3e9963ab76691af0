package npy

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

// numpyFile returns a file as NumPy 1.24 writes it, for np.save(f, np.array([[1,2,3],[4,5,6]], '<f4')) and
// np.save(f, np.array([1,-2], '>i2')), with shorter padding.
func numpyFile(header string, data string) []byte {
	h := header + strings.Repeat(" ", 117-len(header)) + "\n"
	d, _ := hex.DecodeString(data)
	return append(append([]byte("\x93NUMPY\x01\x00\x76\x00"), h...), d...)
}

func TestReadNumPy(t *testing.T) {
	in := numpyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "0000803f000000400000404000008040"+"0000a0400000c040")
	a, err := Read(bytes.NewReader(in), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if a.Type != "f4" || len(a.Shape) != 2 || a.Shape[0] != 2 || a.Shape[1] != 3 || len(a.Data) != 24 || a.Data[3] != 0x3f {
		t.Errorf("got %+v", a)
	}
	var out bytes.Buffer
	if err := a.Write(&out); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), in) {
		t.Errorf("written:\n%q\nNumPy:\n%q", out.Bytes(), in)
	}
	a, err = Read(bytes.NewReader(numpyFile("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", "0001fffe")), 1<<20)
	if err != nil || !bytes.Equal(a.Data, []byte{1, 0, 0xfe, 0xff}) {
		t.Errorf("big-endian: %v %v", a, err)
	}
}

func TestReadBad(t *testing.T) {
	for in, want := range map[string]string{
		"":         "not a .npy file",
		"PK\x03..": "not a .npy file",
		string(numpyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", "00000000")):             "ends after 4 of 12",
		string(numpyFile("{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }", "")):                     "not supported",
		string(numpyFile("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }", "")):                    "Fortran",
		string(numpyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "")): "larger than the limit",
		string(numpyFile("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }", "")):            "does not describe",
	} {
		if _, err := Read(strings.NewReader(in), 1<<20); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%.40q…): %v, want %q", in, err, want)
		}
	}
}

//go:build linux

package bench

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"log"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// TestMain runs this program as a player if it was started as one.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		if err := ServePureCL(os.Args[2], os.Stdin, os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	os.Exit(m.Run())
}

// TestRows compares the results of every row's kernel with its reference in C: as machine code of each level that
// the processor has, and on the reference executor.
func TestRows(t *testing.T) {
	program, err := BuildReference("native")
	if err != nil {
		t.Fatal(err)
	}
	rows := Rows()
	m, err := NewMemory(Size(rows, true))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	ref := NewReference(program, m)
	for _, level := range []string{"avx512", "avx2", "none"} {
		ours := NewRemote(m, "PURECL_CPU="+level)
		for _, r := range rows {
			if err := Check(r, true, 2, m, ours, ref); err != nil {
				t.Errorf("%s: %s/%s: %v", level, r.Class.Name, r.Name, err)
			}
		}
		if err := ours.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := ref.Close(); err != nil {
		t.Error(err)
	}
}

// TestLibraries compares the results of OpenBLAS and FFTW with the C references'.
func TestLibraries(t *testing.T) {
	if err := exec.Command("pkg-config", "--exists", "openblas", "fftw3f").Run(); err != nil {
		t.Skip("OpenBLAS and FFTW are not installed (sh setup.sh libraries)")
	}
	program, err := BuildLibraries("native")
	if err != nil {
		t.Fatal(err)
	}
	reference, err := BuildReference("native")
	if err != nil {
		t.Fatal(err)
	}
	rows := slices.DeleteFunc(Rows(), func(r *Row) bool { return r.Library == "" })
	m, err := NewMemory(Size(rows, true))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	libraries, ref := NewLibraries(program, m), NewReference(reference, m)
	for _, r := range rows {
		loose := *r
		loose.Tolerance = otherTolerance
		if err := Check(&loose, true, 1, m, libraries, ref); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
	if err := errors.Join(libraries.Close(), ref.Close()); err != nil {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	names := map[string]bool{}
	for _, r := range Rows() {
		if names[r.Name] {
			t.Errorf("there are two rows %s", r.Name)
		}
		names[r.Name] = true
	}
}

// TestHashes compares the references of hashes with the standard library.
func TestHashes(t *testing.T) {
	message := func(i int) []byte {
		n := uint32(i)
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, n), n^0x5A5A5A5A)
	}
	digests := map[string]func(i int) []byte{
		"md5": func(i int) []byte { d := md5.Sum(message(i)); return d[:] },
		"sha256": func(i int) []byte { // words are big-endian
			words := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(i)), uint32(i)^0x5A5A5A5A)
			d := sha256.Sum256(words)
			return []byte{d[3], d[2], d[1], d[0]}
		},
	}
	for _, r := range Rows() {
		digest, ok := digests[r.Name]
		if !ok {
			continue
		}
		m, err := NewMemory(Size([]*Row{r}, true))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewPureCL(m).Play(r, true, 2, 1); err != nil {
			t.Fatal(err)
		}
		c := r.Case(r.Small)
		got := c.Results(m)[0]
		for i := range r.Small {
			want := digest(i)
			if at := i * len(want); string(got[at:at+len(want)]) != string(want) {
				t.Errorf("%s of %d is %x, not %x", r.Name, i, got[at:at+len(want)], want)
				break
			}
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

package arm64

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// everyForm returns instructions of every row of the table, with every element size and width and a few
// registers and constants.
func everyForm() (list []machineInst) {
	regs := [][4]uint8{{0, 1, 2, 3}, {7, 30, 15, 8}, {30, 0, 29, 17}}
	for o := pEnd + 1; o < numOps; o++ {
		f := rows[o].form
		ts, ws, imms := []uint8{0}, []uint8{4}, []int64{0}
		switch f {
		case fRRR, fRRRR, fRR, fCmp:
			ws = []uint8{4, 8}
		case fRRI, fCmpI:
			ws, imms = []uint8{4, 8}, []int64{0, 1, 4095}
		case fMoveI:
			ws, imms = []uint8{4, 8}, []int64{0, 0xffff, 77}
		case fBits:
			ws, imms = []uint8{4, 8}, []int64{0, 7, 31}
		case fSelect:
			ws, imms = []uint8{4, 8}, []int64{condEQ, condLE}
		case fMem:
			s := int64(rows[o].size)
			imms = []int64{0, s, 4095 * s}
		case fPair:
			s := int64(rows[o].size)
			imms = []int64{0, s, 63 * s}
		case fV3, fV2, fDup:
			ts = []uint8{0, 1, 2, 3}
		case fF3, fF2:
			ts = []uint8{2, 3}
		case fShiftL, fShiftR:
			ts, imms = []uint8{0, 1, 2, 3}, []int64{1, 7}
		case fLong, fLong2:
			ts = []uint8{0, 1, 2}
		case fNarrow, fNarrow2:
			ts = []uint8{1, 2, 3}
		case fFNarrow, fFNarrow2, fFLong, fFLong2:
			ts = []uint8{2, 3}
		case fDupE, fToG, fFromG:
			ts, imms = []uint8{0, 1, 2, 3}, []int64{0, 1}
		case fAcross:
			ts = []uint8{0, 1, 2}
		case fJumpZ:
			ws = []uint8{4, 8}
		case fJumpIf:
			imms = []int64{condEQ, condLT}
		}
		// These instructions have no 64-bit elements.
		switch o {
		case VMUL, VSMIN, VUMIN, VSMAX, VUMAX, VSABD, VUABD, VSHADD, VUHADD, VSRHADD, VURHADD, VCLZ:
			ts = []uint8{0, 1, 2}
		}
		for _, r := range regs {
			for _, t := range ts {
				for _, w := range ws {
					for k, imm := range imms {
						i := machineInst{op: o, t: t, w: w, d: r[0], n: r[1], m: r[2], a: r[3], imm: imm}
						switch f {
						case fBits:
							i.imm2 = []int64{31, 7, 15}[k]
						case fMoveI:
							i.imm2 = 16 * int64(k%2)
						case fRRR, fRRRR, fRR, fRRI, fSelect, fCmp, fCmpI, fLogicI, fJumpZ:
							i.w = w
						}
						switch f { // clear the fields that the form does not have
						case fV2, fF2, fL2, fAcross, fMovi, fShiftL, fShiftR, fLong, fLong2, fNarrow, fNarrow2, fDup, fDupE, fToG, fFromG, fFNarrow, fFNarrow2, fFLong, fFLong2:
							i.m = 0
						}
						if f == fMovi {
							i.n = 0
						}
						list = append(list, i)
					}
				}
			}
		}
	}
	return list
}

// TestEncoder compares every row of the table with GNU as.
func TestEncoder(t *testing.T) {
	as, err := exec.LookPath("aarch64-linux-gnu-as")
	if err != nil {
		t.Skip("aarch64-linux-gnu-as is not installed: sh setup.sh")
	}
	var a assembler
	var text strings.Builder
	label := a.newLabel()
	a.bind(label)
	fmt.Fprintf(&text, "L%d:\n", label)
	for _, i := range everyForm() {
		i.label = label
		a.emit(i)
		fmt.Fprintln(&text, i.String())
	}
	got, err := a.bytes()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	src, obj, bin := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o"), filepath.Join(dir, "a.bin")
	if err := os.WriteFile(src, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(as, "-o", obj, src).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, firstLines(string(out), 30))
	}
	if out, err := exec.Command("aarch64-linux-gnu-objcopy", "-O", "binary", "-j", ".text", obj, bin).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d bytes, as makes %d", len(got), len(want))
	}
	if bytes.Equal(got, want) {
		return
	}
	bad := 0
	for k := range a.insts {
		g, w := binary.LittleEndian.Uint32(got[4*k:]), binary.LittleEndian.Uint32(want[4*k:])
		if g != w && bad < 40 {
			bad++
			t.Errorf("%s: %08x, as makes %08x", a.insts[k].String(), g, w)
		}
	}
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

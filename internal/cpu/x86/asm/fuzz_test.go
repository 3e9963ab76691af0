package asm

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/arch/x86/x86asm"
)

// FuzzEncode encodes instructions of general registers and decodes them with Go's disassembler, which does not
// support VEX and EVEX instructions; TestGNUAs tests those.
func FuzzEncode(f *testing.F) {
	var ops []Op
	for op := range Table {
		if r := &Table[op]; r.Enc == encLegacy && r.Name != "" {
			ops = append(ops, Op(op))
		}
	}
	for n := range ops {
		f.Add(uint16(n), uint64(n))
	}
	f.Fuzz(func(t *testing.T, n uint16, seed uint64) {
		op := ops[int(n)%len(ops)]
		r := &Table[op]
		for _, i := range variants(r, op, rand.New(rand.NewPCG(seed, 1))) {
			var a Assembler
			a.Emit(&i)
			if err := a.Finish(); err != nil {
				t.Fatal(err)
			}
			d, err := x86asm.Decode(a.Code, 64)
			if err != nil {
				t.Fatalf("%s: % x: %v", i.String(), a.Code, err)
			}
			if d.Len != len(a.Code) {
				t.Fatalf("%s: % x: is %v, of %d bytes", i.String(), a.Code, d, d.Len)
			}
			if got, want := x86asm.IntelSyntax(d, 0, nil), disassembly(i.String()); got != want {
				t.Fatalf("%s: % x: is %s, want %s", i.String(), a.Code, got, want)
			}
		}
	})
}

var (
	condition = regexp.MustCompile(`^(cmov|set)(ae|a|ge|g|ne|e) `)
	sameAs    = map[string]string{"ae": "nb", "a": "nbe", "ge": "nl", "g": "nle", "ne": "nz", "e": "z"}
	scaled    = regexp.MustCompile(`(r\w+)\*([1248])`)
	decimal   = regexp.MustCompile(`(, |[+-])(\d+)\b(\*?)`)
)

// disassembly returns one of our instructions in the disassembler's syntax.
func disassembly(s string) string {
	s = strings.Replace(s, "movabs ", "mov ", 1)
	if strings.HasPrefix(s, "lea ") {
		s = regexp.MustCompile(`\w+ ptr`).ReplaceAllString(s, "ptr")
	}
	if strings.HasPrefix(s, "prefetch") { // Go's disassembler prints the size of a cache line, not of a byte
		s = strings.Replace(s, "byte", "zmmword", 1)
	}
	if m := condition.FindStringSubmatch(s); m != nil {
		s = m[1] + sameAs[m[2]] + s[len(m[0])-1:]
	}
	s = scaled.ReplaceAllStringFunc(s, func(x string) string {
		reg, by, _ := strings.Cut(x, "*")
		if by == "1" {
			return reg
		}
		return by + "*" + reg
	})
	return decimal.ReplaceAllStringFunc(s, func(x string) string {
		m := decimal.FindStringSubmatch(x)
		if m[3] != "" { // a scale
			return x
		}
		n, _ := strconv.ParseInt(m[2], 10, 64)
		if m[1] == "-" && n > 128 {
			return fmt.Sprintf("+%#x", uint32(-n))
		}
		return fmt.Sprintf("%s%#x", m[1], n)
	})
}

//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86"
)

// TestDebugImage reads the image with Go's debug packages and compares it with the listing.
func TestDebugImage(t *testing.T) {
	const addr = 0x7f1234560000
	m := build(t, shapesSource)
	f := m.Func("shapes")
	for _, lv := range x86.Levels {
		code := listed(t, f, lv, WholeGangs)
		file, err := elf.NewFile(bytes.NewReader(debugImage(f, code.Code, addr)))
		if err != nil {
			t.Fatal(err)
		}
		text := file.Section(".text")
		if text == nil || text.Addr != addr || text.Size != uint64(len(code.Bytes)) {
			t.Errorf("%s: .text is %+v", lv.Name, text)
		}
		symbols, err := file.Symbols()
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == "shapes" })
		if i < 0 || symbols[i].Value != uint64(code.Start) {
			t.Errorf("%s: symbols %+v", lv.Name, symbols)
		}
		info, err := file.DWARF()
		if err != nil {
			t.Fatal(err)
		}
		r := info.Reader()
		unit, err := r.Next()
		if err != nil || unit.Tag != dwarf.TagCompileUnit || unit.Val(dwarf.AttrName) != "t.cl" {
			t.Fatalf("%s: %v %v", lv.Name, unit, err)
		}
		lines, err := info.LineReader(unit)
		if err != nil {
			t.Fatal(err)
		}
		// Each instruction with a position has the line of the listing.
		var rows []dwarf.LineEntry
		for {
			var e dwarf.LineEntry
			if err := lines.Next(&e); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, e)
		}
		if last := rows[len(rows)-1]; !last.EndSequence || last.Address != addr+uint64(len(code.Bytes)) {
			t.Errorf("%s: the last row is %+v", lv.Name, last)
		}
		checked := 0
		for _, x := range code.Listing.Insts {
			if !x.Body || !x.Pos.IsValid() {
				continue
			}
			k, _ := slices.BinarySearchFunc(rows, addr+uint64(x.Offset)+1, func(e dwarf.LineEntry, a uint64) int { return int(int64(e.Address) - int64(a)) })
			if k == 0 || rows[k-1].Line != m.Source.Location(x.Pos).Line || filepath.Base(rows[k-1].File.Name) != "t.cl" {
				t.Fatalf("%s: %#x does not belong to line %d", lv.Name, x.Offset, m.Source.Location(x.Pos).Line)
			}
			checked++
		}
		// The kernel and its scalar argument.
		found := ""
		for {
			e, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if e == nil {
				break
			}
			switch {
			case e.Tag == dwarf.TagSubprogram && e.Val(dwarf.AttrName) == "shapes":
				found += fmt.Sprintf("kernel at line %v, %v bytes from %#x; ", e.Val(dwarf.AttrDeclLine), e.Val(dwarf.AttrHighpc), e.Val(dwarf.AttrLowpc).(uint64)-addr)
			case e.Tag == dwarf.TagFormalParameter && e.Val(dwarf.AttrName) == "n":
				typ, err := info.Type(e.Val(dwarf.AttrType).(dwarf.Offset))
				if err != nil {
					t.Fatal(err)
				}
				found += fmt.Sprintf("n is %v", typ)
			}
		}
		body := 0
		for k, p := range code.Listing.Parts {
			if p.Name == "kernel" {
				body = code.Listing.Parts[k+1].Offset - p.Offset
			}
		}
		if want := fmt.Sprintf("kernel at line 2, %d bytes from %#x; n is i32", body, code.Start); found != want || checked < 20 {
			t.Errorf("%s: got %q after %d lines, want %q", lv.Name, found, checked, want)
		}
	}
}

// TestPerfMap: perf's symbols cover the code without gaps from the first instruction to the constants, and name
// every line with an access.
func TestPerfMap(t *testing.T) {
	const addr = 0x7f1234560000
	m := build(t, shapesSource)
	f := m.Func("shapes")
	code := listed(t, f, x86.AVX2, PartialGangs)
	whole := perfText(f, x86.AVX2, code.Code, addr, false, false)
	var from, size uint64
	var name string
	if _, err := fmt.Sscanf(whole, "%x %x %s\n", &from, &size, &name); err != nil || from != addr || name != "shapes[avx2,partial]" {
		t.Errorf("%q: %v", whole, err)
	}
	at := uint64(addr)
	text := perfText(f, x86.AVX2, code.Code, addr, false, true)
	for l := range strings.Lines(text) {
		var start, n uint64
		if _, err := fmt.Sscanf(l, "%x %x", &start, &n); err != nil || start != at {
			t.Fatalf("%q does not begin at %x", l, at)
		}
		at += n
	}
	if at != from+size {
		t.Errorf("the symbols end at %x, the code at %x", at, from+size)
	}
	for _, a := range code.Listing.Accesses {
		if want := fmt.Sprintf("shapes[avx2,partial] t.cl:%d\n", m.Source.Location(a.Value.Pos).Line); !strings.Contains(text, want) {
			t.Errorf("no symbol %s", want)
		}
	}
}

package jit

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"os"
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A debugLine is the source line of the instructions from an address on.
type debugLine struct {
	addr         uint64
	file         string
	line, column int
	hoisted      bool // moved in front of the loop over gangs: no place for a breakpoint
}

// debugLines returns the line table of a kernel's code at address addr. The code must have a listing.
func debugLines(f *ssa.Func, code *x86.Code, addr uint64) (lines []debugLine) {
	src := f.Module.Source
	for k := range code.Listing.Insts {
		i := &code.Listing.Insts[k]
		if !i.Body || !i.Pos.IsValid() || src == nil {
			continue
		}
		loc := src.Location(i.Pos)
		n := debugLine{addr + uint64(i.Offset), loc.File, loc.Line, loc.Column, i.Once}
		if len(lines) > 0 {
			if l := &lines[len(lines)-1]; l.file == n.file && l.line == n.line && l.hoisted == n.hoisted {
				continue
			}
		}
		lines = append(lines, n)
	}
	return lines
}

// debugImage makes an ELF file for a debugger. It has symbols for the kernel's code at addr and for its stubs,
// the line table, the locations of arguments, and the frame information, but not the code. Formats: System V
// ABI; DWARF version 4.
func debugImage(f *ssa.Func, code *x86.Code, addr uint64) []byte {
	d := &debugWriter{f: f, code: code, addr: addr, size: uint64(len(code.Bytes)), lines: debugLines(f, code, addr)}
	for _, l := range d.lines {
		if !slices.Contains(d.files, l.file) {
			d.files = append(d.files, l.file)
		}
	}
	sections := []debugSection{
		{name: ""},
		{name: ".text", typ: elf.SHT_NOBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR},
		{name: ".debug_abbrev", typ: elf.SHT_PROGBITS, data: debugAbbrev()},
		{name: ".debug_info", typ: elf.SHT_PROGBITS, data: d.info()},
		{name: ".debug_line", typ: elf.SHT_PROGBITS, data: d.lineTable()},
		{name: ".debug_frame", typ: elf.SHT_PROGBITS, data: d.frame()},
	}
	symbols, names := d.symbols()
	sections = append(sections, debugSection{name: ".symtab", typ: elf.SHT_SYMTAB, data: symbols}, debugSection{name: ".strtab", typ: elf.SHT_STRTAB, data: names}, debugSection{name: ".shstrtab", typ: elf.SHT_STRTAB})
	return d.link(sections)
}

type debugSection struct {
	name  string
	typ   elf.SectionType
	flags elf.SectionFlag
	data  []byte
}

// A debugWriter makes the parts of a debug image.
type debugWriter struct {
	f          *ssa.Func
	code       *x86.Code
	addr, size uint64
	lines      []debugLine
	files      []string
}

// link assembles the sections into a file.
func (d *debugWriter) link(sections []debugSection) []byte {
	var names, body bytes.Buffer
	const header = 64
	table := make([]elf.Section64, len(sections))
	for i := range sections {
		s := &sections[i]
		h := &table[i]
		h.Name = uint32(names.Len())
		names.WriteString(s.name + "\x00")
		if s.name == ".shstrtab" {
			s.data = names.Bytes()
		}
		h.Type, h.Flags, h.Off, h.Size, h.Addralign = uint32(s.typ), uint64(s.flags), uint64(header+body.Len()), uint64(len(s.data)), 1
		switch s.typ {
		case elf.SHT_NULL:
			*h = elf.Section64{}
		case elf.SHT_NOBITS:
			h.Addr, h.Size, h.Addralign = d.addr, d.size, 16
		case elf.SHT_SYMTAB:
			h.Link, h.Info, h.Entsize, h.Addralign = uint32(i+1), 1, elf.Sym64Size, 8
		}
		body.Write(s.data)
		for body.Len()%8 != 0 {
			body.WriteByte(0)
		}
	}
	h := elf.Header64{Ident: [elf.EI_NIDENT]byte{0x7F, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type: uint16(elf.ET_REL), Machine: uint16(elf.EM_X86_64), Version: uint32(elf.EV_CURRENT), Shoff: uint64(header + body.Len()),
		Ehsize: header, Shentsize: 64, Shnum: uint16(len(table)), Shstrndx: uint16(len(table) - 1)}
	var out bytes.Buffer
	binary.Write(&out, binary.LittleEndian, &h)
	out.Write(body.Bytes())
	binary.Write(&out, binary.LittleEndian, table)
	return out.Bytes()
}

// symbols returns the symbol table and its string table.
func (d *debugWriter) symbols() (table, names []byte) {
	var t, n bytes.Buffer
	binary.Write(&t, binary.LittleEndian, &elf.Sym64{})
	n.WriteByte(0)
	add := func(name string, from, to int) {
		binary.Write(&t, binary.LittleEndian, &elf.Sym64{Name: uint32(n.Len()), Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), Shndx: 1, Value: uint64(from), Size: uint64(to - from)})
		n.WriteString(name + "\x00")
	}
	parts := d.parts()
	for _, p := range parts {
		add(p.name, p.from, p.to)
	}
	return t.Bytes(), n.Bytes()
}

// A codePart is a range of the code: the entry, the exit, the kernel, or a stub.
type codePart struct {
	name     string
	from, to int
	kernel   bool
}

// parts splits the code, without its constants.
func (d *debugWriter) parts() (out []codePart) {
	list := d.code.Listing.Parts
	for k, p := range list[:len(list)-1] {
		c := codePart{name: d.f.Name + "." + p.Name, from: p.Offset, to: list[k+1].Offset}
		if p.Name == "kernel" {
			c.name, c.kernel = d.f.Name, true
		}
		out = append(out, c)
	}
	return out
}

// The codes of the abbreviations.
const (
	abbrevUnit = 1 + iota
	abbrevKernel
	abbrevType
	abbrevParam
	abbrevStub
)

// The forms of attributes in use (DWARF 4, 7.5.4).
const (
	formAddr      = 0x01
	formData2     = 0x05
	formData8     = 0x07
	formString    = 0x08
	formData1     = 0x0b
	formUdata     = 0x0f
	formRef4      = 0x13
	formSecOffset = 0x17
	formExprloc   = 0x18
	formPresent   = 0x19
)

func debugAbbrev() []byte {
	var b []byte
	entry := func(code uint64, tag dwarf.Tag, children byte, attrs ...uint64) {
		b = binary.AppendUvarint(b, code)
		b = binary.AppendUvarint(b, uint64(tag))
		b = append(b, children)
		for _, a := range attrs {
			b = binary.AppendUvarint(b, a)
		}
		b = append(b, 0, 0)
	}
	a := func(x dwarf.Attr) uint64 { return uint64(x) }
	entry(abbrevUnit, dwarf.TagCompileUnit, 1, a(dwarf.AttrProducer), formString, a(dwarf.AttrLanguage), formData2, a(dwarf.AttrName), formString, a(dwarf.AttrCompDir), formString,
		a(dwarf.AttrLowpc), formAddr, a(dwarf.AttrHighpc), formData8, a(dwarf.AttrStmtList), formSecOffset)
	entry(abbrevKernel, dwarf.TagSubprogram, 1, a(dwarf.AttrName), formString, a(dwarf.AttrDeclFile), formUdata, a(dwarf.AttrDeclLine), formUdata, a(dwarf.AttrExternal), formPresent,
		a(dwarf.AttrLowpc), formAddr, a(dwarf.AttrHighpc), formData8, a(dwarf.AttrFrameBase), formExprloc)
	entry(abbrevType, dwarf.TagBaseType, 0, a(dwarf.AttrName), formString, a(dwarf.AttrEncoding), formData1, a(dwarf.AttrByteSize), formData1)
	entry(abbrevParam, dwarf.TagFormalParameter, 0, a(dwarf.AttrName), formString, a(dwarf.AttrType), formRef4, a(dwarf.AttrLocation), formExprloc)
	entry(abbrevStub, dwarf.TagSubprogram, 0, a(dwarf.AttrName), formString, a(dwarf.AttrLowpc), formAddr, a(dwarf.AttrHighpc), formData8)
	return append(b, 0)
}

// The DWARF numbers of registers (System V ABI for AMD64, 3.6.2) and some constants.
const (
	dwarfRSP        = 7
	dwarfRA         = 16
	dwarfR15        = 15
	opBreg0         = 0x70
	opCallFrameCFA  = 0x9c
	languageOpenCL  = 0x15
	encodingBoolean = 0x02
	encodingFloat   = 0x04
	encodingSigned  = 0x05
	encodingUnsign  = 0x07
)

// withLength prepends the length of b to b.
func withLength(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// info describes the kernel and its scalar arguments, which are in the context at R15.
func (d *debugWriter) info() []byte {
	b := []byte{4, 0, 0, 0, 0, 0, 8} // version, abbreviations, address size
	str := func(s string) { b = append(append(b, s...), 0) }
	le := binary.LittleEndian
	loc := d.f.Module.Source.Location(d.f.Pos)
	dir, _ := os.Getwd()
	b = append(b, abbrevUnit)
	str("PureCL")
	b = le.AppendUint16(b, languageOpenCL)
	str(loc.File)
	str(dir)
	b = le.AppendUint64(b, d.addr)
	b = le.AppendUint64(b, d.size)
	b = le.AppendUint32(b, 0)
	types := map[ssa.Kind]uint32{}
	for i, p := range d.f.Params {
		if p.Type.N != 1 || types[p.Type.K] != 0 || d.code.Params[i][1] == 0 || p.Type.K.Num().Size() == 0 {
			continue
		}
		n := p.Type.K.Num()
		types[p.Type.K] = uint32(4 + len(b))
		b = append(b, abbrevType)
		str(p.Type.K.String())
		encoding := byte(encodingUnsign)
		switch {
		case p.Type.K == ssa.Bool:
			encoding = encodingBoolean
		case n.IsFloat():
			encoding = encodingFloat
		case n.Signed():
			encoding = encodingSigned
		}
		b = append(b, encoding, byte(n.Size()))
	}
	for _, p := range d.parts() {
		abbrev := byte(abbrevKernel)
		if !p.kernel {
			abbrev = abbrevStub
		}
		b = append(b, abbrev)
		str(p.name)
		if p.kernel {
			b = binary.AppendUvarint(b, uint64(slices.Index(d.files, loc.File)+1))
			b = binary.AppendUvarint(b, uint64(loc.Line))
		}
		b = le.AppendUint64(b, d.addr+uint64(p.from))
		b = le.AppendUint64(b, uint64(p.to-p.from))
		if !p.kernel {
			continue
		}
		b = append(b, 1, opCallFrameCFA)
		for i, p := range d.f.Params {
			if types[p.Type.K] == 0 || p.Type.N != 1 || i >= len(d.f.Kernel.Args) {
				continue
			}
			b = append(b, abbrevParam)
			str(d.f.Kernel.Args[i].Name)
			b = le.AppendUint32(b, types[p.Type.K])
			at := appendSleb([]byte{opBreg0 + dwarfR15}, int64(d.code.Params[i][0]))
			b = append(append(b, byte(len(at))), at...)
		}
		b = append(b, 0)
	}
	return withLength(append(b, 0))
}

func appendSleb(b []byte, x int64) []byte {
	for {
		c := byte(x & 0x7F)
		x >>= 7
		if x == 0 && c&0x40 == 0 || x == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// lineTable returns the line number program (DWARF 4, 6.2).
func (d *debugWriter) lineTable() []byte {
	const opcodeBase = 13
	h := []byte{1, 1, 1, 0xFB, 14, opcodeBase} // see 6.2.4
	h = append(h, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1)
	h = append(h, 0) // no directories
	for _, f := range d.files {
		h = append(append(h, f...), 0, 0, 0, 0)
	}
	h = append(h, 0)
	b := append([]byte{4, 0}, withLength(h)...)
	const copyRow, advancePC, advanceLine, setFile, setColumn, negateStmt = 1, 2, 3, 4, 5, 6
	extended := func(op byte, data []byte) { b = append(append(b, 0, byte(len(data)+1), op), data...) }
	line, file, hoisted := 1, "", false
	at := d.addr
	extended(2, binary.LittleEndian.AppendUint64(nil, at)) // set_address
	for _, l := range d.lines {
		if l.hoisted != hoisted {
			hoisted = l.hoisted
			b = append(b, negateStmt)
		}
		if l.file != file {
			file = l.file
			b = binary.AppendUvarint(append(b, setFile), uint64(slices.Index(d.files, file)+1))
		}
		if l.addr != at {
			b = binary.AppendUvarint(append(b, advancePC), l.addr-at)
			at = l.addr
		}
		b = appendSleb(append(b, advanceLine), int64(l.line-line))
		line = l.line
		b = binary.AppendUvarint(append(b, setColumn), uint64(l.column))
		b = append(b, copyRow)
	}
	b = binary.AppendUvarint(append(b, advancePC), d.addr+d.size-at)
	extended(1, nil) // end_sequence
	return withLength(b)
}

// frame returns the call frame information (DWARF 4, 6.4): the return address is at RSP, except in stubs after
// a push.
func (d *debugWriter) frame() []byte {
	const defCFA, defCFAOffset, advance1, advance4, offset = 0x0c, 0x0e, 0x02, 0x04, 0x80
	cie := []byte{0xFF, 0xFF, 0xFF, 0xFF, 4, 0, 8, 0, 1, 0x78, dwarfRA}
	cie = append(cie, defCFA, dwarfRSP, 8, offset+dwarfRA, 1)
	pad := func(b []byte) []byte {
		for len(b)%8 != 4 {
			b = append(b, 0)
		}
		return withLength(b)
	}
	out := pad(cie)
	for _, p := range d.parts() {
		b := binary.LittleEndian.AppendUint32(nil, 0) // the CIE above
		b = binary.LittleEndian.AppendUint64(b, d.addr+uint64(p.from))
		b = binary.LittleEndian.AppendUint64(b, uint64(p.to-p.from))
		at, depth, ls := p.from, 8, d.code.Listing
		for k := range ls.Insts {
			i := &ls.Insts[k]
			if i.Offset < p.from || i.Offset >= p.to || k+1 == len(ls.Insts) {
				continue
			}
			change := 0
			switch i.Inst.Op {
			case asm.PUSH:
				change = 8
			case asm.POP:
				change = -8
			}
			if next := ls.Insts[k+1].Offset; change != 0 && next < p.to {
				depth += change
				b = binary.LittleEndian.AppendUint32(append(b, advance4), uint32(next-at))
				b = binary.AppendUvarint(append(b, defCFAOffset), uint64(depth))
				at = next
			}
		}
		out = append(out, pad(b)...)
	}
	return out
}

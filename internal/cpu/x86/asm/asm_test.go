package asm

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// gasLine returns the instruction for GNU as in Intel syntax, with prefixes that select our encoding.
func gasLine(i *Inst, r *Row) string {
	if r.Flags&lock != 0 {
		return i.String()
	}
	prefix := "{load} "
	if r.Form == formMR || r.Form == formMVR {
		prefix = "{store} "
	}
	if r.Enc == encVEX && (r.Form == formRM || r.Form == formRVM) && r.Flags&(gpr|regGPR|gprRM) == 0 {
		prefix += "{vex} "
	}
	if r.Enc == encEVEX {
		prefix = "{evex} " + prefix
	}
	return prefix + i.String()
}

// variants returns many forms of a row's instruction with random operands.
func variants(r *Row, op Op, rnd *rand.Rand) []Inst {
	var out []Inst
	vec := func(n int) Reg { return V(rnd.IntN(n)) }
	gprs := func() Reg {
		for {
			if g := Reg(rnd.IntN(16)); g != RSP {
				return g
			}
		}
	}
	mem := func(vecIndex bool, n int) Mem {
		m := Mem{Base: Reg(rnd.IntN(16)), Index: NoReg, Scale: 1 << rnd.IntN(4)}
		if vecIndex {
			m.Index = vec(n)
		} else if rnd.IntN(2) == 0 {
			m.Index = gprs()
		}
		m.Disp = []int32{0, 8, 64, -128, 4, 256, 0x12345, -64 * 128, 127 * 64}[rnd.IntN(9)]
		return m
	}
	widths := []Width{4, 8, 2}
	evexes := []bool{false}
	switch r.Enc {
	case encVEX:
		widths = []Width{16, 32}
	case encEVEX:
		widths, evexes = []Width{16, 32, 64}, []bool{true}
	case encBoth:
		widths, evexes = []Width{16, 32, 64}, []bool{false, true}
	}
	f := r.Flags
	switch {
	case r.Form == formMaskOp || r.Form == formMaskOp3 || r.Form == formMaskMem:
		widths = []Width{8}
	case f&gpr != 0:
		widths = []Width{4, 8}
	case r.W == wSize:
		widths = []Width{4, 8}
	case f&x128 != 0:
		widths = []Width{16}
	case r.Enc == encLegacy && f&sized == 0 || r.Name == "movzx16" || r.Name == "movsx16":
		widths = []Width{8}
	case r.Name == "movimm64", r.Name == "push", r.Name == "pop":
		widths = []Width{8}
	case r.Name == "cdq":
		widths = []Width{4, 8}
	}
	for _, w := range widths {
		if f&minY != 0 && w == 16 || f&onlyZ != 0 && w != 64 {
			continue
		}
		for _, ev := range evexes {
			if w == 64 && !ev {
				continue
			}
			for range 12 {
				regs := 16
				if ev {
					regs = 32
				}
				i := Inst{Op: op, W: w, Reg: vec(regs), V: vec(regs), RM: vec(regs), Imm: int64(rnd.IntN(100))}
				if r.Enc == encLegacy || f&gpr != 0 {
					i.Reg, i.V, i.RM = gprs(), gprs(), gprs()
				}
				if f&regGPR != 0 {
					i.Reg = gprs()
				}
				if f&gprRM != 0 {
					i.RM = gprs()
				}
				if f&kRM != 0 {
					i.RM = K(rnd.IntN(8))
				}
				switch r.Form {
				case formKRVM, formKRM:
					i.Reg = K(rnd.IntN(8))
				case formMaskOp, formMaskOp3, formMaskMem:
					if f&regGPR == 0 {
						i.Reg = K(rnd.IntN(8))
					}
					if f&gprRM == 0 {
						i.RM = K(rnd.IntN(8))
					}
					i.V = K(rnd.IntN(8))
				}
				if r.Imm == imm32 { // as prefers shorter forms for small immediates and for the accumulator
					i.Imm += 0x1234
					for i.RM == RAX {
						i.RM = gprs()
					}
				}
				if r.Imm == immReg {
					i.Imm = int64(vec(16))
				}
				if r.Form == formNone {
					i.Reg, i.RM = NoReg, NoReg
				}
				for r.Name == "xchg" && (i.Reg == RAX || i.RM == RAX) {
					i.Reg, i.RM = gprs(), gprs()
				}
				if r.Imm == imm8 && i.Imm == 1 { // shifts by 1 have a separate form
					i.Imm = 2
				}
				if r.Ext >= 0 && (r.Form == formM) {
					i.Reg = NoReg
				}
				gather := r.Form == formGather || r.Form == formScatter
				i.HasMem = gather || f&memOnly != 0 || r.Form == formMVR || r.Form == formMaskMem || rnd.IntN(2) == 0
				if f&lock != 0 || r.Name == "lea" || r.Name == "movimm" && w != 8 {
					i.HasMem = true
				}
				if f&(regOnly|opReg|kRM) != 0 || f&gprRM != 0 && r.Tuple == tNone && !strings.HasPrefix(r.Name, "vcvtsi2") || f&regMem != 0 && !ev || r.Form == formMaskOp || r.Form == formMaskOp3 {
					i.HasMem = false
				}
				// as prefers another opcode for vmovq from and to memory.
				if strings.HasPrefix(r.Name, "vcvtsi2") || r.Form == formNone || r.Name == "vmovq" || r.Name == "vmovqst" || r.Name == "vmovqx" && ev {
					i.HasMem = false
				}
				i.Mem = mem(gather, regs)
				masked := ev && !(f&gprRM != 0 && r.Tuple != tNone) && f&(regGPR|kRM) == 0 && r.Form != formKRM && !strings.HasPrefix(r.Name, "vmovq") && f&x128 == 0 && !strings.HasPrefix(r.Name, "vmovnt") &&
					r.Name != "vpslldq" && r.Name != "vpsrldq" && !strings.HasPrefix(r.Name, "vpsadbw")
				if masked && (gather || rnd.IntN(2) == 0) {
					i.Mask = K(1 + rnd.IntN(7))
					i.Zero = !i.HasMem && r.Form != formKRVM && rnd.IntN(2) == 0 || i.HasMem && r.Form != formMR && r.Form != formKRVM && !gather && rnd.IntN(2) == 0
				}
				if gather && ev {
					i.V = NoReg
					for i.Reg == i.Mem.Index {
						i.Reg = vec(regs)
					}
				} else if gather {
					// All three registers of an AVX2 gather differ.
					i.Reg, i.V, i.Mem.Index = V(1), V(2), V(3)
				}
				if ev && i.HasMem && r.Elem != 0 && r.Tuple != tMem && rnd.IntN(2) == 0 {
					i.Bcst = true
				}
				if ev && !i.HasMem && w == 64 && rnd.IntN(2) == 0 {
					if f&er != 0 {
						i.Round = Rounding(1 + rnd.IntN(4))
					} else if f&sae != 0 {
						i.Round = SAE
					}
				}
				if ev && r.Enc == encBoth && !forcesEVEX(&i, r) {
					continue
				}
				out = append(out, i)
			}
		}
	}
	return out
}

// forcesEVEX reports whether only EVEX can express the instruction, so that GNU as makes the same choice.
func forcesEVEX(i *Inst, r *Row) bool {
	high := func(x Reg) bool { return x != NoReg && x.IsVec() && x.num() >= 16 }
	return i.W == 64 || i.Mask != 0 || i.Bcst || i.Round != NoRounding || r.Ext < 0 && high(i.Reg) || r.Form.hasV() && high(i.V) || !i.HasMem && high(i.RM) || i.HasMem && i.Mem.Index.IsVec() && high(i.Mem.Index)
}

// TestGNUAs encodes every row in many forms and compares with GNU as.
func TestGNUAs(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var src bytes.Buffer
	src.WriteString(".intel_syntax noprefix\n.text\n")
	var lines []string
	var codes [][]byte
	for op := NoOp + 1; op < NumOps; op++ {
		r := &Table[op]
		if r.Enc == encBranch || r.Name == "none" {
			continue
		}
		for _, i := range variants(r, op, rnd) {
			var a Assembler
			a.Emit(&i)
			line := gasLine(&i, r)
			lines = append(lines, line)
			codes = append(codes, a.Code)
			src.WriteString(line + "\n")
		}
	}
	dir := t.TempDir()
	in, listing := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.lst")
	if err := os.WriteFile(in, src.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("as", "--64", "-o", filepath.Join(dir, "a.o"), "-aln="+listing, "--listing-lhs-width=12", in).CombinedOutput()
	if err != nil {
		t.Fatalf("as: %v\n%s", err, head(out, lines))
	}
	text, err := os.ReadFile(listing)
	if err != nil {
		t.Fatal(err)
	}
	want := make([][]byte, len(lines))
	for _, l := range strings.Split(string(text), "\n") {
		f := strings.Fields(l)
		if len(f) < 3 {
			continue
		}
		n, err := strconv.Atoi(f[0])
		if err != nil || n < 3 || n-3 >= len(lines) {
			continue
		}
		var code []byte
		for _, h := range f[2:] {
			b, err := hex.DecodeString(h)
			if err != nil {
				break
			}
			code = append(code, b...)
		}
		want[n-3] = append(want[n-3], code...)
	}
	bad, seen := 0, map[string]bool{}
	for n := range lines {
		if !bytes.Equal(codes[n], want[n]) {
			bad++
			name := ""
			for _, w := range strings.Fields(lines[n]) {
				if name == "" && !strings.HasPrefix(w, "{") {
					name = w
				}
			}
			if !seen[name] && len(seen) < 40 {
				seen[name] = true
				t.Errorf("%s\n  got  %x\n  want %x", lines[n], codes[n], want[n])
			}
		}
	}
	t.Logf("%d forms of %d instructions, %d wrong", len(lines), NumOps-1, bad)
}

// TestRegs compares the registers reported by Regs with those in the text.
func TestRegs(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	word := regexp.MustCompile(`[a-z0-9]+`)
	byName := map[string]Reg{}
	for w, names := range gprNames {
		for n, name := range names {
			if byName[name] = Reg(n); w == 0 {
				t.Fatal("no width")
			}
		}
	}
	for n := range 32 {
		for _, c := range "xyz" {
			byName[fmt.Sprintf("%cmm%d", c, n)] = V(n)
		}
		if n < 8 {
			byName[fmt.Sprintf("k%d", n)] = K(n)
		}
	}
	for op := NoOp + 1; op < NumOps; op++ {
		r := &Table[op]
		if r.Enc == encBranch || r.Name == "none" || strings.HasSuffix(r.Name, "cl") { // cl is not an operand
			continue
		}
		for _, i := range variants(r, op, rnd) {
			want, got := map[Reg]bool{}, map[Reg]bool{}
			_, operands, _ := strings.Cut(i.String(), " ")
			for _, w := range word.FindAllString(operands, -1) {
				if x, ok := byName[w]; ok {
					want[x] = true
				}
			}
			i.Regs(func(x Reg) { got[x] = true })
			if !maps.Equal(got, want) {
				t.Fatalf("%v: got %v", &i, got)
			}
		}
	}
}

// head returns as's first error messages with their lines.
func head(out []byte, lines []string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, l := range strings.Split(string(out), "\n") {
		if key := strings.Join(strings.Fields(l + " . . . . . .")[1:6], " "); seen[key] || len(seen) > 40 {
			continue
		} else {
			seen[key] = true
		}
		b.WriteString(l)
		if f := strings.Split(l, ":"); len(f) > 1 {
			if k, err := strconv.Atoi(f[1]); err == nil && k >= 3 && k-3 < len(lines) {
				b.WriteString("\n    " + lines[k-3])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestLabels compares forward and backward jumps and RIP-relative operands with encodings made by hand from the
// manual.
func TestLabels(t *testing.T) {
	var a Assembler
	back, fwd, data := a.NewLabel(), a.NewLabel(), a.NewLabel()
	a.Bind(back)
	a.Jump(JE, fwd)
	a.Jump(JMP, back)
	a.Emit(&Inst{Op: VMOVUPS, W: 32, Reg: V(1), HasMem: true, Mem: AtLabel(data)})
	a.Bind(fwd)
	a.Emit(&Inst{Op: VPSHUFD, W: 16, Reg: V(1), HasMem: true, Mem: AtLabel(data), Imm: 3})
	a.Emit(&Inst{Op: RET})
	a.Align(16)
	a.Bind(data)
	if err := a.Finish(); err != nil {
		t.Fatal(err)
	}
	want := "0f840d000000" + "e9f5ffffff" + "c5fc100d0d000000" + "c5f9700d0400000003" + "c3"
	if got := hex.EncodeToString(a.Code[:len(want)/2]); got != want || a.Offset(data)%16 != 0 {
		t.Errorf("got  %s\nwant %s (data at %d)", got, want, a.Offset(data))
	}
	a.Reset()
	a.Jump(JMP, a.NewLabel())
	if a.Finish() == nil {
		t.Error("an unbound label gave no error")
	}
}

func BenchmarkEmit(b *testing.B) {
	var a Assembler
	i := Inst{Op: VFMADD231PS, W: 64, Reg: V(17), V: V(3), HasMem: true, Mem: At(RAX, 640), Mask: K(1)}
	for n := 0; b.Loop(); n++ {
		if n&1023 == 0 {
			a.Reset()
		}
		a.Emit(&i)
	}
}

package ptx

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// An emitter writes instructions. It knows registers, labels and the parameter block; it must not know the kernel.
type emitter struct {
	out *strings.Builder // the part that emit writes to: body, first or slow

	body  strings.Builder // the blocks
	first strings.Builder // values used by the whole kernel, before its blocks
	slow  strings.Builder // the slow paths, after the blocks

	regs     [numClasses]int // number of registers of each class
	labels   int
	consts   map[constKey]string
	specials map[string]string // registers of work-item ids and similar values, by name
	loops    bool              // back edges count in the register %rounds
	// withLines is set if .loc directives are written.
	withLines bool
	lines     lines
}

// A class is a register class.
type class uint8

const (
	pred class = iota
	b16
	b32
	b64
	numClasses
)

var (
	classPrefix = [numClasses]string{"%p", "%h", "%r", "%d"}
	classTypes  = [numClasses]string{"pred", "b16", "b32", "b64"}
)

type constKey struct {
	class class
	bits  uint64
}

// classOf returns the class of registers for elements of kind k.
func classOf(k ssa.Kind) class {
	switch {
	case k == ssa.Bool:
		return pred
	case k == ssa.F16:
		return b16
	case k.Num().Size() == 8:
		return b64
	}
	return b32
}

// reg returns a new register.
func (e *emitter) reg(c class) string {
	e.regs[c]++
	return fmt.Sprint(classPrefix[c], e.regs[c])
}

// label returns a new label.
func (e *emitter) label(prefix string) string {
	e.labels++
	return fmt.Sprint("$", prefix, e.labels)
}

// emit writes an instruction.
func (e *emitter) emit(format string, args ...any) {
	if e.withLines && e.out != &e.first {
		e.lines.directive(e.out)
	}
	e.out.WriteByte('\t')
	fmt.Fprintf(e.out, format, args...)
	e.out.WriteString(";\n")
}

// mark writes a label.
func (e *emitter) mark(label string) { e.out.WriteString(label + ":\n") }

// set emits an instruction whose result is a new register of class c. op is the opcode with its type, as in
// "add.s32". Opcodes with one operand take it in a register.
func (e *emitter) set(c class, op string, args ...string) string {
	if len(args) == 1 && !strings.HasPrefix(op, "mov.") && !strings.HasPrefix(args[0], "%") {
		from := c
		if i := strings.LastIndex(op, "."); strings.HasPrefix(op, "cvt.") || strings.HasPrefix(op, "popc.") || strings.HasPrefix(op, "clz.") {
			from = map[string]class{"16": b16, "32": b32, "64": b64}[op[max(i, len(op)-2):]]
			if typ := op[i+1:]; typ == "s8" || typ == "s16" { // the low bits of a 32-bit register
				from = b32
			}
		}
		args = []string{e.set(from, "mov."+classTypes[from], args[0])}
	}
	d := e.reg(c)
	e.emit("%s %s, %s", op, d, strings.Join(args, ", "))
	return d
}

// negated returns 0 - x. The driver's assembler makes wrong code of a sub from 0 whose result is shifted right and added.
func (e *emitter) negated(c class, x string) string {
	return e.set(c, "neg.s"+classTypes[c][1:], x)
}

// at runs do with the output of emit redirected to where.
func (e *emitter) at(where *strings.Builder, do func()) {
	old := e.out
	e.out = where
	do()
	e.out = old
}

// once returns a register that is set before the kernel's blocks.
func (e *emitter) once(key string, make func() string) string {
	r, ok := e.specials[key]
	if !ok {
		e.at(&e.first, func() { r = make() })
		e.specials[key] = r
	}
	return r
}

// constant returns an operand with these bits: a literal for integers, else a register.
func (e *emitter) constant(k ssa.Kind, bits uint64) string {
	c := classOf(k)
	n := k.Num()
	switch {
	case k == ssa.Bool:
	case n.IsFloat():
	case c == b64:
		return fmt.Sprint(int64(bits))
	case n.Signed():
		sh := 64 - n.Bits()
		return fmt.Sprint(int64(bits<<sh) >> sh)
	default:
		return fmt.Sprint(bits)
	}
	key := constKey{c, bits}
	r, ok := e.consts[key]
	if !ok {
		e.at(&e.first, func() {
			if r = e.reg(c); c == pred {
				e.emit("setp.ne.u32 %s, %d, 0", r, bits)
			} else {
				e.emit("mov.%s %s, 0x%x", classTypes[c], r, bits)
			}
		})
		e.consts[key] = r
	}
	return r
}

// head loads a field of the parameter block, once.
func (e *emitter) head(c class, off int) string {
	return e.once(fmt.Sprint("head", c, off), func() string { return e.loadHead(c, off) })
}

// narrow loads a field of 1 or 2 bytes of the parameter block as a part of an aligned word. Where only these bytes matter,
// the driver's assembler may load 4 bytes at the address of a load of fewer.
func (e *emitter) narrow(off, size int) string {
	word := e.head(b32, off&^3)
	if n := off & 3; n > 0 {
		word = e.set(b32, "shr.u32", word, fmt.Sprint(8*n))
	}
	return e.set(b32, "and.b32", word, fmt.Sprint(1<<(8*size)-1))
}

func (e *emitter) loadHead(c class, off int) string {
	d := e.reg(c)
	e.emit("ld.param.%s %s, [block+%d]", classTypes[c], d, off)
	return d
}

// backEdge emits a back edge to a label: it decrements the counter of rounds, and polls the host when that reaches 0.
func (e *emitter) backEdge(to string) {
	e.emit("sub.s32 %%rounds, %%rounds, 1")
	e.emit("@%s bra %s", e.set(pred, "setp.ne.s32", "%rounds", "0"), to)
	e.emit("bra %s", e.pollHost(to))
}

// pollHost emits, on a slow path, the poll of SignalStop, and returns its label. Work-items that are not stopped
// continue at the label on.
func (e *emitter) pollHost(on string) (label string) {
	e.loops = true
	label = e.label("L")
	e.at(&e.slow, func() {
		e.mark(label)
		e.emit("mov.b32 %%rounds, %d", Rounds)
		at := e.loadHead(b64, HeadSignals)
		word := e.reg(b32)
		e.emit("ld.volatile.global.u32 %s, [%s+%d]", word, at, SignalStop)
		e.emit("@%s bra %s", e.set(pred, "setp.eq.u32", word, "0"), on)
		e.emit("st.volatile.global.u32 [%s+%d], 1", at, SignalStopped)
		e.emit("exit")
	})
	return label
}

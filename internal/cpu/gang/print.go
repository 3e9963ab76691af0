package gang

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// String returns the function's text, which [Parse] reads.
func (f *Func) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "gang @%s lanes=%d", f.Name, f.Lanes)
	for _, w := range f.words() {
		if *w.set {
			s.WriteString(" " + w.name)
		}
	}
	if f.Rows != 0 {
		fmt.Fprintf(&s, " rows=%d", f.Rows)
	}
	if f.Forms != 0 {
		fmt.Fprintf(&s, " forms=%d", f.Forms)
	}
	s.WriteString(" {\n")
	for i, p := range f.Params {
		fmt.Fprintf(&s, "param %d %d %q\n", i, p.N, p.Name)
	}
	for i, r := range f.Roots {
		fmt.Fprintf(&s, "root %d %s", i, rootNames[r.Kind])
		for _, w := range r.words() {
			if *w.set {
				s.WriteString(" " + w.name)
			}
		}
		for _, n := range r.numbers() {
			if *n.of != 0 {
				fmt.Fprintf(&s, " %s=%d", n.name, *n.of)
			}
		}
		switch r.Kind {
		case RootParam:
			fmt.Fprintf(&s, " %d\n", r.Param)
		case RootPrivate:
			fmt.Fprintf(&s, " %d %q\n", r.Size, r.Name)
		default:
			fmt.Fprintf(&s, " %q\n", r.Name)
		}
	}
	for i, a := range f.Accesses {
		fmt.Fprintf(&s, "access %d %s\n", i, a.Name)
	}
	if len(f.FirstIDs) > 0 {
		fmt.Fprintf(&s, "firstids %s\n", strings.Trim(fmt.Sprint(f.FirstIDs), "[]"))
	}
	for i, x := range f.Sums {
		fmt.Fprintf(&s, "sum %d %d %s %v", i, x.Root, ssa.RMWNames[x.RMW], x.Kind)
		if x.Elements {
			s.WriteString(" elements")
		}
		for _, o := range x.Others {
			fmt.Fprintf(&s, " %d", o)
		}
		s.WriteByte('\n')
	}
	for _, b := range f.Blocks {
		fmt.Fprintf(&s, "b%d:", b.ID)
		if b.Depth != 0 {
			fmt.Fprintf(&s, " depth=%d", b.Depth)
		}
		if b.Cold {
			s.WriteString(" cold")
		}
		s.WriteByte('\n')
		for k := range b.Insts {
			s.WriteString("  ")
			f.inst(&s, b, &b.Insts[k])
			s.WriteByte('\n')
		}
	}
	for _, r := range slices.Sorted(maps.Keys(f.Ranges)) {
		fmt.Fprintf(&s, "range %s %d %d\n", f.name(r), f.Ranges[r].Lo, f.Ranges[r].Hi)
	}
	s.WriteString("}\n")
	return s.String()
}

// A word is a property of a function in its first line of text.
type word struct {
	name string
	set  *bool
}

func (f *Func) words() []word {
	return []word{{"full", &f.Full}, {"groups", &f.Groups}, {"waits", &f.Waits}, {"fills", &f.Fills}, {"once", &f.Once}}
}

// words returns the properties of a root.
func (r *Root) words() []word {
	return []word{{"writeonly", &r.WriteOnly}, {"local", &r.Local}, {"large", &r.Large}}
}

// A numberField is a field of an instruction with a number: one of the two.
type numberField struct {
	field fields
	name  string
	small *int32
	most  int64 // of small, which is not negative
	large *int64
}

// numbers returns the fields in the order of the text.
func (i *Inst) numbers() [8]numberField {
	return [8]numberField{{fRoot, "root", &i.Root, 1 << 20, nil}, {fAccess, "access", &i.Access, 1 << 17, nil}, {fSize, "size", &i.Size, 1 << 30, nil},
		{fImm, "imm", nil, 0, &i.Imm}, {fAux, "aux", nil, 0, &i.Aux}, {fScale, "scale", &i.Scale, 1 << 20, nil},
		{fGang, "gang", &i.Gang, 1 << 16, nil}, {fSum, "sum", &i.Sum, 1 << 16, nil}}
}

func (n *numberField) get() int64 {
	if n.small != nil {
		return int64(*n.small)
	}
	return *n.large
}

// A numberWord is a property of a root with a number.
type numberWord struct {
	name string
	of   *int
	most int64
}

func (r *Root) numbers() []numberWord {
	return []numberWord{{"align", &r.Align, 1 << 12}, {"elem", &r.Elem, 128}}
}

// name returns a register's name: the letter of its class and its number.
func (f *Func) name(r Reg) string {
	if r <= 0 || int(r) >= len(f.Types) {
		return fmt.Sprintf("?%d", r)
	}
	return f.Types[r].Class.String() + strconv.Itoa(int(r))
}

// typeName returns a type's name without its class.
func (t Type) typeName() string {
	if t.N != 1 {
		return fmt.Sprintf("%vx%d", t.K, t.N)
	}
	return t.K.String()
}

// Inst returns an instruction's text, without its successors.
func (f *Func) Inst(i *Inst) string {
	var s strings.Builder
	f.inst(&s, nil, i)
	return s.String()
}

// inst writes an instruction. The last instruction of b gets the successors of b.
func (f *Func) inst(s *strings.Builder, b *Block, i *Inst) {
	if i.Dst != 0 {
		fmt.Fprintf(s, "%s:%s = ", f.name(i.Dst), f.Types[i.Dst].typeName())
	}
	switch {
	case i.Op == OpEach:
		s.WriteString(i.Each.String())
	case i.Op.has(fEach) && i.Op.has(fShape):
		fmt.Fprintf(s, "%v.%v.%v", i.Op, i.Each, i.Shape)
	case i.Op.has(fEach):
		fmt.Fprintf(s, "%v.%v", i.Op, i.Each)
	case i.Op.has(fShape):
		fmt.Fprintf(s, "%v.%v", i.Op, i.Shape)
	default:
		s.WriteString(i.Op.String())
	}
	for k, a := range i.Args {
		if k > 0 {
			s.WriteByte(',')
		}
		s.WriteString(" " + f.name(a))
	}
	for _, n := range i.numbers() {
		if x := n.get(); i.Op.has(n.field) && x != 0 {
			fmt.Fprintf(s, " %s=%d", n.name, x)
		}
	}
	if i.Write {
		s.WriteString(" write")
	}
	if i.Stream {
		s.WriteString(" stream")
	}
	if i.Mask != 0 {
		fmt.Fprintf(s, " mask=%s", f.name(i.Mask))
	}
	if i.Op == OpSwitch || len(i.Cases) > 0 {
		fmt.Fprintf(s, " %v", i.Cases)
	}
	if b == nil || !i.Op.IsTerminator() {
		return
	}
	for k, t := range b.Succs {
		sep := ","
		if k == 0 {
			sep = " ->"
		}
		fmt.Fprintf(s, "%s b%d", sep, t.ID)
	}
}

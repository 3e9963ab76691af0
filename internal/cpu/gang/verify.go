package gang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Verify returns an error for the first instruction that breaks a rule of its op, or the first register that
// may be read before any write. The error has the instruction's text and its block.
func Verify(f *Func) error { return verify(f, nil) }

// A textPart is a part of a function's text: its first line, or one with the word of a root, sum, range or block and its
// number, or instruction k of a block.
type textPart struct {
	word string
	n, k int
}

// verify is Verify for a function from a text, of whose parts lines has the numbers. Errors begin with the number.
func verify(f *Func, lines map[textPart]int) error {
	v := verifier{f: f, lines: lines}
	if f.Lanes < 1 || f.Lanes&(f.Lanes-1) != 0 {
		return v.wrong(textPart{}, "%d lanes", f.Lanes)
	}
	if len(f.Blocks) == 0 {
		return v.wrong(textPart{}, "no blocks")
	}
	for r, x := range f.Ranges {
		if r <= 0 || int(r) >= len(f.Types) || !lanes.IsInt(f.Types[r].K) || x.Lo > x.Hi {
			return v.wrong(textPart{"range", int(r), 0}, "no such range of %s", f.name(r))
		}
	}
	for k := range f.Roots {
		if err := f.Roots[k].verify(f); err != nil {
			return v.wrong(textPart{"root", k, 0}, "root %d: %w", k, err)
		}
	}
	for k, x := range f.Sums {
		outside := func(r int32) bool { return r < 0 || int(r) >= len(f.Roots) }
		if outside(x.Root) || slices.ContainsFunc(x.Others, outside) {
			return v.wrong(textPart{"sum", k, 0}, "sum %d of a root that does not exist", k)
		}
	}
	for k, b := range f.Blocks {
		if b.ID != k {
			return v.wrong(textPart{"block", k, 0}, "block %d is called b%d", k, b.ID)
		}
		if err := v.block(b); err != nil {
			return err
		}
	}
	return v.defined()
}

// wrong returns an error of a part of the function.
func (v *verifier) wrong(p textPart, format string, args ...any) error {
	err := fmt.Errorf("@%s: "+format, append([]any{v.f.Name}, args...)...)
	if n := v.lines[p]; n > 0 {
		return fmt.Errorf("line %d: %w", n, err)
	}
	return err
}

// wrongInst returns an error of instruction k of a block.
func (v *verifier) wrongInst(b *Block, k int, err error) error {
	var s strings.Builder
	if o := b.Insts[k].Op; o > OpInvalid && o < NumOps {
		v.f.inst(&s, b, &b.Insts[k])
	} else {
		fmt.Fprintf(&s, "instruction %d", k)
	}
	return v.wrong(textPart{"inst", b.ID, k}, "b%d: %s: %w", b.ID, s.String(), err)
}

func (r *Root) verify(f *Func) error {
	private := r.Kind == RootPrivate
	switch {
	case r.Kind == RootParam && (r.Param < 0 || r.Param >= len(f.Params)):
		return fmt.Errorf("there is no parameter %d", r.Param)
	case r.Kind == RootParam && f.Params[r.Param].N != 1:
		return fmt.Errorf("parameter %d has %d elements, a pointer has one", r.Param, f.Params[r.Param].N)
	case private && (r.Local || r.Large || r.WriteOnly), !private && (r.Size != 0 || r.Align != 0 || r.Elem != 0):
		return fmt.Errorf("%s objects have no such property", rootNames[r.Kind])
	case r.Align&(r.Align-1) != 0, r.Elem&(r.Elem-1) != 0:
		return fmt.Errorf("the alignment or the size of elements is no power of two")
	}
	return nil
}

type verifier struct {
	f     *Func
	lines map[textPart]int
	i     *Inst
}

// block checks a block's instructions and successors.
func (v *verifier) block(b *Block) error {
	if len(b.Insts) == 0 {
		return v.wrong(textPart{"block", b.ID, 0}, "b%d: no terminator", b.ID)
	}
	last := len(b.Insts) - 1
	for k := range b.Insts {
		v.i = &b.Insts[k]
		if err := v.placed(k == last); err != nil {
			return v.wrongInst(b, k, err)
		}
	}
	t := b.Term()
	n := Ops[t.Op].Succs
	if n < 0 {
		n = 1 + len(t.Cases)
	}
	if len(b.Succs) != n {
		return v.wrongInst(b, last, fmt.Errorf("%d successors, want %d", len(b.Succs), n))
	}
	for _, s := range b.Succs {
		if s.ID >= len(v.f.Blocks) || v.f.Blocks[s.ID] != s {
			return v.wrongInst(b, last, fmt.Errorf("a successor is in another function"))
		}
	}
	return nil
}

// placed checks an instruction, which is or is not the last one of its block.
func (v *verifier) placed(last bool) error {
	switch o := v.i.Op; {
	case o <= OpInvalid || o >= NumOps:
		return fmt.Errorf("no op")
	case o.IsTerminator() && !last:
		return fmt.Errorf("before the end of the block")
	case last && !o.IsTerminator():
		return fmt.Errorf("the block ends without a terminator")
	}
	return v.inst()
}

// inst checks one instruction against its row of the op table, then against the rules of its op.
func (v *verifier) inst() error {
	f, i := v.f, v.i
	row := &Ops[i.Op]
	regs := append([]Reg{i.Mask, i.Dst}, i.Args...)
	for k, r := range regs {
		if r < 0 || int(r) >= len(f.Types) || r == 0 && k > 1 {
			return fmt.Errorf("there is no register %d", r)
		}
		if t := f.Types[r]; r != 0 && !valid(t) {
			return fmt.Errorf("%s has the type %v", f.name(r), t)
		}
	}
	d := f.Type(i.Dst)
	if (i.Dst == 0) != (row.Dst == "") && !strings.Contains(row.Dst, "-") || i.Dst != 0 && !strings.Contains(row.Dst, d.Class.String()) {
		return fmt.Errorf("the result must be of class %q", row.Dst)
	}
	if i.Mask != 0 && (!i.Op.has(fMask) || f.Type(i.Mask) != Type{Predicate, ssa.Bool, 1}) {
		return fmt.Errorf("the mask must be a predicate")
	}
	if i.Write && !i.Op.has(fWrite) {
		return fmt.Errorf("no write")
	}
	letters, repeats := strings.CutSuffix(row.Args, "*")
	for k, a := range i.Args {
		if k >= len(letters) && !repeats {
			return fmt.Errorf("%d arguments", len(i.Args))
		}
		switch c := letters[min(k, len(letters)-1)]; {
		case c == 'a', c == 'd' && f.Type(a).Class == d.Class, f.Type(a).Class.String()[0] == c:
		default:
			return fmt.Errorf("argument %d must be of class %c", k, c)
		}
	}
	if len(i.Args) < len(letters)-1 || len(i.Args) < len(letters) && !repeats {
		return fmt.Errorf("%d arguments", len(i.Args))
	}
	if i.Op.has(fRoot) && (i.Root < 0 || int(i.Root) >= len(f.Roots)) {
		return fmt.Errorf("there is no root %d", i.Root)
	}
	if i.Op.has(fAccess) && (i.Access < 0 || int(i.Access) >= len(f.Accesses)) {
		return fmt.Errorf("there is no access %d", i.Access)
	}
	if i.Gang != 0 && (i.Gang < 0 || int(i.Gang) >= len(f.FirstIDs)) {
		return fmt.Errorf("there is no gang %d", i.Gang)
	}
	if i.Op.has(fSize) && i.Size <= 0 {
		return fmt.Errorf("size %d", i.Size)
	}
	return v.rules(d)
}

// isKind reports whether k is the kind of an ordinary value.
func isKind(k ssa.Kind) bool {
	return k >= ssa.Bool && k <= ssa.F64 || k >= ssa.PtrPrivate && k < ssa.Void
}

func valid(t Type) bool {
	if !isKind(t.K) {
		return false
	}
	switch t.Class {
	case Scalar:
		return t.N == 1
	case Vector:
		return t.N >= 1 && t.N <= 16 && t.K != ssa.Bool
	case Predicate:
		return t.N >= 1 && t.N <= 16 && t.K == ssa.Bool
	}
	return false
}

// is returns an error with a rule that is broken if ok is false.
func is(ok bool, rule string) error {
	if !ok {
		return fmt.Errorf("%s", rule)
	}
	return nil
}

// rules checks what the table cannot express.
func (v *verifier) rules(d Type) error {
	f, i := v.f, v.i
	arg := func(k int) Type { return f.Type(i.Args[k]) }
	switch i.Op {
	case OpCopy:
		return is(arg(0) == d, "the types differ")
	case OpEach:
		return v.each(d)
	case OpSplat:
		return is(arg(0).K == d.K && (d.Class == Vector || d.N == 1), "the kinds differ")
	case OpRamp:
		return is(arg(0).K == d.K && d.N == 1 && d.K.Num().IsInt(), "a ramp of integers or pointers has one kind and one element a lane")
	case OpFirst:
		return is(arg(0).Class != Scalar && arg(0).K == d.K && arg(0).N == 1, "the argument must be a vector or a predicate of the result's kind")
	case OpPart, OpJoin, OpShuffle, OpInsert:
		return v.rearranges(d)
	case OpVote:
		return is(d.K == ssa.I32, "an i32 of a predicate")
	case OpPermute:
		n := f.Lanes
		ok := len(i.Cases) == n && !slices.ContainsFunc(i.Cases, func(c uint64) bool { return c >= uint64(2*n) })
		return is(ok && d.N == 1 && arg(0) == d && arg(1) == d, "the arguments must be vectors of the result's type, with a lane of them for each lane")
	case OpExchange:
		return is(d.N == 1 && arg(0) == d && arg(1) == (Type{Vector, ssa.U32, 1}) && v.subGroup() && i.Imm>>1 == 0, "the arguments must be a vector of the result's type and a vector of u32, and aux the size of a sub-group, imm 0 or 1")
	case OpBallot:
		return is(d == (Type{Vector, ssa.U32, 1}) && arg(0).N == 1 && v.subGroup() && i.Aux <= 32, "an u32 of a predicate")
	case OpRank, OpCount:
		return is(d.K == ssa.U32 && d.N == 1 && arg(0).N == 1, "an u32 of a predicate")
	case OpCall:
		for k := range i.Args {
			if arg(k).Class == Scalar || arg(k).N != 1 {
				return fmt.Errorf("argument %d must have one element per lane", k)
			}
		}
		return nil
	case OpNext:
		return is(f.Groups, "the function is not of the work-group")
	case OpBarrier:
		return is(f.Waits, "gangs do not wait in this function")
	case OpParam:
		return is(i.Imm >= 0 && i.Imm < int64(len(f.Params)) && i.Aux >= 0 && i.Aux < int64(f.Params[i.Imm].N), "no such parameter")
	case OpQuery:
		return is(i.Imm >= 0 && i.Imm < int64(ssa.GlobalLinearID) && i.Aux >= 0 && i.Aux < 3, "no such query") // the plan has expanded the later ones
	case OpIDEnd, OpBegin:
		if i.Op == OpBegin {
			d = arg(0)
		}
		return is(d.K == ssa.U64, "an id is a u64")
	case OpObject:
		return is(d.K == ssa.U64 && i.Imm >= 0 && int(i.Imm) < len(ssa.ObjectNames) && f.Roots[i.Root].Kind != RootPrivate, "no such u64")
	case OpPoll:
		return is(len(i.Args) == 0 && i.Imm == 0 || len(i.Args) == 1 && lanes.IsInt(arg(0).K), "an integer and the bits")
	case OpRoot:
		return is(d.K.Num() == ssa.U64.Num(), "a pointer")
	case OpInside, OpZeroOwn, OpCheck, OpDisjoint, OpRuns, OpPrefetch:
		return v.bounds(d)
	case OpLoad, OpStore:
		return v.access(d)
	case OpLoadPtr, OpStorePtr, OpCopyPtr, OpZeroPtr, OpAtomic:
		return v.pointers(d)
	case OpAtomicAt:
		return v.atomicAt(d)
	case OpBranch:
		return is(compares(i.Each) && arg(0) == arg(1), "a branch compares two scalars of one kind")
	case OpSwitch:
		return is(arg(0).K.Num().IsInt(), "an integer")
	}
	return nil
}

// bounds checks an op that concerns the bounds of a root.
func (v *verifier) bounds(d Type) error {
	f, i := v.f, v.i
	var first Type
	if len(i.Args) > 0 {
		first = f.Type(i.Args[0])
	}
	switch i.Op {
	case OpInside:
		return is(d == predicate && first.Class == Vector && v.offset(first), "offsets are i64, or with a scale vectors of u32")
	case OpZeroOwn:
		r, n := &f.Roots[i.Root], int64(i.Size)
		whole := r.Elem == 0 || i.Imm%int64(r.Elem) == 0 && n%int64(r.Elem) == 0
		return is(r.Kind == RootPrivate && i.Imm >= 0 && i.Imm+n <= int64(r.Size) && whole && (i.Mask == 0 || r.Elem <= 8), "the bytes are not whole elements of a private root")
	case OpCheck:
		return is(v.offset(first) && (i.Mask == 0 || i.Scale == 0), "an offset is an i64, with a scale also an u64")
	case OpDisjoint:
		return is(i.Aux >= 0 && int(i.Aux) < len(f.Roots), "there is no such root")
	case OpRuns, OpPrefetch:
		return is(v.offset(first), "offsets are i64, or with a scale u32")
	}
	return nil
}

// rearranges checks an op that moves elements of each lane.
func (v *verifier) rearranges(d Type) error {
	f, i := v.f, v.i
	if i.Op == OpJoin {
		for k, a := range i.Args {
			if f.Type(a) != (Type{d.Class, d.K, 1}) {
				return fmt.Errorf("argument %d must be one element", k)
			}
		}
		if len(i.Args) != int(d.N) {
			return fmt.Errorf("too many or too few elements")
		}
		return nil
	}
	from, ok, what := f.Type(i.Args[0]), false, "the argument has no such element"
	switch i.Op {
	case OpPart:
		ok = from.K == d.K && d.N == 1 && i.Imm >= 0 && i.Imm < int64(from.N)
	case OpShuffle:
		second := f.Type(i.Args[1])
		n := uint64(from.N) + uint64(second.N)
		ok = from.K == d.K && second.K == d.K && len(i.Cases) == int(d.N) && !slices.ContainsFunc(i.Cases, func(c uint64) bool { return c >= n })
		what = "the arguments have no such elements"
	case OpInsert:
		ok = from == d && f.Type(i.Args[1]) == (Type{Vector, d.K, 1}) && i.Imm >= 0 && i.Imm < int64(d.N)
	}
	return is(ok, what)
}

// subGroup reports whether aux is a power of two no larger than the gang.
func (v *verifier) subGroup() bool {
	n := v.i.Aux
	return n >= 2 && n <= int64(v.f.Lanes) && n&(n-1) == 0
}

func compares(op ssa.Op) bool { return op >= ssa.OpEq && op <= ssa.OpLe }

func offset(t Type) bool { return t.K == ssa.I64 && t.N == 1 }

// offset reports whether t is the type of an instruction's offsets, which may have a scale.
func (v *verifier) offset(t Type) bool {
	if v.i.Scale != 0 && t.Class == Scalar {
		return v.i.Scale > 0 && v.i.Scale <= 8 && (t.K == ssa.I64 || t.K == ssa.U64)
	}
	if v.i.Scale != 0 {
		return v.i.Scale > 0 && t == Type{Vector, ssa.U32, 1}
	}
	return offset(t)
}

// each checks an elementwise operation.
func (v *verifier) each(d Type) error {
	f, i := v.f, v.i
	info := &ssa.Ops[i.Each]
	if !i.Each.Has(ssa.Elementwise) && i.Each != ssa.OpSelect && i.Each != ssa.OpBitcast || i.Each == ssa.OpCopy {
		return fmt.Errorf("%v is not elementwise", i.Each)
	}
	if len(i.Args) != int(info.NArgs) {
		return fmt.Errorf("%d arguments, want %d", len(i.Args), info.NArgs)
	}
	first := f.Type(i.Args[0])
	for k, a := range i.Args {
		t := f.Type(a)
		if (t.Class == Scalar) != (d.Class == Scalar) || t.N != d.N && !(i.Each == ssa.OpSelect && k == 0) && i.Each != ssa.OpBitcast {
			return fmt.Errorf("argument %d is not as wide as the result", k)
		}
		bad := false
		switch {
		case i.Each == ssa.OpSelect && k == 0:
			bad = t.K != ssa.Bool || t.N != d.N && t.N != 1
		case i.Each == ssa.OpSelect:
			bad = t.K != d.K
		case i.Each == ssa.OpPtrAdd:
			bad = k == 0 && !t.K.IsPtr() && t.K != ssa.U64 || k == 1 && t.K != ssa.I64 && t.K != ssa.U64
		case k > 0 && i.Each != ssa.OpShl && i.Each != ssa.OpShr && i.Each != ssa.OpRotl:
			bad = t.K != first.K
		}
		if bad {
			return fmt.Errorf("argument %d has the kind %v", k, t.K)
		}
	}
	switch op := i.Each; {
	case compares(op) && d.K != ssa.Bool:
		return fmt.Errorf("the result of a comparison must be bool")
	case op == ssa.OpBitcast && (d.Size()*int(d.N) != first.Size()*int(first.N) || (d.K == ssa.Bool) != (first.K == ssa.Bool)):
		return fmt.Errorf("the sizes differ")
	case (op == ssa.OpAbs || op == ssa.OpAbsDiff) && d.K.Num() != first.K.Num().Unsigned():
		return fmt.Errorf("the result must be unsigned, of the arguments' size")
	case compares(op), op == ssa.OpBitcast, op == ssa.OpAbs, op == ssa.OpAbsDiff, op == ssa.OpSelect, op == ssa.OpConvert, op == ssa.OpPtrCast:
	case d.K != first.K:
		return fmt.Errorf("the result has the kind %v", d.K)
	}
	return v.evaluates(d, first)
}

// evaluates reports an error where package ssa does not define the operation on the kinds.
func (v *verifier) evaluates(d, first Type) error {
	i := v.i
	if i.Each == ssa.OpSelect || i.Each == ssa.OpBitcast || i.Each == ssa.OpPtrCast {
		return nil
	}
	if i.Each == ssa.OpConvert {
		if sat, r := ssa.ConvParts(i.Aux); ssa.ConvAux(sat, r) != i.Aux || r >= numeric.NumRounds || first.K >= ssa.PtrPrivate || d.K >= ssa.PtrPrivate {
			return fmt.Errorf("no such conversion")
		}
		return nil
	}
	if i.Each == ssa.OpDot && (i.Aux < 0 || i.Aux > ssa.DotShort) {
		return fmt.Errorf("no such product")
	}
	if _, ok := ssa.EvalScalar(i.Each, d.K, first.K, i.Aux, make([]uint64, len(i.Args))); !ok {
		return fmt.Errorf("%v is not defined for %v", i.Each, first.K)
	}
	return nil
}

// access checks a load or store of a root.
func (v *verifier) access(d Type) error {
	f, i := v.f, v.i
	val := d
	if i.Op == OpStore {
		val = f.Type(i.Args[1])
	}
	class := Vector
	if i.Shape == Uniform {
		class = Scalar
	}
	by := 1
	if i.Op == OpStore {
		by = 2
	}
	if i.Shape == Permuted {
		by++
	}
	private := f.Roots[i.Root].Kind == RootPrivate
	own := i.Shape == Own || i.Shape == OwnGather || i.Shape == Uniform && f.Lanes == 1 && private
	switch {
	case len(i.Args) != by:
		return fmt.Errorf("%d arguments, want %d", len(i.Args), by)
	case private != own:
		return fmt.Errorf("shapes own and owngather are for private roots only")
	case f.Roots[i.Root].Elem > 8 && (i.Shape != Own || val.K.Num().Size()*int(val.N) != f.Roots[i.Root].Elem):
		return fmt.Errorf("the access is not to a whole vector of an object whose copies are interleaved by vectors")
	case val.Class != class || val.K == ssa.Bool && class == Vector:
		return fmt.Errorf("the value has the wrong class")
	case i.Shape == Permuted && !lanes.IsInt(f.Type(i.Args[by-1]).K):
		return fmt.Errorf("the permutation must be an integer")
	case i.Op == OpStore && (i.Shape == Broadcast || i.Shape == Lookup):
		return fmt.Errorf("no such store")
	case i.Mask != 0 && (i.Shape == Uniform || i.Shape == Broadcast):
		return fmt.Errorf("an access to one address must have no mask")
	}
	if err := v.addressed(f.Type(i.Args[0])); err != nil {
		return err
	}
	return v.promised(val)
}

// addressed checks the offset of an access of type at.
func (v *verifier) addressed(at Type) error {
	i := v.i
	switch {
	case i.Shape == Lookup:
		return is(at.Class == Vector && at.N == 1 && lanes.IsInt(at.K), "the index must be a vector of integers")
	case i.Shape.gathers():
		return is(at.Class == Vector && v.offset(at), "a gather needs a vector of i64, or with a scale of u32")
	case at.Class != Scalar || !v.offset(at):
		return fmt.Errorf("the offset must be a scalar i64, for a gather a vector")
	case i.Scale != 0 && i.Shape != Uniform:
		return fmt.Errorf("no scale")
	}
	return nil
}

// promised checks the properties of an access's shape.
func (v *verifier) promised(val Type) error {
	i, n := v.i, int64(v.f.Lanes)
	ok := i.Aux == 0
	switch i.Shape {
	case Strided:
		ok = true
	case Contiguous: // lanes of the mask, from the first on
		ok = i.Aux >= 0 && (i.Aux == 0 || i.Mask != 0 && i.Aux <= n)
	case Fields:
		ok = i.Op == OpStore && i.Aux > 0 && i.Aux < 1<<val.N
	case Rows:
		ok = ok && val.N > 1
	case Pieces:
		ok = i.Aux > 1 && i.Aux <= n && n%i.Aux == 0
	case Spread:
		ok = ok && i.Mask == 0 && val.N == 1 && v.spread(uint64(val.Size()))
	case Lookup:
		ok = i.Aux > 0 && i.Aux <= 1<<16 && i.Imm >= 0
	}
	if !ok || i.Shape != Spread && len(i.Cases) > 0 {
		return fmt.Errorf("the shape %v does not have such properties", i.Shape)
	}
	return nil
}

// spread reports whether the lanes of an access in the shape Spread have different elements of es bytes near the offset. All lanes
// of a load have one.
func (v *verifier) spread(es uint64) bool {
	seen := map[uint64]bool{}
	for _, d := range v.i.Cases {
		switch {
		case d == NotStored && v.i.Op == OpStore:
			continue
		case d >= MaxObject || d%es != 0 || seen[d]:
			return false
		}
		seen[d] = true
	}
	return len(v.i.Cases) == v.f.Lanes
}

// pointers checks an access by lanes' pointers.
func (v *verifier) pointers(d Type) error {
	f, i := v.f, v.i
	n := 1
	if i.Op == OpCopyPtr {
		n = 2
	}
	for _, a := range i.Args[:n] {
		if t := f.Type(a); t.K.Num() != ssa.U64.Num() || t.N != 1 {
			return fmt.Errorf("%s must be a pointer", f.name(a))
		}
	}
	if i.Op != OpAtomic {
		return nil
	}
	return v.atomic(d)
}

// atomicAt checks an atomic operation on a root.
func (v *verifier) atomicAt(d Type) error {
	f, i := v.f, v.i
	switch {
	case i.Shape != Uniform && i.Shape != Contiguous && i.Shape != Gather:
		return fmt.Errorf("an atomic operation has the shape %v", i.Shape)
	case f.Roots[i.Root].Kind == RootPrivate:
		return fmt.Errorf("the root is private")
	case i.Sum != 0 && (i.Sum < 0 || int(i.Sum) > len(f.Sums) || f.Sums[i.Sum-1].Root != i.Root || i.Each != ssa.OpAtomicRMW || i.Dst != 0):
		return fmt.Errorf("no such sum")
	case i.Sum != 0 && f.Sums[i.Sum-1].Elements == (i.Shape == Uniform):
		return fmt.Errorf("the sum is not for the shape %v", i.Shape)
	}
	if err := v.addressed(f.Type(i.Args[0])); err != nil {
		return err
	}
	return v.atomic(d)
}

// atomic checks the operands of an atomic operation.
func (v *verifier) atomic(d Type) error {
	f, i := v.f, v.i
	want := map[ssa.Op]int{ssa.OpAtomicLoad: 1, ssa.OpAtomicStore: 2, ssa.OpAtomicRMW: 2, ssa.OpAtomicCAS: 3}[i.Each]
	if want == 0 || len(i.Args) != want || i.Dst != 0 && i.Each == ssa.OpAtomicStore || i.Dst == 0 && i.Each == ssa.OpAtomicLoad {
		return fmt.Errorf("no such atomic operation")
	}
	if i.Dst == 0 {
		d = f.Type(i.Args[1])
	}
	for _, a := range i.Args[1:] {
		if f.Type(a) != d {
			return fmt.Errorf("the operands' types must be equal")
		}
	}
	if d.N != 1 || d.Size() < 4 || d.Class != Vector {
		return fmt.Errorf("an atomic operation must be on one element")
	}
	return nil
}

// defined checks that an instruction before each use, in the order of the blocks, and some path to the use have written the
// register.
func (v *verifier) defined() (err error) {
	unread := func(b *Block, k int, r Reg) error {
		return v.wrongInst(b, k, fmt.Errorf("no path has written %s", v.f.name(r)))
	}
	written := make([]bool, len(v.f.Types))
	written[0] = true
	for _, b := range v.f.Blocks {
		for k := range b.Insts {
			i := &b.Insts[k]
			for _, r := range append([]Reg{i.Mask}, i.Args...) {
				if !written[r] && r != i.Dst {
					return unread(b, k, r)
				}
			}
			written[i.Dst] = true
		}
	}
	unwritten(v.f, nil, func(b *Block, k int, r Reg) {
		if err == nil {
			err = unread(b, k, r)
		}
	})
	return err
}

// unwritten calls report for each use of a register, in instruction k of b, that no path has written. If only is not nil, it considers
// only the registers in it.
func unwritten(f *Func, only []bool, report func(b *Block, k int, r Reg)) {
	at, n := make([]int32, len(f.Types)), int32(0) // by register: its bit, from 1
	for r := 1; r < len(at); r++ {
		if only == nil || only[r] {
			n++
			at[r] = n
		}
	}
	words := int(n)/64 + 1
	bits := make([]uint64, (len(f.Blocks)+1)*words)
	in := func(b *Block) []uint64 { return bits[b.ID*words:][:words] }
	out := bits[len(f.Blocks)*words:]
	write := func(r Reg) { out[at[r]>>6] |= 1 << (at[r] & 63) } // that of register 0, and of others, means nothing
	work, reached := []*Block{f.Blocks[0]}, make([]bool, len(f.Blocks))
	reached[0] = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		copy(out, in(b))
		for k := range b.Insts {
			write(b.Insts[k].Dst)
		}
		for _, t := range b.Succs {
			changed, s := !reached[t.ID], in(t)
			reached[t.ID] = true
			for k, w := range out {
				if w&^s[k] != 0 {
					s[k] |= w
					changed = true
				}
			}
			if changed {
				work = append(work, t)
			}
		}
	}
	for _, b := range f.Blocks {
		if !reached[b.ID] {
			continue
		}
		copy(out, in(b))
		for k := range b.Insts {
			i := &b.Insts[k]
			read := func(r Reg) {
				if n := at[r]; n != 0 && out[n>>6]>>(n&63)&1 == 0 {
					report(b, k, r)
				}
			}
			read(i.Mask)
			for _, a := range i.Args {
				read(a)
			}
			write(i.Dst)
		}
	}
}

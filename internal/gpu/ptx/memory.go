package ptx

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// memory emits loads, stores, atomic operations and fences. An access compares its address with its object unless it is
// proved in bounds; slow paths call functions of runtimeText.
type memory struct {
	inductions
	facts     facts
	now       *ssa.Value // the value being emitted
	fast      *fastCopy  // the fast copy being emitted, or nil
	accesses  map[*ssa.Value]int
	slowFrame bool            // slow paths call functions of runtimeText
	called    map[string]bool // functions of runtimeText that the kernel calls
	modes     uint            // of calls of pcl_access: bit m is set for mode m
	begun     []begunLoad     // loads whose branches to slow paths follow
	aBarrier  int             // the number of some barrier that is compared
	parts     bool            // the slow path of barriers at which work-items learn that they have parted exists
	// clearsLate is set if the work-items wait for cleared local memory in the entry block, not in the prologue.
	clearsLate bool
}

// access returns the index of v in Kernel.Accesses.
func (g *memory) access(v *ssa.Value) int {
	n, ok := g.accesses[v]
	if !ok {
		n = len(g.k.Accesses)
		g.k.Accesses = append(g.k.Accesses, v)
		g.accesses[v] = n
	}
	return n
}

// A place is the checked address of an access.
type place struct {
	space string // state space of the instructions: ".global", ".shared", ".local" or "" for generic
	addr  string // a register of 64 bits, or of 32 for loads and stores of local and private memory
	bad   string // predicate that is true if the access must take the slow path, "" if it never does
	ptr   string // the pointer's bits, if root is nil; else pointerOf computes them
	root  *root
	off   func() string // emits the offset
	align int64         // alignment of addr
	disp  int64         // bytes that instructions add to addr
}

// locate emits the check of an access of size bytes at pointer p; align is the alignment that its instructions
// need.
func (g *memory) locate(p *ssa.Value, size, align int64, write bool) place {
	if r := g.roots[p.ID]; r != nil {
		return g.locateRoot(r, p, size, align, write, nil)
	}
	return g.locateAny(g.raw(p, 0), size, align, write)
}

// An addressing emits the address of a pointer into a known object, without a part disp that instructions add.
type addressing func(r *root, p *ssa.Value) (addr string, disp int64)

// locateAccess is locate for a load or store of type t. In a fast copy of a block, accesses of a group share an address.
func (g *memory) locateAccess(v *ssa.Value, t ssa.Type, write bool) place {
	align := granted(v.Aux, t)
	if g.fast != nil {
		if x, ok := g.fast.places[v]; ok {
			return place{space: "." + x.group.root.space, addr: x.group.addr, root: x.group.root, align: align, disp: x.at - x.group.at}
		}
	}
	if g.fast != nil && g.fast.fours != nil {
		at, ok := g.fast.fours.placeOf(&g.emitter, v)
		if !ok {
			at = g.locateShort(v.Args[0], int64(t.Size()), align, write)
			g.fast.fours.at[v] = at
		}
		return at
	}
	return g.locateShort(v.Args[0], int64(t.Size()), align, write)
}

// locateShort is locate for an access whose instructions take addresses of 32 bits in local and private memory.
func (g *memory) locateShort(p *ssa.Value, size, align int64, write bool) place {
	if r := g.roots[p.ID]; r != nil && r.space != "global" {
		return g.locateRoot(r, p, size, align, write, g.shortAddress)
	}
	return g.locate(p, size, align, write)
}

// locateRoot is locate for a pointer into r. address emits the address; if it is nil, the address is a 64-bit sum.
func (g *memory) locateRoot(r *root, p *ssa.Value, size, align int64, write bool, address addressing) place {
	if !g.facts.inBounds(r, p, size, write) {
		if at, ok := g.locateIndex(r, p, size, align, write, address); ok {
			return at
		}
	}
	off := g.offset(p)
	if address == nil && off == "0" && r.size >= size && align <= r.align && !(write && r.kind == ssa.PtrConstant) {
		return place{"." + r.space, g.rootField(r, RootBase), "", "", r, func() string { return off }, align, 0}
	}
	in := g.facts.of(p)
	check := off
	if !in.within() && !g.skips() {
		check = g.masked(off)
	}
	bad := ""
	if !g.skips() && !g.facts.inBounds(r, p, size, write) {
		bad = g.set(pred, "setp.ge.u64", check, g.limitOf(r, Limit{Write: write, Wide: true, Size: size, Scale: 1}))
	}
	var addr string
	var disp int64
	if address != nil {
		addr, disp = address(r, p)
	} else if addr = g.rootField(r, RootBase); off != "0" {
		addr = g.set(b64, "add.s64", addr, check)
	}
	if have := min(r.align, int64(1)<<min(g.facts.zeros[p.ID], 7)); have < align {
		from := addr
		switch {
		case r.align >= align:
			from = g.set(b64, "mov.b64", off)
		case address != nil:
			from = g.set(b64, "cvt.u64.u32", g.set(b32, "add.s32", addr, fmt.Sprint(disp)))
		}
		low := g.set(b64, "and.b64", from, fmt.Sprint(align-1))
		if bad == "" {
			bad = g.set(pred, "setp.ne.u64", low, "0")
		} else {
			d := g.reg(pred)
			g.emit("setp.ne.or.u64 %s, %s, 0, %s", d, low, bad)
			bad = d
		}
	}
	return place{"." + r.space, addr, bad, "", r, func() string { return off }, align, disp}
}

// locateAny emits the check of an access through a pointer whose object is not known.
func (g *memory) locateAny(ptr string, size, align int64, write bool) place {
	no, on := g.label("U"), g.label("V")
	addr, bad := g.reg(b64), g.reg(pred)
	wide := g.set(b64, "shr.u64", ptr, fmt.Sprint(ssa.ObjectShift))
	n := g.set(b32, "cvt.u32.u64", wide)
	g.emit("setp.ge.u32 %s, %s, %s", bad, n, g.head(b32, HeadNumObjects))
	g.emit("mov.b64 %s, 0", addr)
	g.emit("@%s bra %s", bad, on)
	entry := g.reg(b64)
	g.emit("mad.wide.u32 %s, %s, %d, %s", entry, n, ObjectEntry, g.head(b64, HeadObjects))
	base, length := g.reg(b64), g.reg(b64)
	if write {
		g.emit("ld.global.u64 %s, [%s]", base, entry)
		g.emit("ld.global.u64 %s, [%s+%d]", length, entry, ObjectWrites)
	} else {
		g.emit("ld.global.v2.u64 {%s, %s}, [%s]", base, length, entry)
	}
	space := g.reg(b32)
	g.emit("ld.global.u32 %s, [%s+%d]", space, entry, ObjectSpace)
	off := g.masked(ptr)
	end := g.set(b64, "add.s64", off, fmt.Sprint(size))
	g.emit("setp.gt.u64 %s, %s, %s", bad, end, length)
	g.emit("add.s64 %s, %s, %s", addr, base, off)
	g.emit("@%s bra %s", g.set(pred, "setp.eq.u32", space, fmt.Sprint(SpaceGlobal)), no)
	more := g.set(b64, "selp.b64", g.sharedWindow(), g.privateWindow(), g.set(pred, "setp.eq.u32", space, fmt.Sprint(SpaceLocal)))
	g.emit("add.s64 %s, %s, %s", addr, addr, more)
	g.mark(no)
	if align > 1 {
		low := g.set(b64, "and.b64", addr, fmt.Sprint(align-1))
		g.emit("setp.ne.or.u64 %s, %s, 0, %s", bad, low, bad)
	}
	g.mark(on)
	return place{"", addr, bad, ptr, nil, nil, align, 0}
}

// sharedWindow returns the generic address of the block's shared memory.
func (g *memory) sharedWindow() string {
	return g.once("shared", func() string {
		return g.set(b64, "cvta.shared.u64", g.set(b64, "mov.u64", "pcl_shared"))
	})
}

// privateWindow returns the generic address of the work-item's private memory.
func (g *memory) privateWindow() string {
	if g.k.Private == 0 {
		return "0"
	}
	return g.once("local", func() string {
		return g.set(b64, "cvta.local.u64", g.set(b64, "mov.u64", "pcl_private"))
	})
}

// pointerOf emits the bits of the pointer of an access.
func (g *memory) pointerOf(at *place) string {
	if at.root == nil {
		return at.ptr
	}
	// Fields that only slow paths need are loaded there, and keep no register.
	var first string
	if at.root.block >= 0 {
		first = g.loadHead(b64, at.root.block+RootPtr)
	} else {
		n := g.set(b32, "sub.u32", g.loadHead(b32, HeadNumObjects), fmt.Sprint(len(g.k.Allocas)-at.root.index))
		first = g.set(b64, "shl.b64", g.set(b64, "cvt.u64.u32", n), fmt.Sprint(ssa.ObjectShift))
	}
	off := at.off()
	if off == "0" {
		return first
	}
	return g.set(b64, "or.b64", first, g.masked(off))
}

// call emits, on a slow path, a call of a function of runtimeText with the operands at their offsets in the frame. The
// operands are stored in the order of these offsets.
func (g *memory) call(name string, operands map[int]any) {
	g.slowFrame = true
	g.called[name] = true
	put := func(typ string, off int, x any) {
		s := fmt.Sprint(x)
		if !strings.HasPrefix(s, "%") {
			c := b64
			if typ == "u32" {
				c = b32
			}
			s = g.set(c, "mov."+classTypes[c], s)
		}
		g.emit("st.local.%s [pcl_frame+%d], %s", typ, off, s)
	}
	put("u64", frameHead, g.set(b64, "cvta.param.u64", g.set(b64, "mov.u64", "block")))
	if g.k.Private > 0 {
		put("u64", framePrivate, g.set(b64, "cvta.local.u64", g.set(b64, "mov.u64", "pcl_private")))
	}
	for _, off := range slices.Sorted(maps.Keys(operands)) {
		typ := "u64"
		if off >= frameMode && off < frameLen {
			typ = "u32"
		}
		put(typ, off, operands[off])
	}
	g.emit("call.uni %s, (%s)", name, g.set(b32, "mov.u32", "pcl_frame"))
}

// callAccess emits a call of pcl_access for an access of size bytes.
func (g *memory) callAccess(mode int, v *ssa.Value, ptr string, size int64) {
	g.modes |= 1 << mode
	g.call("pcl_access", map[int]any{framePtr: ptr, frameMode: mode, frameAccess: g.access(v), frameBytes: size})
}

// callRecord emits a call that records a finding with the coordinates or pointer yz and x.
func (g *memory) callRecord(v *ssa.Value, bad int, yz, x string) {
	g.modes |= 1 << modeRecord
	g.call("pcl_access", map[int]any{framePtr: yz, frameMode: modeRecord, frameAccess: g.access(v)*NumBad + bad, frameX: x})
}

// memType returns the type of loads and stores of elements of kind k, whose registers hold them as values do.
func memType(k ssa.Kind) string {
	switch {
	case k == ssa.F16:
		return "b16"
	case k.IsPtr() || k == ssa.Handle:
		return "u64"
	case k == ssa.Bool:
		return "u8"
	}
	n := k.Num()
	switch {
	case n.IsFloat():
		return fmt.Sprint("f", n.Bits())
	case n.Signed():
		return fmt.Sprint("s", n.Bits())
	}
	return fmt.Sprint("u", n.Bits())
}

// A chunk is the part of an access done by one instruction: n elements, from element at on.
type chunk struct{ at, n int }

// chunks splits an access to a vector of n elements of size bytes, at an address of alignment align.
func chunks(n, size int, align int64) (list []chunk) {
	for at := 0; at < n; {
		k := 1
		for _, try := range []int{4, 2} {
			if at+try <= n && try*size <= 16 && int64(try*size) <= align && at%try == 0 {
				k = try
				break
			}
		}
		list = append(list, chunk{at, k})
		at += k
	}
	return list
}

// granted returns the alignment that the instructions of an access rely on: the promised one, up to the access's
// size.
func granted(aux int64, t ssa.Type) int64 {
	size := int64(t.K.Num().Size())
	align := aux & -aux
	if aux <= 0 || align < size {
		align = size
	}
	most := int64(16)
	for most > size && int64(t.N)*size < most {
		most /= 2
	}
	return max(size, min(align, most))
}

// operands writes a list of registers as an operand.
func operands(regs []string) string {
	if len(regs) == 1 {
		return regs[0]
	}
	return "{" + strings.Join(regs, ", ") + "}"
}

func vecSuffix(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprint(".v", n)
}

// load emits an OpLoad.
func (g *memory) load(v *ssa.Value) {
	t := v.Type
	size := t.K.Num().Size()
	at := g.locateAccess(v, t, false)
	c, typ := classOf(t.K), memType(t.K)
	if c == pred {
		c = b32
	}
	regs := make([]string, t.N)
	for i := range regs {
		regs[i] = g.reg(c)
	}
	volatile := ""
	if v.Flags&ssa.Volatile != 0 && at.space != ".local" {
		volatile = ".volatile"
	}
	guard := ""
	if at.bad != "" {
		guard = "@!" + at.bad + " "
	}
	for _, k := range chunks(int(t.N), size, at.align) {
		g.loadChunk(fmt.Sprint(guard, "ld", volatile, at.space), typ, regs[k.at:k.at+k.n], fmt.Sprintf("[%s+%d]", at.addr, at.disp+int64(k.at*size)))
	}
	if at.bad != "" {
		g.begun = append(g.begun, begunLoad{v, func() {
			on := g.guard(&at, func() {
				g.callAccess(modeLoad, v, g.pointerOf(&at), int64(t.Size()))
				for i, r := range regs {
					g.emit("ld.local.%s %s, [pcl_frame+%d]", typ, r, frameData+i*size)
				}
			})
			g.mark(on)
		}})
	}
	if t.K == ssa.Bool {
		g.finishLoads()
		g.each(v, func(i int) string { return g.set(pred, "setp.ne.u32", regs[i], "0") })
		return
	}
	g.put(v, regs...)
}

// A begunLoad is a load whose instructions are emitted, without the branch to its slow path.
type begunLoad struct {
	v      *ssa.Value
	finish func()
}

// finishLoads emits the branches to the slow paths of the loads that have begun. Branches between loads would keep the
// assembler from starting the next load before the check of the one before.
func (g *memory) finishLoads() {
	list := g.begun
	g.begun = nil
	for i := range list {
		list[i].finish()
	}
}

// finishBefore emits the branches that must stand before v: if v uses a load that has begun, or does more than
// computing or loading.
func (g *memory) finishBefore(v *ssa.Value) {
	if len(g.begun) == 0 {
		return
	}
	uses := func(l begunLoad) bool { return slices.Contains(v.Args, l.v) }
	if !v.Op.Has(ssa.Pure) && v.Op != ssa.OpLoad || v.Flags&ssa.Volatile != 0 || slices.ContainsFunc(g.begun, uses) {
		g.finishLoads()
	}
}

// loadChunk emits an instruction that loads adjacent elements. Bytes are loaded as one word and permuted: of ld.v4.u8
// and cvt.f32.u32 NVIDIA's assembler makes a conversion of bytes, which is slow, and of ld.v4.s8 or bfe.s32 one that takes
// the bytes' signs (11.8, 13.0).
func (g *memory) loadChunk(op, typ string, regs []string, from string) {
	if len(regs) == 1 || typ != "s8" && typ != "u8" {
		g.emit("%s%s.%s %s, %s", op, vecSuffix(len(regs)), typ, operands(regs), from)
		return
	}
	word := g.reg(b32)
	g.emit("%s.u%d %s, %s", op, 8*len(regs), word, from)
	for i, r := range regs {
		if typ == "s8" {
			g.emit("prmt.b32 %s, %s, 0, 0x%[3]x%[3]x%[3]x%[4]x", r, word, 8+i, i)
		} else {
			g.emit("prmt.b32 %s, %s, 0, 0x444%x", r, word, i)
		}
	}
}

// stored returns the registers that hold a value for a store.
func (g *memory) stored(x *ssa.Value) []string {
	regs := make([]string, x.Type.N)
	for i := range regs {
		e := g.elem(x, i)
		if x.Type.K == ssa.Bool {
			e = g.set(b32, "selp.u32", "1", "0", e)
		}
		if !strings.HasPrefix(e, "%") {
			c := classOf(x.Type.K)
			e = g.set(c, "mov."+classTypes[c], e)
		}
		regs[i] = e
	}
	return regs
}

// store emits an OpStore.
func (g *memory) store(v *ssa.Value) {
	x := v.Args[1]
	t := x.Type
	size := t.K.Num().Size()
	regs := g.stored(x)
	typ := memType(t.K)
	at := g.locateAccess(v, t, true)
	volatile := ""
	if v.Flags&ssa.Volatile != 0 && at.space != ".local" {
		volatile = ".volatile"
	}
	on := ""
	if at.bad != "" {
		off := g.label("S")
		on = g.label("R")
		g.emit("@%s bra %s", at.bad, off)
		g.at(&g.slow, func() {
			g.mark(off)
			for i, r := range regs {
				g.emit("st.local.%s [pcl_frame+%d], %s", typ, frameData+i*size, r)
			}
			g.callAccess(modeStore, v, g.pointerOf(&at), int64(t.Size()))
			g.emit("bra %s", on)
		})
	}
	for _, k := range chunks(int(t.N), size, at.align) {
		g.emit("st%s%s%s.%s [%s+%d], %s", volatile, at.space, vecSuffix(k.n), typ, at.addr, at.disp+int64(k.at*size), operands(regs[k.at:k.at+k.n]))
	}
	if on != "" {
		g.mark(on)
	}
}

// maxInline is the greatest number of units of a memzero or memcopy that is emitted without a loop.
const maxInline = 16

// memZero emits an OpMemZero.
func (g *memory) memZero(v *ssa.Value) {
	unit := g.unit(v.Aux, v.Args[0])
	at := g.locate(v.Args[0], v.Aux, unit, true)
	on := g.guard(&at, func() {
		g.callAccess(modeZero, v, g.pointerOf(&at), v.Aux)
	})
	g.blocks(v.Aux, unit, func(off string) {
		if unit == 8 {
			g.emit("st%s.u64 [%s], %s", at.space, g.moved(at.addr, off), g.set(b64, "mov.b64", "0"))
		} else {
			g.emit("st%s.u%d [%s], %s", at.space, 8*unit, g.moved(at.addr, off), g.set(b32, "mov.b32", "0"))
		}
	})
	g.mark(on)
}

// memCopy emits an OpMemCopy.
func (g *memory) memCopy(v *ssa.Value) {
	unit := min(g.unit(v.Aux, v.Args[0]), g.unit(v.Aux, v.Args[1]))
	from := g.locate(v.Args[1], v.Aux, unit, false)
	to := g.locate(v.Args[0], v.Aux, unit, true)
	both := to
	switch {
	case from.bad != "" && to.bad != "":
		both.bad = g.set(pred, "or.pred", from.bad, to.bad)
	case from.bad != "":
		both.bad = from.bad
	}
	if v.Aux/unit > maxInline { // on overlap, pcl_copy copies from the end backwards
		ahead := g.set(b64, "sub.s64", to.addr, from.addr)
		d := g.set(pred, "setp.lt.u64", ahead, fmt.Sprint(v.Aux))
		if both.bad != "" {
			d = g.set(pred, "or.pred", d, both.bad)
		}
		both.bad = d
	}
	on := g.guard(&both, func() {
		src, dst := g.pointerOf(&from), g.pointerOf(&to)
		g.callAccess(modeRead, v, src, v.Aux)
		g.callAccess(modeWrite, v, dst, v.Aux)
		g.call("pcl_copy", map[int]any{framePtr: dst, frameFrom: src, frameBytes: v.Aux})
	})
	c := b32
	if unit == 8 {
		c = b64
	}
	// Source and destination may overlap: short copies load everything before they store.
	var regs []string
	if v.Aux/unit <= maxInline {
		for off := int64(0); off < v.Aux; off += unit {
			r := g.reg(c)
			g.emit("ld%s.u%d %s, [%s+%d]", from.space, 8*unit, r, from.addr, off)
			regs = append(regs, r)
		}
		for i, r := range regs {
			g.emit("st%s.u%d [%s+%d], %s", to.space, 8*unit, to.addr, int64(i)*unit, r)
		}
	} else {
		g.blocks(v.Aux, unit, func(off string) {
			r := g.reg(c)
			g.emit("ld%s.u%d %s, [%s]", from.space, 8*unit, r, g.moved(from.addr, off))
			g.emit("st%s.u%d [%s], %s", to.space, 8*unit, g.moved(to.addr, off), r)
		})
	}
	g.mark(on)
}

// moved returns the operand for address addr plus off.
func (g *memory) moved(addr, off string) string {
	if strings.HasPrefix(off, "%") {
		return g.set(b64, "add.s64", addr, off)
	}
	return addr + "+" + off
}

// guard emits the branch to a slow path. The caller marks the returned label after the fast path.
func (g *memory) guard(at *place, slow func()) (on string) {
	on = g.label("R")
	if at.bad == "" {
		return on
	}
	off := g.label("S")
	g.emit("@%s bra %s", at.bad, off)
	g.at(&g.slow, func() {
		g.mark(off)
		slow()
		g.emit("bra %s", on)
	})
	return on
}

// unit returns the size of the accesses that copy or clear n bytes at p.
func (g *memory) unit(n int64, p *ssa.Value) int64 {
	align := int64(1)
	if r := g.roots[p.ID]; r != nil {
		align = min(r.align, int64(1)<<min(g.facts.zeros[p.ID], 7))
	}
	return min(8, align, n&-n)
}

// blocks calls do for each unit of n bytes: with numbers as offsets, or once in a loop, with a register.
func (g *memory) blocks(n, unit int64, do func(off string)) {
	if n/unit <= maxInline {
		for off := int64(0); off < n; off += unit {
			do(fmt.Sprint(off))
		}
		return
	}
	i, again := g.reg(b64), g.label("C")
	g.emit("mov.b64 %s, 0", i)
	g.mark(again)
	do(i)
	g.emit("add.s64 %s, %s, %d", i, i, unit)
	g.emit("@%s bra %s", g.set(pred, "setp.lt.u64", i, fmt.Sprint(n)), again)
}

// clearShared clears the block's shared memory.
func (g *memory) clearShared() {
	tid, size := g.thread(), g.threads()
	at := g.set(b32, "shl.b32", tid, "4")
	step := g.set(b32, "shl.b32", size, "4")
	end := g.loadHead(b32, HeadZero)
	base := g.set(b32, "mov.u32", "pcl_shared")
	zero := g.set(b32, "mov.b32", "0")
	again, done := g.label("C"), g.label("R")
	g.mark(again)
	g.emit("@%s bra %s", g.set(pred, "setp.ge.u32", at, end), done)
	g.emit("st.shared.v4.u32 [%s], {%s, %s, %s, %s}", g.set(b32, "add.u32", base, at), zero, zero, zero, zero)
	g.emit("add.u32 %s, %s, %s", at, at, step)
	g.emit("bra %s", again)
	g.mark(done)
	if !g.clearsLate {
		g.emit("bar.sync 0")
	}
}

// needsCleared reports whether the work-items must have waited for cleared local memory before v: it may access local
// memory, or lets work-items part or end. roots are the generator's.
func needsCleared(roots []*root, v *ssa.Value) bool {
	if v.Op.Has(ssa.Terminator) || v.Op.Has(ssa.Convergent) {
		return true
	}
	if !v.Op.Has(ssa.Reads) && !v.Op.Has(ssa.Writes) && !v.Op.Has(ssa.SideEffect) {
		return false
	}
	if v.Op != ssa.OpLoad && v.Op != ssa.OpStore {
		return true
	}
	r := roots[v.Args[0].ID]
	return r == nil || r.space == "shared"
}

// clearPrivate clears the work-item's private memory.
func (g *memory) clearPrivate() {
	g.k.Private = (g.k.Private + 15) &^ 15
	base := g.set(b64, "mov.u64", "pcl_private")
	zero := g.set(b32, "mov.b32", "0")
	g.blocks(g.k.Private, 16, func(off string) {
		g.emit("st.local.v4.u32 [%s], {%s, %s, %s, %s}", g.moved(base, off), zero, zero, zero, zero)
	})
}

// skips reports whether the access being emitted has no check.
func (g *memory) skips() bool {
	return g.opts.Unchecked || g.facts.assumed[g.now] || g.fast != nil && g.fast.skips[g.now]
}

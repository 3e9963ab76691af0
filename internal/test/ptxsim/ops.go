package ptxsim

import (
	"math"
	"math/bits"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// signed returns the bits of an integer, sign-extended if its type is signed.
func signed(typ string, x uint64) int64 {
	w := bitsOf(typ)
	if typ[0] != 's' {
		return int64(x << (64 - w) >> (64 - w))
	}
	return int64(x<<(64-w)) >> (64 - w)
}

// instruction returns the function that executes an instruction, nil if it does not exist.
func (d *decoder) instruction(in *inst) func(t *thread) {
	switch d.op[0] {
	case "bra":
		return d.branch()
	case "exit":
		return func(t *thread) { t.state = exited }
	case "call":
		return d.call()
	case "ret":
		return func(t *thread) {
			f := t.calls[len(t.calls)-1]
			t.calls = t.calls[:len(t.calls)-1]
			for i, r := range f.rets {
				f.regs[r] = t.regs[t.fn.rets[i]]
			}
			t.fn, t.pc, t.regs = f.fn, f.pc, f.regs
		}
	case "bar", "barrier", "vote", "shfl":
		return d.meeting(in)
	case "fence":
		return func(*thread) {}
	case "ld", "st":
		return d.memory()
	case "atom", "red":
		return d.atomic()
	case "setp":
		return d.compare()
	case "selp":
		typ := d.last()
		set, a, b, c := d.result(d.args[0], bitsOf(typ)), d.value(d.args[1], typ), d.value(d.args[2], typ), d.value(d.args[3], "pred")
		return func(t *thread) {
			if c(t) != 0 {
				set(t, a(t))
			} else {
				set(t, b(t))
			}
		}
	case "cvt":
		return d.conversion()
	case "cvta":
		window := map[space]uint64{sharedSpace: sharedWindow, localSpace: localWindow, paramSpace: paramWindow}[d.space()]
		set, a := d.result(d.args[0], 64), d.value(d.args[1], "u64")
		return func(t *thread) { set(t, a(t)|window) }
	case "isspacep":
		set, a := d.result(d.args[0], 1), d.value(d.args[1], "u64")
		return func(t *thread) { set(t, truth(a(t)&windowMask == localWindow)) }
	}
	return d.arithmetic()
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (d *decoder) branch() func(t *thread) {
	to, ok := d.fn.labels[d.args[0]]
	if !ok {
		fail("no label %s", d.args[0])
	}
	return func(t *thread) { t.pc = to }
}

func (d *decoder) call() func(t *thread) {
	args := d.args
	var rets []int
	if strings.HasPrefix(args[0], "(") {
		for _, r := range splitArgs(strings.TrimSuffix(args[0][1:], ")")) {
			rets = append(rets, d.register(r))
		}
		args = args[1:]
	}
	fn := d.mod.funcs[args[0]]
	if fn == nil {
		fail("no function %s", args[0])
	}
	var vals []operand
	for i, a := range splitArgs(strings.TrimSuffix(args[1][1:], ")")) {
		vals = append(vals, d.value(a, map[uint8]string{32: "b32", 64: "b64"}[fn.widths[fn.params[i]]]))
	}
	if len(vals) != len(fn.params) || len(rets) != len(fn.rets) {
		fail("call of %s with %d arguments and %d results", fn.name, len(vals), len(rets))
	}
	return func(t *thread) {
		regs := make([]uint64, fn.regs)
		for i, v := range vals {
			regs[fn.params[i]] = v(t)
		}
		t.calls = append(t.calls, frame{t.fn, t.pc, t.regs, rets})
		t.fn, t.pc, t.regs = fn, 0, regs
	}
}

// meeting decodes barriers and warp-wide instructions.
func (d *decoder) meeting(in *inst) func(t *thread) {
	if d.op[0] == "barrier" && d.op[1] == "red" && d.op[2] == "or" {
		set, p := d.result(d.args[0], 1), d.value(d.args[2], "pred")
		in.set = set
		return func(t *thread) { t.arg, t.state = p(t), atBarrier }
	}
	if d.op[0] != "vote" && d.op[0] != "shfl" && d.op[1] != "warp" {
		return func(t *thread) { t.state = atBarrier }
	}
	mask := d.value(d.args[len(d.args)-1], "b32")
	wait := func(t *thread) { t.mask, t.state = uint32(mask(t)), atWarp }
	switch d.op[0] {
	case "bar":
		in.meet = func([]thread, uint32) {}
		return wait
	case "vote":
		set, p := d.result(d.args[0], 32), d.value(d.args[1], "pred")
		in.meet = func(warp []thread, mask uint32) {
			all := uint64(0)
			for k := range warp {
				if mask>>k&1 != 0 && warp[k].state == atWarp && warp[k].arg != 0 {
					all |= 1 << k
				}
			}
			for k := range warp {
				if mask>>k&1 != 0 && warp[k].state == atWarp {
					set(&warp[k], all)
				}
			}
		}
		return func(t *thread) {
			t.arg = p(t)
			wait(t)
		}
	}
	set, x, lane := d.result(d.args[0], 32), d.value(d.args[1], "b32"), d.value(d.args[2], "b32")
	in.meet = func(warp []thread, mask uint32) {
		for k := range warp {
			if t := &warp[k]; mask>>k&1 != 0 && t.state == atWarp {
				from := int(t.arg2)
				if from >= len(warp) || mask>>from&1 == 0 {
					fail("shuffle from lane %d, which is not in the mask %#x", from, mask)
				}
				set(t, warp[from].arg)
			}
		}
	}
	return func(t *thread) {
		t.arg, t.arg2 = x(t), lane(t)&31
		wait(t)
	}
}

// memory decodes loads and stores.
func (d *decoder) memory() func(t *thread) {
	typ, sp := d.last(), d.space()
	size := int(bitsOf(typ)) / 8
	if d.op[0] == "ld" {
		var sets []func(t *thread, x uint64)
		for _, r := range list(d.args[0]) {
			sets = append(sets, d.result(r, uint8(8*size)))
		}
		if typ == "s8" && len(sets) > 1 {
			fail("%s, whose elements NVIDIA's assembler converts to floats as numbers with a sign also where the conversion has none", strings.Join(d.op, "."))
		}
		at := d.address(d.args[1])
		word := d.has("volatile") && size == 4
		return func(t *thread) {
			b := t.bytes(sp, at(t), size*len(sets))
			if word {
				sets[0](t, uint64(atomic.LoadUint32((*uint32)(unsafe.Pointer(&b[0])))))
				return
			}
			for i, set := range sets {
				set(t, uint64(signed(typ, numeric.Load(b[i*size:], size))))
			}
		}
	}
	if sp == paramSpace {
		return nil
	}
	at := d.address(d.args[0])
	var vals []operand
	for _, r := range list(d.args[1]) {
		vals = append(vals, d.value(r, typ))
	}
	return func(t *thread) {
		b := t.bytes(sp, at(t), size*len(vals))
		for i, v := range vals {
			numeric.Store(b[i*size:], size, v(t))
		}
	}
}

// atomic decodes atomic operations: one thread runs at a time.
func (d *decoder) atomic() func(t *thread) {
	typ, op, sp := d.last(), d.op[len(d.op)-2], d.space()
	size := int(bitsOf(typ)) / 8
	args := d.args
	set := func(*thread, uint64) {}
	if d.op[0] == "atom" {
		set = d.result(args[0], uint8(8*size))
		args = args[1:]
	}
	at, a := d.address(args[0]), d.value(args[1], typ)
	var b operand
	var f func(old, x uint64) uint64
	switch op {
	case "exch":
		f = func(_, x uint64) uint64 { return x }
	case "add":
		f = func(old, x uint64) uint64 { return old + x }
		if typ == "f64" {
			nan := d.canonical(typ)
			f = func(old, x uint64) uint64 {
				return nan(math.Float64bits(numeric.Add(math.Float64frombits(old), math.Float64frombits(x))))
			}
		}
	case "and":
		f = func(old, x uint64) uint64 { return old & x }
	case "or":
		f = func(old, x uint64) uint64 { return old | x }
	case "xor":
		f = func(old, x uint64) uint64 { return old ^ x }
	case "min", "max":
		f = func(old, x uint64) uint64 {
			if less(typ, x, old) == (op == "min") {
				return x
			}
			return old
		}
	case "cas":
		b = d.value(args[2], typ)
	default:
		return nil
	}
	return func(t *thread) {
		mem := t.bytes(sp, at(t), size)
		old := numeric.Load(mem, size)
		if b != nil {
			if old == a(t) {
				numeric.Store(mem, size, b(t))
			}
		} else {
			numeric.Store(mem, size, f(old, a(t)))
		}
		set(t, old)
	}
}

func less(typ string, a, b uint64) bool {
	if typ[0] == 's' {
		return signed(typ, a) < signed(typ, b)
	}
	return a < b
}

func float(typ string, x uint64) float64 {
	switch typ {
	case "f16":
		return math.Float64frombits(numeric.ConvertBits(numeric.F64, false, 0, numeric.F16, x&0xffff))
	case "f32":
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}

// compare decodes setp.
func (d *decoder) compare() func(t *thread) {
	typ, op := d.last(), d.op[1]
	set, a, b := d.result(d.args[0], 1), d.value(d.args[1], typ), d.value(d.args[2], typ)
	w := bitsOf(typ)
	mask := ^uint64(0) >> (64 - w)
	var f func(x, y uint64) bool
	if typ[0] == 'f' {
		f = floatCompare(op, typ)
	} else {
		f = intCompare(op, typ)
	}
	if f == nil {
		return nil
	}
	switch {
	case len(d.op) == 3:
		return func(t *thread) { set(t, truth(f(a(t)&mask, b(t)&mask))) }
	case d.op[2] == "or":
		c := d.value(d.args[3], "pred")
		return func(t *thread) { set(t, truth(f(a(t)&mask, b(t)&mask))|c(t)) }
	case d.op[2] == "and":
		c := d.value(d.args[3], "pred")
		return func(t *thread) { set(t, truth(f(a(t)&mask, b(t)&mask))&c(t)) }
	}
	return nil
}

func intCompare(op, typ string) func(x, y uint64) bool {
	switch op {
	case "eq":
		return func(x, y uint64) bool { return x == y }
	case "ne":
		return func(x, y uint64) bool { return x != y }
	case "lt":
		return func(x, y uint64) bool { return less(typ, x, y) }
	case "le":
		return func(x, y uint64) bool { return !less(typ, y, x) }
	case "gt":
		return func(x, y uint64) bool { return less(typ, y, x) }
	case "ge":
		return func(x, y uint64) bool { return !less(typ, x, y) }
	}
	return nil
}

func floatCompare(op, typ string) func(x, y uint64) bool {
	f := func(g func(a, b float64) bool) func(x, y uint64) bool {
		return func(x, y uint64) bool { return g(float(typ, x), float(typ, y)) }
	}
	switch op {
	case "eq":
		return f(func(a, b float64) bool { return a == b })
	case "neu":
		return f(func(a, b float64) bool { return a != b })
	case "lt":
		return f(func(a, b float64) bool { return a < b })
	case "le":
		return f(func(a, b float64) bool { return a <= b })
	case "ge":
		return f(func(a, b float64) bool { return a >= b })
	case "nan":
		return f(func(a, b float64) bool { return a != a || b != b })
	case "num":
		return f(func(a, b float64) bool { return a == a && b == b })
	}
	return nil
}

// kind returns the numeric kind of a type.
func kind(typ string) numeric.Kind {
	for k := numeric.I8; k < numeric.NumKinds; k++ {
		name := "u"
		if k.IsFloat() {
			name = "f"
		} else if k.Signed() {
			name = "s"
		}
		if bitsOf(typ) == uint8(k.Bits()) && name == typ[:1] {
			return k
		}
	}
	fail("no numbers of type %s", typ)
	return 0
}

var rounds = map[string]numeric.Round{"rn": numeric.RTE, "rz": numeric.RTZ, "rm": numeric.RTN, "rp": numeric.RTP,
	"rni": numeric.RTE, "rzi": numeric.RTZ, "rmi": numeric.RTN, "rpi": numeric.RTP}

// conversion decodes cvt.
func (d *decoder) conversion() func(t *thread) {
	from, to := d.last(), d.op[len(d.op)-2]
	round := numeric.RoundDefault
	if len(d.op) == 4 {
		var ok bool
		if round, ok = rounds[d.op[1]]; !ok {
			return nil
		}
	}
	f, g := kind(from), kind(to)
	n := d.register(d.args[1])
	if w := d.fn.widths[n]; w < uint8(f.Bits()) || f.IsFloat() && w != uint8(f.Bits()) {
		fail("cvt of a register of %d bits as %s", w, from)
	}
	m := d.register(d.args[0])
	w := d.fn.widths[m]
	if w < uint8(g.Bits()) || g.IsFloat() && w != uint8(g.Bits()) {
		fail("cvt to a register of %d bits as %s", w, to)
	}
	if (g.IsFloat() && (!f.IsFloat() || f.Bits() > g.Bits()) || f.IsFloat() && !g.IsFloat()) != (len(d.op) == 4) && !(f == g && f.IsFloat()) {
		fail("cvt.%s.%s with or without rounding", to, from)
	}
	var do func(x uint64) uint64
	switch {
	case f.IsFloat() && g == f:
		do = func(x uint64) uint64 { return integral(f, round, x) }
	case f.IsFloat() && !g.IsFloat():
		do = func(x uint64) uint64 { return clamped(to, g, from, round, float(from, x)) }
	default:
		do = func(x uint64) uint64 { return numeric.ConvertBits(g, false, round, f, x) }
	}
	in, out := ^uint64(0)>>(64-f.Bits()), ^uint64(0)>>(64-w)
	nan := d.canonical(to)
	if x := d.mod.m.NaNs; x != nil && x.Widened && to == "f64" && f != g {
		nan = func(x uint64) uint64 { return x }
	}
	return func(t *thread) { t.regs[m] = uint64(signed(to, nan(do(t.regs[n]&in)))) & out }
}

// clamped is the hardware's conversion to an integer: it saturates. A NaN becomes 0 or, if one of the types has 64
// bits, the number with the highest bit set.
func clamped(to string, g numeric.Kind, from string, round numeric.Round, x float64) uint64 {
	if x != x {
		if g.Bits() == 64 || from == "f64" {
			return 1 << (g.Bits() - 1)
		}
		return 0
	}
	return numeric.ConvertBits(g, true, round, numeric.F64, math.Float64bits(x))
}

func integral(k numeric.Kind, round numeric.Round, x uint64) uint64 {
	switch k {
	case numeric.F16:
		h := numeric.Half(x)
		switch round {
		case numeric.RTN:
			return uint64(h.Floor())
		case numeric.RTP:
			return uint64(h.Ceil())
		case numeric.RTZ:
			return uint64(h.Trunc())
		}
		return uint64(h.Rint())
	case numeric.F32:
		return uint64(math.Float32bits(integralOf(round, math.Float32frombits(uint32(x)))))
	}
	return math.Float64bits(integralOf(round, math.Float64frombits(x)))
}

func integralOf[T numeric.Float](round numeric.Round, x T) T {
	switch round {
	case numeric.RTN:
		return numeric.Floor(x)
	case numeric.RTP:
		return numeric.Ceil(x)
	case numeric.RTZ:
		return numeric.Trunc(x)
	}
	return numeric.Rint(x)
}

// arithmetic decodes instructions that compute a register from operands of their type.
func (d *decoder) arithmetic() func(t *thread) {
	typ := d.last()
	name := strings.TrimSuffix(strings.Join(d.op, "."), "."+typ)
	w := bitsOf(typ)
	switch name {
	case "mov":
		set, a := d.result(d.args[0], w), d.value(d.args[1], typ)
		return func(t *thread) { set(t, a(t)) }
	case "mad.wide", "mul.wide":
		set, a, b := d.result(d.args[0], 64), d.value(d.args[1], typ), d.value(d.args[2], typ)
		c := func(*thread) uint64 { return 0 }
		if name == "mad.wide" {
			c = d.value(d.args[3], "u64")
		}
		return func(t *thread) { set(t, uint64(signed(typ, a(t))*signed(typ, b(t)))+c(t)) }
	case "popc", "clz":
		set, a := d.result(d.args[0], 32), d.value(d.args[1], typ)
		return func(t *thread) {
			x := a(t) & (^uint64(0) >> (64 - w))
			if name == "popc" {
				set(t, uint64(bits.OnesCount64(x)))
			} else {
				set(t, uint64(bits.LeadingZeros64(x)-int(64-w)))
			}
		}
	case "shl", "shr":
		set, a, n := d.result(d.args[0], w), d.value(d.args[1], typ), d.value(d.args[2], "u32")
		return func(t *thread) {
			x, k := a(t), min(n(t), 64)
			switch {
			case name == "shl":
				if k >= uint64(w) {
					x = 0
				}
				set(t, x<<k)
			case typ[0] == 's':
				set(t, uint64(signed(typ, x)>>min(k, uint64(w-1))))
			default:
				set(t, x&(^uint64(0)>>(64-w))>>k)
			}
		}
	case "dp4a.s32", "dp4a.u32":
		return d.dp4a(d.op[1], typ)
	}
	if typ[0] == 'f' {
		return d.floating(name, typ)
	}
	f := integerOp(name, typ)
	if f == nil {
		return nil
	}
	set := d.result(d.args[0], w)
	var vals [3]operand
	for i, a := range d.args[1:] {
		vals[i] = d.value(a, typ)
	}
	switch len(d.args) {
	case 2:
		return func(t *thread) { set(t, f(vals[0](t), 0, 0)) }
	case 3:
		return func(t *thread) { set(t, f(vals[0](t), vals[1](t), 0)) }
	}
	return func(t *thread) { set(t, f(vals[0](t), vals[1](t), vals[2](t))) }
}

func (d *decoder) dp4a(at, bt string) func(t *thread) {
	set, a, b, c := d.result(d.args[0], 32), d.value(d.args[1], "u32"), d.value(d.args[2], "u32"), d.value(d.args[3], "u32")
	return func(t *thread) {
		x, y, sum := a(t), b(t), c(t)
		for i := 0; i < 32; i += 8 {
			sum += uint64(signed(at[:1]+"8", x>>i&255) * signed(bt[:1]+"8", y>>i&255))
		}
		set(t, sum)
	}
}

func integerOp(name, typ string) func(a, b, c uint64) uint64 {
	s := func(x uint64) int64 { return signed(typ, x) }
	w := bitsOf(typ)
	mask := ^uint64(0) >> (64 - w)
	switch name {
	case "add":
		return func(a, b, _ uint64) uint64 { return a + b }
	case "sub":
		return func(a, b, _ uint64) uint64 { return a - b }
	case "neg":
		return func(a, _, _ uint64) uint64 { return -a }
	case "mul.lo":
		return func(a, b, _ uint64) uint64 { return a * b }
	case "mad.lo":
		return func(a, b, c uint64) uint64 { return a*b + c }
	case "mul.hi":
		return func(a, b, _ uint64) uint64 {
			if w == 32 {
				return uint64(s(a)*s(b)) >> 32
			}
			hi, _ := bits.Mul64(a, b)
			if typ[0] == 's' {
				hi -= uint64(int64(a)>>63)&b + uint64(int64(b)>>63)&a
			}
			return hi
		}
	case "div", "rem":
		return func(a, b, _ uint64) uint64 {
			if b&mask == 0 {
				fail("division by zero")
			}
			var q, r uint64
			if typ[0] == 's' {
				if s(b) == -1 {
					q = -a
				} else {
					q, r = uint64(s(a)/s(b)), uint64(s(a)%s(b))
				}
			} else {
				q, r = a&mask/(b&mask), a&mask%(b&mask)
			}
			if name == "div" {
				return q
			}
			return r
		}
	case "min":
		return func(a, b, _ uint64) uint64 {
			if less(typ, b&mask, a&mask) {
				return b
			}
			return a
		}
	case "max":
		return func(a, b, _ uint64) uint64 {
			if less(typ, a&mask, b&mask) {
				return b
			}
			return a
		}
	case "add.sat":
		return func(a, b, _ uint64) uint64 { return uint64(min(max(s(a)+s(b), math.MinInt32), math.MaxInt32)) }
	case "sub.sat":
		return func(a, b, _ uint64) uint64 { return uint64(min(max(s(a)-s(b), math.MinInt32), math.MaxInt32)) }
	}
	return bitOp(name, typ)
}

// bitOp returns the function of a bitwise operation, nil for another one.
func bitOp(name, typ string) func(a, b, c uint64) uint64 {
	w := bitsOf(typ)
	switch name {
	case "and":
		return func(a, b, _ uint64) uint64 { return a & b }
	case "or":
		return func(a, b, _ uint64) uint64 { return a | b }
	case "xor":
		return func(a, b, _ uint64) uint64 { return a ^ b }
	case "not":
		if typ == "pred" {
			return func(a, _, _ uint64) uint64 { return a ^ 1 }
		}
		return func(a, _, _ uint64) uint64 { return ^a }
	case "brev":
		return func(a, _, _ uint64) uint64 { return bits.Reverse64(a) >> (64 - w) }
	case "prmt":
		return permuted
	case "shf.l.wrap":
		return func(a, b, c uint64) uint64 { return (b<<32 | a) << (c & 31) >> 32 }
	}
	return nil
}

// floating decodes floating-point arithmetic, which must name its rounding mode.
func (d *decoder) floating(name, typ string) func(t *thread) {
	w := bitsOf(typ)
	set := d.result(d.args[0], w)
	var vals [3]operand
	for i := range 3 {
		vals[i] = func(*thread) uint64 { return 0 }
		if i+1 < len(d.args) {
			vals[i] = d.value(d.args[i+1], typ)
		}
	}
	nan := d.canonical(typ)
	do := func(f func(a, b, c uint64) uint64) func(t *thread) {
		return func(t *thread) { set(t, nan(f(vals[0](t), vals[1](t), vals[2](t)))) }
	}
	switch typ {
	case "f16":
		if f := halfOp(name); f != nil {
			return do(func(a, b, c uint64) uint64 {
				return uint64(f(numeric.Half(a), numeric.Half(b), numeric.Half(c)))
			})
		}
	case "f32":
		if f := floatOp[float32](name); f != nil {
			return do(func(a, b, c uint64) uint64 {
				x := func(u uint64) float32 { return math.Float32frombits(uint32(u)) }
				return uint64(math.Float32bits(f(x(a), x(b), x(c))))
			})
		}
	case "f64":
		if f := floatOp[float64](name); f != nil {
			return do(func(a, b, c uint64) uint64 {
				x := math.Float64frombits
				return math.Float64bits(f(x(a), x(b), x(c)))
			})
		}
	}
	return nil
}

// canonical returns the function that replaces NaNs in results of arithmetic.
func (d *decoder) canonical(typ string) func(x uint64) uint64 {
	n := d.mod.m.NaNs
	if n == nil {
		return func(x uint64) uint64 { return x }
	}
	one := func(nan, rest, inf uint64) func(x uint64) uint64 {
		return func(x uint64) uint64 {
			if x&rest > inf {
				return nan
			}
			return x
		}
	}
	switch typ {
	case "f16":
		return one(uint64(n.F16), 0x7fff, 0x7c00)
	case "f32":
		return one(uint64(n.F32), 0x7fffffff, 0x7f800000)
	case "f64":
		return one(n.F64, 1<<63-1, 0x7ff0000000000000)
	}
	return func(x uint64) uint64 { return x }
}

func floatOp[T numeric.Float](name string) func(a, b, c T) T {
	switch name {
	case "add.rn":
		return func(a, b, _ T) T { return numeric.Add(a, b) }
	case "sub.rn":
		return func(a, b, _ T) T { return numeric.Sub(a, b) }
	case "mul.rn":
		return func(a, b, _ T) T { return numeric.Mul(a, b) }
	case "div.rn", "div.full": // approximations are exact here
		return func(a, b, _ T) T { return numeric.Div(a, b) }
	case "rcp.rn", "rcp.approx":
		return func(a, _, _ T) T { return numeric.Div(1, a) }
	case "sqrt.rn", "sqrt.approx":
		return func(a, _, _ T) T { return numeric.Sqrt(a) }
	case "rsqrt.approx":
		return func(a, _, _ T) T { return numeric.Div(1, numeric.Sqrt(a)) }
	case "fma.rn":
		return func(a, b, c T) T { return numeric.FMA(a, b, c) }
	case "neg": // neg may return any NaN for a NaN
		return func(a, _, _ T) T {
			if a != a {
				return a
			}
			return numeric.Neg(a)
		}
	}
	return nil
}

func halfOp(name string) func(a, b, c numeric.Half) numeric.Half {
	switch name {
	case "add.rn":
		return func(a, b, _ numeric.Half) numeric.Half { return a.Add(b) }
	case "sub.rn":
		return func(a, b, _ numeric.Half) numeric.Half { return a.Sub(b) }
	case "mul.rn":
		return func(a, b, _ numeric.Half) numeric.Half { return a.Mul(b) }
	case "fma.rn":
		return func(a, b, c numeric.Half) numeric.Half { return a.FMA(b, c) }
	case "neg":
		return func(a, _, _ numeric.Half) numeric.Half {
			if !a.Eq(a) {
				return a
			}
			return a.Neg()
		}
	}
	return nil
}

// permuted picks four of the eight bytes of a and b. The selector's bit 3 of a byte repeats that byte's highest bit.
func permuted(a, b, selector uint64) (out uint64) {
	for i := range 4 {
		s := selector >> (4 * i) & 15
		x := (b<<32 | a) >> (8 * (s & 7)) & 0xff
		if s&8 != 0 {
			x = uint64(int64(int8(x))>>7) & 0xff
		}
		out |= x << (8 * i)
	}
	return out
}

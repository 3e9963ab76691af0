//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/purecl/purecl/internal/numeric"
	"github.com/purecl/purecl/internal/ssa"
)

// boundaries returns bits of kind k at which conversions change their ways.
func boundaries(k numeric.Kind) (out []uint64) {
	if k.IsFloat() {
		add := func(x float64) {
			b := numeric.ConvertBits(k, false, numeric.RTE, numeric.F64, math.Float64bits(x))
			out = append(out, b, b+1, b-1)
		}
		for _, e := range []int{-24, -14, -1, 0, 1, 7, 8, 10, 11, 15, 16, 23, 24, 31, 32, 52, 53, 63, 64, 65} {
			for _, d := range []float64{0, 0.5, -0.5, 1, -1, 1.5} {
				add(math.Ldexp(1, e) + d)
				add(-math.Ldexp(1, e) + d)
			}
		}
		for _, x := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 65504, 65519, 65520, 5e-324, 1e300, 3.4028235e38, math.MaxFloat64} {
			add(x)
		}
		n := uint(k.Bits())
		quiet := map[numeric.Kind]uint64{numeric.F16: 0x7e00, numeric.F32: 0x7fc00000, numeric.F64: 0x7ff8000000000000}[k]
		out = append(out, quiet, quiet|5, quiet|1<<(n-1), quiet&^(quiet&-quiet)|1, quiet&^(quiet&-quiet)|3|1<<(n-1))
	} else {
		for e := range k.Bits() {
			for _, d := range []uint64{0, 1, ^uint64(0), 1 << max(e-1, 0), 1 << max(e-11, 0), 1 << max(e-24, 0), 1 << max(e-25, 0), 3 << max(e-54, 0)} {
				out = append(out, 1<<e+d, -(1<<e + d))
			}
		}
	}
	for i := range out {
		out[i] &= ^uint64(0) >> (64 - k.Bits())
	}
	return out
}

// TestConversions compares every conversion on every level with package numeric.
func TestConversions(t *testing.T) {
	kinds := []ssa.Kind{ssa.I8, ssa.U8, ssa.I16, ssa.U16, ssa.I32, ssa.U32, ssa.I64, ssa.U64, ssa.F16, ssa.F32, ssa.F64}
	for _, sk := range kinds {
		bits := boundaries(sk.Num())
		ss := sk.Num().Size()
		src := make(buf, len(bits)*ss)
		for i, b := range bits {
			var w [8]byte
			binary.LittleEndian.PutUint64(w[:], b)
			copy(src[i*ss:(i+1)*ss], w[:])
		}
		for _, dk := range kinds {
			ds := dk.Num().Size()
			// One kernel does all modes: results one array after the other.
			m := &ssa.Module{}
			f := m.NewFunc("k", ssa.TVoid)
			b := ssa.Builder{F: f, B: f.NewBlock("")}
			ptr := ssa.Scalar(ssa.PtrGlobal)
			f.Params = []*ssa.Value{b.Aux(ssa.OpParam, ptr, 0), b.Aux(ssa.OpParam, ptr, 1)}
			f.Kernel = &ssa.Kernel{Args: []ssa.KernelArg{{Kind: ssa.ArgGlobal}, {Kind: ssa.ArgGlobal}}}
			gid := b.Value(ssa.OpBitcast, ssa.TI64, b.Aux(ssa.OpWorkItem, ssa.TU64, int64(ssa.GlobalID), b.Const(ssa.TU32, 0)))
			at := func(p *ssa.Value, size, off int) *ssa.Value {
				o := b.Value(ssa.OpMul, ssa.TI64, gid, b.Const(ssa.TI64, uint64(size)))
				return b.Value(ssa.OpPtrAdd, ptr, b.Value(ssa.OpPtrAdd, ptr, p, o), b.Const(ssa.TI64, uint64(off)))
			}
			x := b.Load(ssa.Scalar(sk), at(f.Params[0], ss, 0), 1)
			var want []byte
			n := 0
			for _, sat := range []bool{false, true} {
				if sat && dk.Num().IsFloat() {
					continue
				}
				for r := range numeric.NumRounds {
					b.Store(at(f.Params[1], ds, n*len(bits)*ds), b.Convert(x, dk, sat, numeric.Round(r)), 1)
					n++
					for _, s := range bits {
						var w [8]byte
						binary.LittleEndian.PutUint64(w[:], numeric.ConvertBits(dk.Num(), sat, numeric.Round(r), sk.Num(), s))
						want = append(want, w[:ds]...)
					}
				}
			}
			b.Return(nil)
			for _, lv := range levels() {
				if _, err := Compile(f, lv); err != nil {
					t.Errorf("%v to %v %s: %v", sk, dk, lv.Name, err)
					continue
				}
				got, msg := run(t, m, "k", ForLevel(lv), []uint64{uint64(len(bits))}, nil, []any{src, make(buf, len(want))})
				if msg != "" {
					t.Fatal(msg)
				}
				for i := 0; i < len(want); i += ds {
					if string(got[1][i:i+ds]) != string(want[i:i+ds]) {
						e := i / ds
						t.Errorf("%s: convert number %d of %v to %v: %#x gives % x, want % x", lv.Name, e/len(bits), sk, dk, bits[e%len(bits)], got[1][i:i+ds], want[i:i+ds])
						break
					}
				}
			}
		}
	}
}

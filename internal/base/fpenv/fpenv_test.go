//go:build amd64

package fpenv

import (
	"math"
	"runtime"
	"testing"
)

//go:noinline
func div(a, b float64) float64 { return a / b }

//go:noinline
func half(a float32) float32 { return a / 2 }

// TestEnter checks, in a thread that flushes subnormals and rounds up, that Enter sets IEEE 754's default and Leave
// restores the old environment.
func TestEnter(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	old := get()
	defer set(old)
	const strange = 0x8000 | 0x4000 | 0x0040 | 0x1f80 // FZ, round up, DAZ
	third := func() float64 { return div(1, 3) }
	want := math.Float64frombits(0x3fd5555555555555) // 1/3 to nearest
	set(strange)
	if third() == want || half(math.Float32frombits(0x00800000)) != 0 {
		t.Error("the strange environment makes no difference")
	}
	func() {
		defer Enter().Leave()
		defer Enter().Leave()
		if third() != want {
			t.Errorf("1/3 = %x", math.Float64bits(third()))
		}
		if x := half(math.Float32frombits(0x00800000)); math.Float32bits(x) != 0x00400000 {
			t.Errorf("0x1p-126/2 = %x", math.Float32bits(x))
		}
	}()
	func() {
		defer EnterFlushing().Leave()
		if third() != want || half(math.Float32frombits(0x00800000)) != 0 {
			t.Error("EnterFlushing keeps subnormals, or does not round to nearest")
		}
		func() {
			defer Enter().Leave()
			if half(math.Float32frombits(0x00800000)) == 0 {
				t.Error("Enter in EnterFlushing flushes subnormals")
			}
		}()
		if half(math.Float32frombits(0x00800000)) != 0 {
			t.Error("subnormals are kept after an Enter in EnterFlushing")
		}
	}()
	if got := get(); got&control != strange {
		t.Errorf("the environment is %#x afterwards, not %#x", got, strange)
	}
}

func BenchmarkEnter(b *testing.B) {
	for b.Loop() {
		Enter().Leave()
	}
}

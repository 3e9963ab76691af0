package ptxsim

import (
	"errors"
	"github.com/purecl/purecl/internal/ir/numeric"
	"strings"
	"testing"
)

const head = ".version 7.7\n.target sm_70\n.address_size 64\n.visible .entry k(.param .align 16 .b8 block[16])\n{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\n"

// TestTraps runs instructions that trap on a GPU.
func TestTraps(t *testing.T) {
	for body, want := range map[string]string{
		"ld.param.u64 %d0, [block];\nst.global.u32 [%d0+60], %r0;\nexit;":                                                           "",
		"ld.param.u64 %d0, [block];\nst.global.u32 [%d0+64], %r0;\nexit;":                                                           "behind the 64 of an allocation",
		"ld.param.u64 %d0, [block];\nld.global.u32 %r0, [%d0+2];\nexit;":                                                            "is not a multiple of 4",
		"mov.b64 %d0, 0;\nld.u32 %r0, [%d0];\nexit;":                                                                                "4 bytes at 0x0",
		"st.shared.u32 [%d0+1040], %r0;\nexit;":                                                                                     "of 16",
		"st.shared.u32 [%d0+1020], %r0;\nexit;":                                                                                     "of the system's shared memory",
		"mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 bra $A;\nvote.sync.ballot.b32 %r1, %p0, -1;\n$A:\nbar.sync 0;\nexit;": "deadlock",
		"mov.u32 %r0, %tid.x;": "control runs off the end",
	} {
		m := New()
		mod, err := m.Load(head + body + "\n}\n")
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		params := make([]byte, 16)
		numeric.Store(params, 8, m.Alloc(64))
		err = mod.Launch("k", [3]uint32{1, 1, 1}, [3]uint32{2, 1, 1}, 16, params)
		if want == "" && err != nil || want != "" && (!errors.Is(err, ErrFault) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}

// TestMistakes loads text that no assembler accepts.
func TestMistakes(t *testing.T) {
	for body, want := range map[string]string{
		"mul.f32 %r0, %r1, %r2;":        "unknown instruction",
		"add.rn.f32 %d0, %r1, %r2;":     "result of 32 bits in register %d0 of 64",
		"add.s64 %d0, %r1, 1;":          "register %r1 of 32 bits as s64",
		"add.s32 %r0, %r1, 4294967296;": "number 4294967296 as s32",
		"bra $NONE;":                    "no label $NONE",
		"cvt.s32.f32 %r0, %r1;":         "with or without rounding",
		"ld.v2.s8 {%r0, %r1}, [%d0];":   "as numbers with a sign",
	} {
		_, err := New().Load(head + body + "\nexit;\n}\n")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}

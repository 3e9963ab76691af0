package ptxsim

import (
	"strings"
	"testing"
)

func TestUndefined(t *testing.T) {
	for body, want := range map[string]string{
		"mov.b32 %r1, 0;\nadd.s32 %r2, %r1, %r1;\nexit;":                                                  "",
		"add.s32 %r2, %r1, 1;\nexit;":                                                                     "add.s32 %r2, %r1, 1;: %r1",
		"setp.eq.u32 %p1, %r1, 0;\nexit;":                                                                 "%r1 is not set",
		"@%p1 bra $A;\n$A:\nexit;":                                                                        "%p1 is not set",
		"mov.pred %p1, 0;\n@%p1 bra $A;\nmov.b32 %r1, 0;\n$A:\nmov.b32 %r2, %r1;\nexit;":                  "mov.b32 %r2, %r1;: %r1",
		"mov.pred %p1, 0;\nmov.b32 %r1, 1;\n@%p1 bra $A;\nmov.b32 %r1, 0;\n$A:\nmov.b32 %r2, %r1;\nexit;": "",
		"mov.pred %p1, 0;\n@%p1 bra $A;\nexit;\n$A:\nmov.b64 %d1, 1;\nld.global.v2.u32 {%r1, %r2}, [%d1];\nst.global.u32 [%d1], %r2;\nexit;": "",
		"mov.pred %p1, 0;\n$L:\n@%p1 mov.b32 %r2, %r1;\nmov.b32 %r1, 0;\n@%p1 bra $L;\nexit;":                                                "%r1 is not set",
		"bra $B;\n$A:\nmov.b32 %r2, %r1;\nexit;\n$B:\nmov.b32 %r1, 1;\nbra $A;":                                                              "",
		"st.global.u32 [%d1], 1;\nexit;": "%d1 is not set",
	} {
		got := strings.Join(Undefined(head+body+"\n}\n"), "; ")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}

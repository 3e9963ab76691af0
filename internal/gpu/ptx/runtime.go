package ptx

import (
	"slices"
	"strings"
)

// runtimeFunctions returns the functions of runtimeText that the kernel calls, directly or through others.
func (g *generator) runtimeFunctions() string {
	list := strings.Split(runtimeText, "\n.func ")[1:]
	need := func(text string) bool {
		_, name, _ := strings.Cut(text, "pcl_")
		name, _, _ = strings.Cut(name, "(")
		return g.called["pcl_"+name]
	}
	var out []string
	for _, text := range slices.Backward(list) { // callers stand after their callees
		if !need(text) {
			continue
		}
		out = append(out, "\n.func "+text)
		for line := range strings.Lines(text) {
			if _, call, ok := strings.Cut(line, "call.uni "); ok {
				_, name, _ := strings.Cut(call, "pcl_")
				name, _, _ = strings.Cut(name, ",")
				g.called["pcl_"+name] = true
			}
		}
	}
	slices.Reverse(out)
	return strings.Join(out, "")
}

// runtimeText holds the functions that slow paths call. Their first parameter is the address of the parameter
// block, the second a pointer in the kernel's representation; private is the generic address of the work-item's
// private memory. See layout.go for the offsets.
//
// - pcl_base returns an object's address, pcl_len the number of bytes that may be read, or written if write is 1.
// - pcl_fault records the finding of an access, if it has one, and then ends the work-item in strict mode.
// - pcl_atomic is pcl_fault for atomic operations; its result ok is set if the address is only misaligned.
// - pcl_lock and pcl_unlock surround such an operation.
// - pcl_image records a finding about an element outside of an image, by its coordinates, and ends the work-item likewise.
// - pcl_load fills buf with the bytes of a load; bytes outside of the object are 0.
// - pcl_store writes the bytes of a store from buf; bytes outside of the object are dropped.
// - pcl_copy and pcl_zero are memcopy and memzero.
const runtimeText = `
.func (.reg .b64 base) pcl_base(.reg .b64 head, .reg .b64 ptr, .reg .b64 private)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %d<8>;
	mov.b64 base, 0;
	shr.u64 %d3, ptr, 40;
	cvt.u32.u64 %r1, %d3;
	ld.u32 %r2, [head+8];
	setp.ge.u32 %p0, %r1, %r2;
	@%p0 bra $DONE;
	ld.u64 %d4, [head];
	mad.wide.u32 %d4, %r1, 32, %d4;
	ld.global.u64 base, [%d4];
	ld.global.u32 %r3, [%d4+24];
	setp.ne.u32 %p1, %r3, 1;
	@%p1 bra $NOTLOCAL;
	mov.u64 %d5, pcl_shared;
	cvta.shared.u64 %d5, %d5;
	add.s64 base, base, %d5;
$NOTLOCAL:
	setp.ne.u32 %p1, %r3, 2;
	@%p1 bra $DONE;
	add.s64 base, base, private;
$DONE:
	ret;
}

.func (.reg .b64 len) pcl_len(.reg .b64 head, .reg .b64 ptr, .reg .b32 write)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %d<8>;
	mov.b64 len, 0;
	shr.u64 %d3, ptr, 40;
	cvt.u32.u64 %r1, %d3;
	ld.u32 %r2, [head+8];
	setp.ge.u32 %p0, %r1, %r2;
	@%p0 bra $DONE;
	ld.u64 %d4, [head];
	mad.wide.u32 %d4, %r1, 32, %d4;
	ld.global.u64 len, [%d4+8];
	setp.eq.u32 %p1, write, 0;
	@%p1 bra $DONE;
	ld.global.u64 len, [%d4+16];
$DONE:
	ret;
}

.func pcl_record(.reg .b64 head, .reg .b64 ptr, .reg .b32 what, .reg .b32 more)
{
	.reg .pred %p<4>;
	.reg .b32 %r<24>;
	.reg .b64 %d<16>;
	mov.b64 %d0, head;
	mov.b64 %d1, ptr;
	mov.b32 %r0, what;
	mov.b32 %r13, more;
	ld.u64 %d2, [%d0+16];
	mad.wide.u32 %d2, %r0, 40, %d2;
	add.s64 %d2, %d2, 16;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ctaid.y;
	mov.u32 %r3, %ctaid.z;
	ld.u32 %r4, [%d0+104];
	ld.u32 %r5, [%d0+108];
	ld.u32 %r6, [%d0+112];
	add.s32 %r1, %r1, %r4;
	add.s32 %r2, %r2, %r5;
	add.s32 %r3, %r3, %r6;
	ld.u32 %r4, [%d0+92];
	ld.u32 %r5, [%d0+96];
	cvt.u64.u32 %d3, %r3;
	cvt.u64.u32 %d4, %r5;
	mul.lo.s64 %d3, %d3, %d4;
	cvt.u64.u32 %d4, %r2;
	add.s64 %d3, %d3, %d4;
	cvt.u64.u32 %d4, %r4;
	mul.lo.s64 %d3, %d3, %d4;
	cvt.u64.u32 %d4, %r1;
	add.s64 %d3, %d3, %d4;
	shl.b64 %d3, %d3, 16;
	mov.u32 %r7, %tid.x;
	mov.u32 %r8, %tid.y;
	mov.u32 %r9, %tid.z;
	mov.u32 %r10, %ntid.x;
	mov.u32 %r11, %ntid.y;
	mad.lo.s32 %r8, %r9, %r11, %r8;
	mad.lo.s32 %r7, %r8, %r10, %r7;
	cvt.u64.u32 %d4, %r7;
	or.b64 %d3, %d3, %d4;
	add.s64 %d5, %d2, 8;
	atom.relaxed.gpu.global.add.u64 %d6, [%d5], 1;
	ld.relaxed.gpu.global.u64 %d7, [%d2+16];
	setp.eq.u64 %p0, %d7, 0;
	@%p0 bra $LOCK;
	sub.s64 %d7, %d7, 1;
	setp.ge.u64 %p1, %d3, %d7;
	@%p1 bra $DONE;
$LOCK:
	atom.acquire.gpu.global.cas.b32 %r12, [%d2], 0, 1;
	setp.ne.u32 %p2, %r12, 0;
	@%p2 bra $LOCK;
	ld.relaxed.gpu.global.u64 %d7, [%d2+16];
	setp.eq.u64 %p0, %d7, 0;
	@%p0 bra $FIRST;
	sub.s64 %d7, %d7, 1;
	setp.ge.u64 %p1, %d3, %d7;
	@%p1 bra $UNLOCK;
$FIRST:
	add.s64 %d8, %d3, 1;
	st.relaxed.gpu.global.u64 [%d2+16], %d8;
	st.relaxed.gpu.global.u64 [%d2+24], %d1;
	st.relaxed.gpu.global.u32 [%d2+4], %r13;
	ld.u64 %d10, [%d0+16];
	atom.relaxed.gpu.global.add.u64 %d11, [%d10], 1;
	st.relaxed.gpu.global.u64 [%d2+32], %d11;
$UNLOCK:
	st.release.gpu.global.u32 [%d2], 0;
$DONE:
	ld.u64 %d9, [%d0+24];
	st.volatile.global.u32 [%d9+4], 1;
	ret;
}

.func pcl_fault(.reg .b64 head, .reg .b64 ptr, .reg .b32 what, .reg .b32 size, .reg .b32 write)
{
	.reg .pred %p<6>;
	.reg .b32 %r<16>;
	.reg .b64 %d<16>;
	.reg .b64 len0;
	.reg .b64 len1;
	mov.b64 %d0, head;
	mov.b64 %d1, ptr;
	mov.b32 %r0, what;
	mov.b32 %r1, size;
	mov.b32 %r2, write;
	mul.lo.u32 %r0, %r0, 5;
	shr.u64 %d3, %d1, 40;
	and.b64 %d4, %d1, 1099511627775;
	cvt.u32.u64 %r3, %d3;
	mov.b32 %r4, 2;
	setp.eq.u32 %p0, %r3, 0;
	@%p0 bra $REPORT;
	mov.b32 %r4, 3;
	ld.u32 %r5, [%d0+8];
	setp.ge.u32 %p0, %r3, %r5;
	@%p0 bra $REPORT;
	cvt.u64.u32 %d5, %r1;
	add.s64 %d5, %d4, %d5;
	call.uni (len0), pcl_len, (%d0, %d1, 0);
	mov.b64 %d6, len0;
	mov.b32 %r4, 0;
	setp.gt.u64 %p0, %d5, %d6;
	@%p0 bra $REPORT;
	call.uni (len1), pcl_len, (%d0, %d1, %r2);
	mov.b64 %d6, len1;
	mov.b32 %r4, 1;
	setp.le.u64 %p0, %d5, %d6;
	@%p0 bra $DONE;
$REPORT:
	add.u32 %r0, %r0, %r4;
	call.uni pcl_record, (%d0, %d1, %r0, 0);
	ld.u32 %r6, [%d0+12];
	and.b32 %r6, %r6, 1;
	setp.eq.u32 %p1, %r6, 0;
	@%p1 bra $DONE;
	exit;
$DONE:
	ret;
}

.func (.reg .b32 ok) pcl_atomic(.reg .b64 head, .reg .b64 ptr, .reg .b32 what, .reg .b32 size, .reg .b32 write)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %d<8>;
	.reg .b64 len0;
	mov.b64 %d0, head;
	mov.b64 %d1, ptr;
	mov.b32 %r0, what;
	mov.b32 %r1, size;
	mov.b32 %r2, write;
	mov.b32 ok, 0;
	call.uni (len0), pcl_len, (%d0, %d1, %r2);
	and.b64 %d2, %d1, 1099511627775;
	cvt.u64.u32 %d3, %r1;
	add.s64 %d2, %d2, %d3;
	setp.gt.u64 %p0, %d2, len0;
	@%p0 bra $BAD;
	mov.b32 ok, 1;
	bra $DONE;
$BAD:
	call.uni pcl_fault, (%d0, %d1, %r0, %r1, %r2);
$DONE:
	ret;
}

.func pcl_lock(.reg .b64 head)
{
	.reg .pred %p<2>;
	.reg .b32 %r<2>;
	.reg .b64 %d<2>;
	ld.u64 %d0, [head+16];
$AGAIN:
	atom.acquire.gpu.global.cas.b32 %r0, [%d0+8], 0, 1;
	setp.ne.u32 %p0, %r0, 0;
	@%p0 bra $AGAIN;
	ret;
}

.func pcl_unlock(.reg .b64 head)
{
	.reg .b64 %d<2>;
	ld.u64 %d0, [head+16];
	st.release.gpu.global.u32 [%d0+8], 0;
	ret;
}

.func pcl_image(.reg .b64 head, .reg .b32 what, .reg .b32 x, .reg .b64 yz)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %d<2>;
	mov.b64 %d0, head;
	mov.b32 %r0, what;
	mov.b32 %r1, x;
	mov.b64 %d1, yz;
	call.uni pcl_record, (%d0, %d1, %r0, %r1);
	ld.u32 %r2, [%d0+12];
	and.b32 %r2, %r2, 1;
	setp.eq.u32 %p1, %r2, 0;
	@%p1 bra $DONE;
	exit;
$DONE:
	ret;
}

.func pcl_load(.reg .b64 head, .reg .b64 ptr, .reg .b32 what, .reg .b32 size, .reg .b64 buf, .reg .b64 private)
{
	.reg .pred %p<4>;
	.reg .b32 %r<8>;
	.reg .b64 %d<16>;
	.reg .b64 base0;
	.reg .b64 len0;
	mov.b64 %d0, head;
	mov.b64 %d1, ptr;
	mov.b32 %r0, what;
	mov.b32 %r1, size;
	mov.b64 %d2, buf;
	mov.b64 %d3, private;
	call.uni pcl_fault, (%d0, %d1, %r0, %r1, 0);
	call.uni (base0), pcl_base, (%d0, %d1, %d3);
	call.uni (len0), pcl_len, (%d0, %d1, 0);
	mov.b64 %d4, base0;
	mov.b64 %d5, len0;
	mov.b32 %r2, 0;
$BYTE:
	cvt.u64.u32 %d6, %r2;
	add.s64 %d7, %d1, %d6;
	and.b64 %d7, %d7, 1099511627775;
	mov.b32 %r3, 0;
	setp.ge.u64 %p0, %d7, %d5;
	@%p0 bra $OUT;
	add.s64 %d8, %d4, %d7;
	ld.u8 %r3, [%d8];
$OUT:
	add.s64 %d9, %d2, %d6;
	st.u8 [%d9], %r3;
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p1, %r2, %r1;
	@%p1 bra $BYTE;
	ret;
}

.func pcl_store(.reg .b64 head, .reg .b64 ptr, .reg .b32 what, .reg .b32 size, .reg .b64 buf, .reg .b64 private)
{
	.reg .pred %p<4>;
	.reg .b32 %r<8>;
	.reg .b64 %d<16>;
	.reg .b64 base0;
	.reg .b64 len0;
	mov.b64 %d0, head;
	mov.b64 %d1, ptr;
	mov.b32 %r0, what;
	mov.b32 %r1, size;
	mov.b64 %d2, buf;
	mov.b64 %d3, private;
	call.uni pcl_fault, (%d0, %d1, %r0, %r1, 1);
	call.uni (base0), pcl_base, (%d0, %d1, %d3);
	call.uni (len0), pcl_len, (%d0, %d1, 1);
	mov.b64 %d4, base0;
	mov.b64 %d5, len0;
	mov.b32 %r2, 0;
$BYTE:
	cvt.u64.u32 %d6, %r2;
	add.s64 %d7, %d1, %d6;
	and.b64 %d7, %d7, 1099511627775;
	setp.ge.u64 %p0, %d7, %d5;
	@%p0 bra $OUT;
	add.s64 %d9, %d2, %d6;
	ld.u8 %r3, [%d9];
	add.s64 %d8, %d4, %d7;
	st.u8 [%d8], %r3;
$OUT:
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p1, %r2, %r1;
	@%p1 bra $BYTE;
	ret;
}

.func pcl_zero(.reg .b64 head, .reg .b64 ptr, .reg .b32 what, .reg .b32 size, .reg .b64 private)
{
	.reg .pred %p<4>;
	.reg .b32 %r<8>;
	.reg .b64 %d<16>;
	.reg .b64 base0;
	.reg .b64 len0;
	mov.b64 %d0, head;
	mov.b64 %d1, ptr;
	mov.b32 %r0, what;
	mov.b32 %r1, size;
	mov.b64 %d3, private;
	call.uni pcl_fault, (%d0, %d1, %r0, %r1, 1);
	call.uni (base0), pcl_base, (%d0, %d1, %d3);
	call.uni (len0), pcl_len, (%d0, %d1, 1);
	mov.b64 %d4, base0;
	mov.b64 %d5, len0;
	mov.b32 %r2, 0;
	mov.b32 %r3, 0;
$BYTE:
	setp.ge.u32 %p1, %r2, %r1;
	@%p1 bra $DONE;
	cvt.u64.u32 %d6, %r2;
	add.s64 %d7, %d1, %d6;
	and.b64 %d7, %d7, 1099511627775;
	add.u32 %r2, %r2, 1;
	setp.ge.u64 %p0, %d7, %d5;
	@%p0 bra $BYTE;
	add.s64 %d8, %d4, %d7;
	st.u8 [%d8], %r3;
	bra $BYTE;
$DONE:
	ret;
}

.func pcl_copy(.reg .b64 head, .reg .b64 ptr, .reg .b64 from, .reg .b32 what, .reg .b32 size, .reg .b64 private)
{
	.reg .pred %p<4>;
	.reg .b32 %r<8>;
	.reg .b64 %d<20>;
	.reg .b64 base0;
	.reg .b64 len0;
	.reg .b64 base1;
	.reg .b64 len1;
	mov.b64 %d0, head;
	mov.b64 %d1, ptr;
	mov.b64 %d2, from;
	mov.b32 %r0, what;
	mov.b32 %r1, size;
	mov.b64 %d3, private;
	call.uni pcl_fault, (%d0, %d2, %r0, %r1, 0);
	call.uni pcl_fault, (%d0, %d1, %r0, %r1, 1);
	call.uni (base0), pcl_base, (%d0, %d1, %d3);
	call.uni (len0), pcl_len, (%d0, %d1, 1);
	mov.b64 %d4, base0;
	mov.b64 %d5, len0;
	call.uni (base1), pcl_base, (%d0, %d2, %d3);
	call.uni (len1), pcl_len, (%d0, %d2, 0);
	mov.b64 %d6, base1;
	mov.b64 %d7, len1;
	mov.b32 %r2, 0;
	mov.b32 %r4, 1;
	setp.lt.u64 %p2, %d2, %d1;
	@!%p2 bra $BYTE;
	sub.u32 %r2, %r1, 1;
	mov.b32 %r4, -1;
$BYTE:
	setp.ge.u32 %p1, %r2, %r1;
	@%p1 bra $DONE;
	cvt.u64.u32 %d8, %r2;
	add.s32 %r2, %r2, %r4;
	add.s64 %d9, %d1, %d8;
	and.b64 %d9, %d9, 1099511627775;
	setp.ge.u64 %p0, %d9, %d5;
	@%p0 bra $BYTE;
	add.s64 %d10, %d2, %d8;
	and.b64 %d10, %d10, 1099511627775;
	mov.b32 %r3, 0;
	setp.ge.u64 %p0, %d10, %d7;
	@%p0 bra $PUT;
	add.s64 %d11, %d6, %d10;
	ld.u8 %r3, [%d11];
$PUT:
	add.s64 %d12, %d4, %d9;
	st.u8 [%d12], %r3;
	bra $BYTE;
$DONE:
	ret;
}
`

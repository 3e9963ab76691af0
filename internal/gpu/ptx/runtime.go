package ptx

import "strings"

// runtimeFunctions returns the functions of runtimeText that the kernel calls.
func (g *memory) runtimeFunctions() string {
	list := strings.Split(runtimeText, "\n.func ")[1:]
	need := func(text string) bool {
		_, name, _ := strings.Cut(text, "pcl_")
		name, _, _ = strings.Cut(name, "(")
		return g.called["pcl_"+name]
	}
	var out []string
	if g.called["pcl_access"] {
		out = append(out, g.accessFunction())
	}
	for _, text := range list {
		if need(text) {
			out = append(out, "\n.func "+text)
		}
	}
	return strings.Join(out, "")
}

// accessFunction returns pcl_access for the modes of its calls.
func (g *memory) accessFunction() string {
	const moves = 1<<modeLoad | 1<<modeStore | 1<<modeZero
	if g.modes == 1<<modeRecord {
		return accessBegin + accessRecord + accessEnd
	}
	text := accessBegin + accessMode + accessFind + accessRecord + accessResult
	if g.modes&moves != 0 {
		text += accessBytes
	}
	return text + accessEnd
}

// The frame of calls on slow paths: the variable pcl_frame in local memory. It holds the operands and results of the
// functions of runtimeText, which keep little in registers and call no others: a kernel needs their registers besides
// its own, also if it never takes a slow path.
const (
	frameData    = 0   // the bytes of a load or store
	frameHead    = 128 // generic address of the parameter block
	framePtr     = 136 // pointer in the kernel's representation
	framePrivate = 144 // generic address of the work-item's private memory, if it has some
	frameFrom    = 152 // pointer to the source of a copy
	frameMode    = 160 // uint32: mode…
	frameAccess  = 164 // uint32: number of the access, or of the record if the mode is modeRecord
	frameBytes   = 168 // uint32: size of the access
	frameX       = 172 // uint32: see RecordX
	frameOK      = 176 // uint32: set to 1 if the access has no finding, else to 0
	frameLen     = 184 // set by calls: of pcl_access the bytes of the object that may be accessed, of pcl_copy those of the source
	frameBase    = 192 // set by calls: address of that object
	frameTo      = 200 // of pcl_copy: address of a byte of the target
	frameSize    = 208
)

// The modes of pcl_access. Modes of accesses that write are odd.
const (
	modeRead = iota // no access, only its finding
	modeWrite
	modeLoad // fills frameData; bytes outside of the object are 0
	modeStore
	modeRecord // no access, only the finding with the number frameAccess
	modeZero   // clears frameBytes bytes
)

// runtimeText holds the functions that slow paths call. Their parameter is the address of the frame in local memory. See
// layout.go for other offsets.
//
// - pcl_access (accessFunction) records the finding of an access, if it has one. Then it ends the work-item in strict mode, else it
// performs the access byte by byte: bytes outside of the object are read as 0 and not written.
// - pcl_copy is memcopy without findings.
// - pcl_lock and pcl_unlock surround an atomic operation at a misaligned address.
const runtimeText = `
.func pcl_lock(.reg .b32 frame)
{
	.reg .pred %p<2>;
	.reg .b32 %r<2>;
	.reg .b64 %d<2>;
	ld.local.u64 %d0, [frame+128];
	ld.u64 %d0, [%d0+16];
$AGAIN:
	atom.acquire.gpu.global.cas.b32 %r0, [%d0+8], 0, 1;
	setp.ne.u32 %p0, %r0, 0;
	@%p0 bra $AGAIN;
	ret;
}

.func pcl_unlock(.reg .b32 frame)
{
	.reg .b64 %d<2>;
	ld.local.u64 %d0, [frame+128];
	ld.u64 %d0, [%d0+16];
	st.release.gpu.global.u32 [%d0+8], 0;
	ret;
}

.func pcl_copy(.reg .b32 frame)
{
	.reg .pred %p<3>;
	.reg .b32 %r<4>;
	.reg .b64 %d<4>;
	ld.local.u64 %d0, [frame+152];
	mov.pred %p2, 0;
$FIND:
	mov.b64 %d2, 0;
	mov.b64 %d3, 0;
	shr.u64 %d0, %d0, 40;
	cvt.u32.u64 %r1, %d0;
	ld.local.u64 %d1, [frame+128];
	ld.u32 %r2, [%d1+8];
	setp.ge.u32 %p0, %r1, %r2;
	@%p0 bra $BASE;
	ld.u64 %d1, [%d1];
	mad.wide.u32 %d1, %r1, 32, %d1;
	ld.global.u64 %d2, [%d1+8];
	@!%p2 bra $READ;
	ld.global.u64 %d2, [%d1+16];
$READ:
	ld.global.u64 %d3, [%d1];
	ld.global.u32 %r1, [%d1+24];
	setp.ne.u32 %p0, %r1, 1;
	@%p0 bra $NOTLOCAL;
	mov.u64 %d1, pcl_shared;
	cvta.shared.u64 %d1, %d1;
	add.s64 %d3, %d3, %d1;
$NOTLOCAL:
	setp.ne.u32 %p0, %r1, 2;
	@%p0 bra $BASE;
	ld.local.u64 %d1, [frame+144];
	add.s64 %d3, %d3, %d1;
$BASE:
	@%p2 bra $FOUND;
	st.local.u64 [frame+184], %d2;
	st.local.u64 [frame+192], %d3;
	ld.local.u64 %d0, [frame+136];
	mov.pred %p2, 1;
	bra $FIND;
$FOUND:
	mov.b32 %r0, 0;
	mov.b32 %r1, 1;
	ld.local.u64 %d0, [frame+136];
	ld.local.u64 %d1, [frame+152];
	setp.lt.u64 %p0, %d1, %d0;
	@!%p0 bra $BYTE;
	ld.local.u32 %r0, [frame+168];
	sub.u32 %r0, %r0, 1;
	mov.b32 %r1, -1;
$BYTE:
	ld.local.u32 %r2, [frame+168];
	setp.ge.u32 %p1, %r0, %r2;
	@%p1 bra $DONE;
	mov.b32 %r3, %r0;
	add.s32 %r0, %r0, %r1;
	cvt.u64.u32 %d1, %r3;
	ld.local.u64 %d0, [frame+136];
	add.s64 %d0, %d0, %d1;
	and.b64 %d0, %d0, 1099511627775;
	setp.ge.u64 %p0, %d0, %d2;
	@%p0 bra $BYTE;
	add.s64 %d0, %d0, %d3;
	mov.b32 %r2, 0;
	cvt.u64.u32 %d1, %r3;
	st.local.u64 [frame+200], %d0;
	ld.local.u64 %d0, [frame+152];
	add.s64 %d0, %d0, %d1;
	and.b64 %d0, %d0, 1099511627775;
	ld.local.u64 %d1, [frame+184];
	setp.ge.u64 %p0, %d0, %d1;
	@%p0 bra $PUT;
	ld.local.u64 %d1, [frame+192];
	add.s64 %d0, %d0, %d1;
	ld.u8 %r2, [%d0];
$PUT:
	ld.local.u64 %d0, [frame+200];
	st.u8 [%d0], %r2;
	bra $BYTE;
$DONE:
	ret;
}
`

// The parts of pcl_access. A kernel has those that the modes of its calls need: the driver's compiler takes longer for
// the whole function than for many kernels.
const (
	accessBegin = `
.func pcl_access(.reg .b32 frame)
{
	.reg .pred %p<4>;
	.reg .b32 %r<4>;
	.reg .b64 %d<4>;
	ld.local.u32 %r1, [frame+164];
`
	accessMode = `	ld.local.u32 %r0, [frame+160];
	setp.eq.u32 %p0, %r0, 4;
	@%p0 bra $RECORD;
`
	accessFind = `	and.b32 %r0, %r0, 1;
	setp.ne.u32 %p1, %r0, 0;
	mad.lo.u32 %r1, %r1, 5, 3;
	mov.b64 %d2, 0;
	mov.b64 %d3, 0;
	ld.local.u64 %d0, [frame+128];
	ld.local.u64 %d1, [frame+136];
	shr.u64 %d1, %d1, 40;
	cvt.u32.u64 %r2, %d1;
	ld.u32 %r3, [%d0+8];
	setp.ge.u32 %p3, %r2, %r3;
	@%p3 bra $FOUND;
	ld.u64 %d0, [%d0];
	mad.wide.u32 %d0, %r2, 32, %d0;
	ld.local.u64 %d1, [frame+136];
	and.b64 %d1, %d1, 1099511627775;
	ld.local.u32 %r0, [frame+168];
	cvt.u64.u32 %d2, %r0;
	add.s64 %d1, %d1, %d2;
	ld.global.u64 %d2, [%d0+8];
	setp.gt.u64 %p0, %d1, %d2;
	@%p1 ld.global.u64 %d2, [%d0+16];
	setp.gt.u64 %p3, %d1, %d2;
	selp.s32 %r3, -3, -2, %p0;
	setp.eq.u32 %p0, %r2, 0;
	selp.s32 %r3, -1, %r3, %p0;
	or.pred %p3, %p3, %p0;
	add.s32 %r1, %r1, %r3;
	ld.global.u64 %d3, [%d0];
	ld.global.u32 %r0, [%d0+24];
	setp.eq.u32 %p0, %r0, 1;
	mov.u64 %d1, pcl_shared;
	cvta.shared.u64 %d1, %d1;
	@%p0 add.s64 %d3, %d3, %d1;
	setp.eq.u32 %p0, %r0, 2;
	@%p0 ld.local.u64 %d1, [frame+144];
	@%p0 add.s64 %d3, %d3, %d1;
$FOUND:
	st.local.u64 [frame+184], %d2;
	st.local.u64 [frame+192], %d3;
	mov.b32 %r0, 1;
	@!%p3 bra $ACCESS;
`
	accessRecord = `$RECORD:
	ld.local.u64 %d0, [frame+128];
	ld.u64 %d2, [%d0+16];
	mad.wide.u32 %d2, %r1, 40, %d2;
	mov.u32 %r0, %ctaid.y;
	cvt.u64.u32 %d1, %r0;
	mov.u32 %r0, %ctaid.z;
	ld.u32 %r1, [%d0+96];
	mad.wide.u32 %d1, %r0, %r1, %d1;
	ld.u32 %r0, [%d0+92];
	cvt.u64.u32 %d3, %r0;
	mul.lo.s64 %d1, %d1, %d3;
	mov.u32 %r0, %ctaid.x;
	cvt.u64.u32 %d3, %r0;
	add.s64 %d1, %d1, %d3;
	ld.u64 %d3, [%d0+120];
	add.s64 %d1, %d1, %d3;
	shl.b64 %d1, %d1, 16;
	mov.u32 %r0, %tid.z;
	mov.u32 %r1, %ntid.y;
	mov.u32 %r2, %tid.y;
	mad.lo.u32 %r0, %r0, %r1, %r2;
	mov.u32 %r1, %ntid.x;
	mov.u32 %r2, %tid.x;
	mad.lo.u32 %r0, %r0, %r1, %r2;
	cvt.u64.u32 %d3, %r0;
	or.b64 %d1, %d1, %d3;
	atom.relaxed.gpu.global.add.u64 %d3, [%d2+24], 1;
	ld.relaxed.gpu.global.u64 %d3, [%d2+32];
	sub.s64 %d3, %d3, 1;
	setp.ge.u64 %p1, %d1, %d3;
	@%p1 bra $NOTED;
$LOCK:
	atom.acquire.gpu.global.cas.b32 %r0, [%d2+16], 0, 1;
	setp.ne.u32 %p0, %r0, 0;
	@%p0 bra $LOCK;
	ld.relaxed.gpu.global.u64 %d3, [%d2+32];
	sub.s64 %d3, %d3, 1;
	setp.ge.u64 %p1, %d1, %d3;
	@%p1 bra $UNLOCK;
	add.s64 %d1, %d1, 1;
	st.relaxed.gpu.global.u64 [%d2+32], %d1;
	ld.local.u64 %d1, [frame+136];
	st.relaxed.gpu.global.u64 [%d2+40], %d1;
	ld.local.u32 %r0, [frame+172];
	st.relaxed.gpu.global.u32 [%d2+20], %r0;
	ld.u64 %d1, [%d0+16];
	atom.relaxed.gpu.global.add.u64 %d1, [%d1], 1;
	st.relaxed.gpu.global.u64 [%d2+48], %d1;
$UNLOCK:
	st.release.gpu.global.u32 [%d2+16], 0;
$NOTED:
	ld.u64 %d1, [%d0+24];
	st.volatile.global.u32 [%d1+4], 1;
	ld.u32 %r0, [%d0+12];
	and.b32 %r0, %r0, 1;
	setp.ne.u32 %p0, %r0, 0;
	@%p0 exit;
`
	accessResult = `$ACCESS:
	st.local.u32 [frame+176], %r0;
`
	accessBytes = `	ld.local.u32 %r0, [frame+160];
	setp.lt.u32 %p0, %r0, 2;
	setp.eq.or.u32 %p0, %r0, 4, %p0;
	@%p0 bra $DONE;
	setp.eq.u32 %p1, %r0, 2;
	setp.eq.u32 %p2, %r0, 3;
	ld.local.u64 %d0, [frame+136];
	ld.local.u64 %d2, [frame+184];
	ld.local.u64 %d3, [frame+192];
	ld.local.u32 %r1, [frame+168];
	add.u32 %r1, frame, %r1;
	mov.b32 %r0, frame;
$BYTE:
	and.b64 %d1, %d0, 1099511627775;
	setp.lt.u64 %p0, %d1, %d2;
	add.s64 %d1, %d1, %d3;
	mov.b32 %r2, 0;
	@%p2 ld.local.u8 %r2, [%r0];
	and.pred %p3, %p0, %p1;
	@%p3 ld.u8 %r2, [%d1];
	@%p1 st.local.u8 [%r0], %r2;
	not.pred %p3, %p1;
	and.pred %p3, %p3, %p0;
	@%p3 st.u8 [%d1], %r2;
	add.s64 %d0, %d0, 1;
	add.u32 %r0, %r0, 1;
	setp.lt.u32 %p0, %r0, %r1;
	@%p0 bra $BYTE;
$DONE:
`
	accessEnd = `	ret;
}
`
)

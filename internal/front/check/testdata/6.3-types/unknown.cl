// options: -cl-std=CL1.2
// An unknown word before a type is one mistake: the declaration has the type that follows, and what the words around it take for a name stays a type.
INLINE /* ERROR unknown-type "unknown type name 'INLINE'" */ float f(float x) { return x; }
STATIC /* ERROR unknown-type "unknown type name 'STATIC'" */ unsigned int g(void);
SPACE /* ERROR unknown-type "unknown type name 'SPACE'" */ constant int table[2] = { 1, 2 };
constant int uchar /* ERROR redefinition "redefinition of 'uchar' as different kind of symbol" */ = 1;
kernel void k(global ulong *p) {
	ulong x = f(1.0f) + (uchar)table[1];
	struct absent late /* ERROR incomplete-type "variable has incomplete type 'struct absent'" */;
	int open /* ERROR incomplete-type "needs an explicit size" */[];
	late.x = late.y + open[0];
	p[0] = x + g();
}

// The attribute aligned of a typedef holds for members and variables of that type; the sizes are clang's.
typedef int myint __attribute__((aligned(8))); struct F { char c; myint m; };
typedef __attribute__((aligned(16))) int al; struct G { char c; al x; };
typedef struct {char c; int i;} __attribute__((packed)) PK; struct H { char c; PK p; };
typedef struct {int i;} T16 __attribute__((aligned(16))); struct I { char c; T16 t; };
typedef uint loose __attribute__((aligned(1))); struct J { char c; loose u; char d; };
typedef al al2; struct K { char c; al2 x; al *p; };
typedef uchar4 px __attribute__((aligned(1))); struct L { char c; px v[2]; };
struct __attribute__((packed)) M { char c; al x; };
_Static_assert(sizeof(struct F) == 16, "F");
_Static_assert(sizeof(struct G) == 32, "G");
_Static_assert(sizeof(struct H) == 6, "H");
_Static_assert(sizeof(struct I) == 32, "I");
_Static_assert(sizeof(struct J) == 6, "J");
_Static_assert(sizeof(struct K) == 32, "K");
_Static_assert(sizeof(struct L) == 9, "L");
_Static_assert(sizeof(myint) == 4 && sizeof(T16) == 4, "sizes");
_Static_assert(sizeof(struct M) == 5, "M");

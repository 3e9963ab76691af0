// #pragma pack limits the alignment of members.
struct a { char c; int i; double d; };
#pragma pack(push, 1)
struct b { char c; int i; double d; };
#pragma pack(2)
struct c { char c; int i; double d; };
#pragma pack(pop)
struct d { char c; int i; double d; };
#pragma pack /* WARNING ignored-pragmas "expected '#pragma pack([push,] n)' or 'pack(pop)' - ignored" */(3)
#pragma pack /* WARNING ignored-pragmas "#pragma pack(pop, ...) failed: stack empty" */(pop)
_Static_assert(sizeof(struct a) == 16 && sizeof(struct b) == 13 && sizeof(struct c) == 14 && sizeof(struct d) == 16, "sizes");

// Structs, unions, enums (C99 6.7.2) and their layout.

struct a { char c; int i; short s; };
struct b { char c; double d; } __attribute__((packed));
struct c { float3 v; float f; };
struct d { char c __attribute__((aligned(8))); char e; };
union e { char c[5]; int i; };
struct f { struct { int x, y; }; union { float g; uint h; }; };
struct g { int n; float data[]; };
struct h { char c; } __attribute__((aligned(32)));
struct i { char c; struct h h[2]; };
struct j { char c; __attribute__((packed)) int k; char m; };
_Static_assert(sizeof(struct a) == 12 && sizeof(struct b) == 9 && sizeof(struct c) == 32, "layout");
_Static_assert(sizeof /* ERROR static-assert-failed "static assertion failed: layout" */(struct d) == 16 && sizeof(union e) == 8 && sizeof(struct f) == 12, "layout");
_Static_assert(sizeof(struct g) == 4 && sizeof(struct h) == 32 && sizeof(struct i) == 96, "layout");
_Static_assert(__builtin_offsetof(struct a, s) == 8 && __builtin_offsetof(struct f, h) == 8 && __builtin_offsetof(struct i, h[1].c) == 64, "offsets");

enum k { K0, K1 = 5, K2, K3 = -1, K4 };
_Static_assert(K2 == 6 && K4 == 0 && sizeof(enum k) == 4, "enum");
enum l { L0 = K1 + 1, L0 /* ERROR redefinition "redefinition of 'L0'" */ };
enum m { M0 = get_global_id /* ERROR not-constant "expression is not an integer constant expression" */(0) };
enum k /* ERROR redefinition "redefinition of 'k'" */ { N0 };

struct dup { int a; float a /* ERROR duplicate-member "duplicate member 'a'" */; };
struct dup2 { int a; struct /* ERROR duplicate-member "member of anonymous struct redeclares 'a'" */ { int a; }; };
struct inc { struct nope x /* ERROR incomplete-type "field has incomplete type 'struct nope'" */; };
struct fn { int f /* ERROR invalid-member "field 'f' declared as a function" */(int); };
struct self { struct self s /* ERROR incomplete-type "field has incomplete type 'struct self'" */; };
struct list { struct list *next; global struct list *gnext; };
struct flex { int a[]; int b /* ERROR invalid-member "flexible array member must be the last member of a structure" */; };
struct bits { int a : 3 /* ERROR bit-field "bit-fields are not supported in OpenCL" */; };
struct img { image2d_t i /* ERROR invalid-member "the 'image2d_t' type cannot be used to declare a structure or union field" */; };
struct spc { local int x /* ERROR invalid-member "field may not be qualified with an address space" */; };
struct hlf { half h; };
union a /* ERROR wrong-tag-kind "use of 'a' with tag type that does not match previous declaration" */;
struct a /* ERROR redefinition "redefinition of 'a'" */ { int x; };
struct nothing;
int /* WARNING missing-declarations "declaration does not declare anything" */;

void use(struct a x, global struct f *y, struct nothing *z) {
  x.i = y->x + (int)y->g;
  x.q /* ERROR no-member "no member named 'q' in 'struct a'" */ = 1;
  x->i /* ERROR member-access "member reference type 'struct a' is not a pointer; did you mean to use '.'?" */ = 1;
  y.x /* ERROR member-access "member reference type '__global struct f *' is a pointer; did you mean to use '->'?" */ = 1;
  y->ix /* ERROR no-member "no member named 'ix' in 'struct f'; did you mean 'x'?" */ = 1;
  z->a /* ERROR incomplete-type "incomplete definition of type 'struct nothing'" */ = 1;
  x.i.j /* ERROR member-access "member reference base type 'int' is not a structure or union" */ = 1;
  struct a w = x; x = w;
  w = * /* ERROR incompatible-types "assigning to 'struct a' from incompatible type 'struct f'" */y;
  enum k e = K1;
  e = 7;
}

struct fixed { struct { const int n; } part[2]; int m; };
void assign(struct fixed a, struct fixed b) {
  a.m = b.m;
  a = /* ERROR const-assigned "cannot assign to an object of type 'struct fixed' with const-qualified data member 'n'" */b;
}

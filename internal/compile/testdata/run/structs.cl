// run:
// arg: out int[32] = zeros
// arg: arg int2 (30,4)
// arg: mem int2[4] = (1,2)
// want: out 12 21 12 21 67 9 4 1148 5 10 0 48 1208 1148 21 34 74 4 1065353216 63 16256 1065357876 16909063 15
// want: out 123 12 12 13 9 29
// want: mem (1,2) (1,3) (0,5) (12,14)
//
// Records in memory, by value, nested; unions; compound literals.
typedef struct { int x, y; } P;
typedef struct { P a; short tag; P list[3]; char c; long big; } Big;
typedef union { int i; float f; uchar b[4]; struct { ushort lo, hi; } h; } U;
struct __attribute__((packed)) Packed { char c; int i; short s; long l; };
struct Node { int v; struct Node *next; };

P make(int x, int y) { P p = {x, y}; return p; }
P swap(P p) { int t = p.x; p.x = p.y; p.y = t; return p; }
Big fill(int s) {
    Big b = {.a = {s, s + 1}, .list = {[1] = {s + 2, s + 3}}, .c = 'z', .big = (long)s << 33};
    return b;
}
int sum(Big b) { b.a.x += 1000; return b.a.x + b.a.y + b.list[0].x + b.list[1].x + b.list[1].y + b.list[2].y + b.c; }
void scale(P *p, int by) { p->x *= by; p->y *= by; }
int chain(struct Node *n) { int s = 0; while (n) { s = s * 10 + n->v; n = n->next; } return s; }

kernel void k(global int *out, P arg, global P *mem) {
    int n = 0;
    P p = make(1, 2);
    out[n++] = p.x * 10 + p.y;
    P q = swap(p);
    out[n++] = q.x * 10 + q.y;
    out[n++] = p.x * 10 + p.y;
    p = q;
    q.x = 9;
    out[n++] = p.x * 10 + p.y;
    p = q = make(6, 7);
    out[n++] = p.x * 10 + q.y;
    out[n++] = make(8, 9).y;
    out[n++] = swap(make(3, 4)).x;
    Big b = fill(5);
    out[n++] = sum(b);
    out[n++] = b.a.x;
    out[n++] = (int)(b.big >> 32);
    out[n++] = b.tag;
    out[n++] = sizeof(Big);
    Big copy = b, *pb = &copy;
    pb->list[2].y = 40;
    pb->list[pb->a.x - 3] = (P){50, 60};
    out[n++] = sum(*pb);
    out[n++] = sum(b);
    scale(&pb->list[1], 3);
    out[n++] = copy.list[1].x;
    out[n++] = arg.x + arg.y;
    arg.x = 70;
    out[n++] = arg.x + arg.y;
    out[n++] = (0, 1) ? swap(arg).x : 0;
    mem[1] = mem[0];
    mem[1].y++;
    mem[2] = (P){.y = 5};
    scale((P *)&p, 2);
    mem[3] = arg.x > 5 ? p : q;

    U u;
    u.f = 1.0f;
    out[n++] = u.i;
    out[n++] = u.b[3];
    out[n++] = u.h.hi;
    u.h.lo = 0x1234;
    out[n++] = u.i;


    struct Packed pk = {1, 2, 3, 4};
    pk.i = 0x01020304;
    pk.l = -1;
    out[n++] = pk.c + pk.i + pk.s + (int)pk.l;
    out[n++] = sizeof pk;

    struct Node n3 = {3, 0}, n2 = {2, &n3}, n1 = {1, &n2};
    out[n++] = chain(&n1);
    n2.next = 0;
    out[n++] = chain(&n1);
    out[n++] = ((P){11, 12}).y;
    out[n++] = (&(P){13, 14})->x;
    P arr[2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    out[n++] = arr[1][0].y + arr[0][1].x;
    out[n] = n;
}

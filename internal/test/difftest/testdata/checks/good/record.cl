// run: kernel=move global=2 local=2
// arg: bodies int[8] = 1 2 3 4 5 6 7 8
// want: bodies 4 2 3 4 12 6 7 8
//
// A struct of which only the members that are used are ever set, copied as a whole.
typedef struct { int at, speed, mass, kind; } body;
typedef struct { body b; int scratch[4]; } state;
kernel void move(global body *bodies) {
    size_t i = get_global_id(0);
    state s, t;
    s.b = bodies[i];
    t = s; // with members that nobody has set
    t.b.at += t.b.mass * (t.b.kind == 4 ? 1 : 1);
    bodies[i].at = t.b.at;
}

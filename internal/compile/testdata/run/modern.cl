// run: -cl-std=CL3.0 kernel=k
// arg: out int[40] = zeros
// arg: mem int[8] = 1 2 3 4 5 6 7 8
// arg: z int 0
// want: out 5 15 15 15 99 26 1 7 100 3 7 9 10 5 5 21 4 1 0 1 3 14 77 1 1 36
// want: mem 6 2 8 4 12 6 7 8
//
// Atomic types, the generic address space, variables in global memory, enums, bool in
// memory, constants in functions (OpenCL C 3.0 with all features).
typedef enum { RED, GREEN = 5, BLUE } Colour;
global int counter = 7;
global int *global where = &counter;
global int grid[2][2] = {{1, 2}, {3}};
typedef struct { bool on; char c; bool flags[3]; } Flags;

int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; } // generic
void bump(int *p) { *p += 5; }
int next(void) { static global int calls = 4; return ++calls; }
int flip(volatile bool *b) { *b = !*b; return *b; }

kernel void k(global int *out, global int *mem, int z) {
    int n = 0;
    local atomic_int a;
    atomic_init(&a, 5);
    out[n++] = atomic_fetch_add(&a, 10);     // 5
    out[n++] = atomic_load(&a);              // 15
    int expected = 3;
    out[n++] = atomic_compare_exchange_strong(&a, &expected, 4) + expected; // 0 + 15
    out[n++] = atomic_fetch_max_explicit(&a, 99, memory_order_relaxed, memory_scope_work_group); // 15
    out[n++] = atomic_exchange(&a, 13);      // 99
    atomic_store(&a, 26);
    int copy = a;
    out[n++] = copy;                         // 26

    int priv[3] = {1, 2, 3};
    bump(priv);
    bump(mem);
    bump(&mem[2]);
    local int loc[2];
    loc[0] = 3;
    loc[1] = 4;
    bump(&loc[0]);
    mem[4] = loc[0] + loc[1];
    out[n++] = sum(priv, 2) - 7;        // 6 + 2 - 7
    int *p = z ? priv : (int *)mem;
    out[n++] = p[5] + (p == mem);       // 6 + 1
    out[n++] = to_global(p) == mem ? 100 : 200; // 100
    p = priv;
    out[n++] = p[2];                    // 3

    out[n++] = *where;                  // 7
    *where += 2;
    out[n++] = counter;                 // 9
    where = &counter;
    counter++;
    out[n++] = *where;                  // 10
    grid[1][1] = 5;
    out[n++] = grid[1][1] + grid[0][0] - 1; // 5

    Colour c = GREEN;
    out[n++] = c;                       // 5
    c++;
    switch (c) { case RED: out[n++] = 20; break; case BLUE: out[n++] = 21; break; default: out[n++] = 22; } // 21
    out[n++] = sizeof c;                // 4

    Flags fl = {true, 'x', {false, 3, 0}};
    out[n++] = fl.on;                   // 1
    out[n++] = fl.flags[0];             // 0
    out[n++] = fl.flags[1] + fl.flags[2]; // 1
    fl.flags[2] = z + 2;
    fl.flags[0] |= 4;
    out[n++] = fl.flags[0] + fl.flags[1] + fl.flags[2]; // 3
    bool *bp = &fl.on;
    *bp = 0.0f;
    out[n++] = next() + next() + fl.on + flip(&fl.on) + flip(&fl.on) + 2; // 5 + 6 + 0 + 1 + 0 + 2
    constant const char *names[2] = {"ab", "M"};
    out[n++] = names[1][0];             // 77
    ulong big = (ulong)&mem[1];
    out[n++] = (global int *)big == mem + 1; // 1
    out[n++] = (intptr_t)(mem + 3) - (intptr_t)mem == 12; // 1
    out[n++] = sum((int[3]){10, 11, 15}, 3); // 36
}

// options: -cl-std=CL3.0
// Atomic types (OpenCL C 6.15.12): no operators, no initialisation by assignment, no _Atomic.

kernel void k(global atomic_int *p, volatile global atomic_uint *u) {
  local atomic_int l;
  atomic_init(&l, 1);
  atomic_store(p, atomic_load(&l));
  atomic_fetch_add_explicit(u, 1u, memory_order_relaxed, memory_scope_device);
  *p = /* ERROR not-assignable "operators cannot change an object of type 'atomic_int'; use atomic_store or another atomic function" */1;
  *p += /* ERROR not-assignable "operators cannot change an object of type 'atomic_int'; use atomic_store or another atomic function" */1;
  ( /* ERROR invalid-operand "cannot increment value of type 'atomic_int'" */*p)++;
  extern constant int elsewhere;
  l = /* ERROR not-assignable "operators cannot change an object of type 'atomic_int'; use atomic_store or another atomic function" */2;
}

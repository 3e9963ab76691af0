// options: -cl-std=CL2.0
// Atomic variables are initialised in global memory only.
kernel void k(global int *p) { local atomic_int a /* ERROR local-initializer "'__local' variable cannot have an initializer" */ = 0; local atomic_int b /* ERROR local-initializer "'__local' variable cannot have an initializer" */ = ATOMIC_VAR_INIT(1); atomic_int c /* ERROR invalid-initializer "atomic variable can be initialized to a variable only in global address space" */ = 0; atomic_int d /* ERROR invalid-initializer "atomic variable can be initialized to a variable only in global address space" */ = ATOMIC_VAR_INIT(1); atomic_int e; atomic_init(&e, 1); local int f /* ERROR local-initializer "'__local' variable cannot have an initializer" */ = 1; static global atomic_int g = 3; static atomic_int h = 4;}
global atomic_int ga = 0;
atomic_int gb = ATOMIC_VAR_INIT(2);
constant atomic_int gc /* ERROR invalid-initializer "atomic variable can be initialized to a variable only in global address space" */ = 1;

// options: -cl-std=CL2.0
// At program scope the names of the language's types are taken.
int memory_order /* ERROR redefinition "redefinition of 'memory_order' as different kind of symbol" */;
int size_t /* ERROR redefinition "redefinition of 'size_t' as different kind of symbol" */;
int event_t /* ERROR redefinition "redefinition of 'event_t' as different kind of symbol" */;
kernel void k(void) { int atomic_float = 1; int float4 = 3; int uint; int image2d_t;}

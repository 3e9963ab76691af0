// Attributes of kernels on what is no kernel.

constant int a /* ERROR invalid-kernel "'reqd_work_group_size' attribute only applies to functions" */ __attribute__((reqd_work_group_size(1, 2, 3))) = 1;
constant int b /* ERROR invalid-kernel "'vec_type_hint' attribute only applies to functions" */ __attribute__((vec_type_hint(float4))) = 1;
void f(kernel /* ERROR invalid-kernel "'kernel' attribute only applies to functions" */ int x) { }
kernel __attribute__((vec_type_hint(bool /* ERROR attribute-arguments "invalid attribute argument 'bool' - expecting a vector or vectorizable scalar type" */))) void k(void) { }
kernel __attribute__((vec_type_hint(uchar))) void good(void) { }
typedef __SIZE_TYPE__ my_size;
typedef __UINTPTR_TYPE__ my_uintptr;
constant my_size largest = __SIZE_MAX__;
constant __PTRDIFF_TYPE__ d = (__INTPTR_TYPE__)-1;
_Static_assert(sizeof(my_size) == 8 && sizeof(my_uintptr) == 8 && (my_size)-1 == __SIZE_MAX__, "64 bits");

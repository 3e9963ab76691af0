// options: -cl-std=CL2.0
// Address spaces by attribute are those of the keywords; two of them are one too many.
kernel void k(global int *p) {
 __attribute__((address_space /* WARNING ignored-attributes "'address_space' attribute ignored: address spaces by number mean nothing on this device" */(1))) int a /* ERROR multiple-address-spaces "automatic variable qualified with an invalid address space" */;
 int __attribute__((address_space /* WARNING ignored-attributes "'address_space' attribute ignored: address spaces by number mean nothing on this device" */(3))) b /* ERROR multiple-address-spaces "automatic variable qualified with an invalid address space" */;
 __attribute__((address_space /* WARNING ignored-attributes "'address_space' attribute ignored: address spaces by number mean nothing on this device" */(1))) int *c;
 __attribute__((opencl_global)) int *d = p;
 __attribute__((opencl_global)) int e /* ERROR global-in-function "function scope variable cannot be declared in global address space" */;
 __attribute__((opencl_local)) int f;
 global __attribute__((opencl_local /* ERROR multiple-address-spaces "multiple address spaces specified for type" */)) int *g;
 global local /* ERROR multiple-address-spaces "multiple address spaces specified for type" */ int *h;
 global __attribute__((opencl_global)) int *i;
 __attribute__((opencl_global)) __attribute__((opencl_local /* ERROR multiple-address-spaces "multiple address spaces specified for type" */)) int *j;
 __attribute__((address_space /* ERROR multiple-address-spaces "multiple address spaces specified for type" */(1))) global int *l;
 __attribute__((address_space(- /* ERROR attribute-arguments "address space is negative" */1))) int *m;
 __attribute__((address_space(99999999 /* ERROR attribute-arguments "address space is larger than the maximum supported (8388586)" */))) int *n;
 __attribute__((address_space("x" /* ERROR attribute-arguments "'address_space' attribute requires an integer constant" */))) int *o;
 __attribute__((address_space /* ERROR attribute-arguments "'address_space' attribute takes one argument" */)) int *q;
 __attribute__((opencl_private)) int r;
 __attribute__((opencl_constant)) int s = 1;
 global global /* WARNING duplicate-decl-specifier "multiple identical address spaces specified for type" */ /* WARNING duplicate-decl-specifier "duplicate 'global' declaration specifier" */ int *t;
}
__attribute__((address_space /* WARNING ignored-attributes "'address_space' attribute ignored: address spaces by number mean nothing on this device" */(1))) int ga /* ERROR program-scope-space "program scope variable must reside in global or constant address space" */;
__attribute__((opencl_constant)) int gb = 1;
__attribute__((opencl_global)) int gc = 1;

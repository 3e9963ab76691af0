// What has no address space, or only some: results, null pointers, extern and static
// variables, samplers.

global int result_global( /* ERROR invalid-result-type "return type cannot be qualified with address space" */int x);
local float *result_pointer(local float *p);
int *constant result_constant( /* ERROR invalid-result-type "return type cannot be qualified with address space" */void);
sampler_t result_sampler( /* ERROR invalid-result-type "declaring function return value of type 'sampler_t' is not allowed" */void);
extern local float extern_local /* ERROR program-scope-space "extern variable must reside in constant address space" */;
extern float extern_none /* ERROR program-scope-space "extern variable must reside in constant address space" */;
extern constant float extern_constant;
static private int static_private /* ERROR program-scope-space "program scope variable must reside in constant address space" */ = 1;

kernel void nulls(global int *g, local int *l) {
  g = (void *)0;
  g = 0;
  g = ( /* ERROR address-space "assigning to '__global int *' from type '__local void *' changes address space of pointer" */local void *)0;
  l = g ? l : (local void *)0;
  if (g == /* ERROR address-space "operation on pointers to different address spaces ('__global int *' and '__constant void *')" */ (constant void *)0) g = (private void *)0;
}

kernel void samplers(int n) {
  local sampler_t in_local /* ERROR invalid-declarator "sampler type cannot be used with the __local and __global address space qualifiers" */;
  const sampler_t wide = 0x1234567890L /* ERROR sampler-constant "sampler_t initialization requires 32-bit integer constant, not 'long'" */;
  const sampler_t fits = 0x10L;
}

void scope(int n) {
  extern int extern_here /* ERROR program-scope-space "extern variable must reside in constant address space" */;
  extern constant int extern_fits;
}

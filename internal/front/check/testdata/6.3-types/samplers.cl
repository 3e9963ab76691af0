// options: -cl-std=CL2.0
// Samplers: where they are declared and what initialises them (6.15.15.1).
sampler_t s /* ERROR program-scope-space "global sampler requires a const or constant address space qualifier" */ = 0;
constant sampler_t a = 0;
constant sampler_t b = a /* ERROR initializer-not-constant "initializer element is not a compile-time constant" */;
const sampler_t c = CLK_ADDRESS_NONE;
sampler_t const d = 16;
kernel void k(read_only image2d_t i) { sampler_t x = a /* ERROR sampler-constant "sampler_t initialization requires 32-bit integer constant, not '__constant sampler_t'" */; const sampler_t y = 3; constant sampler_t z = 4; sampler_t w = 5; sampler_t v = b /* ERROR sampler-constant "sampler_t initialization requires 32-bit integer constant, not '__constant sampler_t'" */;
 sampler_t q = { /* ERROR invalid-initializer "illegal initializer type 'sampler_t'" */5}; const sampler_t r = s; }
sampler_t e /* ERROR program-scope-space "global sampler requires a const or constant address space qualifier" */;

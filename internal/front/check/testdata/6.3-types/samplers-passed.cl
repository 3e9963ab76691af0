// options: -cl-std=CL2.0
// Samplers of samplers.
constant sampler_t g = 1;
float4 f(read_only image2d_t i, sampler_t p) { sampler_t x = p; return read_imagef(i, x, (float2)0); }
float4 f2(read_only image2d_t i, const sampler_t p) { const sampler_t x = p; sampler_t y = x; return read_imagef(i, y, (float2)0); }
float4 f3(read_only image2d_t i, sampler_t p) { return f(i, p) + f(i, g) + f(i, 3); }
kernel void k(read_only image2d_t i, sampler_t p, global float4 *o) { *o = f(i, p) + f2(i, p); sampler_t u; u = /* ERROR not-assignable "a value of type 'sampler_t' cannot be assigned" */ p; sampler_t w = p ; sampler_t t = 0; *o = f(i, t); }
constant sampler_t h = (sampler_t /* ERROR invalid-cast "used type 'sampler_t' where arithmetic or pointer type is required" */)4;
constant sampler_t arr = { /* ERROR invalid-initializer "illegal initializer type 'sampler_t'" */4};
constant sampler_t c = CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_LINEAR;
struct s { sampler_t s /* ERROR invalid-member "the 'sampler_t' type cannot be used to declare a structure or union field" */; };
const sampler_t cs = 0;
static const sampler_t ds = 0;
static sampler_t es /* ERROR program-scope-space "global sampler requires a const or constant address space qualifier" */ = 0;
extern sampler_t xs /* ERROR program-scope-space "global sampler requires a const or constant address space qualifier" */;
kernel void z(read_only image2d_t i, global float4 *o) { static constant sampler_t s1 = 3; static sampler_t s2 = 2; const sampler_t s3 = 1 ? 2 : 3; *o = f(i, s1) + f(i, 1 ? g : c); }

// options: -cl-std=CL3.0
// In OpenCL C 3.0 .rgba are components like .xyzw.

kernel void f(global float4 *p) {
  p[0].rgba = p[1].abgr;
  p[0].rg = p[1].xy;
  p[0].xg = p[1].xy;
}
// ERROR@7:9 vector-component-mix "illegal vector component name 'g': .xyzw, .rgba and numeric indices cannot be mixed"

// options: -cl-std=CL1.2
// The literal 0 is an event where overloads are chosen.
#define OV __attribute__((overloadable))
event_t OV cp(local int *d, const global int *s, size_t n, event_t e);
event_t OV cp(local float *d, const global float *s, size_t n, event_t e);
kernel void k(local int *d, global int *s, global int *i) { event_t e = cp(d, s, 4, 0); wait_group_events(1, &e); e = async_work_group_copy(d, s, 4, 0); e = cp(d, s, 4, e); e = cp /* ERROR no-matching-function "no matching function for call to 'cp'" */(d, s, 4, 1); event_t z = 0; event_t y = 1 /* ERROR incompatible-types "initializing 'event_t' with an expression of incompatible type 'int'" */;}
int OV sm(sampler_t s); int OV sm(float f);
kernel void l(global int *p) { p[0] = sm /* ERROR no-matching-function "no matching function for call to 'sm'" */(0); p[1] = sm(1.0f); }
int OV nl(global int *s); int OV nl(float f);
kernel void m(global int *p) { p[0] = nl /* ERROR no-matching-function "no matching function for call to 'nl'" */(0); p[1] = nl(p); p[2] = nl(1); }
int OV bo(bool s); int OV bo(global int *f);
kernel void o(global int *p, local float *q) { p[0] = bo(p); p[1] = bo(q);}

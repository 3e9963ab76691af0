# A host whose kernel waits for a debugger: PURECL_DEBUG=add:2.
import numpy as np, pyopencl as cl
ctx = cl.create_some_context(interactive=False); q = cl.CommandQueue(ctx)
p = cl.Program(ctx, """
__kernel void add(__global int *a, int n) {
  int i = get_global_id(0);
  int sum = a[i] + n;
  a[i] = sum;
}""").build()
a = np.arange(8, dtype=np.int32); A = cl.Buffer(ctx, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=a)
for n in [1, 10, 100]:
    p.add(q, (8,), None, A, np.int32(n))
cl.enqueue_copy(q, a, A)
assert (a == np.arange(8) + 111).all(), a
print("the host is done")

# Ctrl-C while Python waits for an endless kernel raises KeyboardInterrupt, and the driver
# still works afterwards.
import numpy as np, pyopencl as cl
context = cl.create_some_context(interactive=False)
q = cl.CommandQueue(context)
a = np.zeros(4, np.int32)
buf = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=a)
program = cl.Program(context, """
kernel void endless(global int *a) { while (a[0] == 0) a[1]++; }
kernel void seven(global int *a) { a[0] = 7; }
""").build()
try:
    try:
        program.endless(q, (4,), None, buf)
        print("ready", flush=True)
        q.finish()
    except cl.Error:
        pass  # of the kernel that was stopped; the signal is handled next
    for _ in range(10):
        pass
except KeyboardInterrupt:
    try:
        q.finish()  # it came before the wait: the kernel still runs, until the driver stops it
    except cl.Error:
        pass
    program.seven(q, (4,), None, buf)
    cl.enqueue_copy(q, a, buf)
    assert a[0] == 7
    print("interrupted")

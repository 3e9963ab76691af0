# Python handles Ctrl-C while kernels run, and the driver still works afterwards.
import numpy as np, pyopencl as cl, pyopencl.array as cla
q = cl.CommandQueue(cl.create_some_context(interactive=False))
a = cla.zeros(q, 1000, np.int32)
try:
    print("ready", flush=True)
    while True:
        a += 1
        q.finish()
except KeyboardInterrupt:
    a.fill(7)
    assert (a.get() == 7).all()
    print("interrupted")

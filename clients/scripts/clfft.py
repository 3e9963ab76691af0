"""clFFT's transforms, through gpyfft, beside SciPy's. Prints a line for each comparison."""
import itertools
import numpy as np
import pyopencl as cl
import pyopencl.array
import scipy.fft
from gpyfft.fft import FFT

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(1)
SHAPES = [(n,) for n in (2, 8, 64, 100, 243, 1000, 1024, 2401, 4096, 7 * 11 * 13, 30000, 65536)] + [(16, 16), (30, 128), (100, 243), (512, 256), (8, 12, 20), (64, 32, 16)]


def report(name, got, want, epsilon):
    error = np.abs(got - want).max() / max(np.abs(want).max(), 1e-30)
    print(f"pass {name}" if error <= epsilon else f"fail {name}: relative error {error:g}, allowed {epsilon:g}")


for shape, dtype, batch in itertools.product(SHAPES, (np.complex64, np.complex128, np.float32, np.float64), (1, 3)):
    real = dtype in (np.float32, np.float64)
    single = dtype in (np.complex64, np.float32)
    name = f"{np.dtype(dtype)}/{'x'.join(map(str, shape))}/{batch}"
    data = rng.standard_normal((batch, *shape))
    if not real:
        data = data + 1j * rng.standard_normal((batch, *shape))
    data = data.astype(dtype)
    axes = tuple(range(1, data.ndim))
    epsilon = (4e-6 if single else 1e-13) * max(1, np.log2(data[0].size))
    try:
        source = cl.array.to_device(queue, data)
        if real:
            want = scipy.fft.rfftn(data, axes=axes)
            result = cl.array.empty(queue, want.shape, np.complex64 if single else np.complex128)
            for event in FFT(context, queue, source, out_array=result, axes=axes[::-1], real=True).enqueue():
                event.wait()
            report(f"real/{name}", result.get(), want, epsilon)
            continue
        for inverse in (False, True):
            result = cl.array.empty_like(source)
            for event in FFT(context, queue, source, out_array=result, axes=axes[::-1]).enqueue(forward=not inverse):
                event.wait()
            transform = scipy.fft.ifftn if inverse else scipy.fft.fftn
            report(f"{'inverse' if inverse else 'forward'}/{name}", result.get(), transform(data, axes=axes), epsilon)
    except Exception as e:  # of gpyfft, of no common type
        print(f"fail {name}: {' '.join(str(e).split())[:300]}")

#!/usr/bin/env python3
"""Compares OpenCL drivers on the bench's kernels, through PyOpenCL, turn about, each in a process of its own.

usage: compare.py DRIVER... [--time SECONDS] [--rows PART]

A DRIVER is a library (bin/libpurecl.so) or the name that an .icd file holds (libpocl.so.2).
For each row it prints, for each driver, milliseconds from the source text to the results of a
first small launch (the shortest of three, each of a source never built before), and microseconds
of an enqueue and waiting for its event (the shortest); then the other drivers' by the first's.
Results are compared between the drivers, within a relative error of 1e-4 for floats and 1 for bytes of
images: the bench proper (go run ./bench/compare) compares in bits with C.
"""
import argparse
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time
import warnings

import numpy as np

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels"
OPTIONS = "-DTYPE=float -DFUNCTION=sin"  # math.cl wants them; no row uses that kernel
rng = np.random.default_rng(1)
f32, u32, i32 = np.float32, np.uint32, np.int32


def floats(n, lo=0.0, hi=1.0):
    return rng.uniform(lo, hi, n).astype(f32)


def row(name, file, global_size, local_size, *args, kernel=None):
    return name, file, kernel or name, global_size, local_size, args


class Image:
    """An image argument over an array of pixels: of bytes it is normalized."""

    def __init__(self, pixels, mode="r", channels=None):
        self.pixels, self.mode, self.channels = pixels, mode, channels

    def make(self, cl, context):
        return cl.image_from_array(context, self.pixels, self.channels, self.mode, norm_int=self.pixels.dtype == np.uint8)


def pixels(*size):
    return rng.integers(0, 255, size, np.uint8)


# Arguments: the first array is the result. A launch that adds to its result would drift.
N = 1 << 22
TURN = f32(0.9921977), f32(0.1246747)
ROWS = [
    row("triad", "elements.cl", (N,), None, np.zeros(N, f32), floats(N), floats(N), f32(3)),
    row("bgra", "elements.cl", (N,), None, np.zeros(4 * N, np.uint8), rng.integers(0, 255, 4 * N, np.uint8)),
    row("sobel_uchar", "stencil.cl", (2048, 1024), None, np.zeros(2050 * 1026, np.uint8), rng.integers(0, 255, 2050 * 1026, np.uint8), i32(2050)),
    row("mandelbrot", "control.cl", (512, 512), None, np.zeros(512 * 512, u32), i32(512), i32(512), i32(256)),
    row("ray_sphere", "control.cl", (512, 512), None, np.zeros(512 * 512, f32), floats(64, 1, 9), i32(16), i32(512), i32(512)),
    row("matmul_naive", "groups.cl", (256, 256), None, np.zeros(65536, f32), floats(65536), floats(65536), i32(256)),
    row("matmul_tiled", "groups.cl", (256, 256), (16, 16), np.zeros(65536, f32), floats(65536), floats(65536), i32(256)),
    row("reduce_float", "groups.cl", (1 << 20,), (256,), np.zeros(4096, f32), floats(1 << 20)),
    row("bitonic", "groups.cl", (1 << 18,), (256,), np.zeros(1 << 18, u32), rng.integers(0, 1 << 32, 1 << 18, u32)),
    row("nbody", "math.cl", (2048,), (64,), np.zeros(4 * 2048, f32), floats(4 * 2048), i32(2048), f32(0.01)),
    row("power", "math.cl", (1 << 20,), None, np.zeros(1 << 20, f32), floats(1 << 20, 0.1, 9), floats(1 << 20, -3, 3)),
    row("image_rgba8", "images.cl", (1024, 1024), None, np.zeros(1 << 20, f32), Image(pixels(1024, 1024, 4), "r", 4), *TURN, kernel="image_rotate"),
    row("rgba8_linear", "images.cl", (1024, 1024), None, np.zeros(1 << 20, f32), Image(pixels(1024, 1024, 4), "r", 4), *TURN, kernel="image_rotate_linear"),
    row("image_float4", "images.cl", (1024, 1024), None, np.zeros(1 << 20, f32), Image(floats((1024, 1024, 4)), "r", 4), *TURN, kernel="image_rotate"),
    row("float4_linear", "images.cl", (1024, 1024), None, np.zeros(1 << 20, f32), Image(floats((1024, 1024, 4)), "r", 4), *TURN, kernel="image_rotate_linear"),
    row("image_volume", "images.cl", (256, 256), None, np.zeros(1 << 16, f32), Image(floats((16, 64, 64))), *TURN),
    row("image_blur", "images.cl", (1024, 1024), None, Image(pixels(1024, 1024, 4), "w", 4), Image(pixels(1024, 1024, 4), "r", 4)),
    row("image_write", "images.cl", (1024, 1024), None, Image(pixels(1024, 1024, 4), "w", 4), *TURN),
    row("image_rows", "images.cl", (1040,), None, np.zeros(1040, f32), Image(floats((1040, 1040)))),
    row("md5", "hash.cl", (1 << 18,), None, np.zeros(4 << 18, u32)),
    row("sha256", "hash.cl", (1 << 17,), None, np.zeros(8 << 17, u32)),
]


class Driver:
    """One driver, in the process that the loader shows no other to."""

    def __init__(self, library):
        with tempfile.TemporaryDirectory() as vendors:
            pathlib.Path(vendors, "driver.icd").write_text(library + "\n")
            # No cache of built programs.
            os.environ.update(OCL_ICD_VENDORS=vendors, POCL_KERNEL_CACHE="0", PYOPENCL_NO_CACHE="1")
            warnings.filterwarnings("ignore", "Non-empty compiler output")
            import pyopencl
            self.cl = pyopencl
            platform = self.cl.get_platforms()[0]
        words = platform.version.split()[2:]  # after "OpenCL" and its version
        self.name = f"{platform.name} {next((w for w in words if w[0].isdigit()), '')}"
        self.context = self.cl.Context(platform.get_devices())
        self.queue = self.cl.CommandQueue(self.context)

    def prepare(self, row):
        """Builds the row's kernel and runs it: the shortest time to a first result, in seconds, and the whole result."""
        cl, (_, file, kernel, global_size, local_size, args) = self.cl, ROWS[row]
        source = (KERNELS / file).read_text()
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        make = {np.ndarray: lambda a: cl.Buffer(self.context, flags, hostbuf=a), Image: lambda a: a.make(cl, self.context)}
        buffers = [make.get(type(a), lambda a: a)(a) for a in args]
        self.buffers = buffers  # a kernel's arguments are not kept by it
        small = local_size or tuple(min(n, 64) for n in global_size)
        shortest = float("inf")
        for _ in range(3):
            began = time.perf_counter()
            k = getattr(cl.Program(self.context, f"{source}\n// {time.time_ns()}\n").build(OPTIONS), kernel)
            k.set_args(*buffers)
            cl.enqueue_nd_range_kernel(self.queue, k, small, local_size).wait()
            shortest = min(shortest, time.perf_counter() - began)
        self.launch = lambda: cl.enqueue_nd_range_kernel(self.queue, k, global_size, local_size)
        self.launch()
        if isinstance(args[0], Image):
            result = np.empty_like(args[0].pixels)
            cl.enqueue_copy(self.queue, result, buffers[0], origin=(0, 0), region=result.shape[1::-1])
        else:
            result = np.empty_like(args[0])
            cl.enqueue_copy(self.queue, result, buffers[0])
        return shortest, result

    def turn(self, seconds):
        """Launches again and again: the shortest time of a launch, in seconds."""
        shortest, until = float("inf"), time.perf_counter() + seconds
        while True:
            began = time.perf_counter()
            self.launch().wait()
            now = time.perf_counter()
            shortest = min(shortest, now - began)
            if now > until:
                return shortest


def serve(library, pipe):
    driver = Driver(library)
    pipe.send(driver.name)
    for method, arg in iter(pipe.recv, None):
        pipe.send(getattr(driver, method)(arg))


class Player:
    def __init__(self, library):
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        spawn.Process(target=serve, args=(library, theirs), daemon=True).start()
        theirs.close()
        self.name = self.pipe.recv()

    def ask(self, method, arg):
        self.pipe.send((method, arg))
        return self.pipe.recv()


def same(a, b):
    if a.ndim > 1:  # an image's bytes
        return np.abs(a.astype(i32) - b).max() <= 1
    return np.allclose(a, b, rtol=1e-4, atol=1e-5) if a.dtype == f32 else np.array_equal(a, b)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("drivers", nargs="+", metavar="DRIVER")
    parser.add_argument("--time", type=float, default=1.0, help="seconds for each row and driver")
    parser.add_argument("--rows", default="", help="only rows whose names contain this")
    options = parser.parse_args()
    players = [Player(os.path.abspath(d) if os.path.exists(d) else d) for d in options.drivers]
    print(f"{'':14}" + "".join(f"{p.name[-22:]:>24}" for p in players))
    print(f"{'row':14}" + f"{'first ms':>12}{'launch us':>12}" * len(players) + f"{'by the first':>24}" * (len(players) - 1))
    ratios, status = [], 0
    for number, row in enumerate(ROWS):
        if options.rows not in row[0]:
            continue
        firsts, results = zip(*(p.ask("prepare", number) for p in players))
        shortest = [min(times) for times in zip(*([p.ask("turn", options.time / 10) for p in players] for _ in range(10)))]
        line = "".join(f"{a * 1e3:12.2f}{b * 1e6:12.1f}" for a, b in zip(firsts, shortest))
        for i in range(1, len(players)):
            ratios.append((firsts[i] / firsts[0], shortest[i] / shortest[0]))
            line += "%12.1f%12.2f" % ratios[-1]
            if not same(results[0], results[i]):
                line, status = line + "  results differ", 1
        print(f"{row[0]:14}{line}", flush=True)
    if ratios:
        print("geometric means by the first: %.1f from source to first result, %.2f a launch" % tuple(np.exp(np.mean(np.log(ratios), axis=0))))
    return status


if __name__ == "__main__":
    sys.exit(main())

"""Filters of the UFO framework beside NumPy's and SciPy's. Prints a line for each comparison."""
import subprocess
import numpy as np
import scipy.ndimage

WIDTH, HEIGHT, IMAGES = 64, 48, 4
images = np.random.default_rng(1).random((IMAGES, HEIGHT, WIDTH), np.float32)
images.tofile("in.raw")


def ufo(*filters):
    read = ["read", "path=in.raw", f"raw-width={WIDTH}", f"raw-height={HEIGHT}", "raw-bitdepth=32"]
    subprocess.run(["/usr/bin/ufo-launch", "-q", *read, *(w for f in filters for w in ("!", *f.split())), "!", "write", "filename=out.raw"], check=True)
    return np.fromfile("out.raw", np.float32)


def compare(name, want, *filters, inside=slice(None), epsilon=1e-6):
    """Compares with want[inside], for filters that treat borders in a way of their own."""
    try:
        got = ufo(*filters).reshape(want.shape)
        error = np.abs(got - want)[inside].max() / np.abs(want).max()
        print(f"pass {name}" if error <= epsilon else f"fail {name}: relative error {error:g}, allowed {epsilon:g}")
    except (subprocess.CalledProcessError, ValueError) as e:
        print(f"fail {name}: {e}")


def interleaved(z):
    return np.stack([z.real, z.imag], -1).reshape(*z.shape[:-1], -1)


def blurred(a):
    # The kernel leaves out the last weight.
    weights = np.exp(-np.arange(-4, 5) ** 2 / (2 * 1.5 ** 2))
    weights /= weights.sum()
    weights[-1] = 0
    for axis in (1, 2):
        a = scipy.ndimage.correlate1d(a, weights, axis, mode="nearest")
    return a


middle = np.s_[:, 4:-4, 4:-4]
index = np.arange(WIDTH * HEIGHT).reshape(HEIGHT, WIDTH)
compare("calculate", 2 * images + index, "calculate expression=v*2+x")
compare("flip/horizontal", images[:, :, ::-1], "flip direction=horizontal")
compare("flip/vertical", images[:, ::-1], "flip direction=vertical")
compare("transpose", images.transpose(0, 2, 1), "transpose")
compare("crop", images[:, 8:24, 8:40], "crop x=8 y=8 width=32 height=16")
compare("binarize", (images >= 0.5).astype("f"), "binarize threshold=0.5")
compare("clip", images.clip(0.2, 0.7), "clip min=0.2 max=0.7")
compare("bin", images.reshape(IMAGES, HEIGHT // 2, 2, WIDTH // 2, 2).sum((2, 4)), "bin size=2")
compare("rescale", images.repeat(2, 1).repeat(2, 2), "rescale factor=2 interpolation=nearest")
compare("average", images.mean(0), "average")
compare("median", np.stack([scipy.ndimage.median_filter(i, 3) for i in images]), "median-filter size=3", inside=middle)
compare("fft", interleaved(np.fft.fft2(images, s=(64, 64))), "fft dimensions=2")
# clFFT divides by the number of elements, and UFO does it once more.
compare("ifft", np.pad(images, ((0, 0), (0, 64 - HEIGHT), (0, 0))) / 64**2, "fft dimensions=2", "ifft dimensions=2")
compare("blur", blurred(images), "blur size=9 sigma=1.5", inside=middle)

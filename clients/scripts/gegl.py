"""GEGL's operations with OpenCL and without it, on one image.

An operation counts only if it built an OpenCL program, which libpurecl.so shows by PURECL_DUMP:
GEGL falls back to its own code without a word.
"""
import glob
import os
import subprocess
import numpy as np
import cv2 as cv

rng = np.random.default_rng(1)
y, x = np.mgrid[0:240, 0:320]
image = np.stack([(x * 255 // 320), (y * 255 // 240), (x * y // 97) % 256], -1) + rng.integers(-10, 10, (240, 320, 3))
cv.imwrite("in.png", np.clip(image, 0, 255).astype(np.uint8))

# What GEGL has OpenCL code for. A value of a pixel may differ by 1, one in a thousand by more, where a threshold or an edge decides.
OPERATIONS = """brightness-contrast contrast=1.4 brightness=0.1
invert-linear
invert-gamma
levels in-low=0.1 in-high=0.8
color-temperature original-temperature=5000 intended-temperature=7500
gaussian-blur std-dev-x=3 std-dev-y=2
gblur-1d std-dev=3
box-blur radius=4
median-blur radius=2
pixelize size-x=8 size-y=8
edge-laplace
edge-sobel
noise-hsv
motion-blur-linear length=12 angle=30
motion-blur-zoom factor=0.05
bilateral-filter blur-radius=3
snn-mean radius=3
oilify mask-radius=3
color-to-alpha
value-invert
posterize levels=5
threshold value=0.4
sepia
vignette
waves
c2g radius=10 samples=3 iterations=3
softglow
texturize-canvas
grey
opacity value=0.5
red-eye-removal
shadows-highlights shadows=30 highlights=-30
reset-origin
convolution-matrix
dropshadow
alien-map
cartoon
emboss
photocopy
high-pass
unsharp-mask""".splitlines()


os.makedirs("dump", exist_ok=True)


def run(use, operation):
    out = f"{use}.png"
    for old in [out, *glob.glob("dump/*")]:
        if os.path.exists(old):
            os.remove(old)
    done = subprocess.run(["/usr/bin/gegl", "in.png", "-o", out, "--", *operation], env=os.environ | {"GEGL_USE_OPENCL": use, "PURECL_DUMP": os.path.abspath("dump")},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    return cv.imread(out, cv.IMREAD_UNCHANGED) if done.returncode == 0 and os.path.exists(out) else None, done.stdout


for line in OPERATIONS:
    name, *properties = line.split()
    want, text = run("no", [name, *properties])
    if want is None:
        print(f"skip {name}: the package's GEGL does not run it: {text.strip().splitlines()[-1:]}")
        continue
    got, text = run("cpu", [name, *properties])
    if got is None:
        print(f"fail {name}: {' '.join(text.split())[-300:]}")
        continue
    if not glob.glob("dump/*"):
        print(f"skip {name}: it built no OpenCL program")
        continue
    if got.shape != want.shape:
        print(f"fail {name}: {got.shape}, expected {want.shape}")
        continue
    difference = np.abs(got.astype(int) - want.astype(int))
    if difference.max() > 1 and np.mean(difference > 1) > 1e-3:
        print(f"fail {name}: {np.mean(difference > 1):.2%} of the values differ by more than 1, at most by {difference.max()}")
    else:
        print(f"pass {name}")

"""darktable's export with its modules on OpenCL and without: darktable.py SHIM.

The modules are those that darktable applies to a raw image by itself. The image is a synthetic
one in the DNG format (a mosaic of 16 bits a pixel), written here.
"""
import os
import re
import struct
import subprocess
import sys
import numpy as np
import cv2 as cv


def dng(name, width, height):
    """Writes a Bayer mosaic (RGGB) as the smallest DNG that rawspeed takes."""
    rng = np.random.default_rng(1)
    y, x = np.mgrid[0:height, 0:width]
    shade = (0.2 + 0.6 * x / width) * (0.5 + 0.5 * y / height) + 0.15 * (((x // 37) + (y // 23)) % 2)
    gain = np.where((y % 2 == 0) & (x % 2 == 0), 0.5, np.where((y % 2 == 1) & (x % 2 == 1), 0.6, 1.0))
    pixels = np.clip(shade * gain * 14000 + 512 + rng.normal(0, 60, shade.shape), 0, 16383).astype("<u2")
    entries, blob = [], b""
    def add(tag, kind, values):
        entries.append((tag, kind, values))
    add(254, 4, [0]); add(256, 4, [width]); add(257, 4, [height]); add(258, 3, [16]); add(259, 3, [1])
    add(262, 3, [32803]); add(271, 2, b"Synthetic\0"); add(272, 2, b"Mosaic\0"); add(273, 4, [0]); add(274, 3, [1]); add(277, 3, [1])
    add(278, 4, [height]); add(279, 4, [pixels.nbytes]); add(284, 3, [1]); add(33421, 3, [2, 2]); add(33422, 1, b"\0\1\1\2")
    add(50706, 1, b"\1\4\0\0"); add(50707, 1, b"\1\1\0\0"); add(50708, 2, b"Synthetic Mosaic\0"); add(50714, 4, [512]); add(50717, 4, [16383])
    add(50721, 10, [(32, 10), (-10, 10), (-5, 10), (-10, 10), (20, 10), (1, 10), (0, 10), (2, 10), (6, 10)])
    add(50728, 5, [(5, 10), (10, 10), (6, 10)]); add(50778, 3, [21])
    entries.sort(key=lambda e: e[0])
    start = 8 + 2 + 12 * len(entries) + 4
    def payload(kind, values):
        if isinstance(values, bytes):
            return values, len(values)
        if kind in (5, 10):
            return b"".join(struct.pack("<ii" if kind == 10 else "<II", *v) for v in values), len(values)
        return struct.pack("<%d%s" % (len(values), "H" if kind == 3 else "I"), *values), len(values)
    size = sum((len(payload(k, v)[0]) + 1) // 2 * 2 for _, k, v in entries if len(payload(k, v)[0]) > 4)
    table = b""
    for tag, kind, values in entries:
        if tag == 273:
            values = [start + size]
        data, count = payload(kind, values)
        if len(data) > 4:
            table += struct.pack("<HHII", tag, kind, count, start + len(blob))
            blob += data + b"\0" * (len(data) % 2)
        else:
            table += struct.pack("<HHI", tag, kind, count) + data.ljust(4, b"\0")
    with open(name, "wb") as out:
        out.write(b"II*\0" + struct.pack("<IH", 8, len(entries)) + table + struct.pack("<I", 0) + blob + pixels.tobytes())


shim, = sys.argv[1:]


def export(name, *options, **settings):
    out = f"{name}.tif"
    if os.path.exists(out):
        os.remove(out)
    conf = {"opencl_device_priority": "*/*/*/*/*", "opencl_mandatory_timeout": "2000", "opencl_scheduling_profile": "default", "plugins/imageio/format/tiff/bpp": "16", **settings}
    core = ["--core", "--configdir", f"config-{name}", "--cachedir", f"cache-{name}", "--library", ":memory:", "-d", "opencl", "-d", "perf", *options]
    for k, v in conf.items():
        core += ["--conf", f"{k}={v}"]
    done = subprocess.run(["/usr/bin/darktable-cli", "in.dng", out, *core], env=os.environ | {"LD_PRELOAD": shim}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout)
    if done.returncode or not os.path.exists(out):
        sys.exit(f"darktable-cli {options}: exit status {done.returncode}: " + done.stdout[-300:])
    return cv.imread(out, cv.IMREAD_UNCHANGED).astype(int), done.stdout


dng("in.dng", 900, 600)
for workflow in ("scene-referred (filmic)", "display-referred (legacy)"):
    label = workflow.split()[0]
    want, _ = export(label + "-cpu", "--disable-opencl", **{"plugins/darkroom/workflow": workflow})
    got, text = export(label + "-opencl", **{"plugins/darkroom/workflow": workflow})
    modules = sorted(set(re.findall(r"processed `([^']+)' on GPU", text)))
    print(f"pass {label}/modules on OpenCL" if len(modules) >= 3 else f"fail {label}/modules on OpenCL: only {modules}")
    print("modules on OpenCL:", ", ".join(modules))
    if want.shape != got.shape:
        print(f"fail {label}/pixels: {got.shape}, expected {want.shape}")
        continue
    difference = np.abs(want - got) / 65535
    good = np.quantile(difference, 0.999) <= 0.01 and difference.mean() <= 0.001
    print(f"pass {label}/pixels" if good else f"fail {label}/pixels: differences of {difference.mean():.4f} in the mean, {np.quantile(difference, 0.999):.4f} for one in a thousand, {difference.max():.4f} at most")

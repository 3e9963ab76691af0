"""x264 with its OpenCL lookahead beside x264 without: x264.py CLIP SHIM.

The lookahead on OpenCL searches in another order, so that streams differ a little. Their size,
their quality and how many frames are of which type must be close.
"""
import os
import re
import subprocess
import sys

clip, shim = sys.argv[1:]


def encode(*options, **environment):
    done = subprocess.run(["/usr/bin/x264", "--threads", "1", "--ssim", "--tune", "ssim", "--no-progress", *options, "-o", "out.264", clip],
                          env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout)
    if done.returncode:
        sys.exit(f"x264 {options}: exit status {done.returncode}")
    kinds = {k: int(n) for k, n in re.findall(r"frame ([IPB]):(\d+)", done.stdout)}
    return done.stdout, os.path.getsize("out.264"), float(re.search(r"SSIM Mean Y:([\d.]+)", done.stdout).group(1)), kinds


def report(name, good, detail):
    print(f"pass {name}" if good else f"fail {name}: {detail}")


for preset in ("fast", "slow"):
    _, size, ssim, kinds = encode("--preset", preset)
    text, size_cl, ssim_cl, kinds_cl = encode("--preset", preset, "--opencl", LD_PRELOAD=shim)
    report(f"{preset}/OpenCL used", "OpenCL acceleration enabled" in text and "OpenCL: fatal error" not in text, text[:200].replace("\n", " "))
    report(f"{preset}/size", abs(size_cl - size) <= 0.02 * size, f"{size_cl} bytes, without OpenCL {size}")
    report(f"{preset}/SSIM", abs(ssim_cl - ssim) <= 0.002, f"{ssim_cl}, without OpenCL {ssim}")
    report(f"{preset}/frame types", sum(abs(kinds_cl.get(k, 0) - kinds.get(k, 0)) for k in "IPB") <= 4, f"{kinds_cl}, without OpenCL {kinds}")

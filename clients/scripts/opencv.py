"""OpenCV's functions on UMat (OpenCL) beside the same on arrays (its own code for the processor).

Prints a line for each comparison. Tolerances and ranges of values are those of OpenCV's own
tests of its OpenCL code (modules/imgproc/test/ocl and others).
"""
import sys
import cv2 as cv
import numpy as np

if not (cv.ocl.haveOpenCL() and (cv.ocl.setUseOpenCL(True) or cv.ocl.useOpenCL())):
    sys.exit("OpenCV finds no OpenCL device")

rng = np.random.default_rng(1)
DEPTHS = {"8u": np.uint8, "16u": np.uint16, "16s": np.int16, "32f": np.float32, "64f": np.float64}


def array(shape, depth, lo=0, hi=255):
    dtype = DEPTHS[depth]
    if dtype in (np.float32, np.float64):
        return rng.uniform(lo, hi, shape).astype(dtype)
    return rng.integers(lo, hi + 1, shape).astype(dtype)


def report(name, problem):
    print(f"fail {name}: {problem}" if problem else f"pass {name}", flush=True)


def problem_of(want, got, tolerance):
    """Says how two results differ, None if they do not."""
    if want.shape != got.shape or want.dtype != got.dtype:
        return f"{got.shape} {got.dtype}, expected {want.shape} {want.dtype}"
    difference = np.abs(want.astype(np.float64) - got.astype(np.float64))
    worst = difference.max(initial=0)
    if worst > tolerance or np.isnan(worst):
        at = np.unravel_index(np.nanargmax(difference), difference.shape)
        return f"{np.count_nonzero(difference > tolerance)} of {difference.size} elements differ by more than {tolerance:g}, most at {at}: {got[at]}, expected {want[at]}"
    return None


def both(name, function, inputs, tolerance):
    """Runs function on arrays without OpenCL and on UMats with it."""
    try:
        cv.ocl.setUseOpenCL(False)
        want = function(*inputs)
        cv.ocl.setUseOpenCL(True)
        got = function(*(cv.UMat(a) for a in inputs))
    except cv.error as e:
        report(name, " ".join(str(e).split()))
        return
    several = isinstance(want, (tuple, list))
    problems = [problem_of(w, g.get() if isinstance(g, cv.UMat) else g, tolerance)
                for w, g in (zip(want, got) if several else [(want, got)])]
    report(name, next((p for p in problems if p), None))


# Odd, so that a row ends in the middle of a vector; and one whose bytes fill OpenCV's buffers,
# which are multiples of 4,096 bytes, to the end: kernels that read a little further than the
# last pixel do so beyond the buffer.
SIZES = [(67, 131), (64, 128)]


def colours():
    """Codes with their tolerance for 8 bits and for float."""
    rows = []
    def add(codes, byte, single):
        rows.extend((c, byte, single) for c in codes.split())
    for rgb in ("RGB", "BGR"):
        add(f"{rgb}2YUV {rgb}2YCrCb {rgb}2XYZ YUV2{rgb} YCrCb2{rgb} XYZ2{rgb} {rgb}2GRAY {rgb}2HSV {rgb}2HSV_FULL {rgb}2Lab {rgb}A2{rgb} {rgb}2{rgb}A", 1e-3, 1e-3)
        add(f"{rgb}2HLS {rgb}2HLS_FULL", 1, 1e-3)
        add(f"HSV2{rgb} HSV2{rgb}_FULL", 1, 4e-1)
        add(f"HLS2{rgb} HLS2{rgb}_FULL", 1, 1)
        add(f"L{rgb}2Lab", 1e-3, 1e-3)
        add(f"Lab2{rgb} Lab2L{rgb} Luv2L{rgb}", 1, 1e-5)
        add(f"{rgb}2Luv L{rgb}2Luv", 1, 1e-2)
        add(f"Luv2{rgb}", 1, 7e-5)
    return rows


for code, byte, single in colours():
    for depth, tolerance in (("8u", byte), ("32f", single)):
        for size in SIZES:
            channels = 4 if code.startswith(("RGBA", "BGRA")) else 3
            src = array((*size, channels), depth, 2, 100)
            both(f"cvtColor/{code}/{depth}/{size[1]}x{size[0]}", lambda a: cv.cvtColor(a, getattr(cv, "COLOR_" + code)), [src], tolerance)
for size in [(48, 64), (240, 320)]:
    for code in ("I420", "YV12", "NV12", "NV21"):
        for rgb in ("RGB", "BGR", "RGBA"):
            src = array((size[0] * 3 // 2, size[1]), "8u")
            both(f"cvtColor/YUV2{rgb}_{code}/{size[1]}x{size[0]}", lambda a: cv.cvtColor(a, getattr(cv, f"COLOR_YUV2{rgb}_{code}")), [src], 1)
    for code in ("BGR2YUV_I420", "RGB2YUV_I420", "BGR2YUV_YV12"):
        both(f"cvtColor/{code}/{size[1]}x{size[0]}", lambda a: cv.cvtColor(a, getattr(cv, "COLOR_" + code)), [array((*size, 3), "8u")], 1)

for channels in (1, 2, 3, 4):
    for depth in DEPTHS:
        tolerance = 1e-4 if depth == "32f" else 1
        for size in SIZES:
            src = array((*size, channels), depth, 0, 500 if depth != "8u" else 255)
            label = f"{depth}C{channels}/{size[1]}x{size[0]}"
            both(f"pyrDown/{label}", cv.pyrDown, [src], tolerance)
            both(f"pyrUp/{label}", cv.pyrUp, [src], tolerance)

for channels in (1, 2, 3, 4):
    for depth in ("8u", "16u", "32f"):
        for fx, fy in ((0.5, 0.5), (1.5, 0.5), (2.0, 2.0), (0.37, 1.9)):
            for mode in ("NEAREST", "LINEAR", "AREA"):
                src = array((*SIZES[0], channels), depth)
                both(f"resize/{mode}/{depth}C{channels}/{fx}x{fy}", lambda a: cv.resize(a, None, fx=fx, fy=fy, interpolation=getattr(cv, "INTER_" + mode)), [src], 1)

for channels in (1, 3, 4):
    for depth in ("8u", "16u", "32f"):
        src = array((*SIZES[0], channels), depth)
        label = f"{depth}C{channels}"
        tolerance = 1e-2 if depth == "32f" else 1
        both(f"blur/{label}", lambda a: cv.blur(a, (5, 5)), [src], tolerance)
        both(f"boxFilter/{label}", lambda a: cv.boxFilter(a, -1, (3, 7), normalize=True, borderType=cv.BORDER_REFLECT), [src], tolerance)
        both(f"GaussianBlur/{label}", lambda a: cv.GaussianBlur(a, (5, 5), 1.3), [src], tolerance)
        both(f"filter2D/{label}", lambda a: cv.filter2D(a, -1, np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], np.float32)), [src], tolerance)
        both(f"erode/{label}", lambda a: cv.erode(a, np.ones((3, 5), np.uint8)), [src], 0)
        both(f"dilate/{label}", lambda a: cv.dilate(a, np.ones((5, 3), np.uint8)), [src], 0)
        both(f"warpAffine/{label}", lambda a: cv.warpAffine(a, np.array([[0.9, 0.2, 5], [-0.1, 1.1, -7]]), (300, 200), flags=cv.INTER_NEAREST), [src], 1)
        both(f"split/{label}", lambda a: cv.split(a), [src], 0)
        both(f"flip/{label}", lambda a: cv.flip(a, 1), [src], 0)
        both(f"transpose/{label}", lambda a: cv.transpose(a), [src], 0)
    src = array((*SIZES[0], channels), "8u")
    both(f"medianBlur/8uC{channels}", lambda a: cv.medianBlur(a, 3), [src], 0)
for depth in ("8u", "32f"):
    src = array(SIZES[0], depth)
    both(f"Sobel/{depth}", lambda a: cv.Sobel(a, cv.CV_32F, 1, 1, ksize=3), [src], 1e-3)
    both(f"Laplacian/{depth}", lambda a: cv.Laplacian(a, cv.CV_32F, ksize=3), [src], 1e-2)
    both(f"threshold/{depth}", lambda a: cv.threshold(a, 100, 255, cv.THRESH_TRUNC)[1], [src], 0)
    both(f"integral/{depth}", lambda a: cv.integral(a), [array(SIZES[0], depth, 0, 10)], 1 if depth == "8u" else 1e-1)
    both(f"add/{depth}", cv.add, [src, array(SIZES[0], depth)], 0)
    both(f"multiply/{depth}", lambda a, b: cv.multiply(a, b, scale=0.01), [src, array(SIZES[0], depth)], 1 if depth == "8u" else 1e-3)
    both(f"matchTemplate/{depth}", lambda a, b: cv.matchTemplate(a, b, cv.TM_SQDIFF), [array((64, 70), depth, 0, 9), array((9, 11), depth, 0, 9)], 0.1)
src = array(SIZES[0], "8u")
both("equalizeHist", cv.equalizeHist, [src], 1)
both("CLAHE", lambda a: cv.createCLAHE(3, (8, 8)).apply(a), [src], 1)
both("calcHist", lambda a: cv.calcHist([a], [0], None, [256], [0, 256]), [src], 0)
for n in (64, 120, 210):
    both(f"dft/{n}", lambda a: cv.dft(a, flags=cv.DFT_COMPLEX_OUTPUT), [array((n, n), "32f", 0, 1)], 1e-2)
    both(f"gemm/{n}", lambda a, b: cv.gemm(a, b, 1.5, None, 0), [array((n, 67), "32f", -1, 1), array((67, n), "32f", -1, 1)], 1e-3)


def drawing():
    image = np.zeros((600, 700), np.uint8)
    for a, b in (((0, 100), (100, 100)), ((0, 200), (100, 200)), ((0, 400), (100, 400)), ((100, 0), (100, 200)), ((200, 0), (200, 200)), ((400, 0), (400, 200)), ((30, 500), (650, 130))):
        cv.line(image, a, b, 255)
    return image


def rows_sorted(lines):
    lines = lines.get() if isinstance(lines, cv.UMat) else lines
    lines = np.zeros((0, 2)) if lines is None else lines.reshape(-1, 2)
    return lines[np.lexsort(lines.T[::-1])]


for rho in (1, 0.5):
    for step in (180, 360):
        for threshold in (85, 150):
            both(f"HoughLines/{rho}/{step}/{threshold}", lambda a: rows_sorted(cv.HoughLines(a, rho, np.pi / step, threshold)), [drawing()], 1e-5)


def drawn(lines):
    lines = lines.get() if isinstance(lines, cv.UMat) else lines
    image = np.zeros((600, 700), np.uint8)
    for x0, y0, x1, y1 in np.zeros((0, 4), int) if lines is None else lines.reshape(-1, 4):
        cv.line(image, (int(x0), int(y0)), (int(x1), int(y1)), 255)
    return image


def similar(name, want, got, tolerance):
    """OpenCV's EXPECT_MAT_SIMILAR: one minus the normalised cross-correlation."""
    want, got = want.astype(np.float64).ravel(), got.astype(np.float64).ravel()
    norm = np.sqrt((want * want).sum() * (got * got).sum())
    distance = 1 - (want @ got) / norm if norm else float(np.any(want) or np.any(got))
    report(name, None if distance <= tolerance else f"similarity differs by {distance:g}, allowed {tolerance:g}")


edges = cv.GaussianBlur(src, (9, 9), 3) * 3
cv.ocl.setUseOpenCL(False)
want = cv.Canny(edges, 60, 160)
cv.ocl.setUseOpenCL(True)
similar("Canny", want, cv.Canny(cv.UMat(edges), 60, 160).get(), 3e-2)
for threshold in (60, 100):
    cv.ocl.setUseOpenCL(False)
    want = drawn(cv.HoughLinesP(drawing(), 1, np.pi / 180, threshold, minLineLength=50, maxLineGap=5))
    cv.ocl.setUseOpenCL(True)
    got = drawn(cv.HoughLinesP(cv.UMat(drawing()), 1, np.pi / 180, threshold, minLineLength=50, maxLineGap=5))
    similar(f"HoughLinesP/{threshold}", want, got, 0.25)

texture = cv.GaussianBlur(array((260, 330), "8u"), (0, 0), 2)
texture = cv.normalize(texture, None, 0, 255, cv.NORM_MINMAX)
moved = cv.warpAffine(texture, np.array([[1, 0.01, 2.5], [-0.01, 1, -1.5]]), (330, 260), borderMode=cv.BORDER_REFLECT)
for scale in (0.3, 0.5, 0.8):
    for poly in (5, 7):
        for flags in (0, cv.OPTFLOW_FARNEBACK_GAUSSIAN):
            args = (None, scale, 5, 13, 10, poly, 1.1 if poly <= 5 else 1.5, flags)
            cv.ocl.setUseOpenCL(False)
            want = cv.calcOpticalFlowFarneback(texture, moved, *args)
            cv.ocl.setUseOpenCL(True)
            got = cv.calcOpticalFlowFarneback(cv.UMat(texture), cv.UMat(moved), *args)
            similar(f"Farneback/{scale}/{poly}/{flags}", want, got.get(), 0.1)

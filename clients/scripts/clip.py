"""Writes a synthetic clip: clip.py FILE WIDTH HEIGHT FRAMES. Shapes move over a texture with noise."""
import sys

name, width, height, frames = sys.argv[1], *map(int, sys.argv[2:])
state = 1


def noise():
    global state
    state = (state * 1103515245 + 12345) & 0x7FFFFFFF
    return state >> 16 & 15


def luma(x, y, t):
    if (x - 60 - 5 * t) ** 2 + (y - 70 - 2 * t) ** 2 < 1600:
        return 200
    return 40 + (x * y // 97 + 3 * t) % 120


with open(name, "wb") as out:
    out.write(b"YUV4MPEG2 W%d H%d F5:1 Ip A1:1 C420jpeg\n" % (width, height))
    for t in range(frames):
        out.write(b"FRAME\n")
        out.write(bytes(luma(x, y, t) + noise() for y in range(height) for x in range(width)))
        for k in (1, 2):
            out.write(bytes((64 + k * x + y + 4 * t) % 160 + 48 for y in range((height + 1) // 2) for x in range((width + 1) // 2)))

#!/usr/bin/env python3
"""Digests the overloads that clang's opencl-c.h declares: name, number, CRC-32.

	python3 clang.py opencl-c.h > clang.txt

The checksum is over the sorted signatures, one a line, in the form "name(type,type)result",
a type being "[access ][const ][volatile ][space ]type[*]" with OpenCL C's names for the
types of a 64-bit device. Left out: conversions, vendors' extensions, pipes, device
enqueue, and the intptr_t forms of atomics, which are those of long with other operands.
"""
import re
import sys
import zlib

LEAVE = re.compile(r"^convert_|^amd_|^arm_|enqueue_|_event|event_|ndrange_|default_queue|reserve_id|intel")
TYPES = {"size_t": "ulong", "ptrdiff_t": "long", "cl_mem_fence_flags": "uint", "memory_order": "int", "memory_scope": "int", "atomic_flag": "atomic_int"}


def spell(p):
    words = re.findall(r"\w+|\*", p.replace("__", ""))
    quals = [w for w in ("const", "volatile") if w in words]
    space = [w for w in words if w in ("global", "local", "private", "constant", "generic")]
    access = [w for w in words if w in ("read_only", "write_only", "read_write")]
    rest = [w for w in words if w not in quals + space + access + ["*"]]
    if "*" in words and not space:
        space = ["generic"]
    return " ".join(access + quals + space + [TYPES.get(rest[0], rest[0])]) + ("*" if "*" in words else "")


def main():
    src = open(sys.argv[1]).read()
    src = re.sub(r"/\*.*?\*/|//[^\n]*", "", src, flags=re.S)
    src = re.sub(r"^\s*#.*$", "", src, flags=re.M)
    src = re.sub(r"__attribute__\(\(.*?\)\)", "", src)
    sigs = {}
    for ret, name, params in re.findall(r"([\w\s*]+?)\b(\w+)\(([^()]*)\)\s*;", src):
        if LEAVE.search(name) or "intel" in params or re.search(r"u?intptr_t|ulong \*?, ptrdiff", params + ret):
            continue
        ret = re.sub(r"\b__\w+\b", "", ret).replace("unsigned int", "uint").strip()
        ps = [spell(p) for p in params.split(",") if p.strip() not in ("", "void")]
        sigs.setdefault(name, set()).add("%s(%s)%s" % (name, ",".join(ps), spell(ret)))
    for name in sorted(sigs):
        print(name, len(sigs[name]), "%08x" % zlib.crc32("\n".join(sorted(sigs[name])).encode()))


main()

#!/usr/bin/env python3
"""Lists the builtin functions that the specification defines, by section.

	python3 names.py OpenCL_C.txt > names.txt

OpenCL_C.txt is of the repository KhronosGroup/OpenCL-Docs. Sections on pipes and device
enqueue are left out. Patterns that the text uses are expanded: vload__n__, _rte and so on
of vstore_half, <op> of collectives, key of atomic_fetch_key.
"""
import re
import sys

NOT = re.compile(r"pipe|_for_ndrange$|^.$|^vec_step$|^foo$|^my_|dp_")  # vec_step is an operator; the rest are examples
SKIP = re.compile(r"Pipe|Enqueu|Kernel Query|Queuing|Event|Helper|Queue")
ROUND = ["", "_rte", "_rtz", "_rtp", "_rtn"]
LANES = ["2", "3", "4", "8", "16"]


def expand(name):
    name = name.replace("__", "")
    if re.fullmatch(r"(vload|vstore)n", name):
        return [name[:-1] + n for n in LANES]
    m = re.fullmatch(r"(vloada?_half|vstorea?_half)(n?)((?:_rt[ezpn])?)", name)
    if m:
        return [m[1] + n + m[3] for n in (LANES if m[2] else [""])]
    for k in ("key", "modify"):
        if name.startswith("atomic_fetch_" + k):
            return [name.replace(k, op) for op in ("add", "sub", "or", "xor", "and", "min", "max")]
    if "<op>" in name:
        return [name.replace("<op>", op) for op in ("add", "min", "max")]
    return [name]


def main():
    text = open(sys.argv[1]).read()
    body = text[text.index("\n== Built-in Functions"):]
    end = re.search(r"\n\[\[opencl-numerical-compliance\]\]|\n== OpenCL Numerical Compliance|\n= OpenCL Numerical", body)
    body = body[: end.start()] if end else body
    for sec in re.split(r"\n={3,5} ", body)[1:]:
        title = sec.split("\n", 1)[0].strip()
        if SKIP.search(title):
            continue
        names = set()
        # In tables: type *name*(parameters); in code blocks: type name(parameters).
        for m in re.finditer(r"\*{1,2}([a-z]\w*(?:<op>|__n__)?\w*)\*{1,2}\s*\(", sec):
            names.add(m[1])
        for block in re.findall(r"\[source,opencl_c\]\n-{4,}\n(.*?)\n-{4,}", sec, re.S):
            for m in re.finditer(r"^\w+(?: \w+)*\s+\*?([a-z]\w+)\(", block, re.M):
                names.add(m[1])
        out = sorted({x for n in names for x in expand(n) if not NOT.search(x)})
        if out:
            print("%s: %s" % (title, " ".join(out)))


main()

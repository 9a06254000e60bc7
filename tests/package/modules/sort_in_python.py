#!/usr/bin/env python3
"""The program of sort_in_python.cpp: KEY N manner=…. It then keeps or breaks the protocol of process_sort.hpp."""

import mmap
import sys
import time
from array import array

_, key, n, manner = sys.argv
assert key == "u32"
if manner == "manner=is_late":
    print("not yet", flush=True)
else:
    print("ready", flush=True)
with mmap.mmap(3, 4 * int(n), flags=mmap.MAP_SHARED) as memory, memoryview(memory).cast("I") as keys:
    for request in sys.stdin:
        assert request == "sort\n"
        begin = time.monotonic_ns()
        if manner == "manner=sorts":
            keys[:] = memoryview(array("I", sorted(keys)))
        elif manner == "manner=leaves":
            sys.exit(7)
        print("soon" if manner == "manner=babbles" else time.monotonic_ns() - begin, flush=True)

"""Readings of words and sizes that the papers share: the same words have one tolerance in all of them.

The size from which on a statement holds is the papers' machine's, as a time is. On another machine the statement is
judged where each of its threads has at least as many keys as there.
"""

from __future__ import annotations

ABOUT_THE_SAME = 0.15  # "does not deviate significantly", "is not prone to"; what is sensitive differs by more
A_FACTOR = 0.1  # a printed ratio of times or shares: "1.4 times", "1.3X worse", "a 20% increase", "about 65%"
SLIGHTLY = 1.25  # the most that "slightly faster" is read as
# Satish et al.: from 128K keys on, 32K for each of a Core i7's four cores: as many for each of 32 cores.
LARGE_ON_CPU = "2^20.."
# Satish et al.: over a million keys, 34 for each of the 30 * 1024 threads that a GTX 280 holds: as many for each of the
# 240 * 2048 threads of a GPU with 240 multiprocessors.
LARGE_ON_GPU = "2^24.."

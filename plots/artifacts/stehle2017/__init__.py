"""Stehle and Jacobsen 2017, A memory bandwidth-efficient hybrid radix sort on GPUs."""

PAPER = "stehle2017"

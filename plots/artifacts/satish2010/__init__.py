"""Satish et al. 2010, Fast sort on CPUs, GPUs and Intel MIC architectures."""

PAPER = "satish2010"

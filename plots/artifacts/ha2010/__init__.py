"""Ha, Krüger and Silva 2010, Implicit radix sorting on GPUs."""

PAPER = "ha2010"

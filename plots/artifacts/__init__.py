"""The tables and figures, a folder a paper; makers.py finds the modules by looking."""

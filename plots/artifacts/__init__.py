"""The tables and figures, a folder a paper; discovery.py finds the modules by looking."""

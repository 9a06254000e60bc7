"""Command lines of the Python package, and the options that they share."""

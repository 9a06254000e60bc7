"""The tables and figures, one module each; each module's `make(records)` returns one artifact or several."""

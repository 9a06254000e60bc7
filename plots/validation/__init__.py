"""Reports how far the predictions of `sortlab validate` were off, and whether they came first."""

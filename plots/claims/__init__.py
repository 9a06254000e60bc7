"""Judges the papers' claims by records."""

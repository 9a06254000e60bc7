"""Computes the quantities that tables, figures and claims show: errors, ratios within a run, operations."""

"""Exports, imports and submits records."""

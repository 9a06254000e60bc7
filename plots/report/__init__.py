"""Builds the report, one page that works offline."""

"""Draws charts, bars, stacks, heat maps and tornado charts, as SVG, PNG, LaTeX and CSV."""

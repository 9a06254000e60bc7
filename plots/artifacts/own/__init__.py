"""This project's own comparisons, which belong to no paper."""

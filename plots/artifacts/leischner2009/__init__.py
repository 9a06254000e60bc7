"""Leischner, Osipov and Sanders 2009, GPU sample sort."""

PAPER = "leischner2009"

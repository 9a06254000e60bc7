"""Campaigns: the whole reference of a machine, measured by one build, and the check of its folder."""

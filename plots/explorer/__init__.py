"""The explorer of results: a static site made of any records (plots/README.md)."""

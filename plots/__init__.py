"""Turns records (results/README.md) into tables, figures, the claims ledger and the report. Reads records only."""

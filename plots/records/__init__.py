"""Reads records (results/README.md) into typed objects; knows nothing of tables and figures."""

from .collection import Records, read

__all__ = ["Records", "read"]

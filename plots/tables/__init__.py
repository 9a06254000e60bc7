"""Makes the report's tables from records."""

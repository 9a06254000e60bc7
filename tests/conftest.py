"""The order of all tests: files that take longest begin first, so that no process ends long after others."""

LONGEST = [
    "test_energy.py",
    "test_stop_signals.py",
    "test_kept_records.py",
    "test_plugins_outside.py",
    "test_what_if.py",
    "test_edges.py",
    "test_schemas.py",
    "test_reference_models.py",
    "test_schema_verdicts.py",
    "test_page.py",
    "test_explorer.py",
    "test_comparisons.py",
    "test_traces.py",
    "test_instruction_counts.py",
]


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))

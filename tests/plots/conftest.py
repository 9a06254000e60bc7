"""Records that several tests of plots share."""

import pytest
import synthetic_records as synthetic
from planted_records import PUBLISHED

from plots.records.collection import Records, read


@pytest.fixture(scope="session")
def records(tmp_path_factory) -> Records:
    """The synthetic machine's records with the papers' numbers."""
    file = synthetic.write(tmp_path_factory.mktemp("records") / "r.jsonl", synthetic.everything((16, 18, 20, 22, 24)))
    return read([file, *PUBLISHED]).on(synthetic.MACHINE)

"""Records and the browser that several tests of plots share."""

import pytest
import synthetic_records as synthetic
from browser import Browser
from planted_records import PUBLISHED

from plots.records.collection import Records, read


@pytest.fixture(scope="session")
def records(tmp_path_factory) -> Records:
    """The synthetic machine's records with the papers' numbers."""
    file = synthetic.write(tmp_path_factory.mktemp("records") / "r.jsonl", synthetic.everything((16, 18, 20, 22, 24)))
    return read([file, *PUBLISHED]).on(synthetic.MACHINE)


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Browser:
    """A browser for a file's tests, which may save files in its folder `downloads`."""
    made = Browser(tmp_path_factory.mktemp("downloads"))
    yield made
    made.driver.quit()
